"""Page: which sources should a private transfer logistic regression drop?"""

from __future__ import annotations

from pages.parts.frame import shell

shell.route()

from pages.parts.live import page as live_page
from pages.parts.logistic import accuracy as logistic_accuracy
from pages.parts.logistic import meaning as logistic_meaning
from pages.parts.logistic import records as logistic_records
from pages.parts.logistic import sources as logistic_sources
from pages.parts.logistic import table as logistic_table

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
