"""A page on the screen of a lecture room: its question and its main figure, all else folded.

Streamlit has no larger letters and no way to spare the margins, so a component of ours brings a
few lines of style; all of a page is sized by the letters of its root.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from pages.charts import Fields, Figure, spec, svg, theme, words
from pages.core import address
from pages.core.controls import button
from pages.framework import DeltaGenerator, StreamlitPage

VIEW, PRESENT = "view", "present"
_NOW = "stage"
_TALLER = 40.0  # of a figure, where the screen is no wider than 8 to 5
_LINE, _LETTERS = 19.0, 100  # of what a figure finds, above it


@dataclass(slots=True)
class _Stage:
    """What a run has of the screen.

    Attributes:
        screen: Where the question and the main figure stand; None where a page is not presented.
        titled: Whether the question has been drawn.
        full: Whether the main figure, or the way to it, has been drawn.
    """

    screen: DeltaGenerator | None = None
    titled: bool = False
    full: bool = False


def asked() -> bool:
    """Whether the address asks for a page to be presented."""
    return address.get(VIEW) == PRESENT


def begin() -> None:
    """Begin a run whose page stands as it is."""
    st.session_state[_NOW] = _Stage()


def style(sheet: str = "layout") -> None:
    """Lay the page out by one of the sheets here: `layout`, or `large` for a lecture room.

    It is for where nothing that it shows moves anything.
    """
    st.components.v2.component(sheet, css=sheet_text(sheet), isolate_styles=False)(key=sheet)


@functools.cache
def sheet_text(sheet: str) -> str:
    """Return a sheet of style here."""
    return (Path(__file__).parent / f"{sheet}.css").read_text("utf-8")


def title(question: str) -> None:
    """Draw the question that a page answers; a page that has it can be presented."""
    now = _now()
    now.titled = True
    (now.screen or st).title(question)


def take(drawn: Figure) -> bool:
    """Show a figure large if a page is presented and this is its first; return whether it was."""
    now = _now()
    if now.screen is None or now.full:
        return False
    now.full = True
    with now.screen:
        picture(drawn)
    return True


def picture(drawn: Figure, height: float = 300.0) -> None:
    """Draw a figure over the whole width; `height` is that of a width of 632.

    What it finds stands above it in the letters of the page. Of two drawings a screen shows the one
    that fills its height.
    """
    finding, bare = spec.headed(drawn.figure)
    if finding:
        st.markdown(words.md(finding))
        # What it finds and the figure share one screen.
        height -= _LINE * math.ceil(len(finding) / _LETTERS)
    ink = theme.INK[st.context.theme.type or "light"]
    look: Fields = {"ident": "large", "alt": drawn.alt, "width": svg.SCREEN, "ink": ink}
    tall = (height, height + _TALLER)
    shown = [svg.draw(bare, height=each, **look) for each in tall]
    st.image(shown, width="stretch", alt=[drawn.alt] * len(shown))


def first() -> bool:
    """Whether this is the first figure of a page that can be presented."""
    now = _now()
    found = now.titled and now.screen is None and not now.full
    now.full = now.full or found
    return found


def offer() -> None:
    """Offer the way to the screen."""
    button("Present this", PRESENT, _go, PRESENT, icon=":material/slideshow:", type="tertiary")


def show(page: StreamlitPage) -> None:
    """Run a page with its question and its first figure on the screen and all else folded."""
    style("large")
    screen = st.container()
    st.session_state[_NOW] = now = _Stage(screen=screen)
    foot = st.container(horizontal=True, vertical_alignment="top")
    with foot:
        button("Back to the page", "unpresent", _go, "", icon=":material/close:")
    with foot.expander("Controls and words"):
        page.run()
    # Not before the page has run: whether it has a figure shows then.
    if not now.full:
        screen.info("This view has no figure. The controls below change the view.")


def _go(view: str) -> None:
    address.write({VIEW: view})


def _now() -> _Stage:
    found: _Stage = st.session_state.setdefault(_NOW, _Stage())
    return found
