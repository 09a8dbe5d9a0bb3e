"""From a paper's key to its entry, and from a word to its meaning."""

from __future__ import annotations

import urllib.parse

from tests.browser.helpers import go


def test_a_word_is_looked_up_and_stays_in_the_address(server, visit):
    visitor = visit(server)
    visitor.open("/overview")
    go(visitor, "Papers and terms")
    box = visitor.page.get_by_label("Look up a term, a letter or a paper", exact=True)
    box.fill("carries")
    box.press("Enter")
    visitor.settle()
    visitor.page.get_by_role("heading", name="carries", exact=True).wait_for()
    visitor.becomes(
        lambda: urllib.parse.parse_qs(urllib.parse.urlparse(visitor.page.url).query)["term"],
        ["carries"],
    )
    visitor.page.get_by_role("button", name="All papers and terms").click()
    visitor.settle()
    visitor.expect("The papers", "How to cite")
    visitor.check()
