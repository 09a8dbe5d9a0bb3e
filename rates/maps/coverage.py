"""Which corollary of [ACC] or [CCV] covers a study, and which condition fails for the others."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rates.answer import all_private_D, dominating, privacy_binds_everywhere
from rates.numbers import listed
from rates.study import FederatedStudy, Server, Study, TransferStudy, columns


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Whether a statement of a paper covers a study.

    Attributes:
        corollary: The statement, such as "Corollary 3, integrated".
        holds: Whether the study is of its form.
        reason: The numbers that decide, as a sentence; the first condition that fails.
        source: The paper.
    """

    corollary: str
    holds: bool
    reason: str
    source: str


def applies(study: Study) -> tuple[Coverage, ...]:
    """Say which corollary covers a study, and which condition fails for the others.

    Only the form counts: sizes, budgets and exponents. What the theorems ask of every delta
    is in the notes of the solved study. Sites without information are left out.

    Examples:
        >>> from rates.presets import preset
        >>> [row.corollary for row in applies(preset("figure1").study) if row.holds]
        ['Theorem 3.1', 'Corollary 3.2']

    Source: [ACC] Theorem 3.1, Corollaries 3.2, 3.3; [CCV] Corollaries 1 to 4.
    """
    return _federated(study) if study.target is None else _transfer(study)


def _coverage(name: str, source: str, complaints: Iterable[str], well: str) -> Coverage:
    """Take the first complaint; those after it are not looked at, as they rest on it."""
    complaint = next(filter(None, complaints), "")
    return Coverage(corollary=name, holds=not complaint, reason=complaint or well, source=source)


def _differing(servers: Sequence[Server], fields: Sequence[str]) -> str:
    """Say which row first differs from the first one, in which of the fields."""
    for server in servers[1:]:
        for field in fields:
            a, b = getattr(servers[0], field), getattr(server, field)
            if a != b:
                return f"{field} differs: {a:.6g} at {servers[0].name}, {b:.6g} at {server.name}."
    return ""


def _public(servers: Sequence[Server]) -> str:
    names = [s.name for s in servers if math.isinf(s.epsilon)]
    return f"The budgets must be bounded; {listed(names)} has none." if names else ""


def _transfer(study: TransferStudy) -> tuple[Coverage, ...]:
    target = study.target
    sources = [s for s in study.sources if s.informative]
    m = sum(s.count for s in sources)

    def unlike() -> Iterator[str]:
        if not sources:
            yield "There is no source with information (Remark 3.1 covers this)."
        yield _differing(sources, ("n", "epsilon", "signal_exponent"))

    def unlike_the_target() -> Iterator[str]:
        yield from unlike()
        n, n0, epsilon = sources[0].n, target.n, target.epsilon
        if sources[0].epsilon != epsilon:
            theirs = f"that of the sources {sources[0].epsilon:.6g}"
            yield f"The target's epsilon is {epsilon:.6g}, {theirs}."
        if not 0 < epsilon <= 1:
            yield f"epsilon = {epsilon:.6g} is not in (0, 1]."
        if not n <= n0 <= m * n:
            yield f"n <= n0 <= mn fails: n = {n:,}, n0 = {n0:,}, mn = {m * n:,}."

    sizes = f"m = {m:,}, n = {sources[0].n if sources else 0:,}, n0 = {target.n:,}"
    return (
        _coverage("Theorem 3.1", "[ACC]", unlike(), f"The {m:,} sources are alike: {sizes}."),
        _coverage(
            "Corollary 3.2",
            "[ACC]",
            unlike_the_target(),
            f"Equal sources and one budget, with n <= n0 <= mn: {sizes}.",
        ),
        _with_public_source(study, sources, m),
    )


