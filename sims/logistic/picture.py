"""One draw of the design of [DPLR] in plain numbers: which sources are kept, and every fit."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rates.logistic import best_accuracy, signal_variance
from sims.engine import Number, Numbers, Setting, Values
from sims.logistic.release import Release, noise_share
from sims.logistic.study import TRANSFER, metrics, release_of, replicate, world_of
from sims.logistic.transfer import FOLDS, METHODS
from sims.logistic.world import World


def _single(setting: Setting) -> Setting:
    """One number in the place of a list."""
    if isinstance(setting, Numbers):
        default = {"epsilon": math.inf}.get(setting.name, setting.default[0])
        return Number(setting.parameter, default)
    return setting


SETTINGS: tuple[Setting, ...] = tuple(
    _single(setting) for setting in TRANSFER.parameters if setting.name not in ("sweep", "metric")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source of a draw.

    Attributes:
        name: Its label.
        loss: The target's held-out loss after pooling with it.
        kept: Whether Algorithm 2 keeps it.
        alike: Whether it is transferable; None where nobody knows.
    """

    name: str
    loss: float
    kept: bool
    alike: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One draw.

    Attributes:
        world: The design.
        how: Clipping and noise.
        sources: Every source.
        alone: Held-out loss of the target alone.
        threshold: The largest loss that is kept.
        accuracy: By method, the probability of a right label for a new record.
        best: Accuracy of the true coefficients.
        noise: Largest eigenvalue that noise alone makes in the target's released folds, over a
            covariate's variance.
    """

    world: World
    how: Release
    sources: tuple[Source, ...]
    alone: float
    threshold: float
    accuracy: dict[str, float]
    best: float
    noise: float


def look(values: Values, seed: int) -> Look:
    """Return one draw for checked values of `SETTINGS`.

    Args:
        values: One number per setting.
        seed: Where the random numbers come from; replicate 0 of a run with the same seed.

    Raises:
        DomainError: The values do not fit together.

    >>> from sims.engine.settings import check_values
    >>> found = look(check_values(SETTINGS, {"kind": "none"}), 0)
    >>> all(source.kept == source.alike for source in found.sources), len(found.sources)
    (True, 10)
    """
    world, how = world_of(values), release_of(values)
    outcome = replicate(world, how, seed, 0)
    found, right = outcome.detection, metrics(world, outcome)["accuracy"].tolist()
    draws = zip(found.losses.tolist(), found.kept.tolist(), world.like_target.tolist(), strict=True)
    return Look(
        world=world,
        how=how,
        sources=tuple(
            Source(name=f"Source {k}", loss=loss, kept=kept, alike=alike)
            for k, (loss, kept, alike) in enumerate(draws, start=1)
        ),
        alone=found.alone,
        threshold=found.threshold,
        accuracy=dict(zip(METHODS.values(), right, strict=True)),
        best=best_accuracy(signal_variance(world.truth), world.law),
        noise=noise_share(how, world.dimension, world.n0 // FOLDS),
    )
