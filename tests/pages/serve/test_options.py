"""Options of Streamlit are read without its lock, and are what they are with it."""

from __future__ import annotations

import threading

import pytest
from streamlit import config

from pages.serve import options


@pytest.fixture(autouse=True)
def unlocked(monkeypatch):
    """The plain way to an option, which stands again afterwards."""
    plain = config.get_option
    monkeypatch.setattr(config, "get_option", plain)
    options.unlocked()
    return plain


def test_every_option_is_what_it_was(unlocked):
    keys = list(config.get_config_options())
    assert len(keys) > 50
    assert [config.get_option(key) for key in keys] == [unlocked(key) for key in keys]


def test_one_that_is_not_there_is_refused_as_ever():
    with pytest.raises(RuntimeError, match="not defined"):
        config.get_option("server.nothing")


def test_a_changed_option_is_seen(monkeypatch):
    before = config.get_option("client.toolbarMode")
    try:
        config.set_option("client.toolbarMode", "minimal")
        assert config.get_option("client.toolbarMode") == "minimal"
    finally:
        config.set_option("client.toolbarMode", before)


def test_nobody_waits_for_who_holds_the_lock():
    with config._config_lock:
        found: list[object] = []
        other = threading.Thread(
            target=lambda: found.append(config.get_option("server.port")), daemon=True
        )
        other.start()
        other.join(10)
        assert len(found) == 1


def test_it_is_laid_around_once(unlocked):
    once = config.get_option
    options.unlocked()
    assert config.get_option is once


def test_another_streamlit_is_left_as_it_is(unlocked, monkeypatch):
    monkeypatch.delattr(config, "_config_options")
    monkeypatch.setattr(config, "get_config_options", dict)
    with pytest.raises(RuntimeError, match="not defined"):
        config.get_option("server.port")
