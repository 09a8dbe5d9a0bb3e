"""What a study's rivals rest on: what they promise, and which theorem covers them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rates.answer import offered_delta
from rates.numbers import DELTA, EPSILON
from rates.study import Server, Study

HOUSE = "house"  # records in house without noise: what doing nothing gives
KINDS = (HOUSE, "alone", "unprotected", "curator", "study", "agreed", "own", "output")
BUDGET = EPSILON.within(
    "(0, inf)",
    name="curator_epsilon",
    symbol="ε",
    noun="A curator's budget",
    help="Of the designs in which all records are pooled privately, with one release; at first the "
    "strictest budget of the protected sites.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Curator:
    """One trusted holder of all records, with the budget of the one release made from them.

    Attributes:
        epsilon: ε, positive and finite.
        delta: δ in (0, 1).

    Raises:
        DomainError: A value lies outside its domain.

    >>> Curator(epsilon=1, delta=1e-6).epsilon
    1.0
    """

    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", BUDGET.check(self.epsilon, "Curator"))
        object.__setattr__(self, "delta", DELTA.check(self.delta, "Curator"))


def strictest(study: Study) -> Curator:
    """Return the curator who keeps every protected site's promise.

    The strictest budget and delta of the protected sites; 1 and the offered delta without them.

    >>> from rates.presets import preset
    >>> strictest(preset("unequal").study)
    Curator(epsilon=0.2, delta=1e-07)
    """
    private = [s for s in study.servers if s.private]
    stated = [s.delta for s in private if s.delta is not None]
    return Curator(
        epsilon=min((s.epsilon for s in private), default=1.0),
        delta=min(stated, default=offered_delta(study)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What a design promises; neighbours are data sets that differ in one record, replaced.

    Attributes:
        record: Whose record the promise covers; empty if nothing is promised.
        epsilon: Least and largest budget; None if nothing is promised.
        delta: Least and largest delta, 0 for Laplace noise; None if it is not stated everywhere.
        releases: How many releases are made; None if the records themselves are handed on.
    """

    record: str
    epsilon: tuple[float, float] | None
    delta: tuple[float, float] | None
    releases: int | None


def promise(
    study: Study, risk: str, kind: str, curator: Curator, sites: Sequence[str] = ()
) -> Promise:
    """Return what one design promises.

    Args:
        study: A study.
        risk: For "pointwise" the noise is Laplace's, and delta is 0.
        kind: One of `KINDS`.
        curator: Who pools the records.
        sites: Names of the sites that are meant by "alone".

    >>> from rates.presets import preset
    >>> study = preset("unprotected").study
    >>> promise(study, "classification", "house", Curator(epsilon=1, delta=1e-6)).releases
    0
    >>> promise(study, "classification", "curator", Curator(epsilon=1, delta=1e-6)).record
    'one record of a protected site'
    >>> promise(study, "classification", "study", Curator(epsilon=1, delta=1e-6)).releases
    3
    """
    held = [s for s in study.servers if s.n]
    shielded = [s for s in held if math.isfinite(s.epsilon)]
    used = [s for s in study.servers if s.informative and (kind != "alone" or s.name in sites)]
    kept = [(s.epsilon, s.delta) for s in used if s.private]
    record, releases = "one record of a protected site", sum(s.count for s in used)
    if kind == "alone":
        record, releases = "one record of that site", min(1, len(used))
    elif kind in ("curator", "output"):
        everyone = kind == "output" or len(shielded) == len(held)
        record, releases = "one record of any site" if everyone else record, 1
        kept = [(curator.epsilon, curator.delta)] if shielded or kind == "output" else []
    if kind in (HOUSE, "unprotected"):
        none = 0 if kind == HOUSE else None
        return Promise(record="", epsilon=None, delta=None, releases=none)
    if not kept:
        return Promise(record="", epsilon=None, delta=None, releases=releases)
    budgets = [epsilon for epsilon, _ in kept]
    deltas = [0.0 if risk == "pointwise" else delta for _, delta in kept]
    stated = [delta for delta in deltas if delta is not None]
    return Promise(
        record=record,
        epsilon=(min(budgets), max(budgets)),
        delta=(min(stated), max(stated)) if len(stated) == len(kept) else None,
        releases=releases,
    )


