r"""A study against what else could be done with the same records.

Five designs: a site's own records in house without noise, which is to do nothing, the best site
alone, all records pooled without privacy, pooled by a trusted curator, and the study. Each comes
with two answers as everywhere: by the rate equation where a theorem covers it, and by the named
mechanism with its constants.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rates.answer import BY_EQUATION, Equation, Lens, equation, offered_delta
from rates.numbers import (
    DELTA,
    EPSILON,
    MAX_N,
    STEEPEST,
    DomainError,
    Terms,
    at_root,
    crossing,
    log_sum,
    safe_exp,
    solve_log,
)
from rates.study import Server, Study, columns

Array = NDArray[np.float64]

HOUSE = "house"  # records in house without noise: what doing nothing gives
KINDS = (HOUSE, "alone", "unprotected", "curator", "study")
BUDGET = EPSILON.within(
    "(0, inf)",
    name="curator_epsilon",
    symbol="ε",
    noun="A curator's budget",
    help="Of one release of all records, pooled; until you change it, the strictest site's.",
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


def basis(study: Study, kind: str) -> tuple[str, str]:
    """Return the statement that covers a design, empty if none does, and the reason.

    >>> from rates.presets import preset
    >>> basis(preset("unequal").study, "curator")[0]
    '[CCV] Theorem 2.1'
    >>> basis(preset("hospitals").study, "curator")[0]
    ''
    """
    if study.target is None:
        return "[CCV] Theorem 2.1", _COVERED.get(kind, ("", ""))[1]
    held = {s.signal_exponent for s in study.servers if s.n > 0 and math.isfinite(s.epsilon)}
    if kind == "curator" and len(held) > 1:
        return "", (
            "[ACC] Theorem 3.4 has one population at each site, and here records of unequal "
            "signal γ lie in one place"
        )
    return "[ACC] Theorem 3.4", _COVERED.get(kind, ("", ""))[0]


# As what a theorem covers a design, for a classifier and for a curve.
_COVERED = {
    HOUSE: ("with one site and ε infinite", "with one server and ε infinite"),
    "alone": ("with one site", "with one server"),
    "unprotected": ("every ε infinite", "every ε infinite"),
    "curator": (
        "the protected records as one site, our reading",
        "the protected records as one server",
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
        site: The site that is meant, where the design is one site alone.
    """

    log_r: float
    log_rate: float
    effective_n: float
    kept: float
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
) -> tuple[Rival, ...]:
    """Put a study beside its alternatives, in the order of `KINDS`.

    Args:
        study: A study.
        curator: Who pools the records privately; `strictest` if not given.
        alike: Whether a classifier is for the patients of every site, so that each could do
            nothing with its own records; a curve always is.
        lens: Which risk, and exact or printed Gaussian noise.

    Raises:
        DomainError: The study has no such risk.

    Examples:
        >>> from rates.presets import preset
        >>> table = {r.kind: r for r in rivals(preset("hospitals").study)}
        >>> table["study"].equation[0].kept, table["curator"].theorem
        (1.0, '')

    Source: [ACC] eq. (5), Section 4; [CCV] eqs. (6), (17), Section 3; `rates.calibrated`.
    """
    chosen = strictest(study) if curator is None else curator
    lens = replace(lens, risk=lens.risk_of(study))
    owners = in_house(study, alike=alike)
    every = (lens.plain, *lens.at_widths(study))
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
    roots["curator"] = [(_pooled(study, curator, lens), "")]
    try:
        whole = equation(study, lens)
        own = float(whole.roots)
        roots |= {"study": [(own, "")], "alone": [_best_alone(study, whole)]}
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
        site=site,
    )


def _best_alone(study: Study, whole: Equation) -> tuple[float, str]:
    """The root of the best single site, and its name."""
    solo = solve_log(whole.terms.times(-np.log(columns(study.servers)["count"]))[:, None])
    best = int(np.argmin(solo))  # the smallest root is the best rate
    return float(solo[best]), study.servers[best].name if math.isfinite(solo[best]) else ""


def _pooled(study: Study, curator: Curator, lens: Lens) -> float:
    """The root of the curator."""
    held = [s for s in study.servers if math.isfinite(s.epsilon)]
    if study.target is None:
        opened = [s for s in study.servers if math.isinf(s.epsilon)]
        # A site may have any name.
        rows = [replace(s, name=f"row {k}") for k, s in enumerate(opened)]
        total = min(sum(s.n * s.count for s in held), MAX_N)
        one = Server(name="pooled", n=total, epsilon=curator.epsilon, delta=curator.delta)
        return _root(study.with_servers([one, *rows]), lens)
    c = columns(study.servers)
    n, power = c["n"] * c["count"], study.smoothness * c["signal_exponent"]
    if not n.any():
        return math.inf
    one = replace(study.target, n=1, epsilon=curator.epsilon, delta=curator.delta)
    terms = equation(replace(study, target=one, sources=()), lens).terms
    protected = pool(np.where(np.isfinite(c["epsilon"]), n, 0.0), power, terms)
    # Beside the pool: unprotected records stay sites of their own, without noise.
    rest = [replace(s, n=s.n * math.isinf(s.epsilon), epsilon=math.inf) for s in study.servers]
    open_terms = equation(study.with_servers(rest), lens).terms

    def by_curator(u: float) -> float:
        pooled = best_weights(protected, u)
        return float(np.logaddexp(pooled, log_sum(at_root(open_terms, u)[0])))

    least = 2.0 * float(power[n > 0].min()) + study.dimension
    return rising_root(by_curator, least)


