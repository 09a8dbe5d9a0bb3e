"""A visitor who speaks the server's own protocol: what a step costs without a browser."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from tests.benchmarks import watched
from tests.browser.conftest import free_port, wait_until_up

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def server(
    *options: str, port: int = 0, errors: IO[bytes] | None = None
) -> Iterator[tuple[str, int]]:
    """Run the app; give its address and the number of its process."""
    port = port or free_port()
    told = (
        [str(Path(watched.__file__))] if os.environ.get(watched.VARIABLE) else ["-m", "streamlit"]
    )
    command = [sys.executable, *told, "run", str(ROOT / "app.py")]
    fixed = [f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true"]
    process = subprocess.Popen(
        [*command, *fixed, *options],
        stdout=subprocess.DEVNULL,
        stderr=errors or subprocess.DEVNULL,
        cwd="/",
    )
    try:
        wait_until_up(f"http://127.0.0.1:{port}")
        yield f"127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        process.wait(15)


def resident(process: int) -> float:
    """Memory of a process in MB, as Linux tells it."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * 4096 / 1e6


class Visitor:
    """One session on a page, which can move the page's sliders."""

    def __init__(self, connection: object, page: str) -> None:
        self.connection = connection
        self.page, self.script = page, ""
        self.sliders: dict[str, tuple[str, list[str]]] = {}  # by label: id and stops
        self.values: dict[str, str] = {}

    def run(self) -> float:
        """Run the page and return the seconds until the server has sent all of it."""
        message = BackMsg()
        asked = message.rerun_script
        asked.page_script_hash = self.script
        if not self.script:
            asked.page_name = self.page
        for key, value in self.values.items():
            widget = asked.widget_states.widgets.add()
            widget.id = key
            widget.string_array_value.data.append(value)
        begun = time.perf_counter()
        self.connection.send(message.SerializeToString())
        while not self._ended(self.connection.recv(timeout=60)):
            pass
        return time.perf_counter() - begun

    def _ended(self, data: bytes) -> bool:
        message = ForwardMsg()
        message.ParseFromString(data)
        kind = message.WhichOneof("type")
        if kind == "delta" and message.delta.new_element.WhichOneof("type") == "slider":
            slider = message.delta.new_element.slider
            self.sliders[slider.label] = slider.id, list(slider.options)
        elif kind == "delta":
            assert message.delta.new_element.WhichOneof("type") != "exception", message
        elif kind == "new_session":
            self.script = message.new_session.page_script_hash
        return (
            kind == "script_finished"
            and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
        )

    def steps(self, label: str, times: int) -> list[float]:
        """Move a slider from stop to stop; return the seconds of each step."""
        key, stops = self.sliders[label]
        spent = []
        for turn in range(times):
            self.values[key] = stops[turn % len(stops)]
            spent.append(self.run())
        return spent


@contextmanager
def visitor(address: str, page: str) -> Iterator[Visitor]:
    """Open a page twice, so that what it needs has been loaded."""
    stream = f"ws://{address}/_stcore/stream"
    with connect(stream, subprotocols=["streamlit"], max_size=None) as connection:
        found = Visitor(connection, page)
        found.run()
        found.run()
        yield found
