"""What a report rests on: what was told and assumed, scope answers, ranges, statements used."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterator
from typing import TYPE_CHECKING

import rates
from pages.charts import words
from pages.core import Address, Block, Table, Text
from pages.current import scope_line
from rates import errata
from rates.statements import StoredVerdict, papers, statements, stored
from rates.study import QUESTIONS, Study, TransferStudy, matching, theory_for

if TYPE_CHECKING:
    from pages.report.subject import Subject

PAGES = frozenset({"study", "fit", "plan"})
_MARKS = {True: "holds", False: "does not hold", None: "cannot be told"}
_OURS = "not stated: our range"
_SAID = "stated on the page Fit"
_MOST_OPEN = 4  # questions that are named


def origin(study: Study) -> str:
    """Where the numbers of an example come from; empty for a study of the user's own."""
    preset = matching(study)
    return f"Example “{words.md(preset.title)}”. {words.md(preset.provenance)}" if preset else ""


def by(about: Subject) -> str:
    """Who told what was told, where that is not the user."""
    return " by the example" if matching(about.study) else ""


def scope(about: Subject) -> Iterator[Block]:
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
        more = scope_line.listed(open_) if few else f"{len(open_)} of {len(QUESTIONS)} questions"
        yield Text(f"Not answered: {more}.")
    notes = rates.solve(about.study).notes
    if failing := [words.md(note.text.rstrip(".")) for note in notes if note.holds is False]:
        yield Text(f"The theorem's conditions do not all hold: {'; '.join(failing)}.")


def ranges(about: Subject) -> Iterator[Block]:
    """Every parameter that nobody knows exactly, with its value, its range and its origin."""
    titles = ("Assumption", "In the study", "Range considered", "Where the range comes from")
    columns = dict(zip(titles, zip(*_parameters(about), strict=True), strict=True))
    yield Table(columns, "Parameters that nobody knows exactly", "assumptions")


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
        yield title, words.number(value), shown, _OURS if own is None else _SAID


def conditions(study: Study) -> Iterator[Block]:
    """The conditions of the theorem, with the study's numbers."""
    notes = rates.solve(study).notes
    columns = {
        "Condition": [note.text for note in notes],
        "Here": [_MARKS[note.holds] for note in notes],
        "Asked for by": [note.source for note in notes],
    }
    yield Table(columns, "What the theorem asks for, with this study's numbers", "conditions")


def statements_used(study: Study, address: str) -> Iterator[Block]:
    """Every printed statement behind the answers, as printed and in our reading."""
    paper = _paper(study)
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
        yield Address(
            "Proofs, tests and counterexamples in the app", f"{address}/statements?{query}"
        )


def _paper(study: Study) -> str:
    return "ACC" if isinstance(study, TransferStudy) else "CCV"


def behind(study: Study) -> str:
    """Name the paper behind the answers."""
    paper = next(one for one in papers() if one.key == _paper(study))
    return f"[{paper.key}]: {paper.cited}"


def _draws(verdict: StoredVerdict) -> str:
    return "none" if verdict.number is None else f"{verdict.number:,}"
