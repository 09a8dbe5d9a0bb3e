"""Count the words that every view of `app.DOORS` shows as it opens, in a real browser.

``PYTHONPATH=. python tests/golden/count_words.py [view ...]`` prints each view with its words and
its goal, and the total; it ends with 1 where one is more than 15 % above its goal. Of the main
part counts what is seen: shut folds and boxes, tabs that are not open and the bar do not.
"""

from __future__ import annotations

import shutil
import sys

from playwright.sync_api import sync_playwright

from app import DOORS
from tests.browser import conftest

GOALS = {
    "overview": 185,
    "study": 250,
    "fit": 600,
    "plan": 400,
    "phases": 150,
    "resolution": 150,
    "orders": 220,
    "classification": 200,
    "regression": 200,
    "hybrid": 200,
    "adaptation": 200,
    "logistic": 200,
    "columns": 120,
    "real": 200,
    "lessons": 120,
    "statements": 450,
    "about": 300,
}
MARGIN = 1.15
TOTAL = 4600
# Words of figures count too: they are read like any other.
WORDS = r"""() => {
    const skipped = ".st-key-bar, script, style, option, .katex-mathml, [role=tooltip], " +
        "[data-testid=stIconMaterial], [data-testid=stDataFrame], [data-testid=stToolbar]";
    const main = document.querySelector("[data-testid=stMain]");
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
        const node = walker.currentNode, holder = node.parentElement;
        if (holder.closest(skipped)) continue;
        if (!holder.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const box = range.getBoundingClientRect();
        if (box.width <= 1 || box.height <= 1) continue;
        let shut = false;
        for (let up = holder; up && up !== main; up = up.parentElement) {
            const room = up.getBoundingClientRect();
            shut ||= up.tagName === "DETAILS" && !up.open &&
                holder.closest("summary")?.parentElement !== up;
            shut ||= getComputedStyle(up).overflow === "hidden" &&
                (room.width <= 1 || room.height <= 1);
        }
        if (!shut) found.push(node.data);
    }
    return found.flatMap(text => text.match(/\S*[\p{L}\p{N}]\S*/gu) || []);
}"""


def counted(visitor: conftest.Visitor) -> list[str]:
    """Return the words that a page shows now."""
    found: list[str] = visitor.page.evaluate(WORDS)
    return found


def main(names: list[str]) -> int:
    """Print the words of every view, or of those that are named."""
    views = [name for door in DOORS.values() for name in door if not names or name in names]
    path = next(filter(None, map(shutil.which, conftest.BROWSERS)))
    total, goals, over = 0, 0, []
    with sync_playwright() as playwright, conftest.serve() as address:
        browser = playwright.chromium.launch(executable_path=path, args=conftest.FLAGS)
        visitor = conftest.Windows(browser).take(address, 1280)
        for name in views:
            visitor.open(f"/{name}")
            if visitor.page.locator("[data-testid=stPlotlyChart]").count():
                visitor.page.locator(".js-plotly-plot").first.wait_for()
            visitor.still()
            words, goal = len(counted(visitor)), GOALS[name]
            total, goals = total + words, goals + goal
            over += [name] * (words > MARGIN * goal)
            print(f"{name:<16}{words:>6}{goal:>6}{'  too many' * (name in over)}", flush=True)
        browser.close()
    limit = TOTAL if len(views) == len(GOALS) else round(MARGIN * goals)
    print(f"{'total':<16}{total:>6}{limit:>6}{'  too many' * (total > limit)}")
    return int(bool(over) or total > limit)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
