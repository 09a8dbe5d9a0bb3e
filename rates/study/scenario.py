"""Studies as frozen records that cannot be wrong: validated once, when they are made."""

from __future__ import annotations

import functools
import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from rates.numbers import (
    ACC_PRINTED,
    CCV_PRINTED,
    FEDERATED_FIELDS,
    MAX_NAME,
    MAX_ROWS,
    SERVER_FIELDS,
    TRANSFER_FIELDS,
    DomainError,
    Shown,
    Terms,
    check_fields,
    log0,
    make_terms,
    to_frame,
)

__all__ = ["DomainError", "FederatedStudy", "Server", "Study", "TransferStudy", "columns"]

_HIDDEN = {"Cc", "Cs", "Zl", "Zp"}  # control characters, lone surrogates, line separators


@dataclass(frozen=True, slots=True, kw_only=True)
class Server(Shown):
    """One site, or ``count`` identical ones; every privacy statement is per site.

    Attributes:
        name: Label for tables and figures; 1 to 80 printable characters, not "all".
        n: Records the site holds, n_j; 0 is allowed and contributes nothing.
        epsilon: Privacy budget ε_j under replacement of one record; 0 releases nothing,
            ``inf`` means unprotected for this calculation.
        delta: δ_j in (0, 1), or None where it has not been stated. It is not used for an
            unprotected site.
        signal_exponent: γ_j of [ACC, Definition 2.3] relative to the target.
        count: How many identical sites the row stands for.

    Raises:
        DomainError: A value lies outside its domain.

    >>> Server(name="Boston", n=300, epsilon=1).informative
    True
    """

    _titles: ClassVar[Mapping[str, str]] = {
        "n": "n (records)",
        "epsilon": "epsilon (one record replaced)",
        "count": "count (sites)",
    }

    name: str
    n: int
    epsilon: float
    delta: float | None = None
    signal_exponent: float = 1.0
    count: int = 1

    def __post_init__(self) -> None:
        _check_name(self.name)
        where = f"Server {self.name!r}"
        for field, parameter in SERVER_FIELDS.items():
            value = getattr(self, field)
            if field == "delta" and value is None:
                continue
            object.__setattr__(self, field, parameter.check(value, where))

    @property
    def informative(self) -> bool:
        """Whether the site contributes anything at all."""
        return self.n > 0 and self.epsilon > 0

    @property
    def private(self) -> bool:
        """Whether the site's records are protected and used."""
        return self.informative and math.isfinite(self.epsilon)

    @property
    def lacks_delta(self) -> bool:
        """Whether it is protected and δ has not been stated."""
        return self.private and self.delta is None


def _check_name(name: object) -> None:
    rule = f'A name must have 1 to {MAX_NAME} printable characters and must not be "all".'
    ok = (
        isinstance(name, str)
        and 1 <= len(name) <= MAX_NAME
        and bool(name.strip())
        and name != "all"
        and not any(unicodedata.category(c) in _HIDDEN for c in name)
    )
    if not ok:
        raise DomainError(rule, "name", name)


@dataclass(frozen=True, slots=True)
class Powers:
    """What the root r of a study's equation says: powers of r.

    Attributes:
        worth: The effective sample is r^-worth, up to the constant of a mechanism.
        rate: The rate is r^rate, uncapped.
    """

    worth: float
    rate: float


