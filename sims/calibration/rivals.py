"""Exact risks of a study, of one site alone and without privacy, where the truth is known."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rates.answer import calibrated, offered_delta, with_offered_delta
from rates.numbers import DomainError
from rates.study import FederatedStudy, Server, Study, TransferStudy
from sims import acc, budgets, ccv
from sims.calibration.calibration import stated
from sims.calibration.worlds import title_of
from sims.engine import Number

MOST_ROWS = budgets.RISK_ROWS


@dataclass(frozen=True, slots=True, kw_only=True)
class Risks:
    """Exact risks by kind of design, each at its own best number of functions K.

    Attributes:
        world: The curves, in words.
        values: "study", "alone" and "unprotected" to its risk; one that has none is left out.
        zero: Mean squared size of the curves: what the estimate 0 costs.
        notes: What was filled in or cut.
    """

    world: str
    values: Mapping[str, float]
    zero: float
    notes: tuple[str, ...]


def _check_rows(study: Study) -> None:
    if len(study.servers) > MOST_ROWS:
        rule = f"Exact risks are computed for at most {MOST_ROWS} rows."
        raise DomainError(rule, field="servers", value=len(study.servers))


# Curves ----------------------------------------------------------------------------------------

SMOOTHEST = 2.0
RECIPE = ccv.Recipe(weights="inverse variance")


def exact_risks(study: FederatedStudy, risk: str, *, best_site: str) -> Risks:
    """Return the exact finite-sample risks of a study, of one site alone and without privacy.

    The curves are four random Fourier series, scaled to sup 1, of the study's own smoothness (at
    most 2); the design is uniform, errors are standard normal, responses are clipped to 4 in size.

    Args:
        study: Servers and smoothness.
        risk: "integrated" or "pointwise".
        best_site: The site that stands alone; empty if none does.

    Raises:
        DomainError: The study has too many rows, or nothing is released.

    Examples:
        >>> from rates.presets import preset
        >>> found = exact_risks(preset("unequal").study, "integrated", best_site="Day clinic")
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
    designs: dict[str, tuple[Server, ...]] = {
        "alone": tuple(replace(s, count=1) for s in study.servers if s.name == best_site),
        "unprotected": study.unprotected().servers,
        "study": study.servers,
    }
    values = {}
    for kind, servers in designs.items():
        if any(s.informative for s in servers):
            recipe = replace(RECIPE, weights="calibrated") if kind == "study" else RECIPE
            values[kind] = ccv.plan(world, servers, recipe).exact
    title = (
        f"mean over four random Fourier curves of smoothness {smooth:.4g}, at most 1 in size, "
        "with standard normal errors"
    )
    return Risks(world=title, values=values, zero=world.zero, notes=tuple(notes))


def fourier_world(smoothness: float, risk: str) -> ccv.World:
    """Return the four random curves, with a point on each for the risk at a point."""
    values = {
        s.parameter.name if isinstance(s, Number) else s.name: s.default for s in ccv.WORLD_SETTINGS
    }
    return ccv.world_of({**values, "risk": risk, "smoothness": smoothness})


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


def exact_classifier_risks(study: TransferStudy, world: acc.Cusp, *, best_site: str) -> Risks:
    """Return the exact excess errors of a study, of one site alone and without privacy, on a cusp.

    Smoothness and margin are the world's; every design has its own best bandwidth among those a
    factor 2^(1/4) apart, and weights that are best for signals h^(γβ), which leave out the
    constants of this world. Noise is the exact Gaussian calibration.

    Args:
        study: Its servers, with as many covariates as the world.
        world: Where the risk is known.
        best_site: The site that stands alone; empty if none does.

    Raises:
        DomainError: The study has too many rows, other covariates, or no records.

    Examples:
        >>> row = Server(name="A", n=2_000, epsilon=1, delta=1e-6)
        >>> one = TransferStudy(target=row, smoothness=1, dimension=1, margin=1)
        >>> found = exact_classifier_risks(one, acc.Cusp(), best_site="A").values
        >>> found["unprotected"] < found["study"] == found["alone"]
        True

    Source: `sims.acc.risk`; [ACC] eqs. (7) to (14).
    """
    _check_rows(study)
    if study.dimension != world.dimension:
        rule = f"This world has {world.dimension} covariates."
        raise DomainError(rule, field="dimension", value=study.dimension)
    servers, note = stated(study)
    own = acc.study_on(world, servers)
    if not any(s.n for s in servers):
        raise DomainError("Some site must hold records.", field="n", value=0, where="Study")
    designs = {"study": own, "unprotected": own.unprotected()}
    if best_site:
        lone = [replace(s, count=1, n=s.n if s.name == best_site else 0) for s in servers]
        designs["alone"] = own.with_servers(lone)
    values = {}
    root = calibrated(own).r
    near = root if 0.0 < root < math.inf else math.nan
    for kind, design in designs.items():
        found = best(world, acc.Trial(world=world, study=design).pools, near)
        values[kind] = found.risk
        near = found.bandwidth if kind == "study" else near
    return Risks(
        world=title_of(world),
        values={kind: risk for kind, risk in values.items() if not math.isnan(risk)},
        zero=0.5 - world.bayes_risk,
        notes=(note,) if note else (),
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
