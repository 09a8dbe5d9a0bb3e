"""Checks of [ACC] equation (5), of Theorem 3.4's factor and of what we derive from the equation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rates.answer import transfer
from rates.ledger.functions.laws import at_corner, drawn, even, spread
from rates.plan import ALL, Unreachable, needs
from rates.statements.checks.acc.draws import Checks, log_left
from rates.statements.checks.base import Array, Draws, Form
from rates.study import Server, TransferStudy

SERVERS = range(4)
RATIO = "is the log of the ratio of two r over its proved bound (times β(1+α) for the rates)"
FEW = 60
CLOSE: dict[str, Any] = {"number": FEW, "tolerance": 1e-4}
DIFFER = "is 1 where the two differ"


CHECKS = Checks()


def servers(generator: np.random.Generator, number: int) -> dict[str, Array]:
    """Draw a target and three sources; a tenth of the budgets is infinite."""
    draws: dict[str, Array] = {}
    for j in SERVERS:
        draws[f"n{j}"] = np.round(spread(generator, 2, 1e7, number))
        epsilon = spread(generator, 1e-3, 10, number)
        draws[f"epsilon{j}"] = np.where(generator.uniform(0, 1, number) < 0.1, np.inf, epsilon)
        if j:
            draws[f"gamma{j}"] = generator.uniform(0.2, 4, number)
    draws["beta"] = generator.uniform(0.05, 1, number)
    draws["d"] = generator.integers(1, 6, number).astype(float)
    draws["delta"] = spread(generator, 1e-12, 1e-2, number)
    return draws


def equal_servers(generator: np.random.Generator, number: int) -> Draws:
    """The same, with four equal unprotected servers first, where bounds are reached."""
    draws = at_corner(servers(generator, number), beta=0.05, d=1.0, delta=1e-6)
    for j in SERVERS:
        at_corner(draws, **{f"n{j}": 1e4, f"epsilon{j}": np.inf})
        if j:
            at_corner(draws, **{f"gamma{j}": 1.0})
    return draws


def table(draws: Draws) -> tuple[Array, Array, Array, Array, Array]:
    """Return sizes, budgets and exponents with the servers last, and beta and d."""
    n = np.stack([draws[f"n{j}"] for j in SERVERS], -1)
    epsilon = np.stack([draws[f"epsilon{j}"] for j in SERVERS], -1)
    one = np.ones_like(draws["n0"])
    gamma = np.stack([draws[f"gamma{j}"] if j else one for j in SERVERS], -1)
    return n, epsilon, gamma, draws["beta"], draws["d"]


def root(draws: Draws, rhs: Array | float = 1.0, factor: Array | float = 1.0) -> Array:
    """Return log r of (5) by the engine, budgets times a factor."""
    n, e, g, b, d = table(draws)
    right = np.broadcast_to(np.asarray(rhs, float), b.shape)[:, None]
    scale = np.broadcast_to(np.asarray(factor, float), b.shape)[:, None]
    return np.log(transfer.solve_r(n, e * scale, g, beta=b[:, None], d=d[:, None], rhs=right))


def slopes(draws: Draws) -> Array:
    """Return k_j = 2 beta gamma_j + d."""
    _, _, g, b, d = table(draws)
    return np.asarray(2 * b[:, None] * g + d[:, None])


def solo(draws: Draws) -> Array:
    """Return log r_j of every server alone, by hand."""
    n, e, _, _, d = table(draws)
    k = slopes(draws)
    return np.asarray(np.maximum(-np.log(n) / k, -2 * np.log(n * e) / (k + d[:, None])))


@CHECKS.add(servers, "in the log of the left side of (5)")
def _root(draws: Draws, form: Form) -> Array:
    n, e, g, b, d = table(draws)
    return np.abs(log_left(root(draws), n, e, g, b, d))


@CHECKS.add(servers, "in the log of the left side of (5)")
def _unique(draws: Draws, form: Form) -> Array:
    """The log of the left side moves at least k_min times as much as log r."""
    n, e, g, b, d = table(draws)
    u, step, least = root(draws), 0.1, slopes(draws).min(axis=1)
    above, below = (log_left(u + s, n, e, g, b, d) for s in (step, -step))
    return np.asarray(step * least + np.maximum(below, -above))


@CHECKS.add(servers, "in log r")
def _solo(draws: Draws, form: Form) -> Array:
    n, e, g, b, d = (x[:, 1:2] if x.ndim == 2 else x[:, None] for x in table(draws))
    right = np.log(2 / draws["delta"])
    found = np.log(transfer.solve_r(n, e, g, beta=b, d=d, rhs=right[:, None]))
    k, size = (2 * b * g + d)[:, 0], np.log(right)
    by_hand = np.maximum(
        (size - np.log(n[:, 0])) / k, (size - 2 * np.log((n * e)[:, 0])) / (k + d[:, 0])
    )
    return np.asarray(np.abs(found - by_hand))


@CHECKS.bounded(equal_servers, RATIO)
def _bracket(draws: Draws, form: Form) -> tuple[Array, Array, Array]:
    ratio = root(draws) - solo(draws).min(axis=1)
    return ratio, -math.log(4) / slopes(draws).min(axis=1), np.zeros_like(ratio)


@CHECKS.bounded(equal_servers, RATIO)
def _log_factor(draws: Draws, form: Form) -> tuple[Array, Array, Array]:
    """Bandwidth of (11) over r of (5), against log(2/delta)^(1/(2 beta gamma_min + d))."""
    _, _, g, b, d = table(draws)
    right = np.log(2 / draws["delta"])
    ratio = root(draws, right) - root(draws)
    return ratio, np.zeros_like(ratio), np.log(right) / (2 * b * g.min(axis=1) + d)


@CHECKS.add(servers, "in the log of the left side of (11)", number=FEW)
def _bandwidth(draws: Draws, form: Form) -> Array:
    """The engine's bandwidth of a study solves (11), or is 1 where the root is larger."""
    out = []
    n, e, g, b, d = table(draws)
    for k, study in enumerate(studies(draws)):
        h = transfer.solve(study).bandwidth or math.nan
        private = np.isfinite(e[k])
        right = math.log(math.log(2 / draws["delta"][k])) if private.any() else 0.0
        row = slice(k, k + 1)
        at = np.log(np.array([h]))
        left = float(log_left(at, n[row], e[row], g[row], b[row], d[row])[0])
        out.append(max(left - right, 0.0) if h == 1 else abs(left - right))
    return np.array(out)


