"""Checks of [CCV] (4), (5), (7) and Corollaries 1 and 2: equal servers."""

from __future__ import annotations

import numpy as np

from rates.answer import cost, federated
from rates.ledger.functions.laws import drawn, even, logs, spread, whole
from rates.resolution import corollaries, resolution
from rates.statements.checks.base import Array, Checks, Draws, Form
from rates.statements.checks.ccv import tools
from rates.study import FederatedStudy

LOG_D = "in log D"
LOG_RATE = "in the log of a rate"
FEW = 20  # draws for which scalar functions of the engine are called as well


CHECKS = Checks()


def solve_alike(n: Array, m: Array, epsilon: Array, g: Array) -> Array:
    """The engine's root for m servers with n records each."""
    column = (x[:, None] for x in (n, epsilon, g, m))
    size, budget, smoothness, count = column
    return federated.solve_D(size, budget, smoothness=smoothness, count=count)


def alike_studies(draws: Draws) -> list[FederatedStudy]:
    """Build the study of each set of equal servers."""
    rows = zip(*(draws[key].tolist() for key in draws), strict=True)
    named = [dict(zip(draws, row, strict=True)) for row in rows]
    return [
        resolution.equal_servers(
            int(x["m"]),
            int(x["n"]),
            x["epsilon"],
            smoothness=x["smoothness"],
            integrability=x["integrability"],
        )
        for x in named
    ]


def _two_terms(draws: Draws, g: Array, rate: Array) -> Array:
    """Compare min(sum of both terms, 1) with a rate: its log is between 0 and log 2 above."""
    n, m, epsilon = draws["n"], draws["m"], draws["epsilon"]
    private = (m * n**2 * epsilon**2) ** (-2 * g / (2 * g + 2))
    free = (m * n) ** (-2 * g / (2 * g + 1))
    return tools.up_to(np.log(np.minimum(private + free, 1) / rate), np.log(2))


@CHECKS.add(tools.alike_draws, LOG_RATE + " beyond a factor of 2", constants=True)
def _integrated(draws: Draws, form: Form) -> Array:
    g = draws["smoothness"]
    D = solve_alike(draws["n"], draws["m"], draws["epsilon"], g)
    return _two_terms(draws, g, np.minimum(D ** (-2 * g), 1))


@CHECKS.add(tools.besov_draws, LOG_RATE + " beyond a factor of 2", number=60, constants=True)
def _at_point(draws: Draws, form: Form) -> Array:
    answers = [federated.solve(study).pointwise for study in alike_studies(draws)]
    return _two_terms(draws, tools.pointwise(draws), np.array([a.rate for a in answers]))


_factor_draws = drawn(tools.alike_draws, factor=logs(0.01, 100))


@CHECKS.add(_factor_draws, LOG_D, number=3000)
def _attained(draws: Draws, form: Form) -> Array:
    """At `factor` times the elbow D is that of no privacy, or below it by a power of the budget."""
    n, m, g = draws["n"], draws["m"], draws["smoothness"]
    elbow = corollaries.elbow(n, m, smoothness=g)
    at = {"n": n, "m": m, "epsilon": draws["factor"] * elbow}
    lost = np.log(tools.alike_root(at, g)) - np.log(m * n) / (2 * g + 1)
    gap = np.abs(lost - np.minimum(np.log(draws["factor"]) / (g + 1), 0))
    for i in range(min(len(n), FEW)):  # the page's own curve bends at the same budget
        study = resolution.equal_servers(
            int(m[i]), int(n[i]), 1.0, smoothness=float(g[i]), integrability=np.inf
        )
        found = resolution.along(study, "budget", [1.0]).integrated.elbow
        gap[i] = max(gap[i], abs(np.log(found / elbow[i])))
    return gap


def _consistency_draws(generator: np.random.Generator, number: int) -> Draws:
    out = _factor_draws(generator, number)
    return {key: out[key] for key in ("n", "m", "smoothness", "factor")}


@CHECKS.add(_consistency_draws, "in log D beyond 0")
def _consistency(draws: Draws, form: Form) -> Array:
    """At `factor` times the threshold the rate is 1 below, and less than 1 above."""
    n, m, g, factor = (draws[key] for key in ("n", "m", "smoothness", "factor"))
    threshold = 1 / np.sqrt(m * n) if form == "printed" else 1 / (np.sqrt(m) * n)
    log_D = np.log(solve_alike(n, m, factor * threshold, g))
    return np.where(factor <= 1, log_D, -log_D)


_local_draws = drawn(m=whole(1, 1e9), epsilon=logs(1e-3, 1), smoothness=even(0.51, 5))


@CHECKS.add(_local_draws, LOG_RATE)
def _local(draws: Draws, form: Form) -> Array:
    m, epsilon, g = draws["m"], draws["epsilon"], draws["smoothness"]
    rate = np.minimum(solve_alike(np.ones_like(m), m, epsilon, g) ** (-2 * g), 1)
    return np.abs(np.log(rate / np.minimum((m * epsilon**2) ** (-2 * g / (2 * g + 2)), 1)))


def _spread_draws(generator: np.random.Generator, number: int) -> Draws:
    m = np.round(spread(generator, 1, 1e4, number))
    return {
        "total": m * np.round(spread(generator, 1e2, 1e6, number)),
        "servers_before": m,
        "servers_after": m * generator.uniform(1, 100, number),
        "epsilon": spread(generator, 1e-4, 10, number),
        "smoothness": generator.uniform(0.51, 5, number),
    }


