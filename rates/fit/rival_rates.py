r"""A study against what else could be done with the same records.

Eight designs: a site's own records in house without noise, which is to do nothing, the best site
alone, all records pooled without privacy, pooled by a trusted curator, the study, private site
summaries combined by inverse variance (at one agreed resolution, or every site tuned for itself),
and one pooled fit with noise. Each comes with who must be trusted with what, what it promises,
what is released, and two answers as everywhere: by the rate equation where a theorem covers it,
and by the named mechanism with its constants.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rates.answer import BY_EQUATION, KAPPAS, Equation, Lens, equation, offered_delta
from rates.fit import rival_roots
from rates.numbers import DELTA, EPSILON, MAX_N, DomainError, at_root, log_sum, safe_exp, solve_log
from rates.study import FederatedStudy, Server, Study, columns

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One answer for one design.

    Attributes:
        log_r: Root of its equation; -log D for a curve; ``inf`` without information.
        log_rate: Log of the rate, uncapped.
        effective_n: Unprotected records (of the target, or on one site) that give the same root.
        kept: Effective sample over the study's own; nan where that is 0 or unknown.
        rate_ratio: Rate over the study's own, both uncapped; nan likewise.
        site: The site that is meant, where the design is one site alone.
    """

    log_r: float
    log_rate: float
    effective_n: float
    kept: float
    rate_ratio: float
    site: str = ""

    @property
    def rate(self) -> float:
        """The rate, at most 1."""
        return safe_exp(min(self.log_rate, 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """One design.

    Attributes:
        kind: One of `KINDS`.
        theorem: The statement that covers it; empty if none does.
        reason: Why no theorem does, or what the statement is taken to cover; may be empty.
        equation: By the rate equation; empty where nothing can be computed. Where no theorem
            covers the design it is our own reading. Two where each site stands for itself: of the
            largest and of the smallest one.
        mechanism: By the named mechanism, for every kappa (one for a curve); may be empty.
        missing: Why there is no mechanism answer; empty where there is one.
    """

    kind: str
    theorem: str
    reason: str
    equation: tuple[Outcome, ...]
    mechanism: tuple[Outcome, ...]
    missing: str


def rivals(
    study: Study,
    curator: Curator | None = None,
    *,
    alike: bool = False,
    lens: Lens = BY_EQUATION,
    kappas: Sequence[float] = KAPPAS,
) -> tuple[Rival, ...]:
    """Put a study beside its alternatives, in the order of `KINDS`.

    Args:
        study: A study.
        curator: Who pools the records privately; `strictest` if not given.
        alike: Whether a classifier is for the patients of every site, so that each could do
            nothing with its own records; a curve always is.
        lens: Which risk, and exact or printed Gaussian noise.
        kappas: Bandwidths over r of the mechanism (transfer studies).

    Raises:
        DomainError: The study has no such risk.

    Examples:
        >>> from rates.presets import preset
        >>> table = {r.kind: r for r in rivals(preset("hospitals").study)}
        >>> table["study"].equation[0].kept, table["output"].theorem
        (1.0, '')

    Source: [ACC] eq. (5), Section 4; [CCV] eqs. (6), (17), Section 3; `rates.calibrated`;
    `rates.fit.rival_roots` for what is no study.
    """
    chosen = strictest(study) if curator is None else curator
    lens = replace(lens, risk=lens.risk_of(study))
    owners = in_house(study, alike=alike)
    every = (lens.plain, *lens.at_widths(study, kappas))
    (by_equation, _), *columns = (_outcomes(study, chosen, owners, by) for by in every)
    found = []
    for kind in KINDS:
        theorem, reason = basis(study, kind)
        answers = tuple(x for column, _ in columns for x in column.get(kind, ()))
        row = Rival(
            kind=kind,
            theorem=theorem,
            reason=reason,
            equation=by_equation.get(kind, ()),
            mechanism=answers,
            missing="" if answers else (columns[0][1] or reason),
        )
        found.append(row)
    return tuple(found)


def _root(study: Study, lens: Lens) -> float:
    return float(solve_log(equation(study, lens).terms))


def _outcomes(
    study: Study, curator: Curator, owners: Sequence[Server], lens: Lens
) -> tuple[dict[str, tuple[Outcome, ...]], str]:
    """Outcomes by kind, by one kind of equation, and why those of the sites are missing."""
    free, own, missing = equation(study.unprotected(), lens), math.nan, ""
    roots = {HOUSE: [(_root(kept_in_house(study, owner), lens), owner.name) for owner in owners]}
    roots["unprotected"] = [(float(solve_log(free.terms)), "")]
    roots["curator"], roots["output"] = ([(u, "")] for u in _pooled(study, curator, lens))
    try:
        roots |= {kind: [root] for kind, root in _of_sites(study, lens).items()}
        own = roots["study"][0][0]
    except DomainError as error:  # the study's own noise needs a delta that is not stated
        missing = str(error)
    found = {
        kind: tuple(_outcome(free, u, own, site) for u, site in some)
        for kind, some in roots.items()
    }
    return found, missing


def _outcome(scale: Equation, u: float, own: float, site: str) -> Outcome:
    # Without information on both sides nothing can be compared.
    gap = math.nan if math.isinf(u) and math.isinf(own) else u - own
    return Outcome(
        log_r=u,
        log_rate=scale.rate_power * u,
        effective_n=float(scale.effective_n(np.array(u))),
        kept=math.nan if math.isnan(gap) else safe_exp(-scale.worth_power * gap),
        rate_ratio=math.nan if math.isnan(gap) else safe_exp(scale.rate_power * gap),
        site=site,
    )


def _of_sites(study: Study, lens: Lens) -> dict[str, tuple[float, str]]:
    """Roots of the designs in which every site releases its own summary, or only one does."""
    whole, c = equation(study, lens), columns(study.servers)
    u = float(solve_log(whole.terms))
    solo = solve_log(whole.terms.times(-np.log(c["count"]))[:, None])
    best = int(np.argmin(solo))  # the smallest root is the best rate
    name = study.servers[best].name if math.isfinite(solo[best]) else ""
    out = {"alone": (float(solo[best]), name), "study": (u, ""), "agreed": (u, "")}
    if study.target is None:
        g = study.smoothness_of(lens.risk_of(study))
        pointwise = lens.risk == "pointwise"
        out["own"] = (rival_roots.own_tuning(solo, c["count"], g, pointwise=pointwise), "")
        return out
    if not one_signal(study.servers):
        power = study.smoothness * c["signal_exponent"]
        used = power[[s.informative for s in study.servers]]
        root = math.inf
        if used.size:
            root = rival_roots.rising_root(
                lambda u: rival_roots.inverse_variance(whole.terms, power, u),
                2.0 * float(used.min()),
            )
        out["agreed"] = (root, "")
    if one_site(study):
        out["own"] = (u, "")
    return out


def _pooled(study: Study, curator: Curator, lens: Lens) -> tuple[float, float]:
    """Roots of the curator and of one pooled fit with noise."""
    if study.target is None:
        of_curator, of_fit = pooled_designs(study, curator)
        return _root(of_curator, lens), _root(of_fit, lens)
    c = columns(study.servers)
    n, power = c["n"] * c["count"], study.smoothness * c["signal_exponent"]
    one = replace(study.target, n=1, epsilon=curator.epsilon, delta=curator.delta)
    terms = equation(replace(study, target=one, sources=()), lens).terms
    everyone = rival_roots.pool(n, power, terms)
    if not len(everyone.log_n):
        return math.inf, math.inf
    protected = rival_roots.pool(np.where(np.isfinite(c["epsilon"]), n, 0.0), power, terms)
    # Beside the pool: unprotected records stay sites of their own, without noise.
    rest = [replace(s, n=s.n * math.isinf(s.epsilon), epsilon=math.inf) for s in study.servers]
    opened = equation(study.with_servers(rest), lens).terms

    def by_curator(u: float) -> float:
        held = rival_roots.best_weights(protected, u)
        return float(np.logaddexp(held, log_sum(at_root(opened, u)[0])))

    least = 2.0 * float(everyone.power[0]) + everyone.d
    return (
        rival_roots.rising_root(by_curator, least),
        rival_roots.rising_root(lambda u: rival_roots.pooled_fit(everyone, u), least),
    )


def pooled_designs(
    study: FederatedStudy, curator: Curator
) -> tuple[FederatedStudy, FederatedStudy]:
    """Return the curator's design and that of one pooled fit with noise, as studies.

    The curator leaves unprotected records as they are; the pooled fit is of all records.

    >>> from rates.presets import preset
    >>> by_curator, by_fit = pooled_designs(preset("unequal").study, Curator(epsilon=1, delta=1e-6))
    >>> by_fit.servers[0].n, by_curator == by_fit
    (31700, True)
    """
    held = [s for s in study.servers if math.isfinite(s.epsilon)]
    kept = [s for s in study.servers if math.isinf(s.epsilon)]
    rows = [replace(s, name=f"row {k}") for k, s in enumerate(kept)]  # a site may have any name
    return (
        study.with_servers([_merged(held, curator), *rows]),
        study.with_servers([_merged(study.servers, curator)]),
    )


def _merged(servers: Sequence[Server], curator: Curator) -> Server:
    total = min(sum(s.n * s.count for s in servers), MAX_N)
    return Server(name="pooled", n=total, epsilon=curator.epsilon, delta=curator.delta)
