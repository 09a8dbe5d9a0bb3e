"""The tabs of a page with live runs: their plans, their address and their widgets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pages.parts.live.plans import PAGE_SEED, RUN, Plan, from_text, to_text
from pages.parts.session import Bound, Part, Texts, controls, inputs
from rates.numbers import DomainError
from sims.engine import REPLICATES

TAB = "tab"
_RUN_PARTS = {"replicates": Part("replicates", REPLICATES), "seed": Part("seed", PAGE_SEED)}


@dataclass(frozen=True, slots=True)
class Opened:
    """The tab that is open, and by tab the plans that are not the usual ones."""

    tab: str
    plans: Mapping[str, Plan] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class _Bound(Bound[Opened]):
    """The open tab and its run in session and address; what is usual stays out of the address."""

    usual: Mapping[str, Plan]

    @property
    def names(self) -> tuple[str, ...]:
        return (TAB, RUN)

    def plan(self, tab: str) -> Plan:
        return self.get().plans.get(tab, self.usual[tab])

    def open(self, texts: Texts) -> tuple[Opened, list[str]]:
        now, tab = self.get(), texts.get(TAB, "") or self.start.tab
        if tab not in self.usual:
            return now, [f"{TAB} must be one of {', '.join(self.usual)}; got {tab[:40]!r}."]
        try:
            asked = from_text(texts.get(RUN, ""), self.usual[tab])
        except DomainError as error:
            return replace(now, tab=tab), [str(error)]
        return Opened(tab, {**now.plans, tab: asked}), []

    def write(self, value: Opened) -> Texts:
        tab = value.tab
        text = to_text(value.plans.get(tab, self.usual[tab]), self.usual[tab])
        return {TAB: "" if tab == self.start.tab else tab, RUN: text}

    def set(self, value: Opened) -> None:
        super().set(value)
        for name in self.usual[value.tab].values:
            st.session_state[inputs.ERROR + f"{self.parameter}_{value.tab}_{name}"] = None


@dataclass(frozen=True, slots=True)
class Open:
    """The open tab, as a source of fields.

    Attributes:
        tabs: The tabs.
        tab: Name of the one.
    """

    tabs: Tabs
    tab: str

    @property
    def plan(self) -> Plan:
        """What is asked for now."""
        return self.tabs.plan(self.tab)

    def key(self, name: str) -> str:
        """Widget name of a setting."""
        return f"{self.tabs.bound.parameter}_{self.tab}_{name}"

    def setting(self, name: str) -> Any:
        """The setting of this name, replicates and seed included."""
        return _RUN_PARTS.get(name) or self.tabs.setting(self.tab, name)

    def value(self, name: str) -> Any:
        """What is asked for now."""
        now = self.plan
        return getattr(now, name) if name in _RUN_PARTS else now.values[name]

    def change(self, **values: Any) -> None:
        """Ask for something else; what is refused is said."""
        self.tabs.change(self.tab, **values)

    def refuse(self, problem: str) -> None:
        """Remember why a change was not taken."""
        self.tabs.bound.refuse(problem)

    @property
    def refusal(self) -> str:
        """Why the last change was not taken; empty if it was."""
        return self.tabs.bound.refusal


@dataclass(frozen=True, slots=True)
class Tabs:
    """The tabs of one page, each with its usual plan.

    Attributes:
        page: The page's name, so that two pages do not share widgets.
        usual: By tab, the plan that it starts with; the first tab is open at first.
    """

    page: str
    usual: Mapping[str, Plan]

    @property
    def bound(self) -> _Bound:
        """The open tab and its run, in session and address."""
        return _Bound(
            parameter=f"live_{self.page}",
            start=Opened(next(iter(self.usual))),
            usual=self.usual,
            refused="The run in the address could not be opened.",
        )

    def bar(self, titles: Mapping[str, str]) -> str:
        """Draw the tabs; return the open one. Only that one is computed."""
        bound, now = self.bound, self.bound.get()
        tab: str = controls.ask(
            f"{bound.parameter}_bar",
            now.tab,
            lambda tab: bound.set(replace(now, tab=tab)),
            lambda **how: st.segmented_control(
                "Show",
                list(titles),
                format_func=titles.__getitem__,
                default=now.tab,
                required=True,
                label_visibility="collapsed",
                wrap=True,
                **how,
            ),
        )
        return tab

    def plan(self, tab: str) -> Plan:
        """The plan of a tab."""
        return self.bound.plan(tab)

    def setting(self, tab: str, name: str) -> Any:
        """The setting of this name."""
        return next(s for s in self.usual[tab].settings if s.name == name)

    def change(self, tab: str, **changed: Any) -> None:
        """Change parameters, replicates or seed of a tab; what is refused is said."""
        run: dict[str, Any] = {name: changed.pop(name) for name in _RUN_PARTS if name in changed}
        bound = self.bound
        try:
            asked = self.plan(tab).with_values(**changed)
            run = {name: int(_RUN_PARTS[name].check(value)) for name, value in run.items()}
        except DomainError as error:
            bound.refuse(str(error))
        else:
            now = bound.get()
            bound.set(replace(now, plans={**now.plans, tab: replace(asked, **run)}))

    def open(self, tab: str) -> Open:
        """The fields of a tab read from it and write to it."""
        return Open(self, tab)
