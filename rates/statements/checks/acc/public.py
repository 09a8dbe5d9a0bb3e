"""Checks of [ACC] Corollary 3.3: an unprotected source beside a protected one and the target."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rates.answer import transfer
from rates.ledger.functions.laws import at_corner, spread
from rates.phases import public as public_source
from rates.statements.checks.acc.draws import Checks, enough, keep, shape
from rates.statements.checks.base import Array, Draws, Form, by_row, pick

RATIO = "is the log of the ratio of two r over its proved bound (times β(1+α) for the rates)"
CROSSING = "in the logs of two r that should be equal at the threshold"
TWO, THREE = np.log(2.0), np.log(3.0)
FEW = 100
KNOWN = "n0 n1 n2 gamma beta d"  # what a threshold depends on


CHECKS = Checks()


def in_case(case: int) -> Callable[[np.random.Generator, int], Draws]:
    """Return draws inside one case; three equal unprotected servers stand first in case 1, 2."""

    def draw(generator: np.random.Generator, number: int) -> Draws:
        size = enough(number, 4)
        draws = shape(generator, size)
        g, b, d = pick(draws, "gamma beta d")
        n2 = spread(generator, 10, 1e8, size)
        most = (2 * b + d) / (2 * b * g + d) * np.log(n2)
        n0 = np.exp(most * generator.uniform(0, 1, size))
        middle = (2 * b * g + d) / (2 * b + d) * np.log(n0)
        part = generator.uniform(0, 1, size)
        n1 = [
            n2 * spread(generator, 1, 1e4, size),
            np.exp(middle + (np.log(n2) - middle) * part),
            np.exp(middle * part),
        ][case - 1]
        draws |= {"n0": n0, "n1": n1, "n2": n2, "epsilon": spread(generator, 1e-6, 1, size)}
        good = (n0 >= 1.001) & (most > np.log(n0) + 1e-6) & (n1 >= 1)
        if case == 1:
            good &= n1 > n2
        draws = keep(draws, good, number)
        equal = {"gamma": 1.0, "beta": 0.05, "d": 1.0, "epsilon": 1.0}
        one = 1e4 * (1 - 1e-9)
        sizes = {"n0": one * (1 - 1e-9), "n2": 1e4, "n1": 1e4 * (1 + 1e-9) if case == 1 else one}
        return draws if case == 3 else at_corner(draws, **equal, **sizes)

    return draw


def _anywhere(generator: np.random.Generator, number: int) -> Draws:
    draws = shape(generator, number) | {
        name: spread(generator, 1, 1e8, number) for name in ("n0", "n1", "n2")
    }
    draws["epsilon"] = spread(generator, 1e-6, 1, number)
    equal = {"gamma": 1.0, "beta": 1.0, "d": 5.0}
    return at_corner(draws, n0=1e4, n1=1e4, n2=1e4, epsilon=1.0, **equal)


def summands(draws: Draws) -> tuple[Array, Array, Array]:
    """Return log A_t, log n_1^(1/k) and log A_2 by hand."""
    n0, n1, n2, e, g, b, d = pick(draws, "n0 n1 n2 epsilon gamma beta d")
    k = 2 * b * g + d
    target = np.minimum(np.log(n0) / (2 * b + d), np.log(n0 * e) / (b + d))
    return target, np.log(n1) / k, np.minimum(np.log(n2) / k, np.log(n2 * e) / (b * g + d))


def root(draws: Draws) -> Array:
    """Return log r of (5) by the engine."""
    n0, n1, n2, e, g, b, d = pick(draws, "n0 n1 n2 epsilon gamma beta d")
    one = np.ones_like(g)
    r = transfer.solve_r(
        np.stack([n0, n1, n2], -1),
        np.stack([e, np.full_like(e, np.inf), e], -1),
        np.stack([one, g, g], -1),
        beta=b[:, None],
        d=d[:, None],
    )
    return np.log(r)


def least_slope(draws: Draws) -> Array:
    """Return the smaller of 2 beta + d and 2 beta gamma + d."""
    g, b, d = pick(draws, "gamma beta d")
    return 2 * b * np.minimum(g, 1) + d


@CHECKS.bounded(in_case(1), RATIO, name="case_1")
def _first(draws: Draws, form: Form) -> tuple[Array, Array, Array]:
    """Case 1: the root is at most n_1^(-1/k), and not below it by more than 3^(1/k_min)."""
    _, public, _ = summands(draws)
    ratio = root(draws) + public
    return ratio, -THREE / least_slope(draws), np.zeros_like(ratio)


@CHECKS.bounded(in_case(2), RATIO, name="case_2")
def _second(draws: Draws, form: Form) -> tuple[Array, Array, Array]:
    """Case 2 line by line; where lines overlap as printed, the last one that applies."""
    n1, n2, e, g, b, d = pick(draws, "n1 n2 epsilon gamma beta d")
    k, x = 2 * b * g + d, np.log(e)
    leave = (b * g + d) / k * np.log(n1) - np.log(n2)
    free = -(b * g + d if form == "printed" else b * g) / k * np.log(n2)
    claimed = np.where(x <= leave, np.log(n1) / k, np.log(n2 * e) / (b * g + d))
    claimed = np.where(x > np.maximum(free, leave), np.log(n2) / k, claimed)
    ratio = root(draws) + claimed
    return ratio, -THREE / least_slope(draws), np.zeros_like(ratio)


@CHECKS.bounded(in_case(3), RATIO, name="case_3")
def _third(draws: Draws, form: Form) -> tuple[Array, Array, Array]:
    """Case 3 with its threshold: below it server 1, above it the sum without server 1."""
    n0, n1, n2, e, g, b, d = pick(draws, "n0 n1 n2 epsilon gamma beta d")
    k, x = 2 * b * g + d, np.log(e)
    target, public, source = summands(draws)
    threshold = np.minimum(
        (b + d) / k * np.log(n1) - np.log(n0), (b * g + d) / k * np.log(n1) - np.log(n2)
    )
    if form == "printed":
        threshold = -b * np.minimum(np.log(n0) / (2 * b + d), g / k * np.log(n2))
    below = x <= threshold
    claimed = np.where(below, public, np.logaddexp(target, source))
    ratio = root(draws) + claimed
    return ratio, -THREE / least_slope(draws), np.where(below, 0.0, TWO)


@CHECKS.bounded(_anywhere, RATIO)
def _safe(draws: Draws, form: Form) -> tuple[Array, Array, Array]:
    """The engine's sum of all three against the root of (5)."""
    n0, n1, n2, e, g, b, d = pick(draws, "n0 n1 n2 epsilon gamma beta d")
    total = np.logaddexp(np.logaddexp(*summands(draws)[:2]), summands(draws)[2])
    by_engine = public_source.public_source(n0, n1, n2, e, gamma=g, beta=b, d=d)
    # The engine caps r at 1; undo that by hand before comparing.
    log_r = np.where(by_engine < 0, by_engine, -total)
    ratio = root(draws) - log_r
    largest = 2 * b * np.maximum(g, 1) + 2 * d
    return ratio, np.zeros_like(ratio), THREE * (1 - 1 / largest)


