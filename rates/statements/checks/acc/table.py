"""Checks of [ACC] Table 1, cell by cell in both readings, and of the text around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rates.ledger.functions.laws import spread
from rates.phases import homogeneous, intervals, table_one
from rates.statements.checks.acc.draws import corollary, enough, four_terms, keep
from rates.statements.checks.acc.homogeneous import engine
from rates.statements.checks.base import Array, Check, Draws, Form, pick

Row = Literal["low", "middle", "high"]
Gap = Callable[[Draws, Form], Array]
UNIT = "in log r (times β(1+α) for the log of the rate) between the named term and the rate (4)"
SIDE = "is 1 where another side decides"


def ends_by_hand(draws: Draws) -> tuple[Array, Array, Array, Array]:
    """Return log eps1, eps2, eps3 and gamma* by hand."""
    n, m, n0, g, b, d = pick(draws, "n m n0 gamma beta d")
    first = np.minimum(-np.log(np.sqrt(m) * n), -np.log(n0))
    second = -b / (2 * b + d) * np.log(n0)
    third = (d / 2 * np.log(m) - b * g * np.log(n)) / (2 * b * g + d)
    star = ((2 * b + d) * np.log(m * n) / np.log(n0) - d) / (2 * b)
    return first, second, third, star


def _in_row(generator: np.random.Generator, row: Row, number: int) -> dict[str, Array]:
    draws = corollary(generator, number)
    star = ends_by_hand(draws)[3]
    part = generator.uniform(0, 1, number)
    low = {"low": np.full_like(star, 0.2), "middle": np.ones_like(star), "high": star}[row]
    high = {"low": np.ones_like(star), "middle": star, "high": star + 2}[row]
    draws["gamma"] = low + (high - low) * part
    return draws


def in_cell(row: Row, column: int) -> Callable[[np.random.Generator, int], Draws]:
    """Return draws inside one cell of the table; column 5 is the merged (eps2, 1] of row 3."""

    def draw(generator: np.random.Generator, number: int) -> Draws:
        size = enough(number, 6)
        draws = _in_row(generator, row, size)
        first, second, third, _ = ends_by_hand(draws)
        one = np.zeros_like(first)
        low = [first - 5, first, second, third, second][column - 1]
        high = np.minimum([first, second, third, one, one][column - 1], 0)
        draws["epsilon"] = np.exp(low + (high - low) * generator.uniform(0, 1, size))
        return keep(draws, high > low, number)

    return draw


def _whole(generator: np.random.Generator, number: int) -> dict[str, Array]:
    rows: list[Row] = ["low", "middle", "high"]
    share = -(-number // 3)
    parts = [_in_row(generator, row, share) for row in rows]
    draws = {name: np.concatenate([part[name] for part in parts])[:number] for name in parts[0]}
    first = ends_by_hand(draws)[0]
    return draws | {"epsilon": np.exp((first - 2) * generator.uniform(0, 1, number))}


def _first_column(generator: np.random.Generator, number: int) -> Draws:
    draws = _whole(generator, number)
    part = generator.uniform(0, 1, number)
    return draws | {"epsilon": np.exp(ends_by_hand(draws)[0] - 5 * part)}


def distance(draws: Draws, codes: NDArray[Any], log_ratio: Array | float = 0.0) -> Array:
    """Return how far the named terms, and their sides, are from the rate (4), by hand."""
    npt, pt, nps, ps = four_terms(draws, np.log(draws["epsilon"]), log_ratio)
    target, sources = np.maximum(npt, pt), np.maximum(nps, ps)
    one = np.zeros_like(npt)
    rate = np.minimum(one, np.minimum(target, sources))
    value = np.choose(codes, [one, pt, npt, ps, nps])
    side = np.choose(codes, [one, target, target, sources, sources])
    return np.asarray(np.maximum(np.abs(value - rate), np.abs(side - rate)))


def _cell(reading: table_one.Reading) -> Gap:
    """Measure a reading of the table where the form is the printed one, else the corrected."""

    def gap(draws: Draws, form: Form) -> Array:
        used: table_one.Reading = reading if form == "printed" else "corrected"
        codes = table_one.table_codes(engine(draws), np.log(draws["epsilon"]), used, True)
        return distance(draws, codes)

    return gap


def _governing(draws: Draws, form: Form) -> Array:
    return distance(draws, homogeneous.codes_at(engine(draws), np.log(draws["epsilon"])))


def _named(name: str) -> Gap:
    """Test a sentence that names one term; our reading is the corrected cell."""
    ours = _cell("corrected")

    def gap(draws: Draws, form: Form) -> Array:
        if form == "reading":
            return ours(draws, form)
        code = np.full(draws["n"].shape, homogeneous.LABELS.index(name))
        return distance(draws, code)

    return gap


def _at_one(generator: np.random.Generator, number: int) -> Draws:
    size = enough(number, 2)
    draws = corollary(generator, size) | {"gamma": np.ones(size)}
    first, second, _, _ = ends_by_hand(draws)
    part = generator.uniform(0, 1, size)
    draws["epsilon"] = np.exp(first + (second - first) * part)
    return keep(draws, second > first, number)


def _hole_at_one(generator: np.random.Generator, number: int) -> Draws:
    """Draw gamma = 1 and a budget in (eps2, eps3], where row 1 has no cell of its own."""
    size = enough(number, 3)
    draws = corollary(generator, size) | {"gamma": np.ones(size)}
    _, second, third, _ = ends_by_hand(draws)
    high = np.minimum(third, 0)
    draws["epsilon"] = np.exp(second + (high - second) * generator.uniform(0, 1, size))
    return keep(draws, high > second, number)


def _alternations(draws: Draws, form: Form) -> Array:
    """Count how often the deciding side changes: at most T, S for gamma <= 1, else S, T, S."""
    codes = intervals(engine(draws), -np.inf, 0.0)[1]
    side = np.where(codes == 0, 0, np.where(codes <= 2, 1, 2))
    # "1" comes first only; carry the first real side back over it.
    for k in range(side.shape[1] - 2, -1, -1):
        side[:, k] = np.where(side[:, k] == 0, side[:, k + 1], side[:, k])
    changes = (side[:, 1:] != side[:, :-1]).sum(axis=1)
    small = draws["gamma"] <= 1
    most, first = np.where(small, 1, 2), np.where(small, 1, 2)
    good = (changes < most) | ((changes == most) & (side[:, 0] == first))
    return np.where(good, 0.0, 1.0)


def _re_entrant(generator: np.random.Generator, number: int) -> Draws:
    draws = _in_row(generator, "middle", enough(number, 30))
    n, m, n0, g, b, d = pick(draws, "n m n0 gamma beta d")
    first, second, third, _ = ends_by_hand(draws)
    log_s = np.log(np.sqrt(m) * n)
    late = (b * g + d) / (2 * b + d) * np.log(n0) - log_s
    slack = 1e-3
    good = (np.log(n0) < log_s - slack) & (late > second + slack) & (late < -slack)
    return keep(draws, good & (late < third - slack) & (first < second), number)


def _not_contiguous(draws: Draws, form: Form) -> Array:
    n, m, n0, g, b, d = pick(draws, "n m n0 gamma beta d")
    first, second, third, _ = ends_by_hand(draws)
    log_s = np.log(np.sqrt(m) * n)
    eleven = ((b + d) * log_s - (b * g + d) * np.log(n0)) / (b * (g - 1))
    late = (b * g + d) / (2 * b + d) * np.log(n0) - log_s
    points = [(first + eleven) / 2, (second + late) / 2, (late + np.minimum(third, 0)) / 2]
    return _sides(draws, points, "STS")


def _sides(draws: Draws, log_budgets: list[Array], sides: str, shift: float | Array = 0.0) -> Array:
    """Return 1 where the deciding sides at ascending budgets are not those named."""
    s = homogeneous.setting(
        *pick(draws, "n m n0"),
        **dict(zip(("gamma", "beta", "d"), pick(draws, "gamma beta d"), strict=True)),
        ratio=np.exp(shift + np.zeros_like(draws["n"])),
    )
    good = np.ones(draws["n"].shape, dtype=bool)
    for at, side in zip(log_budgets, sides, strict=True):
        codes = homogeneous.codes_at(s, at)
        good &= (codes >= 3) == (side == "S")
        good &= codes > 0
    return np.where(good, 0.0, 1.0)


def _two_budgets(generator: np.random.Generator, number: int) -> Draws:
    size = enough(number, 40)
    draws = corollary(generator, size)
    n, m = pick(draws, "n m")
    draws["gamma"] = generator.uniform(0.2, 0.95, size)
    draws["n0"] = m * n * spread(generator, 1, 1e6, size)
    draws["ratio"] = spread(generator, 1e-8, 1, size)
    _, eleven, crossing, _, star = _own_budget(draws)
    third = ends_by_hand(draws)[2]
    log_s, own = np.log(np.sqrt(m) * n), np.log(draws["n0"] * draws["ratio"])
    good = (own > log_s + 0.01) & (eleven < third - 0.01) & (draws["gamma"] > star + 1e-3)
    return keep(draws, good & (crossing < 300), number)


def _own_budget(draws: Draws) -> tuple[Array, ...]:
    """Return log of 1/(c n0), eps11, epsX, NPt - NPs and gamma* where eps_0 = c eps."""
    n, m, n0, g, b, d, c = pick(draws, "n m n0 gamma beta d ratio")
    own, log_s = np.log(n0 * c), np.log(np.sqrt(m) * n)
    eleven = ((b + d) * log_s - (b * g + d) * own) / (b * (g - 1))
    crossing = (b + d) / (2 * b * g + d) * np.log(m * n) - own
    return -own, eleven, crossing, own, ends_by_hand(draws)[3]


def _target_twice(draws: Draws, form: Form) -> Array:
    start, eleven, crossing, _, _ = _own_budget(draws)
    points = [(start + eleven) / 2, (eleven + crossing) / 2, crossing + 1]
    return _sides(draws, points, "TST", np.log(draws["ratio"]))


CHECKS = {
    "governing": Check(_whole, _governing, UNIT),
    "reading_A": Check(_whole, _cell("A"), UNIT),
    "reading_B": Check(_whole, _cell("B"), UNIT),
    "corrected": Check(_whole, _cell("corrected"), UNIT, number=30_000),
    "column_1": Check(_first_column, _cell("A"), UNIT),
    "low_2": Check(in_cell("low", 2), _cell("A"), UNIT),
    "low_3_A": Check(in_cell("low", 3), _cell("A"), UNIT),
    "low_3_B": Check(in_cell("low", 3), _cell("B"), UNIT),
    "low_4": Check(in_cell("low", 4), _cell("A"), UNIT),
    "middle_2": Check(in_cell("middle", 2), _cell("A"), UNIT),
    "middle_3": Check(in_cell("middle", 3), _cell("A"), UNIT),
    "middle_4": Check(in_cell("middle", 4), _cell("A"), UNIT),
    "high_2": Check(in_cell("high", 2), _cell("A"), UNIT),
    "high_34": Check(in_cell("high", 5), _cell("A"), UNIT),
    "text_moderate": Check(in_cell("low", 3), _named("NPs"), UNIT),
    "eps11_at_one": Check(_at_one, _cell("A"), UNIT),
    "hole_at_one": Check(_hole_at_one, _cell("B"), UNIT),
    "alternations": Check(corollary, _alternations, "is 1 at another order"),
    "not_contiguous": Check(_re_entrant, _not_contiguous, SIDE, number=1000),
    "two_budgets": Check(_two_budgets, _target_twice, SIDE, number=1000),
}
