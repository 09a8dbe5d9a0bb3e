"""Page: can volunteers stand in for the population?"""

from __future__ import annotations

from pages.parts.frame import shell

shell.route()

from pages.parts.hybrid import closeness as hybrid_closeness
from pages.parts.hybrid import learner as hybrid_learner
from pages.parts.hybrid import needs as hybrid_needs
from pages.parts.hybrid import parity as hybrid_parity
from pages.parts.hybrid import run as hybrid_run
from pages.parts.live import page as live_page

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
