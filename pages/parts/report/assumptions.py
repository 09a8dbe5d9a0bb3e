"""What a report rests on: scope answers, assumptions with their origin, statements used."""

from __future__ import annotations

import urllib.parse
from typing import TYPE_CHECKING

import rates
from pages.figures.chart import words
from pages.parts.frame import scope_line
from pages.parts.report.html import Block, Link, Table, Text
from rates.fit import Envelope
from rates.statements import REFUTED, Statement, StoredVerdict, statements, stored
from rates.study import QUESTIONS, Scope, Study, TransferStudy, matching, theory_for

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


def scope(about: Subject) -> tuple[Block, ...]:
    """The questions with their answers, and what they break."""
    found = theory_for(about.study, about.scope)
    answers = [
        question.options.get(about.scope.answer(key) or "", "not answered")
        for key, question in QUESTIONS.items()
    ]
    if about.scope.prevalence and about.scope.answer("prevalence") == "differs":
        low, high = about.scope.prevalence
        at = list(QUESTIONS).index("prevalence")
        answers[at] += f": {words.percent(low)} to {words.percent(high)}"
    blocks: list[Block] = [
        Text(markdown=scope_line.sentence(found, about.scope)),
        Table(
            columns={
                "Question": [q.text for q in QUESTIONS.values()],
                "Answer": answers,
                "Assumption behind it": [q.assumption for q in QUESTIONS.values()],
            },
            caption="Questions on scope",
            name="scope",
        ),
    ]
    for item in found.broken:
        blocks.append(
            Text(
                markdown=f"Broken: **{words.md(item.assumption)}.** {words.md(item.text)} "
                f"({words.md(item.source)})"
            )
        )
    for text in found.contradictions.values():
        blocks.append(Text(markdown=f"This does not go together: {words.md(text)}"))
    return tuple(blocks)


def assumptions(study: Study, said: Scope, found: Envelope | None) -> tuple[Block, ...]:
    """Every parameter with its value, its range and its origin; then the theorem's conditions."""
    rows = _parameters(study, said, found)
    notes = _conditions(study)
    return (
        Table(
            columns={
                "Assumption": [row[0] for row in rows],
                "Value in the study": [row[1] for row in rows],
                "Range considered": [row[2] for row in rows],
                "Where the range comes from": [row[3] for row in rows],
            },
            caption="Parameters that nobody knows exactly",
            name="assumptions",
        ),
        Text(
            markdown="Values in the study were chosen on the page Study; records, budgets, δ and "
            "the number of measurements are taken as given."
        ),
        Table(
            columns={
                "Condition": [note[0] for note in notes],
                "Here": [note[1] for note in notes],
                "Asked for by": [note[2] for note in notes],
            },
            caption="What the theorem asks for, with this study's numbers",
            name="conditions",
        ),
    )


def _parameters(
    study: Study, said: Scope, found: Envelope | None
) -> list[tuple[str, str, str, str]]:
    box = found.box if found else None

    def row(name: str, value: float, given: object, over: tuple[float, float] | None):  # type: ignore[no-untyped-def]
        shown = words.span(*map(words.number, over)) if over else "none"
        return name, words.number(value), shown, _SAID if given is not None else _OURS

    if not isinstance(study, TransferStudy):
        return [
            row("Smoothness α", study.smoothness, said.smoothness, box and box.smoothness),
            row(
                "Integrability p",
                study.integrability,
                said.integrability,
                box and box.integrability,
            ),
        ]
    rows = [
        row("Smoothness β", study.smoothness, said.smoothness, box and box.smoothness),
        row("Margin α", study.margin, said.margin, box and box.margin),
    ]
    given = dict(said.signal)
    for k, source in enumerate(study.sources, start=1):
        rows.append(
            row(
                f"Signal γ of {source.name}",
                source.signal_exponent,
                given.get(source.name),
                box.signal[k] if box else None,
            )
        )
    return rows


def _conditions(study: Study) -> list[tuple[str, str, str]]:
    return [(note.text, _MARKS[note.holds], note.source) for note in rates.solve(study).notes]


def statements_used(study: Study, address: str) -> tuple[Block, ...]:
    """Every printed statement behind the answers, as printed and in our reading."""
    paper = "ACC" if isinstance(study, TransferStudy) else "CCV"
    used = [s for s in statements() if s.paper == paper and PAGES & set(s.pages)]
    found = [_verdicts(item) for item in used]
    refuted = sum(pair[0].words == REFUTED for pair in found)
    text = (
        f"{len(used)} statements of [{paper}] stand behind these answers; {refuted} of them fail "
        "as printed, and the answers use our reading there. Draws are random parameter sets "
        "inside the hypotheses (seed 0)."
    )
    blocks: list[Block] = [
        Text(markdown=text),
        Table(
            columns={
                "Statement": [item.title for item in used],
                "Name": [item.id for item in used],
                "As printed": [pair[0].words for pair in found],
                "Our reading": [
                    pair[-1].words if len(pair) > 1 else "as printed" for pair in found
                ],
                "Draws": [_draws(pair[-1]) for pair in found],
            },
            caption=f"Statements of [{paper}] used",
            name="statements",
        ),
    ]
    if address:
        query = urllib.parse.urlencode({"paper": paper, "page": "study"})
        blocks.append(
            Link(
                label="Proofs, tests and counterexamples in the app",
                address=f"{address}/statements?{query}",
            )
        )
    return tuple(blocks)


def _verdicts(item: Statement) -> tuple[StoredVerdict, ...]:
    return stored(item.paper)[item.id]


def _draws(verdict: StoredVerdict) -> str:
    return "none" if verdict.number is None else f"{verdict.number:,}"