@CHECKS.add(_anywhere, "in log r")
def _deciding(draws: Draws, form: Form) -> Array:
    """The label of the engine against the largest of 1 and the three summands."""
    n0, n1, n2, e, g, b, d = pick(draws, "n0 n1 n2 epsilon gamma beta d")
    said = public_source.public_governing(n0, n1, n2, e, gamma=g, beta=b, d=d)
    target, public, source = summands(draws)
    best = np.maximum(np.maximum(0, public), np.maximum(target, source))
    named = np.select(
        [said == "1", said == public_source.PUBLIC, np.char.endswith(said, "t")],
        [np.zeros_like(g), public, target],
        source,
    )
    return best - named


@CHECKS.add(in_case(2), CROSSING, name="case_2_free", case=2, number=FEW)
@CHECKS.add(in_case(3), CROSSING, name="case_3_threshold", case=3, number=FEW)
@by_row(KNOWN)
def _thresholds(
    form: Form, n0: float, n1: float, n2: float, g: float, b: float, d: float, case: int
) -> float:
    """At the engine's threshold the two r that meet there, by hand."""
    found = public_source.public_regimes(n0, n1, n2, gamma=g, beta=b, d=d)
    budgets = found.printed if form == "printed" else found.thresholds
    slope = 2 * b * g + d
    public, free = np.log(n1) / slope, np.log(n2) / slope
    at = np.log(budgets[1 if case == 2 else 0])
    source = (np.log(n2) + at) / (b * g + d)
    target = min((np.log(n0) + at) / (b + d), np.log(n0) / (2 * b + d))
    return float(abs(source - free if case == 2 else max(min(source, free), target) - public))


@CHECKS.add(in_case(2), CROSSING, name="case_2_leave", number=FEW)
@by_row(KNOWN)
def _leave(form: Form, n0: float, n1: float, n2: float, g: float, b: float, d: float) -> float:
    """The engine's first threshold of case 2: server 1 and server 2's private rate are equal."""
    at = np.log(public_source.public_regimes(n0, n1, n2, gamma=g, beta=b, d=d).thresholds[0])
    return float(abs(np.log(n1) / (2 * b * g + d) - (np.log(n2) + at) / (b * g + d)))
