"""Where the classifier's rate bends: sampling and privacy weigh the same at one server."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from rates.answer import calibrated
from sims.classification.rate import rate_axes, rate_trial, series_label
from sims.engine import Values

NAMES = {"target": "ε₂", "sources": "ε₃"}  # of [ACC] Corollary 3.2, here with constants


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
    axes = rate_axes(values)
    *fixed, swept = axes
    low, high = min(axes[swept]), max(axes[swept])
    out = []
    for combination in itertools.product(*(axes[name] for name in fixed)):
        settings = dict(zip(fixed, combination, strict=True))
        if math.isinf(settings.get("epsilon", 1.0)):
            continue
        ends = [_limits(values, {**settings, swept: x}) for x in (low, high)]
        for name in ends[0]:
            if {ends[0][name], ends[1][name]} == {"privacy", "sample"}:
                x = _bisect(values, settings, swept, name, (low, high), ends[0][name])
                label = series_label({**settings, swept: low}, axes)
                out.append(Kink(series=label, server=name, x=x))
    return tuple(out)


def _limits(values: Values, settings: dict[str, float]) -> dict[str, str]:
    """What limits each row."""
    trial = rate_trial(values, settings)
    answer = calibrated(trial.study, mechanism=trial.mechanism, kappa=trial.kappa)
    names = [row.name for row in trial.study.servers]
    return dict(zip(names, answer.limited_by, strict=True))


def _bisect(
    values: Values,
    settings: dict[str, float],
    swept: str,
    name: str,
    ends: tuple[float, float],
    first: str,
) -> float:
    low, high = ends
    for _ in range(40):
        middle = math.sqrt(low * high)
        if swept != "epsilon":
            middle = float(round(middle))
        if not low < middle < high:
            break
        if _limits(values, {**settings, swept: middle})[name] == first:
            low = middle
        else:
            high = middle
    return math.sqrt(low * high)
