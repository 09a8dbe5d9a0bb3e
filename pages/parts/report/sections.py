"""The report about a study: one HTML file that works without a network."""

from __future__ import annotations

import functools
import importlib.metadata
import math
import tomllib
from collections.abc import Sequence

from pages.figures.chart import words
from pages.parts.fit import guarantee as promises
from pages.parts.fit import pictures as fit_pictures
from pages.parts.fit import words as fit_words
from pages.parts.frame import scope_line, shell, takeaway
from pages.parts.report import assumptions as rests
from pages.parts.report import html as report_html
from pages.parts.report.html import Block, Code, Link, Section, Table, Text
from pages.parts.report.subject import Subject
from pages.parts.session import state
from pages.parts.study import pictures, verdict
from rates.study import Scope, TransferStudy, codec, guarantees, tables, theory_for

PACKAGE = "private-rates"
TITLE = "What privacy costs this study"


def build(about: Subject, extra: Sequence[Section] = ()) -> str:
    """Return the report as one HTML document; `extra` follows the answers."""
    return report_html.document(TITLE, _lead(about), sections(about, extra))


def sections(about: Subject, extra: Sequence[Section] = ()) -> list[Section]:
    """Return the parts of a report in order."""
    return [
        Section(name="study", title="The study", blocks=_study(about)),
        Section(name="answers", title="What privacy costs, by both answers", blocks=_both(about)),
        *extra,
        Section(name="scope", title="Is the study covered?", blocks=rests.scope(about)),
        Section(
            name="assumptions",
            title="Assumptions, and where each comes from",
            blocks=rests.assumptions(about.study, about.scope, about.found),
        ),
        Section(name="ranges", title="Answers over what is not known", blocks=_ranges(about)),
        Section(name="privacy", title="What each site promises", blocks=_privacy(about)),
        Section(
            name="statements",
            title="Printed statements used here, and whether they hold",
            blocks=rests.statements_used(about.study, about.address),
        ),
        Section(name="paragraph", title="A paragraph for a protocol", blocks=_paragraph(about)),
        Section(name="limits", title=words.LIMITS, blocks=(Text(markdown=LIMITS),)),
        Section(name="again", title="Open it again, compute it again", blocks=_again(about)),
    ]


def _lead(about: Subject) -> tuple[Block, ...]:
    found = theory_for(about.study, about.scope)
    blocks: list[Block] = [
        Text(markdown=verdict.sentences(about.study, about.cost)),
        Text(markdown=scope_line.sentence(found, about.scope)),
        Text(
            markdown=f"Made on {about.date:%Y-%m-%d %H:%M} UTC with {PACKAGE} {version()}. "
            "Nothing in this file is fetched from a network."
        ),
    ]
    if link := address(about):
        blocks.append(Link(label="Open this study in the app", address=link))
    return tuple(blocks)


def address(about: Subject) -> str:
    """Return the link that opens the study again; empty where there is none."""
    if not (about.address and about.query):
        return ""
    return f"{about.address}/{about.page}?{about.query}"


