"""Checks of the endpoints of [ACC] Corollary 3.2 and of the order in which they stand."""

from __future__ import annotations

import numpy as np

from rates.ledger.functions.laws import drawn, even
from rates.phases import end_values, homogeneous, printed_eps21
from rates.statements.checks.acc.draws import NEVER, Checks, corollary, four_terms, mismatch
from rates.statements.checks.base import Array, Draws, Form, pick

NPT, PT, NPS, PS = range(4)
CROSSING = "in the logs of two terms that should be equal there (per unit of β(1+α))"


LABEL = "is 1 where the two answers differ"
CHECKS = Checks()


def engine(draws: Draws) -> homogeneous.Setting:
    """Return the parameter sets as the engine takes them."""
    n, m, n0, g, b, d = pick(draws, "n m n0 gamma beta d")
    return homogeneous.setting(n, m, n0, gamma=g, beta=b, d=d)


def log_ends(draws: Draws) -> dict[str, Array]:
    """Return the logs of the engine's endpoints."""
    with np.errstate(divide="ignore"):
        return {name: np.log(value) for name, value in end_values(engine(draws)).items()}


@CHECKS.add(corollary, CROSSING, name="eps2", end="eps2", one=PT, other=NPT)
@CHECKS.add(corollary, CROSSING, name="eps3", end="eps3", one=PS, other=NPS)
@CHECKS.add(corollary, CROSSING, name="eps11", end="eps11", one=PT, other=PS)
@CHECKS.add(corollary, CROSSING, name="epsX", end="epsX", one=PT, other=NPS)
def _meet(draws: Draws, form: Form, end: str, one: int, other: int) -> Array:
    """Compare two terms by hand at an endpoint of the engine; skip what floats cannot hold."""
    at = log_ends(draws)[end]
    seen = np.abs(at) < 700
    terms = four_terms(draws, np.where(seen, at, 0.0))
    return np.where(seen, np.abs(terms[one] - terms[other]), NEVER)


@CHECKS.add(corollary, CROSSING)
def _eps21(draws: Draws, form: Form) -> Array:
    n, m, n0, g, b, d = pick(draws, "n m n0 gamma beta d")
    printed = np.log(printed_eps21(n, m, n0, gamma=g, beta=b, d=d))
    terms = four_terms(draws, printed if form == "printed" else log_ends(draws)["eps21"])
    return np.abs(terms[NPT] - terms[PS])


@CHECKS.add(corollary, CROSSING)
def _gamma_star(draws: Draws, form: Form) -> Array:
    star = end_values(engine(draws))["gamma_star"]
    terms = four_terms({**draws, "gamma": star}, np.zeros_like(star))
    return np.abs(terms[NPT] - terms[NPS])


@CHECKS.add(corollary, "is the size of log r there, which should be 0")
def _eps1(draws: Draws, form: Form) -> Array:
    npt, pt, nps, ps = four_terms(draws, log_ends(draws)["eps1"])
    return np.abs(np.minimum(np.maximum(npt, pt), np.maximum(nps, ps)))


@CHECKS.add(corollary, "is by how much the log of the earlier end is larger")
def _order(draws: Draws, form: Form) -> Array:
    ends, star = log_ends(draws), end_values(engine(draws))["gamma_star"]
    good = draws["gamma"] <= star
    return np.maximum(
        ends["eps1"] - ends["eps2"], np.where(good, ends["eps2"] - ends["eps3"], NEVER)
    )


@CHECKS.add(corollary, LABEL)
def _eps21_before_eps3(draws: Draws, form: Form) -> Array:
    ends, star = log_ends(draws), end_values(engine(draws))["gamma_star"]
    behind = ends["eps3"] - ends["eps21"]
    return np.asarray(mismatch(behind >= 0, draws["gamma"] <= star, behind))


@CHECKS.add(corollary, LABEL)
def _eps3_above_one(draws: Draws, form: Form) -> Array:
    n, m, g, b, d = pick(draws, "n m gamma beta d")
    over = d / 2 * np.log(m) - b * g * np.log(n)
    return mismatch(log_ends(draws)["eps3"] > 0, over > 0, over)


@CHECKS.add(corollary, "in the slope of log ε₃ in γ", tolerance=1e-6)
def _eps3_slope(draws: Draws, form: Form) -> Array:
    n, m, g, b, d = pick(draws, "n m gamma beta d")
    step = 1e-5
    up, down = (log_ends({**draws, "gamma": g + s})["eps3"] for s in (step, -step))
    claimed = -b * d * np.log(m * n) / (2 * b * g + d) ** 2
    return np.abs((up - down) / (2 * step) - claimed)


@CHECKS.add(corollary, LABEL)
def _eps11_position(draws: Draws, form: Form) -> Array:
    n, m, n0, g = pick(draws, "n m n0 gamma")
    ends, size = log_ends(draws), np.log(n0) - np.log(np.sqrt(m) * n)
    claimed = np.where(g < 1, size <= 0, size >= 0)
    tie = np.minimum(np.abs(size), np.abs(g - 1))
    return mismatch(ends["eps11"] <= ends["eps1"], claimed, tie)


@CHECKS.add(corollary, LABEL)
def _eps11_and_eps21(draws: Draws, form: Form) -> Array:
    ends, g = log_ends(draws), draws["gamma"]
    late = ends["eps11"] - ends["eps2"]
    other = ends["eps2"] - ends["eps21"]
    return mismatch(
        late >= 0, np.where(g > 1, other, -other) >= 0, np.minimum(abs(other), abs(g - 1))
    )


_small_gamma = drawn(corollary, gamma=even(0.2, 1))


@CHECKS.add(_small_gamma, LABEL)
def _npt_appears(draws: Draws, form: Form) -> Array:
    n, m, n0, g, b, d = pick(draws, "n m n0 gamma beta d")
    room = (b * g + b + d) / (2 * b + d) * np.log(n0) - np.log(np.sqrt(m) * n)
    just_above = log_ends(draws)["eps2"] + 1e-7
    npt = homogeneous.codes_at(engine(draws), just_above) == homogeneous.LABELS.index("NPt")
    return mismatch(npt, room > 0, np.where(np.abs(room) > 1e-4, room, 0.0))


@CHECKS.add(corollary, LABEL, name="first_below_one", low=True)
@CHECKS.add(corollary, LABEL, name="first_above_one", low=False)
def _first_label(draws: Draws, form: Form, low: bool) -> Array:
    """Ask which term decides just above eps1, for gamma below (or above) 1."""
    n, m, n0, g = pick(draws, "n m n0 gamma")
    ends = log_ends(draws)
    first = homogeneous.codes_at(engine(draws), ends["eps1"] + 1e-6 * (ends["eps2"] - ends["eps1"]))
    size = np.log(n0) - np.log(np.sqrt(m) * n)
    says_target = np.full(g.shape, low, dtype=bool) if form == "printed" else size > 0
    found = first == homogeneous.LABELS.index("Pt")
    tie = np.where(np.abs(size) > 1e-3, size, 0.0)
    return np.where((g < 1) == low, mismatch(found, says_target, tie), NEVER)
