"""What is asked of a run along one of its axes, with one curve for each of the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pages.core import Between, Field, Pills, Switch
from pages.core.live.plans import Plan
from sims.engine import Value

SHORT = {"epsilon": "ε", "n": "n", "m": "m"}


def swept(asked: Plan) -> str:
    """Return what runs along the axis."""
    return asked.values.word("sweep")


def along(
    asked: Plan,
    sweeps: Mapping[str, str],
    *,
    lists: Mapping[str, Mapping[str, Value]],
    stops: Mapping[str, Sequence[float]],
    budgets: Sequence[float],
    sizes: Sequence[float],
) -> Iterator[Field]:
    """Return the fields of an axis.

    Args:
        asked: What is asked for now.
        sweeps: What may run along the axis, with titles.
        lists: What each of them starts with.
        stops: Where the range of each may end.
        budgets: Budgets that curves may have.
        sizes: Sizes that curves may have.
    """
    axis = swept(asked)
    yield Switch("sweep", "Along the axis", sweeps, then=lists.__getitem__)
    yield Between(axis, f"Range of {SHORT[axis]}", stops[axis])
    if axis != "epsilon":
        yield Pills("epsilon", "Budgets ε, one curve each", budgets)
    if axis != "n":
        title = "Records in all" if axis == "m" else "Records of each server n"
        yield Pills("n", f"{title}, one curve each", sizes)
