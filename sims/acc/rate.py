r"""One kernel classifier on one world, along a sweep or at a study's own servers.

Two experiments ask whether a private kernel classifier follows the rate. They run on the
asymmetric cusp, where the risk is known without simulation and follows the calibrated rate to
about one percent once the classifier errs only near the boundary.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rates import numbers
from rates.answer import TransferAnswer, calibrated, noise_multipliers, solve
from rates.study import Server, TransferStudy
from sims import engine
from sims.acc import kernel
from sims.acc.lattice import RECORDS, Lattice, excess_risks, make_lattice
from sims.acc.risk import lattice_risk
from sims.acc.worlds import Cusp, study_on
from sims.engine import Array, Choice, Number, Numbers, Point, Values, generators

WORLDS = {"cusp": Cusp(), "cusp, d = 2": Cusp(dimension=2)}
BORDER = 0.01  # share of the risk near the border from which a point counts as saturated
SATURATED = (
    "saturated: the classifier still errs at the border of the unit cube, where the rate, "
    "a statement about the neighbourhood of the boundary, cannot show"
)
PRIVACY = (
    "Each server releases one statistic with a joint Gaussian noise path; the release is "
    "(epsilon, delta)-differentially private under replacement of one record. Noise "
    '"analytic" is the exact calibration; "printed" is the paper\'s constant, which fails '
    "for large epsilon (above about 8)."
)
MECHANISM = Choice(
    name="mechanism",
    options=numbers.MECHANISMS,
    default="analytic",
    help="Noise of the exact calibration, or with the constant printed in the paper.",
)
WORLD = Choice(
    name="world",
    options=tuple(WORLDS),
    default="cusp",
    help="The asymmetric cusp in one dimension, or in two with a straight boundary.",
)
WIDTH = Number(numbers.KAPPA, 3.0)

BUDGET = numbers.EPSILON.within("(0, inf]")
GAMMA = numbers.SIGNAL_EXPONENT.within(
    "[0.25, 4]",
    name="gamma",
    help=numbers.SIGNAL_EXPONENT.help + " Not used if the target is alone.",
)
Rule = Literal["matched", "printed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A study on a world, with how bandwidth and weights are chosen.

    Attributes:
        world: The cusp; the study's smoothness, dimension and margin are the world's.
        study: The servers.
        mechanism: Noise, "printed" or "analytic".
        kappa: Bandwidth over r.
        rule: "matched" takes h = κ r of the mechanism's own equation and weights with its
            constants; "printed" takes h from (11) and weights (12) as they stand.
    """

    world: Cusp
    study: TransferStudy
    mechanism: numbers.Mechanism = "analytic"
    kappa: float = 3.0
    rule: Rule = "matched"

    @classmethod
    def asked(cls, values: Values, servers: Sequence[Server], rule: Rule = "matched") -> Trial:
        """Return the trial of these servers, target first, with the rest as asked."""
        world = WORLDS[values.word("world")]
        return cls(
            world=world,
            study=study_on(world, servers),
            mechanism=values.among("mechanism", numbers.MECHANISMS),
            kappa=values.number("kappa"),
            rule=rule,
        )

    @property
    def bandwidth(self) -> float:
        """The bandwidth h, before it is rounded to the mesh."""
        if self.rule == "printed":
            return kernel.oracle_bandwidth(self.study)
        return _answer(self).bandwidth or math.nan

    @property
    def rate(self) -> float:
        """The theory's r^(β(1+α)), uncapped: of the mechanism, or of equation (5)."""
        if self.rule == "printed":
            return solve(self.study).rate_uncapped
        return _answer(self).rate_uncapped

    def pools(self, bandwidth: float) -> tuple[kernel.Group, ...]:
        """Pool the servers of each row."""
        if self.rule == "printed":
            weights = kernel.oracle_weights(self.study, bandwidth)
        else:
            weights = kernel.matched_weights(self.study, bandwidth, self.mechanism)
        return row_pools(self.study, weights, self.mechanism)


@lru_cache(maxsize=128)
def _answer(trial: Trial) -> TransferAnswer:
    """The calibrated equation's answer, kept as bandwidth and rate both ask for it."""
    return calibrated(trial.study, mechanism=trial.mechanism, kappa=trial.kappa)


def row_pools(
    study: TransferStudy, weights: Sequence[float], mechanism: numbers.Mechanism
) -> tuple[kernel.Group, ...]:
    """Pool the servers of each row, with the row's weight: their mean is that of all records."""
    # One multiplier for all servers of a row: they have the same budget.
    multipliers, _ = noise_multipliers(tuple(study.servers), mechanism, numbers.ACC_PRINTED)
    return tuple(
        kernel.Group(
            n=row.n,
            m=row.count,
            gamma=row.signal_exponent,
            multiplier=multiplier,
            weight=weight,
        )
        for row, weight, multiplier in zip(study.servers, weights, multipliers, strict=True)
        if weight > 0
    )


