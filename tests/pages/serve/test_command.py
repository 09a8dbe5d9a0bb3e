"""The command: its settings hold over others', and what cannot be done is one sentence."""

from __future__ import annotations

import socket
import tomllib
from types import SimpleNamespace

import pytest

from pages.serve import command

TAKEN = "private-rates: --port {0} is taken: give another, as --port {1}.\n"


@pytest.fixture
def asked(monkeypatch):
    """What Streamlit is asked for."""
    got = {}
    fake = SimpleNamespace(
        load_config_options=got.update,
        run_asgi_app=lambda script, app, *_: got.update(script=script, app=app),
    )
    monkeypatch.setattr(command, "import_module", lambda name: fake)
    return got


@pytest.mark.parametrize(("share", "address"), [([], "localhost"), (["--share"], "0.0.0.0")])
def test_the_settings_hold_and_the_rest_of_the_world_is_asked_for(
    asked, capsys, share, address, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    assert command.main(["--quiet", *share]) == 0
    ours = tomllib.loads((command.ROOT / ".streamlit/config.toml").read_text("utf-8"))
    assert asked["browser.gatherUsageStats"] is ours["browser"]["gatherUsageStats"] is False
    assert asked["runner.fastReruns"] is False
    assert asked["theme.dark.linkColor"] == ours["theme"]["dark"]["linkColor"]
    assert asked["server.address"] == address
    assert (asked["script"], asked["app"]) == (str(command.ROOT / "app.py"), "app:app")
    assert ("no password" in capsys.readouterr().out) is bool(share)


def test_a_taken_port_is_one_sentence(asked, capsys):
    with socket.create_server(("localhost", 0)) as held:
        port = held.getsockname()[1]
        with pytest.raises(SystemExit, match="2"):
            command.main(["--port", str(port)])
    assert capsys.readouterr().err == TAKEN.format(port, port + 1)
    assert asked == {}


def test_a_path_is_told_and_one_that_is_none_is_one_sentence(asked, capsys):
    assert command.main(["--quiet", "--path=/course/rates/"]) == 0
    assert asked["server.baseUrlPath"] == "course/rates"
    assert "/course/rates (" in capsys.readouterr().out
    for path in ("a b", "..", "a//b", "é", "a?b"):
        with pytest.raises(SystemExit, match="2"):
            command.main([f"--path={path}"])
        assert "--path must be words of letters" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["0", "65536", "-1"])
def test_a_port_that_is_none(asked, capsys, port):
    with pytest.raises(SystemExit, match="2"):
        command.main([f"--port={port}"])
    assert "must be a whole number from 1 to 65535" in capsys.readouterr().err


def test_without_settings_it_does_not_start(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "files", lambda name: [])
    with pytest.raises(SystemExit, match="2"):
        command.main([])
    assert "settings are missing: install private-rates again" in capsys.readouterr().err
