"""Sweeps: one quantity runs along the axis, the lists of the others make the series."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rates.numbers import DomainError, Words
from sims import budgets
from sims.engine.settings import Values

SYMBOLS = {"gamma": "γ", "epsilon": "ε", "n0": "n0", "m": "m", "n": "n"}
# By how much the sampling and the privacy term of a rate have n, eps or m in their power: with
# sweep m the total mn is fixed, so that the one stays and the other grows.
POWERS = {"n": (1.0, 2.0), "epsilon": (0.0, 2.0), "m": (0.0, -1.0)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Exponents:
    """Slopes of log risk in the logarithm of the swept quantity, far out.

    Attributes:
        sampling: Where sampling decides.
        privacy: Where privacy decides; None where nothing is protected.
    """

    sampling: float
    privacy: float | None


def grid(*lists: Sequence[float], most: int = budgets.POINTS) -> Iterator[tuple[float, ...]]:
    """Return all combinations, which are counted before the first of them is computed.

    Raises:
        DomainError: There are more than one request may have.
    """
    count = math.prod(map(len, lists))
    if count > most:
        rule = f"A run of this experiment has at most {most:,} combinations of the numbers listed."
        got = Words(f"{' times '.join(str(len(numbers)) for numbers in lists)}, or {count:,}")
        raise DomainError(rule, field="parameters", value=got)
    return itertools.product(*lists)


@dataclass(frozen=True, slots=True)
class Sweep:
    """Every quantity that matters with its values, the swept one last.

    Attributes:
        values: What was asked, lists included.
        axes: Values by name.
    """

    values: Values
    axes: dict[str, tuple[float, ...]]

    @classmethod
    def of(cls, values: Values, names: Sequence[str]) -> Sweep:
        """Return the sweep that "sweep" asks for over these names."""
        swept = values.word("sweep")
        order = [*(name for name in names if name != swept), swept]
        return cls(values, {name: values.numbers(name) for name in order})

    @property
    def name(self) -> str:
        """What runs along the axis."""
        return [*self.axes][-1]

    @property
    def fixed(self) -> tuple[str, ...]:
        """The others."""
        return tuple(self.axes)[:-1]

    def possible(self, each: str) -> Sweep:
        """Return the sweep itself if its servers can be had; ``each`` names one of them.

        Raises:
            DomainError: A budget has no place on the axis, or a server would hold no record.
        """
        if self.name == "epsilon" and any(math.isinf(e) for e in self.axes["epsilon"]):
            rule = "With sweep epsilon every budget must be finite, to have a place on the axis."
            raise DomainError(rule, field="epsilon", value=math.inf)
        if self.name == "m" and min(self.axes["n"]) < max(self.axes["m"]):
            rule = f"With sweep m every {each} needs a record: n must be at least m."
            raise DomainError(rule, field="n", value=min(self.axes["n"]))
        return self

    def settings(self) -> Iterator[Values]:
        """Yield what varies at each point, series by series."""
        for combination in grid(*self.axes.values()):
            yield Values(dict(zip(self.axes, combination, strict=True)))

    def ends(self) -> Iterator[Values]:
        """Yield the values that are asked at the first point of each series."""
        for combination in itertools.product(*(self.axes[name] for name in self.fixed)):
            at = dict(zip(self.fixed, combination, strict=True))
            yield self.values.changed(**at, **{self.name: min(self.axes[self.name])})

    def label(self, at: Values) -> str:
        """Name a series by what tells it from the others, and by its budget."""
        parts = [
            "no privacy"
            if name == "epsilon" and math.isinf(at.number(name))
            else f"{SYMBOLS[name]} = {at.number(name):g}"
            for name in self.fixed
            if len(self.axes[name]) > 1 or name == "epsilon"
        ]
        return ", ".join(parts) or "all"
