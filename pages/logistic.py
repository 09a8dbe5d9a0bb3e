"""Page: which sources should a private transfer logistic regression drop?"""

from __future__ import annotations

from pages.parts.frame import shell

shell.route()

from pages.parts.live import page
from pages.parts.logistic import accuracy, meaning, records, sources, table


def main() -> None:
    page.show(
        "Which sources should I drop?",
        sources.TAB,
        accuracy.TAB,
        table.TAB,
        meaning.TAB,
        records.TAB,
    )


main()
