"""Control to redraw, cold start and server time of the app, against a trivial app in one run."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from tests.benchmarks.phones import spent
from tests.benchmarks.wire import free_port, wait_until_up
from tests.browser.conftest import FLAGS

pytestmark = [pytest.mark.benchmark, pytest.mark.browser]
ROOT = Path(__file__).resolve().parents[2]

PLOT = """
import streamlit as st
import plotly.graph_objects as go
x = st.slider("alpha", 0, 100, 50)
st.plotly_chart(go.Figure(go.Bar(x=[1, 2, 3], y=[1, x, 3])))
"""


APP = ROOT / "app.py"
CHART = ".js-plotly-plot :is(.trace, .bars) path, .picture *"
SLIDERS = {
    "study": "Smoothness β",
    "phases": "Sources' budget ε",
    "plan": "Part won back",
}


class Address(str):
    """Where a server answers, with the number of its process."""

    process: int


@contextmanager
def served(script: Path) -> Iterator[Address]:
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    options = [f"--server.port={port}", "--server.headless=true", "--server.fileWatcherType=none"]
    process = subprocess.Popen(
        command + options, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        address = Address(f"http://127.0.0.1:{port}")
        address.process = process.pid
        yield address
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


# All that the page says and its figures show, as one text; what a slider says of itself is none.
SHOWN = """() => [...document.querySelectorAll(
    ".js-plotly-plot .main-svg :is(path, text, rect), .picture, [data-testid=stMetricValue], " +
    "[data-testid=stMarkdownContainer]"
)].filter(node => !node.closest(".stSlider")).map(
    node => ["d", "x", "transform"].map(name => node.getAttribute(name)) + node.textContent
).join()"""
# Milliseconds from the next key until the figures show something else, in the next frame.
CHANGED = """async before => {
    const shown = SHOWN, seconds = () => performance.now() - window.__pressed;
    while (shown() === before && !(seconds() > 20000)) await new Promise(requestAnimationFrame);
    return seconds();
}""".replace("SHOWN", SHOWN)
PRESSED = """addEventListener("keydown", () => { window.__pressed = performance.now(); }, true)"""


class Moved:
    """A page whose slider is moved by the arrow keys, there and back."""

    def __init__(self, page: Page, address: str, label: str) -> None:
        self.page, self.times = page, list[float]()
        page.goto(address)
        if label == SLIDERS["study"]:  # stands in a box
            page.locator(".st-key-chip_smoothness button").click(timeout=60_000)
        self.slider = page.locator(f'input[type=range][aria-label="{label}"]').first
        self.slider.wait_for(timeout=60_000)
        page.locator(CHART).first.wait_for(state="attached", timeout=60_000)
        page.evaluate(PRESSED)

    def move(self, times: int) -> None:
        self.page.bring_to_front()
        for turn in range(times):
            self.page.wait_for_timeout(800)
            self.slider.focus()
            before = self.page.evaluate(SHOWN)
            self.page.keyboard.press("ArrowRight" if turn % 2 == 0 else "ArrowLeft")
            self.times.append(self.page.evaluate(CHANGED, before))
            assert self.times[-1] < 20_000, f"{self.page.url}: the figure did not change"


def test_slider_to_numbers(browser, tmp_path):
    """From the key to a page that says or shows something else, in turns with the trivial page."""
    plot = tmp_path / "plot.py"
    plot.write_text(PLOT)
    with served(plot) as base, served(APP) as app:
        for address in (base, app):
            wait_until_up(address)
        pages = {"trivial": Moved(browser.new_page(), base, "alpha")}
        for name, label in SLIDERS.items():
            pages[name] = Moved(browser.new_page(), f"{app}/{name}", label)
        for _ in range(4):
            for one in pages.values():
                one.move(4)
        for one in pages.values():
            one.page.close()
    middle = {name: statistics.median(one.times[2:]) for name, one in pages.items()}
    ratio = {name: middle[name] / middle["trivial"] for name in SLIDERS}
    print(f"\nms {rounded(middle, 0)}, times the trivial page {rounded(ratio, 2)}, {load()}")
    assert max(ratio.values()) <= 2


def test_cold_start(browser, tmp_path):
    """A server's first visitor: from the address to the first chart, and the processor time.

    The first page is held to 1.3 times the trivial app; Study, whose table needs pandas and a grid
    in the browser, is told.
    """
    plot = tmp_path / "plot.py"
    plot.write_text(PLOT)
    asked = {"trivial": (plot, ""), "overview": (APP, "/overview"), "study": (APP, "/study")}
    seen: dict[str, list[float]] = {name: [] for name in asked}
    used: dict[str, list[float]] = {name: [] for name in asked}
    for _ in range(5):
        for name, (script, path) in asked.items():
            with served(script) as address, browser.new_context() as context:
                wait_until_up(address)
                page, begun = context.new_page(), time.perf_counter()
                page.goto(f"{address}{path}")
                page.locator(CHART).first.wait_for(state="attached", timeout=60_000)
                seen[name].append(time.perf_counter() - begun)
                used[name].append(spent(address.process))
    wall = {name: statistics.median(found) for name, found in seen.items()}
    ratio = {name: wall[name] / wall["trivial"] for name in asked}
    own = {name: statistics.median(found) for name, found in used.items()}
    print(f"\ncold, seconds to the chart {rounded(wall, 2)}, times trivial {rounded(ratio, 2)}")
    print(f"seconds of the server's processor {rounded(own, 2)}, {load()}")
    assert ratio["overview"] <= 1.3


def rounded(found: dict[str, float], digits: int) -> dict[str, float]:
    return {name: round(value, digits) for name, value in found.items()}


def load() -> str:
    return f"load {os.getloadavg()[0]:.1f}"
