"""What each theory says of a study that lies within it, site by site."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from rates import columns
from rates.answer import Condition, solve
from rates.numbers import number, percent
from rates.study import Scope, Server, Study, alike

TARGET = "target"
HELPS = "helps"
HELPS_IF = "helps, provided that"
MAY_HARM = "may harm"
DROPPED_IF = "dropped if"
NOTHING = "adds nothing"
UNDECIDED = "undecided"
SILENT = "says nothing"
NOT_COVERED = "not covered"
SAYS = {
    TARGET: "The answer is for this site; its own records count as they are.",
    HELPS: "By a theorem the worst case is no worse with the site than without it.",
    HELPS_IF: "What the reason names holds, which has not been told.",
    MAY_HARM: "Kept as it is, the site can make the answer worse.",
    DROPPED_IF: "The theory's method drops the site if it fits the target's records badly.",
    NOTHING: "The site holds no records, or releases nothing.",
    UNDECIDED: "The theory asks for something that has not been told.",
    SILENT: "The site is covered, but the theorem promises nothing at these numbers.",
    NOT_COVERED: "An assumption of the theory is broken, so it says nothing.",
}
# Conditions of a theorem without which it says nothing.
_SILENCING = ("information", "trivial", "delta_integrated")


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of a site or of the study.

    Attributes:
        says: One of `SAYS`.
        reason: Why, one sentence.
        source: Where a paper says it.
    """

    says: str
    reason: str
    source: str


def acc(study: Study, scope: Scope) -> list[Said]:
    """Say by [ACC] what each site adds for the target, or for all alike.

    Source: [ACC] Theorem 3.4, Definition 2.3.
    """
    source = "[ACC] Theorem 3.4"
    if study.target is None:
        return _other_kind(study, "a curve", "a classifier", source)
    answer = solve(study)
    if silent := _silent(study, answer.notes):
        return silent
    # One relation at all sites: then the target has no place of its own.
    common = alike(study, scope)
    # The signs of a site decide: only a promise of the same side makes a theorem apply.
    sure = common or scope.answer("same_side") == "yes"

    def source_adds(text: str) -> Said:
        if sure:
            return Said(HELPS, f"{_capital(text)}.", source)
        reason = f"If patients are on the same side of 50% as at the target, {text}."
        return Said(HELPS_IF, reason, f"{source}, Definition 2.3")

    def site_adds(site: Server, share: float) -> Said:
        text = f"it carries {percent(share)} by the rate equation"
        if site is study.target and not common:
            return Said(TARGET, f"{_capital(text)}.", source)
        return source_adds(text if common else f"{text}, with γ = {site.signal_exponent:g}")

    if common:
        whole = Said(HELPS, "All sites see one relation: each adds to it.", source)
    elif not any(s.informative for s in study.sources):
        whole = Said(NOTHING, "No source has anything to add.", source)
    else:
        rest = percent(1.0 - answer.shares[0])
        whole = source_adds(f"the sources carry {rest} by the rate equation")
    return of_each(study, whole, source, map(site_adds, study.servers, answer.shares))


def ccv(study: Study, scope: Scope) -> list[Said]:
    """Say by [CCV] what each site adds to the common curve.

    Source: [CCV] Theorem 2.1.
    """
    source = "[CCV] Theorem 2.1"
    if study.target is not None:
        return _other_kind(study, "a classifier", "a curve", source)
    answer = solve(study)
    if silent := _silent(study, answer.notes):
        return silent
    carries = "It carries {} of the whole curve by the rate equation."
    whole = Said(HELPS, "All sites see one curve: each adds to it.", source)
    shares = map(percent, answer.integrated.shares)
    return of_each(study, whole, source, (Said(HELPS, carries.format(x), source) for x in shares))


def ks(study: Study, scope: Scope) -> list[Said]:
    """Say by [KS] which sites are volunteers and which the population, and what is asked.

    Source: [KS] Sections 2 to 4.
    """
    source = "[KS] Section 2"
    if scope.answer("protection") is None:
        return of_all(study, UNDECIDED, _WHO_PROTECTS, source)
    # The paper has a curator with many records, and people with one each.
    people = [s for s in study.servers if s.informative and s.n == 1]
    trusted = [s for s in study.servers if s.informative and s.n > 1]
    if not people:
        text = "No row is a population of people who hold one record each."
        return of_all(study, UNDECIDED, text, source)
    if sum(s.count for s in trusted) != 1:
        text = "It has one centre with volunteers, and people who hold one record each."
        return of_all(study, NOT_COVERED, text, source)
    ask = "the volunteers' distance X from the population, which has not been told, is small"

    def site_adds(site: Server) -> Said:
        if site.n == 1:
            text = "The population: its people test every rule, more of them the larger X is."
            return Said(HELPS, text, "[KS] Sections 3, 4")
        if math.isinf(site.epsilon):
            text = "Volunteers' records are protected by the centre's release; these are open."
            return Said(NOT_COVERED, text, "[KS] Section 4")
        return Said(HELPS_IF, f"The volunteers: if {ask}.", "[KS] Section 4")

    whole = Said(HELPS_IF, f"The two together do if {ask}.", "[KS] Section 4")
    return of_each(study, whole, source, map(site_adds, study.servers))


