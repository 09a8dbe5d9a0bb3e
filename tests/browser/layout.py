"""How a page lies on the screen: what is cut, broken or overlaid, and where its figure is."""

from __future__ import annotations

from typing import Any

from app import DOORS
from pages.serve import warm

HEIGHT, SCREENS = 844, 2  # of a phone, and within how many of them the figure begins

MEASURE = r"""() => {
    const found = [], LEAST = 4.6;  // to one, between a word and what it stands on
    const light = colour => {  // as the rules of accessibility reckon it
        const parts = (colour.match(/[\d.]+/g) || [0, 0, 0]).slice(0, 3).map(x => x / 255);
        const [r, g, b] = parts.map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const parts = colour => {  // red, green and blue from 0 to 255, opacity from 0 to 1
        const [r, g, b, a = 1] = (colour.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
        const most = colour.startsWith("color(srgb") ? 255 : 1;  // a mixed colour goes up to 1
        return [most * r, most * g, most * b, a];
    };
    const over = (ink, paper) => {  // what is seen of an ink that lets a paper through
        const [r, g, b, a] = parts(ink), below = parts(paper);
        return "rgb(" + [r, g, b].map((x, k) => a * x + (1 - a) * below[k]).join() + ")";
    };
    const apart = (ink, paper) => {
        const [a, b] = [light(ink), light(paper)];
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    };
    const behind = (holder, box) => {  // the colour of what a word stands on
        const papers = [], x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
        for (let up = holder; up; up = up.parentElement) {
            const room = up.getBoundingClientRect();  // a slider's value stands above its knob
            if (x < room.left || x > room.right || y < room.top || y > room.bottom) continue;
            const colour = getComputedStyle(up).backgroundColor;
            papers.push(colour);
            if (parts(colour)[3] === 1) break;
        }
        const app = getComputedStyle(document.querySelector("[data-testid=stApp]"));
        return papers.reverse().reduce((below, c) => over(c, below), app.backgroundColor);
    };
    const under = (word, paper) => {  // the same for a word of a figure
        const look = getComputedStyle(word);
        if (look.paintOrder.startsWith("stroke") && parseFloat(look.strokeWidth) >= 3)
            return over(look.stroke, paper);
        const bar = word.closest(".bartext-inside")?.closest(".point")?.querySelector("path");
        const below = bar || word.closest(".annotation")?.querySelector("rect.bg");
        if (!below) return paper;
        const style = getComputedStyle(below), [r, g, b, a] = parts(style.fill);
        return over(`rgba(${r}, ${g}, ${b}, ${a * style.fillOpacity})`, paper);
    };
    const say = (what, text) => found.push(`${what}: ${text.trim().slice(0, 70)}`);
    const screen = document.documentElement.clientWidth;
    const main = document.querySelector("[data-testid=stMain]");
    for (const room of [document.documentElement, main,
                        main.querySelector("[data-testid=stMainBlockContainer]")])
        if (room.scrollWidth > room.clientWidth) say("sideways", room.className || "page");
    const skipped = "script, style, code, pre, .katex, svg, canvas, [data-testid=stDataFrame], "
        + "[aria-hidden=true], [data-testid=stIconMaterial], option, [role=tooltip]";
    const cuts = style => ["hidden", "clip"].includes(style.overflowX) ||
        ["hidden", "clip"].includes(style.overflowY);
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode, holder = node.parentElement;
        if (!node.data.trim() || holder.closest(skipped)) continue;
        if (!holder.checkVisibility({visibilityProperty: true, opacityProperty: true}))
            continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const box = range.getBoundingClientRect();
        if (box.width < 1 || box.height < 1) continue;
        let hidden = false, scrolls = false;
        for (let up = holder; up && up !== main; up = up.parentElement) {
            const style = getComputedStyle(up), room = up.getBoundingClientRect();
            if (room.width <= 1 || room.height <= 1) { hidden = true; break; }
            if (up.tagName === "DETAILS" && !up.open && !holder.closest("summary"))
                hidden = true;
            if (["auto", "scroll"].includes(style.overflowX)) { scrolls = true; break; }
            if (!cuts(style)) continue;
            if (box.right > room.right + 1 || box.left < room.left - 1 ||
                (box.bottom > room.bottom + 3 || box.top < room.top - 3))
                { say("cut", node.data); break; }
        }
        if (hidden) continue;
        const style = getComputedStyle(holder), paper = behind(holder, box);
        const clear = apart(over(style.color, paper), paper);
        if (clear < LEAST && !holder.closest(":disabled, [aria-disabled=true]"))
            say("pale", `${node.data} ${clear.toFixed(2)}`);
        if (!scrolls && (box.right > screen + 1 || box.left < -1))
            say("outside", node.data);
        for (const word of node.data.matchAll(/[^\s\u00ad\u200b\-–—\/·→()]+/g)) {
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            const lines = new Set([...range.getClientRects()].filter(r => r.width > 0.5)
                .map(r => Math.round(r.top)));
            if (lines.size > 1 && Math.max(...lines) - Math.min(...lines) > 8)
                say("broken", word[0]);
        }
    }
    for (const box of main.querySelectorAll("input[role=combobox]"))
        if (box.checkVisibility() && box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 1)
            say("choice", `${box.getAttribute("aria-label")}: ${box.value || box.placeholder}`);
    for (const plot of main.querySelectorAll("[data-testid=stPlotlyChart], .picture")) {
        if (!plot.checkVisibility()) continue;
        const room = plot.getBoundingClientRect();
        const words = [...plot.querySelectorAll("text")].filter(word =>
            word.textContent.trim() && word.getBoundingClientRect().width > 0 &&
            !word.closest(".hoverlayer"));
        const boxes = words.map(word => word.getBoundingClientRect());
        boxes.forEach((a, k) => {
            if (a.left < room.left - 1 || a.right > room.right + 1 ||
                a.top < room.top - 1 || a.bottom > room.bottom + 1)
                say("leaves figure", words[k].textContent);
            // The corners of slanted words meet where the words do not.
            const turned = words[k].getAttribute("transform");
            if (/rotate\(-?(?!0[,)]|90[,)])/.test(turned)) return;
            boxes.slice(0, k).forEach((b, j) => {
                const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                if (wide > 2 && high > 3)
                    say("overlaid", `${words[j].textContent} | ${words[k].textContent}`);
            });
        });
        const paper = behind(plot, room);
        for (const word of words) {
            const {fill} = getComputedStyle(word), below = under(word, paper);
            const clear = apart(over(fill, below), below);
            if (clear < LEAST) say("pale", `${word.textContent} ${clear.toFixed(2)}`);
        }
        for (const word of plot.querySelectorAll(".legendtext, .gtitle"))
            if (/…$|\.\.\.$/.test(word.textContent)) say("ellipsis", word.textContent);
    }
    const figures = "[data-testid=stPlotlyChart], [data-testid=stImage], .picture";
    const figure = [...main.querySelectorAll(figures)].find(one => one.checkVisibility());
    return {
        found: [...new Set(found)],
        top: figure && Math.round(figure.getBoundingClientRect().top + main.scrollTop),
    };
}"""

