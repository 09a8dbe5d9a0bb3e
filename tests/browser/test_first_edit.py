"""The first edit counts when the session was lost: after a long break, or with the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest
from playwright.sync_api import WebSocketRoute

from tests.benchmarks.wire import free_port
from tests.browser.conftest import Visitor, serve
from tests.browser.helpers import choose, slide

KEPT = 5  # seconds for which the server keeps the session of a browser that is away
CONNECTED = "[data-testid=stApp][data-test-connection-state=CONNECTED]"
AWAY = "[data-testid=stApp]:not([data-test-connection-state=CONNECTED])"


@contextmanager
def a_long_break(visit: Callable[..., Visitor]) -> Iterator[tuple[Visitor, Callable[[], None]]]:
    """A server that soon forgets, and a break that is longer."""
    with serve(f"--server.disconnectedSessionTTL={KEPT}") as address:
        visitor, lines, cut = visit(at=address), list[WebSocketRoute](), list[bool]()

        def call(line: WebSocketRoute) -> None:
            if cut:
                line.close()
            else:
                line.connect_to_server()
                lines.append(line)

        def lose() -> None:
            cut.append(True)
            for line in lines:
                line.close()
            visitor.page.wait_for_selector(AWAY)
            visitor.page.wait_for_timeout(1000 * (KEPT + 1))
            cut.clear()

        visitor.page.route_web_socket("**/_stcore/stream", call)
        yield visitor, lose


@contextmanager
def a_restart(visit: Callable[..., Visitor]) -> Iterator[tuple[Visitor, Callable[[], None]]]:
    """A server that ends, and another in its place."""
    port = free_port()
    with ExitStack() as last, ExitStack() as first:
        visitor = visit(at=first.enter_context(serve(port=port)))

        def lose() -> None:
            first.close()
            visitor.page.wait_for_selector(AWAY)
            last.enter_context(serve(port=port))

        yield visitor, lose


BUDGET, WEIGHTS = slide("Budget ε of each site"), "Against weights by inverse variance"


@pytest.mark.parametrize(
    ("losing", "path", "first", "said", "edit", "then"),
    [
        (a_long_break, "/resolution", BUDGET, "under ε = 0.063", BUDGET, "under ε = 0.079"),
        (a_restart, "/regression", choose("Weights"), WEIGHTS, choose("Estimate"), "this curve"),
    ],
)
def test_the_first_edit_counts(visit, losing, path, first, said, edit, then):
    with losing(visit) as (visitor, lose):
        visitor.open(path)
        first(visitor)
        visitor.expect(said)
        visitor.settle()
        lose()
        visitor.page.wait_for_selector(CONNECTED)
        before = visitor.page.url
        edit(visitor)
        visitor.expect(then)
        visitor.page.wait_for_url(lambda url: url != before)
        visitor.settle()
        visitor.expect(then)