def _with_public_source(study: TransferStudy, sources: list[Server], m: int) -> Coverage:
    target = study.target
    public = [s for s in sources if math.isinf(s.epsilon)]
    private = [s for s in sources if s.private]

    def complaints() -> Iterator[str]:
        if not (m == 2 and len(public) == len(private) == 1):
            unprotected = sum(s.count for s in public)
            yield (
                "There must be one unprotected and one protected source; there are "
                f"{unprotected:,} and {m - unprotected:,}."
            )
        (one,) = private
        if one.epsilon != target.epsilon:
            yield (
                f"The target's epsilon is {target.epsilon:.6g}, that of {one.name} "
                f"{one.epsilon:.6g}."
            )
        yield _differing(sources, ("signal_exponent",))
        b, d = study.smoothness, study.dimension
        # In logs, as n0 to that power may be beyond all numbers.
        power = (2.0 * b * one.signal_exponent + d) / (2.0 * b + d)
        needed = power * math.log(target.n) if target.n else -math.inf
        if not math.log(one.n) > needed:
            yield (
                f"n2 must exceed n0^{power:.4g} = {target.n**power:.4g}; {one.name} has {one.n:,}."
            )

    return _coverage(
        "Corollary 3.3",
        "[ACC]",
        complaints(),
        "One unprotected source, and one under the target's budget that is large enough.",
    )


def _federated(study: FederatedStudy) -> tuple[Coverage, ...]:
    servers = [s for s in study.servers if s.informative]
    risks = (("integrated", study.smoothness), ("pointwise", study.pointwise_smoothness))
    m = sum(s.count for s in servers)

    silent = "" if servers else "No server carries information."
    first = [silent, _public(servers)]
    out = [
        _coverage(
            f"Corollary {k}, {risk}",
            "[CCV]",
            [*first, _differing(servers, ("n", "epsilon"))],
            f"The {m:,} servers are alike: n = {servers[0].n if servers else 0:,}.",
        )
        for k, (risk, _) in enumerate(risks, start=1)
    ]
    for risk, g in risks:
        out.append(_all_private(servers, risk, g, first))
        out.append(_one_dominates(servers, risk, g, first))
    return tuple(sorted(out, key=lambda row: row.corollary))


def _all_private(servers: list[Server], risk: str, g: float, first: list[str]) -> Coverage:
    c = columns(servers)
    n, epsilon, count = c["n"], c["epsilon"], c["count"]
    left = all_private_D(n, epsilon, smoothness=g, count=count) if servers else 0.0
    right = max((s.n * (s.epsilon * s.epsilon) for s in servers), default=0.0)
    text = f"the root of order 2g + 2 of Σ n²ε² is {left:.4g}, the largest nε² {right:.4g}."
    eight = bool(servers) and privacy_binds_everywhere(n, epsilon, smoothness=g, count=count)
    complaints = [*first, "" if eight else f"(8) fails: {text}"]
    return _coverage(f"Corollary 3, {risk}", "[CCV]", complaints, f"(8) holds: {text}")


def _one_dominates(servers: list[Server], risk: str, g: float, first: list[str]) -> Coverage:
    c = columns(servers)
    n, epsilon, count = c["n"], c["epsilon"], c["count"]
    with np.errstate(all="ignore"):  # a lone server has nobody beside it
        own = (n * epsilon) ** 2
        left = np.minimum(own, n ** ((2.0 * g + 2.0) / (2.0 * g + 1.0)))
        right = (count * own).sum() - own
        best = int(np.argmax(left / right)) if servers else 0
    kings = dominating(n, epsilon, smoothness=g, count=count) if servers else ()
    strong = [j for j in kings if n[j] * epsilon[j] > 1]
    j = (strong or kings or (best,))[0]
    name = servers[j].name if servers else ""
    text = f"left side {left[j]:.4g} at {name}, the others' sum {right[j]:.4g}." if servers else ""

    # A generator: what a later complaint divides by exists only if no earlier one was made.
    def complaints() -> Iterator[str]:
        yield from first
        if not kings:
            yield f"(9) fails for every server; the nearest: {text}"
        if not strong:
            yield f"epsilon = {epsilon[j]:.4g} at {name} must exceed 1/n = {1.0 / n[j]:.4g}."

    return _coverage(f"Corollary 4, {risk}", "[CCV]", complaints(), f"(9) holds: {text}")
