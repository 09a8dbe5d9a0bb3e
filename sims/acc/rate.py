"""The experiment "classification-rate": does a private kernel classifier follow the rate?

It runs on the asymmetric cusp, where the risk is known without simulation and follows the
calibrated rate to about one percent once the classifier errs only near the boundary.

Where the classifier's rate bends: sampling and privacy weigh the same at one server.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rates.answer import calibrated
from rates.numbers import COUNT, DELTA, MECHANISMS, SAMPLE_SIZE, DomainError, least
from rates.study import Server
from sims import engine
from sims.acc import trials
from sims.engine import Values

SIZES = (3e3, 1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7, 3e7, 1e8)
_N = SAMPLE_SIZE.within(
    "1, ..., 1e12",
    help="Records per server: of the target if it is alone, else of each source. With sweep m "
    "it is the total, split evenly over the sources.",
)
_M = COUNT.within(
    "1, ..., 1e9",
    name="m",
    symbol="m",
    help="Number of identical sources; not used if the target is alone.",
)
_TARGET = _N.within(
    "1, ..., 1e12", name="n0", help="Records of the target where it takes part beside the sources."
)


def rate_trial(at: Values) -> trials.Trial:
    """Return the trial of one point of "classification-rate": its own numbers among the values."""
    epsilon, delta, who = at.number("epsilon"), at.number("delta"), at["servers"]
    size = {"target": "n", "both": "n0"}.get(at.word("servers"))
    servers = [Server(name="target", n=at.whole(size) if size else 0, epsilon=epsilon, delta=delta)]
    if who != "target":
        m = at.whole("m")
        servers.append(
            Server(
                name="sources",
                n=at.whole("n") // (m if at["sweep"] == "m" else 1),
                epsilon=epsilon,
                delta=delta,
                signal_exponent=at.number("gamma"),
                count=m,
            )
        )
    return trials.Trial.asked(at, servers)


def rate_sweep(values: Values) -> engine.Sweep:
    """Return what runs along the axis of "classification-rate", and what makes the series."""
    used = {
        "target": ("epsilon", "n"),
        "sources": ("gamma", "epsilon", "m", "n"),
        "both": ("gamma", "epsilon", "n0", "m", "n"),
    }[values.word("servers")]
    if values["sweep"] not in used:
        rule = "The number of sources can only be swept where sources take part."
        raise DomainError(rule, field="sweep", value=values["sweep"])
    return engine.Sweep.of(values, used).possible("source")


def rate_points(values: Values) -> tuple[engine.Point, ...]:
    """Return the points of the experiment "classification-rate"."""
    sweep = rate_sweep(values)
    return tuple(
        trials.point_of(
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
    return engine.each_spent(budgets, values.among("mechanism", MECHANISMS))


def rate_sample(values: Values, point: engine.Point, seed: int, indices: range) -> engine.Array:
    """Return excess risks of the experiment "classification-rate"."""
    return trials.sample_of(rate_trial(values.changed(**point.settings)), point, seed, indices)


def asymptotic_slopes(values: Values) -> dict[str, engine.Exponents]:
    r"""Return the exponents of [ACC] (4) per series; empty where target and sources mix.

    .. math:: (mn)^{-B/(2\beta\gamma+d)}, \qquad (m n^2\varepsilon^2)^{-B/(2\beta\gamma+2d)},
        \qquad B = \beta(1+\alpha).

    Source: [ACC] eq. (4), Remarks 3.1, 3.2.
    """
    if values["servers"] == "both":
        return {}
    world, sweep = trials.WORLDS[values.word("world")], rate_sweep(values)
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
    privacy=trials.PRIVACY,
    parameters=(
        engine.Choice(
            name="sweep",
            options=("n", "epsilon", "m"),
            default="n",
            help="What runs along the axis; the lists of the others make the series.",
        ),
        engine.Choice(
            name="servers",
            options=("target", "sources", "both"),
            default="target",
            help="Who releases: the target alone, the sources alone, or both.",
        ),
        trials.WORLD,
        engine.Numbers(_N, SIZES),
        engine.Numbers(trials.BUDGET, (math.inf, 1.0, 0.1)),
        engine.Numbers(_M, (1.0,)),
        engine.Numbers(trials.GAMMA, (1.0,)),
        engine.Numbers(_TARGET, (1e4,)),
        engine.Number(DELTA, 1e-6),
        trials.MECHANISM,
        trials.WIDTH,
    ),
    points=rate_points,
    sample=rate_sample,
    block=32,
    first=2,
    slopes=True,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kink:
    """A bend of one series.

    Attributes:
        series: Which one.
        server: "target" or "sources".
        x: Where the privacy term and the sampling term of the row are equal.
    """

    series: str
    server: str
    x: float


def kinks(values: Values) -> tuple[Kink, ...]:
    r"""Return where privacy stops deciding within the swept range, for each row of each series.

    At bandwidth h the squared noise of a row equals its sampling variance,

    .. math:: \frac{\sigma_j^2}{n_j^2 h^{2d}} = \frac{V}{n_j h^d},

    where the answer of the calibrated equation turns from "privacy" to "sample". In the swept
    n, epsilon or m there is at most one such place per row; it is found by bisection.

    Source: [ACC] Corollary 3.2, eps2 and eps3, for a mechanism with its constants.
    """
    sweep = rate_sweep(values)
    swept, axis = sweep.name, sweep.axes[sweep.name]
    out = []
    for at in sweep.ends():
        if math.isinf(at.number("epsilon")):
            continue
        first, last = (_limits(at.changed(**{swept: x})) for x in (min(axis), max(axis)))
        for name in first:
            if {first[name], last[name]} == {"privacy", "sample"}:
                x = _turn(at, swept, name, max(axis), first[name])
                out.append(Kink(series=sweep.label(at), server=name, x=x))
    return tuple(out)


def _limits(at: Values) -> dict[str, str]:
    """What limits each row."""
    trial = rate_trial(at)
    answer = calibrated(trial.study, mechanism=trial.mechanism, kappa=trial.kappa)
    names = [row.name for row in trial.study.servers]
    return dict(zip(names, answer.limited_by, strict=True))


def _turn(at: Values, swept: str, name: str, high: float, first: str) -> float:
    """Where the row's limit turns; between two whole numbers their geometric mean."""

    def turned(x: float) -> bool:
        return _limits(at.changed(**{swept: x}))[name] != first

    low = at.number(swept)
    if swept == "epsilon":
        return math.exp(least(lambda u: turned(math.exp(u)), math.log(low), math.log(high)))
    found = least(lambda n: turned(float(n)), int(low), int(high))
    return math.sqrt((found - 1) * found)
