"""What is asked on the plan page: kept for the session, and shared by ``?plan=``."""

from __future__ import annotations

from typing import Any

from pages.parts.plan import view as plan_view
from pages.parts.session import Bound, state


class _Bound(Bound[plan_view.View]):
    """What is asked; the fields show it as far as the current study has it."""

    def value(self, name: str) -> Any:
        view = current()
        if name == "risk":
            return view.risk or "integrated"
        if name in plan_view.FURTHER_SITE:
            return getattr(plan_view.further(view, state.current()), plan_view.FURTHER_SITE[name])
        return getattr(view, name)


PLAN = _Bound(
    parameter="plan",
    start=plan_view.View(),
    settings=plan_view.SETTINGS,
    noun="A plan",
    refused="The plan in the address could not be opened.",
    old=plan_view.from_text,
)


def current() -> plan_view.View:
    """What is asked, as far as the current study has it."""
    return plan_view.fitted(PLAN.get(), state.current())
