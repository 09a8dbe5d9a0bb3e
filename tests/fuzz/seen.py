"""What a visitor sees on a page, looked through: no broken number, no foreign markup, one study.

Everything that is sent to the browser is looked at: words, labels, hints, options, tables, and of
figures the data, texts and hover. A gap of a line is no number shown; all else has to be finite.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element

from pages.study import verdict
from rates.decision import decide, use_of
from rates.numbers import DomainError
from rates.study import Scope, Study, TransferStudy, codec
from tests.fuzz.grammar import MARK

_BAD = re.compile(r"(?<![\w'\"*\\:(-])(nan|NaN|None(?! of)|Infinity)(?![\w'\"*:)-])")
_MARKUP = re.compile(  # unescaped
    rf"(?<!\\)(?:\*\*{MARK}\*\*|\]\((?:http://)?{MARK}|:red\[{MARK}|:material/{MARK}:)"
    rf"|(?:https?\\?:\\?/\\?/|www\\?\.|a\\?@){MARK}"  # a link however it is escaped
)
_FORMULA = re.compile(rf"(?<!\\)\${MARK}\^2\$")
_HTML = re.compile(rf"<b id={MARK}>|<script>{MARK}|<img[^>]*onerror={MARK}")
_PLAIN = {  # fields whose text is shown as it is, and kinds of elements that show it so
    *("default", "value", "set_value", "placeholder", "raw_value", "options", "id", "url", "alt"),
    *("json", "query_string", "spec", "user_key", "json_args", "js_content", "css_content"),
    "element_id",
}
_PLAIN_KINDS = {"code", "text", "text_input", "text_area", "selectbox", "download_button"}
_MENUS = {"radio", "button_group", "select_slider", "slider"}  # whose options are Markdown
_QUOTED = {"code", "text_input", "text_area", "error", "warning"}  # may name what was typed
_QUOTATION = re.compile(r"“[^”]*”")  # of what was typed
_TYPED = {"value", "default", "set_value", "raw_value"}
_NO_GAPS = {"customdata", "text", "hovertext", "marker", "error_x", "error_y", "width", "base"}


def breaches(app: AppTest) -> list[str]:
    """What is wrong with what a page shows."""
    out = [f"exception {e.value[:300]}" for e in app.exception]
    for node in _nodes(app):
        if node.type == "plotly_chart":
            out += figure(json.loads(node.proto.spec))
        elif node.type in ("dataframe", "arrow_data_frame", "table", "arrow_table"):
            out += _table(node)
        else:
            out += [f"{node.type}: {said}" for said in _wrong_words(node)]
    return [*out, *_wrong_study(app)]


def _nodes(app: AppTest) -> Iterator[Element | Block]:
    waiting: list[Any] = [app.main]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, Block):
            waiting += node.children.values()


# Words -----------------------------------------------------------------------------------------


def _wrong_words(node: Element | Block) -> Iterator[str]:
    if node.proto is None or isinstance(node.proto, str) or node.type == "exception":
        return
    written = node.type not in _PLAIN_KINDS
    quoted = node.type in _QUOTED
    for name, text in _texts(node.proto):
        shown = _bare(text)
        markdown = written and (name not in _PLAIN or node.type in _MENUS)
        if (markdown or name in ("label", "help")) and (
            _MARKUP.search(shown)
            or _FORMULA.search(_uncoded(text))
            or (node.type == "html" and _HTML.search(text))
        ):
            yield f"markup in {name}: {text[:200]}"
        chosen = name == "options" and text == "None"  # a word in a list of words
        if not (quoted or chosen) and name not in _TYPED and _BAD.search(_QUOTATION.sub("", shown)):
            yield f"no number in {name}: {text[:200]}"


def _texts(message: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """All texts of a message to the browser, each by the name of its field."""
    if isinstance(message, str):
        yield name, message
    elif hasattr(message, "ListFields"):
        for field, value in message.ListFields():
            if field.message_type and field.message_type.GetOptions().map_entry:
                continue
            yield from _texts(value, field.name)
    elif not isinstance(message, bytes) and hasattr(message, "__getitem__"):
        for part in message:
            yield from _texts(part, name)


def _bare(text: str) -> str:
    """Markdown without its code, in which nothing is markup, and without formulas."""
    return re.sub(r"\$[^$\n]*\$", "", _uncoded(text))


def _uncoded(text: str) -> str:
    return re.sub(r"`[^`\n]*`", "", text)


# Tables ----------------------------------------------------------------------------------------


def _table(node: Any) -> Iterator[str]:
    frame = node.value
    if frame is None:
        return
    for name in frame.columns:
        for cell in frame[name].tolist():
            if isinstance(cell, float) and math.isinf(cell):
                yield f"table, {name}: {cell}"
            elif isinstance(cell, str):
                if cell in ("nan", "inf", "-inf", "None", "NaN", "NaT"):
                    yield f"table, {name}: {cell}"
                if "table" in node.type and _MARKUP.search(_bare(cell)):
                    yield f"table, {name}: markup {cell[:200]}"
            elif isinstance(cell, float) and math.isnan(cell) and not pd.isna(cell):
                yield f"table, {name}: {cell}"


# Figures ---------------------------------------------------------------------------------------


def figure(spec: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a figure's specification, by the place."""
    for trace in spec.get("data", ()):
        for name, value in trace.items():
            for found in _wrong(value, name, gaps=name not in _NO_GAPS):
                yield f"figure, {trace.get('type', 'scatter')}.{found}"
    for found in _wrong(spec.get("layout", {}), "layout", gaps=False):
        yield f"figure, {found}"


