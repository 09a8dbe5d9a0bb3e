"""What every site's epsilon promises: unit, neighbours, releases, and an attacker's edge."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from pages.charts import words
from pages.core import Block, Note, Table, Text
from pages.study import sites
from rates.study import Guarantee, Scope, Study, at_two_sites, guarantees

MOST_ROWS = 50
EXAMPLE = 2  # records of a person, where there are several and nobody has said how many


def records(scope: Scope) -> int:
    """Records per person, as far as said; 1 where nothing is said, an example for "several"."""
    if scope.answer("records") != "several":
        return 1
    return scope.records_per_person or EXAMPLE


def promises(study: Study, scope: Scope) -> Iterator[Block]:
    """Show what every site promises."""
    k = records(scope)
    rows = guarantees(study, k)
    yield Text(EDGE)
    yield Table(columns(rows[:MOST_ROWS], k), "What every site promises")
    if len(rows) > MOST_ROWS:
        yield Note(f"The first {MOST_ROWS} of {len(rows)} rows.")
    for text in sites.warnings(study.servers):
        yield Note(text, "warning")
    yield Text(terms(study, scope))
    yield from map(Text, more(study, scope, k))
    yield lambda: sites.delta_button("use_delta")


def columns(rows: Sequence[Guarantee], k: int) -> dict[str, list[str]]:
    """What every row promises, as columns of text; ``k`` records per person."""
    table = {
        "Site": [g.server.name for g in rows],
        "Budget ε": [_budget(g) for g in rows],
        "δ": [_delta(g) for g in rows],
        "Releases": [str(g.releases) for g in rows],
        "Edge, one record": [_edge(g, g.record_advantage) for g in rows],
    }
    if k > 1:
        table[f"ε of a person, {k} records"] = [
            "none" if math.isinf(g.person[0]) else words.number(g.person[0]) for g in rows
        ]
        table["Edge, one person"] = [_edge(g, g.person_advantage) for g in rows]
    return table


def more(study: Study, scope: Scope, k: int) -> Iterator[str]:
    """What several records, or people at two sites, do to the promise."""
    if k > 1:
        told = "" if scope.records_per_person else f" **{k} are an example**: nobody has told."
        yield (
            f"**Several records per person.**{told} Replacing all {k} records of one person "
            f"multiplies the odds {k} times: a person has {k} times ε, and δ grows by the factor "
            rf"$(e^{{{k}\varepsilon}} - 1)/(e^\varepsilon - 1)$."
        )
    if scope.answer("overlap") == "yes":
        yield f"**People at two sites.** {_two_sites(study, k)}"


def _two_sites(study: Study, k: int) -> str:
    """What a person at two sites has; every row stands for ``count`` sites."""
    found = at_two_sites(study, k)
    rest = any(s.informative and not s.private for s in study.servers)
    open_too = "For a person who is also at an unprotected site nothing is promised."
    if found is None:
        return open_too if rest else "No two sites here are protected, so nothing adds up."
    epsilon, delta = found
    each = f" with {k} records at each" if k > 1 else ""
    sums = f" and δ = {words.number(delta)}." if delta is not None else "; δ is not known."
    if delta is not None and delta >= 1.0:
        sums = ", but δ reaches 1, **so nothing is promised**."
    text = (
        "Their budgets add up, ε with ε and δ with δ: for a person at any two protected "
        f"sites{each} at most ε = **{words.number(epsilon)}**{sums}"
    )
    return f"{text} {open_too}" if rest else text


EDGE = (
    "An attacker knows everything but one record and must tell from a site's release which of "
    "two values it has. The **edge** is the most by which such an attacker does better than "
    "guessing: hits minus false alarms, in points of 100. It is "
    r"$(e^\varepsilon - 1 + 2\delta)/(e^\varepsilon + 1)$. "
    "0 is blind guessing, 100 is certainty."
)
TERMS = (
    "- **Unit**: one record of a site.\n"
    "- **Neighbours**: two data sets of the same size that differ in one record (one record "
    "replaced).\n"
    "- **Promise**: no event about the site's release changes its odds by more than a factor "
    r"$e^\varepsilon$, except on a scale of probability δ."
    "\n"
    "- **Releases**: each site releases one joint summary, once. Nothing else may be released from "
    "the same records under the same budget.\n"
)
_ADDING = {
    "no": "sites hold different people, so a record has the budget of its own site only.",
    "yes": "a person at two sites has the sum of both budgets, as said below.",
    None: "if sites hold different people, a record has the budget of its own site only; nobody "
    "has told.",
}


def terms(study: Study, scope: Scope) -> str:
    """What the words of the promise mean; sites add up as answered, a lone one not at all."""
    if sum(s.count for s in study.servers) == 1:
        return TERMS
    return f"{TERMS}- **Adding up**: {_ADDING[scope.answer('overlap')]}"


def _budget(row: Guarantee) -> str:
    if not row.server.private:
        return "unprotected" if row.server.informative else "nothing released"
    return words.number(row.server.epsilon)


def _delta(row: Guarantee) -> str:
    if not row.server.private:
        return "-"
    return "not stated" if row.server.delta is None else words.number(row.server.delta)


def _edge(row: Guarantee, advantage: float) -> str:
    if not row.server.private:
        return "100" if row.server.informative else "0"
    shown = "above 99.99" if advantage > 0.9999 else words.number(100 * advantage)
    return f"{shown} if δ were 0" if row.server.delta is None else shown
