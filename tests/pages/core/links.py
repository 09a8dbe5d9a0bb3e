"""What tests read in an address, and what they write into one."""

from __future__ import annotations

import urllib.parse
from typing import Any

from streamlit.testing.v1 import AppTest

from pages.core import UrlState


def asked(app: AppTest, bound: UrlState[Any]) -> Any:
    """Return what the address of an app asks for."""
    given = {name: app.query_params.get(name, "") for name in bound.names}
    texts = {name: v if isinstance(v, str) else v[0] for name, v in given.items()}
    return bound.read({name: text for name, text in texts.items() if text})


def asked_by(url: str, bound: UrlState[Any]) -> Any:
    """Return what a browser's address asks for."""
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)
    return bound.read({name: query[name][0] for name in bound.names if name in query})


def linked(bound: UrlState[Any], value: Any) -> str:
    """Return the text of a link to a record with one parameter; empty for what is usual."""
    return bound.link(value).get(bound.parameter, "")
