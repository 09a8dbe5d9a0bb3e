"""The app without a server: its static folder, with every address outside it blocked."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from rates.study import codec
from rates.study.presets import preset
from tests.benchmarks.wire import ROOT, free_port, wait_until_up
from tests.browser import conftest
from tests.browser.conftest import Visitor
from tests.browser.helpers import download, edit_cell, linked, read_rows, saved, type_in, use_rows
from tests.browser.layout import EVERY
from tests.browser.test_classification import LONG, SHORT, begun, button, markers
from tests.browser.test_study import upload

BUILT = "RATES_STATIC"  # a folder that was built already, to be quicker; or where it is built
PATIENT = 120_000  # milliseconds; Python runs at half its speed, on a busy machine at less
SITES = "Site\tRecords n\tBudget ε\tTarget\nOslo\t400\t0.5\tyes\nBergen\t1900\tnone\t"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """The address of a plain server of files."""
    if BUILT not in os.environ:
        pytest.skip(f"{BUILT} names no folder, built or new, which takes a minute to build.")
    folder = Path(os.environ[BUILT])
    if not (folder / "manifest.json").is_file():
        subprocess.run([sys.executable, ROOT / ".static" / "build.py", folder], check=True)
    (folder / "_stcore").mkdir(exist_ok=True)
    (folder / "_stcore" / "health").write_text("")  # what this suite's visitors ask for
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL)
    try:
        wait_until_up(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(15)


@pytest.fixture(scope="module")
def alone(site: str, chromium: Browser) -> Iterator[Visitor]:
    """One visitor for all: the app is loaded once."""
    screen = {"width": 1280, "height": 1100}
    context = chromium.new_context(viewport=screen, accept_downloads=True)
    context.set_default_timeout(PATIENT)
    one = Visitor(context.new_page(), site)
    inside = (site, "data:", "blob:")
    context.route(
        lambda url: not url.startswith(inside), lambda route: route.abort("blockedbyclient")
    )
    one.page.goto(f"{site}/overview/")
    one.page.wait_for_selector("h1")
    one.settle()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conftest, "PATIENCE", PATIENT / 1000)
        yield one
    context.close()


def to(one: Visitor, path: str) -> None:
    """Go to another page in the same session."""
    one.turn(path)
    one.settle()  # a run that asks for another begins it a moment later


@pytest.mark.parametrize("view", ["", "?view=present"])
@pytest.mark.parametrize("name", EVERY)
def test_every_page_opens_and_is_presented(alone, name, view):
    to(alone, f"/{name}{view}")
    assert alone.page.url.startswith(f"{alone.address}/{name}")
    back = alone.page.get_by_role("button", name="Back to the page")
    (back if view else alone.page.locator("h1").first).wait_for()
    alone.check()


def test_a_study_is_typed_and_its_report_saved(alone, visit):
    to(alone, "/study")
    read_rows(alone, SITES)
    use_rows(alone)
    for records in (500, 600):
        edit_cell(alone, row=0, column=2, value=str(records))
        alone.becomes(lambda: [s.n for s in linked(alone).servers], [records, 1900])
    there, found = visit(alone.path), {}
    for one in (alone, there):
        with zipfile.ZipFile(saved(one, "Report with all files")) as file:
            names = [name for name in file.namelist() if name.startswith("tables/")]
            found[one.address] = {name: file.read(name).decode() for name in names}
            pictures = any(name.endswith(".png") for name in file.namelist())
            assert pictures == (one is there)
            if one is alone:
                assert "a browser" in file.read("figures/README.txt").decode()
    here, known = found.values()
    assert here.keys() == known.keys()
    for name, text in known.items():
        agree(here[name], text)
    alone.check()


def agree(found: str, wanted: str) -> None:
    """Two texts are the same but for rounding in the last digits."""
    assert NUMBER.sub("#", found) == NUMBER.sub("#", wanted)
    for one, other in zip(NUMBER.findall(found), NUMBER.findall(wanted), strict=True):
        assert math.isclose(float(one), float(other), rel_tol=1e-12), (one, other)


def test_a_file_is_saved_and_brought_back(alone):
    study = preset("hospitals").study
    to(alone, f"/study?study={codec.to_link(study)}")
    path = saved(alone, "Study as JSON")
    type_in("Smoothness β, exact value", "0.7")(alone)
    alone.becomes(lambda: linked(alone).smoothness, 0.7)
    upload(alone, "study.json", path.read_bytes())
    alone.becomes(lambda: linked(alone), study)
    alone.check()


def test_a_live_run_is_stopped_and_repeated_with_the_server_s_numbers(alone, visit):
    to(alone, f"/classification?tab=rate&run={LONG}")
    begun(alone)
    assert alone.until(lambda: markers(alone) >= 12)
    button(alone, "stop").click()
    alone.expect("stopped after")
    link = f"/classification?tab=rate&run={SHORT}"
    there = visit(link)
    to(alone, link)
    texts = []
    for one in (alone, there):
        button(one, "run").click()
        one.expect("Run with seed 4 finished in")
        one.settle()
        lines = download(one, button(one, "csv")).read_text("utf-8").splitlines()
        texts.append("\n".join(line for line in lines if not line.startswith("#")))
    agree(*texts)
    alone.check()


def test_a_list_is_presented_and_no_room_is_offered(alone):
    to(alone, "/present?list=odds")
    alone.expect("What does ε = 1 promise?")
    assert not alone.page.get_by_role("button", name="Vote by phone").count()
    assert not (Path(os.environ[BUILT]) / "room").exists()
    alone.check()
