"""The report about a study: one HTML file that works without a network, and files beside it."""

from __future__ import annotations

import io
import urllib.parse
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import rates
from pages.charts import budget, png, shares, words
from pages.core import Address, Block, Chapter, Code, File, Section, Table, Text, figure_card
from pages.core import address as link
from pages.core import html as report_html
from pages.current import state, takeaway
from pages.fit import guarantee as promises
from pages.fit import unknowns as fit_pictures
from pages.fit import words as fit_words
from pages.report import first
from pages.report.subject import Subject
from pages.study import sites, verdict, world
from rates import errata
from rates.fit import Spread
from rates.statements import papers, statements, stored
from rates.study import (
    QUESTIONS,
    Scope,
    Study,
    TransferStudy,
    codec,
    guarantees,
    matching,
    tables,
    theory_for,
)
from rates.version import PACKAGE

TITLE = "Is this study worth running?"
PAGES = frozenset({"study", "fit", "plan"})
LIMITS = (
    "- Rates hold up to constants and logarithms, for the worst problem of their kind: no sample "
    "size and no absolute risk follows.\n"
    "- Nothing looked at data: whether the assumptions hold has not been tested.\n"
    "- A budget speaks of one release per site, and of no other."
)
_CONDITIONS = "What the theorem asks for, with this study's numbers"
_STATED = ("Site", "Budget ε", "δ", "Releases")  # columns of a promise that say what is stated
_SWEPT = (
    "Circle: the equation sees no cost from here on. Diamond: the mechanism keeps half. More "
    "budget may help far beyond the circle."
)
_RELATE = (
    "The study as stated, every site with its budget. The equation leaves out every constant, the "
    "mechanism is one procedure with its own."
)
_MARKS = {True: "holds", False: "does not hold", None: "cannot be told"}
_MOST_OPEN = 4  # questions that are named
_NO_LETTERS = (
    "There are no PNG pictures here: what runs the app (a browser, or a machine without fonts) "
    "cannot write their words. The SVG pictures hold the same.\n"
)


# The study ------------------------------------------------------------------------------------


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
    whose = "patients of all sites alike" if about.alike else words.md(rows[0].name)
    yield Text(f"A classifier for {whose}." if transfer else "One common curve.")
    yield Table(columns, "Sites", "sites", tables.to_csv(study))
    notes = ["Edge: what an attacker gains, in points of 100; see Promise on the first page."]
    if any(s.informative and not s.private for s in rows):
        notes.append("“Unprotected”: in this calculation, not published.")
    if any(s.count > 1 for s in rows):
        notes.append("A row with a count stands for that many identical sites.")
    if preset := matching(study):
        notes.append(f"Example “{words.md(preset.title)}”. {words.md(preset.provenance)}")
    yield from map(Text, notes)


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
    return Table.of(titles, rows, alt="Counted in every way", name="costs")


def _over(name: str, ends: Spread) -> tuple[str, str, str, str]:
    return name, "–", f"× {fit_words.span(ends.cost)}", fit_words.share(ends.kept)


def _scope(about: Subject) -> Iterator[Block]:
    """What was answered, what is open, and what the answers break."""
    found = theory_for(about.study, about.scope)
    given = dict(about.scope.answers)
    answers = {key: QUESTIONS[key].options[answer] for key, answer in given.items()}
    if about.scope.prevalence and about.scope.answer("prevalence") == "differs":
        low, high = about.scope.prevalence
        answers["prevalence"] += f": {words.percent(low)} to {words.percent(high)}"
    if answers:
        about_ = {"About": [QUESTIONS[key].assumption for key in answers]}
        told = {"Answer": list(answers.values())}
        asked = {"Question": [QUESTIONS[key].text for key in answers]}
        whole = Table({**asked, **told, **about_}, "Questions on scope")
        yield Table({**about_, **told}, "Questions on scope", "scope", whole.csv)
    for item in found.broken:
        yield Text(
            f"Broken: **{words.md(item.assumption)}.** {words.md(item.text)} "
            f"({words.md(item.source)})"
        )
    for text in found.contradictions.values():
        yield Text(f"This does not go together: {words.md(text)}")
    settled = {item.assumption for item in found.broken}
    left = [QUESTIONS[key].assumption for key in QUESTIONS if key not in answers]
    if open_ := [text for text in left if text not in settled]:
        few = len(open_) <= _MOST_OPEN
        more = words.listed(open_) if few else f"{len(open_)} of {len(QUESTIONS)} questions"
        yield Text(f"Not answered: {more}.")
    notes = rates.solve(about.study).notes
    if failing := [words.md(note.text.rstrip(".")) for note in notes if note.holds is False]:
        yield Text(f"The theorem's conditions do not all hold: {'; '.join(failing)}.")


