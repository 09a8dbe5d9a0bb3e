"""What the fit page says: its answer, a paragraph for a protocol, what every ε promises."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from pages.charts import words
from pages.core import Block, Note, Table, Text
from pages.current import state
from pages.study import FREE, sites
from rates import study as studies
from rates.decision import Decision, sentences
from rates.fit import Effect, Envelope, Interval
from rates.study import Fit, Guarantee, Scope, Study, alike

_RAISED = {
    "classification": "avoidable errors",
    "integrated": "squared error over the whole curve",
    "pointwise": "squared error at one point",
}


def span(interval: Interval) -> str:
    """A range of factors."""
    return words.between(interval.low, interval.high)


def share(interval: Interval) -> str:
    """A range of fractions."""
    return words.between(interval.low, interval.high, words.percent)


def unknown(effect: Effect, *, transfer: bool) -> str:
    """Name what is not known, as plain text."""
    return {
        "smoothness": "the smoothness β" if transfer else "the smoothness α",
        "margin": "the margin α",
        "integrability": "the integrability p",
        "signals": "the signal γ of all sites together",
    }.get(effect.kind, f"the signal γ of {effect.name}")


def not_known(study: Study, result: Envelope) -> str:
    """Name, by their letters, what is not known; empty where everything is taken as stated."""
    ranges, transfer = result.box, study.target is not None
    open_ = {"α": [ranges.smoothness]}
    if transfer:
        open_ = {"β": [ranges.smoothness], "α": [ranges.margin], "γ": [*ranges.signal]}
    elif result.risk == "pointwise":  # the whole curve's error does not feel p
        open_["p"] = [ranges.integrability]
    letters = [letter for letter, spans in open_.items() if any(a < b for a, b in spans)]
    return words.listed(letters)


def most(study: Study, result: Envelope) -> str:
    """Say what moves the rate most by itself; empty if nothing does.

    The page, its figure, the paragraph and the report say it with these words.
    """
    if not result.moving:
        return ""
    name = unknown(result.moving[0], transfer=study.target is not None)
    return f"{name[0].upper()}{name[1:]} moves the rate most"


def answer(study: Study, result: Envelope) -> str:
    """Say what privacy costs over all that is not known."""
    letters = not_known(study, result)
    are = "are" if " and " in letters else "is"
    so = f", if {letters} {are} as unknown as stated" if letters else ", with nothing left open"
    text = f"How much privacy raises the {_RAISED[result.risk]}{so}: "
    text += (
        "the rate equation sees no cost, up to constants"
        if result.equation.cost.high < FREE
        else f"the rate equation says a factor of **{span(result.equation.cost)}**"
    )
    if result.mechanism:
        text += (
            f"; a named mechanism says a factor of **{span(result.mechanism.cost)}**, and keeps "
            f"**{share(result.mechanism.kept)}** of the sample's worth"
        )
    elif study.without_delta:
        text += "; a named mechanism needs every δ, which *What ε promises* offers"
    if not result.moving:
        return f"{text}."
    factor = words.number(math.exp(result.moving[0].log_range))
    return f"{text}. **{words.md(most(study, result))}**: by a factor of {factor}."


def title(result: Envelope) -> str:
    """What privacy costs over the ranges, by the answer with constants where there is one."""
    if result.mechanism:
        return f"Privacy costs a factor of {span(result.mechanism.cost)} over the ranges"
    if result.equation.cost.high < FREE:
        return "No cost of privacy is visible up to constants"
    cost = span(result.equation.cost)
    return f"Privacy costs a factor of {cost} over the ranges, up to constants"


# For a protocol -----------------------------------------------------------------------------------

_UNTESTED = (
    "These are worst cases over all problems of the stated kind, from which no sample size and no "
    "absolute risk follows, and whether the assumptions hold for the data has not been tested."
)


def paragraph(found: Fit, scope: Scope, study: Study, decided: Decision, absolute: str = "") -> str:
    """Return plain sentences for a protocol: what, which promise, covered or not, worth it.

    Args:
        found: What the answers say about the theories.
        scope: The answers.
        study: The sites.
        decided: Whether the study is worth running.
        absolute: What a calibration says of the risk; empty without one.
    """
    run = next((x.text for x in sentences(decided) if x.key == "run"), "nothing can be learned.")
    parts = (
        _sites(study, scope),
        promise(study),
        state.covered(found, scope).replace("**", ""),
        "It was looked at by a rate equation without constants and by one named mechanism with its "
        f"constants. The decision: {run}",
        _UNTESTED,
        absolute,
    )
    return " ".join(filter(None, parts))


def _sites(study: Study, scope: Scope) -> str:
    count = sum(s.count for s in study.servers)
    total = sum(s.n * s.count for s in study.servers)
    records = f"{count:,} {'site' if count == 1 else 'sites'} with {total:,} records in all"
    if study.target is None:
        return f"We plan to learn one common curve from {records}."
    variables = "one covariate" if study.dimension == 1 else f"{study.dimension} covariates"
    whose = f"the patients of {study.target.name}"
    if alike(study, scope):
        whose = "patients like those of every site, all sites being alike"
    return f"We plan to learn a yes-or-no prediction from {variables} for {whose}, from {records}."


def promise(study: Study) -> str:
    """What protected sites promise, what an attacker gains, and who promises nothing."""
    private = [s for s in study.servers if s.private]
    if not private:
        return "No site's records are protected in this calculation."
    delta, zero = "an unstated δ", " if δ were 0 where it is not stated"
    if not study.without_delta:
        delta, zero = f"δ = {words.extremes([s.delta or 0.0 for s in private])}", ""
    most = words.number(100 * max(studies.advantage(s.epsilon, s.delta or 0.0) for s in private))
    rest = sum(s.count for s in study.servers if not s.private)
    are = "site is" if rest == 1 else "sites are"
    others = f" {rest:,} {are} unprotected, or unused, in this calculation." if rest else ""
    return (
        "Each protected site makes one release that is differentially private with ε = "
        f"{words.extremes([s.epsilon for s in private])} and {delta} for the replacement of one of "
        "its records. An attacker who knows all other records and must tell two values of one "
        f"record apart does better than guessing by at most {most} points of 100{zero} (0 is blind "
        f"guessing, 100 certainty).{others}"
    )


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
    rows = studies.guarantees(study, k)
    yield Text(EDGE)
    yield Table(promise_columns(rows[:MOST_ROWS], k), "What every site promises")
    if len(rows) > MOST_ROWS:
        yield Note(f"The first {MOST_ROWS} of {len(rows)} rows.")
    for text in sites.warnings(study.servers):
        yield Note(text, "warning")
    yield Text(promise_terms(study, scope))
    yield from map(Text, adding_up(study, scope, k))
    yield lambda: sites.delta_button("use_delta")


def promise_columns(rows: Sequence[Guarantee], k: int) -> dict[str, list[str]]:
    """What every row promises, as columns of text; ``k`` records per person."""
    table = {
        "Site": [g.server.name for g in rows],
        "Budget ε": [_budget(g) for g in rows],
        "δ": [_delta(g) for g in rows],
        "Edge, one record": [_edge(g, g.record_advantage) for g in rows],
    }
    if k > 1:
        table[f"ε of a person, {k} records"] = [
            "none" if math.isinf(g.person[0]) else words.number(g.person[0]) for g in rows
        ]
        table["Edge, one person"] = [_edge(g, g.person_advantage) for g in rows]
    return table


def adding_up(study: Study, scope: Scope, k: int) -> Iterator[str]:
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
    found = studies.at_two_sites(study, k)
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


def promise_terms(study: Study, scope: Scope) -> str:
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
