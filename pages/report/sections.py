"""The report about a study: one HTML file that works without a network, and files beside it."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterator, Sequence
from dataclasses import replace

import rates
from pages.charts import Figure, budget, shares, words
from pages.core import Block, Chapter, Code, File, Table, Text
from pages.core import address as link
from pages.core import html as report_html
from pages.current import state, takeaway
from pages.fit import guarantee as promises
from pages.fit import unknowns as fit_pictures
from pages.fit import words as fit_words
from pages.report import assumptions as rests
from pages.report import first
from pages.report.subject import Subject
from pages.study import sites, verdict, world
from rates.fit import Spread
from rates.study import Scope, TransferStudy, codec, guarantees, tables, theory_for
from rates.version import PACKAGE

TITLE = "Is this study worth running?"
_STATEMENTS = "Printed statements used here, and whether they hold"
_CONDITIONS = "What the theorem asks for, with this study's numbers"


def build(about: Subject, extra: Sequence[Chapter] = ()) -> str:
    """Return the report as one HTML document; `extra` follows the answers."""
    return report_html.document(TITLE, lead(about), sections(about, extra), dense=True)


def sections(about: Subject, extra: Sequence[Chapter] = ()) -> list[Chapter]:
    """Return the parts of a report in order; beside others, what is for a protocol is a file."""
    first, second, *rest = [
        Chapter(name, title, tuple(blocks))
        for name, title, blocks in (
            ("study", "The study", _study(about)),
            ("answers", "What privacy costs", _both(about)),
            ("scope", "Is the study covered?", rests.scope(about)),
            ("ranges", "Answers over what is not known", _ranges(about)),
            ("privacy", "What each site promises", _privacy(about)),
            ("protocol", "Sentences for a protocol", _protocol(about)),
            ("limits", words.LIMITS, [Text(LIMITS)]),
            ("again", "Open it again, compute it again", _again(about)),
        )
        if not (extra and name == "protocol")
    ]
    return [first, second, *extra, *rest]


def lead(about: Subject) -> tuple[Block, ...]:
    """Return the first page."""
    made = Text(f"Made on {about.date:%Y-%m-%d %H:%M} UTC with {PACKAGE} {version()}.")
    return (*first.page(about, address(about)), made)


def beside(about: Subject) -> list[Chapter]:
    """Return what stands in files beside a report, and not in it."""
    privacy = Table(_promised(about), "What every site promises", "privacy")
    return [
        Chapter("unknowns", "What matters most", tuple(_unknowns(about))),
        Chapter("privacy", "What each site promises", (privacy,)),
        Chapter("conditions", _CONDITIONS, tuple(rests.conditions(about.study))),
        Chapter(
            "statements", _STATEMENTS, tuple(rests.statements_used(about.study, about.address))
        ),
    ]


def texts(about: Subject) -> dict[str, str]:
    """Return the text files beside a report, by name."""
    found = theory_for(about.study, about.scope)
    paragraph = fit_words.paragraph(found, about.scope, about.study, about.found, about.absolute)
    return {
        **{
            f"{part.name}.html": report_html.document(part.title, (), [part])
            for part in beside(about)
            if part.name in ("conditions", "statements")
        },
        "protocol.txt": protocol(about),
        "paragraph.txt": paragraph,
        "study.json": json(about),
        "study.py": takeaway.lines(about.study),
    }


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
    study, rows = about.study, about.study.servers
    transfer = isinstance(study, TransferStudy)
    columns = {"Site": [s.name for s in rows]}
    if not about.alike:
        columns["Role"] = ["target" if k == 0 else "source" for k in range(len(rows))]
    columns |= {
        "Records n": [f"{s.n:,}" for s in rows],
        "Budget ε": [
            "unprotected" if s.epsilon == float("inf") else f"{s.epsilon:g}" for s in rows
        ],
        "δ": [
            "–" if not s.private else "not stated" if s.delta is None else f"{s.delta:g}"
            for s in rows
        ],
    }
    if transfer and not about.alike:
        columns["Signal γ"] = [f"{s.signal_exponent:g}" for s in rows]
    if any(s.count > 1 for s in rows):
        columns["Count"] = [f"{s.count:,}" for s in rows]
    columns |= {t: cells for t, cells in _promised(about).items() if t not in _STATED}
    if isinstance(study, TransferStudy):
        whose = "patients of all sites alike" if about.alike else words.md(rows[0].name)
        text = f"A classifier for {whose}."
    else:
        text = "One common curve."
    yield Text(text)
    yield Table(columns, "Sites", "sites", tables.to_csv(study))
    notes = ["Edge: what an attacker gains, in points of 100; see Promise on the first page."]
    if any(s.informative and not s.private for s in rows):
        notes.append("“Unprotected”: in this calculation, not published.")
    if any(s.count > 1 for s in rows):
        notes.append("A row with a count stands for that many identical sites.")
    if made := rests.origin(study):
        notes.append(made)
    yield from map(Text, notes)


_SWEPT = (
    "Circle: the equation sees no cost from here on. Diamond: the mechanism keeps half. More "
    "budget may help far beyond the circle."
)
_STATED = ("Site", "Budget ε", "δ", "Releases")  # columns of a promise that say what is stated


def _promised(about: Subject) -> dict[str, list[str]]:
    """What every site promises, as columns."""
    k = promises.records(about.scope)
    return promises.columns(guarantees(about.study, k), k)


def _both(about: Subject) -> Iterator[Block]:
    cost, study, equation = about.cost, about.study, about.cost.equation
    yield _costs(about)
    yield Text(_RELATE)
    if told := world.sentence(study, cost.risk, about.decision.use):
        yield Text(told)
    if cost.mechanism:
        yield Text(f"Named {words.md(cost.scale)}.")
    else:
        yield Text(f"No named mechanism: {words.md(str(cost.missing))}")
    if about.absolute:
        yield Text(f"**After a calibration.** {words.md(about.absolute)}")
    if any(equation.answer.shares):
        yield shares.of_study(study, cost, alike=about.alike)
        if swept := budget.of_study(study, state.sweep(study, cost.risk, state.FACTORS)):
            yield replace(swept, caption=_SWEPT)


_RELATE = (
    "The study as stated, every site with its budget. The equation leaves out every constant, the "
    "mechanism is one procedure with its own."
)


def _costs(about: Subject) -> Table:
    """What privacy costs, told once in every way it is told in the app."""
    cost, found = about.cost, about.found
    rows = [
        (
            "Rate equation, no constants",
            words.number(cost.equation.answer.effective_n),
            f"× {words.number(cost.equation.rate_ratio)}",
            words.percent(cost.equation.kept),
        )
    ]
    if cost.mechanism:
        worth, ratio = verdict.worth_range(cost), verdict.ratio_range(cost)
        rows.append(("Named mechanism", worth, f"× {ratio}", verdict.kept_range(cost)))
    if found is not None:
        rows.append(_over("Rate equation, over ranges", found.equation))
        if found.mechanism:
            rows.append(_over("Named mechanism, over ranges", found.mechanism))
    exact = world.risks(about.study, cost.risk)
    if exact is not None and exact.values["unprotected"] > 0:
        ratio = words.number(exact.values["study"] / exact.values["unprotected"])
        rows.append(("Exact, in a made-up world", "–", f"× {ratio}", "–"))
    titles = ("Counted by", "Effective records", "Error against no privacy", "Records' worth kept")
    columns = dict(zip(titles, map(list, zip(*rows, strict=True)), strict=True))
    return Table(columns, "Counted in every way", "costs")


def _over(name: str, ends: Spread) -> tuple[str, str, str, str]:
    return name, "–", f"× {fit_words.span(ends.cost)}", fit_words.share(ends.kept)


def _ranges(about: Subject) -> Iterator[Block]:
    found = about.found
    yield from rests.ranges(about)
    if found is None:
        yield Text(f"No answer over ranges: {words.md(about.refusal)}")
        return
    if found.box.cut:
        yield Text(words.md(found.box.cut))
    caption = "From the best to the worst case over the ranges; the grey stroke: as stated."
    yield replace(fit_pictures.of_ranges(found, about.cost), caption=caption)
    if (unknowns := fit_pictures.of_unknowns(about.study, found)) is not None:
        yield Text(f"{unknowns.figure.title}.")
    yield Text(
        f"Ends of the rate: {found.equation.rate.evidence}; of the other two: "
        f"{found.equation.kept.evidence}, that none lies beyond is not proved."
    )


def _unknowns(about: Subject) -> Iterator[Figure]:
    if about.found and (drawn := fit_pictures.of_unknowns(about.study, about.found)):
        yield drawn


def _privacy(about: Subject) -> Iterator[Block]:
    k = promises.records(about.scope)
    yield Text(promises.terms(about.study, about.scope))
    yield from map(Text, sites.warnings(about.study.servers))
    yield from map(Text, promises.more(about.study, about.scope, k))


def _protocol(about: Subject) -> Iterator[Block]:
    yield Code(protocol(about), None, "protocol.txt")


def protocol(about: Subject) -> str:
    """Return plain sentences for a protocol."""
    found = theory_for(about.study, about.scope)
    return fit_words.protocol(found, about.scope, about.study, about.decision)


LIMITS = (
    "- Rates hold up to constants and logarithms, for the worst problem of their kind: no sample "
    "size and no absolute risk follows.\n"
    "- Nothing looked at data: whether the assumptions hold has not been tested.\n"
    "- A budget speaks of one release per site, and of no other."
)


def _again(about: Subject) -> Iterator[Block]:
    if not address(about):
        yield Text(
            "This study has no link (it is too long for one, or the app's address is "
            "not known). Save the JSON file and open it in the app."
        )
    yield File(json(about), "study.json", "application/json")
    yield Text(
        f"Theory: {words.md(rests.behind(about.study))} The ZIP file adds its statements, and "
        "whether they hold as printed, its conditions, a longer paragraph and lines of Python. "
        "Seeds: 0 for the search over ranges; all else needs none."
    )


def json(about: Subject) -> str:
    """Return the study as JSON, with what was answered about it."""
    told = about.scope if about.scope != Scope() else None
    return codec.to_json(about.study, told)
