r"""How much detail survives: D for equal servers along one quantity.

Equal servers have the exact root D = min(P, S) with the private branch P and the sampling
branch S,

.. math:: P = (m n^2 \varepsilon^2)^{\frac{1}{2g+2}}, \qquad S = (mn)^{\frac{1}{2g+1}},

and P <= S exactly while n ε² <= (mn)^(1/(2g+1)). Here g = α for the error over the whole curve
and g = ν = α - 1/p for the error at one point.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rates import numbers
from rates.maps.design import address_values
from rates.maps.phases import checked
from rates.numbers import DomainError, safe_exp
from rates.pieces import Array
from rates.study import FederatedStudy, Server

# Axes along which equal servers are looked at, and their usual ranges.
_RANGES = {
    "budget": (1e-3, 10.0),
    "spread": (1.0, 1e4),
    "sites": (1.0, 1e4),
    "records": (10.0, 1e6),
    "smoothness": (0.55, 4.0),
}
AXES = tuple(_RANGES)


def branches(n: ArrayLike, m: ArrayLike, epsilon: ArrayLike, g: Array) -> tuple[Array, Array]:
    """Return the logs of P and S; of no records with an infinite budget P is nan.

    Source: [CCV] eqs. (4), (5).
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        log_n, log_m, log_e = np.log(n), np.log(m), np.log(epsilon)
        private = (log_m + 2.0 * (log_n + log_e)) / (2.0 * g + 2.0)
        return private, (log_m + log_n) / (2.0 * g + 1.0)


def homogeneous_D(
    n: ArrayLike, m: ArrayLike, epsilon: ArrayLike, *, smoothness: ArrayLike
) -> Array:
    r"""Return the exact root D of (6) for m servers with n records and one budget.

    Args:
        n: Records per server, any real >= 0.
        m: Number of servers, any real >= 0.
        epsilon: The common budget in [0, inf].
        smoothness: g > 0.

    Returns:
        D, with the broadcast shape; 0 without information.

    Raises:
        DomainError: An argument lies outside its domain.

    Examples:
        >>> float(homogeneous_D(2**12, 1, 2.0**-4, smoothness=1).round(9))
        16.0

    Source: [CCV] eqs. (4), (5); the root itself, so without constants.
    """
    budget = checked("epsilon", epsilon, zero=True, infinite=True)
    size, count = checked("n", n, zero=True), checked("m", m, zero=True)
    return np.exp(np.fmin(*branches(size, count, budget, checked("smoothness", smoothness))))


def elbow(n: ArrayLike, m: ArrayLike, *, smoothness: ArrayLike) -> Array:
    r"""Return the budget up to which privacy binds, (mn)^(1/(4g+2)) n^(-1/2).

    .. math:: n \varepsilon^2 \le (mn)^{\frac{1}{2g+1}}

    Args:
        n: Records per server, > 0.
        m: Number of servers, > 0.
        smoothness: g > 0.

    Raises:
        DomainError: An argument lies outside its domain.

    Examples:
        >>> float(elbow(2**12, 1, smoothness=1).round(12))
        0.0625

    Source: [CCV] Section 2.1.
    """
    g, log_n = checked("smoothness", smoothness), np.log(checked("n", n))
    return np.exp((np.log(checked("m", m)) + log_n) / (4.0 * g + 2.0) - 0.5 * log_n)


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """D for one risk along one quantity x; logs are natural.

    Attributes:
        smoothness: g at every x.
        log_private: Log of the branch on which privacy binds.
        log_free: Log of the branch on which sampling binds.
        elbow: The x at which both branches meet; nan if they meet nowhere.
    """

    smoothness: Array
    log_private: Array
    log_free: Array
    elbow: float

    @property
    def log_D(self) -> Array:
        """The root of the rate equation: the smaller branch."""
        return np.fmin(self.log_private, self.log_free)

    @property
    def level(self) -> Array:
        """Resolution level ceil(log2 D), at least 0, at every x."""
        bits = self.log_D / math.log(2.0)
        with np.errstate(invalid="ignore"):
            # A power of two is not rounded up by the last digit of its log.
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
            with n fixed; "records" n with m fixed; "smoothness" α.
        x: Its values, positive.

    Returns:
        Both risks with their branches, and where those meet.

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
    integrated, pointwise = (
        replace(_branch(study, axis, at, share), elbow=_elbow(study, axis, share))
        for share in (0.0, 1.0 / study.integrability)
    )
    return Curve(axis=axis, x=at, integrated=integrated, pointwise=pointwise)


def _branch(study: FederatedStudy, axis: str, x: Array, share: float) -> Branch:
    """Both branches along an axis, of a risk with the smoothness α - share."""
    site = study.servers[0]
    at: dict[str, Any] = {"sites": site.count, "records": site.n, "budget": site.epsilon}
    at["smoothness"] = study.smoothness
    at |= {"sites": x, "records": site.count * site.n / x} if axis == "spread" else {axis: x}
    g = at["smoothness"] - share
    both = branches(at["records"], at["sites"], at["budget"], g)
    g, private, free = (np.broadcast_to(values, x.shape) for values in (g, *both))
    return Branch(smoothness=g, log_private=private, log_free=free, elbow=math.nan)


