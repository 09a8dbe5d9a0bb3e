"""Page: do real private estimators of a curve follow the rate?"""

from __future__ import annotations

from pages.parts import shell

shell.route()

from pages.parts import (
    live_page,
    regression_constants,
    regression_estimate,
    regression_levels,
    regression_pointwise,
    regression_rate,
    regression_study,
    regression_weights,
)

SHOWN = {
    "rate": ("Rate", regression_rate),
    "estimate": ("Estimate", regression_estimate),
    "weights": ("Weights", regression_weights),
    "levels": ("Level", regression_levels),
    "constants": ("Constants", regression_constants),
    "pointwise": ("Global and pointwise", regression_pointwise),
    "study": ("My study", regression_study),
}


def main() -> None:
    live_page.draw("regression", "Do real private estimators follow the rate?", SHOWN)


main()
