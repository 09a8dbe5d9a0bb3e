"""What a live run is asked for, and the text that says so in a link."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pages.figures.chart import number_text
from rates.numbers import DomainError, Words
from sims.engine import (
    REPLICATES,
    SEED,
    Experiment,
    Numbers,
    Request,
    Setting,
    Value,
    Values,
    check_values,
)

RUN = "run"
MOST_TEXT = 2_000
MOST_SEED = 2**53 - 1  # browsers hold no larger whole number exactly
_PART = re.compile(r"([A-Za-z_0-9]+):(.*)", re.DOTALL)
PAGE_SEED = replace(
    SEED,
    high=MOST_SEED,
    limit_rule="On a page the seed is at most 2^53 - 1; the command line takes larger ones.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Parameters, replicates and seed of a run that may be started.

    Attributes:
        settings: What may be asked.
        values: One checked value per setting.
        replicates: Replicates per point.
        seed: Where the random numbers come from.
    """

    settings: tuple[Setting, ...]
    values: Values
    replicates: int
    seed: int = 0

    def with_values(self, **changed: object) -> Plan:
        """Return the plan with some parameters changed.

        Raises:
            DomainError: A name is unknown, or a value outside its set.
        """
        return replace(self, values=check_values(self.settings, {**self.values, **changed}))

    def request(self, experiment: Experiment, values: Values | None = None) -> Request:
        """Return the run of an experiment, with these values or others.

        Raises:
            DomainError: They cannot be run together.
        """
        return Request(
            experiment=experiment,
            values=self.values if values is None else values,
            replicates=self.replicates,
            seed=self.seed,
        )


def plan(
    settings: tuple[Setting, ...], *, replicates: int, defaults: Mapping[str, Value] | None = None
) -> Plan:
    """Return the plan that a tab starts with."""
    return Plan(
        settings=settings,
        values=check_values(settings, defaults or {}),
        replicates=replicates,
    )


def of_experiment(experiment: Experiment) -> Plan:
    """Return the plan of an experiment's own defaults."""
    return plan(experiment.parameters, replicates=experiment.replicates)


def to_text(asked: Plan, usual: Plan) -> str:
    """Return what differs from the usual plan, as text for a link; empty if nothing does.

    >>> from rates.numbers.parameters import EPSILON
    >>> usual = plan((Numbers(parameter=EPSILON, default=(1.0,)),), replicates=20)
    >>> to_text(replace(usual.with_values(epsilon=[0.1, "inf"]), seed=7), usual)
    'epsilon:0.1,inf;seed:7'
    """
    parts = [
        f"{name}:{_text(value)}"
        for name, value in asked.values.items()
        if value != usual.values[name]
    ]
    for name in ("replicates", "seed"):
        if getattr(asked, name) != getattr(usual, name):
            parts.append(f"{name}:{getattr(asked, name)}")
    return ";".join(parts)


def _text(value: Value) -> str:
    if isinstance(value, tuple):
        return ",".join(map(number_text, value))
    return value if isinstance(value, str) else number_text(value)


def from_text(text: str, usual: Plan) -> Plan:
    """Return the plan that a link asks for, what it leaves out being usual.

    Raises:
        DomainError: A part cannot be read, is named twice or is outside its allowed set.

    >>> from rates.numbers.parameters import EPSILON
    >>> usual = plan((Numbers(parameter=EPSILON, default=(1.0,)),), replicates=20)
    >>> from_text("epsilon:0.1,inf;seed:7", usual).values
    {'epsilon': (0.1, inf)}
    """
    if len(text) > MOST_TEXT:
        rule = f"A run in a link has at most {MOST_TEXT:,} characters."
        raise DomainError(rule, field=RUN, value=len(text))
    settings = {setting.name: setting for setting in usual.settings}
    given: dict[str, object] = {}
    for part in filter(None, text.split(";")):
        found = _PART.fullmatch(part)
        if not found:
            rule = "A run in a link is made of parts like epsilon:0.1,1 with semicolons between."
            raise DomainError(rule, field=RUN, value=part)
        name, entry = found.groups()
        if name in given:
            raise DomainError("A part of a link may be named once.", field=name, value=entry)
        setting = settings.get(name)
        if isinstance(setting, Numbers):
            given[name] = [number(piece, name) for piece in entry.split(",")]
        elif setting is not None and not hasattr(setting, "parameter"):
            given[name] = entry
        else:
            given[name] = number(entry, name)
    numbers = {name: given.pop(name) for name in ("replicates", "seed") if name in given}
    return Plan(
        settings=usual.settings,
        values=check_values(usual.settings, {**usual.values, **given}),
        replicates=int(REPLICATES.check(numbers.get("replicates", usual.replicates))),
        seed=int(PAGE_SEED.check(numbers.get("seed", usual.seed))),
    )


def number(text: str, name: str) -> float:
    """Return a number that was typed or linked, inf included.

    Raises:
        DomainError: It is none.
    """
    try:
        found = float(text)
    except ValueError:
        raise DomainError(f"{name} must be a number.", field=name, value=text) from None
    if math.isnan(found):
        raise DomainError(f"{name} must be a number.", field=name, value=Words("nan"))
    return int(found) if found.is_integer() else found
