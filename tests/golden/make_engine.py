"""Write engine.json: what engines answer today, and what printed rates are at their numbers.

A record of the present answers, not a truth: it is kept equal while the engines are rewritten.
``python tests/golden/make_engine.py --check`` says where an answer has changed, and how far.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

import rates
from rates import fit, maps, plan, split
from rates.answer import Lens, error_causes, privacy_cost
from rates.orders import printed
from rates.orders.reading import order_of
from rates.pieces import area
from rates.presets import PRESETS
from rates.study import FederatedStudy, TransferStudy
from tests.rates import made

# Published sizes became examples after the answers were frozen.
FROZEN = [one for one in PRESETS if one.key not in ("indomethacin", "surgery")]
FILE = Path(__file__).with_name("engine.json")
MECHANISM = Lens(mechanism="analytic")
REFUSALS = (rates.DomainError, plan.Unreachable)
# What a search by corners finds only nearly; all else is equal in logs to TOLERANCE.
LOOSE = {"ranges": 1e-4}
TOLERANCE = 1e-8
MOST = 9  # about as many entries of a long row are kept
Flat = dict[str, float | str]


def flat(found: Any, name: str = "") -> Iterator[tuple[str, float | str]]:
    """Yield the numbers and words of a record with their places in it."""
    if is_dataclass(found) and not isinstance(found, type):
        for one in fields(found):
            if not isinstance(getattr(found, one.name), TransferStudy | FederatedStudy):
                yield from flat(getattr(found, one.name), f"{name}.{one.name}")
    elif isinstance(found, Mapping):
        for key, one in found.items():
            yield from flat(one, f"{name}.{key}")
    elif isinstance(found, np.ndarray | tuple | list):
        rows = found.tolist() if isinstance(found, np.ndarray) else found
        rows = rows if isinstance(rows, list | tuple) else [rows]
        step = max(1, len(rows) // MOST)
        for key in range(0, len(rows), step):
            yield from flat(rows[key], f"{name}.{key}")
    elif isinstance(found, bool | str) or found is None:
        yield name, str(found)
    elif isinstance(found, int | float | np.number):
        yield name, float(found)


def _area(polygon: Any) -> float:
    """The area of a polygon, a logarithmic horizontal axis in logs."""
    return float(abs(area(list(zip(np.log(polygon.x).tolist(), polygon.y.tolist(), strict=True)))))


def areas(regions: Mapping[Any, Any]) -> dict[str, float]:
    """Return the area that each label covers."""
    return {str(label): float(sum(map(_area, polygons))) for label, polygons in regions.items()}


def levers(study: Any) -> Any:
    """Every lever, at three targets, by both answers."""

    def reached(row: Any) -> Any:
        both = (row.equation, row.mechanism)
        return row.lever, row.site, *((x.reached, x.value) if x else () for x in both)

    targets = (0.9, 0.6, 0.3)
    return {f"{x:g}": [reached(row) for row in plan.levers(study, x).levers] for x in targets}


def ranges(study: Any, scope: Any) -> Any:
    """Both answers' ends over the ranges of a study."""
    risk = "classification" if isinstance(study, TransferStudy) else "integrated"
    found = fit.envelope(study, scope, risk)
    ends = {name: getattr(found, name) for name in ("equation", "mechanism")}
    return {
        **{name: None if x is None else (x.rate.low, x.rate.high) for name, x in ends.items()},
        "effects": [(e.kind, e.log_range) for e in found.effects],
    }


def own_map(study: Any) -> Any:
    """Who carries what, over the usual axes and a second pair."""
    out = {}
    moved = maps.choices(study)
    for pair in {tuple(maps.usual(study)), tuple(moved[:2])}:
        if len(pair) == 2 and pair[0] != pair[1]:
            x, y = (maps.around(study, one) for one in pair)
            for lens in (Lens(), MECHANISM):
                found = maps.study_map(study, x, y, lens)
                here = maps.standing(study, x, y, lens)
                name = f"{x.moved} {y.moved} {lens.mechanism}"
                out[name] = (found.areas, str(here.label), here.across, here.upwards)
    return out


def shares(study: Any) -> Any:
    """Totals split over the sites, and what a doubled budget buys."""
    out: dict[str, Any] = {"taps": split.taps(study)}
    for what in ("epsilon", "records"):
        total = split.today(study, what)
        if math.isfinite(total):
            found = split.split(study, what, total, lens=MECHANISM)
            out[what] = (found.amounts, found.effective_n, found.even)
    return out


def planning(study: Any) -> Any:
    """Factors, a curve, the cheapest mix, causes, rivals."""
    site = study.servers[0].name
    offers = [plan.Offer(what="records", site=site, price=2.0, most=4 * max(1, study.servers[0].n))]
    mix: Any
    try:
        found = plan.cheapest(study, offers, fraction=0.9, lens=MECHANISM)
        mix = (found.cost, found.fraction)
    except REFUSALS as error:
        mix = str(error)
    return {
        "scales": plan.scales(study),
        "curve": plan.lever_curve(study, "n", site, np.geomspace(10, 1e5, 7)),
        "mix": mix,
        "causes": error_causes(study, MECHANISM),
        "cost": privacy_cost(study) if isinstance(study, TransferStudy) else None,
        "rivals": [by_owner(row) for row in fit.rivals(study, lens=MECHANISM)],
    }