def _ranges(about: Subject) -> Iterator[Block]:
    found = about.found
    titles = ("Assumption", "In the study", "Range considered", "Where the range comes from")
    alt = "Parameters that nobody knows exactly"
    yield Table.of(titles, _parameters(about), alt=alt, name="assumptions")
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


def _parameters(about: Subject) -> Iterator[tuple[str, str, str, str]]:
    study, said, box = about.study, about.scope, about.found.box if about.found else None
    if isinstance(study, TransferStudy):
        letters = {"smoothness": "Smoothness β", "margin": "Margin α"}
    else:
        letters = {"smoothness": "Smoothness α", "integrability": "Integrability p"}
    rows = [
        (title, getattr(study, name), getattr(said, name), box and getattr(box, name))
        for name, title in letters.items()
    ]
    if isinstance(study, TransferStudy) and not about.alike:
        given = dict(said.signal)
        each = [
            (s.signal_exponent, given.get(s.name), box and box.signal[k])
            for k, s in enumerate(study.sources, start=1)
        ]
        if len(each) > 1 and len(set(each)) == 1:
            rows.append(("Signal γ of every other site", *each[0]))
        else:
            names = [f"Signal γ of {s.name}" for s in study.sources]
            rows += [(name, *one) for name, one in zip(names, each, strict=True)]
    for title, value, own, over in rows:
        shown = words.between(*over) if over else "none"
        origin = "not stated: our range" if own is None else "stated on the page Fit"
        yield title, words.number(value), shown, origin


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


def _again(about: Subject) -> Iterator[Block]:
    if not address(about):
        yield Text(
            "This study has no link (it is too long for one, or the app's address is "
            "not known). Save the JSON file and open it in the app."
        )
    yield File(json(about), "study.json", "application/json")
    yield Text(
        f"Theory: {words.md(_behind(about.study))} The ZIP file adds its statements, and "
        "whether they hold as printed, its conditions, a longer paragraph and lines of Python. "
        "Seeds: 0 for the search over ranges; all else needs none."
    )


def json(about: Subject) -> str:
    """Return the study as JSON, with what was answered about it."""
    told = about.scope if about.scope != Scope() else None
    return codec.to_json(about.study, told)


# Beside the report ----------------------------------------------------------------------------


def _conditions(about: Subject) -> Iterator[Block]:
    """The conditions of the theorem, with the study's numbers."""
    notes = rates.solve(about.study).notes
    rows = [(note.text, _MARKS[note.holds], note.source) for note in notes]
    titles = ("Condition", "Here", "Asked for by")
    yield Table.of(titles, rows, alt=_CONDITIONS, name="conditions")


def _statements(about: Subject) -> Iterator[Block]:
    """Every printed statement behind the answers, as printed and in our reading."""
    paper = _paper(about.study)
    mine = [s for s in statements() if s.paper == paper and PAGES & set(s.pages)]
    used = [s for s in mine if not s.withdrawn]
    found = [stored(item.paper)[item.id] for item in used]
    failed = sum(bool(item.category) for item in used)
    found_all = errata.headline(used)
    yield Text(
        f"{len(used)} statements of [{paper}] stand behind these answers. "
        f"{errata.stands(found_all)} {failed} entries do not hold as printed, and the answers use "
        f"our reading there: {errata.slips_said(found_all)} Draws are random parameter sets inside "
        "the hypotheses (seed 0)."
    )
    titles = ("Statement", "Name", "As printed", "Our reading", "Draws")
    rows = []
    for item, (printed, *ours) in zip(used, found, strict=True):
        draws = (printed, *ours)[-1].number
        reading = ours[-1].words if ours else "as printed"
        many = "none" if draws is None else f"{draws:,}"
        rows.append((item.title, item.id, printed.words, reading, many))
    yield Table.of(titles, rows, alt=f"Statements of [{paper}] used", name="statements")
    keys = [(f"[{one.key}]", one.cited) for one in papers()]
    yield Table.of(("Key", "Paper"), keys, alt="The papers behind the keys")
    if about.address:
        query = urllib.parse.urlencode({"paper": paper, "page": "study"})
        yield Address(
            "Proofs, tests and counterexamples in the app", f"{about.address}/statements?{query}"
        )


