"""The first edit counts when the session was lost: after a long break, or with the server."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial

from playwright.sync_api import WebSocketRoute

from tests.benchmarks.wire import free_port
from tests.browser.conftest import serve
from tests.browser.helpers import choose, slide

KEPT = 2  # seconds for which the server keeps the session of a browser that is away
CONNECTED = "[data-testid=stApp][data-test-connection-state=CONNECTED]"
AWAY = "[data-testid=stApp]:not([data-test-connection-state=CONNECTED])"
BUDGET, CURVE = slide("Budget ε of each site"), "this curve"
WEIGHTS = "Against weights by inverse variance"


def test_the_first_edit_counts(visit):
    """A server that soon forgets, and a break that is longer; then another server in its place."""
    lines, cut = list[WebSocketRoute](), list[bool]()
    start = partial(serve, f"--server.disconnectedSessionTTL={KEPT}", port=free_port())
    with ExitStack() as last, ExitStack() as first:
        visitor = visit(at=first.enter_context(start()))

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

        def restart() -> None:
            first.close()
            visitor.page.wait_for_selector(AWAY)
            last.enter_context(start())

        visitor.page.route_web_socket("**/_stcore/stream", call)
        for happens, path, before, said, edit, then in (
            (lose, "/resolution", BUDGET, "under ε = 0.063", BUDGET, "under ε = 0.079"),
            (restart, "/regression", choose("Weights"), WEIGHTS, choose("Estimate"), CURVE),
        ):
            visitor.open(path)
            before(visitor)
            visitor.expect(said)
            visitor.settle()
            happens()
            visitor.page.wait_for_selector(CONNECTED)
            address = visitor.page.url
            edit(visitor)
            visitor.expect(then)
            visitor.page.wait_for_url(lambda url, was=address: url != was)
            visitor.settle()
            visitor.expect(then)
        visitor.page.close()  # no other visitor gets a window whose line is held
