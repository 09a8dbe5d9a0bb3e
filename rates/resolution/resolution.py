r"""How much detail survives: D for equal servers along one quantity.

Equal servers have the exact root D = min(P, S) with the private branch P and the sampling
branch S,

.. math:: P = (m n^2 \varepsilon^2)^{\frac{1}{2g+2}}, \qquad S = (mn)^{\frac{1}{2g+1}},

and P <= S exactly while n ε² <= (mn)^(1/(2g+1)). Here g = α for the error over the whole curve
and g = ν = α - 1/p for the error at one point.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.answer import solve_D
from rates.numbers import DomainError, frame
from rates.pieces import crossings
from rates.resolution.corollaries import branches
from rates.study import FederatedStudy, Server

Array = NDArray[np.float64]

AXES = ("budget", "spread", "sites", "records", "smoothness", "roughness")
_NONE = (math.nan, math.nan, math.nan)


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """D for one risk along one quantity x; logs are natural.

    Attributes:
        smoothness: g at every x.
        log_D: By the rate equation.
        log_private: Of the branch on which privacy binds.
        log_free: Of the branch on which sampling binds.
        elbow: The x at which both branches meet; nan if they meet nowhere.
        slope_private: d log D / d log x of the private branch; nan where it is no power.
        slope_free: The same for the sampling branch.
    """

    smoothness: Array
    log_D: Array
    log_private: Array
    log_free: Array
    elbow: float
    slope_private: float
    slope_free: float

    @property
    def log_rate(self) -> Array:
        """Log of D^(-2g), uncapped."""
        return -2.0 * self.smoothness * self.log_D

    @property
    def level(self) -> Array:
        """Resolution level ceil(log2 D), at least 0, at every x."""
        bits = self.log_D / math.log(2.0)
        with np.errstate(invalid="ignore"):
            return np.maximum(np.ceil(bits - 1e-12 * np.maximum(1.0, np.abs(bits))), 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Both risks of equal servers along one quantity.

    Attributes:
        axis: One of `AXES`.
        x: Its values.
        integrated: Error over the whole curve.
        pointwise: Error at one point.
    """

    axis: str
    x: Array
    integrated: Branch
    pointwise: Branch

    def to_frame(self) -> Any:
        """Return both risks along the quantity as a pandas table; logs are natural."""
        columns = {self.axis: self.x}
        for title, risk in (
            ("over the whole curve", self.integrated),
            ("at one point", self.pointwise),
        ):
            columns |= {
                f"log D, {title}": risk.log_D,
                f"log rate, {title}": risk.log_rate,
                f"resolution level, {title}": risk.level,
            }
        return frame(columns)


def equal_servers(
    m: int, n: int, epsilon: float, *, smoothness: float, integrability: float
) -> FederatedStudy:
    """Return the study of m servers with n records and one budget.

    >>> equal_servers(3, 100, 0.5, smoothness=2, integrability=4).servers[0].count
    3

    Raises:
        DomainError: A value lies outside its domain.

    Source: [CCV] Section 2.1, the setting of Corollaries 1 and 2.
    """
    site = Server(name="Each site", n=n, epsilon=epsilon, count=m)
    return FederatedStudy(servers=(site,), smoothness=smoothness, integrability=integrability)


def along(study: FederatedStudy, axis: str, x: ArrayLike) -> Curve:
    r"""Solve the rate equation of equal servers along one quantity.

    .. math:: D^{2g+2} = m \,\{(n^2 \varepsilon^2) \wedge (n D)\}

    Args:
        study: A study of one row, as `equal_servers` makes it.
        axis: What x stands for: "budget" ε; "spread" m with all mn records fixed; "sites" m
            with n fixed; "records" n with m fixed; "smoothness" α; "roughness" 1/p.
        x: Its values, positive; "roughness" may be 0.

    Returns:
        Both risks with their branches, where those meet, and their slopes.

    Raises:
        DomainError: The study has several rows, the axis is not one of `AXES`, or a value
            lies outside its domain.

    Examples:
        >>> study = equal_servers(1, 2**12, 1, smoothness=1, integrability=float("inf"))
        >>> curve = along(study, "budget", [2.0**-5, 2.0**-4, 1])
        >>> curve.integrated.level.tolist(), round(curve.integrated.elbow, 12)
        ([4.0, 4.0, 4.0], 0.0625)

    Source: [CCV] eqs. (4) to (6).
    """
    if len(study.servers) != 1:
        raise DomainError("The servers must be alike.", "servers", len(study.servers))
    if axis not in AXES:
        raise DomainError(f"The axis must be one of {', '.join(AXES)}.", "axis", axis)
    at = np.atleast_1d(np.asarray(x, dtype=float))
    site = study.servers[0]
    m, n, epsilon = float(site.count), float(site.n), site.epsilon
    alpha, roughness = study.smoothness, 1.0 / study.integrability
    values: dict[str, float | Array] = {"m": m, "n": n, "e": epsilon, "a": alpha, "w": roughness}
    if axis == "spread":
        values |= {"m": at, "n": m * n / at}
    else:
        name = {"budget": "e", "sites": "m", "records": "n", "smoothness": "a", "roughness": "w"}
        values[name[axis]] = at
    still = axis == "roughness"  # the error over the whole curve does not feel p
    smooth = np.broadcast_to(np.asarray(values["a"], dtype=float), at.shape)
    pointwise = smooth - values["w"]
    return Curve(
        axis=axis,
        x=at,
        integrated=_branch(
            values, smooth, _NONE if still else _elbow(axis, m, n, epsilon, alpha, 0.0)
        ),
        pointwise=_branch(values, pointwise, _elbow(axis, m, n, epsilon, alpha, roughness)),
    )


