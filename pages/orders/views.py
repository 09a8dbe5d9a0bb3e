"""The figures: the map of deciding terms, the rate along one axis, and two rates."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from pages import pictures
from pages.charts import Figure, maps, planes, words
from pages.core import ask, blocks, offered, with_lines
from pages.orders import asked, found
from pages.pictures import map_picture, moved
from rates import orders
from rates.numbers import DomainError
from rates.orders import Inquiry, Order, reading
from rates.pieces import Polygon

VIEWS = {"map": "Map", "cut": "Along one axis", "two": "Two rates"}
_LARGER = {
    "": ("of one order", "same"),
    "first": ("the first is larger", "first"),
    "second": ("the second is larger", "second"),
}


def axes(now: Inquiry) -> tuple[str, str]:
    """The letters along both axes; the second is empty if there is only one letter."""
    letters = [*now.sizes, *(x for x, _ in now.exponents)]
    budgets = sorted(now.sizes, key=lambda x: not x.startswith("eps"))
    return _first_two([x for x in now.axes if x in letters], budgets, letters)


def sizes_of(now: Inquiry) -> tuple[str, str]:
    """The first two sizes, those along the axes before the others."""
    return _first_two([x for x in axes(now) if x in now.sizes], now.sizes)


def _first_two(*letters: Sequence[str]) -> tuple[str, str]:
    chosen = [*dict.fromkeys(letter for some in letters for letter in some), "", ""]
    return chosen[0], chosen[1]


def ask_axes(now: Inquiry, view: str) -> None:
    """Ask for the letters along the axes of a view, and for their ranges."""
    x, y = axes(now) if view == "map" else sizes_of(now)
    powers = [letter for letter, _ in now.exponents] if view == "map" else []
    options = [*now.sizes, *powers]
    if not options:
        return
    both = view != "cut" and y != ""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _letter("x", "Horizontal axis", options, x, lambda v: _take(v, y if y != v else x))
        if both:
            others = [letter for letter in options if letter != x]
            _letter("y", "Vertical axis", others, y, lambda v: _take(x, v))
        with st.popover("Ranges", icon=":material/straighten:"):
            for letter in (x, y) if both else (x,):
                asked.axis_range(now, letter)


def _letter(
    axis: str, title: str, options: list[str], now: str, take: Callable[[str], None]
) -> None:
    ask(
        f"rate_axis_{axis}",
        now,
        lambda letter: take(offered(letter, options)),
        lambda **how: st.selectbox(title, options, options.index(now), width=140, **how),
    )


def _take(x: str, y: str) -> None:
    asked.RATE.change(axes=(x, y) if y else (x,))


def main_letter(now: Inquiry, view: str) -> list[str]:
    """The letter whose value moves what is looked at; none where both axes show all of theirs."""
    x = {"map": axes, "cut": sizes_of}[view](now)[0] if view != "two" else ""
    return [x] if x else []


def draw(now: Inquiry, view: str, under: Callable[[], object]) -> bool:
    """Draw what is looked at and what stands under it, or say why not; return whether it was."""
    if view == "two" and not now.rival:
        st.caption("Type a second rate: the map shows where which is larger.")
        return False
    make = {"map": map_of, "cut": cut_of, "two": two_of}[view]
    try:
        figure = with_lines(make, now)
        if view == "map":
            plane = plane_of(now)
            drawn, taken = map_picture(plane, figure), partial(take, plane)
            pictures.show(drawn, key="map_orders", take=taken, under=under)
            return True
    except DomainError as problem:
        st.warning(words.plain(problem))
        return False
    blocks.show([figure], page="orders", under=under)
    return True


def take(plane: planes.Plane, sent: Mapping[str, object]) -> None:
    """Give both letters the values of a point of the map; what is none changes nothing."""
    if (point := moved(plane, sent)) is not None:
        asked.set_values(dict(zip((plane.x.title, plane.y.title), point, strict=True)))


def _ends(now: Inquiry, *letters: str) -> dict[str, tuple[float, float]]:
    return {letter: asked.ends_of(now, letter) for letter in letters}


@functools.lru_cache(maxsize=32)
def plane_of(now: Inquiry) -> planes.Plane:
    """The map of the deciding terms over both axes."""
    order = found.order_of(now)
    x, y = axes(now)
    if not y:
        raise DomainError("A map needs two letters; look along the one axis.", "text", now.text)
    sizes, exponents = now.split()
    ends = _ends(now, x, y)
    here = [min(max(now.values[letter], low), high) for letter, (low, high) in ends.items()]
    regions = orders.regions(order, x, y, sizes, exponents, box=(ends[x], ends[y]))
    return _plane(now, regions, found.looks(order), ends, (here[0], here[1]))


def _plane(
    now: Inquiry,
    regions: Mapping[str, Sequence[Polygon]],
    looks: Mapping[str, planes.Look],
    ends: Mapping[str, tuple[float, float]],
    here: tuple[float, float] | None,
) -> planes.Plane:
    x, y = (
        planes.Axis(letter, letter in now.sizes, *span, sign=f"{letter} = ")
        for letter, span in ends.items()
    )
    return planes.Plane(regions=regions, looks=looks, x=x, y=y, here=here, seams=True)


def map_of(now: Inquiry) -> Figure:
    """The term that decides, over two letters."""
    shown = plane_of(now)
    deciding = [shown.looks[label].short for label, parts in shown.regions.items() if parts]
    names = ", ".join(deciding)
    return maps.map_figure(
        shown,
        title="The term that decides, in exact regions"
        if len(deciding) > 1
        else f"One term decides everywhere here: {names}",
        alt=f"Map of the deciding term, {shown.x.title} against {shown.y.title}. Deciding "
        f"somewhere: {names}.",
        name="rate-map",
        caption="Orders only: a constant in front of a term would move its borders.",
    )


def cut_of(now: Inquiry) -> Figure:
    """The rate along the horizontal axis, with its slopes."""
    order = found.order_of(now)
    x, _ = sizes_of(now)
    if not x:
        raise DomainError("The rate has no size to look along.", "text", now.text)
    there = _along(now, order, x)
    looks = found.looks(order)
    slopes = sorted({row.slope for row in there.steps})
    title = f"The rate as {x} grows: slope {words.number(slopes[0])}"
    if len(slopes) > 1:
        title += f" to {words.number(slopes[-1])}"
    return maps.cut_figure(
        there,
        looks,
        label=x,
        here=now.values[x],
        points=now.points,
        fitted=found.line(now.points),
        title=title,
        caption=f"As {x} grows: {maps.steps_text(there.steps, looks)}. Slopes are those of the log "
        f"of the rate in the log of {x}. The height has no constants.",
        name="rate-along",
    )


def _along(now: Inquiry, order: Order, x: str) -> orders.Along:
    return orders.along(order, x, *now.split(), ends=asked.ends_of(now, x))


def two_of(now: Inquiry) -> Figure:
    """Where two rates agree, where one is larger, and where they are furthest apart."""
    first, second = found.order_of(now), reading.rival_of(now)
    sizes, exponents = now.split()
    x, y = sizes_of(now)
    if not y:
        return maps.two_rates_figure(x, _along(now, first, x), _along(now, second, x))
    ends = _ends(now, x, y)
    gap = orders.compare(first, second, x, y, sizes, exponents, box=(ends[x], ends[y]))
    regions: dict[str, list[Polygon]] = {label: [] for label in _LARGER}
    for patch in gap.patches:
        regions[patch.larger].append(patch.polygon)
    here = (gap.place[x], gap.place[y]) if gap.place else None
    text = _gap(gap, first.sum_factor(exponents) * second.sum_factor(exponents))
    return maps.map_figure(
        _plane(now, regions, planes.looks(_LARGER), ends, here),
        title=f"The two rates agree on {words.percent(gap.agree)} of this map",
        alt=f"Map of two rates, {x} against {y}. {text}",
        name="two-rates",
        caption=text,
        mark="furthest apart",
    )


def _gap(gap: orders.Comparison, sums: float) -> str:
    if not gap.larger:
        return "They are of one order everywhere here."
    place = ", ".join(f"{x} = {words.number(v)}" for x, v in gap.place.items())
    text = f"They are furthest apart at {place}: there the {gap.larger} one is "
    text += f"{words.number(gap.factor)} times the other."
    return f"{text} Sums may add a factor of {words.number(sums)}." if sums > 1 else text
