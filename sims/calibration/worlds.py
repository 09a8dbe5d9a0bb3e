"""Calibrations on worlds that are known: the study's own servers, more or fewer, on each.

Risks are exact, by `sims.acc.risk` and `sims.ccv.risk`; a setting without an exact one is left
out. The bandwidth, K and the weights are those of the named mechanism, so
that a better tuned estimator may do better.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from rates.answer import Lens
from rates.numbers import DomainError
from rates.study import FederatedStudy, Scope, Server, Study
from sims import ccv
from sims.acc import RECORDS, Cusp, Trial, lattice_of, lattice_risk, study_on
from sims.calibration import calibration as fits
from sims.ccv import World as CurveWorld
from sims.curves import EXPONENT, RANDOM_SMOOTHNESS, curve
from sims.engine import generators

World = Cusp | CurveWorld

FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)  # of all records
BUDGETS = (0.5, 1.0, 2.0, math.inf)  # of all finite budgets; inf is no privacy
UNEVEN = 30  # uneven settings, where there are several signal exponents
APART = 4.0  # most factor on the records and on the budget of one exponent's servers
WHOLE = (0.5, 8.0)  # factors on all records of an uneven setting
WIDEST = 0.5  # bandwidth from which a classifier is saturated
PLACES = tuple(0.25 + 0.5 * ((0.74 + 0.6180339887498949 * k) % 1.0) for k in range(12))  # of cusps
COPIES = 4  # random curves of a world for the error over the whole curve
RECIPE = ccv.Recipe(level="constants", weights="calibrated")


def calibrate(study: Study, world: World, *, scope: Scope | None = None) -> fits.Calibration:
    """Fit the constant of the calibrated rate on a world, around a study's own settings.

    Args:
        study: Its servers count; smoothness and margin are the world's.
        world: A cusp for a transfer study, or curves for a federated one.
        scope: What has been answered about the study; an assumption that fails is a refusal.

    Raises:
        DomainError: The world is for the other kind of study.

    Examples:
        >>> from rates.study import TransferStudy
        >>> row = Server(name="target", n=20_000, epsilon=1, delta=1e-6)
        >>> study = TransferStudy(target=row, smoothness=1, dimension=1, margin=1)
        >>> found = calibrate(study, Cusp())
        >>> found.accepted, round(found.constant.value, 1), round(found.slope.value, 2)
        (True, 2.2, 1.0)

    Source: [ACC] eqs. (5), (6), [CCV] eq. (6), with a mechanism's constants; exact risks of
    `sims.acc.risk` and `sims.ccv.risk`.
    """
    if isinstance(world, Cusp) != (study.target is not None):
        rule = "A classifier is calibrated on a cusp, a curve on curves."
        raise DomainError(rule, field="world", value=type(world).__name__)
    servers, note = fits.stated(study)
    yardstick = yardstick_of(world, servers)
    base = fits.Calibration(
        yardstick=yardstick,
        world=title_of(world),
        signals=fits.signals(servers),
        note=note,
    )
    if refusal := _outside(study, yardstick, scope or Scope()):
        return replace(base, refusal=refusal)

    def tried(records: float, budget: float, own: tuple[Server, ...]) -> fits.Tried:
        rate, signal = yardstick.reading(own)
        at = fits.Tried(records=records, budget=budget, rate=rate, signal=signal)
        try:
            return (
                _classifier(at, world, own) if isinstance(world, Cusp) else _series(at, world, own)
            )
        except DomainError as error:
            return replace(at, left_out=str(error))

    settings = [tried(*one) for one in _settings(servers, world)]
    uneven = [tried(factor, 1.0, own) for factor, own in _uneven(servers, world)]
    return fits.fitted(base, settings, uneven)


def worlds_for(study: Study, *, pointwise: bool = False) -> dict[str, World]:
    """Return the worlds that can stand for a study, by name; none if none can.

    Transfer studies with one or two covariates get cusps of three smoothnesses, of which each
    fixes its own margin; federated ones curves of their own smoothness.

    >>> from rates.study import TransferStudy
    >>> row = Server(name="target", n=100, epsilon=1)
    >>> list(worlds_for(TransferStudy(target=row, smoothness=0.5, dimension=2, margin=1)))
    ['cusp 1', 'cusp 0.75', 'cusp 0.5']
    """
    if study.target is not None:
        if study.dimension > 2:
            return {}
        return {
            f"cusp {b:g}": Cusp(
                smoothness=b, right=0.45 * 2**b, left=0.15 * 2**b, dimension=study.dimension
            )
            for b in (1.0, 0.75, 0.5)
        }
    if pointwise:
        g = study.pointwise_smoothness
        if not EXPONENT.low < g < EXPONENT.high:
            return {}
        curves = tuple(curve("cusp", exponent=g, at=x) for x in PLACES)
        return {"cusps": CurveWorld(curves=curves, places=PLACES)}
    if study.smoothness > RANDOM_SMOOTHNESS.high:
        return {}
    curves = tuple(curve("fourier", smoothness=study.smoothness, seed=k) for k in range(COPIES))
    return {"fourier": CurveWorld(curves=curves)}


def title_of(world: World) -> str:
    """Return a world's name for people."""
    if isinstance(world, Cusp):
        covariates = "one covariate" if world.dimension == 1 else f"{world.dimension} covariates"
        return (
            "a risk that crosses 50% along a line, three times as steep on one side, "
            f"{covariates}, smoothness {world.smoothness:g}, margin {world.margin:.3g}"
        )
    first = world.curves[0]
    many = f"one of {len(world.curves)} curves like" if len(world.curves) > 1 else "the curve"
    where = ", error at the cusp" if world.pointwise else ""
    return f"{many} {first.formula}, of largest value 1{where}"


