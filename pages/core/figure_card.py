"""A figure with its numbers, its picture and the lines of Python that draw it; and tables."""

from __future__ import annotations

import importlib
import inspect
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from functools import partial
from typing import Any, ParamSpec, TypeVar

import streamlit as st

from pages.charts import Figure, Rows, spec, svg, words
from pages.core import presenter
from pages.core.controls import chip
from pages.core.exchange import offer
from rates.rows import csv_text
from rates.study import Study

Columns = Mapping[str, Sequence[str]]
# Pixels of a grid: of a letter, of the room beside words, of the column that stays in sight, which
# Streamlit lets go where it has more than 0.6 of a phone, of any other, of a row of three lines.
_LETTER, _ROOM, _KEPT, _CELL, _THREE = 6.6, 18, 216, 440, 66


def show_table(columns: Columns, *, alt: str, pinned: str | None = None) -> None:
    """Show columns of text as a grid; a plain table would scroll out of the keyboard's reach.

    Every column is as wide as its longest words, and the pinned one, else the first, stays in sight
    while the others scroll. Where words are wider than a column may be, all rows have three lines.
    Without rows there is nothing to see.
    """
    if not any(columns.values()):
        return
    kept = pinned or next(iter(columns), None)
    config, long = {}, False
    for title, texts in columns.items():
        wide = _ROOM + math.ceil(_LETTER * max(map(len, (title, *texts))))
        most = _KEPT if title == kept else _CELL
        long = long or wide > most
        config[title] = st.column_config.TextColumn(pinned=title == kept, width=min(wide, most))
    height = _THREE if long else None
    st.dataframe(_arrow(columns), hide_index=True, alt=alt, column_config=config, row_height=height)


def wrapped(columns: Columns) -> None:
    """Show two or three columns of Markdown, which wrap where a grid would cut them."""
    st.table(dict(columns))


def _arrow(columns: Columns) -> Any:
    """Return columns as they are sent, without the way through pandas, which takes ten times."""
    # Loaded by the first table; where there is no server a small writer of ours stands in, which
    # knows pandas alone.
    made = getattr(importlib.import_module("pyarrow"), "table", dict)
    return made({title: list(texts) for title, texts in columns.items()})


MOST_SITES = 40  # of a study that stands in the lines; a longer one is read from its file
_WIDE = 96
_Args = ParamSpec("_Args")
_Made = TypeVar("_Made", bound=Figure | None)


@dataclass(frozen=True, slots=True)
class Named:
    """A value that stands under a name in a module."""

    module: str
    name: str


def with_lines(make: Callable[_Args, _Made], *given: _Args.args, **named: _Args.kwargs) -> _Made:
    """Call what draws a figure, and give the figure the lines that do the same.

    Args:
        make: A function of its module, of nothing but what it is given.
        *given: Numbers, texts, tuples and frozen records.
        **named: The same by name.
    """
    made: Any = make(*given, **named)
    shown: _Made = made and replace(made, lines=partial(of, make, made.name, *given, **named))
    return shown


def of(make: Callable[..., Any], name: str, *given: Any, **named: Any) -> str:
    """Return the lines that draw a figure and save it as SVG under its name."""
    form = inspect.signature(make)
    usual = {key: one.default for key, one in form.parameters.items()}
    bound = form.bind(*given, **named)
    imports = {"from pathlib import Path", "from pages.charts import svg", _import(make)}
    words = [
        f"{key}={_argument(value, imports)}"
        for key, value in bound.arguments.items()
        if value != usual[key]
    ]
    ours = ("from pages", "from rates", "from sims")
    return "\n".join(
        [
            *sorted(imports, key=lambda line: (line.startswith(ours), line)),
            "",
            f"drawn = {_call(make.__name__, words, 0, len('drawn = '))}",
            "drawing = svg.draw(drawn.figure, ident=drawn.name, alt=drawn.alt)",
            f'Path("{name}.svg").write_text(drawing, encoding="utf-8")',
            "",
        ]
    )


def _argument(value: object, imports: set[str]) -> str:
    """Return what a function is given as Python; a study that is too long is read from a file."""
    if isinstance(value, Study) and len(value.servers) > MOST_SITES:
        imports.add("from rates import codec")
        return 'codec.from_json(Path("study.json").read_bytes())'
    return source(value, imports, 1)


