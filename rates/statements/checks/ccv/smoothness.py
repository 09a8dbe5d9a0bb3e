"""Checks of [CCV] Section 2.1: how smoothness and p change the cost of privacy."""

from __future__ import annotations

import numpy as np

from rates.ledger.functions.laws import spread
from rates.resolution import corollaries, resolution
from rates.statements.checks.base import Array, Checks, Draws, Form
from rates.statements.checks.ccv import tools
from rates.statements.checks.ccv.alike import FEW, LOG_RATE, solve_alike

CHECKS = Checks()


def _two_classes(generator: np.random.Generator, number: int) -> dict[str, Array]:
    """Draw two smoothnesses, and budgets at which privacy binds for both, before and after."""
    low = generator.uniform(0.51, 4, number)
    high = low + generator.uniform(0.02, 3, number)
    m = np.round(spread(generator, 1, 1e4, number))
    total = m * np.round(spread(generator, 1e2, 1e6, number))
    times = generator.uniform(1.1, 50, number)
    elbow = np.sqrt(total ** (1 / (2 * high + 1)) / (total / m))
    return {
        "total": total,
        "servers_before": m,
        "epsilon": elbow * 10 ** generator.uniform(-3, 0, number),
        "times": times,
        "low": low,
        "high": high,
    }


def _cost_at(draws: Draws, g: Array, m: Array, epsilon: Array) -> Array:
    return np.log(corollaries.privacy_cost(draws["total"] / m, m, epsilon, smoothness=g))


def _by_budget(draws: Draws, low: Array, high: Array) -> Array:
    """Growth of the log cost factor when the budget is divided: for low minus for high."""
    before, after = draws["epsilon"], draws["epsilon"] / draws["times"]
    grown = [
        _cost_at(draws, g, draws["servers_before"], after)
        - _cost_at(draws, g, draws["servers_before"], before)
        for g in (low, high)
    ]
    exact = 2 * low / (low + 1) * np.log(draws["times"])
    return np.maximum(grown[0] - grown[1], np.abs(grown[0] - exact))


def _by_spreading(draws: Draws, low: Array, high: Array) -> tuple[Array, Array]:
    """Growth of the log rate with the total fixed, for both smoothnesses."""
    grown = []
    for g in (low, high):
        logs = [
            np.log(solve_alike(draws["total"] / m, m, draws["epsilon"], g))
            for m in (draws["servers_before"], draws["servers_before"] * draws["times"])
        ]
        grown.append(-2 * g * (logs[1] - logs[0]))
    return grown[0], grown[1]


@CHECKS.add(_two_classes, "in the log of the factor")
def _smoother_budget(draws: Draws, form: Form) -> Array:
    return _by_budget(draws, draws["low"], draws["high"])


@CHECKS.add(_two_classes, LOG_RATE)
def _smoother_spread(draws: Draws, form: Form) -> Array:
    low, high = _by_spreading(draws, draws["low"], draws["high"])
    exact = draws["low"] / (draws["low"] + 1) * np.log(draws["times"])
    return np.maximum(low - high, np.abs(low - exact))


def _two_p(generator: np.random.Generator, number: int) -> dict[str, Array]:
    """Draw one alpha and two values of p, privacy binding at both."""
    out = _two_classes(generator, number)
    small = generator.uniform(2, 4, number)
    large = small * generator.uniform(1.2, 10, number)
    alpha = 0.51 + 1 / small + generator.uniform(0, 3, number)
    elbow = np.sqrt(
        out["total"] ** (1 / (2 * (alpha - 1 / large) + 1)) * out["servers_before"] / out["total"]
    )
    out["epsilon"] = elbow * 10 ** generator.uniform(-3, 0, number)
    del out["low"], out["high"]
    return out | {"smoothness": alpha, "p_small": small, "p_large": large}


def _nus(draws: Draws) -> tuple[Array, Array]:
    alpha = draws["smoothness"]
    return alpha - 1 / draws["p_small"], alpha - 1 / draws["p_large"]


@CHECKS.add(_two_p, "in the log of a budget", number=3000)
def _p_elbow(draws: Draws, form: Form) -> Array:
    """The budget up to which privacy binds is larger for the smaller p; the factor is 1 there."""
    n, m = draws["total"] / draws["servers_before"], draws["servers_before"]
    small, large = (corollaries.elbow(n, m, smoothness=nu) for nu in _nus(draws))
    low, _ = _nus(draws)
    at = {"n": n, "m": m, "epsilon": small}
    lost = np.abs(np.log(tools.alike_root(at, low) * (m * n) ** (-1 / (2 * low + 1))))
    private = np.abs(np.log(n * small**2) - np.log(m * n) / (2 * low + 1))
    return np.asarray(np.maximum.reduce([np.log(large / small), lost, private]))


