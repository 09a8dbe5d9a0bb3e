"""Where the classifier's rate bends: sampling and privacy weigh the same at one server."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rates.answer import calibrated
from rates.numbers import least
from sims.classification.rate import rate_sweep, rate_trial
from sims.engine import Values


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
