"""What a numerical test of a statement is: random draws and a gap, found by name and measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial, wraps
from importlib import import_module
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from rates.ledger.outcome import Outcome
from rates.ledger.texts import Form
from rates.numbers import DomainError

Array = NDArray[np.float64]
Draws = Mapping[str, Array]
Draw = Callable[[np.random.Generator, int], Draws]
Gap = Callable[[Draws, Form], Array]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Test:
    """A numerical test of one statement.

    Attributes:
        draw: From a generator and a number, that many parameter sets inside the statement's own
            hypotheses: one array per parameter, all of that length.
        gap: From parameter sets and the form of the statement, one number per set: by how much
            the statement fails there. At most the tolerance means that it holds; minus
            infinity stands for a set outside the hypotheses of that form.
        unit: What the gap measures, in words that stand after a number.
        number: How many draws it makes.
        tolerance: Largest gap that rounding may explain.
    """

    draw: Draw
    gap: Gap
    unit: str
    _: KW_ONLY
    number: int = 10_000
    tolerance: float = 1e-9


class Tests(dict[str, Test]):
    """The tests of a module by name; what decorates a gap adds its test."""

    def add(self, draw: Draw, unit: str, *, name: str = "", **how: Any) -> Callable[[F], F]:
        """Return what adds the test of a gap, under its function's name if none is given.

        Args:
            draw: As for `Test`.
            unit: As for `Test`.
            name: How an entry names it; by default the function's name without its underscore.
            how: Further fields of `Test`, and what the gap takes besides.
        """
        fields = {key: how.pop(key) for key in ("number", "tolerance") if key in how}

        def put(gap: F) -> F:
            used = partial(gap, **how) if how else gap
            self[name or gap.__name__.lstrip("_")] = Test(draw, used, unit, **fields)
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
    test: Test,
    form: Form,
    generator: np.random.Generator,
    *,
    number: int | None = None,
    example: Mapping[str, float] | None = None,
) -> Outcome:
    """Run a test of one form of an entry.

    Args:
        test: The test.
        form: "printed" or "reading".
        generator: Source of the draws.
        number: Draws; the test's own number by default.
        example: A stored parameter set, tried besides the draws.

    Raises:
        DomainError: The example is of other parameters.
    """
    draws = test.draw(generator, number or test.number)
    # A gap that is no number proves nothing; it counts as a failure, so that it is seen.
    gaps = np.nan_to_num(np.asarray(test.gap(draws, form), dtype=float), nan=np.inf, neginf=-np.inf)
    worst = int(np.argmax(gaps)) if gaps.size else None
    stored = None
    if example:
        if set(example) != set(draws):
            raise DomainError(
                f"An example must name {', '.join(draws)}.", "example", ", ".join(example)
            )
        row = {key: np.array([float(value)]) for key, value in example.items()}
        stored = float(np.asarray(test.gap(row, form), dtype=float)[0])
        stored = math.inf if math.isnan(stored) else stored
    return Outcome(
        number=int(gaps.size),
        violations=int(np.count_nonzero(gaps > test.tolerance)),
        worst=-math.inf if worst is None else float(gaps[worst]),
        at={} if worst is None else {key: float(x[worst]) for key, x in draws.items()},
        example=stored,
        unit=test.unit,
        tolerance=test.tolerance,
    )


def find(name: str) -> Test:
    """Return the test that an entry names as ``"module.name"``.

    Raises:
        DomainError: There is none.
    """
    module, _, own = name.partition(".")
    try:
        return cast("Test", import_module(f"rates.ledger.functions.{module}").TESTS[own])
    except (ModuleNotFoundError, KeyError):
        rule = "check must be a test of rates.ledger.functions."
        raise DomainError(rule, field="check", value=name, where="Ledger") from None
