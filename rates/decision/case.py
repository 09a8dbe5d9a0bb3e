r"""Run it? A study against doing nothing: own records, in house, without noise.

Three uses (`USES`): the target itself, each site for itself, others without records. The worth is
that of the named mechanism over the range of its constants, since one plans with a method that
exists; the rate equation says beside it what the best method could do, up to a constant. It pays
where

.. math:: \min_\kappa W_\kappa \ge \max(c\, n_{\text{own}},\; \text{need}).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rates import plan
from rates.answer import Equation, Lens, mechanism_budgets
from rates.decision import worths
from rates.decision.records import (
    LOSS,
    MOVES,
    VERDICTS,
    WORTH,
    Against,
    Codes,
    Decision,
    Doubling,
    Range,
    Tip,
    User,
    judged,
    threshold,
)
from rates.decision.worths import Assumed, Judge
from rates.numbers import DomainError, Words, at_root, least, solve_log
from rates.plan import Aim, Scale, scales
from rates.study import GAIN, NEEDED, USES, USUAL_GAIN, Scope, Study, columns
from rates.study import alike as all_are_alike

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Rows = NDArray[np.intp]

_WATCHED = 12  # users, at least, with whom turning points are looked for
_WATCHED_TERMS = 4_000  # fewer of them in a large study
_DOUBLED = 8  # rows whose budgets are doubled one by one: those that gain most to first order


def decide(
    study: Study,
    *,
    use: str | None = None,
    needed: float | None = None,
    gain: float = USUAL_GAIN,
    risk: str | None = None,
    alike: bool = False,
) -> Decision:
    """Decide whether a study is worth running, for those who use the result.

    Args:
        study: A study.
        use: "target" (of a transfer study, taken by default), "each" (taken by default for a
            federated study; a transfer study with a signal exponent other than 1 has no such
            use) or "others".
        needed: Effective records that would do; None if nobody told.
        gain: What a user's worth must be over its own records, at least 1.
        risk: "integrated" (taken by default) or "pointwise" for a federated study.
        alike: Whether all sites are told to be alike, so that no signal exponent is assumed.

    Raises:
        DomainError: An argument lies outside its set, or the study has no such use.

    >>> from rates.presets import preset
    >>> found = decide(preset("hospitals").study)
    >>> found.verdict, [round(x, 1) for x in found.worth], round(found.equation)
    ('no with this method', [152.1, 164.9], 1031)

    Source: [ACC] eq. (5); [CCV] eq. (6); `rates.calibrated` for the mechanism.
    """
    use = check_use(study, use)
    needed = None if needed is None else float(NEEDED.check(needed))
    factor = float(GAIN.check(gain))
    risk = Lens(risk=risk).risk_of(study)
    case = _Case(study, use, risk)
    exact = case.worth(case.exact, case.users)
    named = (
        np.full_like(exact, np.nan) if case.named is None else case.worth(case.named, case.users)
    )
    least = threshold(case.size[case.users], needed, factor)
    codes = judged(named.min(axis=0), named.max(axis=0), exact[0], least)
    if use == "others":
        least = np.array([math.nan if needed is None else needed])
        codes = judged(named.min(axis=0), named.max(axis=0), exact[0], least)
    aim = float(least[0]) if use == "target" and needed is not None else needed
    told = use != "others" or needed is not None or case.named is None
    pool = named if use != "each" or case.named is None else case.named.worth()
    out, loss, by_equation = _stay_out(case)
    given = worths.assumed(case.small, risk, alike=alike or use == "each")
    return Decision(
        study=study,
        use=use,
        risk=risk,
        needed=needed,
        factor=factor,
        aim=aim,
        verdict=VERDICTS[int(codes.max())] if told else WORTH,
        worth=_ends(pool),
        equation=float(exact[0, 0] if use != "each" else case.exact.worth()[0]),
        free=_ends(_unprotected(case.named)),
        users=_users(case, named, exact[0], codes),
        against=_against(case),
        stay_out=case.names(np.flatnonzero(out)),
        stay_out_loss=loss,
        stay_out_equation_loss=by_equation,
        essential=_essential(case),
        ranges=tuple((one.parameter, one.low, one.high) for one in given) if told else (),
        tips=_tips(case, given, (named, exact, least), codes) if told else (),
        levers=_levers(case, aim),
        doubling=_doubling(case),
        missing=_missing(case.asked, Lens(risk=risk)),
    )


def check_use(study: Study, use: str | None) -> str:
    """Return the use of a study, its usual one for None, or raise `DomainError`."""
    transfer = study.kind == "transfer"
    if use is None:
        return "target" if transfer else "each"
    if not isinstance(use, str) or use not in USES:
        raise DomainError(f"use must be one of {', '.join(USES)}.", "use", use)
    if use == "target" and not transfer:
        rule = "A curve that all sites share has no target: use must be each or others."
        raise DomainError(rule, "use", use)
    if use == "each":
        other = next((s for s in study.servers if s.signal_exponent != 1), None)
        if other is not None:
            rule = (
                "Each site can use the result only where all sites are alike: a signal exponent "
                "says how a site sees the target, not how the others see it."
            )
            value = Words(f"a signal exponent of {other.signal_exponent:.6g} at {other.name}")
            raise DomainError(rule, "use", value)
    return use


def use_of(study: Study, scope: Scope) -> tuple[str, str]:
    """Return who uses the result by what was said about a study, and why not who was said to.

    >>> from rates.presets import preset
    >>> use_of(preset("hospitals").study, Scope()), use_of(preset("phones").study, Scope())
    (('target', ''), ('each', ''))
    >>> use_of(preset("phones").study, Scope(use="target"))[0]
    'each'
    """
    all_alike = all_are_alike(study, scope)
    usual = "each" if all_alike else check_use(study, None)
    if scope.use is None:
        return usual, ""
    if all_alike and scope.use == "target":
        return usual, "All sites are alike, so that none of them is the target."
    try:
        return check_use(study, scope.use), ""
    except DomainError as refusal:
        return usual, refusal.rule


class _Case:
    """One question, with rows that differ by name alone taken together."""

    def __init__(self, study: Study, use: str, risk: str) -> None:
        asked = plan.in_house(study, use)
        self.asked, self.use, self.risk = asked, use, risk
        self.sites = asked.servers  # put together anew each time: once for all rows
        self.groups = worths.groups_of(self.sites, apart=use == "target")
        firsts = [self.sites[rows[0]] for rows in self.groups]
        self.small = asked.with_servers(firsts)
        every = columns(self.sites)["count"]
        self.count = np.array([every[rows].sum() for rows in self.groups])
        self.size = columns(firsts)["n"]
        times = np.log(self.count / columns(firsts)["count"])
        exact, named = worths.balances(self.small, risk)
        self.exact = exact.times(times)
        self.named = None if named is None else named.times(times)
        used = {"target": [0], "each": range(len(firsts)), "others": []}[use]
        self.users = np.array(used, dtype=np.intp)

    def names(self, groups: Iterable[int]) -> tuple[str, ...]:
        """The names of the rows of some groups, in the order of the study."""
        rows = sorted(j for g in groups for j in self.groups[g])
        return tuple(self.sites[j].name for j in rows)

    def worth(self, own: Equation, users: Rows, out: Flags | None = None) -> Array:
        """What it is worth to users, along the last axis; to anybody where there are none."""
        if self.use != "each":  # the target's row is in house already
            found = own.worth(out)[..., None]
            return np.maximum(found, self.size[0]) if self.use == "target" else found
        return np.maximum(worths.in_house(own, users, self.count, out), self.size[users])


def _missing(study: Study, lens: Lens) -> str:
    return study.without_delta[0] if lens.lacks_delta(study) else ""


def _ends(x: Array) -> Range:
    return float(x.min()), float(x.max())


def _unprotected(own: Equation | None) -> Array:
    if own is None:
        return np.array([math.nan])
    terms = own.terms.changed(log_budget=np.full(own.terms.shape[-1:], np.inf))
    return replace(own, terms=terms).worth()


def _users(case: _Case, named: Array, exact: Array, codes: Codes) -> tuple[User, ...]:
    if not len(case.users):
        return ()
    low, high = named.min(axis=0), named.max(axis=0)
    group_of = {j: k for k, g in enumerate(case.users.tolist()) for j in case.groups[g]}
    out = []
    for j, k in sorted(group_of.items()):
        site, own = case.sites[j], float(case.size[case.users[k]])
        worth = (float(low[k]), float(high[k]))
        out.append(
            User(
                name=site.name,
                count=site.count,
                own=own,
                worth=worth,
                equation=float(exact[k]),
                gain=(_over(worth[0], own), _over(worth[1], own)),
                verdict=VERDICTS[int(codes[k])],
            )
        )
    return tuple(out)


def _over(worth: float, own: float) -> float:
    return worth / own if own > 0 else math.inf if worth > 0 else math.nan


def _against(case: _Case) -> tuple[Against, ...]:
    """What one has without the study; for each site that is its own records, as its users say."""
    if case.use == "target":
        own = float(case.size[0])
        return (Against(name=case.sites[0].name, worth=(own, own)),)
    if case.use == "each" or case.named is None:
        return ()
    one_each = case.named.terms.times(-np.log(case.count))[..., None]
    wide = replace(case.named, log_worth=case.named.log_worth[:, None])
    alone = wide.effective_n(solve_log(one_each))
    best = int(alone.min(axis=0).argmax())
    return (Against(name=case.names([best])[0], worth=_ends(alone[:, best])),)


def _stay_out(case: _Case) -> tuple[Flags, float, float]:
    """Return who may stay out, and what they lose by the mechanism and by the equation.

    Rows leave in the order of their parts, the smallest first, as long as what is left keeps
    98%: of the worth in house of a target, else of the study as stated, which loses more than
    any user in house; for each site as a user that is checked once more.
    """
    rows = len(case.count)
    nobody = np.zeros(rows, bool)
    own = case.named
    if own is None:
        return nobody, math.nan, math.nan
    part = own.shares.max(axis=0)
    if case.use == "target":
        part[0] = np.inf
    order = np.argsort(part, kind="stable")[: rows - int(case.use == "target")]

    def first(many: int) -> Flags:
        out = nobody.copy()
        out[order[:many]] = True
        return out

    def loss(out: Flags, of: Equation, users: bool) -> float:
        if users:
            return _lost(case.worth(of, case.users), case.worth(of, case.users, out))
        floor = case.size[0] if case.use == "target" else 0.0
        return _lost(np.maximum(of.worth(), floor), np.maximum(of.worth(out), floor))

    def longest(most: int, users: bool) -> int:
        return int(least(lambda k: k > most or loss(first(k), own, users) > LOSS, 0, most + 1)) - 1

    each = case.use == "each"
    many = longest(len(order), users=False)
    if each and many and loss(first(many), own, users=True) > LOSS:
        many = longest(many - 1, users=True)
    if not many:
        return nobody, 0.0, 0.0
    out = first(many)
    return out, loss(out, own, each), loss(out, case.exact, each)


def _lost(before: Array, after: Array) -> float:
    """The largest part lost; nothing is lost of nothing."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(np.max(np.where(before > 0, 1.0 - after / before, 0.0), initial=0.0))


