"""The app on the one thread that a browser gives: what the page is told, when, and what not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sims.classroom import RoomError, Rooms
from tests.house.tree import ROOT

# Streamlit itself is rewired there, so it runs in a process of its own, with the page played.
PLAYED = """
import asyncio, json, sys, types
sys.path.insert(0, sys.argv[1])
sys.modules["js"] = types.SimpleNamespace(URL=None, Blob=None, Object=None)
sys.modules["pyodide"] = types.ModuleType("pyodide")
sys.modules["pyodide.ffi"] = types.SimpleNamespace(to_js=lambda given: given)
import alone
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

alone.APP, alone.PAUSE = sys.argv[2], 0.0  # as where the processor is taken
log = sys.modules["log"] = types.ModuleType("log")
log.said, log.runs, ended = [], 0, asyncio.Event()

def message(data):
    one = ForwardMsg()
    one.ParseFromString(data)
    kind = one.WhichOneof("type")
    log.said.append(one.delta.new_element.markdown.body if kind == "delta" else kind)
    if kind == "script_finished" and log.runs == 2:
        ended.set()

async def play():
    told = types.SimpleNamespace(message=message, shown=lambda: None)
    app = await alone.start({}, told)
    app.connect()
    asked = BackMsg()
    asked.rerun_script.query_string = ""
    data = types.SimpleNamespace(to_bytes=asked.SerializeToString)
    log.ask = lambda: asyncio.get_running_loop().call_soon(app.receive, data)
    app.receive(data)
    await asyncio.wait_for(ended.wait(), 60)

asyncio.run(play())
print(json.dumps(log.said))
"""
SCRIPT = """
import log
import streamlit as st

log.runs += 1
log.said.append(f"run {log.runs}")
if log.runs == 1:
    log.ask()  # the visitor does something while the script runs
st.markdown(f"shown by {log.runs}")
"""


def test_a_run_is_told_before_it_begins_and_what_it_shows_though_another_is_asked(tmp_path: Path):
    (tmp_path / "app.py").write_text(SCRIPT, "utf-8")
    command = [sys.executable, "-c", PLAYED, str(ROOT / ".static" / "browser"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    said = json.loads(done.stdout.splitlines()[-1])
    kept = [one for one in said if one.startswith(("run", "shown", "new_", "script_"))]
    once = ["new_session", "run {0}", "shown by {0}", "script_finished"]
    assert kept == [one.format(k) for k in (1, 2) for one in once]


def test_a_room_says_that_it_needs_a_server(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.platform", "emscripten")
    with pytest.raises(RoomError, match=r"needs a server that phones can reach"):
        Rooms(tmp_path / "rooms.sqlite")
