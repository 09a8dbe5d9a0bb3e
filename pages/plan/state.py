"""What is asked on the plan page: kept for the session, and shared by ``?plan=``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pages.core import Single, Texts, UrlState, choice, layout
from pages.current import state
from pages.plan import view as plan_view


class _Url(UrlState[plan_view.View]):
    """What is asked; the fields show it as far as the current study has it.

    A text names its goal, as what is usual has changed: one without it is an older link.
    """

    def read(self, texts: Texts) -> plan_view.View:
        """Return the view that an address asks for."""
        view, given = super().read(texts), texts.get(self.parameter, "")
        named = ":" not in given or any(x.startswith("goal:") for x in given.split(";"))
        return view if named else replace(view, goal=plan_view.OLD_GOAL)

    def write(self, value: plan_view.View) -> Texts | None:
        """Return what an address says of a view; None where it is too long for one."""
        texts = super().write(value)
        given = (texts or {}).get(self.parameter, "")
        if given and value.goal == self.start.goal:
            return {self.parameter: f"goal:{value.goal};{given}"}
        return texts

    def value(self, name: str) -> Any:
        view = current()
        return view.risk or "integrated" if name == "risk" else getattr(view, name)


PLAN = _Url(
    parameter="plan",
    start=plan_view.View(),
    settings=plan_view.SETTINGS,
    noun="A plan",
    refused="The plan in the address could not be opened.",
    old=plan_view.from_text,
)


OFFERS = Single(
    parameter="offers",
    start="",
    settings=(choice("offers", ("", *layout.OFFERS_OPEN.values())),),
)  # where the sites on offer stand: at their place, or first


def offers_first() -> bool:
    """Whether the address asks for the sites on offer first."""
    return bool(OFFERS.get())


def turn_offers() -> None:
    """Bring the sites on offer to the top of the page, or back to their place."""
    values: dict[str, str] = {"offers": ""} if offers_first() else layout.OFFERS_OPEN
    OFFERS.change(**values)


def current() -> plan_view.View:
    """What is asked, as far as the current study has it."""
    return plan_view.asked(PLAN.get(), state.current(), state.scope())
