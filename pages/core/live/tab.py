"""A tab: what it asks, the text that says so in a link, and what it makes of the answers."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pages.charts import Figure
from pages.core import Block, Section, UrlState, blocks, controls, layout, of_visitor, url_state
from sims.engine import REPLICATES, SEED, Experiment, Request, Setting, Value, Values, check_values

NO_RUN = "These parameters cannot be run together."
MOST_SEED = 2**53 - 1  # browsers hold no larger whole number exactly
PAGE_SEED = replace(
    SEED,
    domain=f"0, ..., {MOST_SEED}",
    limit_rule="On a page the seed is at most 2^53 - 1; the command line takes larger ones.",
)
_RUN_PARTS = (url_state.Part("replicates", REPLICATES), url_state.Part("seed", PAGE_SEED))
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
        found = {k: self.setting(k).check(value, "A run") for k, value in values.items()}
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


# What a tab is ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Folded:
    """Fields behind a title, drawn while they are in sight: a page is redrawn with each move."""

    title: str
    fields: Sequence[Item]

    def draw(self, source: Open) -> None:
        """Draw them."""
        if place := controls.fold(self.title, f"{source.parameter}_{self.title}"):
            with place:
                draw_fields(source, self.fields)


Item = controls.Field | Folded | Callable[[Open], object]
Asked = Sequence[Item] | Callable[[Plan], Iterable[Item]]


class Missing(Exception):  # noqa: N818 - no error: the visitor has not brought it yet
    """There is nothing to show yet.

    Args:
        answer: What to bring, as a sentence in Markdown.
        blocks: How.
    """

    def __init__(self, answer: str, blocks: Sequence[Block] = ()) -> None:
        super().__init__(answer)
        self.answer, self.blocks = answer, blocks


def _nothing(made: Any) -> Iterable[Block]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Tab(Section):
    """A section of its own on a page: a run of an experiment, or a look that is computed at once.

    Its `id` is its name in the address; its `inputs` stand beside the figure. `compute` makes what
    is shown of the plan: a look, or the request of a run where it is not just the experiment with
    the values, or a record that has it as ``request``; it may raise `Missing`. `blocks` shows it,
    or a run's `Progress`.

    Attributes:
        page: Name of its page.
        usual: What it starts with; the defaults of the experiment if None.
        experiment: What Run runs; None for a look.
        lacks: What is missing before anything can be asked, if anything is.
        cannot: What stands in the answer's place if what is asked is refused.
        answer: The answer: of a look, or of a run's `Progress`.
        touch: Draws the first figure of a look over the whole width, above the fields, so that
            one can touch it: of the look, the figure, and the tab.
        before: Blocks above the figures, of what was made.
        after: Blocks below them, of what was made.
        below: Blocks below the fields too, of what was made.
        auto: Whether the usual run starts by itself.
        job: More of the run's `Job`, of what was made.
        privacy: Guarantee and neighbour relation; or a function of what is asked. That of the
            experiment if None.
        formula: LaTeX, one formula a line; empty for none.
        alone: Whether what it shows follows from what is asked alone, not from the study or the
            files of a session, or what says so; then lines of Python can draw it again.
        statements: Statements of the ledger that the tab uses.
        used: Names under which further statements are found, as for `layout.statements_used`.
    """

    page: str
    usual: Plan = None  # type: ignore[assignment]  # set below
    inputs: Asked
    experiment: Experiment | None = None
    lacks: Callable[[], Missing | None] = lambda: None
    cannot: str = NO_RUN
    answer: Callable[[Any], str]
    touch: Callable[[Any, Figure, Open], object] | None = None
    before: Callable[[Any], Iterable[Block]] = _nothing
    after: Callable[[Any], Iterable[Block]] = _nothing
    below: Callable[[Any], Iterable[Block]] = _nothing
    auto: bool = False
    job: Callable[[Any], Mapping[str, Any]] = lambda made: {}
    privacy: str | Callable[[Plan], str] | None = None
    formula: str = ""
    alone: bool | Callable[[], bool] = True
    statements: Sequence[str] = ()
    used: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.usual is None:
            assert self.experiment is not None, self.id
            object.__setattr__(self, "usual", of_experiment(self.experiment))

    @property
    def key(self) -> str:
        """Name of its widgets and of its run."""
        return f"{self.page}_{self.id}"

    def make(self, asked: Plan) -> Any:
        """Return what is shown of what is asked.

        Raises:
            DomainError: It is refused.
            Missing: Something has to be brought first.
        """
        if self.compute is not None:
            return self.compute(asked)
        assert self.experiment is not None, self.id
        return asked.request(self.experiment)

    def reasons(self) -> Iterable[Block]:
        """Formula, reason, and the ways to the statements behind it."""
        if self.formula:
            yield blocks.Formula(self.formula)
        yield from super().reasons()
        yield from (blocks.Link(name) for name in self.statements)
        if self.used:
            yield lambda: layout.statements_used(*self.used)


def items(asked: Asked, now: Plan) -> list[Item]:
    """Return what is asked."""
    return list(asked(now) if callable(asked) else asked)


def draw_fields(source: Open, asked: Asked) -> None:
    """Draw what is asked."""
    for item in items(asked, source.plan):
        if callable(item):
            item(source)
        else:
            item.draw(source)


def seed(title: str = "Seed") -> controls.Field:
    """Where the random numbers come from."""
    return controls.Slider("seed", title, range(10))


def repetition(most: int = 5_000) -> tuple[controls.Field, controls.Field]:
    """Replicates and seed."""
    steps = [x for x in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if x <= most]
    return controls.Slider("replicates", "Replicates R", steps), seed()


def _points(experiment: Experiment, values: Values) -> tuple[Any, ...]:
    return experiment.points(values)


_of_all, _of_one = functools.lru_cache(maxsize=64)(_points), of_visitor(16)(_points)


def kept(experiment: Experiment, *, private: bool = False) -> Experiment:
    """Return the experiment with its points, and the exact risks in them, kept for next time.

    Args:
        experiment: Whose points.
        private: Whether they rest on a visitor's file, and are kept for that visitor alone.
    """
    # Exact risks of a visitor's records go with the session.
    points = _of_one if private else _of_all
    return replace(experiment, points=lambda values: points(experiment, values))


SHORT = {"epsilon": "ε", "n": "n", "m": "m"}


def along(
    asked: Plan,
    sweeps: Mapping[str, str],
    *,
    lists: Mapping[str, Mapping[str, Value]],
    stops: Mapping[str, Sequence[float]],
    budgets: Sequence[float],
    sizes: Sequence[float],
) -> Iterator[controls.Field]:
    """Return the fields of an axis.

    Args:
        asked: What is asked for now.
        sweeps: What may run along the axis, with titles.
        lists: What each of them starts with.
        stops: Where the range of each may end.
        budgets: Budgets that curves may have.
        sizes: Sizes that curves may have.
    """
    axis = asked.values.word("sweep")
    yield controls.Switch("sweep", "Along the axis", sweeps, then=lists.__getitem__)
    yield controls.Between(axis, f"Range of {SHORT[axis]}", stops[axis])
    if axis != "epsilon":
        yield controls.Pills("epsilon", "Budgets ε, one curve each", budgets)
    if axis != "n":
        title = "Records in all" if axis == "m" else "Records of each server n"
        yield controls.Pills("n", f"{title}, one curve each", sizes)
