"""What a user typed is text, though it looks like a link, a picture, a formula or an icon."""

from __future__ import annotations

import urllib.parse
from dataclasses import replace

import pytest

from rates.study import codec, preset
from tests.browser.helpers import unfold_all
from tests.browser.layout import EVERY

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
MARKED = (  # with what stands beside it in a link, which is shown as far as 38 letters
    "![zq](http://evil.example/a.png)",
    "![zq](/favicon.png) :material/skull:",
    "[zq](http://evil.example) [zq](plan)",
    "$zq^2$ :red[zq] :skull: <b>zq</b>",
    "$$zq$$ <img src=x alt=zq> **zq**",
    '=HYPERLINK("http://evil.example","zq")',
)
MIXED = "[zq](p) $zq$ **zq** :material/skull:"  # several kinds, none of them cut
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
NAMED = ("study", "fit", "plan", "lessons")  # say names of sites in many places


def study(names: tuple[str, ...]) -> str:
    """A link to a study whose target and sources have these names."""
    start = preset("hospitals").study
    source = start.sources[0]
    sources = tuple(replace(source, name=name) for name in names[1:])
    told = replace(start, target=replace(start.target, name=names[0]), sources=sources)
    return urllib.parse.quote(codec.to_link(told), safe="")


def check(visitor) -> None:
    """Nothing was made of a text, also in what was folded."""
    unfold_all(visitor)
    assert visitor.page.evaluate(MADE) == []
    visitor.check()


@pytest.mark.parametrize(
    "page", [one if one in NAMED else pytest.param(one, marks=pytest.mark.slow) for one in EVERY]
)
def test_names_of_sites_are_text(walk, page):
    visitor = walk(f"/{page}?study={study((*TYPED, MIXED, *MARKED))}", stops=True)
    check(visitor)
    if page in NAMED[:3]:
        visitor.expect(TYPED[0])


LINKS = [
    *("/lessons?list={}", "/present?list={}", "/lessons?lesson={}", "/statements?q={}"),
    *("/statements?id={}", "/orders?rate={}", "/orders?run={}", "/study?study={}"),
    *("/regression?tab={}", "/regression?tab=rate&run=curve:{}", "/about?term={}"),
    "/room?code={}",
]


@pytest.mark.parametrize(("link", "marked"), [*zip(LINKS, 2 * MARKED, strict=True)])
def test_what_a_link_says_is_text(walk, link, marked):
    """Every link holds addresses, several kinds of marks, and of the other texts one."""
    for typed in (" ".join(TYPED), MIXED, marked):
        check(walk(link.format(urllib.parse.quote(typed, safe=""))))
