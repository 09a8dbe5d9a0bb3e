"""Checks of [CCV] Section 3: the series estimators, their sensitivity, noise and weights."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import erfcx, log_ndtr

from rates.answer import SeriesConstants, federated, series_equation
from rates.ledger.functions import haar
from rates.ledger.functions.laws import drawn, even, integers, logs, of, spread
from rates.numbers import gaussian
from rates.statements.checks.base import Array, Checks, Draws, Form, by_row
from rates.statements.checks.ccv import tools
from rates.study import FederatedStudy, Server

LOG_SENSITIVITY = "in the log of the sensitivity"
NOISE = "in the log of the noise over its bound"


CHECKS = Checks()


def _engine_noise(risk: str, clip: Array) -> Array:
    """Noise variance of the engine's series estimator at K = n = epsilon = 1, Haar constants.

    For the integrated risk it is that of a multiplier 1, the squared sensitivity.
    """
    study = FederatedStudy(servers=(Server(name="A", n=1, epsilon=1),), smoothness=1)
    out = []
    for tau in clip.tolist():
        constants = SeriesConstants(overlap=1, spike=1, clip=tau)
        terms, _ = series_equation(study, risk, np.zeros(1), constants)
        out.append(math.exp(-terms.log_private[0]))
    return np.array(out)


@CHECKS.add(haar.haar_draws, "in the log of a squared norm", name="father_norm", number=200)
@by_row("first_level")
def _norm(form: Form, first_level: float) -> float:
    """Log of the squared norm of a father function."""
    scale = int(first_level) + 1
    factor = 2.0**scale if form == "printed" else 2.0 ** (scale / 2)
    row = haar.father(scale, haar.midpoints(scale + 1), factor)[0]
    return abs(math.log((row**2).mean()))


def _cell_draws(generator: np.random.Generator, number: int) -> Draws:
    out = haar.haar_draws(generator, number)
    cells = 2 ** (out["last_level"] + 1)
    place = np.where(generator.uniform(size=number) < 0.2, 1 - 1e-9, generator.uniform(size=number))
    return {key: out[key] for key in ("first_level", "last_level")} | {
        "cell": np.floor(place * cells)
    }


def _lost(draws: Draws, kept) -> Array:  # type: ignore[no-untyped-def]
    """Part of the energy of a cell's indicator that the kept coefficients miss.

    By (10) with Parseval's identity the coefficients of levels l0 to L carry all of it.
    """
    out = []
    for a, b, cell in zip(*(draws[k].astype(int).tolist() for k in draws), strict=True):
        levels = haar.basis(a, b)
        energy = sum(
            (rows[: kept(a + i, i == 0), cell] ** 2).sum() for i, rows in enumerate(levels)
        )
        out.append(1 - energy / 2 ** (b + 1))
    return np.array(out)


@CHECKS.add(_cell_draws, "of the energy lost", name="father_count", number=500)
def _count(draws: Draws, form: Form) -> Array:
    def kept(level: int, is_father: bool) -> int:
        return 1 << (level + 1 if is_father and form == "reading" else level)

    return _lost(draws, kept)


@CHECKS.add(_cell_draws, "of the energy lost", number=500)
def _index(draws: Draws, form: Form) -> Array:
    def kept(level: int, is_father: bool) -> int:
        all_of_them = 1 << (level + 1 if is_father else level)
        return all_of_them - 1 if form == "printed" else all_of_them

    return _lost(draws, kept)


_laplace_draws = drawn(haar.haar_draws, epsilon=logs(1e-3, 10))


@CHECKS.add(_laplace_draws, "in the log of loss over epsilon", number=300)
def _laplace(draws: Draws, form: Form) -> Array:
    """Log of the privacy loss over epsilon, for the printed variance and for the engine's."""
    n, epsilon = draws["n"], draws["epsilon"]
    change = haar.by_levels(draws, haar.value_change) * draws["clip"] / n
    if form == "printed":
        variance = change / epsilon
    else:
        functions = 2 ** (draws["last_level"] + 1)
        variance = _engine_noise("pointwise", draws["clip"]) * (functions / (n * epsilon)) ** 2
    return np.log(change / np.sqrt(variance / 2) / epsilon)


def _log_profile(multiplier: Array, epsilon: Array) -> Array:
    """Log of the smallest delta of Gaussian noise, by its two normal probabilities."""
    t = 1 / multiplier
    first = log_ndtr(t / 2 - epsilon / t)
    second = epsilon + log_ndtr(-t / 2 - epsilon / t)
    return np.asarray(first + np.log(-np.expm1(second - first)))


_gaussian_draws = drawn(epsilon=logs(0.1, 100), delta=logs(1e-12, 1e-2))


