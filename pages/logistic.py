"""Page: which sources should a private transfer logistic regression drop?"""

from __future__ import annotations

from pages.parts.frame import shell
from pages.parts.logistic import page

shell.route()
page.draw()