def by_owner(row: fit.Rival) -> dict[str, Any]:
    """A row of a study's rivals; where two sites stand for themselves, that of each."""
    names = [one.site for one in row.equation] or [""]
    alike = {name: getattr(row, name) for name in ("kind", "theorem", "reason", "missing")}
    each: list[dict[str, Any]] = [
        {
            **alike,
            "equation": next((x for x in row.equation if x.site == name), None),
            "mechanism": [x for x in row.mechanism if len(names) == 1 or x.site == name],
            "least": None,
        }
        for name in names
    ]
    return each[0] | {"least": each[1] if len(each) > 1 else None}


def phase_maps() -> Any:
    """Corollaries 3.2 and 3.3 and Table 1 at the points of the reference files and around."""
    out: dict[str, Any] = {}
    points = [
        *((1e4, 100, 8e4, 0.5, 0.5, 2), (1e4, 100, 8e4, 1.5, 0.5, 2)),
        *((100, 100, 800, 1.2, 0.5, 2), (1e3, 10, 5e3, 3.0, 1.0, 3)),
    ]
    for k, (n, m, n0, gamma, beta, d) in enumerate(points):
        sizes, shape = {"n": n, "m": m, "n0": n0}, {"beta": beta, "d": d}
        out[f"regimes {k}"] = rates.regimes(n, m, n0, gamma=gamma, **shape)
        out[f"ends {k}"] = rates.endpoints(n, m, n0, gamma=gamma, **shape)
        asked = {**sizes, **shape, "gamma": np.linspace(0.3, 3, 28), "low": 1e-6}
        out[f"gamma map {k}"] = areas(maps.gamma_regions(**asked))
        for reading in ("A", "B"):
            found = maps.disagreement_regions(**asked, reading=reading)
            out[f"misprint {reading} {k}"] = sum(map(_area, found))
    return out


def details() -> Any:
    """Detail of curves."""
    study = maps.equal_servers(20, 5000, 0.05, smoothness=2, integrability=4)
    axes = ("budget", "spread", "sites", "records", "smoothness")
    window = {end: maps.elbow(5000, 20, smoothness=g) for end, g in (("lo", 2), ("hi", 1.75))}
    return {**{axis: maps.sweep(study, axis, 9) for axis in axes}, "window": window}


def decided(study: Any) -> Any:
    """The decision for each use, with its turning points."""
    out = {}
    for use in ("target", "each", "others"):
        try:
            out[use] = rates.decide(study, use=use)
        except rates.DomainError as error:
            out[use] = str(error)
    return out


def printed_rates() -> Any:
    """Every printed rate at its usual sizes, and further out: a slip in its text moves one."""
    found = {}
    for one in printed.printed().values():
        order, (sizes, exponents) = order_of(one.asked), one.asked.split()
        places = (sizes, {x: v**1.5 for x, v in sizes.items()})
        found[one.key] = [float(order.value(at, exponents)) for at in places]
    return found


def answers() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield every question with its name."""
    yield "printed rates", printed_rates
    for one in FROZEN:
        for ask in (levers, own_map, shares, planning, decided):
            yield f"{ask.__name__} {one.key}", lambda ask=ask, one=one: ask(one.study)
        yield f"ranges {one.key}", lambda one=one: ranges(one.study, one.scope)
    yield "phase maps", phase_maps
    yield "details", details


def asked(ask: Callable[[], Any]) -> Flat:
    """Return an answer, with the levers of then; a refusal is one as well."""
    with np.errstate(all="ignore"), made.levers(*made.KNOWN):
        try:
            return dict(flat(ask()))
        except REFUSALS as error:
            return {"refused": str(error)}


def apart(old: float | str, new: float | str | None) -> float:
    """Return by how much two answers differ: in logs where both are above 0."""
    if isinstance(old, str) or isinstance(new, str) or new is None:
        return 0.0 if old == new else math.inf
    both_nan = math.isnan(old) and math.isnan(new)
    if old == new or both_nan or max(abs(old), abs(new)) < 1e-13:  # of a sum at its root
        return 0.0
    if old > 0 and new > 0 and math.isfinite(old) and math.isfinite(new):
        return abs(math.log(old) - math.log(new))
    gap = abs(old - new)
    return gap if math.isfinite(gap) else math.inf


def differing(name: str, ask: Callable[[], Any]) -> list[tuple[str, Any, Any]]:
    """Return where an answer is not the stored one: its place, what was there, what is."""
    old, new = json.loads(FILE.read_text(encoding="utf-8"))[name], _short(asked(ask))
    most = LOOSE.get(name.split(maxsplit=1)[0], TOLERANCE)
    return [
        (k, old.get(k), new.get(k))
        for k in dict.fromkeys([*old, *new])
        if apart(old.get(k, "nothing"), new.get(k)) > most
    ]


def main() -> None:
    """Write the file, or compare with it."""
    if "--check" not in sys.argv:
        found = {name: asked(ask) for name, ask in answers()}
        rows = ",\n".join(
            f"{json.dumps(name)}: {json.dumps(_short(row))}" for name, row in found.items()
        )
        FILE.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
        print(f"{len(found)} answers, {sum(map(len, found.values()))} numbers and words")
        return
    wrong = 0
    only = [word for word in sys.argv[1:] if not word.startswith("-")]
    for name, ask in answers():
        if only and not any(word in name for word in only):
            continue
        bad = differing(name, ask)
        wrong += len(bad)
        for place, before, after in bad[:5]:
            print(f"{name}{place}: {before} -> {after}, of {len(bad)} in all")
    print(f"{wrong} answers differ")
    sys.exit(wrong > 0)


def _short(row: Flat) -> Flat:
    return {k: float(f"{x:.11g}") if isinstance(x, float) else x for k, x in row.items()}


if __name__ == "__main__":
    main()
