"""A picture that one can touch: its numbers, the still of it, and what its script sends back.

The script draws what `data` says and nothing else; while a hand is on it no message is sent. On
release it sends one record, which is checked as any other input. Where scripts of components do
not run, on paper and on a projector the still stands in its place.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from pages.charts import Figure
from pages.core import address, figure_card, inputs, presenter
from rates.study import Server

HERE = Path(__file__).resolve().parent
_DIGITS = 9  # of what is sent: a script that rounds it again says what the engine says
_RELEASED = "released"  # the trigger that a script sets: ``setTriggerValue("released", {...})``


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What a script draws.

    Attributes:
        script: Name of its file here, without end.
        data: The numbers and words that it shows; strict JSON.
        still: The same at rest, with its words, numbers and files.
    """

    script: str
    data: Mapping[str, Any]
    still: Figure


def show(
    picture: Picture,
    *,
    key: str,
    take: Callable[[Mapping[str, object]], object] | None = None,
    under: Callable[[], object] = lambda: None,
) -> None:
    """Draw a picture, or its still; and what is taken away of it.

    Args:
        picture: What is drawn.
        key: Widget key, unique on the page.
        take: Gets what a hand left behind, unchecked; see `finite`.
        under: Draws what stands directly under the picture, such as a slider that moves it.
    """
    if not presenter.take(picture.still):
        with st.container(key=f"still_{key}"):
            st.image(figure_card.to_svg(picture.still), width="stretch", alt=picture.still.alt)

        touched(picture.script, picture.data, key, take or (lambda sent: None))
    under()
    figure_card.below(picture.still, key=key)


def touched(
    script: str, data: Mapping[str, Any], key: str, take: Callable[[Mapping[str, object]], object]
) -> None:
    """Draw what a script draws; `take` gets what a hand left behind, unchecked."""

    def released() -> None:
        sent = getattr(st.session_state.get(key), _RELEASED, None)
        if isinstance(sent, Mapping):
            inputs.apply_inputs()  # what was typed may come with the release
            address.touch()
            take(sent)

    made = st.components.v2.component(
        f"picture_{script}",
        html='<div class="picture"></div>',
        css=f"{_text('common.css')}\n{_text(f'{script}.css')}",
        js=_module(script),
        isolate_styles=False,
    )
    made(key=key, data=dict(data), on_released_change=released)


def finite(sent: Mapping[str, object], name: str, low: float, high: float) -> float | None:
    """Return a number that a script sent; None where it is none, or outside its range.

    >>> finite({"x": 2}, "x", 0, 5), finite({"x": float("inf")}, "x", 0, 5)
    (2.0, None)
    >>> finite({"x": "2"}, "x", 0, 5), finite({}, "x", 0, 5), finite({"x": True}, "x", 0, 5)
    (None, None, None)
    """
    value = sent.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and low <= value <= high else None


def named(rows: Sequence[Server]) -> tuple[str, str]:
    """Return name and records of a row of a study, or of all the small ones together."""
    first, records = rows[0], f"{sum(s.n * s.count for s in rows):,}"
    if len(rows) > 1:
        return f"{sum(s.count for s in rows):,} others", records
    return first.name, f"{first.count:,} × {first.n:,}" if first.count > 1 else records


def rounded(values: Iterable[float]) -> list[float]:
    """Return numbers as they are sent.

    >>> rounded([1 / 3, 2e9])
    [0.333333333, 2000000000.0]
    """
    return [float(f"{x:.{_DIGITS}g}") for x in values]


@functools.cache
def _text(name: str) -> str:
    return (HERE / name).read_text("utf-8")


@functools.cache
def _module(script: str) -> str:
    return f"{_text('common.js')}\n{_text(f'{script}.js')}"
