"""The address of a page, and what a browser sends along with it: the one place that knows both.

A browser sends the address along with every action. While actions follow each other quickly it
may still be the address before the last one, which must not undo them.

A session ends when a browser has been away for too long, or with the server. The browser goes on
with a new session, in which only the address is known, and says at once what its widgets hold: as
it left them, but for the first thing that the user does then.
"""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Collection, Mapping

import streamlit as st

from pages import framework
from rates.numbers import DomainError, Words

MADE = "made"  # parameter of a link that was taken away: the version that made it
PAGES = "pages"  # in the session: the pages of the app, by their names in an address
_SEEN, _TOUCHED, _PAGE, _HELD = "address_seen", "touched", "page", "browser_held"
_USER_KEY = 2  # an element's id is made of a mark, a number and the key, with dashes between


def touch() -> None:
    """Note that the user has just acted on a widget; for callbacks."""
    st.session_state[_TOUCHED] = True


def untouched() -> bool:
    """Whether this run comes from the address alone: a link, Back, Forward or a reload."""
    return not st.session_state.get(_TOUCHED, False)


def rest() -> None:
    """Forget the user's last action, at the end of a run."""
    st.session_state[_TOUCHED] = False


def enter(page: str) -> bool:
    """Note which page is being shown; return whether it is another than before."""
    memory = st.session_state
    if _HELD not in memory:
        parts = [name.split("-", _USER_KEY) for name in framework.brought()]
        memory[_HELD] = tuple(p[_USER_KEY] for p in parts if len(p) > _USER_KEY)
    if memory.get(_PAGE) == page:
        return False
    memory[_PAGE], memory[_SEEN] = page, {}
    return True


def page() -> str:
    """Return the page that is being shown, as the address names it."""
    return str(st.session_state.get(_PAGE, ""))


def held(pattern: str) -> re.Match[str] | None:
    """Return the last widget that the browser brought from a lost session, by its key."""
    keys = st.session_state.get(_HELD, ())
    return next(filter(None, (re.fullmatch(pattern, key) for key in reversed(keys))), None)


def get(name: str) -> str:
    """Return a parameter of the address; empty where it has none."""
    return st.query_params.get(name, "")


def everything() -> dict[str, str]:
    """Return the parameters of the address."""
    return dict(st.query_params)


def seen(key: str) -> Mapping[str, str] | None:
    """Return what was read or written last on this visit of the page; None before that."""
    found: Mapping[str, str] | None = st.session_state.get(_SEEN, {}).get(key)
    return found


def see(key: str, texts: Mapping[str, str]) -> None:
    """Note what was read, or is being written."""
    memory = st.session_state
    memory[_SEEN] = {**memory.get(_SEEN, {}), key: dict(texts)}


def write(texts: Mapping[str, str]) -> None:
    """Write parameters into the address, as one new entry of the history; empty ones go.

    What is asked for now is no longer what an earlier version linked.
    """
    # As one change: each would be an entry of the history.
    rest_ = {k: v for k, v in st.query_params.items() if k not in texts and k != MADE}
    st.query_params.from_dict({**rest_, **{k: v for k, v in texts.items() if v}})


def home() -> str:
    """Return where the visitor opened the app, without a page; empty where that is not known.

    The browser says so itself, so that no proxy and no port in between has to be known; in a
    frame of the same site it names the page around the frame.
    """
    names = st.session_state.get(PAGES, ())
    return opened_at(framework.opened(), names, str(st.get_option("server.baseUrlPath")))


def opened_at(url: str, names: Collection[str], base: str = "") -> str:
    """Return an address of the app without its page; empty where it is none of a page.

    Args:
        url: What the browser shows.
        names: Pages as addresses name them.
        base: The path below which the server knows that it is.

    >>> opened_at("http://h:8501/study", {"study"}), opened_at("https://h/a/study/", {"study"})
    ('http://h:8501', 'https://h/a')
    >>> opened_at("https://h/course.html", {"study"}), opened_at("file:///a/study", {"study"})
    ('', '')
    """
    parts = urllib.parse.urlsplit(url)
    if not parts.netloc or parts.scheme not in ("http", "https"):
        return ""
    path = parts.path.rstrip("/")
    folder, _, name = path.rpartition("/")
    if path.strip("/") == base.strip("/"):
        folder = path
    elif not name or name not in names:
        return ""
    return urllib.parse.urlunsplit((parts.scheme, parts.netloc, folder, "", ""))


def takes_files() -> bool:
    """Whether the browser may send files: none from a frame that keeps the server's cookie away."""
    guarded = bool(st.get_option("server.enableXsrfProtection"))
    return not (guarded and st.context.is_embedded) or "_streamlit_xsrf" in st.context.cookies


def alone() -> str:
    """Return the address of this page outside a frame."""
    # Outside a frame the bars are wanted again.
    query = {k: v for k, v in everything().items() if not k.startswith("embed")}
    return f"{home()}/{page()}?{urllib.parse.urlencode(query)}"


def part(link: str, name: str, rule: str) -> str:
    """Return a parameter of a pasted link, or the text itself where it is only that.

    Raises:
        DomainError: It is no address, or nothing stands there; ``rule`` says what should.
    """
    text = link.strip()
    try:
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(text).query)
    except ValueError:  # an address that is none, such as http://[::1
        raise DomainError(rule, field="link", value=text) from None
    given = query.get(name, [text])[0]
    if not given:
        raise DomainError(rule, field="link", value=Words("an empty field"))
    return given
