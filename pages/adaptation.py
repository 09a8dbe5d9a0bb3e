"""Page: is my public data close enough to help?"""

from __future__ import annotations

from pages.parts import shell

shell.route()

from pages.parts import (
    adaptation_budget,
    adaptation_closeness,
    adaptation_mixture,
    adaptation_rate,
    adaptation_table,
    adaptation_weights,
    live_page,
)

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