@CHECKS.add(
    _gaussian_draws, "in the log of the actual over the promised delta", number=3000, tolerance=1e-6
)
def _gaussian(draws: Draws, form: Form) -> Array:
    epsilon, delta = draws["epsilon"], draws["delta"]
    if form == "printed":
        multiplier = gaussian.printed_multiplier(epsilon, delta, gaussian.CCV_PRINTED)
    else:
        multiplier = gaussian.analytic_multiplier(epsilon, delta)
    actual = _log_profile(multiplier, epsilon)
    engine = np.abs(np.log(gaussian.delta_of(multiplier, epsilon)) - actual)
    return np.maximum(actual - np.log(delta), np.where(engine > 1e-6, engine, -np.inf))


def _moderate_draws(generator: np.random.Generator, number: int) -> Draws:
    delta = spread(generator, 1e-12, 1e-2, number)
    most = 2 * np.log(8 / delta)
    share = np.where(generator.uniform(size=number) < 0.2, 1.0, generator.uniform(size=number))
    return {"epsilon": np.maximum(most * share, 0.1), "delta": delta}


@CHECKS.add(_moderate_draws, "in the log of the actual over the promised delta", number=3000)
def _moderate(draws: Draws, form: Form) -> Array:
    multiplier = gaussian.printed_multiplier(draws["epsilon"], draws["delta"], gaussian.CCV_PRINTED)
    noise = np.sqrt(4 * np.log(2 / draws["delta"])) / draws["epsilon"]
    engine = np.log(gaussian.delta_of(multiplier, draws["epsilon"]))
    return tools.also(
        engine - np.log(draws["delta"]),
        np.abs(engine - _log_profile(noise, draws["epsilon"])),
    )


def _weight_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw servers and a level; a fifth of the sets attain 9/8."""
    out = tools.server_draws(generator, number)
    level = generator.integers(1, 12, number).astype(float)
    corner = generator.uniform(size=number) < 0.2
    elbow = np.sqrt(2**level / out["n1"])
    out = tools.put(out, corner, n2=out["n1"], epsilon1=elbow, epsilon2=1e6, n3=0.0, n4=0.0)
    del out["smoothness"]
    return out | {"level": level}


@CHECKS.add(_weight_draws, "in the log of a variance over its bound", constants=True)
def _weights(draws: Draws, form: Form) -> Array:
    """Variance with the weights (13) over the smallest one, at most 9/8."""
    n, epsilon, x = tools.column(draws, "n"), tools.column(draws, "epsilon"), 2 ** draws["level"]
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = 1 / n + x[:, None] / (n * epsilon) ** 2
    v = tools.contributions(n, epsilon, x)
    used = np.where(n > 0, v**2 * np.where(n > 0, variance, 0), 0).sum(axis=-1)
    used = used / v.sum(axis=-1) ** 2
    best = 1 / (1 / variance).sum(axis=-1)
    return tools.up_to(np.log(used / best), math.log(9 / 8))


def _near_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw servers; a fifth of the sets are one server at its elbow."""
    out = tools.server_draws(generator, number)
    corner = generator.uniform(size=number) < 0.2
    elbow = out["n1"] ** (0.5 / (2 * out["smoothness"] + 1) - 0.5)
    return tools.put(out, corner, epsilon1=elbow, **tools.NOBODY)


