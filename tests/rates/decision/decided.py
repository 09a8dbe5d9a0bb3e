"""The rule of the decision in plain Python, on top of a solver of its own."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace

from rates.study import Study, TransferStudy
from tests.rates.decision.solved import Plain, worth

VERDICTS = ("no", "no with this method", "undecided", "yes")
Ends = tuple[float, float, float]


def plain(study: Study, risk: str | None = None) -> Plain:
    """A study as numbers."""
    rows = [(s.name, s.count, s.n, s.epsilon, s.delta, s.signal_exponent) for s in study.servers]
    if isinstance(study, TransferStudy):
        return Plain(tuple(rows), study.smoothness, float(study.dimension))
    if risk == "pointwise":
        return Plain(tuple(rows), study.smoothness - 1 / study.integrability, kind="point")
    return Plain(tuple(rows), study.smoothness, kind="series")


def in_house(p: Plain, name: str, out: Collection[str] = ()) -> Plain:
    """One site of a row without noise, beside what is left of the others."""
    ((n, gamma),) = [(r[2], r[5]) for r in p.rows if r[0] == name]
    rest = [(x, many - (x == name), *r) for x, many, *r in p.rows if x not in out]
    return replace(p, rows=((f"one of {name}", 1, n, math.inf, None, gamma), *rest))


def without(p: Plain, out: Collection[str]) -> Plain:
    return replace(p, rows=tuple(r for r in p.rows if r[0] not in out))


def seen(p: Plain, use: str, out: Collection[str] = ()) -> list[Plain]:
    """What each solves who uses a study: users in house, or others the study as stated."""
    if use == "others":
        return [without(p, out)]
    return [in_house(p, r[0], out) for r in (p.rows[:1] if use == "target" else p.rows)]


def ends(p: Plain) -> Ends:
    """Least and largest worth over the constants, and by the rate equation."""
    if not p.rows:
        return 0.0, 0.0, 0.0
    found = [worth(p, kappa) for kappa in (1.0, 2.0, 3.0)]
    return min(found), max(found), worth(p)


def judge(low: float, high: float, equation: float, least: float) -> int:
    """The place of a verdict, from bad to good."""
    return 3 if low >= least else 2 if high >= least else int(equation >= least)


def codes(p: Plain, use: str, needed: float | None = None, gain: float = 1.25) -> list[int]:
    """The verdicts of all users, or that of others with a need."""
    floor = 30.0 if needed is None else needed
    least = [floor] if use == "others" else [max(gain * r[2], floor) for r in p.rows]
    return [judge(*ends(q), x) for q, x in zip(seen(p, use), least, strict=False)]


def verdict(p: Plain, use: str, needed: float | None = None, gain: float = 1.25) -> str:
    return VERDICTS[max(codes(p, use, needed, gain))]


def moved(p: Plain, parameter: str, value: float, study: Study, risk: str | None) -> Plain:
    """The study with one assumed number at another value."""
    if parameter == "smoothness":
        rough = study.smoothness - p.beta
        return replace(p, beta=value - rough)
    first, *rest = p.rows
    if parameter == "epsilon":
        return replace(p, rows=tuple((*r[:3], value * r[3], *r[4:]) for r in p.rows))
    most = max(r[5] for r in rest)
    return replace(p, rows=(first, *((*r[:5], r[5] * value / most) for r in rest)))
