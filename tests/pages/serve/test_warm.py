"""A server starts at once, and loads beside it what its first visitor needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from streamlit.web.server.app_discovery import discover_asgi_app

from pages.serve import warm

ROOT = Path(__file__).resolve().parents[3]
LOADED = """
import gc, sys
from pages.serve import warm
warm.expect("phases")
warm.shown()
warm.begin().join()
assert gc.isenabled() and gc.get_freeze_count()
needed = {f"pages.{name}.page" for name in ("overview", "phases", "study")}
missing = {"scipy.special", *needed} - {*sys.modules}
assert not missing, missing
assert sys.modules["rates.statements"].statements.cache_info().currsize
before = {name for name in sys.modules if name.startswith(("pages", "rates", "sims", "scipy"))}
import pages.overview.page, pages.study.page, pages.plan.report
assert before == {*before, *(n for n in sys.modules if n.startswith(("pages", "rates", "sims")))}
"""


def test_streamlit_finds_the_app_that_begins_to_load() -> None:
    assert discover_asgi_app(ROOT / "app.py").import_string == "app:app"


def test_what_the_first_pages_need_is_loaded_beside_the_server() -> None:
    command = [sys.executable, "-c", LOADED]
    done = subprocess.run(command, check=False, cwd=ROOT, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr.decode()) == (0, "")


def test_nothing_is_begun_where_there_are_no_threads(monkeypatch) -> None:
    monkeypatch.setattr(warm.sys, "platform", "emscripten")
    assert warm.begin() is None