def studies(draws: Draws) -> list[TransferStudy]:
    """Return every parameter set as a study of the engine, with margin 1."""
    n, e, g, b, d = table(draws)
    out = []
    for k in range(len(b)):
        rows = [
            Server(
                name=f"Server {j}",
                n=int(n[k, j]),
                epsilon=float(e[k, j]),
                delta=float(draws["delta"][k]),
                signal_exponent=float(g[k, j]),
            )
            for j in SERVERS
        ]
        out.append(
            TransferStudy(
                target=rows[0],
                sources=tuple(rows[1:]),
                smoothness=float(b[k]),
                dimension=int(d[k]),
                margin=1.0,
            )
        )
    return out


@CHECKS.add(servers, "in the log of the left side of (5)", number=FEW)
def _rate(draws: Draws, form: Form) -> Array:
    """The engine's rate is r^(beta(1 + alpha)), and 1 where that is larger; here alpha = 1."""
    n, e, g, b, d = table(draws)
    rate = np.array([transfer.solve(study).rate for study in studies(draws)])
    left = log_left(np.log(rate) / (2 * b), n, e, g, b, d)
    return np.where(rate == 1, np.maximum(left, 0), np.abs(left))


@CHECKS.add(servers, "is 1 where a server differs", number=FEW)
def _status(draws: Draws, form: Form) -> Array:
    n, e, _, _, d = table(draws)
    said = np.array(
        [[x == "privacy" for x in transfer.solve(s).limited_by] for s in studies(draws)]
    )
    log_size = np.log(n) + 2 * np.log(e) + d[:, None] * root(draws)[:, None]
    wrong = (said != (log_size <= 0)) & (np.abs(log_size) > 1e-9)
    return np.where(wrong.any(axis=1), 1.0, 0.0)


