"""A run of the current study's own servers, as their budgets scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pages.charts import words
from pages.core import Note, button
from pages.core.live import Missing, Plan, plan
from pages.current import state
from rates.numbers import DomainError
from rates.study import PRESETS, Study
from sims.engine import Estimate, Experiment, Point, Progress, Request, Values

CANNOT = "This study cannot be simulated as it stands."
ABSENT = "The study's own budgets, factor 1, are not among those shown."


@dataclass(frozen=True, slots=True)
class Current:
    """What is run of the current study.

    Attributes:
        request: The run.
        told: What had to be changed or filled in to simulate it, in Markdown.
    """

    request: Request
    told: Note


def lacks(kind: type[Study], told: str) -> Missing | None:
    """Return what is said and offered where the current study is of another kind."""
    if isinstance(state.current(), kind):
        return None
    preset = next(preset for preset in PRESETS if isinstance(preset.study, kind))
    label = f"Open the example: {preset.title}"
    key, how = f"open_example_{kind.__name__}", {"icon": ":material/auto_stories:"}
    return Missing(told, [lambda: button(label, key, state.adopt, preset.study, **how)])


def usual(experiment: Experiment, own: Sequence[str], replicates: int) -> Plan:
    """Return the plan without the settings that the study itself makes."""
    # What the study says itself would be asked twice.
    rest = tuple(setting for setting in experiment.parameters if setting.name not in own)
    return plan(rest, replicates=replicates)


def made(
    asked: Plan,
    experiment: Experiment,
    values_of: Callable[[Any], tuple[Values, str]],
    told: Callable[[Any, str], str],
) -> Current:
    """Return the run of the current study.

    Args:
        asked: What is asked besides.
        experiment: What is run.
        values_of: The study's settings, and what was changed in them.
        told: What is said of that.

    Raises:
        DomainError: The study cannot be simulated.
        Missing: It cannot with what is asked.
    """
    study = state.current()
    values, note = values_of(study)
    said = Note(told(study, note))
    try:
        return Current(asked.request(experiment, values.changed(**asked.values)), said)
    # What was changed in the study is said too: it may be the reason.
    except DomainError as error:
        raise Missing(CANNOT, [said, Note(words.plain(error), "error")]) from None


def at_one(progress: Progress) -> dict[str, tuple[Point, Estimate]]:
    """Return the points at the study's own budgets, by series."""
    # The budgets as they are stated, which the sentence is about.
    return {point.series: (point, found) for point, found in progress.seen(0) if point.x == 1.0}