def _essential(case: _Case) -> tuple[str, ...]:
    """Rows without each of which alone 5% are lost, by every constant.

    Terms rise at least as fast as e^{p u}, and the worth falls as e^{-w u}, so without a part T
    at least (1 - T)^{w/p} of it is left: smaller parts need no look.
    """
    own = case.named
    if own is None:
        return ()
    group = np.empty(len(case.sites), dtype=np.intp)
    for g, members in enumerate(case.groups):
        group[members] = g
    of_group = columns(case.sites)["count"] / case.count[group]  # others alike stay
    part = np.minimum(own.shares.min(axis=0)[group] * of_group, 1.0)
    slowest = float(np.min(own.terms.slope))
    with np.errstate(divide="ignore"):
        left = np.exp(float(own.worth_power) / slowest * np.log1p(-part))
    rows = np.flatnonzero(left <= 1.0 - MOVES)
    rows = rows[rows > 0] if case.use == "target" else rows
    if not len(rows):
        return ()
    stay = np.zeros((len(rows), 1, len(case.groups)))
    with np.errstate(divide="ignore"):
        stay[np.arange(len(rows)), 0, group[rows]] = np.log1p(-of_group[rows])
    without = own.times(stay).worth()
    if case.use == "target":
        without = np.maximum(without, case.size[0])
    needed = rows[(without <= (1.0 - MOVES) * own.worth()).all(axis=1)]
    return tuple(case.sites[j].name for j in needed)


