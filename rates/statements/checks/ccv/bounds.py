"""Checks of the algebra and the printed constants behind [CCV] Section 4's lower bounds."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr

from rates.answer import federated
from rates.ledger.functions import haar
from rates.ledger.functions.curves import TESTS
from rates.ledger.functions.laws import drawn, integers, logs, spread, whole
from rates.statements.checks.base import Array, Checks, Draws, Form, by_row
from rates.statements.checks.ccv import tools
from rates.statements.checks.ccv.unequal import eight_margin, private_draws

CHECKS = Checks()


def _power_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw a base below 1, a kappa, and delta as large as the condition allows."""
    kappa = generator.uniform(0.05, 2, number)
    base = spread(generator, 1e-12, 0.5, number)
    corner = generator.uniform(size=number) < 0.2
    return {"base": np.where(corner, np.exp(-1 / kappa), base), "kappa": kappa}


@CHECKS.add(_power_draws, "in the log of a ratio over its bound", constants=True)
def _power(draws: Draws, form: Form) -> Array:
    """Compare delta log(1/delta), which Lemma 4.2 bounds, with base (1 + kappa)/(e kappa)."""
    base, kappa = draws["base"], draws["kappa"]
    delta = 0.999 * base if form == "printed" else base ** (1 + kappa)
    bound = (1 + kappa) / (math.e * kappa)
    return np.log(delta * np.log(1 / delta) / base) - np.log(bound)


