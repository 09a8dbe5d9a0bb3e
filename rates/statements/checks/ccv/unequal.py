"""Checks of [CCV] (8), (9), Corollaries 3 and 4 and Section 2.2: unequal servers."""

from __future__ import annotations

from functools import partial

import numpy as np

from rates.answer import federated
from rates.ledger.functions.laws import drawn, even, logs, whole
from rates.resolution import coverage, resolution
from rates.resolution import growing as growth
from rates.statements.checks.base import Array, Checks, Draws, Form, by_row
from rates.statements.checks.ccv import tools

LOG_D = "in log D"
FEW = 20  # draws for which a whole study is answered as well


CHECKS = Checks()


def eight_margin(n: Array, epsilon: Array, g: Array) -> Array:
    """Log of the left over the right side of (8)."""
    left = np.log(tools.caps(n, epsilon).sum(axis=-1)) / (2 * g + 2)
    return np.asarray(left - np.log((n * epsilon**2).max(axis=-1)))


def _nine(n: Array, epsilon: Array, g: Array, *, terms: int = 3) -> Array:
    """Log of the left over the right side of (9), for each server in turn."""
    with np.errstate(divide="ignore"):
        own, size, budget = np.log(tools.caps(n, epsilon)), np.log(n), np.log(epsilon)
        others = np.log(tools.caps(n, epsilon) @ (1 - np.eye(n.shape[-1])))
    k = 2 * g[:, None] + 2
    last = size * k / (k - 1)
    left = np.minimum(own, last)
    if terms == 3:
        left = np.minimum(left, size * (k + 2) / k + budget * 2 / k)
    finite = (n > 0) & np.isfinite(others)  # a lone server has nobody beside it
    margin = np.where(finite, left, 0) - np.where(finite, others, 0)
    return np.where(finite, margin, np.where(n > 0, np.inf, -np.inf))


def _engine_eight(n: Array, epsilon: Array, g: Array) -> tools.Flags:
    rows = zip(n.tolist(), epsilon.tolist(), g.tolist(), strict=True)
    return np.array([federated.privacy_binds_everywhere(a, b, smoothness=c) for a, b, c in rows])


def _engine_nine(n: Array, epsilon: Array, g: Array) -> tools.Flags:
    """Whether the engine says that (9) holds, for each server in turn."""
    out = np.zeros(n.shape, dtype=bool)
    for i, (a, b, c) in enumerate(zip(n.tolist(), epsilon.tolist(), g.tolist(), strict=True)):
        out[i, list(federated.dominating(a, b, smoothness=c))] = True
    return out


def _engine_D(n: Array, epsilon: Array, g: Array) -> Array:
    return federated.solve_D(n, epsilon, smoothness=g[:, None])


_eight_draws = partial(tools.server_draws, budget=(1e-4, 1))


@CHECKS.add(_eight_draws, "where 1 means that the claim is wrong", number=500)
def _binds(draws: Draws, form: Form) -> Array:
    """Compare (8) with the binding side of every server at the root, and the engine with both."""
    n, epsilon, g = tools.column(draws, "n"), tools.column(draws, "epsilon"), draws["smoothness"]
    at_root = np.log((n * epsilon**2).max(axis=-1) / tools.root(n, epsilon, g))
    eight = eight_margin(n, epsilon, g)
    sure = (np.abs(eight) > 1e-9) & (np.abs(at_root) > 1e-9)
    gap = np.maximum(
        tools.wrong(eight > 0, at_root < 0), tools.wrong(_engine_eight(n, epsilon, g), at_root < 0)
    )
    few = {key: values[:FEW] for key, values in draws.items()}
    for i, study in enumerate(tools.studies(few)):  # what the study page says about Corollary 3
        rows = {row.corollary: row.holds for row in coverage.applies(study)}
        gap[i] = max(gap[i], float(rows["Corollary 3, integrated"] != (at_root[i] < 0)))
    return np.where(sure, gap, 0.0)


def private_draws(generator: np.random.Generator, number: int) -> dict[str, Array]:
    """Draw servers under (8): all budgets are scaled down until it holds."""
    out = tools.server_draws(generator, number)
    g = out["smoothness"]
    excess = -eight_margin(tools.column(out, "n"), tools.column(out, "epsilon"), g)
    least = np.maximum(excess, 0) * (g + 1) / (2 * g + 1) + generator.uniform(0, 2, number)
    return tools.with_budgets(out, np.exp(-least))


