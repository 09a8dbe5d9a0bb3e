"""Checks of [CCV] Theorem 2.1: the rate equation (6), what its root means, and the level."""

from __future__ import annotations

import itertools

import numpy as np

from rates.answer import federated, transfer
from rates.ledger.functions.laws import drawn, even, spread, whole
from rates.statements.checks.base import Array, Checks, Draws, Form
from rates.statements.checks.ccv import tools

LOG_D = "in log D"


CHECKS = Checks()


def _root_draws(generator: np.random.Generator, number: int) -> Draws:
    out = tools.server_draws(generator, number)
    open_ = generator.uniform(size=number) < 0.1
    out["epsilon2"] = np.where(open_, np.inf, out["epsilon2"])
    return out | {"factor": spread(generator, 0.01, 100, number)}


@CHECKS.add(_root_draws, LOG_D)
def _root(draws: Draws, form: Form) -> Array:
    n, epsilon, g, D = tools.solved(draws)
    other = D * draws["factor"]
    balance = np.log(tools.contributions(n, epsilon, other).sum(axis=-1)) - (2 * g + 2) * np.log(
        other
    )
    # The only root: beyond it the left side is larger, before it the right side.
    wrong_side = np.log(draws["factor"]) * balance > 1e-9
    return np.maximum(tools.miss(n, epsilon, g, D), np.where(wrong_side, 1.0, 0.0))


def _bracket_draws(generator: np.random.Generator, number: int) -> Draws:
    out = tools.server_draws(generator, number)
    equal = generator.uniform(size=number) < 0.2  # where the upper bound is attained
    free = {f"epsilon{j}": np.inf for j in (1, 2, 3, 4)}
    return tools.put(out, equal, **free, n2=out["n1"], n3=out["n1"], n4=out["n1"])


@CHECKS.add(_bracket_draws, "in log D beyond the bounds", constants=True)
def _bracket(draws: Draws, form: Form) -> Array:
    n, epsilon, g, D = tools.solved(draws)
    p, s = 1 / (2 * g + 2), 1 / (2 * g + 1)
    alone = np.minimum(tools.caps(n, epsilon) ** p[:, None], n ** s[:, None]).max(axis=-1)
    informative = (tools.caps(n, epsilon) > 0).sum(axis=-1)
    return tools.up_to(np.log(D / alone), np.log(informative) * s)


def _two_draws(generator: np.random.Generator, number: int) -> Draws:
    out = tools.server_draws(generator, number, servers=2)
    p = spread(generator, 2, 50, number)
    return out | {"integrability": p, "smoothness": out["smoothness"] + 1 / p}


@CHECKS.add(_two_draws, "in log D or in the log of the rate", number=60)
def _same_equation(draws: Draws, form: Form) -> Array:
    n, epsilon = tools.column(draws, "n"), tools.column(draws, "epsilon")
    answers = [
        federated.solve(s) for s in tools.studies(draws, integrability=draws["integrability"])
    ]
    worst = np.zeros(len(n))
    for g, name in ((draws["smoothness"], "integrated"), (tools.pointwise(draws), "pointwise")):
        D = np.array([getattr(a, name).D for a in answers])
        rate = np.array([getattr(a, name).rate for a in answers])
        worst = np.maximum(worst, tools.miss(n, epsilon, g, D))
        worst = np.maximum(worst, np.abs(np.log(rate) - np.minimum(-2 * g * np.log(D), 0)))
    return worst


@CHECKS.add(tools.server_draws, "in the log of the sum over both kinds", number=60)
def _binding(draws: Draws, form: Form) -> Array:
    """Compare the engine's binding sites with the best of all subsets S."""
    n, epsilon, g = tools.column(draws, "n"), tools.column(draws, "epsilon"), draws["smoothness"]
    answers = [federated.solve(s).integrated for s in tools.studies(draws)]
    private = np.array([[word == "privacy" for word in a.limited_by] for a in answers])
    D = tools.root(n, epsilon, g)
    most, sample = tools.caps(n, epsilon), n * D[:, None]
    chosen = np.where(private, most, sample).sum(axis=-1)
    sums = [
        np.where(np.array(subset), most, sample).sum(axis=-1)
        for subset in itertools.product((True, False), repeat=n.shape[1])
    ]
    best = np.min(sums, axis=0)
    rule = np.where(epsilon <= np.sqrt(D[:, None] / np.maximum(n, 1e-300)), most, sample)
    printed = np.log(rule.sum(axis=-1) / best)
    balance = np.abs(np.log(best) - (2 * g + 2) * np.log(D))
    return np.asarray(np.maximum.reduce([np.log(chosen / best), printed, balance]))


