"""Page: is my public data close enough to help?"""

from __future__ import annotations

from pages.parts.frame import shell

shell.route()

from pages.parts.adaptation import budget as adaptation_budget
from pages.parts.adaptation import closeness as adaptation_closeness
from pages.parts.adaptation import mixture as adaptation_mixture
from pages.parts.adaptation import rate as adaptation_rate
from pages.parts.adaptation import table as adaptation_table
from pages.parts.adaptation import weights as adaptation_weights
from pages.parts.live import page as live_page

SHOWN = {
    "rate": ("Records", adaptation_rate),
    "mixture": ("Share of the source", adaptation_mixture),
    "closeness": ("Is it close?", adaptation_closeness),
    "weights": ("Weights", adaptation_weights),
    "budget": ("Budget and bounds", adaptation_budget),
    "table": ("Real tables", adaptation_table),
}


def main() -> None:
    live_page.draw("adaptation", "Is my public data close enough to help?", SHOWN)


main()
