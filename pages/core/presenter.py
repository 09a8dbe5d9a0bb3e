"""A page on the screen of a lecture room: its question and its main figure, all else folded.

Streamlit has no larger letters and no way to spare the margins, so a component of ours brings a
few lines of style; all of a page is sized by the letters of its root.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import StreamlitPage

from pages.charts import Fields, Figure, spec, svg, theme, words
from pages.core import address
from pages.core.controls import button

VIEW, PRESENT = "view", "present"
_NOW = "stage"
_TALLER = 40.0  # of a figure, where the screen is no wider than 8 to 5
_LINE, _LETTERS = 19.0, 100  # of what a figure finds, above it
_STYLE = """
html { font-size: max(22px, 1.72vw) !important; }
h1 { font-size: 1.25rem !important; padding: 0 !important; }
[data-testid=stHeading] [data-testid=stMarkdownContainer] { margin: 0 !important; }
[data-testid=stHeader], .st-key-large { display: none; }
[class*=st-key-twin_] { display: none; }
[data-testid=stMain]:focus-visible::before { display: none !important; }
[data-testid=stImageContainer] + [data-testid=stImageContainer] { display: none; }
@media (max-aspect-ratio: 5/3) {
    [data-testid=stImageContainer]:has(+ [data-testid=stImageContainer]) { display: none; }
    [data-testid=stImageContainer] + [data-testid=stImageContainer] { display: block; }
}
.st-key-words p { font-size: 1.4rem; line-height: 1.45; }
.st-key-foot { position: fixed; bottom: 0.5rem; left: 1rem; right: 1rem; width: auto; }
[data-testid=stMainBlockContainer] { padding: 0.4rem 1rem !important; }
[data-testid=stMainBlockContainer] [data-testid=stVerticalBlock] { gap: 0.4rem; }
[data-testid=stMain] :is(button, summary, label) p,
:is([data-testid=stCaptionContainer], [data-testid=stPageLink]) p { font-size: 1rem !important; }
"""


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


def large() -> None:
    """Make all letters of the page as large as a screen for a class needs them."""
    st.components.v2.component("large", css=_STYLE, isolate_styles=False)(key="large")


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
        height -= _LINE * math.ceil(len(finding) / _LETTERS)
    ink = theme.INK[st.context.theme.type or "light"]
    look: Fields = {"width": svg.SCREEN, "ink": ink}
    shown = [
        svg.draw(bare, ident="large", alt=drawn.alt, height=tall, **look)
        for tall in (height, height + _TALLER)
    ]
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
    large()
    screen = st.container()
    st.session_state[_NOW] = now = _Stage(screen=screen)
    foot = st.container(horizontal=True, vertical_alignment="top")
    with foot:
        button("Back to the page", "unpresent", _go, "", icon=":material/close:")
    with foot.expander("Controls and words"):
        page.run()
    if not now.full:
        screen.info("This view has no figure. The controls below change the view.")


def _go(view: str) -> None:
    address.write({VIEW: view})


def _now() -> _Stage:
    found: _Stage = st.session_state.setdefault(_NOW, _Stage())
    return found
