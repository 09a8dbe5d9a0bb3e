"""Open a page without a browser, press its buttons, read what it shows."""

from __future__ import annotations

import base64
import json
from collections import deque
from functools import cache
from pathlib import Path
from typing import Any

from streamlit.components.v2 import manifest_scanner
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, local_script_runner
from streamlit.util import calc_hash

from pages.core.figure_card import DETAILS
from pages.core.live import Tab, from_text
from pages.core.live.page import request_of
from rates.study import codec
from sims.engine import Request, run
from sims.files import read_request

ROOT = Path(__file__).resolve().parents[2]
# A new session looks for components in all that is installed, which stays the same: once will do.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def _listed(made: Any) -> Any:
    """Let every run begin as on a server that has the list of pages: with app.py."""

    def making(manager: PagesManager, *args: Any, **rest: Any) -> None:
        PagesManager.uses_pages_directory = False
        made(manager, *args, **rest)

    return making


PagesManager.__init__ = _listed(PagesManager.__init__)  # type: ignore[method-assign]


def _awaited(runner: local_script_runner.LocalScriptRunner, timeout: float = 3.0) -> None:
    """Wait for the end of a run, which AppTest looks for every millisecond: a tenth of all time."""
    if runner._script_thread is not None:
        runner._script_thread.join(timeout)
    if not runner.script_stopped():
        runner.request_stop()
        raise RuntimeError(f"The page has not been drawn in {timeout} seconds.")


local_script_runner.require_widgets_deltas = _awaited


class Page(AppTest):
    """A page that shows no exception, whatever is done there; a fold that was opened stays open."""

    unfolded: frozenset[str] = frozenset()  # older AppTests forget them after one run

    def _run(self, *given: Any, **more: Any) -> AppTest:
        for key in self.unfolded:
            self.session_state[key] = True
        super()._run(*given, **more)
        assert not self.exception
        return self


def at(app: AppTest, page: str) -> AppTest:
    """Turn to a page; the next run shows it."""
    app._page_hash = calc_hash(page)
    return app


def open_page(page: str, folder: Path = ROOT, /, **query: str) -> AppTest:
    """Open a page by a link of its own, in a new session; `folder` holds app.py."""
    app = Page(str(folder / "app.py"), default_timeout=300)
    app.query_params.update(query)
    return at(app, page).run()


def unfold(app: AppTest, title: str) -> AppTest:
    """Open the fold, or else the box, whose title begins so; what is shut is not drawn."""
    folds = [one for one in app.get("expander") if one.label.startswith(title)]
    boxes = [one for one in app.get("popover") if title in one.proto.popover.label]
    return _open(app, (folds or boxes)[:1])


def details(app: AppTest) -> AppTest:
    """Open what may be taken away of every figure."""
    return _open(app, [one for one in app.get("popover") if is_details(one)])


def asked_chip(app: AppTest, name: str) -> AppTest:
    """Open one of the assumptions of a decision; it stays open."""
    return _open(app, [one for one in app.get("popover") if _key(one) == f"chip_{name}"])


def asked(app: AppTest, name: str) -> Any:
    """Return the list in which an assumption of a decision is changed."""
    key = f"if_{name}"
    return (app if any(x.key == key for x in app.selectbox) else asked_chip(app, name)).selectbox(
        key=key
    )


def is_details(block: Any) -> bool:
    """Whether a box is one of what may be taken away of a figure."""
    return bool(block.proto.popover.label == DETAILS)


def _open(app: AppTest, blocks: list[Any]) -> AppTest:
    keys = [_key(one) for one in blocks]
    assert keys
    for key in keys:
        app.session_state[key] = True
    if isinstance(app, Page):
        app.unfolded |= {*keys}
    return app.run()


def _key(block: Any) -> str:
    """The name of a block's widget, which ends its id."""
    return str(block.proto.id.split("-", 2)[-1])


def everything(app: AppTest) -> str:
    """All text that a page shows, but for labels and tables."""
    kinds = (
        *(app.title, app.header, app.subheader, app.markdown, app.caption, app.code),
        *(app.metric, app.error, app.warning, app.info, app.success),
    )
    return " ".join(str(element.value) for kind in kinds for element in kind)