def _trace_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw under the condition of Lemma 4.2 with 2^L < 2 max(D, 1); a fifth at its limit."""
    corner = generator.uniform(size=number) < 0.2
    n = np.where(corner, 1.0, np.round(spread(generator, 1, 1e6, number)))
    epsilon = np.where(corner, 0.5, spread(generator, 1e-3, 1, number))
    D = np.where(corner, 1.0, spread(generator, 0.1, 1e4, number))
    base = np.sqrt(n) * epsilon**2 / np.maximum(D, 1)
    low, high = np.full(number, -700.0), np.full(number, -1.0)
    for _ in range(60):  # the largest delta <= 1/e with delta log(1/delta) <= base
        middle = (low + high) / 2
        allowed = middle + np.log(-middle) <= np.log(base)
        low, high = np.where(allowed, middle, low), np.where(allowed, high, middle)
    part = np.where(corner, 1.0, generator.uniform(0, 1, number))
    functions = np.where(corner, 2.0, 1.0 + generator.uniform(size=number)) * np.maximum(D, 1)
    return {"n": n, "epsilon": epsilon, "delta": np.exp(low) * part, "functions": functions}


@CHECKS.add(_trace_draws, "in the log of the trace over its bound", constants=True)
def _trace(draws: Draws, form: Form) -> Array:
    """Largest trace that Lemma 4.2 leaves at C = lambda = 1, over 7 n² ε²."""
    n, epsilon, delta = draws["n"], draws["epsilon"], draws["delta"]
    a = n * epsilon
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(delta > 0, -np.log(delta), 0.0)
    b = delta * (draws["functions"] * np.sqrt(n) * logs + n)
    largest = ((a + np.sqrt(a * a + 4 * b)) / 2) ** 2  # x = a sqrt(x) + b
    return np.log(largest / (7 * a * a))


def _score_draws(generator: np.random.Generator, number: int) -> Draws:
    level = generator.integers(0, 5, number).astype(float)
    return {
        "level": level,
        "k": np.floor(generator.uniform(size=number) * 2**level),
        "x": generator.uniform(size=number),
        "y": generator.normal(size=number),
        "coefficient": generator.normal(size=number),
    }


@CHECKS.add(_score_draws, "in the score")
def _score(draws: Draws, form: Form) -> Array:
    """(19) against the slope of the log likelihood in one coefficient; exact for a parabola."""
    level, k = draws["level"], draws["k"]
    psi = 2 ** (level / 2) * haar.mother(2**level * draws["x"] - k)
    f = draws["coefficient"]

    def log_likelihood(shift: float) -> Array:
        return -((draws["y"] - (f + shift) * psi) ** 2) / 2

    slope = (log_likelihood(0.5) - log_likelihood(-0.5)) / 1.0
    return np.abs(slope - (draws["y"] - f * psi) * psi)


_index_draws = drawn(level=integers(0, 7), n=whole(1, 1e6))


@CHECKS.add(_index_draws, "in the log of the trace", number=300)
@by_row("level")
def _score_trace(form: Form, level: float) -> float:
    """Log of Tr C_f(Z) = n E|psi(X)|² over n 2^L, for the printed or our index set."""
    x = haar.midpoints(int(level) + 3)
    k = np.arange(2**level)[:, None] + (1 if form == "printed" else 0)
    psi = 2 ** (level / 2) * haar.mother(2.0**level * x - k)
    total = (psi**2).sum(axis=0).mean()
    return abs(math.log(total / 2**level)) if total > 0 else math.inf


@CHECKS.add(_index_draws, "in the log of the trace", number=300)
def _full_trace(draws: Draws, form: Form) -> Array:
    """Tr C_f(Z) over n 2^L with every function of the level."""
    return _score_trace(draws, "reading")


def _ball_draws(generator: np.random.Generator, number: int) -> Draws:
    p = np.where(generator.uniform(size=number) < 0.2, np.inf, spread(generator, 2, 50, number))
    return {
        "level": generator.integers(1, 15, number).astype(float),
        "integrability": p,
        "smoothness": 0.5 + 1 / p + generator.uniform(0.01, 4, number),
        "radius": spread(generator, 0.1, 10, number),
    }


@CHECKS.add(_ball_draws, "in the log of the norm over R")
def _ball(draws: Draws, form: Form) -> Array:
    """Log of the Besov norm over R, with every coefficient at the end of its interval."""
    L, p, a, R = (draws[k] for k in ("level", "integrability", "smoothness", "radius"))
    size = np.log2(R) - L * (a + 0.5)
    norm = L * (a + 0.5 - 1 / p) + size + L / p
    return (norm - np.log2(R)) * math.log(2)


def _bayes_draws(generator: np.random.Generator, number: int) -> Draws:
    without = generator.uniform(size=number) < 0.3
    level = generator.integers(1, 10, number).astype(float)
    a, R = generator.uniform(0.51, 4, number), spread(generator, 0.1, 10, number)
    signal = spread(generator, 1e-2, 30, number)  # n h², information per squared half-width
    return {
        "level": level,
        "smoothness": a,
        "radius": R,
        "n": np.where(without, 0.0, signal / (R * 2 ** (-level * (a + 0.5))) ** 2),
    }


_NODES, _MASS = np.polynomial.legendre.leggauss(60)
_PRIOR = np.cos(np.pi * _NODES / 2) ** 2 * _MASS
_NOISE = np.linspace(-7, 7, 141)


def _bayes_risk(signal: Array) -> Array:
    """Bayes risk of one coefficient under the prior cos²(pi t/2) on [-1, 1].

    The observation is sqrt(s) t + N(0, 1); without information the risk is the prior's variance.
    """
    step = _NOISE[1] - _NOISE[0]
    second = (_PRIOR * _NODES**2).sum()
    out = np.empty_like(signal)
    for i, s in enumerate(np.sqrt(signal).tolist()):
        y = np.concatenate([_NOISE - s, [*np.arange(_NOISE[-1] - s + step, 7 + s, step)]])
        density = np.exp(-((y[:, None] - s * _NODES) ** 2) / 2) * _PRIOR
        mass = density.sum(axis=1)
        explained = ((density @ _NODES) ** 2 / mass).sum() * step / math.sqrt(2 * math.pi)
        out[i] = second - explained
    return out


@CHECKS.add(_bayes_draws, "in the log of the bound over the risk", number=100)
def _van_trees(draws: Draws, form: Form) -> Array:
    """Log of the lower bound over the exact Bayes risk of 2^L coefficients with n records each.

    Without privacy Tr C = n 2^L; the sequence model has the same information as regression.
    """
    L, a, R, n = (draws[k] for k in ("level", "smoothness", "radius", "n"))
    half = R * 2 ** (-L * (a + 0.5))
    risk = 2**L * half**2 * _bayes_risk(n * half**2)
    prior = math.pi**2 * 2 ** (L * (2 * a + 2)) * (1.0 if form == "printed" else R**-2.0)
    return np.log(2 ** (2 * L) / (n * 2**L + prior) / risk)


def _choice_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw studies with D >= 1; a fifth without privacy, just above a power of two."""
    out = tools.server_draws(generator, number, budget=(0.02, 10), smoothness=(0.51, 3))
    corner = generator.uniform(size=number) < 0.2
    D = 2.0 ** generator.integers(4, 8, number) * 1.0001
    out["n1"] = out["n1"] * 100
    size = D ** (2 * out["smoothness"] + 1)
    return tools.put(out, corner, n1=size, epsilon1=1e9, **tools.NOBODY)


@CHECKS.add(
    _choice_draws,
    "in the log of the best over the chosen bound, over its factor",
    number=3000,
    constants=True,
)
def _choice(draws: Draws, form: Form) -> Array:
    """Largest lower bound over all levels, over the one at ceil(log2 D), over its proved factor."""
    n, epsilon, g, D = tools.solved(draws)
    level = np.array([federated.resolution_level(x) for x in np.log(D).tolist()], dtype=float)

    def bound(at: Array) -> Array:
        x = 2.0**at
        return np.asarray(
            x
            * x
            / (tools.contributions(n, epsilon, x).sum(axis=-1) + math.pi**2 * x ** (2 * g + 2))
        )

    best = np.max([bound(np.maximum(level + shift, 0)) for shift in range(-8, 4)], axis=0)
    y = (2 * g * math.pi**2) ** (-1 / (2 * g + 1))
    factor = y * 2 * g / (2 * g + 1) * (1 + math.pi**2 * 2 ** (2 * g + 1)) / 2
    gap = tools.up_to(np.log(best / bound(level)), np.log(factor))
    return np.where(D >= 1, tools.also(gap, tools.miss(n, epsilon, g, D)), -np.inf)


