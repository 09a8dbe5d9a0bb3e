r"""How much detail survives: D for equal servers along one quantity.

Equal servers have the exact root D = min(P, S) with the private branch P and the sampling
branch S,

.. math:: P = (m n^2 \varepsilon^2)^{\frac{1}{2g+2}}, \qquad S = (mn)^{\frac{1}{2g+1}},

and P <= S exactly while n ε² <= (mn)^(1/(2g+1)). Here g = α for the error over the whole curve
and g = ν = α - 1/p for the error at one point.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates import numbers
from rates.answer import solve_D
from rates.maps.design import address_values
from rates.maps.phases import checked
from rates.numbers import DomainError, Framed, frame, least, safe_exp
from rates.pieces import Array
from rates.study import FederatedStudy, Server

# Axes along which equal servers are looked at, and their usual ranges.
_RANGES = {
    "budget": (1e-3, 10.0),
    "spread": (1.0, 1e4),
    "sites": (1.0, 1e4),
    "records": (10.0, 1e6),
    "smoothness": (0.55, 4.0),
    "roughness": (0.0, 0.5),
}
AXES = tuple(_RANGES)


def branches(n: Array, m: Array, epsilon: Array, g: Array) -> tuple[Array, Array]:
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
    def log_rate(self) -> Array:
        """Log of D^(-2g), uncapped."""
        return -2.0 * self.smoothness * self.log_D

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
    site, roughness = study.servers[0], 1.0 / study.integrability
    values = {
        "sites": np.asarray(float(site.count)),
        "records": np.asarray(float(site.n)),
        "budget": np.asarray(site.epsilon),
        "smoothness": np.asarray(study.smoothness),
        "roughness": np.asarray(roughness),
    }
    if axis == "spread":
        values |= {"sites": at, "records": site.count * site.n / at}
    else:
        values[axis] = at

    def branch(share: Array, elbow: float) -> Branch:
        g = np.broadcast_to(values["smoothness"] - share, at.shape)
        both = branches(values["records"], values["sites"], values["budget"], g)
        private, free = (np.broadcast_to(x, g.shape) for x in both)
        return Branch(smoothness=g, log_private=private, log_free=free, elbow=elbow)

    # The error over the whole curve does not feel p.
    whole = math.nan if axis == "roughness" else _elbow(study, axis, 0.0)
    return Curve(
        axis=axis,
        x=at,
        integrated=branch(np.zeros(()), whole),
        pointwise=branch(values["roughness"], _elbow(study, axis, roughness)),
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
        low = 0.55 + 1.0 / study.integrability  # the error at a point needs α - 1/p > 1/2
    if axis == "roughness":
        high = min(0.5, study.smoothness - 0.52)  # likewise
    if math.isfinite(here) and (here > 0 or axis == "roughness"):
        low, high = min(low, here), max(high, here)
    even = np.linspace if axis in ("smoothness", "roughness") else np.geomspace
    x = even(low, high, points)
    bends = along(study, axis, x[:1])
    # Between even points a bend would be drawn round: the elbows are points of their own.
    elbows = [b for b in (bends.integrated.elbow, bends.pointwise.elbow) if low < b < high]
    return along(study, axis, np.unique(np.concatenate([x, elbows])))


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


def _elbow(study: FederatedStudy, axis: str, roughness: float) -> float:
    """Where P = S along an axis: where log n + 2 log ε is log mn over 2g + 1."""
    site, alpha = study.servers[0], study.smoothness
    if site.n <= 0 or (axis != "budget" and not 0 < site.epsilon < math.inf):
        return math.nan
    n, m, k = math.log(site.n), math.log(site.count), 2.0 * (alpha - roughness) + 1.0
    if axis == "budget":
        return math.exp(0.5 * ((m + n) / k - n))
    e = 2.0 * math.log(site.epsilon)
    sizes = {
        "spread": (m + n) * (1.0 - 1.0 / k) + e,
        "sites": (n + e) * k - n,
        "records": (m - e * k) / (k - 1.0),
    }
    if axis in sizes:
        return safe_exp(sizes[axis])
    if n + e <= 0:
        return math.nan  # privacy binds at every smoothness
    meeting = 0.5 * ((m + n) / (n + e) - 1.0)  # the g at which P = S
    if axis == "smoothness":
        return meeting + roughness if meeting > 0 else math.nan
    return alpha - meeting if alpha >= meeting else math.nan


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
MOVED = replace(
    numbers.INTEGRABILITY,
    name="moved",
    symbol="t",
    domain="[0, 100]",
    rule="The part that has moved must be from 0 to 100 per cent.",
    stops=(*numbers.steps(0, 95, 5), 98.0, 99.0, 99.9, 100.0),
    help=(
        "Per cent of every other site's records that have moved to one site. 0: all sites are "
        "alike. 100: one site holds everything. The total stays the same."
    ),
)
BUDGET = replace(numbers.EPSILON, stops=numbers.decades(-3, 1))
NUMBERS = {p.name: p for p in (SITES, RECORDS, BUDGET, *numbers.FEDERATED_FIELDS.values(), MOVED)}
CHOICES: dict[str, tuple[str, ...]] = {
    "held": ("site", "total"),
    "axis": AXES,
    "quantity": ("D", "rate"),
    "view": ("alike", "dominating"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """A design of equal sites, and what is shown of it.

    Attributes:
        sites: m.
        records: Per site, or of all sites together.
        epsilon: The common budget.
        smoothness: α.
        integrability: p.
        moved: Per cent of the others' records that have moved to one site.
        held: What ``records`` counts: those of each "site", or the "total".
        axis: Along what D is shown, one of `rates.maps.alike.AXES`.
        quantity: "D" or "rate".
        view: "alike" or "dominating".

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
    moved: float = 50.0
    held: str = "site"
    axis: str = "budget"
    quantity: str = "D"
    view: str = "alike"

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
    names = [field.name for field in fields(Detail)]
    return Detail(**address_values(text, names, "A design", CHOICES))