def sweep(study: FederatedStudy, axis: str, points: int = 161) -> Curve:
    """Solve equal servers along one quantity over its usual range.

    The range is widened to hold the study's own value; the elbows inside it are added.

    >>> study = equal_servers(20, 5000, 0.05, smoothness=2, integrability=4)
    >>> curve = sweep(study, "budget")
    >>> float(curve.x[0]), float(curve.x[-1]), curve.pointwise.elbow in curve.x
    (0.001, 10.0, True)

    Source: [CCV] eqs. (4) to (6); the ranges are ours.
    """
    here = value_of(study, axis)
    low, high = _RANGES.get(axis, (1.0, 2.0))  # `along` refuses unknown axes
    total = float(study.servers[0].n) * study.servers[0].count
    if axis == "spread":
        high = max(min(high, total), 2.0)
    if axis == "smoothness":
        low = 0.55 + 1.0 / study.integrability
    if axis == "roughness":
        high = min(0.5, study.smoothness - 0.52)
    if math.isfinite(here) and (here > 0 or axis == "roughness"):
        low, high = min(low, here), max(high, here)
    even = np.linspace if axis in ("smoothness", "roughness") else np.geomspace
    x = even(low, high, points)
    bends = along(study, axis, x[:1])
    elbows = [b for b in (bends.integrated.elbow, bends.pointwise.elbow) if low < b < high]
    return along(study, axis, np.unique(np.concatenate([x, elbows])))


_RANGES = {
    "budget": (1e-3, 10.0),
    "spread": (1.0, 1e4),
    "sites": (1.0, 1e4),
    "records": (10.0, 1e6),
    "smoothness": (0.55, 4.0),
    "roughness": (0.0, 0.5),
}


def value_of(study: FederatedStudy, axis: str) -> float:
    """Return where a study of equal servers lies on an axis.

    >>> value_of(equal_servers(3, 100, 0.5, smoothness=2, integrability=4), "roughness")
    0.25
    """
    site = study.servers[0]
    return {
        "budget": site.epsilon,
        "spread": float(site.count),
        "sites": float(site.count),
        "records": float(site.n),
        "smoothness": study.smoothness,
        "roughness": 1.0 / study.integrability,
    }.get(axis, math.nan)


def _branch(values: dict[str, float | Array], g: Array, ends: tuple[float, float, float]) -> Branch:
    m, n, epsilon = values["m"], values["n"], values["e"]
    column = (np.asarray(v, dtype=float)[..., None] for v in (n, epsilon, m))
    size, budget, count = column
    with np.errstate(divide="ignore", invalid="ignore"):
        log_D = np.log(solve_D(size, budget, smoothness=g[:, None], count=count))
        log_m, log_n, log_e = (np.log(np.asarray(v, dtype=float)) for v in (m, n, epsilon))
        private, free = branches(log_m, log_n, log_e, g)
    elbow, slope_private, slope_free = ends
    return Branch(
        smoothness=g,
        log_D=log_D,
        log_private=np.broadcast_to(private, g.shape),
        log_free=np.broadcast_to(free, g.shape),
        elbow=elbow,
        slope_private=slope_private,
        slope_free=slope_free,
    )


def _elbow(
    axis: str, m: float, n: float, epsilon: float, alpha: float, roughness: float
) -> tuple[float, float, float]:
    """Where n ε² = (mn)^(1/(2g+1)) along an axis, and the slopes on both branches."""
    g = alpha - roughness
    if n <= 0 or (axis != "budget" and (epsilon <= 0 or math.isinf(epsilon))):
        return _NONE
    log_m, log_n = math.log(m), math.log(n)
    log_e = math.log(epsilon) if axis != "budget" else 0.0
    if axis in _POWERS:
        p, s = 1.0 / (2.0 * g + 2.0), 1.0 / (2.0 * g + 1.0)
        slopes = np.array(_POWERS[axis]) * (p, s)
        ones = {"spread": (0.0, log_m + log_n), "sites": (0.0, log_n), "records": (log_m, 0.0)}
        levels = branches(*ones.get(axis, (log_m, log_n)), log_e, g)  # where the quantity is 1
        (meet,) = crossings(slopes, np.array(levels)).tolist()
        return _exp(meet), *slopes.tolist()
    log_all = log_m + log_n
    each = log_n + 2.0 * log_e  # log n ε²
    if each <= 0:
        return _NONE  # privacy binds at every smoothness
    meeting = 0.5 * (log_all / each - 1.0)  # the g at which both branches meet
    if axis == "smoothness":
        return (meeting + roughness if meeting > 0 else math.nan), math.nan, math.nan
    found = alpha - meeting if alpha >= meeting else math.nan
    return found, math.nan, math.nan


# Powers of the quantity in the two branches, over 1/(2g+2) and 1/(2g+1).
_POWERS = {"budget": (2.0, 0.0), "spread": (-1.0, 0.0), "sites": (1.0, 1.0), "records": (2.0, 1.0)}


def _exp(x: float) -> float:
    return math.inf if x > 700.0 else math.exp(x)