@CHECKS.add(private_draws, "in the log of a rate")
def _under_eight(draws: Draws, form: Form) -> Array:
    n, epsilon, g, D = tools.solved(draws)
    rate = np.minimum(D ** (-2 * g), 1)
    printed = np.minimum(tools.caps(n, epsilon).sum(axis=-1) ** (-2 * g / (2 * g + 2)), 1)
    gap = np.abs(np.log(rate / printed))
    return np.where(eight_margin(n, epsilon, g) > 1e-9, gap, -np.inf)


_bump_draws = drawn(tools.server_draws, c0=logs(1e-6, 1))


def _both_sums(draws: Draws) -> tuple[Array, Array, Array, Array]:
    """Both sums that the total variation is bounded by, D exact up to the engine.

    The bump has squared L2 norm gamma^-2 beta^-1 and L1 norm gamma^-1 beta^-1, for a g of
    norms 1, with gamma = D^nu / c0 and beta = gamma^(1/nu).
    """
    n, epsilon, nu, D = tools.solved(draws)
    gamma = D**nu / draws["c0"]
    beta = gamma ** (1 / nu)
    with np.errstate(divide="ignore"):
        strict = epsilon <= np.sqrt(D[:, None] / n)
    private = np.where(strict, tools.caps(n, epsilon), 0).sum(axis=-1) * gamma**-2 * beta**-2
    sample = np.where(strict, 0, n).sum(axis=-1) * gamma**-2 / beta
    share = np.where(strict, 0, n * D[:, None]).sum(axis=-1) * D ** (-2 - 2 * nu)
    return private, sample, share, tools.miss(n, epsilon, nu, D)


@CHECKS.add(_bump_draws, "in the log of the sum")
def _private_power(draws: Draws, form: Form) -> Array:
    """Log of the sum over S, over c0^(2+2/nu) D^(-2-2nu) sum n² eps²."""
    private, _, share, error = _both_sums(draws)
    some = share < 1 - 1e-9
    rest = np.where(some, 1 - share, 1)  # by (17) both shares add up to 1
    nu = draws["smoothness"]
    gap = np.abs(np.log(np.where(some, private, 1) / rest) - (2 + 2 / nu) * np.log(draws["c0"]))
    return np.where(some & (share < 0.999), tools.also(gap, error), -np.inf)


@CHECKS.add(_bump_draws, "in the log of the sum")
def _kl_power(draws: Draws, form: Form) -> Array:
    """Log of the sum over S^c, over c0^power D^(-2-2nu) sum n D."""
    _, sample, share, error = _both_sums(draws)
    nu = draws["smoothness"]
    power = 1 + 2 / nu if form == "printed" else 2 + 1 / nu
    some = share > 1e-200
    ratio = np.log(np.where(some, sample, 1) / np.where(some, share, 1))
    gap = np.abs(ratio - power * np.log(draws["c0"]))
    return np.where(some, tools.also(gap, error), -np.inf)


@CHECKS.add(_bump_draws, "in the log of the bound")
def _tv_power(draws: Draws, form: Form) -> Array:
    """Log of the root of both sums over c0^power; the sums add up to less than that square."""
    private, sample, _, error = _both_sums(draws)
    nu = draws["smoothness"]
    power = 1 + 2 / nu if form == "printed" else 1 + 1 / (2 * nu)
    gap = np.log(private + sample) / 2 - power * np.log(draws["c0"])
    return tools.also(gap, error)


@CHECKS.add(tools.server_draws, "in the log of n eps over D^(nu+1)")
def _moderate_budget(draws: Draws, form: Form) -> Array:
    """Log of n eps over D^(nu+1), for the servers in S: the loss of a group stays bounded."""
    n, epsilon, nu, D = tools.solved(draws)
    inside = (n > 0) & (n * epsilon**2 <= D[:, None])
    with np.errstate(divide="ignore"):
        excess = np.log(n * epsilon) - (nu[:, None] + 1) * np.log(D[:, None])
    gap = np.where(inside, excess, -np.inf).max(axis=-1)
    return tools.also(gap, tools.miss(n, epsilon, nu, D))


_coupling_draws = drawn(height=logs(1e-4, 20), width=logs(1e-3, 0.5), sigma=logs(0.1, 10))


_GRID = (np.arange(200) + 0.5) / 200


@CHECKS.add(
    _coupling_draws, "in the log of the distance over its bound", number=1000, constants=True
)
def _coupling(draws: Draws, form: Form) -> Array:
    """Total variation of one observation for a triangular bump, over |bump|_1 / (sigma sqrt(2 pi)).

    The best coupling fails with exactly that probability; given X it is 2 Phi(|t|/2) - 1.
    """
    height = draws["height"] / draws["sigma"]
    difference = height[:, None] * _GRID  # one side of the triangle; the width scales both sides
    total = 2 * draws["width"] * (2 * ndtr(difference / 2) - 1).mean(axis=1)
    norm = draws["width"] * height
    return np.asarray(np.log(total * math.sqrt(2 * math.pi) / norm))


CHECKS["one_bit"] = TESTS["one_bit"]  # type: ignore[assignment]
