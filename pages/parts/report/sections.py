"""The report about a study: one HTML file that works without a network."""

from __future__ import annotations

import math
import urllib.parse
from collections.abc import Iterator, Sequence

import rates
from pages.figures import budget, shares
from pages.figures.chart import words
from pages.parts.fit import guarantee as promises
from pages.parts.fit import pictures as fit_pictures
from pages.parts.fit import words as fit_words
from pages.parts.frame import Text, takeaway
from pages.parts.report import assumptions as rests
from pages.parts.report import first
from pages.parts.report import html as report_html
from pages.parts.report.html import Block, Code, Link, Section, Table
from pages.parts.report.subject import Subject
from pages.parts.session import address as link
from pages.parts.session import state
from pages.parts.study import sites, verdict
from rates.study import Scope, TransferStudy, codec, guarantees, tables, theory_for
from rates.version import PACKAGE

TITLE = "What privacy costs this study"
_STATEMENTS = "Printed statements used here, and whether they hold"


def build(about: Subject, extra: Sequence[Section] = ()) -> str:
    """Return the report as one HTML document; `extra` follows the answers."""
    return report_html.document(TITLE, tuple(_lead(about)), sections(about, extra))


def sections(about: Subject, extra: Sequence[Section] = ()) -> list[Section]:
    """Return the parts of a report in order."""
    first, second, *rest = [
        Section(name, title, tuple(blocks))
        for name, title, blocks in (
            ("study", "The study", _study(about)),
            ("answers", "What privacy costs, counted in every way", _both(about)),
            ("scope", "Is the study covered?", rests.scope(about)),
            ("assumptions", "Assumptions, and where each comes from", rests.assumptions(about)),
            ("ranges", "Answers over what is not known", _ranges(about)),
            ("privacy", "What each site promises", _privacy(about)),
            ("statements", _STATEMENTS, rests.statements_used(about.study, about.address)),
            ("paragraph", "A longer paragraph for a protocol", _paragraph(about)),
            ("limits", words.LIMITS, [Text(LIMITS)]),
            ("again", "Open it again, compute it again", _again(about)),
        )
    ]
    return [first, second, *extra, *rest]


def _lead(about: Subject) -> Iterator[Block]:
    yield from first.page(about, address(about))
    yield Text(
        f"Made on {about.date:%Y-%m-%d %H:%M} UTC with {PACKAGE} {version()}. "
        "Nothing in this file is fetched from a network. What follows is the appendix."
    )


def address(about: Subject) -> str:
    """Return the link that opens the study again; empty where there is none.

    It says which version made it; another version that opens it says so.
    """
    if not (about.address and about.query):
        return ""
    made = urllib.parse.urlencode({link.MADE: version()})
    return f"{about.address}/{about.page}?{about.query}&{made}"


def version() -> str:
    """Return the version of this program, with the commit where it is known.

    >>> version().count(".") >= 1
    True
    """
    return rates.__version__


def _study(about: Subject) -> Iterator[Block]:
    study = about.study
    transfer = isinstance(study, TransferStudy)
    rows = study.servers
    columns = {"Site": [s.name for s in rows]}
    if transfer:
        columns["Role"] = ["target" if k == 0 else "source" for k in range(len(rows))]
    columns |= {
        "Records n": [f"{s.n:,}" for s in rows],
        "Budget ε": [
            "unprotected" if s.epsilon == float("inf") else f"{s.epsilon:g}" for s in rows
        ],
        "δ": ["not stated" if s.delta is None else f"{s.delta:g}" for s in rows],
    }
    if transfer:
        columns["Signal γ"] = [f"{s.signal_exponent:g}" for s in rows]
    columns["Count"] = [f"{s.count:,}" for s in rows]
    if isinstance(study, TransferStudy):
        text = (
            f"A classifier for {words.md(rows[0].name)}: smoothness β = {study.smoothness:g}, "
            f"dimension d = {study.dimension}, margin α = {study.margin:g}."
        )
    else:
        p = "infinity" if math.isinf(study.integrability) else f"{study.integrability:g}"
        text = f"One common curve: smoothness α = {study.smoothness:g}, integrability p = {p}."
    yield Text(text)
    yield Table(columns, "Sites", "sites", tables.to_csv(study))
    yield Text(
        "“Unprotected” means without protection in this calculation, not published. A row with "
        "a count stands for that many identical sites. Budgets hold for the replacement of one "
        "record of a site."
    )
    if made := rests.origin(study):
        yield Text(made)


