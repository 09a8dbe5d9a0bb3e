"""The report about a study: one HTML file that works without a network, and files beside it.

First what it is about, then its first page (run it, for whom, against what, and what that assumes),
its sections in order, and the files.
"""

from __future__ import annotations

import datetime
import io
import math
import urllib.parse
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import rates
from pages import core
from pages.charts import Figure, curves, png, shares, words
from pages.core import Address, Block, Chapter, Section, Table, Text
from pages.current import state, takeaway
from pages.fit import rivals, unknowns
from pages.fit import words as fit_words
from pages.study import questions, sites, verdict
from rates.answer import Cost
from rates.decision import Decision, sentences, use_of
from rates.fit import SEARCHED, Envelope, strictest
from rates.ledger import Paper, entries, papers, verdicts
from rates.rows import to_csv
from rates.study import PARAMETERS, QUESTIONS, Scope, Study, codec, guarantees, matching, theory_for
from rates.version import PACKAGE
from sims import budgets


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a report is about.

    Attributes:
        study: The study.
        scope: What is said about it besides its sites.
        cost: Both answers for the error that verdicts.
        found: Both answers over ranges; None where there are none.
        refusal: Why there are none; empty otherwise.
        address: Where the app runs, without a page; empty where that is not known.
        query: What a link says after the page: the study, and what a page adds; may be empty.
        page: The page that the link opens.
        absolute: What a calibration says of the risk, plain; empty without one.
        date: When it was made.
    """

    study: Study
    scope: Scope
    cost: Cost
    found: Envelope | None
    refusal: str
    address: str = ""
    query: str = ""
    page: str = "study"
    absolute: str = ""
    date: datetime.datetime

    @property
    def decision(self) -> Decision:
        """Whether the study is worth running, for those who use its result."""
        return state.decision(self.study, self.scope, self.cost.risk)

    @property
    def alike(self) -> bool:
        """Whether it is for the patients of all sites alike, so that no site is the target."""
        return rivals.for_everyone(self.study, self.scope)

    @property
    def paper(self) -> Paper:
        """The paper behind the answers."""
        key = self.study.paper
        return next(one for one in papers() if one.key == key)


def subject(study: Study, scope: Scope, cost: Cost, **more: object) -> Subject:
    """Gather what a report is about; `more` goes into the record as it is."""
    found, refusal = ranges_of(study, scope, cost.risk)
    # A test says its own.
    more.setdefault("date", datetime.datetime.now(datetime.UTC))
    return Subject(study=study, scope=scope, cost=cost, found=found, refusal=refusal, **more)  # type: ignore[arg-type]


MOST_ROWS = budgets.REPORT_ROWS


def ranges_of(study: Study, scope: Scope, risk: str) -> tuple[Envelope | None, str]:
    """Return both answers over ranges, or why there are none; only where that takes seconds."""
    if len(study.servers) > MOST_ROWS:
        return None, (
            f"with more than {MOST_ROWS} rows it takes longer, and is left to *Does it apply?*."
        )
    return unknowns.of(study, scope, risk)


# The first page -------------------------------------------------------------------------------

_NONE = "–"


def first_page(about: Subject, link: str) -> Iterator[Block]:
    """Return the blocks of the first page.

    Args:
        about: What the report is about.
        link: Where the app opens the study again; empty where that is not known.
    """
    found = about.decision
    said = {one.key: one for one in sentences(found)}
    # The decision first: it is what one opens the file for.
    yield Text(verdict.marked(said["run"]) if said else verdict.NOTHING)
    yield Text(_for_whom(about, found))
    if said:
        if found.users and not found.missing:
            yield Table(verdict.gains(found), "Who gains, against own records in house", "gains")
        rest = [verdict.marked(one) for key, one in said.items() if key != "run"]
        yield Text("\n\n".join(rest))
        yield alternatives(about, found)
    yield Text(_assumed(about, found))
    yield Text(f"**Promise.** {words.md(fit_words.promise(about.study))}")
    if said:
        yield Text(f"**Effective records.** {said['run'].help}")
    if link:
        yield Address("Open this study in the app", link)


def _for_whom(about: Subject, found: Decision) -> str:
    """Who uses the result, and what they have without it."""
    study = about.study
    own = words.number(study.servers[0].n)
    whom, what = {
        "target": (
            f"{words.md(study.servers[0].name)}, in house",
            f"its own {own} records without noise",
        ),
        "each": ("each site itself, its patients alike", "its own records without noise"),
        "others": ("others, who have no records", "nothing, and the best site alone"),
    }[found.use]
    text = f"**For** {whom}. **Against** {what}."
    if found.needed is not None:
        text += f" **Needed**: {words.number(found.needed)} effective records."
    elif found.use == "others":
        text += " How many records would do was not told: so there is neither a yes nor a no."
    _, refusal = use_of(study, about.scope)
    return f"{text} {words.md(refusal)}" if refusal else text


def alternatives(about: Subject, found: Decision) -> Table:
    """What else one could do: nothing, one site alone, or the same without privacy."""
    own = words.extremes([u.own for u in found.users] or [0.0])
    house = found.use == "target"
    who = strictest(about.study)
    beside = rivals.found(about.study, found.risk, who, everyone=about.alike)
    designs = {one.kind: one for one in beside}
    rows = [
        ("Nothing: own records, in house" if found.users else "Nothing: no records", own, own),
        (
            "The study, own records in house" if house else "The study, every site as stated",
            _span(found.worth),
            words.number(found.equation),
        ),
    ]
    kinds = {"unprotected": "The study without privacy"}
    if sum(s.count for s in about.study.servers) > 1:
        best = words.names(rivals.sites_of(designs["alone"]))
        kinds = {"alone": f"{best} alone, as stated"} | kinds
    for kind, title in kinds.items():
        one = designs[kind]
        named = words.between(*rivals.worth(one.mechanism)) if one.mechanism else _NONE
        rows.append((title, named, words.number(one.equation[0].effective_n)))
    titles = ("Design", "Effective records", "At best, up to a constant")
    return Table.of(titles, rows, alt="Against doing nothing", name="alternatives")


def _span(ends: tuple[float, float]) -> str:
    return _NONE if math.isnan(ends[0]) else words.between(*ends)


def _assumed(about: Subject, found: Decision) -> str:
    """What was told, what is assumed, and whether a theory covers it, in a paragraph."""
    scope = state.covered(theory_for(about.study, about.scope), about.scope)
    taken = questions.taken(about.study, about.scope, found)
    told = [one.text for one in taken if one.told]
    assumed = [one.text for one in taken if not one.told]
    by = " by the example" if matching(about.study) else ""
    parts = [f"**Told**{by}: {'; '.join(told)}."] if told else []
    parts += [f"**Assumed**, as nobody told: {'; '.join(assumed)}."] if assumed else []
    return " ".join([*parts, scope])


TITLE = "Is this study worth running?"
PAGES = frozenset({"study", "fit", "plan"})
_CONDITIONS = "What the theorem asks for, with this study's numbers"
_SWEPT = (
    "Circle: the equation sees no cost from here on. Diamond: the mechanism keeps half. More "
    "budget may help far beyond the circle."
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
    transfer = study.kind == "transfer"
    columns = {"Site": [s.name for s in rows]}
    if not about.alike:
        columns["Role"] = ["target" if k == 0 else "source" for k in range(len(rows))]
    columns["Records n"] = [f"{s.n:,}" for s in rows]
    if transfer and not about.alike:
        columns["Signal γ"] = [f"{s.signal_exponent:g}" for s in rows]
    if any(s.count > 1 for s in rows):
        columns["Count"] = [f"{s.count:,}" for s in rows]
    k = fit_words.records(about.scope)
    columns |= fit_words.promise_columns(guarantees(study, k), k)
    whose = "patients of all sites alike" if about.alike else words.md(rows[0].name)
    yield Text(f"A classifier for {whose}." if transfer else "One common curve.")
    yield Table(columns, "Sites", "sites", to_csv(study))
    notes = ["Edge: what an attacker gains, in points of 100; see Promise on the first page."]
    if any(s.informative and not s.private for s in rows):
        notes.append("“Unprotected”: in this calculation, not published.")
    if any(s.count > 1 for s in rows):
        notes.append("A row with a count stands for that many identical sites.")
    if preset := matching(study):
        notes.append(f"Example “{words.md(preset.title)}”. {words.md(preset.provenance)}")
    yield from map(Text, notes)


def _both(about: Subject) -> Iterator[Block]:
    cost, study, equation = about.cost, about.study, about.cost.equation
    yield _costs(about)
    yield Text("The study as stated, every site with its budget.")
    if told := verdict.in_a_world(study, cost.risk, about.decision.use)[0]:
        yield Text(told)
    if cost.mechanism:
        yield Text(f"Named {words.md(cost.scale)}.")
    else:
        yield Text(f"No named mechanism: {words.md(str(cost.missing))}")
    if about.absolute:
        yield Text(f"**After a calibration.** {words.md(about.absolute)}")
    if any(equation.answer.shares):
        yield shares.of_study(study, cost, alike=about.alike)
        if swept := curves.of_study(study, state.sweep(study, cost.risk, state.FACTORS)):
            yield replace(swept, caption=_SWEPT)


def _costs(about: Subject) -> Table:
    """What privacy costs, by both answers."""
    cost, equation = about.cost, about.cost.equation
    rows = [
        (
            "Rate equation, no constants",
            words.number(equation.answer.effective_n),
            f"× {words.number(equation.rate_ratio)}",
            words.percent(equation.kept),
        )
    ]
    if cost.mechanism:
        worth, ratio = verdict.worth_range(cost), verdict.ratio_range(cost)
        rows.append(("Named mechanism", worth, f"× {ratio}", verdict.kept_range(cost)))
    titles = ("Counted by", "Effective records", "Error against no privacy", "Records' worth kept")
    return Table.of(titles, rows, alt="Counted by both answers", name="costs")


def _scope(about: Subject) -> Iterator[Block]:
    """What was answered, what is open, and what the answers break."""
    found = theory_for(about.study, about.scope)
    answers = {key: QUESTIONS[key].options[answer] for key, answer in about.scope.answers}
    if about.scope.prevalence and about.scope.answer("prevalence") == "differs":
        answers["prevalence"] += f": {words.between(*about.scope.prevalence, words.percent)}"
    if answers:
        rows = [(QUESTIONS[key].assumption, told) for key, told in answers.items()]
        yield Table.of(("About", "Answer"), rows, alt="Questions on scope", name="scope")
    for item in found.broken:
        assumption, text, source = map(words.md, (item.assumption, item.text, item.source))
        yield Text(f"Broken: **{assumption}.** {text} ({source})")
    for text in found.contradictions.values():
        yield Text(f"This does not go together: {words.md(text)}")
    if left := [QUESTIONS[key].assumption for key in found.unknown]:
        # A long list of open questions hides the answered ones.
        few = len(left) <= _MOST_OPEN
        more = words.listed(left) if few else f"{len(left)} of {len(QUESTIONS)} questions"
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
    yield from unknowns.answer(about.study, about.scope, found)
    yield Text(
        f"Ends of the rate: {found.evidence}; of the other two: "
        f"{SEARCHED}, that none lies beyond is not proved."
    )


def _parameters(about: Subject) -> Iterator[tuple[str, str, str, str]]:
    study, said, box = about.study, about.scope, about.found.box if about.found else None
    rows = [
        (title, getattr(study, name := one.name), getattr(said, name), box and getattr(box, name))
        for one, title in questions.CONTROLS[study.kind]
        if one.name in PARAMETERS[study.kind]
    ]
    if study.target is not None and not about.alike:
        given = dict(said.signal)
        rows += [
            (f"Signal γ of {s.name}", s.signal_exponent, given.get(s.name), box and box.signal[k])
            for k, s in enumerate(study.sources, start=1)
        ]
    for title, value, own, over in rows:
        shown = words.between(*over) if over else "none"
        origin = "not stated: our range" if own is None else "stated under Does it apply?"
        yield title, words.number(value), shown, origin


def _privacy(about: Subject) -> Iterator[Block]:
    yield Text(fit_words.promise_terms(about.study, about.scope))
    yield from map(Text, sites.warnings(about.study.servers))
    yield from map(
        Text, fit_words.adding_up(about.study, about.scope, fit_words.records(about.scope))
    )


def protocol(about: Subject) -> str:
    """Return plain sentences for a protocol."""
    found = theory_for(about.study, about.scope)
    return fit_words.paragraph(found, about.scope, about.study, about.decision, about.absolute)


def _again(about: Subject) -> Iterator[Block]:
    if not address(about):
        yield Text(
            "This study has no link (it is too long for one, or the app's address is "
            "not known). Save the JSON file and open it in the app."
        )
    yield core.File(json(about), "study.json")
    yield Text(
        f"Theory: [{about.paper.key}]: {words.md(about.paper.cited)} The ZIP file adds its "
        "statements, and whether they hold as printed, its conditions, sentences for a protocol "
        "and lines of Python."
    )


def json(about: Subject) -> str:
    """Return the study as JSON, with what was answered about it."""
    return codec.to_json(about.study, about.scope if about.scope != Scope() else None)


# Beside the report ----------------------------------------------------------------------------


def _conditions(about: Subject) -> Iterator[Block]:
    """The conditions of the theorem, with the study's numbers."""
    notes = rates.solve(about.study).notes
    # Conditions that cannot be told stay in sight: silence would read as yes.
    rows = [(note.text, _MARKS[note.holds], note.source) for note in notes]
    titles = ("Condition", "Here", "Asked for by")
    yield Table.of(titles, rows, alt=_CONDITIONS, name="conditions")


