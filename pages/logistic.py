"""Page: which sources should a private transfer logistic regression drop?"""

from __future__ import annotations

from pages.parts import shell

shell.route()

from pages.parts import (
    live_page,
    logistic_accuracy,
    logistic_meaning,
    logistic_records,
    logistic_sources,
    logistic_table,
)

SHOWN = {
    "sources": ("Which to drop", logistic_sources),
    "accuracy": ("Does pooling help?", logistic_accuracy),
    "table": ("Table 1", logistic_table),
    "meaning": ("What ε is that?", logistic_meaning),
    "records": ("My records", logistic_records),
}


def main() -> None:
    live_page.draw("logistic", "Which sources should I drop?", SHOWN)


main()