@CHECKS.add(
    lambda generator, number: tools.server_draws(generator, number, servers=3),
    "in an elasticity",
    number=60,
    tolerance=1e-5,
)
def _elasticities(draws: Draws, form: Form) -> Array:
    """Compare with central differences of the root, away from ties."""
    n, epsilon, g = tools.column(draws, "n"), tools.column(draws, "epsilon"), draws["smoothness"]
    answers = [federated.solve(s).integrated for s in tools.studies(draws)]
    gap = np.zeros(len(n))
    D = tools.root(n, epsilon, g)
    with np.errstate(divide="ignore"):
        tied = np.abs(np.log(n * epsilon**2 / D[:, None])) < 0.01
    h = 1e-3
    for j in range(n.shape[1]):
        up, down = np.ones(n.shape[1]), np.ones(n.shape[1])
        up[j], down[j] = np.exp(h), np.exp(-h)
        by_n = np.log(tools.root(n * up, epsilon, g) / tools.root(n * down, epsilon, g)) / (2 * h)
        by_e = np.log(tools.root(n, epsilon * up, g) / tools.root(n, epsilon * down, g)) / (2 * h)
        gap = np.maximum(gap, np.abs(by_n - [a.elasticity_n[j] for a in answers]))
        gap = np.maximum(gap, np.abs(by_e - [a.elasticity_epsilon[j] for a in answers]))
    return np.where(tied.any(axis=-1), 0.0, gap)


@CHECKS.add(tools.server_draws, LOG_D)
def _as_transfer(draws: Draws, form: Form) -> Array:
    n, epsilon, g, D = tools.solved(draws)
    b = g[:, None]
    r = transfer.solve_r(n, epsilon, 1.0, beta=b, d=1)
    left = np.minimum(n, tools.caps(n, epsilon) * r[:, None]) * r[:, None] ** (2 * b + 1)
    return np.asarray(np.maximum(np.abs(np.log(D * r)), np.abs(np.log(left.sum(axis=-1)))))


def _infinite_draws(generator: np.random.Generator, number: int) -> Draws:
    out = tools.server_draws(generator, number, budget=(1, 1.0001))
    constant = spread(generator, 0.1, 100, number)
    kept = {key: value for key, value in out.items() if not key.startswith("epsilon")}
    return kept | {"C": constant}


@CHECKS.add(_infinite_draws, "where 1 means that the claim is wrong", number=3000)
def _infinite(draws: Draws, form: Form) -> Array:
    """Claim that a bounded budget gives the D of no privacy: always, or only where n C² >= D."""
    n, g, bound = tools.column(draws, "n"), draws["smoothness"], draws["C"][:, None]
    free = federated.solve_D(n, np.inf, smoothness=g[:, None])
    bounded = federated.solve_D(n, bound, smoothness=g[:, None])
    room = np.where(n > 0, n * bound**2, np.inf).min(axis=-1) / free
    claimed = np.ones(len(n), dtype=bool) if form == "printed" else room >= 1
    equal = np.abs(np.log(tools.root(n, bound, g) / n.sum(axis=-1) ** (1 / (2 * g + 1)))) < 1e-12
    agrees = np.abs(np.log(bounded / free)) < 1e-12
    sure = np.abs(np.log(room)) > 1e-9
    return np.where(sure, np.maximum(tools.wrong(claimed, equal), tools.wrong(agrees, equal)), 0.0)


def _merge_draws(generator: np.random.Generator, number: int) -> Draws:
    out = tools.server_draws(generator, number)
    return out | {"epsilon2": out["epsilon1"]}


@CHECKS.add(_merge_draws, LOG_D)
def _merge(draws: Draws, form: Form) -> Array:
    """Merge the first two servers, which have one budget."""
    n, epsilon, g, D = tools.solved(draws)
    merged = n.copy()
    merged[:, 0] += merged[:, 1]
    merged[:, 1] = 0
    after = federated.solve_D(merged, epsilon, smoothness=g[:, None])
    return np.maximum(np.log(D / after), tools.miss(merged, epsilon, g, after))