class _Sites(Shown):
    """What both kinds of studies say in the same way: (6) of [CCV] is (5) of [ACC] in r = 1/D.

    A curve has then one covariate, no target, signal exponents 1, and as its risk is a squared
    error its margin is 1.
    """

    __slots__ = ()

    def smoothness_of(self: Any, risk: str) -> float:
        """The smoothness that one risk feels."""
        return float(self.smoothness)

    @property
    def without_delta(self: Any) -> list[str]:
        """The protected sites whose δ has not been stated."""
        return [s.name for s in self.servers if s.lacks_delta]

    @property
    def covariates(self: Any) -> str:
        """How many covariates it has, in words of the scope's answers: one, few or many."""
        return "one" if self.dimension == 1 else "few" if self.dimension <= 5 else "many"

    def powers(self: Any, risk: str) -> Powers:
        """What the root of the study's equation says."""
        g = self.smoothness_of(risk)
        return Powers(worth=2.0 * g + self.dimension, rate=g * (1.0 + self.margin))

    def terms(
        self: Any,
        risk: str,
        *,
        log_budget: NDArray[np.float64] | None = None,
        log_sample: NDArray[np.float64] | float = 0.0,
        log_private: NDArray[np.float64] | float = 0.0,
        smooth: bool = False,
    ) -> Terms:
        """Return the study's equation; with constants, that of a mechanism.

        Args:
            risk: Which of the study's risks.
            log_budget: Instead of the study's own budgets, their logs; leading axes make a grid.
            log_sample: Constant of every sampling variance.
            log_private: Constant of every noise variance.
            smooth: Whether variances add, as a mechanism's do.
        """
        c, d = columns(self.servers), float(self.dimension)
        log_count = log0(c["count"])
        return make_terms(
            log0(c["n"]),
            log0(c["epsilon"]) if log_budget is None else log_budget,
            2.0 * self.smoothness_of(risk) * c["signal_exponent"] + d,
            d,
            log_count + log_sample,
            log_count + log_private,
            smooth=smooth,
        )

    def unprotected(self: AnyStudy) -> AnyStudy:
        """The same study with every budget infinite."""
        found = _free(self)
        assert isinstance(found, type(self))
        return found

    def to_frame(self: Any) -> Any:
        """Return a row for each site as a pandas table, the target first."""
        return to_frame(self.servers)


AnyStudy = TypeVar("AnyStudy", bound=_Sites)


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferStudy(_Sites):
    """A classification study of [ACC]: one target site and any number of sources.

    Attributes:
        target: The site whose risk counts; signal exponent 1 and count 1.
        sources: The other sites.
        smoothness: β in (0, 1].
        dimension: d, a positive whole number.
        margin: α ≥ 0 with α β ≤ d [ACC, Remark 2.2].

    Raises:
        DomainError: A value lies outside its domain, or a name is used twice.

    >>> lone = Server(name="target", n=100, epsilon=1)
    >>> TransferStudy(target=lone, smoothness=0.5, dimension=2, margin=1).servers == (lone,)
    True
    """

    kind: ClassVar[Literal["transfer"]] = "transfer"
    paper: ClassVar[str] = "ACC"
    risks: ClassVar[tuple[str, ...]] = ("classification",)
    printed: ClassVar[float] = ACC_PRINTED  # the constant of the noise in the paper

    target: Server
    sources: tuple[Server, ...] = ()
    smoothness: float
    dimension: int
    margin: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "sources", _servers(self.sources, "sources"))
        if not isinstance(self.target, Server):
            raise DomainError("target must be a Server.", "target", self.target)
        check_fields(self, TRANSFER_FIELDS.values(), "Study")
        where = f"Server {self.target.name!r}"
        if self.target.signal_exponent != 1:
            rule = "The target's signal exponent is 1: it is measured against itself."
            value = self.target.signal_exponent
            raise DomainError(rule, "signal_exponent", value, where)
        if self.target.count != 1:
            rule = "There is one target, so its count must be 1."
            raise DomainError(rule, "count", self.target.count, where)
        _check_names(self.servers)
        # A rounding error of a product that is just allowed is none of the study.
        if self.margin * self.smoothness > self.dimension * (1 + 1e-12):
            rule = "alpha*beta must be at most d (Remark 2.2)."
            value = self.margin * self.smoothness
            raise DomainError(rule, "margin*smoothness", value, "Study")

    @property
    def servers(self) -> tuple[Server, ...]:
        """All sites, the target first."""
        return (self.target, *self.sources)

    @property
    def smoothness_ends(self) -> tuple[float, float]:
        """Between which β may lie as the other numbers are."""
        return 0.0, 1.0 if self.margin == 0 else min(1.0, self.dimension / self.margin)

    def with_servers(self, servers: Sequence[Server]) -> TransferStudy:
        """The same study with other sites, the target first."""
        return replace(self, target=servers[0], sources=tuple(servers[1:]))


