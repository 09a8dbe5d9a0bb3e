"""What a live run is asked for, and the text that says so in a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pages.core import Part, UrlState, controls, text
from sims.engine import REPLICATES, SEED, Experiment, Request, Setting, Value, Values, check_values

MOST_SEED = 2**53 - 1  # browsers hold no larger whole number exactly
PAGE_SEED = replace(
    SEED,
    domain=f"0, ..., {MOST_SEED}",
    limit_rule="On a page the seed is at most 2^53 - 1; the command line takes larger ones.",
)
_RUN_PARTS = (Part("replicates", REPLICATES), Part("seed", PAGE_SEED))
_RUN_NAMES = ("replicates", "seed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Parameters, replicates and seed of a run that may be started.

    Attributes:
        settings: What may be asked.
        values: One checked value per setting.
        replicates: Replicates per point.
        seed: Where the random numbers come from.
        gone: Settings that links of before may name.
    """

    settings: tuple[Setting, ...]
    values: Values
    replicates: int
    seed: int = 0
    gone: tuple[str, ...] = ()

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
    settings: tuple[Setting, ...],
    *,
    replicates: int,
    defaults: Mapping[str, Value] | None = None,
    gone: tuple[str, ...] = (),
) -> Plan:
    """Return the plan that a tab starts with."""
    values = check_values(settings, defaults or {})
    return Plan(settings=settings, values=values, replicates=replicates, gone=gone)


def of_experiment(experiment: Experiment, **more: Any) -> Plan:
    """Return the plan of an experiment's own defaults, but for what is given of `plan`."""
    return plan(experiment.parameters, **{"replicates": experiment.replicates, **more})


@dataclass(frozen=True, kw_only=True)
class Open(UrlState[Plan]):
    """What is asked of a tab, in the address as ``?run=``; each tab keeps its own."""

    @classmethod
    def of(cls, key: str, usual: Plan) -> Open:
        """Return what is asked of a tab, by its key."""
        return cls(
            parameter=f"live_{key}",
            name=controls.RUN,
            start=usual,
            settings=(*usual.settings, *_RUN_PARTS),
            noun="A run",
            gone=usual.gone,
            refused="The run in the address could not be opened.",
        )

    @property
    def plan(self) -> Plan:
        """What is asked for now."""
        return self.get()

    def part(self, record: Plan, name: str) -> Any:
        """Return one of the values, the replicates or the seed."""
        return getattr(record, name) if name in _RUN_NAMES else record.values[name]

    def changed(self, record: Plan, values: Mapping[str, Any]) -> Plan:
        """Return a plan with some parts changed, or raise `DomainError`."""
        found = text.checked(values, self.settings, "A run")
        run: dict[str, Any] = {k: int(found.pop(k)) for k in _RUN_NAMES if k in found}
        return replace(record, values=record.values.changed(**found), **run)


def to_text(asked: Plan, usual: Plan) -> str:
    """Return what differs from the usual plan, as text for a link; empty if nothing does.

    >>> from rates.numbers.parameters import EPSILON
    >>> from sims.engine import Numbers
    >>> usual = plan((Numbers(EPSILON, (1.0,)),), replicates=20)
    >>> to_text(replace(usual, values={"epsilon": (0.1, 2.0)}, seed=7), usual)
    'epsilon:0.1,2;seed:7'
    """
    return Open.of("", usual).link(asked).get(controls.RUN, "")


def from_text(given: str, usual: Plan) -> Plan:
    """Return the plan that a link asks for, what it leaves out being usual.

    Raises:
        DomainError: A part cannot be read, is named twice or is outside its allowed set.

    >>> from rates.numbers.parameters import EPSILON
    >>> from sims.engine import Numbers
    >>> usual = plan((Numbers(EPSILON, (1.0,)),), replicates=20)
    >>> from_text("epsilon:0.1,inf;seed:7", usual).values
    {'epsilon': (0.1, inf)}
    """
    return Open.of("", usual).read({controls.RUN: given})