FIRST, OTHERS = "The large server", "Each other server"


def two_groups(study: FederatedStudy, moved: float) -> FederatedStudy:
    """Move a part of every other server's records to one server, in whole records.

    Args:
        study: At least two equal servers, as `equal_servers` makes them.
        moved: Part of the others' records that is moved: 0 all alike, 1 one server has all.

    Returns:
        A study of two rows with the same total; no server's budget changes.

    Raises:
        DomainError: There is one server only, ``moved`` is not in [0, 1], or one server would
            hold more records than a server may.

    Examples:
        >>> study = equal_servers(10, 100, 1, smoothness=1, integrability=float("inf"))
        >>> [s.n for s in two_groups(study, 0.5).servers]
        [550, 50]

    Source: the settings of [CCV] Corollary 3 (all alike) and Corollary 4 (one dominates).
    """
    _check_groups(study, moved)
    site = study.servers[0]
    # In whole records; 1e-9 keeps a product such as 0.29 * 100 from falling to 28.
    left = min(site.n, max(0, math.floor((1.0 - moved) * site.n + 1e-9)))
    large = site.n + (site.count - 1) * (site.n - left)
    return study.with_servers(
        [
            replace(site, name=FIRST, n=large, count=1),
            replace(site, name=OTHERS, n=left, count=site.count - 1),
        ]
    )


