"""The decision once more, in plain Python on a solver of its own; and that the engine's agrees."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
import pytest

from rates.decision import Decision, Tip
from rates.study import FederatedStudy, Study, TransferStudy
from tests.rates.made import INF, everywhere, site, transfer
from tests.rates.plan.plan_cases import random_study
from tests.rates.solved import Plain, plain, worth

KAPPAS = (1.0, 2.0, 3.0)
VERDICTS = ("no", "no with this method", "undecided", "yes")
FAR = 1e-5  # relative distance to both sides of a turning point


def in_house(p: Plain, name: str, out: Collection[str] = ()) -> Plain:
    """One site of a row without noise, beside what is left of the others."""
    ((n, gamma),) = [(r[2], r[5]) for r in p.rows if r[0] == name]
    rest = [(x, many - (x == name), *r) for x, many, *r in p.rows if x not in out]
    return p._replace(rows=((f"one of {name}", 1, n, INF, None, gamma), *rest))


def solved(p: Plain, use: str, out: Collection[str] = ()) -> list[Plain]:
    """What each solves who uses a study: users in house, others the study as it is stated."""
    if use == "others":
        return [p._replace(rows=tuple(r for r in p.rows if r[0] not in out))]
    return [in_house(p, r[0], out) for r in (p.rows[:1] if use == "target" else p.rows)]


def by_kappa(p: Plain) -> list[float]:
    return [worth(p, kappa) if p.rows else 0.0 for kappa in KAPPAS]


def ends(p: Plain) -> tuple[float, float, float]:
    """Least and largest worth over the constants, and by the rate equation."""
    found = by_kappa(p)
    return min(found), max(found), worth(p) if p.rows else 0.0


def judge(low: float, high: float, equation: float, least: float) -> int:
    """The place of a verdict, from bad to good; rounding does not decide between equals."""
    least *= 1 - 1e-11
    return 3 if low >= least else 2 if high >= least else int(equation >= least)


def verdicts(p: Plain, use: str, needed: float | None, gain: float) -> list[str]:
    """The verdict of every user, or of others with a need."""
    floor = 30.0 if needed is None else needed
    least = [floor if use == "others" else max(gain * r[2], floor) for r in p.rows]
    pairs = zip(solved(p, use), least, strict=False)
    return [VERDICTS[judge(*ends(q), x)] for q, x in pairs]


def best(p: Plain, use: str, needed: float | None = None, gain: float = 1.25) -> str:
    return max(verdicts(p, use, needed, gain), key=VERDICTS.index)


def scaled(p: Plain, quantity: str, factor: float) -> Plain:
    """All budgets, all sizes, or the counts of rows of many alike, times a factor."""
    place = {"count": 1, "n": 2, "epsilon": 3}[quantity]
    kept = [[*row] for row in p.rows]
    for row in kept:
        if quantity != "count" or row[1] > 1:
            row[place] *= factor
    return p._replace(rows=tuple(tuple(row) for row in kept))


def moved(p: Plain, study: Study, parameter: str, value: float) -> Plain:
    """The study with one assumed number at another value."""
    if parameter == "epsilon":
        return scaled(p, "epsilon", value)
    if parameter == "smoothness":
        return p._replace(beta=value - (study.smoothness - p.beta))
    first, *rest = p.rows
    most = max(r[5] for r in rest)
    return p._replace(rows=(first, *((*r[:5], r[5] * value / most) for r in rest)))


def near(x: Any, tolerance: float = 1e-7) -> Any:
    return pytest.approx(x, rel=tolerance, nan_ok=True)


def agrees(found: Decision, *, levers: bool = True) -> None:
    """Every number of a decision with all deltas is the other solver's."""
    study, use = found.study, found.use
    p = plain(study, found.risk)
    who = solved(p, use)
    asked = use != "others" or found.needed is not None
    told = verdicts(p, use, found.needed, found.factor) if asked else []
    many = {"target": 1, "each": len(p.rows), "others": 0}[use]
    assert len(found.users) == many
    rows = zip(found.users, study.servers, who, told, strict=False)
    for user, row, q, said in rows:
        assert (user.name, user.own, user.count) == (row.name, row.n, row.count)
        assert (*user.worth, user.equation) == near(ends(q))
        if user.own:
            assert user.gain == near((user.worth[0] / user.own, user.worth[1] / user.own))
        assert user.verdict == said
    assert found.verdict == (max(told, key=VERDICTS.index) if told else "worth")
    pool = who[0] if use == "target" else p
    assert (*found.worth, found.equation) == near(ends(pool))
    assert found.free == near(ends(open_(pool))[:2])
    _against(found, p)
    _stay_out(found, p)
    _doubling(found, pool)
    for tip in found.tips:
        turns(found, tip)
    for lever in found.levers if levers else ():
        _lever(lever, pool, found.aim)


