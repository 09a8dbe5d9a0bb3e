"""What a live run is asked for, and the text that says so in a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pages.core import text
from sims.engine import REPLICATES, SEED, Experiment, Request, Setting, Value, Values, check_values

RUN = "run"
MOST_SEED = 2**53 - 1  # browsers hold no larger whole number exactly
PAGE_SEED = replace(
    SEED,
    domain=f"0, ..., {MOST_SEED}",
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
    >>> usual = plan((Numbers(EPSILON, (1.0,)),), replicates=20)
    >>> to_text(replace(usual.with_values(epsilon=[0.1, "inf"]), seed=7), usual)
    'epsilon:0.1,inf;seed:7'
    """
    also = [
        f"{name}:{getattr(asked, name)}"
        for name in ("replicates", "seed")
        if getattr(asked, name) != getattr(usual, name)
    ]
    return ";".join(filter(None, [text.to_text(usual.settings, asked.values, usual.values), *also]))


def from_text(given: str, usual: Plan) -> Plan:
    """Return the plan that a link asks for, what it leaves out being usual.

    Raises:
        DomainError: A part cannot be read, is named twice or is outside its allowed set.

    >>> from rates.numbers.parameters import EPSILON
    >>> usual = plan((Numbers(EPSILON, (1.0,)),), replicates=20)
    >>> from_text("epsilon:0.1,inf;seed:7", usual).values
    {'epsilon': (0.1, inf)}
    """
    values = text.parse(given, usual.settings, field=RUN, noun="A run")
    numbers = {name: values.pop(name) for name in ("replicates", "seed") if name in values}
    return Plan(
        settings=usual.settings,
        values=check_values(usual.settings, {**usual.values, **values}),
        replicates=int(REPLICATES.check(numbers.get("replicates", usual.replicates))),
        seed=int(PAGE_SEED.check(numbers.get("seed", usual.seed))),
    )