def _doubling(case: _Case) -> Doubling | None:
    private = np.array([s.private for s in case.small.servers], dtype=bool)
    if case.named is None or not private.any():
        return None
    found: dict[Lens, Array] = {}
    for own, lens in ((case.named, Lens(risk=case.risk).named), (case.exact, Lens(risk=case.risk))):
        c = columns(case.small.servers)
        with np.errstate(over="ignore"):  # twice the largest budgets is inf: no protection
            twice = np.where(private, 2.0 * c["epsilon"], c["epsilon"])
        budget = mechanism_budgets(case.small, lens, twice[None, :])[0]
        now = own.worth()
        if not (np.isfinite(now) & (now > 0)).all():
            return None
        if not found:  # the mechanism's rows, by what they gain to first order
            gain = np.exp(at_root(own.terms.changed(log_budget=budget), own.roots)[0]).min(axis=0)
            gain = np.where(private, gain - own.shares.min(axis=0), -np.inf)
            rows = np.argsort(-gain, kind="stable")[:_DOUBLED]
            rows = rows[private[rows]]
        one = np.tile(np.broadcast_to(own.terms.log_budget, private.shape), (len(rows), 1))
        one[np.arange(len(rows)), rows] = budget[rows]
        twice_one = replace(own, terms=own.terms.changed(log_budget=one[:, None, :]))
        found[lens] = twice_one.worth() / now - 1.0
    named, exact = found.values()
    best = int(named.min(axis=1).argmax())
    return Doubling(
        names=case.names([rows[best]]), gain=_ends(named[best]), equation=float(exact[best, 0])
    )


