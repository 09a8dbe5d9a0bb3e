"""How phones find a room: its address as a code to photograph, or why it would not work."""

from __future__ import annotations

import io
import re
import urllib.parse

import segno
import streamlit as st

from pages.charts import words
from pages.core import address

_BASE = "room_base"
_BESIDE = 800  # pixels of the words beside the code; below it where there are fewer
_HOST = re.compile(r"[A-Za-z0-9.\-]{1,253}(:[0-9]{1,5})?|\[[0-9A-Fa-f:]+\](:[0-9]{1,5})?")
BLOCKED = (
    "If phones wait in vain: the computer's firewall may refuse the port; a guest network often "
    "keeps its devices apart, then a phone's own hotspot joins them; and a phone on mobile data is "
    "in another network. Without any network, count hands on this screen."
)


def draw(code: str) -> None:
    """Draw the code and the address for phones, or ask for an address that they can reach."""
    base = st.session_state.get(_BASE) or address.home()
    if address.loopback(base):
        st.warning(
            "This page was opened by an address that only this computer knows, so no phone can "
            "use it. Start the app so that it listens on the network "
            "(`private-rates --share`), and type this computer's address in it."
        )
        _ask(base)
        return
    link = f"{base}/room?room={urllib.parse.quote(code)}"
    row = st.container(horizontal=True)  # side by side: the lecturer's key has to fit below
    row.image(picture(link), width=280, alt=f"Code to photograph; it leads to {link}")
    beside = row.container(width=_BESIDE)
    beside.markdown(f"**{words.md(link)}**")
    beside.caption(BLOCKED)


def _ask(base: str) -> None:
    with st.form("lan", border=False):
        given = st.text_input(
            "This computer's address in the network, such as 192.168.1.20:8501", max_chars=300
        )
        if not st.form_submit_button("Use it"):
            return
    found = typed(given, base)
    if not found:
        st.error(
            "An address is a name or number of a computer that others reach, with its port if it "
            f"has one; got {words.md(given[:60]) or 'an empty field'}."
        )
        return
    st.session_state[_BASE] = found
    st.rerun()


def typed(given: str, base: str) -> str:
    """Return the app's address at a host that was typed; empty if it is none that others reach.

    >>> typed("192.168.1.20:8501", "http://localhost:8501/app")
    'http://192.168.1.20:8501/app'
    >>> typed("localhost:8501", ""), typed("a b", "")
    ('', '')
    """
    scheme, _, rest = given.strip().rpartition("://")
    host = rest.split("/")[0]
    if scheme not in ("", "http", "https") or not _HOST.fullmatch(host):
        return ""
    folder = urllib.parse.urlsplit(base).path
    found = f"{scheme or 'http'}://{host}{folder}".rstrip("/")
    return "" if address.loopback(found) else found


def picture(link: str) -> str:
    """Return a link as a QR code, an SVG on white."""
    held = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        held, kind="svg", border=4, xmldecl=False, omitsize=True, light="#fff"
    )
    return held.getvalue().decode()
