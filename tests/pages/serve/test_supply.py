"""Nothing of the machine in what a visitor sees, and no upload on its disk."""

from __future__ import annotations

import asyncio
import io
import re
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartParser
from streamlit import config
from streamlit.testing.v1 import AppTest

import pages.core  # noqa: F401  (sets how uploads are parsed)
from tests.house.tree import ROOT

SETTINGS = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
OURS = str(Path(sys.prefix).parent)


@pytest.fixture
def as_served():
    """The options of the app, as a server takes them."""
    name = "client.showErrorDetails"
    before = config.get_option(name)
    config.set_option(name, SETTINGS["client"]["showErrorDetails"])
    yield
    config.set_option(name, before)


def broken() -> None:
    """A page that fails in a way that names a file and a secret."""
    import streamlit as st

    st.title("Before")
    raise FileNotFoundError(2, "no such file", "/srv/secret/place")


def test_an_error_shows_its_type_alone(as_served):
    app = AppTest.from_function(broken).run()
    (shown,) = app.exception
    said = str(shown.proto)
    assert shown.proto.type == "FileNotFoundError"
    for hidden in ("secret", "/srv", ".py", OURS, "no such file"):
        assert hidden not in said
    assert not re.search(r"[\w.]+/[\w.]+/\w+", said), said


def test_the_settings_send_and_show_nothing():
    assert SETTINGS["browser"]["gatherUsageStats"] is False
    assert SETTINGS["client"]["showErrorLinks"] is False
    assert SETTINGS["client"]["toolbarMode"] == "viewer"


def test_the_largest_upload_stays_in_memory():
    most = SETTINGS["server"]["maxUploadSize"] * 2**20
    head = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n'

    async def sent():
        yield head + b"1" * most
        yield b"\r\n--x--\r\n"

    async def received() -> UploadFile:
        headers = Headers({"content-type": "multipart/form-data; boundary=x"})
        return (await MultiPartParser(headers, sent()).parse())["f"]

    with ThreadPoolExecutor(1) as apart:  # other tests may leave an event loop in this thread
        upload = apart.submit(lambda: asyncio.run(received())).result()
    with upload.file as file:
        assert isinstance(file._file, io.BytesIO)  # and no file of the system
        assert len(file.read()) == most
