"""Page: what does privacy cost this study, and who carries it?"""

from __future__ import annotations

from pages.parts.frame import shell
from pages.parts.plan import report
from pages.parts.study import page

shell.route()
page.draw(report.buttons)
