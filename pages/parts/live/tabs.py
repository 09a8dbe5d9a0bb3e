"""The tabs of a page with live runs: their plans, their address and their widgets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.figures.chart import number_text, words
from pages.parts.live.plans import PAGE_SEED, RUN, Plan, from_text, number, to_text
from pages.parts.session import inputs, state
from rates.numbers import DomainError, Parameter
from sims.engine import REPLICATES, Experiment, Number, Numbers, Request, Setting, Value, Values

TAB = "tab"
PARAMETERS = (TAB, RUN)


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
    def first(self) -> str:
        """The tab that is open at first."""
        return next(iter(self.usual))

    def _key(self, name: str) -> str:
        return f"live_{self.page}_{name}"

    def load(self) -> None:
        """Open what a new address asks for; say what in it was refused."""
        memory = st.session_state
        memory.setdefault(self._key("tab"), self.first)
        if memory.get("published") is None:  # the page has just been entered
            memory[self._key("link")] = None
        address = (st.query_params.get(TAB, ""), st.query_params.get(RUN, ""))
        if state.arrived(memory.get(self._key("link")) or ("", ""), address):
            memory[self._key("link")] = address
            memory[self._key("problem")] = self._open(*address)
        if problem := memory.get(self._key("problem")):
            st.error(f"The run in the address could not be opened. {words.plain(problem)}")

    def _open(self, tab: str, text: str) -> str:
        """Take over an address; return what was refused."""
        if tab and tab not in self.usual:
            return f"{TAB} must be one of {', '.join(self.usual)}; got {tab[:40]!r}."
        tab = tab or self.first
        st.session_state[self._key("tab")] = tab
        try:
            self._keep(tab, from_text(text, self.usual[tab]))
        except DomainError as error:
            return str(error)
        return ""

    def publish(self) -> None:
        """Write the open tab and its plan into the address; what is usual stays out of it."""
        memory = st.session_state
        tab = self.open_tab()
        text = to_text(self.plan(tab), self.usual[tab])
        wanted = ("" if tab == self.first else tab, text)
        for name, value in zip((TAB, RUN), wanted, strict=True):
            if memory.get(self._key("problem")):
                break
            if value and st.query_params.get(name) != value:
                st.query_params[name] = value
            elif not value and name in st.query_params:
                del st.query_params[name]
        else:
            memory[self._key("link")] = wanted

    def open_tab(self) -> str:
        """The tab that is open."""
        return st.session_state.get(self._key("tab"), self.first)

    def bar(self, titles: Mapping[str, str]) -> str:
        """Draw the tabs; return the open one. Only that one is computed."""
        key = self._key("bar")
        inputs.hold(key, self.open_tab())
        st.segmented_control(
            "Show",
            list(titles),
            format_func=titles.__getitem__,
            default=self.open_tab(),
            key=key,
            required=True,
            on_change=self._choose_tab,
            args=(key,),
            label_visibility="collapsed",
            wrap=True,
        )
        return self.open_tab()

    def _choose_tab(self, key: str) -> None:
        state.touch()
        if (tab := st.session_state.get(key)) in self.usual:
            st.session_state[self._key("tab")] = tab
            st.session_state[self._key("problem")] = ""

    def plan(self, tab: str) -> Plan:
        """The plan of a tab."""
        return st.session_state.get(self._key(f"plan_{tab}"), self.usual[tab])

    def request(
        self,
        tab: str,
        experiment: Experiment,
        place: st.delta_generator.DeltaGenerator,
        *,
        values: Values | None = None,
    ) -> Request | None:
        """Return the run that a tab asks for, or say why there is none.

        Args:
            tab: Name of the tab.
            experiment: What is run.
            place: Where the answer would stand.
            values: In place of the plan's, where a tab asks for some of them only.
        """
        asked = self.plan(tab)
        try:
            return Request(
                experiment=experiment,
                values=asked.values if values is None else values,
                replicates=asked.replicates,
                seed=asked.seed,
            )
        except DomainError as error:
            place.markdown("These parameters cannot be run together.")
            st.error(words.plain(error))
            return None

    def _keep(self, tab: str, asked: Plan) -> None:
        memory = st.session_state
        memory[self._key(f"plan_{tab}")] = asked
        memory[self._key("problem")] = memory[self._key("refused")] = ""
        for name in asked.values:
            memory[inputs.ERROR + self._key(f"{tab}_{name}")] = None

    def change(self, tab: str, **changed: object) -> None:
        """Change parameters, replicates or seed of a tab; what is refused is said."""
        now = self.plan(tab)
        run = {name: changed.pop(name) for name in ("replicates", "seed") if name in changed}
        try:
            now = now.with_values(**changed)
            if "replicates" in run:
                now = replace(now, replicates=int(REPLICATES.check(run["replicates"])))
            if "seed" in run:
                now = replace(now, seed=int(PAGE_SEED.check(run["seed"])))
        except DomainError as error:
            st.session_state[self._key("refused")] = str(error)
        else:
            self._keep(tab, now)

    def refuse(self, problem: str) -> None:
        """Remember why a change was not taken."""
        st.session_state[self._key("refused")] = problem

    @property
    def refused(self) -> str:
        """Why the last change was not taken; empty if it was."""
        return st.session_state.get(self._key("refused")) or ""

    def refusal(self) -> None:
        """Say why the last change was not taken, if it was not."""
        if problem := st.session_state.get(self._key("refused")):
            st.warning(f"{words.plain(problem)} The value before is kept.")

    def open(self, tab: str) -> Open:
        """The fields of a tab read from it and write to it."""
        return Open(self, tab)

    # Widgets -----------------------------------------------------------------------------------

    def setting(self, tab: str, name: str) -> Setting:
        """The setting of this name."""
        return next(s for s in self.usual[tab].settings if s.name == name)

    def choice(
        self,
        tab: str,
        name: str,
        title: str,
        labels: Mapping[str, str],
        *,
        then: Callable[[str], Mapping[str, Value]] | None = None,
    ) -> str:
        """A switch for one word; ``then`` names what else changes with it."""
        key = self._key(f"{tab}_{name}_choice")
        now = str(self.plan(tab).values[name])
        shown = {now: now, **labels} if now not in labels else dict(labels)
        inputs.hold(key, now)
        st.segmented_control(
            title,
            list(shown),
            format_func=shown.__getitem__,
            default=now,
            key=key,
            required=True,
            help=self.setting(tab, name).help,
            on_change=self._chosen,
            args=(tab, name, key, then),
            wrap=True,
        )
        return now

    def _chosen(
        self, tab: str, name: str, key: str, then: Callable[[str], Mapping[str, Value]] | None
    ) -> None:
        state.touch()
        if (value := st.session_state.get(key)) is not None:
            self.change(tab, **{**(then(value) if then else {}), name: value})

    def several(self, tab: str, name: str, title: str, options: tuple[float, ...]) -> None:
        """Pills for a list of numbers; at least one stays chosen."""
        key = self._key(f"{tab}_{name}_pills")
        now = list(self.plan(tab).values[name])
        inputs.hold(key, now)
        st.pills(
            title,
            sorted({*options, *now}, reverse=True),
            format_func=lambda x: "none" if x == float("inf") else words.number(x),
            selection_mode="multi",
            default=now,
            key=key,
            help=self.setting(tab, name).help,
            on_change=self._several,
            args=(tab, name, key),
            wrap=True,
        )

    def _several(self, tab: str, name: str, key: str) -> None:
        state.touch()
        if chosen := st.session_state.get(key):
            self.change(tab, **{name: sorted(chosen, reverse=True)})

    def listing(self, tab: str, name: str, title: str) -> None:
        """A box for the exact list."""
        key = self._key(f"{tab}_{name}_list")
        now = ", ".join(map(number_text, self.plan(tab).values[name]))
        if not st.session_state.get(self._key("refused")) and st.session_state.get(key) != now:
            st.session_state[key] = now
        st.text_input(
            title,
            key=key,
            help=self.setting(tab, name).help + " Numbers with commas between; inf for no limit.",
            on_change=self._listed,
            args=(tab, name, key),
        )

    def _listed(self, tab: str, name: str, key: str) -> None:
        state.touch()
        pieces = [p for p in re.split(r"[,;\s]+", st.session_state.get(key) or "") if p]
        try:
            self.change(tab, **{name: [number(piece, name) for piece in pieces]})
        except DomainError as error:
            st.session_state[self._key("refused")] = str(error)

    def between(self, tab: str, name: str, title: str, stops: tuple[float, ...]) -> None:
        """A slider with two ends for a list that runs along the axis."""
        now = self.plan(tab).values[name]
        everywhere = sorted({*stops, min(now), max(now)})
        # A new slider where the list came from elsewhere: a moved one is never written to.
        key = self._key(f"{tab}_{name}_between_{number_text(min(now))}_{number_text(max(now))}")
        st.select_slider(
            title,
            everywhere,
            value=(min(now), max(now)),
            format_func=words.number,
            key=key,
            help=self.setting(tab, name).help,
            on_change=self._between,
            args=(tab, name, key, stops),
        )

    def _between(self, tab: str, name: str, key: str, stops: tuple[float, ...]) -> None:
        state.touch()
        low, high = st.session_state[key]
        inside = {stop for stop in stops if low <= stop <= high}
        self.change(tab, **{name: sorted({*inside, low, high})})

    def number(self, tab: str, name: str, title: str, options: list[float]) -> None:
        """A slider with a box for one number, or for a list of one."""
        setting, now = self.setting(tab, name), self.plan(tab).values[name]
        several = isinstance(setting, Numbers)
        self._control(
            tab,
            name,
            title,
            setting.parameter,  # type: ignore[union-attr]
            now[0] if several else now,
            options,
            lambda value: [value] if several else value,
        )

    def repetition(self, tab: str, *, most: int = 5_000) -> None:
        """Replicates and seed."""
        self.replicates(tab, most=most)
        self.seed(tab)

    def replicates(self, tab: str, *, most: int = 5_000) -> None:
        """How often the run is repeated."""
        steps = [x for x in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if x <= most]
        now = self.plan(tab).replicates
        self._control(tab, "replicates", "Replicates R", REPLICATES, now, steps)

    def seed(self, tab: str, title: str = "Seed") -> None:
        """Where the random numbers come from."""
        self._control(tab, "seed", title, PAGE_SEED, self.plan(tab).seed, list(range(10)))

    def _control(
        self,
        tab: str,
        name: str,
        title: str,
        parameter: Parameter,
        value: float,
        options: list[float],
        wrap: Callable[[float], object] = lambda value: value,
    ) -> None:
        inputs.show(
            inputs.Control(
                key=self._key(f"{tab}_{name}"),
                title=title,
                parameter=parameter,
                value=float(value),
                options=[float(x) for x in options],
                apply=lambda v: self.change(tab, **{name: wrap(v)}),
            )
        )


@dataclass(frozen=True, slots=True)
class Open:
    """The open tab, as a source of fields.

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
        return f"live_{self.tabs.page}_{self.tab}_{name}"

    def setting(self, name: str) -> Any:
        """The setting of this name."""
        run = {"replicates": REPLICATES, "seed": PAGE_SEED}
        if name in run:
            return Number(parameter=run[name], default=0)
        return self.tabs.setting(self.tab, name)

    def value(self, name: str) -> Any:
        """What is asked for now."""
        now = self.plan
        return getattr(now, name) if name in ("replicates", "seed") else now.values[name]

    def change(self, **values: Any) -> None:
        """Ask for something else; what is refused is said."""
        self.tabs.change(self.tab, **values)

    def refuse(self, problem: str) -> None:
        """Remember why a change was not taken."""
        self.tabs.refuse(problem)

    @property
    def refusal(self) -> str:
        """Why the last change was not taken; empty if it was."""
        return self.tabs.refused
