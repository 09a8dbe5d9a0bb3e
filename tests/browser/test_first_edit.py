"""The first edit counts when the session was lost: after a long break, or with the server."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager

import pytest

from tests.browser.conftest import Visitor, free_port, serve
from tests.browser.helpers import choose, slide

KEPT = 5  # seconds for which the server keeps the session of a browser that is away
CONNECTED = "[data-testid=stApp][data-test-connection-state=CONNECTED]"
AWAY = "[data-testid=stApp]:not([data-test-connection-state=CONNECTED])"


class Line:
    """A line to a server that can be cut and mended."""

    def __init__(self, server: int) -> None:
        self.server, self.port = server, free_port()
        self.ends: list[socket.socket] = []
        self.mend()

    def mend(self) -> None:
        """Take calls."""
        self.door = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._answer, args=(self.door,), daemon=True).start()

    def close(self) -> None:
        """Take none, and end those that go on."""
        self.door.shutdown(socket.SHUT_RDWR)
        self.door.close()
        for end in self.ends:
            with ExitStack() as quiet:
                quiet.callback(end.close)
                _quietly(lambda end=end: end.shutdown(socket.SHUT_RDWR))
        self.ends = []

    def _answer(self, door: socket.socket) -> None:
        def answer() -> None:
            while True:
                near, _ = door.accept()
                far = socket.create_connection(("127.0.0.1", self.server))
                self.ends += [near, far]
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=_pump, args=pair, daemon=True).start()

        _quietly(answer)


def _pump(start: socket.socket, end: socket.socket) -> None:
    def pump() -> None:
        while data := start.recv(65536):
            end.sendall(data)

    _quietly(pump)
    _quietly(lambda: end.shutdown(socket.SHUT_RDWR))


def _quietly(act: Callable[[], object]) -> None:
    try:
        act()
    except OSError:
        return


@contextmanager
def a_long_break() -> Iterator[tuple[str, Callable[[Visitor], None]]]:
    """A server that soon forgets, and a break that is longer."""
    port = free_port()
    with serve(f"--server.disconnectedSessionTTL={KEPT}", port=port):
        line = Line(port)

        def lose(visitor: Visitor) -> None:
            line.close()
            visitor.page.wait_for_selector(AWAY)
            time.sleep(KEPT + 1)
            line.mend()

        with closing(line):
            yield f"http://127.0.0.1:{line.port}", lose


@contextmanager
def a_restart() -> Iterator[tuple[str, Callable[[Visitor], None]]]:
    """A server that ends, and another in its place."""
    port = free_port()
    with ExitStack() as last, ExitStack() as first:
        address = first.enter_context(serve(port=port))

        def lose(visitor: Visitor) -> None:
            first.close()
            visitor.page.wait_for_selector(AWAY)
            last.enter_context(serve(port=port))

        yield address, lose


@pytest.mark.parametrize(
    ("losing", "path", "first", "said", "edit", "then"),
    [
        (
            a_long_break,
            "/resolution",
            slide("Budget ε of each site"),
            "under ε = 0.063",
            slide("Budget ε of each site"),
            "under ε = 0.079",
        ),
        (
            a_restart,
            "/regression",
            choose("Level"),
            "the best number of basis functions is K",
            choose("Weights"),
            "Against weights by inverse variance",
        ),
    ],
)
def test_the_first_edit_counts(visit, losing, path, first, said, edit, then):
    with losing() as (address, lose):
        visitor = visit(address)
        visitor.open(path)
        first(visitor)
        visitor.expect(said)
        visitor.settle()
        lose(visitor)
        visitor.page.wait_for_selector(CONNECTED)
        before = visitor.page.url
        edit(visitor)
        visitor.expect(then)
        visitor.page.wait_for_url(lambda url: url != before)
        visitor.settle()
        visitor.expect(then)
