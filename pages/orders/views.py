"""The figures: the map of deciding terms, and the rate along one axis."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping, Sequence

import streamlit as st

from pages import charts, core, pictures
from pages.charts import Figure, maps, planes, words
from pages.orders import asked, found
from rates import orders
from rates.numbers import DomainError
from rates.orders import Inquiry
from rates.pieces import Polygon

VIEWS = {"map": "Map", "cut": "Along one axis"}


def axes(now: Inquiry) -> tuple[str, str]:
    """The letters along both axes, one of them a size; the second is empty where there is none."""
    letters = [*now.sizes, *(x for x, _ in now.exponents)]
    # What privacy costs is asked most often: budgets lie along the first axis.
    budgets = sorted(now.sizes, key=lambda x: not x.startswith("eps"))
    x, y = first_two([x for x in now.axes if x in letters], budgets, letters)
    return x, y if {x, y} & {*now.sizes} else next(iter(now.sizes), "")


def size_of(now: Inquiry) -> str:
    """The first size, one along an axis before the others; empty if there is none."""
    return first_two([x for x in axes(now) if x in now.sizes], now.sizes)[0]


def first_two(*letters: Sequence[str]) -> tuple[str, str]:
    """The first two of several lists of letters, empty where there are not two."""
    chosen = [*dict.fromkeys(letter for some in letters for letter in some), "", ""]
    return chosen[0], chosen[1]


def ask_axes(now: Inquiry, view: str) -> None:
    """Ask for the letters along the axes of a view, and for their ranges."""
    x, y = axes(now) if view == "map" else (size_of(now), "")
    letters = [*now.sizes, *(letter for letter, _ in now.exponents if view == "map")]
    labels = {letter: found.symbol(letter) for letter in letters}
    if not labels:
        return
    choose = functools.partial(core.controls.choose, width=140)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choose("rate_axis_x", "Horizontal axis", labels, x, lambda v: _take(v, y if y != v else x))
        if y:
            beside = letters if x in now.sizes else now.sizes
            others = {letter: labels[letter] for letter in beside if letter != x}
            choose("rate_axis_y", "Vertical axis", others, y, lambda v: _take(x, v))
        with st.popover("Ranges", icon=":material/straighten:"):
            for letter in filter(None, (x, y)):
                asked.axis_range(now, letter)


def _take(x: str, y: str) -> None:
    asked.RATE.change(axes=(x, y) if y else (x,))


def draw(now: Inquiry, view: str, under: Callable[[], object]) -> None:
    """Draw what is looked at and what stands under it, or say why not."""
    try:
        figure = core.with_lines(map_of if view == "map" else cut_of, now)
    except DomainError as problem:
        st.warning(words.plain(problem))
        return
    if view == "map":
        take = functools.partial(asked.move, axes(now))
        pictures.show_map(plane_of(now), figure, key="map_orders", take=take, under=under)
    else:
        core.blocks.show([figure], page="orders", under=under)


@functools.lru_cache(maxsize=32)
def plane_of(now: Inquiry) -> planes.Plane:
    """The map of the deciding terms over both axes."""
    order = found.order_of(now)
    x, y = axes(now)
    if not y:
        raise DomainError("A map needs two letters; look along the one axis.", "text", now.text)
    ends = {letter: asked.ends_of(now, letter) for letter in (x, y)}
    regions = orders.regions(order, x, y, *now.split(), box=(ends[x], ends[y]))
    # Labels of products that decide nowhere would fill the legend.
    if order.factored:
        regions = {label: parts for label, parts in regions.items() if parts}
    return plane(regions, found.looks(order, regions), ends, now.values, now.sizes)


def plane(
    regions: Mapping[str, tuple[Polygon, ...]],
    looks: Mapping[str, planes.Look],
    ends: Mapping[str, tuple[float, float]],
    values: Mapping[str, float],
    sizes: Collection[str],
) -> planes.Plane:
    """A map over two letters between ends, with a point at their values."""
    first, second = (min(max(values[x], low), high) for x, (low, high) in ends.items())
    over, up = (
        planes.Axis(name := found.symbol(letter), letter in sizes, *span, sign=f"{name} = ")
        for letter, span in ends.items()
    )
    here = (first, second)
    return planes.Plane(regions=regions, looks=looks, x=over, y=up, here=here, seams=True)


def map_of(now: Inquiry) -> Figure:
    """The term that decides, over two letters."""
    shown = plane_of(now)
    deciding = [shown.looks[label].short for label, parts in shown.regions.items() if parts]
    names, logs = ", ".join(deciding), found.order_of(now).has_logs
    return maps.map_figure(
        shown,
        title="The term that decides, in exact regions"
        if len(deciding) > 1
        else f"One term decides everywhere here: {names}",
        name="rate-map",
        caption="Orders only: a constant in front of a term would move its borders."
        + (" Logarithms are left out of borders, not of values." if logs else ""),
    )


def cut_of(now: Inquiry) -> Figure:
    """The rate along the horizontal axis, with its slopes."""
    order = found.order_of(now)
    if not (x := size_of(now)):
        raise DomainError("The rate has no size to look along.", "text", now.text)
    (sizes, exponents), (low, high) = now.split(), asked.ends_of(now, x)
    places, rate, maxima = orders.along(order, x, sizes, exponents, lo=low, hi=high)
    look: charts.Fields = {"hover": "%{x:.3g}: %{y:.3g}"}
    marks = [charts.line(places, rate, "Rate as typed", charts.EQUATION, width=2.5, **look)]
    if maxima is not None:
        second = (maxima, "Its order: sums as maxima", charts.EQUATION, "dash", 1.5)
        marks.append(charts.line(places, *second, **look))
    steps = orders.intervals(order, x, sizes, exponents, lo=low, hi=high)
    name, looks = found.symbol(x), found.looks(order, {row.label for row in steps})
    slopes = sorted({row.slope for row in steps})
    title = f"The rate as {name} grows: slope {words.number(slopes[0])}"
    if len(slopes) > 1:
        title += f" to {words.number(slopes[-1])}"
    said = "; ".join(
        f"{looks[row.label].short} up to {words.number(row.hi)}, slope {words.number(row.slope)}"
        for row in steps
    )
    return maps.over_strip(
        marks,
        [(looks[row.label], row.lo, row.hi) for row in steps],
        name,
        now.values[x],
        title=title,
        caption=f"As {name} grows: {said}. Slopes are in logs; the height has no constants.",
        name="rate-along",
    )
