"""Exact risks of a federated study and its rivals on curves that are known."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rates.answer import offered_delta, with_offered_delta
from rates.fit import KINDS, Curator, pooled_designs
from rates.numbers import DomainError
from rates.study import FederatedStudy, Server
from sims import budgets, ccv
from sims.curves import binned, integrals, losses
from sims.engine import Array, Number

SMOOTHEST = 2.0
MOST_ROWS = budgets.RISK_ROWS
_LOST = 0.01  # most of a basis function that the cells may lose
RECIPE = ccv.Recipe(weights="inverse variance")


@dataclass(frozen=True, slots=True, kw_only=True)
class Risks:
    """Exact risks by kind of design, each at its own best number of functions K.

    Attributes:
        world: The curves, in words.
        values: Kind of `rates.fit.rival_rates.KINDS` to mean squared error.
        zero: Mean squared size of the curves: what the estimate 0 costs.
        notes: What was filled in or cut.
        house: Name of each site that was asked for to its risk with its own records, without
            noise and without the others.
    """

    world: str
    values: Mapping[str, float]
    zero: float
    notes: tuple[str, ...]
    house: Mapping[str, float] = field(default_factory=dict)


def exact_risks(
    study: FederatedStudy,
    risk: str,
    curator: Curator,
    *,
    best_site: str,
    kinds: Collection[str] = KINDS,
    house: Sequence[Server] = (),
) -> Risks:
    """Return the exact finite-sample risks of a study and its rivals.

    The curves are four random Fourier series, scaled to sup 1, of the study's own smoothness (at
    most 2); the design is uniform, errors are standard normal, responses are clipped to 4 in size.

    Args:
        study: Servers and smoothness.
        risk: "integrated" or "pointwise".
        curator: Who pools the records.
        best_site: The site that stands alone; empty if none does.
        kinds: Which designs, of `KINDS`; `HOUSE` is asked for by ``house``.
        house: Sites that keep to their own records, without noise.

    Raises:
        DomainError: The study has too many rows, or nothing is released.

    Examples:
        >>> from rates.presets import preset
        >>> who = Curator(epsilon=1, delta=1e-6)
        >>> found = exact_risks(preset("unequal").study, "integrated", who, best_site="Day clinic")
        >>> found.values["unprotected"] < found.values["study"] < found.values["alone"]
        True

    Source: `sims.ccv.risk`; [CCV] eqs. (12), (15).
    """
    if len(study.servers) > MOST_ROWS:
        rule = f"Exact risks are computed for at most {MOST_ROWS} rows."
        raise DomainError(rule, field="servers", value=len(study.servers))
    g = study.smoothness_of(risk)
    smooth = min(g, SMOOTHEST)
    world = fourier_world(smooth, risk)
    notes = [f"Smoothness {g:.4g} cut to {SMOOTHEST:g}."] if g > SMOOTHEST else []
    if risk == "integrated" and study.without_delta:
        notes.append(f"delta {offered_delta(study):.3g} where none is stated.")
        study = study.with_servers(with_offered_delta(study).servers)
    by_curator, by_fit = pooled_designs(study, curator)
    designs: dict[str, tuple[Server, ...]] = {
        "alone": tuple(replace(s, count=1) for s in study.servers if s.name == best_site),
        "unprotected": study.unprotected().servers,
        "curator": by_curator.servers,
        "study": study.servers,
        "agreed": study.servers,
        "output": by_fit.servers,
    }
    values = {}
    for kind, servers in designs.items():
        if kind in kinds and any(s.informative for s in servers):
            recipe = replace(RECIPE, weights="calibrated") if kind == "study" else RECIPE
            values[kind] = ccv.plan(world, servers, recipe).exact
    at_home = {
        s.name: ccv.plan(world, (replace(s, epsilon=math.inf, count=1),), RECIPE).exact
        for s in house
        if s.n > 0
    }
    own = _own(world, study.servers) if "own" in kinds else None
    if own is not None:
        values["own"] = own
    title = (
        f"mean over four random Fourier curves of smoothness {smooth:.4g}, at most 1 in size, "
        "with standard normal errors"
    )
    return Risks(world=title, values=values, zero=world.zero, notes=tuple(notes), house=at_home)


def fourier_world(smoothness: float, risk: str) -> ccv.World:
    """Return the four random curves, with a point on each for the risk at a point."""
    values = {
        s.parameter.name if isinstance(s, Number) else s.name: s.default for s in ccv.WORLD_SETTINGS
    }
    return ccv.world_of({**values, "risk": risk, "smoothness": smoothness})


def _own(world: ccv.World, servers: tuple[Server, ...]) -> float | None:
    """Exact risk of estimates tuned site by site, weights 1/variance; None if cells are coarse."""
    rows = [replace(s, count=1) for s in servers if s.informative]
    count = np.array([s.count for s in servers if s.informative], dtype=float)
    if not rows:
        return None
    f = ccv.targets(world)
    first, _ = ccv.clipped_moments(f, RECIPE.clip)
    means: dict[int, Array] = {}
    variances, used = [], []
    for row in rows:
        sites = ccv.sites_of((row,), RECIPE, pointwise=world.pointwise)
        K = ccv.oracle_dimension(world, sites, RECIPE)
        made = ccv.plan(world, (row,), RECIPE, dimension=K)
        if K not in means:
            grid = binned(world.basis(K), cells=world.cells)
            if float(losses(grid).max()) > _LOST:
                return None
            theta = integrals(grid, first)
            means[K] = np.asarray(theta @ grid.matrix.T)
        variances.append(made.risk - _squared_bias(world, f, means[K]))
        used.append(means[K])
    weight = count[:, None] / np.array(variances)  # of a row's servers together, (J, P)
    share = weight / weight.sum(axis=0)
    mean = np.sum(share[:, :, None] * np.array(used), axis=0)
    total = _squared_bias(world, f, mean) + 1.0 / weight.sum(axis=0)
    return float(total.mean())


def _squared_bias(world: ccv.World, f: Array, mean: Array) -> Array:
    """Squared distance of mean curves from f, over [0, 1] or at each curve's place."""
    if not world.pointwise:
        return np.asarray(np.mean((mean - f) ** 2, axis=1))
    cells = np.minimum((np.array(world.places) * world.cells).astype(int), world.cells - 1)
    return np.asarray((mean[np.arange(len(f)), cells] - ccv.point_values(world)) ** 2)