def open_(p: Plain) -> Plain:
    """A study without privacy, as `unprotected` has it: a budget of 0 is lifted too."""
    return p._replace(rows=tuple((*r[:3], INF, *r[4:]) for r in p.rows))


def _against(found: Decision, p: Plain) -> None:
    if found.use == "target":
        own = found.study.servers[0].n
        assert [(x.name, x.worth) for x in found.against] == [(p.rows[0][0], (own, own))]
    elif found.use == "each":
        assert found.against == ()
    else:
        alone = {r[0]: ends(p._replace(rows=((r[0], 1, *r[2:]),)))[:2] for r in p.rows}
        (one,) = found.against
        assert one.worth == near(alone[one.name])
        assert one.worth[0] == near(max(low for low, _ in alone.values()))


def losses(found: Decision, p: Plain, out: Collection[str]) -> Iterator[tuple[float, float]]:
    """What every user loses: the most over the constants, and by the rate equation."""
    for before, after in zip(solved(p, found.use), solved(p, found.use, out), strict=True):
        pairs = zip(by_kappa(before), by_kappa(after), strict=True)
        exact = worth(before)
        gone = 1 - (worth(after) if after.rows else 0.0) / exact if exact else 0.0
        yield max(1 - y / x if x else 0.0 for x, y in pairs), gone


def _stay_out(found: Decision, p: Plain) -> None:
    named, exact = (max(x) for x in zip(*losses(found, p, found.stay_out), strict=True))
    assert found.stay_out_loss == pytest.approx(named, abs=1e-8)
    assert found.stay_out_loss <= 0.02
    assert found.stay_out_equation_loss == pytest.approx(exact, abs=1e-8)
    assert found.use != "target" or p.rows[0][0] not in found.stay_out
    pool = solved(p, found.use)[0] if found.use == "target" else p
    now = by_kappa(pool)
    for row in p.rows[found.use == "target" :]:
        rest = by_kappa(pool._replace(rows=tuple(r for r in pool.rows if r[0] != row[0])))
        lost = min(1 - y / x if x else 0.0 for x, y in zip(now, rest, strict=True))
        assert (row[0] in found.essential) == (lost >= 0.05), row


def _doubling(found: Decision, pool: Plain) -> None:
    """No row's doubled budget adds more than the one that is named; rows alike go together."""
    kinds: dict[Any, list[str]] = {}
    for name, many, *kind in pool.rows:
        if 0 < kind[1] < INF and kind[0] and many:
            kinds.setdefault(tuple(kind), []).append(name)
    now, exact = by_kappa(pool), worth(pool)
    if found.doubling is None:
        assert not kinds
        return
    gains = {}
    for names in kinds.values():
        twice = [(*r[:3], 2 * r[3], *r[4:]) if r[0] in names else r for r in pool.rows]
        more = pool._replace(rows=tuple(twice))
        gain = [y / x - 1 for x, y in zip(now, by_kappa(more), strict=True)]
        gains[frozenset(names)] = (min(gain), max(gain), worth(more) / exact - 1)
    said = gains[frozenset(found.doubling.names)]
    told = (*found.doubling.gain, found.doubling.equation)
    assert told == pytest.approx(said, rel=1e-6, abs=1e-8)
    assert said[0] >= max(gain[0] for gain in gains.values()) - 1e-8