@CHECKS.add(servers, "in a share", number=FEW)
def _shares(draws: Draws, form: Form) -> Array:
    """The engine's shares against the terms of (5) by hand."""
    n, e, _, _, d = table(draws)
    u = root(draws)[:, None]
    term = np.minimum(np.log(n), 2 * np.log(n * e) + d[:, None] * u) + slopes(draws) * u
    found = np.array([transfer.solve(study).shares for study in studies(draws)])
    return np.asarray(np.abs(found - np.exp(term)).max(axis=1))


def private_servers(generator: np.random.Generator, number: int) -> Draws:
    """Servers that all have a budget, for the formulas of the budget."""
    draws = servers(generator, number)
    return draws | {f"epsilon{j}": spread(generator, 1e-3, 10, number) for j in SERVERS}


@CHECKS.add(servers, "in d log r / d log n_j", name="elasticity_n", of="n", **CLOSE)
@CHECKS.add(
    private_servers, "in d log r / d log ε_j", name="elasticity_epsilon", of="epsilon", **CLOSE
)
def _elasticity(draws: Draws, form: Form, of: str) -> Array:
    """The engine's elasticities against differences of the engine's own root."""
    step = 1e-6
    out = np.zeros((len(draws["beta"]), len(SERVERS)))
    for j in SERVERS:
        key = f"{of}{j}"
        up, down = (root({**draws, key: draws[key] * math.exp(s)}) for s in (step, -step))
        out[:, j] = (up - down) / (2 * step)
    said = [getattr(transfer.solve(study), f"elasticity_{of}") for study in studies(draws)]
    return np.asarray(np.abs(out - np.array(said)).max(axis=1))


@CHECKS.add(private_servers, DIFFER, name="smallest_n", of="n", number=FEW)
@CHECKS.add(private_servers, DIFFER, name="smallest_epsilon", of="epsilon", number=FEW)
def _inverse(draws: Draws, form: Form, of: str) -> Array:
    """The smallest n_1 or eps_1 for a rate: by the engine, and by our formula; both solve (5)."""
    n, e, g, b, d = table(draws)
    stricter = root(draws) - 0.05
    out = []
    for k, study in enumerate(studies(draws)):
        u = float(stricter[k])
        row = slice(k, k + 1)
        at = np.array([u])
        others = [0, 2, 3]
        left = log_left(at, n[row, others], e[row, others], g[row, others], b[row], d[row])
        slope = float(2 * b[k] * g[k, 1] + d[k])
        need = max(-math.expm1(float(left[0])), 0.0) * math.exp(-slope * u)
        size, budget, half = float(n[k, 1]), float(e[k, 1]), float(d[k]) * u / 2
        if of == "n":
            claimed = max(need, math.sqrt(need) / budget * math.exp(-half))
        else:
            claimed = math.sqrt(need) / size * math.exp(-half) if need <= size else math.inf
        try:
            found = needs.smallest(study, of, "Server 1", rate=math.exp(2 * b[k] * u))
        except Unreachable:
            found = math.inf
        equal = found == claimed or abs(found - claimed) <= 1e-7 * claimed
        out.append(0.0 if equal else 1.0)
    return np.array(out)


_stricter = drawn(private_servers, stricter=even(0.01, 1.5))


