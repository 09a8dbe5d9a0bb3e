"""The first page of a report: run it, for whom, against what, and what that assumes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from pages.charts import words
from pages.core import Address, Block, Table, Text
from pages.current import scope_line, state
from pages.fit import words as fit_words
from pages.report.subject import Subject
from pages.study import questions, verdict
from rates.answer import Lens, compare, solve_risk
from rates.decision import Decision, sentences, use_of
from rates.study import matching, theory_for

_NONE = "–"


def page(about: Subject, link: str) -> Iterator[Block]:
    """Return the blocks of the first page.

    Args:
        about: What the report is about.
        link: Where the app opens the study again; empty where that is not known.
    """
    found = about.decision
    said = {one.key: one for one in sentences(found)}
    yield Text(verdict.marked(said["run"]) if said else verdict.NOTHING)
    yield Text(_for_whom(about, found))
    if said:
        if found.users and not found.missing:
            yield Table(verdict.gains(found), "Who gains, against own records in house", "gains")
        rest = [verdict.marked(one) for key, one in said.items() if key != "run"]
        yield Text("\n\n".join(rest))
        yield alternatives(about, found)
    yield Text(_assumed(about, found))
    edge = fit_words.edge(about.study)
    scale = f"{edge} 0 is blind guessing, 100 certainty." if edge else ""
    yield Text(f"**Promise.** {words.md(f'{fit_words.promise(about.study)} {scale}')}")
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
    lens = Lens(risk=found.risk)
    worth = compare.alone(about.study, lens).tolist()
    alone = {s.name: x for s, x in zip(about.study.servers, worth, strict=True)}
    own = words.extremes([u.own for u in found.users] or [0.0])
    house = found.use == "target"
    rows = [
        ("Nothing: own records, in house" if found.users else "Nothing: no records", own, own),
        (
            "The study, own records in house" if house else "The study, every site as stated",
            _span(found.worth),
            words.number(found.equation),
        ),
    ]
    if sum(s.count for s in about.study.servers) > 1:
        published = state.decision(
            about.study, replace(about.scope, use="others", needed=None), found.risk
        )
        rows += [
            (f"{one.name} alone, as stated", _span(one.worth), words.number(alone[one.name]))
            for one in published.against
        ]
    free = words.number(solve_risk(about.study.unprotected(), lens).effective_n)
    rows.append(("The study without privacy", _span(found.free), free))
    titles = ("Design", "Effective records", "At best, up to a constant")
    return Table.of(titles, rows, alt="Against doing nothing", name="alternatives")


def _span(ends: tuple[float, float]) -> str:
    return _NONE if math.isnan(ends[0]) else words.between(*ends)


def _assumed(about: Subject, found: Decision) -> str:
    """What was told, what is assumed, and whether a theory covers it, in a paragraph."""
    scope = scope_line.sentence(theory_for(about.study, about.scope), about.scope)
    taken = questions.taken(about.study, about.scope, found)
    told = [one.text for one in taken if one.told]
    assumed = [one.text for one in taken if not one.told]
    by = " by the example" if matching(about.study) else ""
    parts = [f"**Told**{by}: {'; '.join(told)}."] if told else []
    parts += [f"**Assumed**, as nobody told: {'; '.join(assumed)}."] if assumed else []
    return " ".join([*parts, scope])
