"""The figures: the map of deciding terms, the rate along one axis, and two rates."""

from __future__ import annotations

import streamlit as st

from pages.charts import Figure, words
from pages.charts.maps import along as figures
from pages.charts.maps import plane
from pages.core import ask, figure_card, lines, offered
from pages.orders import asked, data, found, typed
from rates import orders
from rates.numbers import DomainError, Words
from rates.orders import Inquiry, Order, reading

VIEWS = {"map": "Map", "cut": "Along one axis", "two": "Two rates"}


def axes(now: Inquiry) -> tuple[str, str]:
    """The letters along both axes; the second is empty if there is only one letter."""
    all_letters = [*now.sizes, *(x for x, _ in now.exponents)]
    chosen = [x for x in now.axes if x in all_letters]
    budgets = sorted(now.sizes, key=lambda x: not x.startswith("eps"))
    for letter in [*budgets, *all_letters]:
        if letter not in chosen:
            chosen.append(letter)
    return (chosen[0], chosen[1]) if len(chosen) > 1 else ((*chosen, "")[0], "")


def ask_axes(now: Inquiry, view: str) -> None:
    """Ask for the letters along the axes of a view, and for their ranges."""
    both = view != "cut"
    x, y = axes(now) if view == "map" else sizes_of(now)
    powers = [letter for letter, _ in now.exponents] if view == "map" else []
    first = options = [*now.sizes, *powers]
    if not options:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _letter("rate_axis_x", "Horizontal axis", first, x, lambda v: _take(v, y if y != v else x))
        if both and y:
            others = [letter for letter in options if letter != x]
            _letter("rate_axis_y", "Vertical axis", others, y, lambda v: _take(x, v))
        with st.popover("Ranges", icon=":material/straighten:"):
            for letter in (x, y) if both and y else (x,):
                typed.axis_range(now, letter)


def _letter(key: str, title: str, options: list[str], now: str, take) -> None:  # type: ignore[no-untyped-def]
    ask(
        key,
        now,
        lambda letter: take(offered(letter, options)),
        lambda **how: st.selectbox(title, options, options.index(now), width=140, **how),
    )


def _take(x: str, y: str) -> None:
    asked.RATE.change(axes=(x, y) if y else (x,))


def draw(now: Inquiry, order: Order, view: str) -> bool:
    """Draw what is looked at, or say why it cannot be drawn; return whether it was."""
    make = {"map": map_of, "cut": cut_of, "two": two_of}[view]
    try:
        made = lines.drawn(make, now)
    except DomainError as problem:
        st.warning(words.plain(problem))
        return False
    figure_card.show(made, key=f"figure_rate_{view}")
    return True


def _order(now: Inquiry) -> Order:
    read = found.read(now)
    if read.order is None:
        problem = read.problem or DomainError("The rate cannot be read.", "text", now.text)
        raise problem.kept()  # the one that was read is shared
    return read.order


def plane_of(now: Inquiry) -> plane.Plane:
    """The map of the deciding terms over both axes."""
    order = _order(now)
    x, y = axes(now)
    if not y:
        raise DomainError("A map needs two letters; look along the one axis.", "text", now.text)
    sizes, exponents = now.split()
    ends = {letter: typed.ends_of(now, letter) for letter in (x, y)}
    regions = orders.regions(order, x, y, sizes, exponents, box=(ends[x], ends[y]))
    values = now.values
    here = tuple(min(max(values[a], ends[a][0]), ends[a][1]) for a in (x, y))
    return plane.Plane(
        regions=regions,
        looks=found.looks(order),
        x=plane.Axis(x, x in now.sizes, *ends[x]),
        y=plane.Axis(y, y in now.sizes, *ends[y]),
        here=(here[0], here[1]),
        seams=True,
    )


