"""What a visitor is given on one screen: elements, figures, files and printed lines, as plain data.

Left out is what may change without anybody seeing it: keys and ids, media addresses, times, the
text form of what a link holds, and empty places, of which a slow machine leaves more.
"""

from __future__ import annotations

import logging
import os
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from screen_links import Chosen, Given, Opened, Screen, Step, Typed
from screen_pieces import FILE, WORDS, Texts, element, file
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from tests.pages import driver  # looks once for what is installed

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 300.0
FIRST, COMMON = "overview", ("bar", "layout")  # components of ours: links to pages, and style

_files: list[dict[str, Any]] = []
_cut = False


def _listen() -> None:
    """Note what every download button is given, and forget it where the script begins anew."""
    button, again, switch = DeltaGenerator.download_button, st.rerun, st.switch_page
    main = st.download_button.__self__  # type: ignore[attr-defined]

    def noted(self: DeltaGenerator, label: str, data: Any, *args: Any, **rest: Any) -> Any:
        named = dict(zip(("file_name", "mime"), args, strict=False)) | rest
        _files.append({"label": label, "data": data, **{k: named.get(k) for k in FILE}})
        return button(self, label, data, *args, **rest)

    def rerun(*args: Any, **rest: Any) -> None:
        if not _cut:
            _files.clear()
            again(*args, **rest)

    def switched(*args: Any, **rest: Any) -> None:
        _files.clear()
        switch(*args, **rest)

    DeltaGenerator.download_button = noted  # type: ignore[method-assign]
    st.download_button = lambda *args, **rest: noted(main, *args, **rest)
    st.rerun, st.switch_page = rerun, switched


def prepare() -> None:
    """Set a process up for recording."""
    os.environ["PATH"] = ""  # no browser is found: pictures made by one depend on the machine
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    _listen()


def record_all(screens: Sequence[Screen]) -> tuple[dict[str, Any], float]:
    """Return what some screens show, with their long texts, and how long it took."""
    texts, found, began = Texts(), {}, time.perf_counter()
    for screen in screens:
        since = time.perf_counter()
        found[screen.title] = record(screen, texts)
        if os.environ.get("SCREEN_TIMES"):
            print(f"{time.perf_counter() - since:8.2f} s  {screen.title}", file=sys.stderr)
    return {"screens": found, "texts": dict(texts)}, time.perf_counter() - began


# One screen ------------------------------------------------------------------------------------


def record(screen: Screen, texts: Texts) -> list[dict[str, Any]]:
    """Open a link, do what the screen says, and return what is there."""
    global _cut  # noqa: PLW0603 - the app calls st.rerun, so it is the process that is told
    _cut = not screen.whole and not screen.steps
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=TIMEOUT)
    app.context["url"] = f"http://localhost:8501/{screen.page}"
    app.query_params.update(screen.query)
    _run(driver.at(app, screen.page))
    missed = []
    for step in screen.steps:
        if not _act(app, step):
            missed.append(step)
    if screen.files and not _cut and any(map(driver.is_details, app.get("popover"))):
        _files.clear()
        driver.details(app)
    seen = [_address(app), *_elements(app, texts)]
    if screen.page != FIRST:  # what all pages have is stored with one: a new view changes no other
        seen = [one for one in seen if one.get("component_name") not in COMMON]
    seen += [{"type": "missing", "body": str(step)} for step in missed]
    if screen.files:
        seen += [file(found, texts) for found in _files]
    if _cut:  # gives its place on the server back
        _cut = False
        _act(app, "Stop")
    return seen


def _run(app: AppTest) -> None:
    _files.clear()
    app.run()


def _act(app: AppTest, step: Step) -> bool:
    """Do a step; whether there was something to do it with."""
    if isinstance(step, Opened):
        _files.clear()
        driver.unfold(app, step.title)
        return True
    found = [*_controls(app, step)]
    if not found and any(driver.is_box(one) for one in app.get("popover")):
        found = [*_controls(driver.unbox(app), step)]
    for control, value in found[:1]:
        control.set_value(value)
        _run(app)
    return bool(found)


def _controls(app: AppTest, step: Step) -> Iterator[tuple[Any, Any]]:
    """What a step may mean on this page, with the value to set."""
    if isinstance(step, Given):
        given = [(name, text.encode(), "text/plain") for name, text in step.files]
        for place in app.file_uploader:
            if place.label.startswith(step.label):
                yield place, given if place.accept_multiple_files else given[0]
    elif isinstance(step, Typed):
        boxes = (*app.text_input, *app.text_area)
        yield from ((box, step.text) for box in boxes if box.label == step.label)
    elif isinstance(step, Chosen):
        menus = [menu for menu in (*app.selectbox, *app.radio) if menu.label.startswith(step.label)]
        yield from ((menu, x) for menu in menus for x in menu.options if step.option in x)
    else:
        yield from ((b, True) for b in app.button if b.label == step and not b.disabled)
        yield from ((group, step) for group in app.button_group if step in group.options)


def _address(app: AppTest) -> dict[str, Any]:
    """Which parts the address of the page holds; their text forms may change."""
    held = {k: v if k in WORDS else "…" for k, v in sorted(app.query_params.items())}
    return {"type": "address", "holds": held}


def _elements(app: AppTest, texts: Texts) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    _walk(app.main, [], found, texts)
    return found


def _walk(node: Any, path: list[str], found: list[dict[str, Any]], texts: Texts) -> None:
    for _, child in sorted(node.children.items()):
        if isinstance(child, Block):
            _walk(child, path + _place(child), found, texts)
        elif child.type != "empty":
            found.append(element(child, path, texts))


def _place(block: Block) -> list[str]:
    """What encloses elements, as far as it can be seen."""
    if block.type in ("container", "vertical", "horizontal", "flex_container", "unknown"):
        return []
    kind = block.type
    proto = getattr(block.proto, kind, block.proto)
    if kind == "column":
        return [f"column {getattr(proto, 'weight', 0):.3g}"]
    label = getattr(proto, "label", "")
    shut = "" if getattr(proto, "expanded", True) else ", shut"
    return [f"{kind} {label}{shut}".strip()]
