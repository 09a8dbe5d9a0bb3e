"""What a numerical test of a statement is: random draws and a gap, found by name and measured."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial, wraps
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from rates.numbers import DomainError
from rates.statements.outcome import Form, Outcome

Array = NDArray[np.float64]
Draws = Mapping[str, Array]
Draw = Callable[[np.random.Generator, int], Draws]
Gap = Callable[[Draws, Form], Array]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Check:
    """A numerical test of one statement.

    Attributes:
        draw: From a generator and a number, that many parameter sets inside the statement's own
            hypotheses: one array per parameter, all of that length.
        gap: From parameter sets and the form of the statement, one number per set: by how much
            the statement fails there. At most the tolerance means that it holds; minus
            infinity stands for a set outside the hypotheses of that form.
        unit: What the gap measures, in words that stand after a number.
        number: How many draws the quick test makes.
        tolerance: Largest gap that rounding may explain.
        constants: True for a statement up to constants: the gap is then the log of the ratio
            over its proved bound, and the bound has to be attained within a factor of 2.
    """

    draw: Draw
    gap: Gap
    unit: str
    _: KW_ONLY
    number: int = 10_000
    tolerance: float = 1e-9
    constants: bool = False


class Checks(dict[str, Check]):
    """The checks of a module by name; what decorates a gap adds its check."""

    def add(self, draw: Draw, unit: str, *, name: str = "", **how: Any) -> Callable[[F], F]:
        """Return what adds the check of a gap, under its function's name if none is given.

        Args:
            draw: As for `Check`.
            unit: As for `Check`.
            name: How a claim names it; by default the function's name without its underscore.
            how: Further fields of `Check`, and what the gap takes besides.
        """
        fields = {key: how.pop(key) for key in ("number", "tolerance", "constants") if key in how}

        def put(gap: F) -> F:
            used = partial(gap, **how) if how else gap
            self[name or gap.__name__.lstrip("_")] = Check(draw, used, unit, **fields)
            return gap

        return put


def by_row(names: str) -> Callable[[Callable[..., float]], Callable[..., Array]]:
    """Return what makes a gap of a function of the form and of these parameters of one set."""

    def put(one: Callable[..., float]) -> Callable[..., Array]:
        @wraps(one)
        def gap(draws: Draws, form: Form, **given: Any) -> Array:
            rows = zip(*(draws[name].tolist() for name in names.split()), strict=True)
            return np.array([one(form, *row, **given) for row in rows])

        return gap

    return put


def pick(draws: Draws, names: str) -> list[Array]:
    """Return some of the parameters, by names with spaces between them."""
    return [draws[name] for name in names.split()]


def measure(
    check: Check,
    form: Form,
    *,
    generator: np.random.Generator,
    seed: int,
    number: int | None = None,
    counterexample: Mapping[str, float] | None = None,
) -> Outcome:
    """Run a test of one form of a statement.

    Args:
        check: The test.
        form: "printed" or "reading".
        generator: Source of the draws.
        seed: What the generator was made from; kept with the outcome.
        number: Draws, at least 1; the check's own number by default.
        counterexample: A stored parameter set, tried besides the draws.

    Raises:
        DomainError: If the number is not a positive integer.
    """
    count = check.number if number is None else number
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise DomainError("draws must be a positive integer.", field="draws", value=count)
    draws = check.draw(generator, count)
    gaps = np.asarray(check.gap(draws, form), dtype=float)
    # A gap that is no number proves nothing; it counts as a failure, so that it is seen.
    gaps = np.where(np.isnan(gaps), np.inf, gaps)
    index = int(np.argmax(gaps)) if gaps.size else None
    stored = None
    if counterexample is not None:
        row = {key: np.array([float(value)]) for key, value in counterexample.items()}
        stored = float(np.asarray(check.gap(row, form), dtype=float)[0])
        stored = math.inf if math.isnan(stored) else stored
    return Outcome(
        form=form,
        seed=seed,
        number=int(gaps.size),
        violations=int(np.count_nonzero(gaps > check.tolerance)),
        worst=-math.inf if index is None else float(gaps[index]),
        at={} if index is None else {key: float(x[index]) for key, x in draws.items()},
        counterexample=stored,
        unit=check.unit,
        tolerance=check.tolerance,
        constants=check.constants,
    )


def find(name: str) -> Check:
    """Return the check that a claim names as ``"paper_file.name"``.

    Raises:
        KeyError: If there is no such check.
    """
    module, _, check = name.partition(".")
    paper, _, file = module.partition("_")
    try:
        found = importlib.import_module(f"rates.statements.checks.{paper}.{file}")
    except ModuleNotFoundError:
        raise KeyError(name) from None
    return cast("dict[str, Check]", found.CHECKS)[check]