def _all_private(draws: Draws) -> tuple[Array, Array, Array, Array]:
    n, epsilon, g = tools.column(draws, "n"), tools.column(draws, "epsilon"), draws["smoothness"]
    rows = zip(n.tolist(), epsilon.tolist(), g.tolist(), strict=True)
    D = np.array([federated.all_private_D(a, b, smoothness=c) for a, b, c in rows])
    return n, epsilon, g, D


@CHECKS.add(private_draws, LOG_D, number=500)
def _third(draws: Draws, form: Form) -> Array:
    n, epsilon, g, D = _all_private(draws)
    return np.maximum(tools.miss(n, epsilon, g, D), np.abs(np.log(D / _engine_D(n, epsilon, g))))


_third_delta_draws = drawn(private_draws, kappa=even(0.05, 0.3))


@CHECKS.add(_third_delta_draws, "in log delta above what Theorem 2.1 allows", number=500)
def _third_delta(draws: Draws, form: Form) -> Array:
    """Let each delta be as large as a condition allows; Theorem 2.1 asks log(delta) < log(base).

    Constants play no part: the sets with a violation include families along which the two sides
    differ by a power of the sizes.
    """
    n, epsilon, g, D = _all_private(draws)
    m = (n > 0).sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore"):
        needed = np.log(np.sqrt(n) * epsilon**2 / np.maximum(tools.root(n, epsilon, g), 1)[:, None])
        allowed = np.log(
            epsilon**2 / np.sqrt(m)
            if form == "printed"
            else np.sqrt(n) * epsilon**2 / np.maximum(D, 1)[:, None]
        )
    power = 1 + draws["kappa"][:, None]
    asks = (n > 0) & (needed < 0) & (allowed < 0)
    excess = np.where(asks, power * np.where(asks, allowed, 0) - np.where(asks, needed, 0), -np.inf)
    return tools.also(excess.max(axis=-1), tools.miss(n, epsilon, g, D))


@CHECKS.add(private_draws, "in the log of a share", number=500)
def _contribution(draws: Draws, form: Form) -> Array:
    """Compare the smallest share with the claim: a hundredth of an equal share, or n² ε² / sum."""
    n, epsilon, g, D = _all_private(draws)
    D = _engine_D(n, epsilon, g)
    share = np.minimum(tools.caps(n, epsilon), n * D[:, None]) / D[:, None] ** (2 * g[:, None] + 2)
    low = np.log(np.where(n > 0, share, np.inf).min(axis=-1))
    if form == "printed":
        return tools.outside(low, -np.log(100 * (n > 0).sum(axis=-1)), 0.0)
    most = tools.caps(n, epsilon)
    least = np.log(np.where(n > 0, most, np.inf).min(axis=-1) / most.sum(axis=-1))
    return tools.outside(low, least, least)


_two_draws = partial(tools.server_draws, servers=2, budget=(1e-4, 10))


@CHECKS.add(_two_draws, "where 1 means that the claim is wrong", number=500)
def _overlap(draws: Draws, form: Form) -> Array:
    """Printed: (8) and (9) never hold together. Reading: they do where both inequalities say so."""
    n, epsilon, g = tools.column(draws, "n"), tools.column(draws, "epsilon"), draws["smoothness"]
    eight, nine = eight_margin(n, epsilon, g), _nine(n, epsilon, g).max(axis=-1)
    both = _engine_eight(n, epsilon, g) & _engine_nine(n, epsilon, g).any(axis=-1)
    claimed = np.zeros_like(both) if form == "printed" else (eight > 0) & (nine > 0)
    sure = (np.abs(eight) > 1e-9) & (np.abs(nine) > 1e-9)
    return np.where(sure, tools.wrong(claimed, both), 0.0)