def _elbow(study: FederatedStudy, axis: str, share: float) -> float:
    """Where P = S along an axis."""
    # (2g + 1)(2g + 2) log(P / S) is linear in a smoothness, and in the log of all else.
    x = np.array([1.0, 2.0])
    found = _branch(study, axis, x if axis == "smoothness" else np.exp(x), share)
    g = found.smoothness
    with np.errstate(all="ignore"):
        near, far = (2.0 * g + 1.0) * (2.0 * g + 2.0) * (found.log_private - found.log_free)
        place = float(1.0 + near / (near - far))
    return place if axis == "smoothness" else safe_exp(place)


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
    if axis == "spread":
        high = max(min(high, float(study.servers[0].n) * study.servers[0].count), 2.0)
    if axis == "smoothness":
        low = 0.55 + 1.0 / study.integrability  # the error at a point needs α - 1/p > 1/2
    if 0 < here < math.inf:
        low, high = min(low, here), max(high, here)
    x = (np.linspace if axis == "smoothness" else np.geomspace)(low, high, points)
    bends = along(study, axis, x[:1])
    # Between even points a bend would be drawn round: the elbows are points of their own.
    elbows = [b for b in (bends.integrated.elbow, bends.pointwise.elbow) if low < b < high]
    return along(study, axis, np.unique(np.concatenate([x, elbows])))


def value_of(study: FederatedStudy, axis: str) -> float:
    """Return where a study of equal servers lies on an axis.

    >>> value_of(equal_servers(3, 100, 0.5, smoothness=2, integrability=4), "spread")
    3.0
    """
    site = study.servers[0]
    return {
        "budget": site.epsilon,
        "spread": float(site.count),
        "sites": float(site.count),
        "records": float(site.n),
        "smoothness": study.smoothness,
    }.get(axis, math.nan)


RECORDS = numbers.SAMPLE_SIZE.within(
    f"1, ..., {numbers.SAMPLE_SIZE.high}",
    name="records",
    symbol="n",
    noun="The number of records",
    help="Records that each site holds, or that all sites hold together.",
    stops=numbers.decades(1, 6, whole=True),
)
SITES = numbers.COUNT.within(
    f"1, ..., {numbers.COUNT.high}",
    name="sites",
    symbol="m",
    noun="The number of sites",
    help="How many sites there are; all are alike.",
    stops=numbers.decades(0, 4, whole=True),
)
BUDGET = replace(numbers.EPSILON, stops=numbers.decades(-3, 1))
NUMBERS = {p.name: p for p in (SITES, RECORDS, BUDGET, *numbers.FEDERATED_FIELDS.values())}
CHOICES: dict[str, tuple[str, ...]] = {"held": ("site", "total"), "axis": AXES}
GONE = ("moved", "quantity", "view")  # what older addresses name
_OLD = (
    *("sites", "records", "epsilon", "smoothness", "integrability"),
    *("moved", "held", "axis", "quantity", "view"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """A design of equal sites, and along what it is shown.

    Attributes:
        sites: m.
        records: Per site, or of all sites together.
        epsilon: The common budget.
        smoothness: α.
        integrability: p.
        held: What ``records`` counts: those of each "site", or the "total".
        axis: Along what D is shown, one of `rates.maps.alike.AXES`.

    Raises:
        DomainError: A value lies outside its domain, α - 1/p <= 1/2, or there are fewer
            records in total than sites.

    >>> Detail(sites=3, records=100, held="total").n
    33
    """

    sites: int = 20
    records: int = 5_000
    epsilon: float = 0.05
    smoothness: float = 2.0
    integrability: float = 4.0
    held: str = "site"
    axis: str = "budget"

    def __post_init__(self) -> None:
        numbers.check_fields(self, NUMBERS.values(), "Design")
        for name, allowed in CHOICES.items():
            value = getattr(self, name)
            if value not in allowed:
                rule = f"{name} must be one of {', '.join(allowed)}."
                raise numbers.DomainError(rule, name, value, "Design")
        if self.n < 1:
            rule = "Every site needs at least one record: the total must be at least m."
            raise numbers.DomainError(rule, "records", self.records, "Design")
        self.study()

    @property
    def n(self) -> int:
        """Records per site; a total is divided into whole records and the rest left out."""
        return self.records if self.held == "site" else self.records // self.sites

    def study(self) -> FederatedStudy:
        """The design as a study of one row."""
        return equal_servers(
            self.sites,
            self.n,
            self.epsilon,
            smoothness=self.smoothness,
            integrability=self.integrability,
        )


def from_text(text: str) -> Detail:
    """Read a design from its values with commas between, as older addresses have it.

    Raises:
        DomainError: There are too few or too many values, or one is outside its domain.

    >>> from_text("20,5000,0.05,2,4,50,site,budget,D,alike") == Detail()
    True
    """
    given = address_values(text, _OLD, "A design", (*CHOICES, *GONE[1:]))
    return Detail(**{name: value for name, value in given.items() if name not in GONE})
