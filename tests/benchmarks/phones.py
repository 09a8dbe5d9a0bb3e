"""Phones and a projector that speak the server's own protocol, many in one process."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

T = TypeVar("T")
PATIENCE = 60.0  # seconds that a busy machine may take for one answer
_ANSWERED = re.compile(r"\*\*(\d+) of \d+\*\* phones have answered")
_WHOLE = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


def spent(process: int) -> float:
    """Processor seconds of a process so far, as Linux tells them."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def upper(values: list[float], share: float = 0.95) -> float:
    """The value that a share of all do not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


@dataclass
class Screen:
    """One session: a phone, the projector or a visitor.

    Attributes:
        address: Host and port of the server.
        page: Page that it is on.
        query: What its address says; the server may change it.
        script: The server's name of the page, once it has told.
        title: The page's title, and since when.
        texts: What was said in the last whole run.
        widgets: Identifiers by label.
        stops: What a slider can be moved to or a list offers, by label.
        counts: The projector's numbers of answers, and when each came.
        problems: Exceptions that a page showed; `traces` are their lines of code.
        frames: Every message as it came, where it is kept.
        polls: Seconds that each poll took.
        cookies: What its browser has kept.
    """

    address: str
    page: str
    query: str
    script: str = ""
    title: str = ""
    since: float = 0.0
    texts: list[str] = field(default_factory=list)
    widgets: dict[str, str] = field(default_factory=dict)
    stops: dict[str, list[str]] = field(default_factory=dict)
    counts: list[tuple[float, int]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    traces: list[str] = field(default_factory=list)
    frames: list[bytes] | None = None
    polls: list[float] = field(default_factory=list)
    cookies: str = ""

    def __post_init__(self) -> None:
        self._held: dict[str, WidgetState] = {}
        self._watched: dict[str, float] = {}
        self._runs = 0
        self._turn = asyncio.Lock()
        self._ran = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._line: ClientConnection | None = None

    async def open(self) -> None:
        """Connect, and wait until the page has been drawn."""
        self._line = await connect(
            f"ws://{self.address}/_stcore/stream",
            subprotocols=["streamlit"],  # type: ignore[list-item]
            max_size=None,
            compression=None,
            open_timeout=PATIENCE,
            ping_timeout=None,
            additional_headers={"Cookie": self.cookies} if self.cookies else None,
        )
        self.script, self._held = "", {}
        self._tasks = [asyncio.create_task(self._hear())]
        await self.run()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._line is not None:
            await self._line.close()

    async def cut_off(self) -> None:
        """Wait until the server is gone, and all that it had sent is read."""
        await asyncio.wait(self._tasks[:1])

    async def run(self) -> None:
        """Run the page, and wait until it has been drawn."""
        async with self._turn:
            await self._run()

    async def _run(self, *changed: WidgetState, fragment: str = "") -> None:
        await self.answer(self._asked(*changed, fragment=fragment))

    async def answer(self, data: bytes, patience: float = PATIENCE) -> None:
        """Send a message as it is, and wait until the run that follows has ended."""
        before = self._runs
        await self.send_raw(data)
        end = time.perf_counter() + patience
        while self._runs == before:
            self._ran.clear()
            await asyncio.wait_for(self._ran.wait(), max(0.01, end - time.perf_counter()))

    def _asked(self, *changed: WidgetState, fragment: str) -> bytes:
        """A message that asks for a run, as a browser's: with all that its widgets hold."""
        message = BackMsg()
        asked = message.rerun_script
        asked.query_string, asked.page_script_hash = self.query, self.script
        asked.fragment_id, asked.is_auto_rerun = fragment, bool(fragment)
        if not self.script:
            asked.page_name = self.page
        for state in changed:
            if state.WhichOneof("value") != "trigger_value":
                self._held[state.id] = state
        triggers = [s for s in changed if s.WhichOneof("value") == "trigger_value"]
        shown = set(self.widgets.values())  # a browser forgets what a widget held that is gone
        self._held = {name: state for name, state in self._held.items() if name in shown}
        asked.widget_states.widgets.extend([*self._held.values(), *triggers])
        return message.SerializeToString()

    async def send_raw(self, data: bytes) -> None:
        assert self._line is not None
        await self._line.send(data)

    async def press(self, label: str) -> None:
        async with self._turn:
            await self._run(WidgetState(id=self.widgets[label], trigger_value=True))

    async def submit(self, label: str, text: str, button: str) -> None:
        """Type into the field of a form, and send it."""
        async with self._turn:
            typed = WidgetState(id=self.widgets[label], string_value=text)
            await self._run(typed, WidgetState(id=self.widgets[button], trigger_value=True))

    async def slide(self, label: str, stop: int) -> None:
        """Move a slider to one of its stops, counted from 0."""
        async with self._turn:
            state = WidgetState(id=self.widgets[label])
            state.string_array_value.data.append(self.stops[label][stop])
            await self._run(state)

    def begin(self, act: Coroutine[None, None, None]) -> None:
        """Begin something that ends with the screen."""
        self._tasks.append(asyncio.create_task(act))

    def poll(self) -> None:
        """Begin to run the page's fragments as often as they ask for."""
        self.begin(self._poll())

    async def _poll(self) -> None:
        await asyncio.sleep(random.random() * max(self._watched.values(), default=1.0))
        while True:
            begun = time.perf_counter()
            async with self._turn:  # a run that was waited for may have brought another fragment
                waits = max(self._watched.values(), default=0.2)
                for fragment in [*self._watched][-1:]:
                    # The server does not answer for a fragment that has just gone.
                    with contextlib.suppress(TimeoutError):
                        await self._run(fragment=fragment)
                        self.polls.append(time.perf_counter() - begun)
            await asyncio.sleep(max(0.0, waits - (time.perf_counter() - begun)))

    async def _hear(self) -> None:
        assert self._line is not None
        with contextlib.suppress(ConnectionClosed):
            async for data in self._line:
                assert isinstance(data, bytes)
                if self.frames is not None:
                    self.frames.append(data)
                message = ForwardMsg()
                message.ParseFromString(data)
                self._take(message)

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            run = getattr(message.metadata, "run", None)  # Streamlit 1.65 has it elsewhere
            parts = run.fragment_ids if run else message.new_session.fragment_ids_this_run
            if not parts:
                self.texts, self.widgets, self._watched = [], {}, {}
        elif kind == "navigation":
            self.script = message.navigation.page_script_hash
        elif kind == "auto_rerun":
            self._watched[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._draw(message.delta.new_element)
        elif kind == "script_finished" and message.script_finished in _WHOLE:
            self._runs += 1
            self._ran.set()

    def _draw(self, element) -> None:  # type: ignore[no-untyped-def]
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.problems.append(f"{element.exception.type}: {element.exception.message}")
            self.traces += element.exception.stack_trace
        elif kind in ("button", "slider", "radio", "text_input"):
            widget = getattr(element, kind)
            self.widgets[widget.label] = widget.id
            if kind in ("slider", "radio"):
                self.stops[widget.label] = list(widget.options)
            if kind != "button":
                self._hold(kind, widget)
        elif kind == "heading":
            if element.heading.body != self.title:
                self.title, self.since = element.heading.body, time.perf_counter()
            self.texts.append(element.heading.body)
        elif kind in ("markdown", "alert"):
            text = getattr(element, kind).body
            self.texts.append(text)
            if found := _ANSWERED.search(text):
                self.counts.append((time.perf_counter(), int(found[1])))

    def _hold(self, kind: str, widget) -> None:  # type: ignore[no-untyped-def]
        """Hold what a browser holds of a widget: its start, or what the server has put there."""
        state = WidgetState(id=widget.id)
        if kind == "slider":
            starts = [widget.options[int(place)] for place in widget.default]
            state.string_array_value.data.extend(widget.raw_value if widget.set_value else starts)
        elif kind == "text_input":
            state.string_value = widget.value if widget.set_value else widget.default
        elif widget.set_value:
            state.string_value = widget.raw_value
        elif widget.HasField("default"):
            state.string_value = widget.options[widget.default]
        if widget.set_value or widget.id not in self._held:  # a list without a choice is sent empty
            self._held[widget.id] = state

    def says(self, piece: str) -> bool:
        return any(piece in text for text in self.texts)


async def until(happened: Callable[[], object], seconds: float = PATIENCE) -> bool:
    """Wait until something has happened; whether it has, in good time."""
    end = time.perf_counter() + seconds
    while not happened():
        if time.perf_counter() > end:
            return False
        await asyncio.sleep(0.02)
    return True


def apart(work: Coroutine[Any, Any, T]) -> T:
    """Run in a thread of its own: that of the tests may hold a browser's loop."""
    with ThreadPoolExecutor(1) as one:
        return one.submit(asyncio.run, work).result()


@contextlib.asynccontextmanager
async def screens(*wanted: Screen, apart: float = 0.0) -> AsyncIterator[None]:
    """Open screens one after another, and close all of them."""
    try:
        for screen in wanted:
            await screen.open()
            await asyncio.sleep(apart)
        yield
    finally:
        await asyncio.gather(*(screen.close() for screen in wanted), return_exceptions=True)
