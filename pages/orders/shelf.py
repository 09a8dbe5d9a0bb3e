"""The rates that papers print: found by words, opened above, set against the rate above."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from functools import partial

import streamlit as st

from pages import core
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
    if known is None or known.key != chosen:
        core.blocks.show(_beside(now, one), page="orders_printed")
    _all(now)


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
        if figure := map_of(now, one.key):
            yield figure
        yield from _changes(both)
    except DomainError as problem:
        yield blocks.Note(f"They cannot be compared. {words.plain(problem)}")


def _verdict(both: compare.Comparison) -> str:
    most = [words.number(both.constant(first)) for first in (True, False)]
    where = f" Where {' and '.join(f'`{text}`' for text in both.where)}." if both.where else ""
    powers = ", ".join(f"{found.symbol(x)} = {words.number(v)}" for x, v in both.powers.items())
    logs = "" if both.logs else " Up to logarithms."
    at = f" At {powers}." if powers else ""
    here = both.at({})
    told = f" Here {_NAMES[here]} is smaller." if here != "equal" else " Here they are equal."
    if both.verdict == "equal":
        most[0] = words.number(max(both.constant(first=True), both.constant(first=False)))
    return f"{_SAID[both.verdict].format(*most)}{told}{where}{at}{logs}"


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


def map_of(now: Inquiry, key: str) -> Figure | None:
    """Which of both rates is smaller, over two letters of both; None where there is one letter."""
    both = _compared(now, printed.one(key))
    chosen = [x for x in (*views.axes(now), *both.sizes) if x in both.sizes]
    x, y, *_ = [*dict.fromkeys(chosen), "", ""]
    if not y:
        return None
    ends = {letter: both.ends(letter) for letter in (x, y)}
    here = [min(max(both.values[letter], low), high) for letter, (low, high) in ends.items()]
    over, up = (planes.Axis(found.symbol(letter), True, *span) for letter, span in ends.items())
    rest = {letter: v for letter, v in both.values.items() if letter not in ends}
    sizes = {letter: rest[letter] for letter in both.sizes if letter in rest}
    plane = planes.Plane(
        regions=orders.regions(both.alike, x, y, sizes, both.powers, box=(ends[x], ends[y])),
        looks=planes.looks({label: (name, name) for label, name in _NAMES.items()}),
        x=over,
        y=up,
        here=(here[0], here[1]),
        seams=True,
    )
    return maps.map_figure(
        plane,
        title="Which of both is smaller",
        name="rate-beside",
        caption="About equal: within a factor of 2. A constant in front would move the borders.",
    )


# Against all --------------------------------------------------------------------------------------


def _all(now: Inquiry) -> None:
    """Offer the verdict on the rate above against every printed one of its letters."""
    if not core.toggle("rate_related", "The rate above against all printed ones in its letters"):
        return
    rows = related(now)
    if not rows:
        st.caption("No printed rate has the same letters.")
        return
    columns = {
        "Printed": [name for name, _ in rows],
        "The rate above is": [said for _, said in rows],
    }
    figure_card.show_table(columns, alt="The rate above against printed ones", pinned="Printed")


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
