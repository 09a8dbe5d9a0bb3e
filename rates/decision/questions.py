"""Four questions of a planner, each decided by both answers together, or left undecided.

A site, a budget or a design is named only where the rate equation and the mechanism, with each of
its constants, name the same one. Sizes and budgets are planned with the mechanism.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rates.decision.look import MOVES, Look, budget_factor, looks, records_factor
from rates.plan import Unreachable, fraction_of_sample, needed
from rates.study import Study

Range = tuple[float, float]
FREE = 0.995  # kept part from which privacy costs nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class RunIt:
    """Whether joining is worth it, against the best site alone and against no privacy.

    Attributes:
        yes: Whether the study beats its best site by `MOVES` or more; None where the answers
            differ, or one is missing.
        best: The row of which one site alone is worth most; None where the answers differ.
        gain: The study over its best site alone, least and largest of all answers.
        gain_equation: The same by the rate equation.
        gain_mechanism: By the mechanism; nan where it is missing.
        worth: Effective records by the mechanism; by the equation where it is missing.
        kept: Part kept of no privacy by the mechanism; nan where it is missing.
        kept_equation: The same by the rate equation.
    """

    yes: bool | None
    best: int | None
    gain: Range
    gain_equation: float
    gain_mechanism: Range
    worth: Range
    kept: Range
    kept_equation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """Who carries the answer, and who moves it.

    Attributes:
        carrier: The row with the largest part by both answers; None where they differ.
        shares: Its part, least and largest of all answers; (nan, nan) without one.
        tops: Each answer's own carrier: by the equation, by the mechanism.
        surely: Rows that move the answer by `MOVES` or more by every answer.
        perhaps: Rows that do so by some answer.
    """

    carrier: int | None
    shares: Range
    tops: tuple[int, ...]
    surely: tuple[int, ...]
    perhaps: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WhichBudget:
    """Whose budget to raise.

    Attributes:
        site: The row where doubling the budget adds most by both answers; None where they differ
            or a doubled budget adds less than `MOVES`.
        tops: Each answer's own row: by the equation, by the mechanism; None without one.
        gain_equation: What doubling adds at the equation's row.
        gain_mechanism: What it adds at the mechanism's row, least and largest.
        enough: Budget from which more buys nothing there by the equation.
        nothing: Whether no doubling adds `MOVES` by any answer.
    """

    site: int | None
    tops: tuple[int | None, ...]
    gain_equation: float
    gain_mechanism: Range
    enough: float
    nothing: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HowMany:
    """What halves the distance to no privacy, by the mechanism with its middle constant.

    Attributes:
        goal: Effective records half way; nan where nothing is lost.
        budgets: Factor on every finite budget; inf where none is enough.
        records: Factor on the records of every site.
        site: The row of `WhichBudget.site` where its budget alone does it; None otherwise.
        epsilon: That budget.
    """

    goal: float
    budgets: float
    records: float
    site: int | None
    epsilon: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The four questions, decided or not.

    Attributes:
        study: The study.
        looks: What the answers say, the rate equation first; empty where nothing is learned.
        missing: Why there is no mechanism; empty where there is one.
        run: Run it?
        who: Who?
        budget: Which budget?
        many: How many?
    """

    study: Study
    looks: tuple[Look, ...]
    missing: str
    run: RunIt | None
    who: Who | None
    budget: WhichBudget | None
    many: HowMany | None