@CHECKS.add(_near_draws, "in the log of a variance over its bound", constants=True)
def _weighted(draws: Draws, form: Form) -> Array:
    """Variance of the weighted estimate at 2^L = D, over D^(-2g): between 1 and 2."""
    n, epsilon, g, D = tools.solved(draws)
    v = tools.contributions(n, epsilon, D)
    u = v / v.sum(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        each = D[:, None] / n + (D[:, None] / (n * epsilon)) ** 2
    variance = np.where(n > 0, u**2 * np.where(n > 0, each, 0), 0).sum(axis=-1)
    return tools.also(
        tools.up_to(np.log(variance * D ** (2 * g)), math.log(2)), tools.miss(n, epsilon, g, D)
    )


def _tiny_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw two servers with D on both sides of 1, a fifth of them just above a power of two."""
    ranges = {"budget": (1e-8, 10), "smoothness": (0.51, 0.99)}
    out = tools.server_draws(generator, number, servers=2, **ranges)
    corner = generator.uniform(size=number) < 0.2
    D = 2.0 ** generator.integers(1, 5, number) * 1.0001
    budget = D ** (out["smoothness"] + 1) / 1e9
    for j in (1, 2):
        out[f"delta{j}"] = spread(generator, 1e-12, 1e-2, number)
    return tools.put(out, corner, n1=1e9, epsilon1=budget, n2=0.0, delta1=1e-9, delta2=1e-9)


@CHECKS.add(_tiny_draws, NOISE, risk="integrated", number=3000, constants=True)
@CHECKS.add(
    _tiny_draws, NOISE, name="noise_at_point", risk="pointwise", number=3000, constants=True
)
def _noise(draws: Draws, form: Form, risk: str) -> Array:
    """Noise variance of the protocol over the right side of the theorem, over the proved bound.

    Both over tau², which the theorem's log(N) stands for.
    """
    n, epsilon, g, D = tools.solved(draws)
    levels = [federated.resolution_level(x) for x in np.log(D).tolist()]
    level = np.maximum(np.array(levels, dtype=float), 1.0)  # l0 = 0
    x = 2.0**level
    v = tools.contributions(n, epsilon, x)
    u = v / v.sum(axis=-1, keepdims=True)
    per_server = np.where(n > 0, u**2 / np.where(n > 0, tools.caps(n, epsilon), 1), 0)
    if risk == "integrated":
        logs = np.log(2 / tools.column(draws, "delta"))
        variance = 64 * x**2 * (per_server * logs).sum(axis=-1)  # 2^(L+1) coefficients
        right: Array | float = np.where(n > 0, logs, 0).max(axis=-1)
        power = 2 * g + 8
    else:
        variance = 32 * x**2 * per_server.sum(axis=-1)
        right, power = 1.0, 2 * g + 7
    gap = np.log(variance / right) + 2 * g * level * math.log(2) - power * math.log(2)
    gap = tools.also(gap, tools.miss(n, epsilon, g, D))
    return gap if form == "printed" else np.where(D >= 1, gap, -np.inf)


def _bias_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw a class and a function of it: 2^(l s) equal coefficients on every level l > L."""
    p = spread(generator, 2, 50, number)
    concentrated = generator.uniform(size=number)
    ends = generator.uniform(size=number)
    concentrated = np.where(ends < 0.2, 0.0, np.where(ends > 0.8, 1.0, concentrated))
    return {
        "integrability": p,
        "smoothness": 0.5 + 1 / p + generator.uniform(0.01, 3, number),
        "radius": spread(generator, 0.1, 10, number),
        "level": generator.integers(1, 20, number).astype(float),
        "filled": concentrated,
    }


def _coefficients(draws: Draws) -> tuple[Array, Array, Array]:
    """Levels above L, how many coefficients are not zero there, and their size."""
    p, alpha, R = (draws[k][:, None] for k in ("integrability", "smoothness", "radius"))
    level = draws["level"][:, None] + np.arange(1, 81)
    filled = level * draws["filled"][:, None]
    size = R * 2 ** (-level * (alpha + 0.5 - 1 / p) - filled / p)
    return level, filled, size


@CHECKS.add(_bias_draws, "in the log of the bias over its bound", number=1000, constants=True)
def _bias(draws: Draws, form: Form) -> Array:
    """Energy above level L over R² 2^(-2 L alpha) / (4^alpha - 1)."""
    _, filled, size = _coefficients(draws)
    energy = (2**filled * size**2).sum(axis=-1)
    alpha, R, L = draws["smoothness"], draws["radius"], draws["level"]
    return np.asarray(np.log(energy / (R**2 * 2 ** (-2 * L * alpha) / (4**alpha - 1))))


@CHECKS.add(_bias_draws, "in the log of the bias over its bound", number=1000, constants=True)
def _bias_at_point(draws: Draws, form: Form) -> Array:
    """Square of the tail at a point over (R 2^(-L nu) / (2^nu - 1))²; one function per level."""
    level, _, size = _coefficients(draws)
    tail = (2 ** (level / 2) * size).sum(axis=-1)
    nu = draws["smoothness"] - 1 / draws["integrability"]
    bound = draws["radius"] * 2 ** (-draws["level"] * nu) / (2**nu - 1)
    return np.asarray(2 * np.log(tail / bound))


_clip_draws = drawn(
    bound=logs(0.1, 10),
    value=of("bound", even(-1, 1)),
    smoothness=even(0.51, 5),
    level=integers(1, 31),
)


def _excess(t: Array) -> Array:
    """Mean of (xi - t)_+ for a standard normal xi."""
    mills = math.sqrt(math.pi / 2) * erfcx(t / math.sqrt(2))
    return np.asarray(np.exp(-t * t / 2) / math.sqrt(2 * math.pi) * (1 - t * mills))


@CHECKS.add(_clip_draws, "in the log of the squared bias")
def _clip(draws: Draws, form: Form) -> Array:
    """Log of the squared bias that clipping makes, over 2^(-2 L alpha)."""
    a, L, f = draws["smoothness"], draws["level"], draws["value"]
    tau = draws["bound"] + np.sqrt((2 * a + 1) * L)
    bias = np.abs(_excess(tau + f) - _excess(tau - f))
    return 2 * np.log(np.maximum(bias, 1e-300)) + 2 * L * a * math.log(2)


CHECKS["kernel"] = haar.TESTS["kernel"]  # type: ignore[assignment]
CHECKS["third_one"] = haar.TESTS["vector_change"]  # type: ignore[assignment]
CHECKS["third_three"] = haar.TESTS["value_change"]  # type: ignore[assignment]
