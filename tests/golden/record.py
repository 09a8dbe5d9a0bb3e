"""What a screen shows, by lines: elements, figures and files.

Left out is what may change unseen: keys and ids, media addresses, times, the text form of what a
link holds, and empty places, of which a slow machine leaves more.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import re
import time
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import streamlit as st
from google.protobuf.json_format import MessageToDict
from screens import Screen
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1.element_tree import Block, Widget

from tests.pages import driver

# Names in the messages to the browser that are no content.
UNSEEN = {
    *("id", "key", "element_id", "form_id", "url", "page_script_hash", "deferred_file_id"),
    *("query_string", "user_key", "data", "arrow_data", "styler", "template"),
}
_FORMS = "study|run|plan|at|detail|curator|constant|table|rate|own|locked"
_REPLACED = (
    (re.compile(rf"((?:[?&]|&amp;)(?:{_FORMS})=)[^&\s\"')<\]]+"), r"\1…"),
    (re.compile(r"\b\d[\d,]*(?:\.\d+)? (s|ms|seconds)\b(?!\.\w)"), r"# \1"),
    (re.compile(r"0x[0-9a-f]{6,}"), "0x…"),
    (re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC with (\S+) \d[\w.+]*\."), r"# UTC with \1 #."),
    (re.compile(r"Version \d[\w.+]*\."), "Version #."),
    (re.compile(r"base64,[A-Za-z0-9+/=]+"), "base64,…"),
)
FIRST, COMMON = "overview", ("bar", "layout")  # components of ours: links to pages, and style
_files: dict[tuple[str, str], Any] = {}


def prepare() -> None:
    """Set a process up for recording: it notes what every download button is given."""
    os.environ["PATH"] = ""  # no browser is found: pictures made by one depend on the machine
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    button = DeltaGenerator.download_button
    main = st.download_button.__self__  # type: ignore[attr-defined]

    def noted(label: str, data: Any, file: str, *given: Any, **how: Any) -> Any:
        _files[label, file] = data
        return button(main, label, data, file, *given, **how)

    st.download_button = noted


def recorded(screens: list[Screen]) -> tuple[dict[str, list[str]], float]:
    """Return what screens of one page show, and how long it took."""
    began = time.perf_counter()
    return {one.title: list(lines(one)) for one in screens}, time.perf_counter() - began


def lines(screen: Screen) -> Iterator[str]:
    """Open a link, do what the screen says, and yield what is there, element by element."""
    _files.clear()
    app = driver.open_page(screen.page, **screen.query)
    driver.unfield(app)
    for step in screen.steps:
        step.take(app)
    if any(map(driver.is_details, app.get("popover"))):
        driver.details(app)
    yield f"address {sorted(app.query_params)}"
    for path, node in _walk(app.main, ()):
        # What all pages have is stored with one: a new view changes no other.
        if screen.page == FIRST or getattr(node.proto, "component_name", "") not in COMMON:
            yield f"{node.type} {json.dumps(getattr(node, 'label', ''), ensure_ascii=False)}"
            if path:
                yield f"  in: {' > '.join(path)}"
            yield from _flat("", _said(node))
    for (label, file), data in _files.items():
        yield f"file {json.dumps(label)}"
        if not file.endswith(".zip"):  # its files have tests of their own
            yield from _flat(file, re.sub(r">\s*<", ">\n<", _text(data)))


def _walk(node: Block, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for _, child in sorted(node.children.items()):
        if not isinstance(child, Block):
            if child.type != "empty":
                yield path, child
            continue
        label = getattr(getattr(child.proto, child.type, child), "label", "")
        yield from _walk(child, (*path, f"{child.type} {label}") if label else path)


def _said(node: Any) -> Any:
    """What a visitor sees of an element; of a control also what it is set to."""
    if node.type == "plotly_chart":
        return json.loads(node.proto.spec) | {"alt": node.proto.alt}
    if "dataframe" in node.type or "table" in node.type:
        return {"table": node.value.to_csv(sep="|", float_format="%.9g").splitlines()}
    said = MessageToDict(node.proto, preserving_proto_field_name=True)
    if isinstance(node, Widget) and "button" not in node.type and node.type != "file_uploader":
        said["shows"] = str(node.value)
    return said


def _text(data: Any) -> str:
    data = data() if callable(data) else data
    try:
        return data.decode() if isinstance(data, bytes) else str(data)
    except UnicodeDecodeError:
        return "bytes"


def _flat(place: str, value: Any) -> Iterator[str]:
    """Yield all that a value holds, with its place; a packed array as its numbers."""
    if isinstance(value, Mapping) and "bdata" in value:
        array = np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"])
        value = array.astype(float).tolist()
    if isinstance(value, Mapping):
        for key in sorted(value.keys() - UNSEEN):
            yield from _flat(f"{place}.{key}".lstrip("."), value[key])
    elif isinstance(value, list) and any(isinstance(x, str | list | Mapping) for x in value):
        for inside in value:
            yield from _flat(place, inside)
    elif isinstance(value, list):
        yield f"  {place}: {' '.join('-' if x is None else f'{x:.9g}' for x in value)}"
    else:
        text = f"{value:.9g}" if isinstance(value, float) else str(value)
        for pattern, shown in _REPLACED:
            text = pattern.sub(shown, text)
        yield from (f"  {place}: {line}" for line in text.splitlines())
