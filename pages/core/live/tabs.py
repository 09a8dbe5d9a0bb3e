"""What a live run is asked for, and the text that says so in a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pages.core import Part, Texts, UrlState, ask, inputs, text
from rates.numbers import DomainError
from sims.engine import REPLICATES, SEED, Experiment, Request, Setting, Value, Values, check_values

RUN = "run"
MOST_SEED = 2**53 - 1  # browsers hold no larger whole number exactly
PAGE_SEED = replace(
    SEED,
    domain=f"0, ..., {MOST_SEED}",
    limit_rule="On a page the seed is at most 2^53 - 1; the command line takes larger ones.",
)


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


def to_text(asked: Plan, usual: Plan) -> str:
    """Return what differs from the usual plan, as text for a link; empty if nothing does.

    >>> from rates.numbers.parameters import EPSILON
    >>> from sims.engine import Numbers
    >>> usual = plan((Numbers(EPSILON, (1.0,)),), replicates=20)
    >>> to_text(replace(usual, values={"epsilon": (0.1, 2.0)}, seed=7), usual)
    'epsilon:0.1,2;seed:7'
    """
    also = [
        f"{name}:{getattr(asked, name)}"
        for name in ("replicates", "seed")
        if getattr(asked, name) != getattr(usual, name)
    ]
    return ";".join(filter(None, [text.to_text(usual.settings, asked.values, usual.values), *also]))


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
    values = text.parse(given, usual.settings, field=RUN, noun="A run", gone=usual.gone)
    numbers = {name: values.pop(name) for name in ("replicates", "seed") if name in values}
    return replace(
        usual,
        values=check_values(usual.settings, {**usual.values, **values}),
        replicates=int(REPLICATES.check(numbers.get("replicates", usual.replicates))),
        seed=int(PAGE_SEED.check(numbers.get("seed", usual.seed))),
    )


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
        unnamed: The tab whose run a link without a tab is about: links of before, when it was the
            first one, say no more.
    """

    usual: Mapping[str, Plan]
    unnamed: str

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters of the address."""
        return (TAB, RUN)

    @classmethod
    def of(cls, page: str, usual: Mapping[str, Plan], unnamed: str = "") -> Tabs:
        """Return the tabs of a page."""
        first = next(iter(usual))
        return cls(
            parameter=f"live_{page}",
            start=Opened(first),
            usual=usual,
            unnamed=unnamed or first,
            refused="The run in the address could not be opened.",
        )

    def open(self, texts: Texts) -> tuple[Opened, list[str]]:
        """Return what an address asks for, and what of it was refused."""
        now, tab = self.get(), texts.get(TAB, "") or self._silent(texts.get(RUN, ""))
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
        return {TAB: "" if tab == self._silent(text) else tab, RUN: text}

    def _silent(self, run: str) -> str:
        """The tab that an address without one means."""
        return self.unnamed if run else self.start.tab

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
        return self.tabs.get().plans.get(self.tab, self.tabs.usual[self.tab])

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
            usual = self.plan
            asked = check_values(usual.settings, {**usual.values, **values})
            run = {name: int(_RUN_PARTS[name].check(value)) for name, value in run.items()}
        except DomainError as error:
            self.refuse(str(error))
        else:
            now = self.tabs.get()
            plan = replace(usual, values=asked, **run)
            self.tabs.set(replace(now, plans={**now.plans, self.tab: plan}))

    def refuse(self, problem: str) -> None:
        """Remember why a change was not taken."""
        self.tabs.refuse(problem)

    @property
    def refusal(self) -> str:
        """Why the last change was not taken; empty if it was."""
        return self.tabs.refusal