def _levers(case: _Case, aim: float | None) -> tuple[Scale, ...]:
    private = any(s.private for s in case.sites)
    if not any(s.informative for s in case.sites) or not (private or aim is not None):
        return ()
    return scales(case.asked, Aim(needed=aim), risk=case.risk)


def _tips(
    case: _Case, given: Sequence[Assumed], now: tuple[Array, Array, Array], codes: Codes
) -> tuple[Tip, ...]:
    """Where the verdict turns; of many users by those nearest to what each verdict asks.

    Who is nearest elsewhere joins them until nobody new is.
    """
    if case.named is None:
        return ()
    named, exact, least = now
    users = case.users
    if len(users) <= _WATCHED:
        return tuple(worths.tips(given, case.exact, case.named, _judge(case, users, least)))
    most = max(2, min(_WATCHED, _WATCHED_TERMS // len(users))) // 2
    near = {int(k) for x in _nearness(named, exact[0], least) for k in np.argsort(-x)[:most]}
    while True:
        watched = sorted(near)
        found = worths.tips(
            given, case.exact, case.named, _judge(case, users[watched], least[watched])
        )
        for one, value in _doubtful(given, found, VERDICTS[int(codes.max())]):
            worth = case.worth(_single(one, case.named, False, value), users)
            equation = case.worth(_single(one, case.exact, True, value), users)[0]
            near |= {int(x.argmax()) for x in _nearness(worth, equation, least)}
        if len(near) == len(watched):
            return tuple(found)


def _single(one: Assumed, own: Equation, exact: bool, value: float) -> Equation:
    """The equations at one value, without an axis for it."""
    grid = one.at(own, exact, np.array([value]))
    power = np.ravel(grid.worth_power)[0]
    return replace(grid, terms=grid.terms[0], worth_power=power)


def _nearness(worth: Array, equation: Array, least: Array) -> tuple[Array, Array, Array]:
    """How near each user is to what the verdicts ask; the best by each of them decide the best."""
    return worth.min(axis=0) / least, worth.max(axis=0) / least, equation / least


def _judge(case: _Case, users: Rows, least: Array) -> Judge:
    """The best verdict of some users on a grid of studies, by the rule of `judged`."""
    of = users if case.use == "each" else users[:0]  # the target's row is in house already
    there = case.size[users] >= least * (1.0 - 1e-12) if len(users) else np.array([False])

    def judge(by_equation: Equation, by_mechanism: Equation) -> Codes:
        yes = worths.reaches(by_mechanism, least, of, case.count) | there
        better = worths.reaches(by_equation, least, of, case.count)[..., 0, :] | there
        found = np.where(yes.any(axis=-2), 2, np.where(better, 1, 0))
        return np.asarray(np.where(yes.all(axis=-2), 3, found).max(axis=-1), np.int8)

    return judge


def _doubtful(
    given: Sequence[Assumed], found: Sequence[Tip], verdict: str
) -> Iterator[tuple[Assumed, float]]:
    """Where another user than those watched may be better off: never where it pays for one.

    Beyond each turning point; just before it, if it is one for the better; and at the ends of
    ranges over which it holds.
    """
    best = VERDICTS[-1]
    for one in given:
        for end in (one.low, one.high):
            side = [
                tip
                for tip in found
                if tip.parameter == one.parameter and (tip.value > one.now) == (end > one.now)
            ]
            for tip in side:
                if tip.verdict != best:
                    yield one, tip.value
                if verdict != best:
                    yield one, tip.value + 1e-3 * (one.now - tip.value)
            if not side and verdict != best and end != one.now:
                yield one, end
