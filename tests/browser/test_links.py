"""What a user typed is no link, though it looks like one; and it is shown as it was typed."""

from __future__ import annotations

import urllib.parse
from dataclasses import replace

import pytest

from rates.study import codec, preset
from tests.browser.test_formulas import unfold

TYPED = (
    "https://evil.example/login",
    "www.evil.example",
    "Ward (HTTP://evil.example/a_b*c~d?e=f&g=h#i)",
    "a.b+c@evil.example",
    "mailto:a@evil.example",
    "ftp://evil.example/a",
    "xmpp:a@evil.example/b",
    "A|www.evil.example|`B`",
)
FOREIGN = """() => [...document.querySelectorAll("a[href]")].map(one => one.href).filter(
    href => !href.startsWith(location.origin + "/"))"""


def study(names: tuple[str, ...]) -> str:
    """A link to a study whose target and sources have these names."""
    start = preset("hospitals").study
    source = start.sources[0]
    sources = tuple(replace(source, name=name) for name in names[1:])
    told = replace(start, target=replace(start.target, name=names[0]), sources=sources)
    return urllib.parse.quote(codec.to_link(told), safe="")


def check(visitor, *shown: str) -> None:  # type: ignore[no-untyped-def]
    """No link leads elsewhere, also in what was folded."""
    visitor.expect(*shown)
    assert visitor.page.evaluate(FOREIGN) == []
    unfold(visitor)
    assert visitor.page.evaluate(FOREIGN) == []
    visitor.check()


@pytest.mark.parametrize(
    "page", ["study", "fit", "plan", "lessons", "phases", "orders", "resolution"]
)
def test_names_of_sites_are_no_links(walk, page):
    for names in (TYPED[:4], TYPED[4:]):
        visitor = walk(f"/{page}?study={study(names)}")
        check(visitor, *(names[:1] if page in ("study", "plan") else ()))
        if page == "fit":  # its sites stand in a fold, which is open now
            visitor.expect(names[0])


@pytest.mark.parametrize(
    "link",
    [
        "/lessons?list={}",
        "/present?list={}",
        "/lessons?lesson={}",
        "/statements?q={}",
        "/statements?id={}",
        "/orders?rate={}",
        "/orders?run={}",
        "/study?study={}",
        "/regression?tab={}",
        "/regression?run=curve:{}",
        "/about?term={}",
        "/room?code={}",
    ],
)
def test_what_a_link_says_is_no_link(walk, link):
    for typed in (TYPED[0], " ".join(TYPED)):
        visitor = walk(link.format(urllib.parse.quote(typed, safe="")))
        check(visitor)