def bcmm(study: Study, scope: Scope) -> list[Said]:
    """Say by [BCMM] which sites are open data, and what decides whether they help.

    Source: [BCMM] Sections 2 and 3.
    """
    source = "[BCMM] Section 2"
    if scope.answer("protection") is None:
        return of_all(study, UNDECIDED, _WHO_PROTECTS, source)
    if study.target is None:
        return _other_kind(study, "a curve without a target", "a study with a target", source)
    if not study.target.private:
        text = "The target's records are not protected here, so there is nothing to pay for."
        return of_all(study, NOT_COVERED, text, source)
    # Its bounds are for public data beside a private target.
    opened = [s for s in study.sources if s.informative and not s.private]
    if not opened:
        return of_all(study, NOT_COVERED, "No other site's records are open.", source)
    ask = "asks for the discrepancy between open data and target, which has not been told"

    def site_adds(site: Server) -> Said:
        if site is study.target:
            text = "The protected target; its noise shrinks with its records and its ε."
            return Said(TARGET, text, "[BCMM] Section 4")
        if site.private:
            text = "Data beside the target must be open; these are protected."
            return Said(NOT_COVERED, text, source)
        together = " All open sites count as one source." if len(opened) > 1 else ""
        return Said(UNDECIDED, f"It helps if it is close: {ask}.{together}", "[BCMM] Sections 2, 3")

    text = f"It {ask}; weights can be chosen so that the open data count little."
    whole = Said(UNDECIDED, text, "[BCMM] Section 3")
    return of_each(study, whole, source, map(site_adds, study.servers))


def dplr(study: Study, scope: Scope) -> list[Said]:
    """Say by [DPLR] which sources detection decides about.

    Source: [DPLR] Sections 2.2 and 2.3.
    """
    source = "[DPLR] Section 2.3"
    if study.target is None:
        return _other_kind(study, "a curve", "a classifier", source)
    if not any(s.informative for s in study.sources):
        whole = Said(NOTHING, "No source has anything to add.", source)
    elif scope.answer("same_side") == "no":
        text = "Some source points the wrong way for some patients; detection is there to drop it."
        whole = Said(MAY_HARM, text, source)
    else:
        text = "Detection drops sources that fit the target's held-out records clearly worse."
        whole = Said(DROPPED_IF, text, source)
    target = Said(TARGET, "Its held-out records decide which sources are kept.", source)
    sites = (target if site is study.target else whole for site in study.servers)
    return of_each(study, whole, source, sites)


def cac(study: Study, scope: Scope) -> list[Said]:
    """Say by [CAC] who speaks first, and how exact a correlation of the two columns can be.

    Source: [CAC] abstract.
    """
    source = "[CAC] abstract"
    if scope.answer("overlap") is None:
        text = "It asks whether sites hold other columns of the same people, which is not told."
        return of_all(study, UNDECIDED, text, source)
    # A third column is as wrong as a thousandth: no need to repeat more.
    sites = [s for s in study.servers if s.informative for _ in range(min(s.count, 3))]
    if len(sites) != 2:
        return of_all(study, NOT_COVERED, "It is about two sites with a column each.", source)
    # The larger budget speaks first: less of its noise is heard twice.
    one, other = sorted(sites, key=lambda s: -s.epsilon)
    if one.n != other.n:
        text = "Both columns are of the same people; here the numbers of records differ."
        return of_all(study, NOT_COVERED, text, source)
    n = one.n
    error = columns.order_of(columns.LISTENING, n, one.epsilon, other.epsilon)
    alone = columns.order_of(columns.APART, n, one.epsilon, other.epsilon)
    bend = number(columns.bend(n))

    def adds(site: Server) -> Said:
        if site is one:
            return Said(HELPS, "It speaks first: its flipped signs limit both.", source)
        free = "is free" if site.epsilon >= columns.bend(n) else "binds"
        text = f"It listens: by the rate its privacy {free} (bend at ε = {bend})."
        return Said(HELPS, text, source)

    text = (
        f"Both are needed for the correlation: the squared error is of the order of "
        f"{number(error)}, and of {number(alone)} if neither hears the other."
    )
    whole = Said(HELPS, text, source)
    return of_each(study, whole, source, map(adds, study.servers))


_WHO_PROTECTS = "It asks who protects the records, which has not been told."


def of_all(study: Study, says: str, reason: str, source: str) -> list[Said]:
    """The same of the study and of every site."""
    return [Said(says, reason, source)] * (len(study.servers) + 1)


def of_each(study: Study, whole: Said, source: str, sites: Iterable[Said]) -> list[Said]:
    """What is said of the study and of each site; one that has nothing to add says so."""
    texts = ("With a budget of 0 it releases nothing.", "It holds no records.")
    pairs = zip(study.servers, sites, strict=True)
    return [
        whole,
        # A site that releases nothing neither helps nor harms.
        *(x if s.informative else Said(NOTHING, texts[s.n == 0], source) for s, x in pairs),
    ]


def _silent(study: Study, notes: Iterable[Condition]) -> list[Said] | None:
    """A theorem's condition that does not hold: then it says nothing."""
    for note in notes:
        if note.key in _SILENCING and note.holds is False:
            return of_all(study, SILENT, note.text, note.source)
    return None


def _other_kind(study: Study, is_: str, asks: str, source: str) -> list[Said]:
    text = f"The answers fit, but the study that is open is stated as {is_}, not as {asks}."
    return of_all(study, UNDECIDED, text, source)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
