"""Visitors who move controls from page to page, many in one process, and what they met."""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import time
from dataclasses import dataclass, field

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from rates.study import codec
from rates.study.presets import preset
from tests.benchmarks.phones import Screen, upper
from tests.benchmarks.wire import resident

PAGES = (
    *("overview", "study", "fit", "plan", "orders", "phases"),
    *("resolution", "hybrid", "adaptation", "logistic", "statements"),
)
STUDY = f"study={codec.to_link(preset('hospitals').study)}"  # an empty one has nothing to move
FEWEST = 10  # elements of a page that was really drawn
PATIENCE = 60.0  # seconds after which an answer counts as lost


class Visitor(Screen):
    """One session that goes from page to page."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.drawn, self.look, self._fresh = 0, 0, False
        self.switches = set[str]()
        self.whole = 0  # elements of the last answer; a live run begins the next at once

    async def answer(self, data: bytes, patience: float = PATIENCE) -> None:
        self._fresh = False
        await super().answer(data, patience)

    def _take(self, message: ForwardMsg) -> None:
        kind, ended = message.WhichOneof("type"), self._runs
        if kind == "new_session":
            self.drawn, self.look, self._fresh = 0, 0, True
        elif kind == "script_finished":
            # A page with a live run is drawn as a whole and then again and again.
            early = message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
            if early and self._fresh and self.drawn >= FEWEST:
                self._runs += 1
                self._ran.set()
        elif kind in ("delta", "ref_hash"):
            self.drawn += 1
            told = message.delta.SerializeToString() if kind == "delta" else message.ref_hash
            self.look ^= hash(told)
        super()._take(message)
        if self._runs > ended:  # not a run that was cut short at once
            self.whole = self.drawn

    async def go(self, page: str) -> None:
        """Follow a link of the bar."""
        async with self._turn:
            self.page, self.script, self._held = page, "", {}
            self.stops.clear()
            await self._run()

    def _draw(self, element) -> None:  # type: ignore[no-untyped-def]
        super()._draw(element)
        if element.WhichOneof("type") != "button_group":
            return
        group = element.button_group
        stops = [one.content for one in group.options]
        self.widgets[group.label], self.stops[group.label] = group.id, stops
        self.switches.add(group.label)
        if group.set_value or group.id not in self._held:
            given = group.raw_values if group.set_value else [stops[k] for k in group.default]
            self._held[group.id] = WidgetState(id=group.id)
            self._held[group.id].string_array_value.data.extend(given)

    @property
    def controls(self) -> list[str]:
        """Sliders of the page that have somewhere to go; its switches where there are none."""
        there = {x: len(stops) for x, stops in self.stops.items() if x in self.widgets}
        return [x for x in there if there[x] > 2 and x not in self.switches] or [
            x for x in self.switches if x in there and there[x] > 1
        ]


@dataclass
class Met:
    """What all visitors together have met.

    Attributes:
        moves: Seconds from a moved control to the end of the redraw, by page.
        turns: Seconds from a followed link to the end of the page.
        lost: What was never answered.
        wrong: Answers that were no page: exceptions, and pages without their elements.
        same: Redraws that showed what had been there.
    """

    moves: dict[str, list[float]] = field(default_factory=lambda: {page: [] for page in PAGES})
    turns: list[float] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    same: int = 0

    @property
    def seconds(self) -> list[float]:
        return [one for page in self.moves.values() for one in page]

    async def _timed(self, visitor: Visitor, act: object, what: str) -> float | None:
        begun, before = time.perf_counter(), len(visitor.problems)
        try:
            await act  # type: ignore[misc]
        except TimeoutError:
            self.lost.append(what)
            return None
        if visitor.problems[before:] or visitor.whole < FEWEST:
            self.wrong.append(f"{what}: {visitor.whole} elements {visitor.problems[before:]}")
        return time.perf_counter() - begun

    async def arrive(self, visitor: Visitor) -> None:
        await self._timed(visitor, visitor.open(), f"first screen of {visitor.page}")

    async def go(self, visitor: Visitor, page: str) -> None:
        if (took := await self._timed(visitor, visitor.go(page), page)) is not None:
            self.turns.append(took)

    async def move(self, visitor: Visitor, draw: random.Random) -> None:
        """Move one of the page's controls to another stop; look elsewhere if it has none."""
        if not visitor.controls:
            await self.go(visitor, visitor.page)
            return
        label, before = draw.choice(visitor.controls), visitor.look
        stop = draw.randrange(len(visitor.stops[label]))
        what = f"{visitor.page}, {label} to {visitor.stops[label][stop]}"
        if (took := await self._timed(visitor, visitor.slide(label, stop), what)) is not None:
            self.moves[visitor.page].append(took)
            self.same += visitor.look == before

    def told(self) -> str:
        """All of it, as lines."""
        every = self.seconds
        pages = ", ".join(
            f"{page} {statistics.median(x):.2f}/{upper(x):.2f}"
            for page, x in self.moves.items()
            if x
        )
        return (
            f"{len(every):,} moves: median {statistics.median(every):.2f}, 95% "
            f"{upper(every):.2f}, most {max(every):.2f} s; {len(self.turns):,} pages opened, 95% "
            f"{upper(self.turns):.2f} s; lost {len(self.lost)}, wrong {len(self.wrong)} "
            f"{self.wrong[:3]}; {self.same} redraws as before; load {os.getloadavg()[0]:.1f}\n"
            f"by page, median/95%: {pages}"
        )


async def stroll(
    address: str,
    met: Met,
    number: int,
    pause: float,
    within: float,
    *,
    visit: int = 150,
    pages: tuple[str, ...] = PAGES,
) -> None:
    """Move a control every so many seconds, ten times a page; after a visit another one begins.

    The first one comes at any time within so many seconds.
    """
    draw = random.Random(number)
    while True:
        visitor = Visitor(address, draw.choice(pages), STUDY)
        try:
            await asyncio.sleep(draw.random() * within)
            await met.arrive(visitor)
            for turn in range(visit):
                begun = time.perf_counter()
                if turn % 10 == 9:
                    await met.go(visitor, draw.choice(pages))
                else:
                    await met.move(visitor, draw)
                spent = time.perf_counter() - begun
                await asyncio.sleep(max(0.0, pause * draw.uniform(0.5, 1.5) - spent))
        finally:
            await visitor.close()
        within = pause


@dataclass
class Memory:
    """Resident memory along time.

    Attributes:
        kept: MB, one number every so many seconds.
    """

    process: int
    every: float
    kept: list[float] = field(default_factory=list)

    async def watch(self) -> None:
        while True:
            self.kept.append(resident(self.process))
            await asyncio.sleep(self.every)

    def told(self) -> str:
        step = max(1, len(self.kept) // 12)
        return f"MB along time {[round(x) for x in self.kept[::step]]}, most {max(self.kept):.0f}"