@CHECKS.add(_stricter, "in the log of the left side of (5)", name="smallest_common", number=FEW)
def _common(draws: Draws, form: Form) -> Array:
    """The smallest common budget for a smaller r solves (5), or there is none, as we say."""
    n, _, g, b, d = table(draws)
    wanted = root(draws) - draws["stricter"]
    out = []
    for k, study in enumerate(studies(draws)):
        row, at = slice(k, k + 1), wanted[k : k + 1]
        free = np.full_like(n[row], np.inf)
        feasible = log_left(at, n[row], free, g[row], b[row], d[row])[0] >= 0
        try:
            rate = math.exp(2 * b[k] * wanted[k])
            found = needs.smallest(study, "epsilon", ALL, rate=rate)
        except Unreachable:
            out.append(float(feasible))
            continue
        budgets = np.full_like(n[row], found)
        left = float(log_left(at, n[row], budgets, g[row], b[row], d[row])[0])
        out.append(abs(left) if feasible else 1.0)
    return np.array(out)


def _remark_draws(generator: np.random.Generator, number: int) -> Draws:
    """A third of the targets has next to no budget; the bounds are near in the first two sets."""
    draws = servers(generator, number)
    strict = generator.uniform(0, 1, number) < 0.3
    draws["epsilon0"] = np.where(strict, 1e-3 / draws["n0"], draws["epsilon0"])
    for row, gamma in [(0, 4.0), (1, 0.2)][:number]:
        for j in SERVERS:
            draws[f"n{j}"][row] = 1e4 if j else 2.0
            draws[f"epsilon{j}"][row] = np.inf
            if j:
                draws[f"gamma{j}"][row] = gamma
        draws["beta"][row], draws["d"][row] = 1.0, 1.0
    return draws


@CHECKS.bounded(_remark_draws, RATIO, name="remark_3_3")
def _no_privacy(draws: Draws, form: Form) -> tuple[Array, Array, Array]:
    """Remark 3.3: r against (n_0 + sum n_j^((2b+d)/k_j))^(-1/(2b+d)), sources unprotected."""
    n, e, g, b, d = table(draws)
    free = np.full_like(e, np.inf)
    if form == "printed":
        free[:, 0] = e[:, 0]
    power, k = 2 * b + d, slopes(draws)
    r = np.log(transfer.solve_r(n, free, g, beta=b[:, None], d=d[:, None]))
    ratio = r + np.logaddexp.reduce(power[:, None] / k * np.log(n), axis=1) / power
    count = math.log(len(SERVERS))
    return ratio, count * (1 / power - 1 / k.min(axis=1)), count * (1 / power - 1 / k.max(axis=1))


@CHECKS.add(servers, "in the log of the sum, which should be 0")
def _balance(draws: Draws, form: Form) -> Array:
    """With S = {eps_j <= (r^d n_j)^(-1/2)} the sums of the lower bound add to 1."""
    n, e, g, b, d = table(draws)
    u, step = root(draws)[:, None], d[:, None]
    strict = e <= np.exp(-0.5 * (step * u + np.log(n)))
    signal = b[:, None] * g * u  # |eta_j - 1/2| at radius r, up to C_j
    mass = step * u  # probability of the cell
    tv = np.where(strict, n * e * np.exp(signal + mass), 0.0) ** 2
    kl = np.where(strict, 0.0, n * np.exp(2 * signal + mass))
    return np.asarray(np.abs(np.log((np.nan_to_num(tv) + kl).sum(axis=1))))


@CHECKS.add(servers, "in log r", name="effective_n", number=FEW)
def _effective(draws: Draws, form: Form) -> Array:
    """A lone unprotected target with the engine's effective sample size has the same r."""
    _, _, _, b, d = table(draws)
    size = np.array([transfer.solve(study).effective_n for study in studies(draws)])
    alone = transfer.solve_r(
        size[:, None], np.inf, np.ones((len(b), 1)), beta=b[:, None], d=d[:, None]
    )
    return np.asarray(np.abs(np.log(alone) - root(draws)))