def decide(study: Study, risk: str | None = None) -> Decision:
    """Answer the four questions of a planner by both answers.

    Args:
        study: A study.
        risk: "integrated" (taken by default) or "pointwise" for a federated study.

    Returns:
        A decision; without records, where nothing is asked of the answers, every part is None.

    Raises:
        DomainError: The study has no such risk.

    Examples:
        By the equation the unprotected source is third, by the mechanism it carries the answer.

        >>> from rates.presets import preset
        >>> found = decide(preset("unprotected").study)
        >>> found.who.carrier, found.who.tops, found.run.yes
        (None, (2, 1), None)

    Source: [ACC] eq. (5); [CCV] eq. (6); `rates.calibrated` for the mechanism.
    """
    found = looks(study, risk)
    if not found:
        return Decision(
            study=study, looks=(), missing="", run=None, who=None, budget=None, many=None
        )
    named = found[1:]
    missing = ""
    if not named:
        lacking = [s.name for s in study.servers if s.private and s.delta is None]
        missing = ", ".join(lacking[:3]) + (" and others" if len(lacking) > 3 else "")
    budget = _budget(found)
    return Decision(
        study=study,
        looks=found,
        missing=missing,
        run=_run(study, found),
        who=_who(found),
        budget=budget,
        many=_many(study, named[len(named) // 2], budget.site) if named else None,
    )


def _ends(values: Iterable[float]) -> Range:
    held = list(values)
    return (min(held), max(held)) if held else (math.nan, math.nan)


def _agreed(found: Sequence[Look], of: Callable[[Look], int | None]) -> int | None:
    """What every answer says; None where they differ, or where there is one answer only."""
    said = {of(x) for x in found}
    return said.pop() if len(said) == 1 and len(found) > 1 else None


def _run(study: Study, found: tuple[Look, ...]) -> RunIt:
    gains = [x.worth / x.alone[x.best_alone] for x in found]
    alone = sum(s.count for s in study.servers if s.informative) == 1
    sides = {gain >= 1.0 + MOVES for gain in gains}
    decided = len(sides) == 1 and len(found) > 1 and not alone
    named = found[1:]
    return RunIt(
        yes=sides.pop() if decided else None,
        best=_agreed(found, lambda x: x.best_alone),
        gain=_ends(gains),
        gain_equation=gains[0],
        gain_mechanism=_ends(gains[1:]),
        worth=_ends(x.worth for x in named or found),
        kept=_ends(x.worth / x.free for x in named),
        kept_equation=found[0].worth / found[0].free,
    )


def _who(found: tuple[Look, ...]) -> Who:
    carrier = _agreed(found, lambda x: x.carrier)
    return Who(
        carrier=carrier,
        shares=_ends([] if carrier is None else [x.shares[carrier] for x in found]),
        tops=(found[0].carrier, *([found[len(found) // 2].carrier] if found[1:] else [])),
        surely=tuple(sorted(frozenset.intersection(*(x.movers for x in found)))),
        perhaps=tuple(sorted(frozenset.union(*(x.movers for x in found)))),
    )


def _budget(found: tuple[Look, ...]) -> WhichBudget:
    plain, named = found[0], found[1:]
    top = plain.best_budget
    tops = (top, *([named[len(named) // 2].best_budget] if named else []))
    gain = math.nan if top is None else plain.gains[top]
    theirs = tops[-1]
    bought = [math.nan] if not named or theirs is None else [look.gains[theirs] for look in named]
    site = _agreed(found, lambda x: x.best_budget)
    nothing = all(not g >= MOVES for g in (gain, *bought))
    return WhichBudget(
        site=None if not gain >= MOVES or not min(bought) >= MOVES else site,
        tops=tops,
        gain_equation=gain,
        gain_mechanism=_ends(bought),
        enough=math.nan if top is None else plain.enough[top],
        nothing=nothing,
    )


def _many(study: Study, look: Look, site: int | None) -> HowMany:
    if look.worth / look.free >= FREE:
        return HowMany(goal=math.nan, budgets=1.0, records=1.0, site=None, epsilon=math.nan)
    goal = 0.5 * (look.worth + look.free)
    epsilon, more = math.nan, goal / look.worth
    # A rate that does not feel the difference, or feels too much of it, asks for no budget.
    fraction = fraction_of_sample(study, more, look.lens.risk) if more < math.inf else 0.0
    if site is not None and 0.0 < fraction < 1.0:
        try:
            epsilon = needed(
                study, "epsilon", study.servers[site].name, fraction=fraction, lens=look.lens
            ).value
        except Unreachable:
            site = None
    else:
        site = None
    return HowMany(
        goal=goal,
        budgets=budget_factor(study, look.lens, goal),
        records=records_factor(study, look.lens, goal),
        site=site,
        epsilon=epsilon,
    )
