"""Page: do real private estimators of a curve follow the rate?"""

from __future__ import annotations

from pages.parts.frame import shell

shell.route()

from pages.parts.live import page as live_page
from pages.parts.regression import constants as regression_constants
from pages.parts.regression import estimate as regression_estimate
from pages.parts.regression import levels as regression_levels
from pages.parts.regression import pointwise as regression_pointwise
from pages.parts.regression import rate as regression_rate
from pages.parts.regression import study as regression_study
from pages.parts.regression import weights as regression_weights

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