def turns(found: Decision, tip: Tip) -> None:
    """Up to a turning point the verdict is today's, and beyond it the one that is said."""
    p, toward = plain(found.study, found.risk), 1 if tip.value < tip.now else -1
    asked = (found.use, found.needed, found.factor)
    near_, far = (
        moved(p, found.study, tip.parameter, tip.value * (1 + FAR * side * toward))
        for side in (1, -1)
    )
    assert best(near_, *asked) == found.verdict, tip
    assert best(far, *asked) == tip.verdict, tip
    assert tip.verdict != found.verdict


def _lever(lever: Any, pool: Plain, needed: float | None) -> None:
    """The factor reaches the goal by one constant, or by all; a little less does not."""
    if lever.high > 1e6 or lever.high == 1.0:  # a goal at the limit itself is no goal
        return
    now, free = ([*by_kappa(q), worth(q)] for q in (pool, open_(pool)))
    goals = [needed or 0.5 * (x + y) for x, y in zip(now, free, strict=True)]

    def reached(factor: float) -> list[bool]:
        q = scaled(pool, lever.quantity, factor)
        return [x >= y for x, y in zip([*by_kappa(q), worth(q)], goals, strict=True)]

    below, above = 1 - 1e-5, 1 + 1e-5
    assert all(reached(lever.high * above)[:3])
    assert not all(reached(lever.high * below)[:3])
    if lever.low > 1.0:
        assert any(reached(lever.low * above)[:3])
        assert not any(reached(lever.low * below)[:3])
    if 1.0 < lever.equation < INF:
        assert reached(lever.equation * above)[3]
        assert not reached(lever.equation * below)[3]


# Studies that decisions are tried with: what is stated of them, and what we chose to fill up ------


def biobank(gamma: float) -> TransferStudy:
    """A hospital with 350 records in house and a biobank, in four dimensions."""
    return transfer(site("Hospital", 350), site("Biobank", 200_000, signal_exponent=gamma), d=4)


# Stated are sizes, dimension 4 and the budgets 0.2 and 0.1. Chosen: epsilon 1 and dimension 2
# elsewhere, delta 1e-6, gamma 1, and that the first site is the one that asks.
SMALL = {
    "6,000 and 300": transfer(site("A", 6_000, 1), site("B", 300, 1)),
    "180 and 220": transfer(site("A", 180, 0.2), site("B", 220, 0.2)),
    "2,000 twice": transfer(site("A", 2_000, 1), site("B", 2_000, 1), d=4),
    "5,000 open": transfer(site("A", 5_000, INF), site("B", 4_000, 0.1)),
}


def uses(study: Study) -> list[str]:
    """The uses that a study has."""
    if not isinstance(study, TransferStudy):
        return ["each", "others"]
    alike = all(s.signal_exponent == 1 for s in study.servers)
    return ["target", "each", "others"] if alike else ["target", "others"]


def drawn(rng: np.random.Generator) -> tuple[Study, dict[str, object]]:
    """A random study, two in five classifiers alike everywhere, and a random question to it."""
    study = random_study(rng)
    if isinstance(study, TransferStudy) and rng.uniform() < 0.4:
        study = everywhere(study, signal_exponent=1.0)
    use = str(rng.choice(uses(study)))
    needed = float(10 ** rng.uniform(1, 5)) if use == "others" or rng.uniform() < 0.5 else None
    pointwise = isinstance(study, FederatedStudy) and rng.uniform() < 0.3
    asked = {"use": use, "needed": needed, "gain": float(rng.choice([1.0, 1.25, 2.0]))}
    return study, asked | ({"risk": "pointwise"} if pointwise else {})
