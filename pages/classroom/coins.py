"""Two buttons that toss coins in the browser: only the noisy bit leaves the phone.

A button of Streamlit would send the answer itself. What this one needs for its tosses comes with
the page, so a phone trusts the page that the server sends, and nobody after that.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

_HTML = (
    '<div class="both"><button type="button">Yes</button><button type="button">No</button></div>'
)
_CSS = """
.both { display: grid; gap: 0.75rem; }
button { min-height: 3rem; font: inherit; font-size: 1.1rem; border-radius: 0.5rem;
  border: 1px solid var(--st-primary-color); background: var(--st-background-color);
  color: var(--st-text-color); cursor: pointer; }
button:hover, button:focus-visible { background: var(--st-secondary-background-color);
  outline: 2px solid var(--st-primary-color); }
button:disabled { opacity: 0.6; cursor: default; }
"""
# 53 bits of a toss, as a double has them, against the chance that the answer passes unchanged.
_JS = """
export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const buttons = [...parentElement.querySelectorAll("button")];
  const toss = () => {
    const [high, low] = crypto.getRandomValues(new Uint32Array(2));
    return (high * 2 ** 21 + (low >>> 11)) / 2 ** 53;
  };
  buttons.forEach((button, place) => {
    button.onclick = () => {
      buttons.forEach((one) => { one.disabled = true; });
      const yes = place === 0;
      setTriggerValue("bit", Number(toss() < data.kept ? yes : !yes));
    };
  });
}
"""


def buttons(key: str, kept: float, take: Callable[[object], None]) -> None:
    """Draw the two buttons.

    Args:
        key: Widget key, new for every question.
        kept: The chance that an answer leaves the phone unchanged.
        take: Called with the bit that left the phone.
    """

    def sent() -> None:
        take(getattr(st.session_state.get(key), "bit", None))

    _component()(key=key, data={"kept": kept}, on_bit_change=sent)


def _component() -> Callable[..., object]:
    return st.components.v2.component("coins", html=_HTML, css=_CSS, js=_JS)
