"""The rates that papers print: found by words, opened above, set against the rate above."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import streamlit as st

from pages import core, pictures
from pages.charts import Figure, maps, planes, words
from pages.core import blocks, figure_card, formula
from pages.orders import asked, found, views
from rates import language, orders
from rates.numbers import DomainError
from rates.orders import Inquiry, compare, printed, reading

AGAINST = core.Single[str](
    parameter="against",
    start="",
    settings=(core.choice("against", ["", *printed.printed()]),),
    noun="A printed rate",
    refused="The printed rate in the address could not be found.",
)
_NAMES = {"first": "the rate above", "second": "the printed one", "equal": "about equal"}
_HERE = {
    "first": "Here the rate above is smaller.",
    "second": "Here the printed one is smaller.",
    "equal": "Here both are about equal.",
}
_EXACT = {**_NAMES, "equal": "neither"}
_SAID = {
    "equal": "**Both are of the same order**, within a factor of {0}.",
    "smaller": "**The rate above is at most {0} times the printed one**; there is no bound the "
    "other way.",
    "larger": "**The printed one is at most {1} times the rate above**; there is no bound the "
    "other way.",
    "either": "**Neither is below the other everywhere**, whatever the constant.",
    "open": "**Which is below the other everywhere was not decided.**",
}


def draw(now: Inquiry) -> None:
    """Draw the tab."""
    typed = st.text_input(
        "Search: words, letters, authors",
        key="rate_search",
        max_chars=80,
        icon=":material/search:",
        placeholder="mean local, Kamath, log(1/delta)",
        live="400ms",
    )
    left = printed.search(typed)
    if not left:
        st.caption("No printed rate has all of these words.")
        return
    labels = {one.key: f"{one.asked.name} · {one.authors.split(',')[0]} {one.year}" for one in left}
    # A search may leave out what was chosen: the first hit takes its place.
    chosen = AGAINST.get() if AGAINST.get() in labels else next(iter(labels))
    core.controls.choose(
        "rate_against",
        f"{len(left)} printed rates",
        labels,
        chosen,
        lambda key: AGAINST.change(against=key),
    )
    one = printed.one(chosen)
    blocks.show(_about(one), page="orders")
    core.button("Open it above", "rate_open", asked.RATE.set, one.asked)
    known = printed.of(now)
    # A rate beside itself says nothing.
    if known is None or known.key != chosen:
        core.blocks.show(_beside(now, one), page="orders_printed")
    if core.toggle("rate_related", "The rate above against all printed ones in its letters"):
        core.blocks.show(_all(now), page="orders_related")


def _about(one: printed.Printed) -> Iterator[blocks.Block]:
    """What a printed rate is."""
    order = reading.order_of(one.asked)
    tail = rf",\quad \text{{rate}} = {order.rate_latex}" if order.unknown else ""
    yield partial(formula.show, order.latex + tail)
    yield blocks.Text(words.md(one.says))
    where = (
        f" Where {', '.join(f'`{text}`' for text in one.asked.where)}." if one.asked.where else ""
    )
    letters = ", ".join(f"{found.symbol(x)} {meaning}" for x, meaning in one.meanings.items())
    kind = f"{printed.BOUNDS[one.bound].capitalize()}, {printed.UP_TO[one.up_to]}"
    yield blocks.Note(
        f"{words.md(one.asked.reference)}. {kind}. Privacy: {words.md(one.privacy)}.{where} "
        f"Letters: {words.md(letters)}."
    )


# Beside the rate above ----------------------------------------------------------------------------


@functools.lru_cache(maxsize=64)
def _compared(now: Inquiry, one: printed.Printed) -> compare.Comparison:
    return compare.against(now, one)


def _beside(now: Inquiry, one: printed.Printed) -> Iterator[blocks.Block]:
    """Which of both is smaller, where, and from where on."""
    try:
        both = _compared(now, one)
        yield blocks.Text(_verdict(both))
        if all(letters := _letters(now, both)):
            plane_of(now, one.key)  # at once: what cannot be drawn is said below
            yield partial(_map, now, one.key, letters)
        else:
            yield blocks.Text(_HERE[both.at({})])
        yield from _changes(both)
    except DomainError as problem:
        yield blocks.Note(f"They cannot be compared. {words.plain(problem)}")


def _verdict(both: compare.Comparison) -> str:
    most = [words.number(both.constant(first)) for first in (True, False)]
    powers = ", ".join(f"{found.symbol(x)} = {words.number(v)}" for x, v in both.powers.items())
    limits = [
        f"where {' and '.join(f'`{text}`' for text in both.where)}" if both.where else "",
        f"at {powers}" if powers else "",
        "" if both.logs else "up to logarithms",
    ]
    verb = "was asked" if both.verdict == "open" else "holds"
    holds = f" This {verb} {', '.join(filter(None, limits))}." if any(limits) else ""
    if both.verdict == "equal":
        # Equal orders have one factor, whichever is divided.
        most[0] = words.number(max(both.constant(first=True), both.constant(first=False)))
    return f"{_SAID[both.verdict].format(*most)}{holds}"


def _changes(both: compare.Comparison) -> Iterator[blocks.Block]:
    rows = [change for letter in both.sizes for change in both.changes(letter)]
    if not rows:
        return
    columns = {
        "Where": [
            formula.cell(f"{language.name(row.letter)} = {row.formula.latex}")
            if row.formula
            else found.symbol(row.letter)
            for row in rows
        ],
        "Here": [words.number(row.at) for row in rows],
        "Smaller": [f"{_EXACT[row.before]}, then {_EXACT[row.after]}" for row in rows],
    }
    yield partial(figure_card.wrapped, columns)


def _map(now: Inquiry, key: str, letters: tuple[str, str]) -> None:
    """Draw the map; a letter of the rate above moves with its point."""
    take = partial(asked.move, letters)
    still = core.with_lines(map_of, now, key)
    pictures.show_map(plane_of(now, key), still, key="map_beside", take=take)


def _letters(now: Inquiry, both: compare.Comparison) -> tuple[str, str]:
    """The letters along both axes, those of the map above first; empty where there are not two."""
    return views.first_two([x for x in views.axes(now) if x in both.sizes], both.sizes)


@functools.lru_cache(maxsize=32)
def plane_of(now: Inquiry, key: str) -> planes.Plane:
    """Which of both rates is smaller, over two letters of both."""
    both = _compared(now, printed.one(key))
    x, y = _letters(now, both)
    ends = {letter: both.ends(letter) for letter in (x, y)}
    sizes = {letter: both.values[letter] for letter in both.sizes if letter not in ends}
    looks = planes.looks({label: (name, name) for label, name in _NAMES.items()})
    looks = {label: replace(look, said=_HERE[label]) for label, look in looks.items()}
    regions = orders.regions(both.alike, x, y, sizes, both.powers, box=(ends[x], ends[y]))
    return views.plane(regions, looks, ends, both.values, both.sizes)


def map_of(now: Inquiry, key: str) -> Figure:
    """The map of which of both rates is smaller."""
    logs = any(order.has_logs for order in _compared(now, printed.one(key)).orders)
    return maps.map_figure(
        plane_of(now, key),
        title="Which of both is smaller",
        name="rate-beside",
        caption="About equal: within a factor of 2. A constant in front would move the borders"
        f"{', from which logarithms are left out' * logs}.",
    )


# Against all --------------------------------------------------------------------------------------


def _all(now: Inquiry) -> Iterator[blocks.Block]:
    """The verdict on the rate above against every printed one of its letters."""
    if rows := related(now):
        titles = ("Printed", "The rate above is")
        yield blocks.Table.of(titles, rows, alt="The rate above against printed ones")
    else:
        yield blocks.Note("No printed rate has the same letters.")


@functools.lru_cache(maxsize=32)
def related(now: Inquiry) -> list[tuple[str, str]]:
    """Name and verdict of every printed rate of the same letters, those it bounds first."""
    out = []
    for one in compare.related(now):
        try:
            out.append((f"{one.asked.name}, {one.authors} {one.year}", _compared(now, one).verdict))
        except DomainError:  # its conditions contradict those of the rate above
            continue
    out.sort(key=lambda row: list(compare.VERDICTS).index(row[1]))
    return [(name, compare.VERDICTS[said]) for name, said in out]