@CHECKS.add(tools.server_draws, "in the log of the left side of (9)", number=500)
def _middle(draws: Draws, form: Form) -> Array:
    """All three terms against the outer two, and the engine against both."""
    n, epsilon, g = tools.column(draws, "n"), tools.column(draws, "epsilon"), draws["smoothness"]
    three, two = _nine(n, epsilon, g), _nine(n, epsilon, g, terms=2)
    same = np.abs(np.where(np.isfinite(two), three, 0) - np.where(np.isfinite(two), two, 0))
    engine = tools.wrong(_engine_nine(n, epsilon, g), two >= 0)
    return np.asarray(np.maximum(same, np.where(np.abs(two) > 1e-9, engine, 0.0)).max(axis=-1))


def _star_draws(generator: np.random.Generator, number: int) -> dict[str, Array]:
    """Draw a server that satisfies (9), and three others; a fifth of the sets attain (9)."""
    out = tools.server_draws(generator, number, records=(10, 1e7))
    g, n, epsilon = out["smoothness"], out["n1"], out["epsilon1"]
    corner = generator.uniform(size=number) < 0.2
    elbow = n ** (0.5 / (2 * g + 1) - 0.5)
    epsilon = np.where(corner, elbow * generator.uniform(1, 3, number), epsilon)
    epsilon = np.maximum(epsilon, 1.01 / n)
    left = np.minimum((n * epsilon) ** 2, n ** ((2 * g + 2) / (2 * g + 1)))
    part = np.where(corner, 1.0 - 1e-9, generator.uniform(0, 1, number))
    weights = generator.dirichlet(np.ones(3), number)
    out["epsilon1"] = epsilon
    for j in (2, 3, 4):
        size = np.maximum(out[f"n{j}"], 1.0)
        size = np.where(corner, 1e9, size)  # small budgets: privacy binds them
        out[f"n{j}"] = size
        out[f"epsilon{j}"] = np.sqrt(left * part * weights[:, j - 2]) / size
    return out


def _star(draws: Draws) -> tuple[Array, Array, Array]:
    n, epsilon, g = draws["n1"], draws["epsilon1"], draws["smoothness"]
    private, free = (n * epsilon) ** (2 / (2 * g + 2)), n ** (1 / (2 * g + 1))
    return private, free, g


@CHECKS.add(_star_draws, "in log D beyond its bounds", number=1000, constants=True)
def _carries(draws: Draws, form: Form) -> Array:
    """D* <= D <= 2^(1/(2g+1)) D*; the star's own root is taken from the engine and by hand."""
    private, free, g = _star(draws)
    n, epsilon = tools.column(draws, "n"), tools.column(draws, "epsilon")
    alone = np.minimum(private, free)
    engine = _engine_D(n[:, :1], epsilon[:, :1], g)
    ratio = np.log(_engine_D(n, epsilon, g) / alone)
    nine = tools.wrong(_engine_nine(n, epsilon, g)[:, 0], np.ones(len(g), dtype=bool))
    return tools.also(
        tools.up_to(ratio, np.log(2) / (2 * g + 1)), np.abs(np.log(engine / alone)), nine
    )


_large_draws = drawn(
    n1=whole(1e6, 1e12),
    n2=whole(1, 1e12),
    smoothness=even(0.51, 5),
    epsilon1=logs(1e-6, 10),
    room=logs(1, 1e8),
)


