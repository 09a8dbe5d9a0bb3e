"""Ranges of what nobody knows, inside the theory."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rates.numbers import DomainError, Words
from rates.study import PARAMETERS, UNKNOWN, Range, Scope, Study, alike, check, checked


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """Ranges of everything that is not known, part of it possibly cut off.

    Attributes:
        smoothness: Of beta (transfer) or alpha (federated).
        margin: Of alpha (transfer); (1, 1) for a federated study, where it plays no part.
        integrability: Of p (federated); (inf, inf) for a transfer study.
        signal: Per row, of gamma; (1, 1) for the target, and for all where sites are alike.
        dimension: d.
        cut: What has been cut off and why; empty if nothing.
    """

    smoothness: Range
    margin: Range
    integrability: Range
    signal: tuple[Range, ...]
    dimension: int
    cut: str


def box(study: Study, scope: Scope) -> Box:
    """Return the ranges of a study's parameters: what was said, or what is never known.

    The part with alpha beta > d, where the theory has no such problem, is cut off.

    >>> from rates.presets import preset
    >>> box(preset("hospitals").study, Scope()).smoothness
    (0.5, 1.0)

    Raises:
        DomainError: A range lies outside the theory, or nothing is left of it.

    Source: [ACC] Remark 2.2; the ranges for "not known" are ours.
    """
    check(scope, study)
    kind, one = study.kind, (1.0, 1.0)
    unknown = UNKNOWN[kind]
    ranges = {
        name: checked(getattr(scope, name) or unknown[name], parameter, "Ranges")
        for name, parameter in PARAMETERS[kind].items()
    }
    smoothness, margin, cut, signal = ranges["smoothness"], one, "", [one] * len(study.servers)
    p = ranges.get("integrability", (math.inf, math.inf))
    if study.target is None:
        if not smoothness[0] - 1.0 / p[0] > 0.5:
            rule = "alpha - 1/p must exceed 1/2 everywhere in the ranges."
            raise DomainError(rule, "smoothness", smoothness[0] - 1.0 / p[0], "Ranges")
    else:
        smoothness, margin, cut = _cut(smoothness, ranges["margin"], study.dimension)
        if not alike(study, scope):  # else whatever was said of a site before they were called so
            said = dict(scope.signal)
            signal[1:] = [said.get(s.name, unknown["signal_exponent"]) for s in study.sources]
    return Box(
        smoothness=smoothness,
        margin=margin,
        integrability=p,
        signal=tuple(signal),
        dimension=study.dimension,
        cut=cut,
    )


def _cut(beta: Range, alpha: Range, d: int) -> tuple[Range, Range, str]:
    """Cut both ranges to where some alpha beta is at most d."""
    if alpha[0] * beta[0] > d * (1 + 1e-12):
        rule = "alpha*beta must be at most d (Remark 2.2), and exceeds it everywhere in the ranges."
        value = Words(f"alpha*beta of at least {alpha[0] * beta[0]:.4g} with d = {d}")
        raise DomainError(rule, "margin*smoothness", value, "Ranges")
    if alpha[1] * beta[1] <= d * (1 + 1e-12):
        return beta, alpha, ""
    text = (
        f"alpha*beta reaches {alpha[1] * beta[1]:.4g} in these ranges, but must be at most "
        f"d = {d} (Remark 2.2): that part is cut off."
    )
    beta = (beta[0], min(beta[1], d / alpha[0]) if alpha[0] > 0 else beta[1])
    alpha = (alpha[0], min(alpha[1], d / beta[0]))
    return beta, alpha, text