def button(app: AppTest, label: str) -> Any:
    """Return the button of this name; boxes are opened for one that stands in one."""
    found = [one for one in app.button if one.label == label]
    return found[0] if found else next(b for b in unbox(app).button if b.label == label)


def unbox(app: AppTest) -> AppTest:
    """Open all boxes, which close when what they ask for is done."""
    return _open(app, [one for one in app.get("popover") if "_box_" in one.proto.id])


def unfield(app: AppTest) -> AppTest:
    """Open the folds of a run's fields, one of which may hold others."""
    while folds := [x for x in app.get("expander") if "-live_" in x.proto.id and not x.children]:
        _open(app, folds)
    return app


def press(app: AppTest, label: str) -> AppTest:
    """Press a button and see the page run."""
    button(app, label).click().run()
    return app


def run_through(app: AppTest) -> Request:
    """Run what a page asks for: it draws itself again until the run has ended; what it asked."""
    press(app, "Run")
    assert all(one.label != "Stop" for one in app.button)
    return read_request(next(c.value for c in app.code if c.value.startswith("{")))


def send(app: AppTest, *states: WidgetState) -> AppTest:
    """Run a page as a browser asks for it whose widgets hold this, besides what they hold here."""
    sent = app._tree.get_widget_states()
    names = {state.id for state in states}
    kept = [state for state in sent.widgets if state.id not in names]
    del sent.widgets[:]
    sent.widgets.extend([*kept, *states])
    return app._run(sent)


def slider(app: AppTest, label: str) -> Any:
    """Return the slider whose label begins so."""
    return next(one for one in app.select_slider if one.label.startswith(label))


def box(app: AppTest, label: str) -> Any:
    """Return the box for text whose label begins so, of a run's folded fields if nowhere else."""
    if not any(one.label.startswith(label) for one in app.text_input):
        unfield(app)
    return next(one for one in app.text_input if one.label.startswith(label))


def enter(app: AppTest, widget: Any, value: object) -> AppTest:
    """Set a widget to a value and see the page run."""
    widget.set_value(value).run()
    return app


def drawing(app: AppTest, place: int = 0) -> Any:
    """Return what Plotly is told of one of a page's figures."""
    return json.loads(app.get("plotly_chart")[place].proto.spec)


def answer(app: AppTest) -> str:
    """What a page says first, below its title."""
    return str(app.markdown[0].value)


def told(app: AppTest) -> str:
    """All that a page refuses, warns of or asks for."""
    return " ".join(one.value for one in (*app.error, *app.warning, *app.info))


def lacks(text: str, *parts: str) -> list[str]:
    """The parts that a text is without."""
    return [part for part in parts if part not in text]


def query(app: AppTest, name: str) -> str:
    """A part of the address."""
    value = app.query_params[name]
    return value if isinstance(value, str) else value[0]


def linked(app: AppTest) -> Any:
    """Return study and scope in the address."""
    return codec.open_link(query(app, "study"))


def choice(app: AppTest, label: str) -> Any:
    """Return the list whose label begins so."""
    return next(one for one in app.selectbox if one.label.startswith(label))


def grid(app: AppTest, *columns: str) -> Any:
    """Return the first table that has these columns."""
    return next(one.value for one in app.dataframe if {*columns} <= {*one.value.columns})


def picture(app: AppTest) -> str:
    """The text of the one drawing on a screen."""
    (image,) = app.get("image")
    return base64.b64decode(image.proto.imgs[0].url.partition("base64,")[2]).decode()


def finished(tab: Tab, text: str) -> Any:
    """What a link to a tab asks for: a run, to its end, or a look."""
    made = tab.make(from_text(text, tab.usual))
    request = request_of(made)
    return deque(run(request), maxlen=1).pop() if request else made


def picture_data(app: AppTest, script: str) -> Any:
    """Return what the script of a picture gets."""
    found = (element.proto for element in app.get("bidi_component"))
    return json.loads(next(p.json for p in found if p.component_name == f"picture_{script}"))