def source(value: object, imports: set[str], deep: int = 0) -> str:
    """Return a value as Python; a record without the fields that are as usual.

    Args:
        value: A number, a text, a truth value, None, or a tuple or frozen record of such.
        imports: Takes the lines that import what is named.
        deep: How far it is moved in.

    Raises:
        TypeError: It is something else.

    >>> source((1.5, float("inf"), "a"), set())
    '(1.5, inf, "a")'
    """
    if isinstance(value, float) and not math.isfinite(value):
        imports.add(f"from math import {'nan' if math.isnan(value) else 'inf'}")
        return str(value)
    if isinstance(value, str):
        shown = repr(value)
        return f'"{shown[1:-1]}"' if shown[0] == "'" and '"' not in shown else shown
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, tuple):
        parts = [source(x, imports, deep + 1) for x in value]
        return _call("", parts if len(parts) != 1 else [f"{parts[0]},"], deep)
    if isinstance(value, Named):
        imports.add(f"from {value.module} import {value.name}")
        return value.name
    if is_dataclass(value) and not isinstance(value, type):
        imports.add(_import(type(value)))
        said = [f for f in fields(value) if f.init and _unusual(f, getattr(value, f.name))]
        parts = [f"{f.name}={source(getattr(value, f.name), imports, deep + 1)}" for f in said]
        return _call(type(value).__name__, parts, deep)
    raise TypeError(f"{type(value).__name__} has no lines")


def _unusual(field: Field[Any], value: object) -> bool:
    usual = field.default if field.default_factory is MISSING else field.default_factory()
    return bool(value != usual)


def _call(name: str, parts: list[str], deep: int, before: int = 0) -> str:
    """Return a call in one line if it fits, else a line for each of what it is given."""
    line = f"{name}({', '.join(parts)})"
    if len(line) + 4 * deep + before <= _WIDE and "\n" not in line:
        return line
    moved, back = " " * 4 * (deep + 1), " " * 4 * deep
    return "\n".join([f"{name}(", *(f"{moved}{p.rstrip(',')}," for p in parts), f"{back})"])


def _import(what: Callable[..., Any]) -> str:
    """Return the line that imports something from the widest face that hands it on."""
    parts = what.__module__.split(".")
    faces = (".".join(parts[:k]) for k in range(1, len(parts) + 1))
    own = (f for f in faces if getattr(sys.modules.get(f), what.__name__, None) is what)
    return f"from {next(own, what.__module__)} import {what.__name__}"


def show(
    drawn: Figure, *, key: str, files: bool = True, under: Callable[[], object] = lambda: None
) -> None:
    """Draw a figure, its caption, what is saved of it, and its table if it has one.

    Args:
        drawn: The figure and what goes with it.
        key: Widget key, unique on the page.
        files: Whether anything of it is offered to take away.
        under: Draws what stands directly under the picture.
    """
    if not presenter.take(drawn):
        title, bare = spec.headed(drawn.figure)
        with st.container(gap="xxsmall"):
            if title:
                st.markdown(f"**{words.md(title)}**")
            st.plotly_chart(
                spec.Sent(bare, dark=st.context.theme.type == "dark"),
                key=key,
                config=spec.CONFIG,
                alt=drawn.alt,
            )
        under()
    below(drawn, key=key, files=files)


def below(drawn: Figure, *, key: str, files: bool = True) -> None:
    """Draw what stands below a figure: its caption, what is saved of it, and its table."""
    if drawn.caption:
        st.caption(drawn.caption)
    if files:
        _offers(drawn, key)


def _offers(drawn: Figure, key: str) -> None:
    presents = presenter.first()
    place = chip(f"details_{key}", DETAILS)
    if place is None:
        return
    with place:
        rows, name = drawn.rows, drawn.name
        look = {"type": "tertiary"}
        offer("Numbers as CSV", lambda: to_csv(rows), f"{name}.csv", f"csv_{key}", **look)
        offer("Picture as SVG", lambda: to_svg(drawn), f"{name}.svg", f"svg_{key}", **look)
        if presents:
            presenter.offer()
        if drawn.lines is not None:
            # Without colours: those of keywords have too little contrast.
            st.code(drawn.lines(), language=None, wrap_lines=True)
            st.caption(_LINES)


DETAILS = ":material/more_horiz: Details"
_LINES = "These lines draw the figure again, where the app's packages are installed."


def to_svg(drawn: Figure, width: float = svg.WIDTH) -> str:
    """Return a figure as the text of an SVG file, so many pixels wide."""
    return svg.draw(drawn.figure, ident=drawn.name, alt=drawn.alt, width=width)


def to_csv(rows: Rows) -> str:
    """Return rows as CSV with a header; text that looks like a formula gets a quote.

    >>> print(to_csv([{"site": "=A", "share": 0.5}]), end="")
    site,share
    '=A,0.5
    """
    titles = list(dict.fromkeys(title for row in rows for title in row))
    return csv_text([titles, *([row.get(title) for title in titles] for row in rows)])
