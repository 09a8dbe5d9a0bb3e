"""A tab: what it asks, what it makes of the answers, and how that is shown; one record each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from pages.core import Block, Field, Slider
from pages.core.live.plans import Plan
from pages.core.live.tabs import Open
from sims.engine import Experiment

NO_RUN = "These parameters cannot be run together."


@dataclass(frozen=True, slots=True)
class Folded:
    """Fields behind a title."""

    title: str
    fields: Sequence[Item]

    def draw(self, source: Open) -> None:
        """Draw them."""
        with st.expander(self.title):
            draw_fields(source, self.fields)


Item = Field | Folded | Callable[[Open], object]
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
class Tab:
    """A tab of a page: a run of an experiment, or a look that is computed at once.

    Attributes:
        page: Name of its page.
        name: Its name in the address.
        title: Its title.
        usual: What it starts with.
        fields: What is asked beside the figure; or a function of what is asked now.
        wide: What is asked over the whole width, likewise.
        experiment: What Run runs; None for a look.
        lacks: What is missing before anything can be asked, if anything is.
        made: Makes what is shown of what is asked: a look, or the request of a run where it is
            not just the experiment with the values, or a record that has it as ``request``. May
            raise `Missing`.
        cannot: What stands in the answer's place if what is asked is refused.
        answer: The answer: of a look, or of a run's `Progress`.
        before: Blocks above the figures, of what was made.
        drawn: The figures and what goes with them, as for `answer`.
        after: Blocks below them, of what was made.
        below: Blocks below the fields too, of what was made.
        foot: What is asked below all that, as for `fields`.
        auto: Whether the usual run starts by itself.
        job: More of the run's `Job`, of what was made.
        privacy: Guarantee and neighbour relation; or a function of what is asked. That of the
            experiment if None.
        formula: LaTeX, one formula a line; empty for none.
        why: The reason, in Markdown.
        because: Blocks in place of formula and why, where it takes more than these.
        alone: Whether what it shows follows from what is asked alone, not from the study or the
            files of a session; then lines of Python can draw it again.
        heading: Title of the reason.
        limits: What the answer leaves open, as a list; or several texts.
        statements: Statements of the ledger that the tab uses, with their labels.
        used: Names under which further statements are found, as for `ledger_links.used`.
        listed: The same for a link to them all, as for `ledger_links.listed`.
    """

    page: str
    name: str
    title: str
    usual: Plan
    fields: Asked
    wide: Asked = ()
    experiment: Experiment | None = None
    lacks: Callable[[], Missing | None] = lambda: None
    made: Callable[[Plan], Any] | None = None
    cannot: str = NO_RUN
    answer: Callable[[Any], str]
    before: Callable[[Any], Iterable[Block]] = _nothing
    drawn: Callable[[Any], Iterable[Block]]
    after: Callable[[Any], Iterable[Block]] = _nothing
    below: Callable[[Any], Iterable[Block]] = _nothing
    foot: Asked = ()
    auto: bool = False
    job: Callable[[Any], Mapping[str, Any]] = lambda made: {}
    privacy: str | Callable[[Plan], str] | None = None
    formula: str = ""
    why: str = ""
    because: Sequence[Block] = ()
    alone: bool = True
    heading: str = "Why"
    limits: str | Sequence[str]
    statements: Mapping[str, str] = field(default_factory=dict)
    used: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Name of its widgets and of its run."""
        return f"{self.page}_{self.name}"

    def make(self, asked: Plan) -> Any:
        """Return what is shown of what is asked.

        Raises:
            DomainError: It is refused.
            Missing: Something has to be brought first.
        """
        if self.made is not None:
            return self.made(asked)
        assert self.experiment is not None, self.name
        return asked.request(self.experiment)


def draw_fields(source: Open, asked: Asked) -> None:
    """Draw what is asked."""
    for item in asked(source.plan) if callable(asked) else asked:
        if callable(item):
            item(source)
        else:
            item.draw(source)


def seed(title: str = "Seed") -> Field:
    """Where the random numbers come from."""
    return Slider("seed", title, range(10))


def repetition(most: int = 5_000) -> tuple[Field, Field]:
    """Replicates and seed."""
    steps = [x for x in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if x <= most]
    return Slider("replicates", "Replicates R", steps), seed()