@CHECKS.add(_two_p, "in the log of the factor")
def _p_budget(draws: Draws, form: Form) -> Array:
    return _by_budget(draws, *_nus(draws))


@CHECKS.add(_two_p, LOG_RATE)
def _p_spread(draws: Draws, form: Form) -> Array:
    """Printed: the smaller p loses more when a fixed total is spread. Reading: it loses less."""
    grown = _by_spreading(draws, *_nus(draws))
    gap = grown[1] - grown[0] if form == "printed" else grown[0] - grown[1]
    exact = [nu / (nu + 1) * np.log(draws["times"]) for nu in _nus(draws)]
    gap = tools.also(gap, *(np.abs(a - b) for a, b in zip(grown, exact, strict=True)))
    return tools.also(gap, _page(draws, exact[0], "rate"))


def _page(draws: Draws, exact: Array, what: str) -> Array:
    """Compare what the resolution page says about spreading, at the smaller p."""
    nu, _ = _nus(draws)
    out = np.zeros_like(nu)
    for i in range(min(len(nu), FEW)):
        before, times, g = (float(x[i]) for x in (draws["servers_before"], draws["times"], nu))
        total = float(draws["total"][i] if what == "rate" else draws["n"][i] * before)
        found = resolution.spreading(
            total, float(draws["epsilon"][i]), smoothness=g, few=before, many=before * times
        )
        powers = corollaries.cost_exponents(g)
        power = powers.sites if what == "rate" else powers.sites_growing
        misses = (np.log(getattr(found, what)) - exact[i], power * np.log(times) - exact[i])
        out[i] = max(abs(x) for x in misses)
    return out


def _growing_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw alpha and two p with n per server fixed; nu on both sides of 1/sqrt(2)."""
    out = _two_p(generator, number)
    near = generator.uniform(size=number) < 0.5
    alpha = 0.505 + 1 / out["p_small"] + generator.uniform(0, 0.3, number)
    alpha = np.where(near, alpha, out["smoothness"])
    n = np.round(spread(generator, 1e2, 1e6, number))
    del out["total"]
    return out | {
        "n": n,
        "smoothness": alpha,
        "epsilon": n**-0.5 * spread(generator, 0.01, 1, number),
    }


@CHECKS.add(_growing_draws, "in the log of the factor")
def _p_growing(draws: Draws, form: Form) -> Array:
    """With n fixed, more servers raise the factor by a power that is largest at nu = 1/sqrt(2)."""
    n, many = draws["n"], draws["servers_before"] * draws["times"]
    small, large = (
        np.log(corollaries.privacy_cost(n, many, draws["epsilon"], smoothness=nu))
        - np.log(
            corollaries.privacy_cost(n, draws["servers_before"], draws["epsilon"], smoothness=nu)
        )
        for nu in _nus(draws)
    )
    low, high = _nus(draws)
    gap, top = large - small, 1 / np.sqrt(2)
    if form == "reading":
        gap = np.where(low >= top, gap, np.where(high <= top, -gap, -np.inf))
    exact = low / ((low + 1) * (2 * low + 1)) * np.log(draws["times"])
    return tools.also(gap, np.abs(small - exact), _page(draws, exact, "cost"))


def _window_draws(generator: np.random.Generator, number: int) -> Draws:
    out = tools.besov_draws(generator, number)
    n, m = out["n"], out["m"]
    ends = [
        np.log((m * n) ** (1 / (2 * g + 1)) / n) / 2
        for g in (out["smoothness"], tools.pointwise(out))
    ]
    place = generator.uniform(-1, 2, number)  # the window is [0, 1]
    return out | {"epsilon": np.exp(ends[0] + place * (ends[1] - ends[0]))}


@CHECKS.add(_window_draws, "where 1 means that the claim is wrong", number=400)
def _window(draws: Draws, form: Form) -> Array:
    """Only the risk at a point suffers, exactly inside the window."""
    n, m, epsilon, alpha = (draws[key] for key in ("n", "m", "epsilon", "smoothness"))
    nu = tools.pointwise(draws)
    suffers = [
        np.log(tools.alike_root(draws, g) * (m * n) ** (-1 / (2 * g + 1))) < -1e-12
        for g in (alpha, nu)
    ]
    inside, tied = [], []
    for i in range(len(n)):
        p = float(draws["integrability"][i])
        found = corollaries.window(
            float(n[i]), float(m[i]), smoothness=float(alpha[i]), integrability=p
        )
        ends = (0.0, 0.0) if found is None else (found.lo, found.hi)
        inside.append(ends[0] < epsilon[i] < ends[1])
        tied.append(any(abs(epsilon[i] / end - 1) < 1e-9 for end in ends if end))
    return np.where(tied, 0.0, tools.wrong(np.array(inside), suffers[1] & ~suffers[0]))
