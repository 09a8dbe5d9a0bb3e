"""The open tab of a page with live runs and its plan, in session and address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pages.core import Part, Texts, UrlState, ask, inputs
from pages.core.live.plans import PAGE_SEED, RUN, Plan, from_text, to_text
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
class Tabs(UrlState[Opened]):
    """The open tab and its run; what is usual stays out of the address.

    Attributes:
        usual: By tab, the plan that it starts with; the first tab is open at first.
    """

    usual: Mapping[str, Plan]

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters of the address."""
        return (TAB, RUN)

    @classmethod
    def of(cls, page: str, usual: Mapping[str, Plan]) -> Tabs:
        """Return the tabs of a page."""
        return cls(
            parameter=f"live_{page}",
            start=Opened(next(iter(usual))),
            usual=usual,
            refused="The run in the address could not be opened.",
        )

    def plan(self, tab: str) -> Plan:
        """The plan of a tab."""
        return self.get().plans.get(tab, self.usual[tab])

    def open(self, texts: Texts) -> tuple[Opened, list[str]]:
        """Return what an address asks for, and what of it was refused."""
        now, tab = self.get(), texts.get(TAB, "") or self.start.tab
        if tab not in self.usual:
            return now, [f"{TAB} must be one of {', '.join(self.usual)}; got {tab[:40]!r}."]
        try:
            asked = from_text(texts.get(RUN, ""), self.usual[tab])
        except DomainError as error:
            return replace(now, tab=tab), [str(error)]
        return Opened(tab, {**now.plans, tab: asked}), []

    def write(self, value: Opened) -> Texts:
        """Return what an address says of the open tab."""
        tab = value.tab
        text = to_text(value.plans.get(tab, self.usual[tab]), self.usual[tab])
        return {TAB: "" if tab == self.start.tab else tab, RUN: text}

    def set(self, value: Opened) -> None:
        """Ask for something else; what was refused before is settled."""
        super().set(value)
        for name in self.usual[value.tab].values:
            st.session_state[inputs.ERROR + f"{self.parameter}_{value.tab}_{name}"] = None

    def bar(self, titles: Mapping[str, str]) -> str:
        """Draw the tabs; return the open one. Only that one is computed."""
        now = self.get()
        tab: str = ask(
            f"{self.parameter}_bar",
            now.tab,
            lambda tab: self.set(replace(now, tab=tab)),
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


@dataclass(frozen=True, slots=True)
class Open:
    """A tab as a source of fields: they stay its own when another one is opened.

    Attributes:
        tabs: The tabs of the page.
        tab: Its name.
    """

    tabs: Tabs
    tab: str

    @property
    def plan(self) -> Plan:
        """What is asked for now."""
        return self.tabs.plan(self.tab)

    def key(self, name: str) -> str:
        """Widget name of a setting."""
        return f"{self.tabs.parameter}_{self.tab}_{name}"

    def setting(self, name: str) -> Any:
        """The setting of this name, replicates and seed included."""
        if name in _RUN_PARTS:
            return _RUN_PARTS[name]
        return next(setting for setting in self.plan.settings if setting.name == name)

    def value(self, name: str) -> Any:
        """What is asked for now."""
        now = self.plan
        return getattr(now, name) if name in _RUN_PARTS else now.values[name]

    def change(self, **values: Any) -> None:
        """Ask for something else; what is refused is said."""
        run: dict[str, Any] = {name: values.pop(name) for name in _RUN_PARTS if name in values}
        try:
            asked = self.plan.with_values(**values)
            run = {name: int(_RUN_PARTS[name].check(value)) for name, value in run.items()}
        except DomainError as error:
            self.refuse(str(error))
        else:
            now = self.tabs.get()
            self.tabs.set(replace(now, plans={**now.plans, self.tab: replace(asked, **run)}))

    def refuse(self, problem: str) -> None:
        """Remember why a change was not taken."""
        self.tabs.refuse(problem)

    @property
    def refusal(self) -> str:
        """Why the last change was not taken; empty if it was."""
        return self.tabs.refusal