# A run that begins by itself ends whenever its button comes. Each press makes the server begin its
# answer anew: a busy one that is pressed again at once would never end.
STOPS = """() => {
    let next = 0;
    return setInterval(() => {
        const at = "[data-testid=stMain] [class*=st-key-stop_] button";
        const button = performance.now() > next && document.querySelector(at);
        if (!button) return;
        button.click();
        next = performance.now() + 5000;
    }, 200);
}"""

EVERY = [name for views in DOORS.values() for name in views]


def tabs(view: str) -> list[str]:
    """The tabs of a view, without the one that is open at first, as an address names them."""
    module = warm.view(view)
    live = [tab.id for tab in getattr(module, "TABS", ())]
    bar = getattr(module, "TAB", None)
    return (live or [*getattr(bar, "titles", ())])[1:]


def measured(visitor: Any) -> dict[str, Any]:
    """Return what is wrong with the page as it lies now, and where its first figure begins."""
    found: dict[str, Any] = visitor.page.evaluate(MEASURE)
    return found


def pale(visitor: Any) -> list[str]:
    """Return the words of the page, ticks of figures among them, that have too little contrast."""
    return [one for one in measured(visitor)["found"] if one.startswith("pale")]


def _wrong(visitor: Any) -> list[str]:
    """Return what is wrong but for the choice of a list, which opens in its whole length."""
    return [one for one in measured(visitor)["found"] if not one.startswith("choice")]


def check_layout(visitor: Any, *widths: int) -> None:
    """Nothing is cut at any of these widths, and on a phone the figure comes early."""
    before = visitor.page.viewport_size
    for width in widths:
        visitor.page.set_viewport_size({"width": width, "height": HEIGHT})
        visitor.until(lambda: not _wrong(visitor))  # a figure follows the page
        assert _wrong(visitor) == [], width
        seen = measured(visitor)
        assert (seen["top"] or 0) < SCREENS * HEIGHT
    visitor.page.set_viewport_size(before)
