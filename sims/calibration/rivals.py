"""Exact risks of a study and of its rivals, in worlds and on curves that are known."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rates.answer import calibrated, offered_delta, with_offered_delta
from rates.fit import KINDS, Curator, kept_in_house, one_site, pooled_designs
from rates.numbers import DomainError
from rates.study import FederatedStudy, Server, Study, TransferStudy
from sims import acc, budgets, ccv
from sims.calibration.calibration import stated
from sims.calibration.worlds import title_of
from sims.curves import binned, integrals, losses
from sims.engine import Array, Number, multiplier

MOST_ROWS = budgets.RISK_ROWS


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


def _check_rows(study: Study) -> None:
    if len(study.servers) > MOST_ROWS:
        rule = f"Exact risks are computed for at most {MOST_ROWS} rows."
        raise DomainError(rule, field="servers", value=len(study.servers))


# Curves ----------------------------------------------------------------------------------------

SMOOTHEST = 2.0
_LOST = 0.01  # most of a basis function that the cells may lose
RECIPE = ccv.Recipe(weights="inverse variance")


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
    _check_rows(study)
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


# Classifiers ------------------------------------------------------------------------------------

WIDEST = 0.5  # largest bandwidth tried
STEP = 2.0**0.25  # between two bandwidths
NARROWEST = 1e-4
_STEPS = math.floor(math.log(WIDEST / NARROWEST) / math.log(STEP))

Pools = Callable[[float], tuple[acc.Group, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The least exact risk of one design over bandwidths.

    Attributes:
        risk: Expected excess error.
        bandwidth: Where it is attained, after rounding to the mesh.
    """

    risk: float
    bandwidth: float


def exact_classifier_risks(
    study: TransferStudy,
    world: acc.Cusp,
    curator: Curator,
    *,
    best_site: str,
    kinds: Collection[str] = KINDS,
    house: Sequence[Server] = (),
) -> Risks:
    """Return the exact expected excess errors of a study and its rivals on a cusp.

    Smoothness and margin are the world's; every design has its own best bandwidth among those a
    factor 2^(1/4) apart, and weights that are best for signals h^(γβ), which leave out the
    constants of this world. Noise is the exact Gaussian calibration.

    Args:
        study: Its servers, with as many covariates as the world.
        world: Where the risk is known.
        curator: Who pools the records.
        best_site: The site that stands alone; empty if none does.
        kinds: Which designs, of `KINDS`; `HOUSE` is asked for by ``house``.
        house: Sites that keep to their own records, without noise.

    Raises:
        DomainError: The study has too many rows, other covariates, or no records.

    Examples:
        >>> row = Server(name="A", n=2_000, epsilon=1, delta=1e-6)
        >>> one = TransferStudy(target=row, smoothness=1, dimension=1, margin=1)
        >>> who = Curator(epsilon=1, delta=1e-6)
        >>> found = exact_classifier_risks(one, acc.Cusp(), who, best_site="A").values
        >>> found["unprotected"] < found["study"] == found["alone"]
        True

    Source: `sims.acc.risk`; [ACC] eqs. (7) to (14); `rates.fit.rival_roots` for the
        curator's weights.
    """
    _check_rows(study)
    if study.dimension != world.dimension:
        rule = f"This world has {world.dimension} covariates."
        raise DomainError(rule, field="dimension", value=study.dimension)
    servers, note = stated(study)
    own = acc.study_on(world, servers)
    if not any(s.n for s in servers):
        raise DomainError("Some site must hold records.", field="n", value=0, where="Study")
    trial = acc.Trial(world=world, study=own)
    designs: dict[str, Pools] = {"study": trial.pools, "agreed": agreed_pools(trial)}
    designs["unprotected"] = replace(trial, study=own.unprotected()).pools
    if best_site:
        lone = [replace(s, count=1, n=s.n if s.name == best_site else 0) for s in servers]
        designs["alone"] = replace(trial, study=own.with_servers(lone)).pools
    designs["curator"] = curator_pools(own, curator)
    designs["output"] = fit_pools(own, curator)
    found: dict[str, Best] = {}
    root = calibrated(own).r
    near = root if 0.0 < root < math.inf else math.nan
    for kind, pools in designs.items():
        if kind in kinds:
            found[kind] = best(world, pools, near)
            near = found.get("study", found[kind]).bandwidth
    if one_site(own) and "study" in found:
        found["own"] = found["study"]
    alone = {s.name: kept_in_house(study, s) for s in house if s.n > 0}
    at_home = {
        name: best(world, replace(trial, study=acc.study_on(world, one.servers)).pools, near).risk
        for name, one in alone.items()
    }
    lost = [kind for kind, at in found.items() if math.isnan(at.risk)]
    notes = [note] if note else []
    if lost:
        notes.append("A dash: nothing is released, or the error cannot be computed.")
    return Risks(
        world=title_of(world),
        values={kind: at.risk for kind, at in found.items() if kind not in lost},
        zero=0.5 - world.bayes_risk,
        notes=tuple(notes),
        house={name: risk for name, risk in at_home.items() if not math.isnan(risk)},
    )