@lru_cache(maxsize=128)
def lattice_of(trial: Trial) -> Lattice:
    """Return the mesh on which a trial is simulated, and on which its risk is computed.

    Raises:
        DomainError: The trial is larger than a simulation carries, or a delta is missing.
    """
    return make_lattice(trial.world, trial.pools, trial.bandwidth)


def point_of(trial: Trial, *, series: str, x: float, settings: Values) -> Point:
    """Return a point with its rate, its exact risk, and whether it is saturated."""
    lattice = lattice_of(trial)
    exact = lattice_risk(lattice)
    return Point(
        series=series,
        x=x,
        theory=trial.rate,
        exact=None if math.isnan(exact) else exact,
        settings=settings,
        left_out=SATURATED if lattice.border > BORDER else "",
    )


def sample_of(trial: Trial, point: Point, seed: int, indices: range) -> Array:
    """Return one exact excess risk per replicate index."""
    return excess_risks(lattice_of(trial), generators(seed, point.key, indices=indices))


# Along a sweep: "classification-rate" ------------------------------------------------------------

SIZES = (3e3, 1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7, 3e7, 1e8)
_N = numbers.SAMPLE_SIZE.within(
    "1, ..., 1e12",
    help="Records per server: of the target if it is alone, else of each source. With sweep m "
    "it is the total, split evenly over the sources.",
)
_M = numbers.COUNT.within(
    "1, ..., 1e9",
    name="m",
    symbol="m",
    help="Number of identical sources; not used if the target is alone.",
)
_TARGET = _N.within(
    "1, ..., 1e12", name="n0", help="Records of the target where it takes part beside the sources."
)


def rate_trial(at: Values) -> Trial:
    """Return the trial of one point of "classification-rate": its own numbers among the values."""
    epsilon, delta, who = at.number("epsilon"), at.number("delta"), at["servers"]
    # A target that takes no part is one without records: a study always has one.
    size = {"target": "n", "both": "n0"}.get(at.word("servers"))
    servers = [Server(name="target", n=at.whole(size) if size else 0, epsilon=epsilon, delta=delta)]
    if who != "target":
        m = at.whole("m")
        servers.append(
            Server(
                name="sources",
                # Along m all records together stay as they are.
                n=at.whole("n") // (m if at["sweep"] == "m" else 1),
                epsilon=epsilon,
                delta=delta,
                signal_exponent=at.number("gamma"),
                count=m,
            )
        )
    return Trial.asked(at, servers)


def rate_sweep(values: Values) -> engine.Sweep:
    """Return what runs along the axis of "classification-rate", and what makes the series."""
    used = {
        "target": ("epsilon", "n"),
        "sources": ("gamma", "epsilon", "m", "n"),
        "both": ("gamma", "epsilon", "n0", "m", "n"),
    }[values.word("servers")]
    if values["sweep"] not in used:
        rule = "The number of sources can only be swept where sources take part."
        raise numbers.DomainError(rule, field="sweep", value=values["sweep"])
    return engine.Sweep.of(values, used).possible("source")


def rate_points(values: Values) -> tuple[Point, ...]:
    """Return the points of the experiment "classification-rate"."""
    sweep = rate_sweep(values)
    return tuple(
        point_of(
            rate_trial(values.changed(**at)),
            series=sweep.label(at),
            x=at.number(sweep.name),
            settings=at,
        )
        for at in sweep.settings()
    )


def rate_spent(values: Values) -> tuple[engine.Spent, ...]:
    """Return what a release of "classification-rate" guarantees, one entry per finite budget."""
    budgets = [(epsilon, values.number("delta")) for epsilon in values.numbers("epsilon")]
    return engine.each_spent(budgets, values.among("mechanism", numbers.MECHANISMS))


def rate_sample(values: Values, point: Point, seed: int, indices: range) -> Array:
    """Return excess risks of the experiment "classification-rate"."""
    return sample_of(rate_trial(values.changed(**point.settings)), point, seed, indices)


def asymptotic_slopes(values: Values) -> dict[str, engine.Exponents]:
    r"""Return the exponents of [ACC] (4) per series; empty where target and sources mix.

    .. math:: (mn)^{-B/(2\beta\gamma+d)}, \qquad (m n^2\varepsilon^2)^{-B/(2\beta\gamma+2d)},
        \qquad B = \beta(1+\alpha).

    Source: [ACC] eq. (4), Remarks 3.1, 3.2.
    """
    if values["servers"] == "both":
        return {}  # a sum of two terms has no one slope
    world, sweep = WORLDS[values.word("world")], rate_sweep(values)
    beta, d, power = world.smoothness, world.dimension, engine.POWERS[sweep.name]
    out = {}
    for at in sweep.ends():
        gamma = at.number("gamma") if "gamma" in sweep.axes else 1.0
        bg, top = beta * gamma, beta * (1.0 + world.margin)
        private = math.isfinite(at.number("epsilon"))
        out[sweep.label(at)] = engine.Exponents(
            sampling=-top * power[0] / (2.0 * bg + d),
            privacy=-top * power[1] / (2.0 * bg + 2.0 * d) if private else None,
        )
    return out