@CHECKS.add(_spread_draws, LOG_D, number=2000)
def _spread(draws: Draws, form: Form) -> Array:
    """Spread a fixed total over more servers: D never grows, and is the root of (6) each time."""
    total, epsilon, g = draws["total"], draws["epsilon"], draws["smoothness"]
    logs, gap = [], np.zeros_like(g)
    for m in (draws["servers_before"], draws["servers_after"]):
        log_D = np.log(solve_alike(total / m, m, epsilon, g))
        independent = tools.alike_root({"n": total / m, "m": m, "epsilon": epsilon}, g)
        gap = np.maximum(gap, np.abs(log_D - np.log(independent)))
        logs.append(log_D)
    return np.asarray(np.maximum(gap, logs[1] - logs[0]))


@CHECKS.add(tools.besov_draws, LOG_RATE)
def _free(draws: Draws, form: Form) -> Array:
    n, m, nu = draws["n"], draws["m"], tools.pointwise(draws)
    rate = -2 * nu * np.log(solve_alike(n, m, np.full_like(n, np.inf), nu))
    return np.abs(rate + 2 * nu / (2 * nu + 1) * np.log(m * n))


@CHECKS.add(tools.besov_draws, LOG_RATE, number=2000)
def _slower(draws: Draws, form: Form) -> Array:
    """The risk at a point is never below the integrated risk; both agree at p = inf."""
    n, m, epsilon, alpha = (draws[key] for key in ("n", "m", "epsilon", "smoothness"))
    nu = tools.pointwise(draws)
    rates = [-2 * g * np.log(solve_alike(n, m, epsilon, g)) for g in (alpha, nu)]
    below = np.minimum(rates[0], 0) - np.minimum(rates[1], 0)
    independent = -2 * nu * np.log(tools.alike_root(draws, nu))
    return np.asarray(np.maximum(below, np.abs(rates[1] - independent)))


@CHECKS.add(tools.besov_draws, LOG_RATE, number=40)
def _holder(draws: Draws, form: Form) -> Array:
    """At p = inf both answers are one, and no budget separates them."""
    gap = []
    open_ = {key: draws[key] for key in draws if key != "integrability"}
    for study in alike_studies(open_ | {"integrability": np.full_like(draws["n"], np.inf)}):
        answer = federated.solve(study)
        n, m = float(study.servers[0].n), float(study.servers[0].count)
        found = corollaries.window(n, m, smoothness=study.smoothness, integrability=np.inf)
        differs = abs(answer.integrated.log_rate - answer.pointwise.log_rate)
        gap.append(differs if found is None else 1.0)
    D = np.array([federated.solve(s).pointwise.D for s in alike_studies(draws)])
    independent = tools.alike_root(draws, tools.pointwise(draws))
    return np.asarray(np.maximum(np.array(gap), np.abs(np.log(D / independent))))


@CHECKS.add(tools.alike_draws, LOG_D, number=3000)
@CHECKS.add(tools.besov_draws, LOG_D, name="closed_form_at_point", number=3000)
def _closed_form(draws: Draws, form: Form) -> Array:
    g = tools.pointwise(draws)
    n, m, epsilon = draws["n"], draws["m"], draws["epsilon"]
    D = corollaries.homogeneous_D(n, m, epsilon, smoothness=g)
    root = tools.alike_root(draws, g)
    return np.maximum(
        np.abs(np.log(D / root)), np.abs(np.log(solve_alike(n, m, epsilon, g) / root))
    )


@CHECKS.add(tools.alike_draws, "in the log of the factor", number=3000)
def _cost(draws: Draws, form: Form) -> Array:
    """Compare the printed factor with the ratio of the roots, and the engine with both."""
    g = tools.pointwise(draws)
    n, m, epsilon = draws["n"], draws["m"], draws["epsilon"]
    factor = (m ** (1 / (2 * g + 1)) * n ** (-2 * g / (2 * g + 1)) / epsilon**2) ** (g / (g + 1))
    ratio = -2 * g * np.log(tools.alike_root(draws, g) / (m * n) ** (1 / (2 * g + 1)))
    engine = np.log(corollaries.privacy_cost(n, m, epsilon, smoothness=g))
    private = n * epsilon**2 < (m * n) ** (1 / (2 * g + 1))
    printed = np.where(private, np.abs(np.log(factor) - ratio), 0.0)
    return np.maximum(printed, np.abs(engine - ratio))


@CHECKS.add(tools.besov_draws, "in the log of the factor", number=3000)
def _cost_at_point(draws: Draws, form: Form) -> Array:
    """The same at a point; the study page's ratio of rates is one more witness."""
    gap = _cost(draws, form)
    few = {key: values[:FEW] for key, values in draws.items()}
    factor = -2 * tools.pointwise(few) * np.log(tools.alike_root(few, tools.pointwise(few)))
    factor += (
        2 * tools.pointwise(few) * np.log(few["m"] * few["n"]) / (2 * tools.pointwise(few) + 1)
    )
    for i, study in enumerate(alike_studies(few)):
        answers = (federated.solve(study), federated.solve(study.unprotected()))
        found = cost.setback(answers[0].pointwise, answers[1].pointwise).rate_ratio
        gap[i] = max(gap[i], abs(np.log(found) - factor[i]))
    return gap


@CHECKS.add(tools.alike_draws, "in log D above log sqrt(mn)", number=3000)
def _delta(draws: Draws, form: Form) -> Array:
    """Log of max(D, 1) over sqrt(mn): at most 0, so that the base of Theorem 2.1 is no smaller."""
    n, m, epsilon, g = (draws[key] for key in ("n", "m", "epsilon", "smoothness"))
    D = solve_alike(n, m, epsilon, g)
    gap = np.log(np.maximum(D, 1) / np.sqrt(m * n))
    return tools.also(gap, np.abs(np.log(D / tools.alike_root(draws, g))))
