"""A homogeneous design: one target and m equal sources under one budget, as on the phase map."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from rates import numbers
from rates.numbers import number_from_text
from rates.study import Server, TransferStudy

SOURCE_SIZE = replace(
    numbers.SAMPLE_SIZE,
    symbol="n",
    help="Records that each source holds.",
    stops=numbers.decades(1, 6, whole=True),
)
TARGET_SIZE = replace(
    numbers.SAMPLE_SIZE,
    name="n0",
    symbol="n_0",
    help="Records that the target holds.",
    stops=(0.0, *numbers.decades(0, 7, whole=True)),
)
SOURCES = numbers.Parameter(
    "m",
    "m",
    f"0, ..., {numbers.MAX_COUNT}",
    noun="The number of sources m",
    help="How many identical sources there are. 0: the target is alone.",
    stops=(0.0, *numbers.decades(0, 4, whole=True)),
)
BUDGET = numbers.EPSILON.within(
    "(0, inf)",
    noun="The common budget epsilon",
    help="The budget of every source. The paper's map stops at 1.",
    stops=numbers.decades(-6, 1),
)
RATIO = replace(
    BUDGET,
    name="ratio",
    symbol="c",
    noun="The ratio of budgets c",
    help="The target's budget over the sources'. 1 is the common budget of the paper's map.",
    stops=numbers.decades(-2, 2),
)
GAMMA = replace(
    numbers.SIGNAL_EXPONENT, name="gamma", symbol="γ", stops=numbers.steps(0.1, 4.0, 0.1)
)

FIELDS = {
    p.name: p
    for p in (
        *(SOURCE_SIZE, SOURCES, TARGET_SIZE),
        *numbers.TRANSFER_FIELDS.values(),
        *(GAMMA, BUDGET, RATIO),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """One point of the phase map.

    Attributes:
        n: Records per source.
        m: Number of sources.
        n0: Records of the target.
        smoothness: β.
        dimension: d.
        margin: α, with α β ≤ d.
        gamma: Signal exponent of the sources.
        epsilon: The sources' budget.
        ratio: The target's budget over the sources'.

    Raises:
        DomainError: A value lies outside its domain.

    >>> Design(n=100, m=5, n0=50, smoothness=0.5, dimension=2, margin=1, gamma=1, epsilon=1).m
    5
    """

    n: int
    m: int
    n0: int
    smoothness: float
    dimension: int
    margin: float
    gamma: float
    epsilon: float
    ratio: float = 1.0

    def __post_init__(self) -> None:
        numbers.check_fields(self, FIELDS.values(), "Design")
        product = self.margin * self.smoothness
        if product > self.dimension * (1 + 1e-12):
            rule = "alpha*beta must be at most d (Remark 2.2)."
            raise numbers.DomainError(rule, "margin*smoothness", product, "Design")

    @property
    def sizes(self) -> tuple[int, int, int]:
        """n, m and n0, in the order that the functions of the map take them."""
        return self.n, self.m, self.n0

    @property
    def shape(self) -> dict[str, Any]:
        """gamma, beta and d under the names that the functions of the map take them."""
        return {"gamma": self.gamma, "beta": self.smoothness, "d": self.dimension}


def from_text(text: str) -> Design:
    """Read a design from nine numbers with commas between, as older addresses have it.

    Raises:
        DomainError: There are not nine numbers, or one is outside its domain.

    >>> from_text("100,5,50,0.5,2,1,1,1,1").m
    5
    """
    return Design(**address_values(text, FIELDS, "A point of the map"))


def address_values(
    text: str, names: Collection[str], noun: str, words: Collection[str] = ()
) -> dict[str, Any]:
    """Read values with commas between, as older addresses have them: words as they stand.

    Raises:
        DomainError: There are too few or too many, or one is no number.
    """
    parts = text.split(",")
    if len(parts) != len(names):
        rule = f"{noun} has {len(names)} values: {', '.join(names)}."
        raise numbers.DomainError(rule, "at", numbers.Words(f"{len(parts)} values"), "Address")
    pairs = zip(names, parts, strict=True)
    found = {k: x if k in words else number_from_text(x, k, "Address") for k, x in pairs}
    return {k: float(x) if k not in words and isinstance(x, str) else x for k, x in found.items()}


def to_study(design: Design, delta: float) -> TransferStudy:
    """Return the design as a study with one row for all sources.

    Raises:
        DomainError: delta lies outside (0, 1).
    """
    source = Server(
        name="Sources",
        n=design.n,
        epsilon=design.epsilon,
        delta=delta,
        signal_exponent=design.gamma,
        count=max(design.m, 1),
    )
    return TransferStudy(
        target=Server(
            name="Target", n=design.n0, epsilon=design.epsilon * design.ratio, delta=delta
        ),
        sources=(source,) if design.m else (),
        smoothness=design.smoothness,
        dimension=design.dimension,
        margin=design.margin,
    )