def map_of(now: Inquiry) -> Figure:
    """The term that decides, over two letters."""
    shown = plane_of(now)
    deciding = [label for label, polygons in shown.regions.items() if polygons]
    names = ", ".join(shown.looks[label].short for label in deciding)
    return plane.draw(
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
    order = _order(now)
    x, _ = sizes_of(now)
    if not x:
        raise DomainError("The rate has no size to look along.", "text", now.text)
    sizes, exponents = now.split()
    there = orders.along(order, x, sizes, exponents, ends=typed.ends_of(now, x))
    cut = figures.Cut(
        label=x,
        found=there,
        here=now.values[x],
        points=now.points,
        fitted=data.line(now.points),
    )
    looks = found.looks(order)
    slopes = sorted({row.slope for row in there.steps})
    title = f"The rate as {x} grows: slope {words.number(slopes[0])}"
    if len(slopes) > 1:
        title += f" to {words.number(slopes[-1])}"
    caption = (
        f"As {x} grows: {figures.told(there.steps, looks)}. Slopes are those of the log of the "
    )
    caption += f"rate in the log of {x}. The height has no constants."
    return figures.drawn(cut, looks, title=title, caption=caption, name="rate-along")


def two_of(now: Inquiry) -> Figure:
    """Where two rates agree, where one is larger, and where they are furthest apart."""
    first, second = _order(now), rival(now)
    sizes, exponents = now.split()
    x, y = sizes_of(now)
    if not y:
        return _two_along(now, first, second, x)
    ends = {letter: typed.ends_of(now, letter) for letter in (x, y)}
    gap = orders.compare(first, second, x, y, sizes, exponents, box=(ends[x], ends[y]))
    regions: dict[str, list[plane.Polygon]] = {label: [] for label in _LARGER}
    for patch in gap.patches:
        regions[patch.larger].append(patch.polygon)
    shown = plane.Plane(
        regions=regions,
        looks=plane.looks(_LARGER),
        x=plane.Axis(x, True, *ends[x]),
        y=plane.Axis(y, True, *ends[y]),
        here=(gap.place[x], gap.place[y]) if gap.place else None,
        seams=True,
    )
    told = _gap(gap, first.sum_factor(exponents) * second.sum_factor(exponents))
    return plane.draw(
        shown,
        title=f"The two rates agree on {words.percent(gap.agree)} of this map",
        alt=f"Map of two rates, {x} against {y}. {told}",
        name="two-rates",
        caption=told,
        mark="furthest apart",
    )


_LARGER = {
    "": ("of one order", "same"),
    "first": ("the first is larger", "first"),
    "second": ("the second is larger", "second"),
}


def rival(now: Inquiry) -> Order:
    """The second rate.

    Raises:
        DomainError: There is none, or it cannot be read.
    """
    if not now.rival:
        raise DomainError("Type a second rate to compare with.", "second rate", Words("nothing"))
    return reading.rival_of(now)


def sizes_of(now: Inquiry) -> tuple[str, str]:
    """The first two sizes, those along the axes before the others."""
    chosen = [x for x in axes(now) if x in now.sizes]
    chosen += [x for x in now.sizes if x not in chosen]
    return (*chosen, "", "")[0], (*chosen, "", "")[1]


def _gap(gap: orders.Comparison, sums: float) -> str:
    if not gap.larger:
        return "They are of one order everywhere here."
    place = ", ".join(f"{x} = {words.number(v)}" for x, v in gap.place.items())
    text = f"They are furthest apart at {place}: there the {gap.larger} one is "
    text += f"{words.number(gap.factor)} times the other."
    return f"{text} Sums may add a factor of {words.number(sums)}." if sums > 1 else text


def _two_along(now: Inquiry, first: Order, second: Order, x: str) -> Figure:
    sizes, exponents = now.split()
    both = [
        orders.along(order, x, sizes, exponents, ends=typed.ends_of(now, x))
        for order in (first, second)
    ]
    return figures.two(x, both[0], both[1])