@functools.cache
def version() -> str:
    """Return the version of this program.

    >>> version().count(".") >= 1
    True
    """
    try:
        return importlib.metadata.version(PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        text = (shell.ROOT / "pyproject.toml").read_text(encoding="utf-8")
        return str(tomllib.loads(text)["project"]["version"])


def _study(about: Subject) -> tuple[Block, ...]:
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
    notes = (
        "“Unprotected” means without protection in this calculation, not published. A row with "
        "a count stands for that many identical sites. Budgets hold for the replacement of one "
        "record of a site."
    )
    made = rests.origin(study)
    return (
        Text(markdown=text),
        Table(columns=columns, caption="Sites", name="sites", given=tables.to_csv(study)),
        Text(markdown=notes),
        *((Text(markdown=made),) if made else ()),
    )


def _both(about: Subject) -> tuple[Block, ...]:
    cost, study = about.cost, about.study
    equation = cost.equation
    columns: dict[str, list[str]] = {
        "Quantity": [
            "Effective records",
            "Part of the effective records kept",
            "Error against no privacy",
        ],
        "Rate equation": [
            words.number(equation.answer.effective_n),
            words.percent(equation.kept),
            f"× {words.number(equation.rate_ratio)}",
        ],
    }
    if cost.mechanism:
        columns["Named mechanism"] = [
            verdict.worth_range(cost),
            verdict.kept_range(cost),
            f"× {verdict.ratio_range(cost)}",
        ]
    blocks: list[Block] = [
        Table(columns=columns, caption="Both answers", name="answers"),
        Text(
            markdown=f"{verdict.worth_help(study)} Rate equation: {verdict.root_text(cost)}, up to "
            "constants and logarithms."
        ),
    ]
    if cost.mechanism:
        blocks.append(Text(markdown=f"Named {words.md(cost.scale)}."))
    else:
        blocks.append(Text(markdown=f"No named mechanism: {words.md(str(cost.missing))}"))
    if about.absolute:
        blocks.append(Text(markdown=f"**After a calibration.** {words.md(about.absolute)}"))
    if any(equation.answer.shares):
        blocks.append(pictures.of_shares(study, cost))
        sweep = pictures.of_budgets(study, state.sweep(study, cost.risk, state.FACTORS))
        if sweep is not None:
            blocks.append(sweep)
    return tuple(blocks)


def _ranges(about: Subject) -> tuple[Block, ...]:
    found = about.found
    if found is None:
        return (Text(markdown=f"No answer over ranges: {words.md(about.refusal)}"),)
    blocks: list[Block] = []
    if found.box.cut:
        blocks.append(Text(markdown=words.md(found.box.cut)))
    blocks.append(fit_pictures.of_ranges(found, about.cost))
    if unknowns := fit_pictures.of_unknowns(about.study, found):
        blocks.append(unknowns)
    rate = found.equation.rate
    blocks.append(
        Text(
            markdown=f"Ends of the rate: {rate.evidence}. Ends of the other two: "
            f"{found.equation.kept.evidence}, from 2,000 drawn parameters (seed 0) and an ascent "
            "from the best of them; that none lies beyond is not proved."
        )
    )
    return tuple(blocks)


def _privacy(about: Subject) -> tuple[Block, ...]:
    k = promises.records(about.scope)
    rows = guarantees(about.study, k)
    return (
        Text(markdown=promises.terms(about.study, about.scope)),
        Table(
            columns=promises.columns(rows, k), caption="What every site promises", name="privacy"
        ),
        Text(markdown=promises.EDGE),
        *(Text(markdown=text) for text in promises.warnings(rows)),
        *(Text(markdown=text) for text in promises.more(about.study, about.scope, k)),
    )


def _paragraph(about: Subject) -> tuple[Block, ...]:
    found = theory_for(about.study, about.scope)
    text = fit_words.paragraph(found, about.scope, about.study, about.found, about.absolute)
    return (Code(text=text, name="paragraph.txt"),)


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


def _again(about: Subject) -> tuple[Block, ...]:
    study, scope = about.study, about.scope
    told = scope if scope != Scope() else None
    blocks: list[Block] = []
    if link := address(about):
        blocks.append(Link(label=f"{about.address}/{about.page}, with this study", address=link))
    else:
        blocks.append(
            Text(
                markdown="This study has no link (it is too long for one, or the app's address is "
                "not known). Save the JSON file and open it in the app."
            )
        )
    return (
        *blocks,
        Text(
            markdown=f"Seeds: 0 for the search over ranges, and 0 for the stored tests of the "
            f"statements. All else is computed without random numbers. Version {version()}."
        ),
        Code(
            text=codec.to_json(study, told),
            name="study.json",
            caption="The study as JSON, with what was answered about it",
            kind="application/json",
        ),
        Code(text=takeaway.lines(study), name="study.py", caption="The same answer in Python"),
    )