def _negligible_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw a server with a million records or more, and one that leaves (9) some room, or none."""
    out = _large_draws(generator, number)
    g, n = out["smoothness"], out["n1"]
    epsilon = np.maximum(out["epsilon1"], 1.01 / n)
    left = np.minimum((n * epsilon) ** 2, n ** ((2 * g + 2) / (2 * g + 1)))
    room = np.where(generator.uniform(size=number) < 0.3, 1 + 1e-9, out.pop("room"))
    return out | {"epsilon1": epsilon, "epsilon2": np.sqrt(left / room) / out["n2"]}


@CHECKS.add(_negligible_draws, "in log D beyond its bounds", number=2000)
def _negligible(draws: Draws, form: Form) -> Array:
    """Printed: D is within 1% of D*. Reading: within (1 + 1/t)^(1/(2g+1)), t the room in (9)."""
    private, free, g = _star(draws)
    n, epsilon, _, D = tools.solved(draws)
    room = np.maximum(_nine(n, epsilon, g)[:, 0], 0)
    most = np.log1p(np.exp(-room)) / (2 * g + 1) if form == "reading" else np.log(1.01)
    gap = tools.up_to(np.log(D / np.minimum(private, free)), most)
    return tools.also(gap, tools.miss(n, epsilon, g, D))


@CHECKS.add(_star_draws, "in the log of the rate beyond its bounds", constants=True)
def _fourth(draws: Draws, form: Form) -> Array:
    """The sum of both terms over D^(-2g): between 1 and 2^(1 + 2g/(2g+1))."""
    private, free, g = _star(draws)
    D = tools.solved(draws)[-1]
    ratio = np.log((private ** (-2 * g) + free ** (-2 * g)) * D ** (2 * g))
    return tools.up_to(ratio, np.log(2) * (1 + 2 * g / (2 * g + 1)))


def _fourth_delta_draws(generator: np.random.Generator, number: int) -> Draws:
    out = _star_draws(generator, number)
    corner = generator.uniform(size=number) < 0.2
    g = np.where(corner, 0.51, out["smoothness"])
    elbow = np.where(corner, 0.5 * out["n1"] ** (0.5 / (2 * g + 1) - 0.5), out["epsilon1"])
    keep = elbow > 1 / out["n1"]
    scale = np.where(keep, elbow / out["epsilon1"], 1.0)
    out = tools.with_budgets(out, np.minimum(scale, 1.0))
    return out | {"smoothness": np.where(corner & keep, 0.51, out["smoothness"])}


@CHECKS.add(_fourth_delta_draws, "in log D above its bound", constants=True)
def _fourth_delta(draws: Draws, form: Form) -> Array:
    """D under (9) is at most sqrt(2) (n* eps*)^(2/3), so the printed base is sqrt(2) times ours."""
    n, epsilon, g, D = tools.solved(draws)
    bound = np.sqrt(2) * (n[:, 0] * epsilon[:, 0]) ** (2 / 3)
    return tools.also(np.log(np.maximum(D, 1) / bound), tools.miss(n, epsilon, g, D))


def _cap_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw under (9) without asking epsilon* > 1/n*."""
    out = _star_draws(generator, number)
    return tools.with_budgets(out, 10 ** -generator.uniform(0, 6, number))


@CHECKS.add(_cap_draws, "in the log of the rate beyond its bounds", constants=True)
def _cap(draws: Draws, form: Form) -> Array:
    """The printed sum of two terms, or its smaller with 1, over min(1, D^(-2g))."""
    private, free, g = _star(draws)
    D = tools.solved(draws)[-1]
    claimed = private ** (-2 * g) + free ** (-2 * g)
    if form == "reading":
        claimed = np.minimum(claimed, 1)
    rate = np.minimum(D ** (-2 * g), 1)
    return tools.up_to(np.log(claimed / rate), np.log(2) * (1 + 2 * g / (2 * g + 1)))


def _small_deltas(generator: np.random.Generator, number: int) -> Draws:
    """Draw budgets of at least 1/N; deltas either all or only one below a power of N."""
    out = tools.server_draws(generator, number, servers=2, records=(1, 1e6))
    out["n2"] = np.maximum(out["n2"], 1)
    total = out["n1"] + out["n2"]
    for j in (1, 2):
        out[f"epsilon{j}"] = total ** generator.uniform(-1, 0, number)
    power = generator.uniform(2.05, 4, number)
    all_small = generator.uniform(size=number) < 0.5
    out["delta1"] = total**-power
    out["delta2"] = np.where(all_small, out["delta1"], total ** generator.uniform(-4, -0.1, number))
    return out


@CHECKS.add(_small_deltas, "in the log of N times the sum of n delta")
def _delta_at_point(draws: Draws, form: Form) -> Array:
    """Where min or max of delta is below N^-2, the sum of n delta is to be at most 1/N."""
    n, delta = tools.column(draws, "n"), tools.column(draws, "delta")
    total = n.sum(axis=-1)
    decides = delta.min(axis=-1) if form == "printed" else delta.max(axis=-1)
    gap = np.log((n * delta).sum(axis=-1) * total)
    return np.where(decides <= total**-2.0, gap, -np.inf)