@dataclass(frozen=True, slots=True, kw_only=True)
class FederatedStudy(_Sites):
    """A regression study of [CCV]: sites that all observe the same curve.

    Attributes:
        servers: The sites, at least one; their signal exponent is 1.
        smoothness: α of the Besov class, with α - 1/p > 1/2.
        integrability: p of the Besov class, at least 2, ``inf`` allowed.

    Raises:
        DomainError: A value lies outside its domain, or a name is used twice.

    >>> one = Server(name="A", n=100, epsilon=1)
    >>> FederatedStudy(servers=[one], smoothness=2, integrability=2).pointwise_smoothness
    1.5
    """

    kind: ClassVar[Literal["federated"]] = "federated"
    paper: ClassVar[str] = "CCV"
    risks: ClassVar[tuple[str, ...]] = ("integrated", "pointwise")
    printed: ClassVar[float] = CCV_PRINTED  # the constant of the noise in the paper

    target: ClassVar[None] = None
    sources: ClassVar[tuple[Server, ...]] = ()
    dimension: ClassVar[int] = 1
    margin: ClassVar[float] = 1.0

    servers: tuple[Server, ...]
    smoothness: float
    integrability: float = math.inf

    def __post_init__(self) -> None:
        object.__setattr__(self, "servers", _servers(self.servers, "servers"))
        if not self.servers:
            raise DomainError("A study needs at least one server.", "servers", ())
        check_fields(self, FEDERATED_FIELDS.values(), "Study")
        if not self.pointwise_smoothness > 0.5:
            rule, value = "alpha - 1/p must exceed 1/2.", self.pointwise_smoothness
            raise DomainError(rule, "smoothness", value, "Study")
        for server in self.servers:
            if server.signal_exponent != 1:
                rule = "Sites of a federated study share one curve: signal exponent must be 1."
                where, value = f"Server {server.name!r}", server.signal_exponent
                raise DomainError(rule, "signal_exponent", value, where)
        _check_names(self.servers)

    @property
    def pointwise_smoothness(self) -> float:
        """ν = α - 1/p, the smoothness that the error at one point feels."""
        return self.smoothness - 1.0 / self.integrability

    @property
    def smoothness_ends(self) -> tuple[float, float]:
        """Between which α may lie as p is."""
        return 0.5 + 1.0 / self.integrability, math.inf

    def smoothness_of(self, risk: str) -> float:
        """The g of one risk: α integrated, ν pointwise."""
        return self.pointwise_smoothness if risk == "pointwise" else self.smoothness

    def with_servers(self, servers: Sequence[Server]) -> FederatedStudy:
        """The same study with other sites."""
        return replace(self, servers=tuple(servers))


Study = TransferStudy | FederatedStudy


@functools.lru_cache(maxsize=16)  # asked for several times by each answer
def _free(study: Any) -> Any:
    return study.with_servers([replace(s, epsilon=math.inf) for s in study.servers])


def columns(servers: Sequence[Server]) -> dict[str, NDArray[np.float64]]:
    """Return the numeric fields as arrays, one entry per row; a missing delta is nan."""
    rows = [
        (s.n, s.epsilon, np.nan if s.delta is None else s.delta, s.signal_exponent, s.count)
        for s in servers
    ]
    table = np.array(rows, dtype=float).reshape(len(rows), 5).T
    return dict(zip(("n", "epsilon", "delta", "signal_exponent", "count"), table, strict=True))


def _servers(given: object, field: str) -> tuple[Server, ...]:
    if not isinstance(given, Sequence) or not all(isinstance(s, Server) for s in given):
        raise DomainError(f"{field} must be a sequence of Server.", field, given)
    return tuple(given)


def _check_names(servers: tuple[Server, ...]) -> None:
    if len(servers) > MAX_ROWS:
        rule = f"A study has at most {MAX_ROWS:,} rows (use count for identical sites)."
        raise DomainError(rule, "servers", len(servers))
    seen: set[str] = set()
    for server in servers:
        if server.name in seen:
            where = f"Server {server.name!r}"
            raise DomainError("Names must be unique.", "name", server.name, where)
        seen.add(server.name)