def best(world: acc.Cusp, pools: Pools, near: float = WIDEST) -> Best:
    """Return the least exact risk over bandwidths, downhill from the one nearest to ``near``.

    The risk falls while the bias does and rises when noise takes over, so that downhill leads to
    the least; where no bandwidth can be computed it is nan.

    Args:
        world: Where the risk is known.
        pools: The statistic at each bandwidth.
        near: Where the search begins; nan for the widest.
    """
    tried: dict[int, Best] = {}

    def at(k: int) -> float:
        """The risk at the k-th bandwidth; infinite where it cannot be computed."""
        if k not in tried:
            tried[k] = Best(risk=math.nan, bandwidth=math.nan)
            if 0 <= k <= _STEPS:
                with contextlib.suppress(DomainError):  # nothing released, or too fine a mesh
                    lattice = acc.make_lattice(world, pools, WIDEST / STEP**k)
                    risk = acc.lattice_risk(lattice)
                    tried[k] = Best(risk=risk, bandwidth=lattice.bandwidth)
        return math.inf if math.isnan(tried[k].risk) else tried[k].risk

    k = 0 if math.isnan(near) else round(math.log(WIDEST / near) / math.log(STEP))
    k = min(max(k, 0), _STEPS)
    while k > 0 and math.isinf(at(k)):
        k -= 1
    while True:
        # Two steps ahead: rounding to the mesh may hide a descent behind one step.
        ahead = min((k - 2, k - 1, k + 1, k + 2), key=at)
        if not at(ahead) < at(k):
            return tried[k]
        k = ahead


def agreed_pools(trial: acc.Trial) -> Pools:
    """Return the statistic of private site summaries with weights 1/variance.

    These are the best weights where all signal exponents are alike.
    """
    study = trial.study
    alike = study.with_servers([replace(s, signal_exponent=1.0) for s in study.servers])

    def pools(bandwidth: float) -> tuple[acc.Group, ...]:
        weights = acc.matched_weights(alike, bandwidth, trial.mechanism)
        return acc.row_pools(study, weights, trial.mechanism)

    return pools


def curator_pools(study: TransferStudy, curator: Curator) -> Pools:
    """Return the statistic of one private release of all protected records, beside open ones.

    A record weighs as its signal does, but at most so much that the noise, which is meant for the
    largest weight, is worth it; records of unprotected sites stay as they are.
    """
    protected = _groups([s for s in study.servers if math.isfinite(s.epsilon)])
    opened = _groups([s for s in study.servers if math.isinf(s.epsilon)])

    def pools(bandwidth: float) -> tuple[acc.Group, ...]:
        spread, noise = _record(study, curator, bandwidth)
        signal = {g: bandwidth ** (study.smoothness * g) for g in {*protected, *opened}}
        weights = _capped(protected, signal, noise**2 / spread)
        total = sum(n * weights[g] * signal[g] for g, n in protected.items())
        variance = noise**2 + spread * sum(n * weights[g] ** 2 for g, n in protected.items())
        scale = total / variance
        shares = {g: scale * w for g, w in weights.items()}
        out = _release(protected, shares, _multiplier(curator))
        return out + _release(opened, {g: signal[g] / spread for g in opened}, 0.0)

    return pools


def fit_pools(study: TransferStudy, curator: Curator) -> Pools:
    """Return the statistic of one private release in which all records count the same."""
    everyone = _groups(study.servers)

    def pools(bandwidth: float) -> tuple[acc.Group, ...]:
        weights = dict.fromkeys(everyone, 1.0 / sum(everyone.values()))
        return _release(everyone, weights, _multiplier(curator))

    return pools


def _groups(servers: Sequence[Server]) -> dict[float, int]:
    """Records by signal exponent."""
    out: dict[float, int] = {}
    for s in servers:
        if s.n > 0:
            out[s.signal_exponent] = out.get(s.signal_exponent, 0) + s.n * s.count
    return out


def _record(study: TransferStudy, curator: Curator, bandwidth: float) -> tuple[float, float]:
    """Variance of one record's term, and deviation of the noise on a sum of records."""
    kernel, d = acc.TRIANGULAR, study.dimension
    width = acc.sensitivity(kernel, 1, bandwidth, d)
    return kernel.roughness**d / (4.0 * bandwidth**d), _multiplier(curator) * width


def _multiplier(curator: Curator) -> float:
    """Noise of the curator's release over its sensitivity."""
    return multiplier(curator.epsilon, curator.delta or math.nan, "analytic")


def _capped(
    records: Mapping[float, int], signal: Mapping[float, float], price: float
) -> dict[float, float]:
    """Best weights of records, at most 1: signals over their cap.

    The cap is the largest of S_k/(price + N_k) over the k strongest groups, as in
    `rates.fit.rival_roots.best_weights`.
    """
    if not records:
        return {}
    order = sorted(records, key=lambda g: -signal[g])
    n = np.array([records[g] for g in order], dtype=float)
    s = np.array([signal[g] for g in order])
    cap = float(np.max(np.cumsum(n * s) / (price + np.cumsum(n))))
    return {g: min(1.0, signal[g] / cap) for g in order}


def _release(
    records: Mapping[float, int], weights: Mapping[float, float], noise: float
) -> tuple[acc.Group, ...]:
    """Pools of a weighted sum of records with one noise path, meant for the largest weight."""
    if not records:
        return ()
    first = max(records, key=lambda g: weights[g])
    return tuple(
        acc.Group(n=n, gamma=g, weight=n * weights[g], multiplier=noise if g == first else 0.0)
        for g, n in records.items()
    )