def _level_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw studies with D >= 1, a fifth of them just above a power of two."""
    out = tools.server_draws(generator, number, records=(100, 1e8), budget=(0.02, 10))
    alone = generator.uniform(size=number) < 0.2
    g = np.where(alone, generator.uniform(3, 5, number), out["smoothness"])
    power = 2.0 ** generator.integers(1, 4, number) * 1.0001
    budget = power ** (g + 1) / 1e9
    return tools.put(out, alone, smoothness=g, n1=1e9, epsilon1=budget, **tools.NOBODY)


def _risk(n: Array, epsilon: Array, g: Array, level: Array) -> Array:
    """Return 2^(-2 g L) + 4^L / sum min(n² ε², n 2^L): squared bias and variance at level L."""
    x = 2.0**level
    return np.asarray(x ** (-2 * g) + x * x / tools.contributions(n, epsilon, x).sum(axis=-1))


@CHECKS.add(
    _level_draws, "in the log of the risk over its proved bound", number=3000, constants=True
)
def _level(draws: Draws, form: Form) -> Array:
    """Compare the risk at the level with its smallest value over all real levels."""
    n, epsilon, g, D = tools.solved(draws)
    whole = np.array([federated.resolution_level(x) for x in np.log(D).tolist()], dtype=float)
    level = whole / (2 + 2 * g) if form == "printed" else whole
    best = np.min([_risk(n, epsilon, g, np.log2(D) + t) for t in np.linspace(-4, 2, 49)], axis=0)
    ratio = np.log(_risk(n, epsilon, g, level) / best) - np.log(4 + 4.0**-g)
    return np.where(D >= 1, ratio, -np.inf)


_free_level_draws = drawn(n=whole(2, 1e12), smoothness=even(0.51, 5))


@CHECKS.add(_free_level_draws, "levels", number=3000)
def _free_level(draws: Draws, form: Form) -> Array:
    """Compare with the first whole number whose power of two reaches N^(1/(2a+1))."""
    n, a = draws["n"], draws["smoothness"]
    bits = np.log2(n) / (1 + 2 * a)
    first = np.argmax(np.arange(80)[None, :] >= bits[:, None] - 1e-12, axis=1).astype(float)
    if form == "printed":
        return np.asarray(np.abs(np.ceil(np.log2(n)) / (1 + 2 * a) - first))
    D = federated.solve_D(n[:, None], np.inf, smoothness=a[:, None])
    level = np.array([federated.resolution_level(x) for x in np.log(D).tolist()])
    return np.asarray(np.abs(level - first))


def _delta_draws(generator: np.random.Generator, number: int) -> Draws:
    out = tools.server_draws(generator, number, servers=2, budget=(1e-3, 1))
    out["n2"] = np.maximum(out["n2"], 1)
    return out | {f"delta{j}": spread(generator, 1e-30, 0.5, number) for j in (1, 2)}


@CHECKS.add(_delta_draws, "where 1 means a wrong verdict", number=60)
def _delta(draws: Draws, form: Form) -> Array:
    """Compare the notes of a solved study with the conditions taken one by one."""
    n, epsilon, g = tools.column(draws, "n"), tools.column(draws, "epsilon"), draws["smoothness"]
    delta = tools.column(draws, "delta")
    D = tools.root(n, epsilon, g)[:, None]
    base = np.log(np.sqrt(n) * epsilon**2 / np.maximum(D, 1))
    # Some kappa > 0 has log(delta) <= (1 + kappa) base if and only if log(delta) < base,
    # as long as base < 0; otherwise the condition asks nothing.
    possible = np.all((base >= 0) | (np.log(delta) < base), axis=-1)
    small = np.asarray((n * delta).sum(axis=-1) <= 0.01)
    found = [federated.solve(s).notes for s in tools.studies(draws, deltas=("delta1", "delta2"))]
    notes = [{note.key: note.holds for note in row} for row in found]
    integrated = np.array([row["delta_integrated"] is True for row in notes])
    summed = np.array([row["sum_n_delta"] is True for row in notes])
    return np.maximum(tools.wrong(integrated, possible), tools.wrong(summed, small))
