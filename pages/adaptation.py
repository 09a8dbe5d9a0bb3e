"""Page: is my public data close enough to help?"""

from __future__ import annotations

from pages.parts.frame import shell

shell.route()

from pages.parts.adaptation import budget, closeness, mixture, rate, table, weights
from pages.parts.live import page


def main() -> None:
    page.show(
        "Is my public data close enough to help?",
        rate.TAB,
        mixture.TAB,
        closeness.TAB,
        weights.TAB,
        budget.TAB,
        table.TAB,
    )


main()
