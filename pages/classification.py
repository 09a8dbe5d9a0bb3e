"""Page: does a real private classifier follow the rate?"""

from __future__ import annotations

from pages.parts.frame import shell

shell.route()

from pages.parts.classification import draw, rate, study
from pages.parts.live import page
from pages.parts.paper_acc import adaptive, hospitals, panels


def main() -> None:
    page.show(
        "Does a real private classifier follow the rate?",
        rate.TAB,
        draw.TAB,
        study.TAB,
        panels.TAB,
        adaptive.TAB,
        hospitals.TAB,
    )


main()
