"""What a numerical test of a statement is: random draws and a gap, found by name and measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rates.ledger.claim import Outcome, ranges_of
from rates.ledger.texts import Form
from rates.numbers import DomainError

Array = NDArray[np.float64]
Draws = Mapping[str, Array]
Draw = Callable[[np.random.Generator, int], Draws]
Gap = Callable[[Draws, Form], Array]


@dataclass(frozen=True, slots=True)
class Test:
    """A numerical test of one statement.

    Attributes:
        draw: From a generator and a number, that many parameter sets inside the statement's own
            hypotheses: one array per parameter, all of that length.
        gap: From parameter sets and the form of the statement, one number per set: by how much
            the statement fails there. At most the tolerance means that it holds; minus
            infinity stands for a set outside the hypotheses of that form.
        number: How many draws it makes.
        unit: What the gap at an entry's example measures, in words that stand after a number.
        tolerance: Largest gap that rounding may explain.
    """

    draw: Draw
    gap: Gap
    number: int = 10_000
    unit: str = ""
    tolerance: float = 1e-9


class Tests(dict[str, Test]):
    """The tests of a module by name; what decorates a gap adds its test."""

    def add(
        self, draw: Draw, number: int, unit: str = "", rows: str = ""
    ) -> Callable[[Callable[..., Any]], Gap]:
        """Return what adds the test of a gap, under its function's name without underscore.

        Args:
            draw: As for `Test`.
            number: As for `Test`.
            unit: As for `Test`.
            rows: Parameters, where the function takes the form and those of one set.
        """

        def put(one: Callable[..., Any]) -> Gap:
            def gap(draws: Draws, form: Form) -> Array:
                if not rows:
                    return np.asarray(one(draws, form))
                sets = zip(*(draws[name].tolist() for name in rows.split()), strict=True)
                return np.array([one(form, *row) for row in sets])

            self[one.__name__.lstrip("_")] = Test(draw, gap, number, unit)
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

    def gaps_at(draws: Draws) -> Array:
        # A gap that is no number proves nothing; it counts as a failure, so that it is seen.
        gaps = np.asarray(test.gap(draws, form), dtype=float)
        return np.asarray(np.nan_to_num(gaps, nan=np.inf, neginf=-np.inf))

    draws = test.draw(generator, number or test.number)
    gaps = gaps_at(draws)
    worst = int(np.argmax(gaps))
    stored = None
    if example:
        if set(example) != set(draws):
            raise DomainError(
                f"An example must name {', '.join(draws)}.", "example", ", ".join(example)
            )
        stored = float(gaps_at({key: np.array([float(x)]) for key, x in example.items()})[0])
    return Outcome(
        number=gaps.size,
        violations=int(np.count_nonzero(gaps > test.tolerance)),
        worst=float(gaps[worst]),
        at={key: float(x[worst]) for key, x in draws.items()},
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


def drawn(text: str) -> Callable[[np.random.Generator, int], dict[str, Array]]:
    """Return draws of the letters that a text names with their ranges, as a claim does."""
    letters = [one for part in text.split(";") for one in ranges_of(part)]
    return lambda generator, number: {x.letter: x.draw(generator, number) for x in letters}


def at_corner(draws: dict[str, Array], **values: float) -> dict[str, Array]:
    """Put the parameter set at which a bound is reached in the place of the first draw."""
    for name, value in values.items():
        draws[name][0] = value
    return draws