def _statements(about: Subject) -> Iterator[Block]:
    """Every printed statement behind the answers, as printed and in our reading."""
    key = about.paper.key
    used = [
        one
        for one in entries()
        if one.paper == key and PAGES & set(one.pages) and not one.withdrawn
    ]
    yield Text(
        f"{len(used)} statements of [{key}] stand behind these answers. {verdicts.headline(used)} "
        f"{sum(bool(one.category) for one in used)} of them do not hold as printed, and the "
        f"answers use our reading there: {verdicts.slips(used)} Draws are random parameter sets "
        "inside the conditions (seed 0)."
    )
    rows = []
    for one in used:
        found = verdicts.stored()[one.id]
        draws, _ = found.draws.get(one.used, (0, 0))
        reading = found.reading or "as printed"
        rows.append((one.title, one.id, found.printed, reading, f"{draws:,}" if draws else "none"))
    titles = ("Statement", "Name", "As printed", "Our reading", "Draws")
    yield Table.of(titles, rows, alt=f"Statements of [{key}] used", name="statements")
    keys = [(f"[{one.key}]", one.cited) for one in papers()]
    yield Table.of(("Key", "Paper"), keys, alt="The papers behind the keys")
    if about.address:
        query = urllib.parse.urlencode({"paper": key, "page": "study"})
        label = "Reasons, tests and examples in the app"
        yield Address(label, f"{about.address}/statements?{query}")