def _both(about: Subject) -> Iterator[Block]:
    cost, study, equation = about.cost, about.study, about.cost.equation
    yield from first.costs(about)
    yield Text(
        f"{verdict.worth_help(study)} Rate equation: {shares.root_text(cost)}, up to "
        "constants and logarithms."
    )
    if cost.mechanism:
        yield Text(f"Named {words.md(cost.scale)}.")
    else:
        yield Text(f"No named mechanism: {words.md(str(cost.missing))}")
    if about.absolute:
        yield Text(f"**After a calibration.** {words.md(about.absolute)}")
    if any(equation.answer.shares):
        yield shares.of_study(study, cost)
        if swept := budget.of_study(study, state.sweep(study, cost.risk, state.FACTORS)):
            yield swept


def _ranges(about: Subject) -> Iterator[Block]:
    found = about.found
    if found is None:
        yield Text(f"No answer over ranges: {words.md(about.refusal)}")
        return
    if found.box.cut:
        yield Text(words.md(found.box.cut))
    yield fit_pictures.of_ranges(found, about.cost)
    if unknowns := fit_pictures.of_unknowns(about.study, found):
        yield unknowns
    yield Text(
        f"Ends of the rate: {found.equation.rate.evidence}. Ends of the other two: "
        f"{found.equation.kept.evidence}, on grids that close in; that none lies beyond is not "
        "proved."
    )


def _privacy(about: Subject) -> Iterator[Block]:
    k = promises.records(about.scope)
    rows = guarantees(about.study, k)
    yield Text(promises.terms(about.study, about.scope))
    yield Table(promises.columns(rows, k), "What every site promises", "privacy")
    yield Text(promises.EDGE)
    yield from map(Text, sites.warnings(rows))
    yield from map(Text, promises.more(about.study, about.scope, k))


def _paragraph(about: Subject) -> Iterator[Block]:
    found = theory_for(about.study, about.scope)
    text = fit_words.paragraph(found, about.scope, about.study, about.found, about.absolute)
    yield Code(text, "paragraph.txt")


LIMITS = (
    "- Rates hold up to constants and logarithms, for the worst problem of the stated kind. No "
    "number of records and no absolute risk follows from them.\n"
    "- The named mechanism is one procedure with its constants; another may do better or worse.\n"
    "- Nothing here looked at data. Whether the assumptions hold has been asked, not tested.\n"
    "- A privacy budget speaks about one release per site. It says nothing about other releases "
    "from the same records, or about what the answer itself tells.\n"
    "- Verdicts on printed statements rest on proofs of ours and on random tests; a test that "
    "finds no counterexample proves nothing."
)


def _again(about: Subject) -> Iterator[Block]:
    told = about.scope if about.scope != Scope() else None
    if again := address(about):
        yield Link(f"{about.address}/{about.page}, with this study", again)
    else:
        yield Text(
            "This study has no link (it is too long for one, or the app's address is "
            "not known). Save the JSON file and open it in the app."
        )
    yield Text(
        "Seeds: 0 for the search over ranges, and 0 for the stored tests of the "
        f"statements. All else is computed without random numbers. Version {version()}."
    )
    said = "The study as JSON, with what was answered about it"
    yield Code(codec.to_json(about.study, told), "study.json", said, "application/json")
    yield Code(takeaway.lines(about.study), "study.py", "The same answer in Python")