RATE = engine.Experiment(
    name="classification-rate",
    question="Does a real private classifier follow the rate?",
    help=(
        "The kernel classifier with a product triangular kernel on the asymmetric cusp, at "
        "bandwidth kappa times r and with weights matched to the mechanism. The risk is the "
        "exact integral; theory is the calibrated rate, whose constant is fitted per curve."
    ),
    x_label="n, epsilon or m",
    y_label="excess risk (probability)",
    privacy=PRIVACY,
    parameters=(
        Choice(
            name="sweep",
            options=("n", "epsilon", "m"),
            default="n",
            help="What runs along the axis; the lists of the others make the series.",
        ),
        Choice(
            name="servers",
            options=("target", "sources", "both"),
            default="target",
            help="Who releases: the target alone, the sources alone, or both.",
        ),
        WORLD,
        Numbers(_N, SIZES),
        Numbers(BUDGET, (math.inf, 1.0, 0.1)),
        Numbers(_M, (1.0,)),
        Numbers(GAMMA, (1.0,)),
        Numbers(_TARGET, (1e4,)),
        Number(numbers.DELTA, 1e-6),
        MECHANISM,
        WIDTH,
    ),
    points=rate_points,
    sample=rate_sample,
    block=32,
    first=2,
    slopes=True,
)


# A study's own servers: "classification-study" --------------------------------------------------

_FACTOR = BUDGET.within(
    "(0, inf)", name="factor", help="Multiplies every finite budget; 1 is the study as it stands."
)
_LISTS = {
    "n": numbers.SAMPLE_SIZE,
    "epsilon": numbers.EPSILON,
    "delta": numbers.DELTA,
    "gamma": GAMMA,
    "count": numbers.COUNT,
}


def study_values(study: TransferStudy) -> tuple[Values, str]:
    """Return a study's rows as parameters of "classification-study", and what was capped.

    A simulation carries at most 1e15 records of one row; a larger row is cut to that. A
    missing delta becomes `rates.answer.mechanism.offered_delta`.

    Raises:
        DomainError: The study has more rows than the experiment takes.
    """
    return engine.rows_of(study, tuple(_LISTS), RECORDS)


def study_trial(values: Values, factor: float, rule: Rule) -> Trial:
    """Return the trial of one point of the experiment "classification-study"."""
    return Trial.asked(values, engine.servers_from(values, tuple(_LISTS), factor), rule)


def study_spent(values: Values) -> tuple[engine.Spent, ...]:
    """Return what a row's release guarantees, one entry per finite budget and delta."""
    budgets = [
        (row.epsilon, row.delta or 0.0)
        for factor in values.numbers("factor")
        for row in study_trial(values, factor, "matched").study.servers
    ]
    return engine.each_spent(budgets, values.among("mechanism", numbers.MECHANISMS))


RULES: dict[str, Rule] = {
    "mechanism's own equation": "matched",
    "paper's bandwidth (11) and weights (12)": "printed",
}


def study_points(values: Values) -> tuple[Point, ...]:
    """Return the points of "classification-study": two ways to choose h and the weights."""
    return tuple(
        point_of(
            study_trial(values, factor, rule),
            series=series,
            x=factor,
            settings=Values(factor=factor),
        )
        for series, rule in RULES.items()
        for factor in values.numbers("factor")
    )


def study_sample(values: Values, point: Point, seed: int, indices: range) -> Array:
    """Return excess risks of the experiment "classification-study"."""
    return sample_of(study_trial(values, point.x, RULES[point.series]), point, seed, indices)


STUDY = engine.Experiment(
    name="classification-study",
    question="What would the classifier of this study do on a world that is known?",
    help=(
        "The study's own sizes, budgets and signal exponents on the cusp, whose smoothness and "
        "margin replace the study's. One series takes bandwidth and weights from the "
        "mechanism's own equation and stands beside that rate, the other takes them from the "
        "paper's (11) and (12) and stands beside the rate of (5)."
    ),
    x_label="factor on every budget",
    y_label="excess risk (probability)",
    privacy=PRIVACY,
    parameters=(
        WORLD,
        Numbers(numbers.SAMPLE_SIZE, (142.0, 303.0, 141.0, 116.0), most=engine.MOST_ROWS),
        Numbers(numbers.EPSILON, (1.0,), most=engine.MOST_ROWS),
        Numbers(numbers.DELTA, (1e-6,), most=engine.MOST_ROWS),
        Numbers(GAMMA, (1.0, 0.8, 0.8, 0.8), most=engine.MOST_ROWS),
        Numbers(numbers.COUNT, (1.0,), most=engine.MOST_ROWS),
        Numbers(_FACTOR, (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)),
        MECHANISM,
        WIDTH,
    ),
    points=study_points,
    sample=study_sample,
)