def address(about: Subject) -> str:
    """Return the link that opens the study again; empty where there is none.

    It says which version made it; another version that opens it says so.
    """
    if not (about.address and about.query):
        return ""
    made = urllib.parse.urlencode({core.address.MADE: rates.__version__})
    return f"{about.address}/{about.page}?{about.query}&{made}"


# Sections, in order ---------------------------------------------------------------------------

PARTS = (
    Section(id="study", title="The study", blocks=_study),
    Section(id="answers", title="What privacy costs", blocks=_both),
    Section(id="scope", title="Is the study covered?", blocks=_scope),
    Section(id="ranges", title="Answers over what is not known", blocks=_ranges),
    Section(id="privacy", title="What each site promises", blocks=_privacy),
    Section(
        id="limits",
        title=words.LIMITS,
        blocks=lambda about: [Text(verdict.limits(about.cost.risk))],
    ),
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


def build(about: Subject, extra: Sequence[Chapter] = ()) -> str:
    """Return the report as one HTML document; `extra` follows the answers."""
    return core.document(TITLE, lead(about), sections(about, extra), dense=True)


def sections(about: Subject, extra: Sequence[Chapter] = ()) -> list[Chapter]:
    """Return the parts of a report in order."""
    parts = [part.chapter(about) for part in PARTS]
    # After the answers, before what they rest on.
    return [*parts[:2], *extra, *parts[2:]]


def lead(about: Subject) -> tuple[Block, ...]:
    """Return the first page."""
    made = f"Made on {about.date:%Y-%m-%d %H:%M} UTC with {PACKAGE} {rates.__version__}."
    return (*first_page(about, address(about)), Text(made))


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
    # What the report is too short for, but somebody will ask.
    beside = {part.id: [part.chapter(about)] for part in DOCUMENTS} | dict(documents or {})
    parts = [Chapter("first", TITLE, lead(about)), *sections(about, extra)]
    parts += [part for listed in beside.values() for part in listed]
    files: dict[str, str | bytes] = {
        "report.html": build(about, extra),
        "protocol.txt": protocol(about),
        "study.json": json(about),
        "study.py": takeaway.lines(about.study),
    }
    for name, listed in beside.items():
        files[f"{name}.html"] = core.document(listed[0].title, (), listed)
    for block in (block for part in parts for block in part.blocks):
        if isinstance(block, Table) and block.name:
            files[f"tables/{block.name}.csv"] = block.csv
        elif isinstance(block, Figure):
            drawing = core.figure_card.to_svg(block)
            files[f"figures/{block.name}.svg"] = drawing
            if png.can_write():
                files[f"figures/{block.name}.png"] = png.png(drawing)
    if not png.can_write():
        files["figures/README.txt"] = _NO_LETTERS
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, held in files.items():
            file.writestr(name, held)
    return out.getvalue()