def _paper(study: Study) -> str:
    return "ACC" if isinstance(study, TransferStudy) else "CCV"


def _behind(study: Study) -> str:
    """Name the paper behind the answers."""
    paper = next(one for one in papers() if one.key == _paper(study))
    return f"[{paper.key}]: {paper.cited}"


def _more(about: Subject) -> Iterator[Block]:
    if about.found and (drawn := fit_pictures.of_unknowns(about.study, about.found)):
        yield drawn
    yield Table(_promised(about), "What every site promises", "privacy")


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


# Sections, in order ---------------------------------------------------------------------------

PARTS = (
    Section(id="study", title="The study", blocks=_study),
    Section(id="answers", title="What privacy costs", blocks=_both),
    Section(id="scope", title="Is the study covered?", blocks=_scope),
    Section(id="ranges", title="Answers over what is not known", blocks=_ranges),
    Section(id="privacy", title="What each site promises", blocks=_privacy),
    Section(id="protocol", title="Sentences for a protocol", blocks=_protocol),
    Section(id="limits", title=words.LIMITS, blocks=lambda about: (Text(LIMITS),)),
    Section(id="again", title="Open it again, compute it again", blocks=_again),
)
DOCUMENTS = (  # of their own, beside the report
    Section(id="conditions", title=_CONDITIONS, blocks=_conditions),
    Section(
        id="statements",
        title="Printed statements used here, and whether they hold",
        blocks=_statements,
    ),
)
TABLES = Section(id="more", title="What has files alone", blocks=_more)


def build(about: Subject, extra: Sequence[Chapter] = ()) -> str:
    """Return the report as one HTML document; `extra` follows the answers."""
    return report_html.document(TITLE, lead(about), sections(about, extra), dense=True)


def sections(about: Subject, extra: Sequence[Chapter] = ()) -> list[Chapter]:
    """Return the parts of a report in order; beside others, what is for a protocol is a file."""
    parts = [part.chapter(about) for part in PARTS if not (extra and part.id == "protocol")]
    return [*parts[:2], *extra, *parts[2:]]


def lead(about: Subject) -> tuple[Block, ...]:
    """Return the first page."""
    made = Text(f"Made on {about.date:%Y-%m-%d %H:%M} UTC with {PACKAGE} {version()}.")
    return (*first.page(about, address(about)), made)


def archive(
    about: Subject,
    extra: Sequence[Chapter] = (),
    documents: Mapping[str, Sequence[Chapter]] | None = None,
) -> bytes:
    """Return a ZIP file: the report, its tables as CSV, its figures as SVG and PNG, its texts.

    Args:
        about: What the report is about.
        extra: Sections of it besides its own.
        documents: Sections that stand in files of their own beside it, by name of the file.
    """
    beside = {part.id: [part.chapter(about)] for part in DOCUMENTS} | dict(documents or {})
    first_page = Chapter("first", TITLE, lead(about))
    parts = [first_page, *sections(about, extra), TABLES.chapter(about)]
    parts += [part for listed in beside.values() for part in listed]
    found = theory_for(about.study, about.scope)
    paragraph = fit_words.paragraph(found, about.scope, about.study, about.found, about.absolute)
    texts = {
        "report.html": build(about, extra),
        **{f"tables/{name}": text for name, text in report_html.tables(parts).items()},
        **{
            f"{name}.html": report_html.document(listed[0].title, (), listed)
            for name, listed in beside.items()
        },
        "protocol.txt": protocol(about),
        "paragraph.txt": paragraph,
        "study.json": json(about),
        "study.py": takeaway.lines(about.study),
    }
    drawings = {one.name: figure_card.to_svg(one) for one in report_html.pictures(parts)}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in texts.items():
            file.writestr(name, text)
        for name, drawing in drawings.items():
            file.writestr(f"figures/{name}.svg", drawing)
            if png.can_write():
                file.writestr(f"figures/{name}.png", png.png(drawing))
        if not png.can_write():
            file.writestr("figures/README.txt", _NO_LETTERS)
    return out.getvalue()
