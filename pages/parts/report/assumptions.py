"""What a report rests on: scope answers, assumptions with their origin, statements used."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterator
from typing import TYPE_CHECKING

import rates
from pages.figures.chart import words
from pages.parts.frame import Text, scope_line
from pages.parts.report.html import Block, Link, Table
from rates import errata
from rates.statements import StoredVerdict, papers, statements, stored
from rates.study import QUESTIONS, Study, TransferStudy, matching, theory_for

if TYPE_CHECKING:
    from pages.parts.report.subject import Subject

PAGES = frozenset({"study", "fit", "plan"})
_MARKS = {True: "holds", False: "does not hold", None: "cannot be told"}
_OURS = "not stated: our range for “I don't know” (page Fit)"
_SAID = "stated on the page Fit"


def origin(study: Study) -> str:
    """Where the numbers of an example come from; empty for a study of the user's own."""
    preset = matching(study)
    return f"Example “{words.md(preset.title)}”. {words.md(preset.provenance)}" if preset else ""


def scope(about: Subject) -> Iterator[Block]:
    """The questions with their answers, and what they break."""
    found = theory_for(about.study, about.scope)
    answers = {
        key: question.options.get(about.scope.answer(key) or "", "not answered")
        for key, question in QUESTIONS.items()
    }
    if about.scope.prevalence and about.scope.answer("prevalence") == "differs":
        low, high = about.scope.prevalence
        answers["prevalence"] += f": {words.percent(low)} to {words.percent(high)}"
    yield Text(scope_line.sentence(found, about.scope))
    columns = {
        "Question": [q.text for q in QUESTIONS.values()],
        "Answer": list(answers.values()),
        "Assumption behind it": [q.assumption for q in QUESTIONS.values()],
    }
    yield Table(columns, "Questions on scope", "scope")
    for item in found.broken:
        yield Text(
            f"Broken: **{words.md(item.assumption)}.** {words.md(item.text)} "
            f"({words.md(item.source)})"
        )
    for text in found.contradictions.values():
        yield Text(f"This does not go together: {words.md(text)}")


def assumptions(about: Subject) -> Iterator[Block]:
    """Every parameter with its value, its range and its origin; then the theorem's conditions."""
    titles = (
        "Assumption",
        "Value in the study",
        "Range considered",
        "Where the range comes from",
    )
    columns = dict(zip(titles, zip(*_parameters(about), strict=True), strict=True))
    yield Table(columns, "Parameters that nobody knows exactly", "assumptions")
    yield Text(
        "Values in the study were chosen on the page Study; records, budgets, δ and "
        "the number of measurements are taken as given."
    )
    notes = rates.solve(about.study).notes
    conditions = {
        "Condition": [note.text for note in notes],
        "Here": [_MARKS[note.holds] for note in notes],
        "Asked for by": [note.source for note in notes],
    }
    yield Table(conditions, "What the theorem asks for, with this study's numbers", "conditions")


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
    if isinstance(study, TransferStudy):
        given = dict(said.signal)
        rows += [
            (f"Signal γ of {s.name}", s.signal_exponent, given.get(s.name), box and box.signal[k])
            for k, s in enumerate(study.sources, start=1)
        ]
    for title, value, own, over in rows:
        shown = words.between(*over) if over else "none"
        yield title, words.number(value), shown, _OURS if own is None else _SAID


def statements_used(study: Study, address: str) -> Iterator[Block]:
    """Every printed statement behind the answers, as printed and in our reading."""
    paper = "ACC" if isinstance(study, TransferStudy) else "CCV"
    mine = [s for s in statements() if s.paper == paper and PAGES & set(s.pages)]
    used = [s for s in mine if not s.withdrawn]
    found = [stored(item.paper)[item.id] for item in used]
    failing = sum(bool(item.category) for item in used)
    found_all = errata.headline(used)
    yield Text(
        f"{len(used)} statements of [{paper}] stand behind these answers. "
        f"{errata.stands(found_all)} {failing} entries do not hold as printed, and the answers use "
        f"our reading there: {errata.slips_said(found_all)} Draws are random parameter sets inside "
        "the hypotheses (seed 0)."
    )
    columns = {
        "Statement": [item.title for item in used],
        "Name": [item.id for item in used],
        "As printed": [pair[0].words for pair in found],
        "Our reading": [pair[-1].words if len(pair) > 1 else "as printed" for pair in found],
        "Draws": [_draws(pair[-1]) for pair in found],
    }
    yield Table(columns, f"Statements of [{paper}] used", "statements")
    keys = {"Key": [f"[{one.key}]" for one in papers()], "Paper": [one.cited for one in papers()]}
    yield Table(keys, "The papers behind the keys")
    if address:
        query = urllib.parse.urlencode({"paper": paper, "page": "study"})
        yield Link("Proofs, tests and counterexamples in the app", f"{address}/statements?{query}")


def _draws(verdict: StoredVerdict) -> str:
    return "none" if verdict.number is None else f"{verdict.number:,}"