def _check_groups(study: FederatedStudy, *moved: float) -> None:
    site = study.servers[0]
    if len(study.servers) != 1 or site.count < 2:
        rule = "One server can dominate only if there are at least 2."
        raise DomainError(rule, "servers", sum(s.count for s in study.servers))
    for part in moved:
        if not 0.0 <= part <= 1.0:
            raise DomainError("The part that is moved must be from 0 to 1.", "moved", part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """An interval of the moved part on which a condition holds.

    Attributes:
        condition: "(8)" or "(9)", the latter for the growing server.
        risk: "integrated" or "pointwise".
        low: Lower end.
        high: Upper end.
    """

    condition: str
    risk: str
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Growth(Framed):
    """D as one server takes over the records of the others, all records fixed.

    Attributes:
        moved: Part of the others' records that has moved.
        integrated: log D for the error over the whole curve.
        pointwise: log D for the error at one point.
        spans: Where (8) and (9) hold; empty if a budget is 0 or infinite.
    """

    _columns: ClassVar[Mapping[str, str]] = {
        "moved": "part of the others' records moved",
        "integrated": "log D, over the whole curve",
        "pointwise": "log D, at one point",
    }

    moved: Array
    integrated: Array
    pointwise: Array
    spans: tuple[Span, ...]


def growth(study: FederatedStudy, moved: ArrayLike) -> Growth:
    r"""Solve the rate equation while one of m equal servers takes over the others' records.

    .. math:: n_1 = n\,(1 + t(m-1)), \qquad n_j = n\,(1 - t) \quad (j > 1),

    real numbers here.

    Args:
        study: At least two equal servers.
        moved: Ascending parts in [0, 1].

    Raises:
        DomainError: There is one server only, or a part is not in [0, 1].

    Examples:
        >>> study = equal_servers(100, 1000, 0.05, smoothness=2, integrability=float("inf"))
        >>> result = growth(study, [0, 0.5, 1])
        >>> [(s.condition, round(s.low, 3), round(s.high, 3)) for s in result.spans][:2]
        [('(8)', 0.0, 0.022), ('(9)', 0.205, 1.0)]

    Source: [CCV] eqs. (6), (8), (9); Corollaries 3 and 4.
    """
    t = np.atleast_1d(np.asarray(moved, dtype=float))
    _check_groups(study, *t.tolist())
    site = study.servers[0]
    m, n, epsilon = site.count, float(site.n), site.epsilon
    size = np.stack([n * (1.0 + t * (m - 1)), n * (1.0 - t)], axis=-1)
    risks = {"integrated": study.smoothness, "pointwise": study.pointwise_smoothness}
    with np.errstate(divide="ignore"):
        log_D = {
            risk: np.log(solve_D(size, epsilon, smoothness=g, count=np.array([1, m - 1])))
            for risk, g in risks.items()
        }
    spans: list[Span] = []
    if n > 0 and 0 < epsilon < math.inf:
        for risk, g in risks.items():
            for which in ("(8)", "(9)"):
                spans += [
                    Span(condition=which, risk=risk, low=low, high=high)
                    for low, high in _where_positive(m, n, epsilon, g, which)
                ]
    return Growth(
        moved=t, integrated=log_D["integrated"], pointwise=log_D["pointwise"], spans=tuple(spans)
    )


def _margin(t: Array, m: int, n: float, epsilon: float, g: float, which: str) -> Array:
    """Log of the left over the right side of (8), or of (9) for the growing server."""
    with np.errstate(divide="ignore"):
        large = math.log(n) + np.log1p(t * (m - 1))
        small = math.log(n) + np.log1p(-t)
    own = 2.0 * (large + math.log(epsilon))
    rest = math.log(m - 1) + 2.0 * (small + math.log(epsilon))
    if which == "(8)":
        return np.asarray(np.logaddexp(own, rest) / (2.0 * g + 2.0) - own + large)
    # (9): n ε is capped at n^((g+1)/(2g+1)), from where on the large server's own sample binds.
    cap = large * (2.0 * g + 2.0) / (2.0 * g + 1.0)
    return np.asarray(np.minimum(own, cap) - rest)


def _where_positive(
    m: int, n: float, epsilon: float, g: float, which: str
) -> list[tuple[float, float]]:
    """Intervals of [0, 1] on which a margin is at least 0, with exact ends."""

    def holds(t: Array) -> NDArray[np.bool_]:
        return _margin(t, m, n, epsilon, g, which) >= -1e-12

    def turned(now: bool, t: Array) -> bool:
        return bool(holds(t)) == now

    # What holds for less than a step of this grid is missed; an end that is seen is exact.
    t = np.linspace(0.0, 1.0, 257)
    held = holds(t)
    ends = [0.0] * int(held[0])
    for k in np.flatnonzero(held[1:] != held[:-1]).tolist():
        ends.append(least(functools.partial(turned, bool(held[k + 1])), *t[k : k + 2].tolist()))
    ends += [1.0] * int(held[-1])
    return list(zip(ends[::2], ends[1::2], strict=True))
