"""What tests read in an address, and what they write into one."""

from __future__ import annotations

import urllib.parse
from typing import Any

from streamlit.testing.v1 import AppTest

from pages.core import UrlState
from tests.pages import driver


def asked(app: AppTest, bound: UrlState[Any]) -> Any:
    """Return what the address of an app asks for."""
    return bound.read({x: driver.query(app, x) for x in bound.names if x in app.query_params})


def asked_by(url: str, bound: UrlState[Any]) -> Any:
    """Return what a browser's address asks for."""
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)
    return bound.read({name: query[name][0] for name in bound.names if name in query})


def linked(bound: UrlState[Any], value: Any) -> str:
    """Return the text of a link to a record with one parameter; empty for what is usual."""
    return bound.link(value).get(bound.parameter, "")
