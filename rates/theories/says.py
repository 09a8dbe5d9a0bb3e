"""What each theory says of a study that lies within it, site by site."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rates.answer import solve
from rates.numbers import percent
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


@dataclass(frozen=True, slots=True, kw_only=True)
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
    for note in answer.notes:
        if note.key in _SILENCING and note.holds is False:
            return _alike(study, SILENT, note.text, note.source)
    rest = 1.0 - answer.shares[0]
    common = alike(study, scope)
    sure = common or scope.answer("same_side") == "yes"
    if common:
        text = "All sites see one relation: each adds to it."
        out = [Said(says=HELPS, reason=text, source=source)]
    elif not any(s.informative for s in study.sources):
        out = [Said(says=NOTHING, reason="No source has anything to add.", source=source)]
    else:
        text = f"the sources carry {percent(rest)} by the rate equation"
        out = [_acc_source(text, sure)]
    for site, share in zip(study.servers, answer.shares, strict=True):
        text = f"it carries {percent(share)} by the rate equation"
        if not site.informative:
            out.append(_empty(site, source))
        elif common:
            out.append(_acc_source(text, sure))
        elif site is study.target:
            out.append(Said(says=TARGET, reason=f"{_capital(text)}.", source=source))
        else:
            out.append(_acc_source(f"{text}, with γ = {site.signal_exponent:g}", sure))
    return out


def _acc_source(text: str, sure: bool) -> Said:
    if sure:
        return Said(says=HELPS, reason=f"{_capital(text)}.", source="[ACC] Theorem 3.4")
    return Said(
        says=HELPS_IF,
        reason=f"If patients are on the same side of 50% as at the target, {text}.",
        source="[ACC] Theorem 3.4, Definition 2.3",
    )


def ccv(study: Study, scope: Scope) -> list[Said]:
    """Say by [CCV] what each site adds to the common curve.

    Source: [CCV] Theorem 2.1.
    """
    source = "[CCV] Theorem 2.1"
    if study.target is not None:
        return _other_kind(study, "a classifier", "a curve", source)
    answer = solve(study)
    for note in answer.notes:
        if note.key in _SILENCING and note.holds is False:
            return _alike(study, SILENT, note.text, note.source)
    out = [Said(says=HELPS, reason="All sites see one curve: each adds to it.", source=source)]
    for site, share in zip(study.servers, answer.integrated.shares, strict=True):
        if site.informative:
            text = f"It carries {percent(share)} of the whole curve by the rate equation."
            out.append(Said(says=HELPS, reason=text, source=source))
        else:
            out.append(_empty(site, source))
    return out


def ks(study: Study, scope: Scope) -> list[Said]:
    """Say by [KS] which sites are volunteers and which the population, and what is asked.

    Source: [KS] Sections 2 to 4.
    """
    if scope.answer("protection") is None:
        return _alike(study, UNDECIDED, _WHO_PROTECTS, "[KS] Section 2")
    people = [s for s in study.servers if s.informative and s.n == 1]
    trusted = [s for s in study.servers if s.informative and s.n > 1]
    if not people:
        text = "No row is a population of people who hold one record each."
        return _alike(study, UNDECIDED, text, "[KS] Section 2")
    if sum(s.count for s in trusted) != 1:
        text = "It has one centre with volunteers, and people who hold one record each."
        return _alike(study, NOT_COVERED, text, "[KS] Section 2")
    ask = "the volunteers' distance X from the population, which has not been told, is small"
    out = [Said(says=HELPS_IF, reason=f"The two together do if {ask}.", source="[KS] Section 4")]
    for site in study.servers:
        if not site.informative:
            out.append(_empty(site, "[KS] Section 2"))
        elif site.n == 1:
            text = "The population: its people test every rule, more of them the larger X is."
            out.append(Said(says=HELPS, reason=text, source="[KS] Sections 3, 4"))
        elif math.isinf(site.epsilon):
            text = "Volunteers' records are protected by the centre's release; these are open."
            out.append(Said(says=NOT_COVERED, reason=text, source="[KS] Section 4"))
        else:
            out.append(
                Said(says=HELPS_IF, reason=f"The volunteers: if {ask}.", source="[KS] Section 4")
            )
    return out


def bcmm(study: Study, scope: Scope) -> list[Said]:
    """Say by [BCMM] which sites are open data, and what decides whether they help.

    Source: [BCMM] Sections 2 and 3.
    """
    source = "[BCMM] Section 2"
    if scope.answer("protection") is None:
        return _alike(study, UNDECIDED, _WHO_PROTECTS, source)
    if study.target is None:
        return _other_kind(study, "a curve without a target", "a study with a target", source)
    if not study.target.private:
        text = "The target's records are not protected here, so there is nothing to pay for."
        return _alike(study, NOT_COVERED, text, source)
    opened = [s for s in study.sources if s.informative and not s.private]
    if not opened:
        return _alike(study, NOT_COVERED, "No other site's records are open.", source)
    ask = "asks for the discrepancy between open data and target, which has not been told"
    text = f"It {ask}; weights can be chosen so that the open data count little."
    out = [Said(says=UNDECIDED, reason=text, source="[BCMM] Section 3")]
    for site in study.servers:
        if not site.informative:
            out.append(_empty(site, source))
        elif site is study.target:
            text = "The protected target; its noise shrinks with its records and its ε."
            out.append(Said(says=TARGET, reason=text, source="[BCMM] Section 4"))
        elif site.private:
            text = "Data beside the target must be open; these are protected."
            out.append(Said(says=NOT_COVERED, reason=text, source=source))
        else:
            together = " All open sites count as one source." if len(opened) > 1 else ""
            text = f"It helps if it is close: {ask}.{together}"
            out.append(Said(says=UNDECIDED, reason=text, source="[BCMM] Sections 2, 3"))
    return out


def dplr(study: Study, scope: Scope) -> list[Said]:
    """Say by [DPLR] which sources detection decides about.

    Source: [DPLR] Sections 2.2 and 2.3.
    """
    source = "[DPLR] Section 2.3"
    if study.target is None:
        return _other_kind(study, "a curve", "a classifier", source)
    useful = [s for s in study.sources if s.informative]
    if not useful:
        out = [Said(says=NOTHING, reason="No source has anything to add.", source=source)]
    elif scope.answer("same_side") == "no":
        text = "Some source points the wrong way for some patients; detection is there to drop it."
        out = [Said(says=MAY_HARM, reason=text, source=source)]
    else:
        text = "Detection drops sources that fit the target's held-out records clearly worse."
        out = [Said(says=DROPPED_IF, reason=text, source=source)]
    for site in study.servers:
        if not site.informative:
            out.append(_empty(site, source))
        elif site is study.target:
            text = "Its held-out records decide which sources are kept."
            out.append(Said(says=TARGET, reason=text, source=source))
        else:
            out.append(out[0])
    return out


_WHO_PROTECTS = "It asks who protects the records, which has not been told."
BY_THEORY: Mapping[str, Callable[[Study, Scope], list[Said]]] = {
    "ACC": acc,
    "CCV": ccv,
    "KS": ks,
    "BCMM": bcmm,
    "DPLR": dplr,
}


def _alike(study: Study, says: str, reason: str, source: str) -> list[Said]:
    """The same of the study and of every site."""
    return [Said(says=says, reason=reason, source=source)] * (len(study.servers) + 1)


def _other_kind(study: Study, is_: str, asks: str, source: str) -> list[Said]:
    text = f"The answers fit, but the study that is open is stated as {is_}, not as {asks}."
    return _alike(study, UNDECIDED, text, source)


def _empty(site: Server, source: str) -> Said:
    text = "It holds no records." if site.n == 0 else "With a budget of 0 it releases nothing."
    return Said(says=NOTHING, reason=text, source=source)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
