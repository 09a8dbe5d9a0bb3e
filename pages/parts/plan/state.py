"""What is asked on the plan page: kept for the session, and shared by ``?plan=``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pages.parts.plan import view as plan_view
from pages.parts.plan.view import View
from pages.parts.session import Bound, fields, state


def _opened(before: View, now: View) -> None:
    if before != now:
        state.show(state.draft())  # as new widgets: the old ones would keep their values


PLAN = Bound(
    parameter="plan",
    start=View(),
    settings=plan_view.SETTINGS,
    noun="A plan",
    refused="The plan in the address could not be opened.",
    old=plan_view.from_text,
    opened=_opened,
)


def current() -> View:
    """What is asked, as far as the current study has it."""
    return plan_view.fitted(PLAN.get(), state.current())


def setter(name: str) -> Callable[[float], None]:
    """Return what takes over one number."""
    return lambda value: PLAN.change(**{name: value})


def take_choice(name: str) -> None:
    """Take over a choice that the browser holds."""
    given = fields.held(f"plan_{name}")
    if given is not None and given != PLAN.value(name):
        PLAN.keep(replace(PLAN.get(), **{name: given}))  # type: ignore[arg-type]
        PLAN.refuse("")
