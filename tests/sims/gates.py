"""What tests of privacy share: gates that listen, gates that answer by a script, other books."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from sims.engine import Release, gate

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Heard:
    """What a gate was given: the value before noise, its generator, and all else by name."""

    value: Array
    rng: np.random.Generator
    said: dict


@dataclass(slots=True)
class Gate:
    """A gate that notes what it is given and answers by a function, or as the real one does.

    Attributes:
        answer: From the place of the call, the value and what is said of it to the answer.
        heard: What it was given, in order.
    """

    answer: Callable[[int, Array, dict], object] | None = None
    heard: list[Heard] = field(default_factory=list)

    def release(self, value, rng, **said):
        return np.asarray(self._heard("release", value, rng, said))

    def choose(self, scores, rng, **said):
        return self._heard("choose", scores, rng, said)

    def _heard(self, name: str, value, rng, said: dict):
        self.heard.append(Heard(np.array(value, dtype=float), rng, said))
        if self.answer is None:
            return getattr(gate, name)(value, rng, **said)
        return self.answer(len(self.heard) - 1, self.heard[-1].value, said)

    def stand_in(self, patch: pytest.MonkeyPatch, *modules: object) -> Gate:
        """Take the real gate's place in modules that import it by name."""
        for module in modules:
            for name in ("release", "choose"):
                if hasattr(module, name):
                    patch.setattr(module, name, getattr(self, name))
        return self

    def reached(self, order: int) -> float:
        """Return how far values moved, as a share of the sensitivity that all of them declared."""
        (width,) = {heard.said["sensitivity"] for heard in self.heard}
        return widest([heard.value for heard in self.heard], order) / width


def widest(values: Iterable[Array], order: int) -> float:
    """Return the largest distance between any two values, in the norm of this order."""
    rows = np.array([np.ravel(value) for value in values])
    return max(float(np.linalg.norm(rows - one, order, axis=1).max()) for one in rows)


def accounted(releases: Iterable[Release], epsilon: float, grid: float = 1e-4) -> float:
    """Return by dp-accounting what delta releases of the same records guarantee together."""
    from dp_accounting.pld import common
    from dp_accounting.pld import privacy_loss_distribution as pld

    counts: Counter[tuple[str, float]] = Counter()
    for one in releases:
        counts[one.law, one.multiplier] += one.times
    whole = None
    for (law, multiplier), times in counts.items():
        if law == "Gaussian":
            sd = multiplier / times**0.5
            loss = pld.from_gaussian_mechanism(sd, value_discretization_interval=grid)
        else:
            pure = common.DifferentialPrivacyParameters(1.0 / multiplier, 0.0)
            loss = pld.from_privacy_parameters(pure, value_discretization_interval=grid)
            loss = loss.self_compose(times) if times > 1 else loss
        whole = loss if whole is None else whole.compose(loss)
    assert whole is not None
    return float(whole.get_delta_for_epsilon(epsilon))