def yardstick_of(world: World, servers: Sequence[Server]) -> fits.Yardstick:
    """Return the rate that belongs to a world: its own smoothness, dimension and margin."""
    named = Lens(mechanism="analytic", kappa=fits.KAPPA)
    if isinstance(world, Cusp):
        return fits.Yardstick(study=study_on(world, servers), lens=named)
    # The point feels the smoothness less 1/p.
    rough, p, risk = (0.5, 2.0, "pointwise") if world.pointwise else (0.0, math.inf, "integrated")
    smooth = world.exponent + rough
    own = FederatedStudy(servers=tuple(servers), smoothness=smooth, integrability=p)
    series = ccv.series_constants(world, RECIPE)
    return fits.Yardstick(study=own, lens=replace(named, risk=risk, series=series))


def _outside(study: Study, yardstick: fits.Yardstick, scope: Scope) -> str:
    """Return why the world cannot stand for the study; empty if it can."""
    if refusal := fits.outside_theory(study, scope):
        return refusal
    if not any(s.informative for s in study.servers):
        return "No site holds records and a budget, so that nothing can be learnt."
    own = yardstick.study
    if study.dimension != own.dimension:
        return (
            f"The study has {study.dimension} covariates and this world {own.dimension}: "
            "the constant of one says nothing about the other."
        )
    given = {"smoothness": scope.smoothness, "margin": scope.margin}
    if yardstick.kind == "pointwise":  # a point feels what p leaves of the smoothness
        del given["smoothness"]
    for name, ends in given.items():
        value = getattr(own, name)
        if ends is not None and not ends[0] - 1e-9 <= value <= ends[1] + 1e-9:
            return (
                f"This world lies outside the answers given: its {name} is {value:g}, and "
                f"{ends[0]:g} to {ends[1]:g} was said."
            )
    return ""


def _settings(
    servers: Sequence[Server], world: World
) -> Iterator[tuple[float, float, tuple[Server, ...]]]:
    """Yield the factors and the servers of every setting, none larger than can be computed."""
    top = _top(servers, world)
    budgets = BUDGETS if any(s.private for s in servers) else (1.0,)
    for factor in FACTORS:
        for budget in budgets:
            own = tuple(fits.scaled(s, factor * top, budget) for s in servers)
            yield factor * top, budget, own


def _top(servers: Sequence[Server], world: World) -> float:
    """Return the factor on all records at which the largest of `FACTORS` can be computed."""
    most = max((s.n * s.count for s in servers if s.informative), default=1)
    return min(1.0, RECORDS / (FACTORS[-1] * most)) if isinstance(world, Cusp) else 1.0


def _uneven(servers: Sequence[Server], world: World) -> Iterator[tuple[float, tuple[Server, ...]]]:
    """Yield settings in which each signal exponent's servers change by factors of their own.

    They are drawn at random, always the same ones; with one exponent there are none.
    """
    exponents = fits.signals(servers)
    if len(exponents) < 2:
        return
    for draw in generators(0, "calibration", "uneven", indices=range(UNEVEN)):
        whole = _top(servers, world) * math.exp(draw.uniform(*np.log(WHOLE)))
        ends = (-math.log(APART), math.log(APART))
        by = {g: np.exp(draw.uniform(*ends, size=2)).tolist() for g in exponents}
        yield (
            whole,
            tuple(
                fits.scaled(s, whole * by[s.signal_exponent][0], by[s.signal_exponent][1])
                if s.informative
                else s
                for s in servers
            ),
        )


def _classifier(at: fits.Tried, world: Cusp, servers: tuple[Server, ...]) -> fits.Tried:
    trial = Trial(world=world, study=study_on(world, servers), kappa=fits.KAPPA)
    at = replace(at, risk=lattice_risk(lattice_of(trial)))
    wide = trial.bandwidth >= WIDEST
    reason = "saturated: the bandwidth reaches half of the covariates' range" if wide else ""
    return _usable(at, 0.5 - world.bayes_risk, reason)


def _series(at: fits.Tried, world: CurveWorld, servers: tuple[Server, ...]) -> fits.Tried:
    made = ccv.plan(world, servers, RECIPE)
    few = not ccv.FEWEST / 2 <= made.dimension < ccv.MOST_DIMENSION
    reason = "saturated: too few basis functions, or more than are computed" if few else ""
    return _usable(replace(at, risk=made.exact), world.zero, reason)


def _usable(tried: fits.Tried, chance: float, reason: str) -> fits.Tried:
    """Leave a setting out for a reason, or where its risk is unknown or hardly below chance."""
    if math.isnan(tried.risk):
        reason = "the risk cannot be computed exactly there"
    elif not reason and tried.risk >= ccv.BELOW * chance:
        reason = f"saturated: the risk exceeds {ccv.BELOW:g} times that of knowing nothing"
    return replace(tried, left_out=reason)
