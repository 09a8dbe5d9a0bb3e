"""Page: can volunteers stand in for the population?"""

from __future__ import annotations

from pages.parts.frame import shell

shell.route()

from pages.parts.hybrid import closeness, learner, needs, parity, run
from pages.parts.live import page


def main() -> None:
    page.show(
        "Can volunteers stand in for the population?",
        needs.TAB,
        run.TAB,
        closeness.TAB,
        parity.TAB,
        learner.TAB,
    )


main()
