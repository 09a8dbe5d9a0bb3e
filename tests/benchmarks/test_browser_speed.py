"""Key press to redraw, cold start and server time of the app, against trivial apps in one run."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import streamlit as st
from playwright.sync_api import Page, sync_playwright
from streamlit.testing.v1 import AppTest

from tests.browser.conftest import FLAGS, free_port, wait_until_up

pytestmark = [pytest.mark.benchmark, pytest.mark.browser]
ROOT = Path(__file__).resolve().parents[2]

SLIDER = """
import streamlit as st
x = st.slider("alpha", 0, 100, 50)
st.write(f"value {x}")
"""
PLOT = """
import streamlit as st
import plotly.graph_objects as go
x = st.slider("alpha", 0, 100, 50)
st.plotly_chart(go.Figure(go.Bar(x=[1, 2, 3], y=[1, x, 3])))
"""


@contextmanager
def served(script: Path) -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    options = [f"--server.port={port}", "--server.headless=true", "--server.fileWatcherType=none"]
    process = subprocess.Popen(
        command + options, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(15)


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell") or shutil.which("chromium"),
            args=FLAGS,
        )
        yield chromium
        chromium.close()


def redraws(page: Page, slider: str, watched: str, times: int = 12) -> float:
    """Median milliseconds from a key press on a slider to a change of the watched text."""
    page.locator(slider).wait_for()
    page.wait_for_timeout(1500)
    out = []
    for turn in range(times):
        page.locator(slider).focus()
        before = "|".join(page.locator(watched).all_inner_texts())
        key = "ArrowRight" if turn % 2 == 0 else "ArrowLeft"
        script = """([selector, before]) => { window.__seen = new Promise(done => {
            const since = () => performance.now() - window.__start;
            const text = () => [...document.querySelectorAll(selector)]
                .map(node => node.innerText).join("|");
            const look = () => text() !== before
                || since() > 20000 ? done(since()) : requestAnimationFrame(look);
            window.__start = performance.now(); look(); }) }"""
        page.evaluate(script, [watched, before])
        page.keyboard.press(key)
        out.append(page.evaluate("window.__seen"))
        assert out[-1] < 20_000, f"{page.url}: {watched} did not change from {before!r}"
        page.wait_for_timeout(400)
    return statistics.median(out)


def test_key_press_to_redraw(browser, tmp_path):
    trivial = tmp_path / "trivial.py"
    trivial.write_text(SLIDER)
    with served(trivial) as base, served(ROOT / "app.py") as app:
        wait_until_up(base)
        wait_until_up(app)
        page = browser.new_page()
        page.goto(base)
        floor = redraws(page, "input[type=range]", "[data-testid=stMarkdown] p")
        page.goto(f"{app}/study")
        slider = 'input[type=range][aria-label="Smoothness β"]'
        study = redraws(page, slider, "[data-testid=stMetricValue]")
        page.goto(f"{app}/overview")
        overview = redraws(page, "input[type=range]", "[data-testid=stMain] p strong")
        page.goto(f"{app}/phases")
        slider = 'input[type=range][aria-label="Sources\' budget ε"]'
        phases = redraws(page, slider, "[data-testid=stMain] p strong")
        page.close()
    print(f"\nphases {phases:.0f} ms")
    print(f"trivial {floor:.0f} ms, study {study:.0f} ms, overview {overview:.0f} ms")
    assert study <= 3 * floor
    assert overview <= 3 * floor
    assert phases <= 3 * floor


def test_cold_start(browser, tmp_path):
    plot = tmp_path / "plot.py"
    plot.write_text(PLOT)

    def start(script: Path, path: str) -> float:
        begun = time.perf_counter()
        with served(script) as address:
            wait_until_up(address)
            page = browser.new_context().new_page()
            page.goto(f"{address}{path}")
            page.locator(".js-plotly-plot .bars path").first.wait_for(
                state="attached", timeout=60_000
            )
            page.locator("input[type=range]").first.wait_for()
            page.context.close()
            return time.perf_counter() - begun

    trivial, app = [], []
    for _ in range(3):
        trivial.append(start(plot, ""))
        app.append(start(ROOT / "app.py", "/study"))
    ratio = statistics.median(app) / statistics.median(trivial)
    print(
        f"\ncold: trivial {statistics.median(trivial):.2f} s, study {statistics.median(app):.2f} s"
    )
    assert ratio <= 1.7


def test_server_part(monkeypatch):
    """Processor time of the page itself, after one slider has moved."""
    spent: list[float] = []
    run = st.Page.run

    def timed(page: st.Page) -> None:
        begun = time.process_time()
        run(page)
        spent.append(1000 * (time.process_time() - begun))

    monkeypatch.setattr(st.Page, "run", timed)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30).run()
    app.switch_page("pages/study.py").run()
    spent.clear()
    for turn in range(13):
        slider = next(s for s in app.select_slider if s.label == "Smoothness β")
        slider.set_value(round(0.2 + 0.05 * turn, 2))
        app.run()
    print(f"\nserver part of one change on study: {statistics.median(spent):.1f} ms")
    assert statistics.median(spent) < 30