@CHECKS.add(_small_deltas, "in log delta above what Theorem 2.1 allows")
def _delta_integrated(draws: Draws, form: Form) -> Array:
    """Where the condition holds, Theorem 2.1 asks log(delta) < log(base) wherever base < 1."""
    n, epsilon, g, D = tools.solved(draws)
    delta, total = tools.column(draws, "delta"), n.sum(axis=-1)
    base = np.log(np.sqrt(n) * epsilon**2 / np.maximum(D, 1)[:, None])
    gap = np.where(base < 0, np.log(delta) - base, -np.inf).max(axis=-1)
    gap = tools.also(gap, tools.miss(n, epsilon, g, D))
    if form == "printed":
        holds = delta.min(axis=-1) <= total**-2.0
    else:
        holds = delta.max(axis=-1) <= total**-2.5
    return np.where(holds, gap, -np.inf)


def _halves_draws(generator: np.random.Generator, number: int) -> Draws:
    out = tools.server_draws(generator, number)
    small = generator.uniform(2, 4, number)
    large = small * generator.uniform(1.2, 10, number)
    alpha = 0.51 + 1 / small + generator.uniform(0, 3, number)
    n, epsilon = tools.column(out, "n"), tools.column(out, "epsilon")
    nu = alpha - 1 / large
    excess = np.maximum(-eight_margin(n, epsilon, nu), 0) * (nu + 1) / (2 * nu + 1)
    out = tools.with_budgets(out, np.exp(-excess - 1))
    return out | {"smoothness": alpha, "p_small": small, "p_large": large}


@CHECKS.add(_halves_draws, "in the log of a rate")
def _halves(draws: Draws, form: Form) -> Array:
    """Split every server in two under (8): printed, the smaller p loses more."""
    n, epsilon, alpha, _ = tools.solved(draws)
    grown = []
    for p in (draws["p_small"], draws["p_large"]):
        nu = alpha - 1 / p
        before = federated.solve_D(n, epsilon, smoothness=nu[:, None])
        after = federated.solve_D(n / 2, epsilon, smoothness=nu[:, None], count=2.0)
        grown.append(-2 * nu * np.log(after / before))
    gap = grown[1] - grown[0] if form == "printed" else grown[0] - grown[1]
    nu = alpha - 1 / draws["p_small"]
    return tools.also(gap, np.abs(grown[0] - nu / (nu + 1) * np.log(2)))


_takeover_draws = drawn(
    n=whole(10, 1e5),
    m=whole(2, 1e3),
    epsilon=logs(1e-3, 3),
    smoothness=even(0.51, 4),
    moved=even(0, 1),
)


@CHECKS.add(_takeover_draws, "in log D, or 1 for a wrong condition", number=30)
@by_row("n m epsilon smoothness moved")
def _takeover(form: Form, n: float, m: float, epsilon: float, alpha: float, t: float) -> float:
    """One of m equal servers takes over a part of the others' records: D, (8) and (9) there."""
    study = resolution.equal_servers(
        int(m), int(n), epsilon, smoothness=alpha, integrability=np.inf
    )
    found = growth.growth(study, [t])
    sizes = np.array([[n * (1 + t * (m - 1)), n * (1 - t)]])
    budget = np.full((1, 2), epsilon)
    counts = np.array([1.0, m - 1])
    D = float(np.exp(found.integrated[0]))
    total = (counts * np.minimum(tools.caps(sizes, budget), sizes * D)).sum()
    gap = abs(np.log(total) - (2 * alpha + 2) * np.log(D)) / (2 * alpha + 1)
    own, rest = tools.caps(sizes, budget)[0]
    rest *= m - 1
    last = np.log(sizes[0, 0]) * (2 * alpha + 2) / (2 * alpha + 1)
    margins = {
        "(8)": np.log(own + rest) / (2 * alpha + 2) - np.log(sizes[0, 0] * epsilon**2),
        "(9)": min(np.log(own), last) - np.log(rest),
    }
    for span, margin in margins.items():
        inside = any(
            s.condition == span and s.risk == "integrated" and s.low <= t <= s.high
            for s in found.spans
        )
        if abs(margin) > 1e-3 and inside != (margin > 0):
            gap = max(gap, 1.0)
    return float(gap)
