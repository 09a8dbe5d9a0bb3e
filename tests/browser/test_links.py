"""What a user typed is text, though it looks like a link, a picture, a formula or an icon."""

from __future__ import annotations

import urllib.parse
from dataclasses import replace

import pytest

from app import DOORS
from rates.study import codec, preset
from tests.browser.layout import STOPS
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
MARKED = (
    "$zq^2$",
    "$$zq$$",
    "![zq](http://evil.example/a.png)",
    "![zq](/favicon.png)",
    "[zq](http://evil.example)",
    "[zq](plan)",
    ":red[zq]",
    ":material/skull:",
    ":skull:",
    "<b>zq</b>",
    "<img src=x alt=zq>",
    "**zq**",
    '=HYPERLINK("http://evil.example","zq")',
)
# What became of a text, where that is no text: links, pictures, formulas, marks, icons.
MADE = """() => {
    const all = (where, what) => [...document.querySelectorAll(where)].map(what);
    const links = all("a", one => one.href.baseVal ?? one.href);
    const marks = "b, strong, em, a, img, [style*=color], [data-testid=stIconMaterial]";
    return [
        ...links.filter(href => href && !href.startsWith(location.origin + "/")
            && /evil|^(mailto|ftp|xmpp)/.test(href)),
        ...all(marks, one => one.alt || one.textContent).filter(text => /^(zq|skull)$/.test(text)),
        ...all(".katex", one => one.textContent).filter(text => text.includes("zq")),
        ...all("img", one => one.src).filter(src => /evil|favicon/.test(src))];
}"""
VIEWS = [name for views in DOORS.values() for name in views]
NAMED = ("study", "fit", "plan", "lessons")  # say names of sites in many places


def study(names: tuple[str, ...]) -> str:
    """A link to a study whose target and sources have these names."""
    start = preset("hospitals").study
    source = start.sources[0]
    sources = tuple(replace(source, name=name) for name in names[1:])
    told = replace(start, target=replace(start.target, name=names[0]), sources=sources)
    return urllib.parse.quote(codec.to_link(told), safe="")


def check(visitor, *shown: str) -> None:  # type: ignore[no-untyped-def]
    """Nothing was made of a text, also in what was folded."""
    visitor.expect(*shown)
    assert visitor.page.evaluate(MADE) == []
    unfold(visitor)
    assert visitor.page.evaluate(MADE) == []
    visitor.check()


@pytest.mark.parametrize(
    "page", [one if one in NAMED else pytest.param(one, marks=pytest.mark.slow) for one in VIEWS]
)
def test_names_of_sites_are_text(server, visit, page):
    visitor = visit(server)
    visitor.page.goto(f"{server}/{page}?study={study(TYPED + MARKED)}")
    visitor.page.evaluate(f"({STOPS})()")  # a run that begins by itself
    visitor.settle()
    check(visitor, *(TYPED[:1] if page in ("study", "plan") else ()))
    if page == "fit":  # its sites stand in a fold, which is open now
        visitor.expect(TYPED[0])


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
        "/regression?tab=rate&run=curve:{}",
        "/about?term={}",
        "/room?code={}",
    ],
)
def test_what_a_link_says_is_text(walk, link):
    for typed in (TYPED[0], " ".join(TYPED), *MARKED):
        visitor = walk(link.format(urllib.parse.quote(typed, safe="")))
        check(visitor)