# The curator's root where signals differ: no study ------------------------------------------------
#
# It balances a squared signal against a variance, as the equations of `rates.answer.terms` do, and
# uses the same constants. With s_j = r^(β γ_j) the signal of a record of site j, 1/A the variance
# of one record and B the noise variance of one release (for a sum of n records), the curator weighs
# every record by a_j and adds noise once, to the largest weight:
# (sum a_j n_j s_j)^2 / (sum a_j^2 n_j / A + max a_j^2 B), maximised over a.


def rising_root(value: Callable[[float], float], least: float) -> float:
    """Solve value(u) = 0 for a function that rises with a slope of at least ``least`` > 0.

    Its value at 0 proves a bracket. Returns ``inf`` where the function is minus infinity.

    >>> round(rising_root(lambda u: 2 * u - 3 + min(u, 0), 2), 12)
    1.5
    """
    v = value(0.0)
    if math.isinf(v):
        return -v
    far = -v / least * (1.0 + 1e-9)  # rounding at the end must not hide the change of sign
    return crossing(value, min(far, 0.0), max(far, 0.0), xtol=1e-15)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pool:
    """Records in one place, by the strength of their signal, with one release's constants.

    Attributes:
        log_n: Logs of the records of each group, groups in ascending order of ``power``.
        power: β γ, the log signal over log r.
        log_sample: The log of 1/variance of one record, less d log r.
        log_private: The log of 1/noise variance of one release, less 2 d log r.
        d: Dimension.
        smooth: Whether variances add (a mechanism) or the larger one counts (the rate equation).
    """

    log_n: Array
    power: Array
    log_sample: float
    log_private: float
    d: float
    smooth: bool


def pool(n: Array, power: Array, one: Terms) -> Pool:
    """Collect records by their signal; ``one`` is the equation of one site of one record."""
    powers, place = np.unique(np.minimum(power, STEEPEST), return_inverse=True)
    total = np.zeros(len(powers))
    np.add.at(total, place, n)
    kept = total > 0  # a group without records has no log
    size, budget, _, step, sample, private = (float(x.ravel()[0]) for x in one.pieces())
    return Pool(
        log_n=np.log(total[kept]),
        power=powers[kept],
        log_sample=size + sample,
        log_private=2.0 * (size + budget) + private,
        d=step,
        smooth=one.smooth,
    )


def best_weights(pool: Pool, u: float) -> float:
    r"""Log signal-to-noise ratio at log r = u where records weigh a_j = min(1, s_j/θ).

    The best weights are the signals, capped: noise is paid for the largest weight. Where
    variances add, the optimality condition sum n_j (s_j/θ - 1)_+ = A B makes θ the largest of
    S_k/(A B + N_k) over the k strongest groups, and the ratio is A sum n_j s_j min(s_j, θ).
    Where the larger one counts, θ makes both equal if they can be.
    """
    if not len(pool.log_n):
        return -math.inf
    order = slice(None) if u <= 0 else slice(None, None, -1)  # strongest first
    log_n, log_s = pool.log_n[order], (pool.power * u)[order]
    log_a = pool.log_sample + pool.d * u  # of A
    log_noise = -pool.log_private - 2.0 * pool.d * u  # of B
    cap = log_noise + log_a  # of A B
    capped_n = np.logaddexp.accumulate(log_n)
    capped_s = np.logaddexp.accumulate(log_n + log_s)
    if pool.smooth:
        theta = float(np.max(capped_s - np.logaddexp(cap, capped_n)))
        return float(log_sum(log_n + log_s + np.minimum(log_s, theta)) + log_a)
    if capped_n[-1] <= cap:  # noise counts even where every record has full weight
        return 2.0 * float(capped_s[-1]) - log_noise
    squares = np.logaddexp.accumulate((log_n + 2.0 * log_s)[::-1])[::-1]
    after = np.append(squares[1:], -math.inf)
    k = int(np.sum(np.logaddexp(capped_n, after - 2.0 * log_s) <= cap))  # groups at full weight
    if k == 0:
        return float(squares[0]) + log_a
    theta = 0.5 * float(squares[k] - cap - np.log1p(-np.exp(capped_n[k - 1] - cap)))
    return 2.0 * float(np.logaddexp(capped_s[k - 1], squares[k] - theta)) - log_noise