def in_house(study: Study, *, alike: bool) -> tuple[Server, ...]:
    """Return who would do nothing: the target, or the largest and the smallest of all sites.

    Args:
        study: A study.
        alike: Whether the answer is for the patients of every site, as a curve always is.

    >>> from rates.presets import preset
    >>> [s.name for s in in_house(preset("unequal").study, alike=True)]
    ['University clinic', 'Practice network']
    >>> [s.name for s in in_house(preset("hospitals").study, alike=False)]
    ['Hungary']
    """
    if study.target is not None and not alike:
        return (study.target,)
    held = [s for s in study.servers if s.n > 0] or list(study.servers[:1])
    ends = max(held, key=lambda s: s.n), min(held, key=lambda s: s.n)
    return ends[:1] if ends[0].n == ends[1].n else ends


def kept_in_house(study: Study, site: Server) -> Study:
    """Return the study of one site's own records, without noise and without the others.

    >>> from rates.presets import preset
    >>> study = preset("unequal").study
    >>> [s.n for s in kept_in_house(study, study.servers[0]).servers if s.n]
    [20000]
    """
    own = replace(site, epsilon=math.inf, delta=None, count=1)
    rest = [own if s.name == site.name else replace(s, n=0) for s in study.servers]
    return study.with_servers(rest)


def one_signal(servers: Sequence[Server]) -> bool:
    """Whether all sites that hold records have the same signal exponent."""
    return len({s.signal_exponent for s in servers if s.n > 0}) <= 1


def one_site(study: Study) -> bool:
    """Whether a single site releases anything."""
    return sum(s.count for s in study.servers if s.informative) == 1


def basis(study: Study, kind: str) -> tuple[str, str]:
    """Return the statement that covers a design, empty if none does, and the reason.

    >>> from rates.presets import preset
    >>> basis(preset("unequal").study, "curator")[0]
    '[CCV] Theorem 2.1'
    >>> basis(preset("hospitals").study, "curator")[0]
    ''
    """
    transfer = study.kind == "transfer"
    here = 0 if transfer else 1
    uncovered = {"own"} if not one_site(study) else set()
    if transfer and not one_signal(study.servers):
        uncovered |= {"agreed", "output"}
    if transfer and not one_signal([s for s in study.servers if math.isfinite(s.epsilon)]):
        uncovered.add("curator")
    if kind in uncovered:
        return "", _UNCOVERED[kind][here]
    theorem = "[CCV] Theorem 3.2" if kind == "agreed" else "[CCV] Theorem 2.1"
    return "[ACC] Theorem 3.4" if transfer else theorem, _COVERED.get(kind, ("", ""))[here]


# Why no theorem covers a design, for a classifier and for a curve.
_UNCOVERED = {
    "curator": (
        "[ACC] Theorem 3.4 has one population at each site, and here records of unequal "
        "signal γ lie in one place",
    ),
    "agreed": (
        "[ACC] Theorem 4.2 weighs a site by signal over variance; inverse variances forget "
        "that signals γ differ",
    ),
    "own": (
        "nothing is assumed about how far a site's risk can point the wrong way at a "
        "bandwidth that suits only this site, so there is no worst case to compute",
        "[CCV] Theorem 3.2 combines curves of one common resolution; tuned site by site, "
        "each curve keeps the bias of its own",
    ),
    "output": (
        "[ACC] Theorem 4.2 weighs sites by their signal γ; a pooled fit treats records of "
        "unequal signal alike",
    ),
}
# As what a theorem covers a design, likewise.
_COVERED = {
    HOUSE: ("with one site and ε infinite", "with one server and ε infinite"),
    "alone": ("with one site", "with one server"),
    "unprotected": ("every ε infinite", "every ε infinite"),
    "curator": (
        "the protected records as one site, our reading",
        "the protected records as one server",
    ),
    "agreed": (
        "for equal signals γ its weights are the inverse variances",
        "its weights (13) are inverse variances up to a constant",
    ),
    "output": (
        "all records as one site, our reading",
        "with one server: its estimator is one pooled fit with noise on the coefficients",
    ),
}
