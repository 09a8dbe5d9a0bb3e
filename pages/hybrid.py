"""Page: can volunteers stand in for the population?"""

from __future__ import annotations

from pages.parts import shell

shell.route()

from pages.parts import (
    hybrid_closeness,
    hybrid_learner,
    hybrid_needs,
    hybrid_parity,
    hybrid_run,
    live_page,
)

SHOWN = {
    "needs": ("Numbers", hybrid_needs),
    "run": ("Private run", hybrid_run),
    "alike": ("How alike", hybrid_closeness),
    "parity": ("PARITY", hybrid_parity),
    "learner": ("Private PARITY", hybrid_learner),
}


def main() -> None:
    live_page.draw(
        "hybrid",
        "Can volunteers stand in for the population?",
        SHOWN,
        above=lambda tab, tabs: SHOWN[tab][1].above(tabs),
        below=lambda tab, tabs: SHOWN[tab][1].below(tabs),
    )


main()
