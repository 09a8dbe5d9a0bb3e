"""What the exact risk of a study in a named world comes from, cause by cause.

The causes, and what it means to switch one off, are those of `rates.answer.causes`: the estimator
keeps its bandwidth or number of functions, its weights and its scale of noise.
"""

from __future__ import annotations

import math

from rates.answer import SETS, Causes
from rates.numbers import DomainError, Words
from rates.study import Server, Study, TransferStudy
from sims import regression
from sims.classification import Cusp, Present, Trial, lattice_of, lattice_risk
from sims.fit.rate import KAPPA, stated
from sims.fit.worlds import RECIPE, World, title_of, yardstick_of


def exact_causes(study: Study, world: World) -> Causes:
    """Return the shares of the causes in a study's exact risk.

    Args:
        study: Its servers count; smoothness and margin are the world's.
        world: A cusp for a transfer study, or curves for a federated one.

    Raises:
        DomainError: The world is for the other kind of study, no site releases anything, or some
            risk cannot be computed.

    Examples:
        >>> from rates.presets import preset
        >>> from sims.fit.worlds import worlds_for
        >>> study = preset("unequal").study
        >>> found = exact_causes(study, worlds_for(study)["fourier"])
        >>> [round(100 * share) for share in found.shares]
        [47, 5, 48, 0]

    Source: `sims.classification.risk`, `sims.regression.risk`; the shares of
    `rates.answer.causes`.
    """
    if isinstance(study, TransferStudy) != isinstance(world, Cusp):
        rule = "A classifier is judged on a cusp, a curve on curves."
        raise DomainError(rule, field="world", value=type(world).__name__)
    servers, _ = stated(study)
    errors = _classifier(world, servers) if isinstance(world, Cusp) else _series(world, servers)
    if not all(math.isfinite(x) for x in errors):
        rule = "The risk must be computed for every set of causes."
        raise DomainError(rule, field="world", value=Words("too few records for the formula"))
    return Causes.of(errors, f"exact risk where the truth is {title_of(world)}")


def _classifier(world: Cusp, servers: tuple[Server, ...]) -> list[float]:
    trial = Trial(world=world, study=yardstick_of(world).study(servers), kappa=KAPPA)
    lattice = lattice_of(trial)
    differ = any(pool.gamma > 1.0 for pool in lattice.pools)
    private = lattice.noise > 0
    known: dict[tuple[bool, ...], float] = {}
    for bias, sampling, privacy, unlike in SETS:
        # What changes nothing is computed once.
        key = (bias, sampling, privacy and private, unlike and differ)
        if key not in known:
            parts = Present(bias=key[0], sampling=key[1], privacy=key[2], dissimilarity=key[3])
            known[key] = lattice_risk(lattice, parts) if any(key[:3]) else 0.0
    return [known[(b, s, p and private, u and differ)] for b, s, p, u in SETS]


def _series(world: regression.World, servers: tuple[Server, ...]) -> list[float]:
    made = regression.plan(world, servers, RECIPE)
    bias, privacy = float(made.bias.mean()), float(made.privacy.mean())
    sampling = made.exact - bias - privacy
    return [b * bias + s * sampling + p * privacy for b, s, p, _ in SETS]