def _wrong(value: Any, where: str, *, gaps: bool) -> Iterator[str]:
    if isinstance(value, Mapping):
        if {"dtype", "bdata"} <= set(value):
            array = np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"])
            bad = np.isinf(array) if gaps else ~np.isfinite(array)
            if bad.any():
                yield f"{where}: {array[bad][0]}"
            return
        for key, part in value.items():
            if key != "template":
                yield from _wrong(part, f"{where}.{key}", gaps=gaps)
    elif isinstance(value, list):
        for part in value:
            yield from _wrong(part, where, gaps=gaps)
    elif isinstance(value, float) and not math.isfinite(value):
        if math.isinf(value) or not gaps:
            yield f"{where}: {value}"
    elif value is None and where.startswith(("customdata", "error")):  # what nan is in JSON
        yield f"{where}: nothing"
    elif isinstance(value, str) and (_BAD.search(value) or _HTML.search(value)):
        yield f"{where}: {value[:200]}"


# The study -------------------------------------------------------------------------------------


def _wrong_study(app: AppTest) -> Iterator[str]:
    """Whether what is answered is the study in the address: held, linked to, and decided."""
    held = app.session_state["bound_study"] if "bound_study" in app.session_state else None  # noqa: SIM401
    given = app.query_params.get("study")
    if held is None or not given:
        return
    try:
        asked = codec.open_link(given[0] if isinstance(given, list) else given)[0]
    except DomainError:
        if not app.error:
            yield "a link is refused, and nothing says so"
        return
    if asked != held.study:
        yield "the study that is held is another than the address's"
    bars = (e.proto for e in app.get("bidi_component") if e.proto.component_name == "bar")
    hrefs = [one["href"] for bar in bars for part in json.loads(bar.json).values() for one in part]
    links = {parse_qs(href.partition("?")[2]).get("study", [""])[0] for href in hrefs}
    if any(link and codec.open_link(link)[0] != asked for link in links):
        yield "a link of the bar leads to another study than the address's"
    said = [str(e.value) for e in app.markdown if str(e.value).startswith("**Run it?**")]
    if app.title and not set(said) <= set(_decided(asked, held.scope)):
        yield f"the decision {said} is of another study than the address's"


def _decided(study: Study, scope: Scope) -> Iterator[str]:
    """The first decision by each risk of a study, by the engine itself."""
    gain = 1.25 if scope.gain is None else scope.gain
    for risk in (None,) if isinstance(study, TransferStudy) else ("integrated", "pointwise"):
        found = decide(
            study, use=use_of(study, scope)[0], needed=scope.needed, gain=gain, risk=risk
        )
        yield from (text for text, _ in verdict.said(found, {})[:1])
