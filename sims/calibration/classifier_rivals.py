"""Exact excess errors of a study for classification and of its rivals, in a world that is known."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rates.answer import calibrated
from rates.fit import KINDS, Curator, kept_in_house, one_site
from rates.numbers import DomainError
from rates.study import Server, TransferStudy
from sims import acc
from sims.calibration.rate import stated
from sims.calibration.rival_risks import MOST_ROWS, Risks
from sims.calibration.worlds import title_of
from sims.engine import multiplier

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
    if len(study.servers) > MOST_ROWS:
        rule = f"Exact risks are computed for at most {MOST_ROWS} rows."
        raise DomainError(rule, field="servers", value=len(study.servers))
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
