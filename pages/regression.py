"""Page: do real private estimators of a curve follow the rate?"""

from __future__ import annotations

from pages.parts.frame import shell
from pages.parts.regression import page

shell.route()
page.draw()
