"""Before the first page: settings that hold, what is loaded ahead, and nothing of the machine."""

from __future__ import annotations

import io
import re
import socket
import subprocess
import sys
import threading
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartParser
from streamlit import config
from streamlit.testing.v1 import AppTest
from streamlit.web.server.app_discovery import discover_asgi_app

import pages.core  # noqa: F401  (sets how uploads are parsed)
from pages import framework
from pages.serve import command
from tests.benchmarks.phones import apart
from tests.house.tree import ROOT

SETTINGS = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
OURS = str(Path(sys.prefix).parent)


# The command --------------------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch):
    """What Streamlit is asked for."""
    got = {}
    fake = SimpleNamespace(run=lambda *, config: got.update(config))
    modules = {"app": SimpleNamespace(app=fake), "pages.framework": framework}
    monkeypatch.setattr(command, "import_module", modules.__getitem__)
    return got


@pytest.mark.parametrize(("share", "address"), [([], "localhost"), (["--share"], "0.0.0.0")])
def test_the_settings_hold_and_the_rest_of_the_world_is_asked_for(
    asked, capsys, share, address, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    assert command.main(["--quiet", "--path=/course/rates/", *share]) == 0
    assert asked["browser.gatherUsageStats"] is SETTINGS["browser"]["gatherUsageStats"] is False
    client = [SETTINGS["client"][name] for name in ("showErrorLinks", "toolbarMode")]
    assert [asked["runner.fastReruns"], *client] == [False, False, "viewer"]
    assert asked["theme.dark.linkColor"] == SETTINGS["theme"]["dark"]["linkColor"]
    assert (asked["server.address"], asked["server.baseUrlPath"]) == (address, "course/rates")
    assert ("no password" in capsys.readouterr().out) is bool(share)


def test_it_serves_though_nobody_takes_its_address(asked, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert command.main(["--quiet"]) == 0
    assert asked["server.headless"]
    assert "must take what is printed" in capsys.readouterr().err


def refused(capsys, *given: str) -> str:
    """Why the command does not start."""
    with pytest.raises(SystemExit, match="2"):
        command.main([*given])
    return capsys.readouterr().err


def test_what_cannot_be_done_is_one_sentence_and_it_does_not_start(
    asked, monkeypatch, capsys, tmp_path
):
    for path in ("a b", "..", "a//b", "é", "a?b"):
        assert "words of letters" in refused(capsys, f"--path={path}")
    for port in (0, 65536, -1):
        assert "a whole number from 1 to 65535" in refused(capsys, f"--port={port}")
    with socket.create_server(("localhost", 0)) as held:
        port = held.getsockname()[1]
        said = refused(capsys, f"--port={port}")
    assert f"--port {port}: Address already in use; give another" in said
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "files", lambda name: [])
    assert "settings are missing: install private-rates again" in refused(capsys)
    assert asked == {}


# What is loaded ahead -----------------------------------------------------------------------------

LOADED = """
import sys
from pages.serve import warm
warm.shown()
warm.begin().join()
needed = {"pages.overview", "pages.study.page"}
missing = {"scipy.special", *needed} - {*sys.modules}
assert not missing, missing
assert sys.modules["rates.ledger"].entries.cache_info().currsize
before = {name for name in sys.modules if name.startswith(("pages", "rates", "sims", "scipy"))}
import pages.overview, pages.study.page, pages.plan.report
assert before == {*before, *(n for n in sys.modules if n.startswith(("pages", "rates", "sims")))}
"""


def test_what_the_first_pages_need_is_loaded_beside_the_server() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], check=False, cwd=ROOT, stderr=subprocess.PIPE
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")


def test_streamlit_finds_the_app():
    assert discover_asgi_app(ROOT / "app.py").import_string == "app:app"


# Options without their lock -----------------------------------------------------------------------


def test_every_option_is_what_it_was_and_nobody_waits_for_the_lock(monkeypatch):
    plain = config.get_option
    monkeypatch.setattr(config, "get_option", plain)  # stands again afterwards
    framework.unlock()
    once, keys = config.get_option, list(config.get_config_options())
    framework.unlock()
    assert config.get_option is once
    assert [once(key) for key in keys] == [plain(key) for key in keys] != []
    with config._config_lock:
        found: list[object] = []
        other = threading.Thread(target=lambda: found.append(once("server.port")), daemon=True)
        other.start()
        other.join(10)
        assert len(found) == 1
    with pytest.raises(RuntimeError, match="not defined"):
        once("server.nothing")


# Nothing of the machine in what a visitor sees, and no upload on its disk ------------------------


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
    (shown,) = AppTest.from_function(broken).run().exception
    said = str(shown.proto)
    assert shown.proto.type == "FileNotFoundError"
    assert not re.search(rf"secret|/srv|\.py|{OURS}|no such file|[\w.]+/[\w.]+/\w+", said), said


def test_the_largest_upload_stays_in_memory():
    most = SETTINGS["server"]["maxUploadSize"] * 2**20
    head = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n'

    async def sent():
        yield head + b"1" * most + b"\r\n--x--\r\n"

    async def received() -> UploadFile:
        headers = Headers({"content-type": "multipart/form-data; boundary=x"})
        return (await MultiPartParser(headers, sent()).parse())["f"]

    with apart(received()).file as file:
        assert isinstance(file._file, io.BytesIO)  # and no file of the system
        assert len(file.read()) == most
