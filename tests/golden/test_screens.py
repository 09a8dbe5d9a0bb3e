"""Every page and tab shows what is stored, and a difference is told."""

from __future__ import annotations

import copy
import gzip
import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
differences = runpy.run_path(str(HERE / "screen_compare.py"))["differences"]
FIGURE = {"type": "plotly_chart", "alt": "A curve", "spec": {"data": [{"y": [1.0, 2.5, 1e-17]}]}}
PAGE = {
    "screens": {
        "phases: usual": [
            {"type": "markdown", "body": "At ε = **0.2** the target decides."},
            {"type": "markdown", "body": {"text": "long"}},
            FIGURE,
            {"type": "file", "label": "CSV", "content": {"text": "numbers"}},
        ]
    },
    "texts": {"long": ["one", "two"], "numbers": ["x,y", "1,0.123456789012"]},
}


def changed(**texts: list[str]) -> dict:
    """Return the page with other long texts, under other names, as they are named by content."""
    page = copy.deepcopy(PAGE)
    elements = page["screens"]["phases: usual"]
    for field, element in (("body", elements[1]), ("content", elements[3])):
        name = element[field]["text"]
        if name in texts:
            element[field]["text"] = f"other {name}"
            page["texts"] = {f"other {name}": texts[name], **page["texts"]}
    return page


def test_no_stored_screen_is_an_error():
    for path in sorted((HERE / "screens").glob("*.json.gz")):
        stored = json.loads(gzip.decompress(path.read_bytes()))
        for screen, elements in stored["screens"].items():
            assert all(element["type"] != "exception" for element in elements), screen


@pytest.mark.deep
def test_every_screen_shows_what_is_stored():
    """Run `python tests/golden/make_screens.py --check`, which also says how to look closer."""
    done = subprocess.run(
        [sys.executable, str(HERE / "make_screens.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-2000:]}"


def test_equal_but_for_rounding_is_equal():
    now = changed(numbers=["x,y", "1,0.123456789013"])
    now["screens"]["phases: usual"][2]["spec"]["data"][0]["y"] = [1.0000000001, 2.5, 0]
    assert differences(PAGE, now, most=9) == []


def test_each_kind_of_difference_is_told():
    now = changed(long=["one", "three"], numbers=["x,y", "1,0.1234"])
    mine = now["screens"]["phases: usual"]
    mine[0]["body"] = "At ε = **0.3** the target decides."
    mine[2]["spec"]["data"][0]["y"][1] = 2.6
    mine.insert(1, {"type": "caption", "body": "New."})
    title, *told = (line.strip() for line in differences(PAGE, now, most=99))
    assert title == "phases: usual"
    assert told == [
        "~   body: At ε = **0.2** the target decides. -> body: At ε = **0.3** the target decides.",
        '+ caption ""',
        "+   type: caption",
        "+   body: New.",
        "-   body: two",
        "+   body: three",
        "~   spec.data.y: [1.0, 2.5, 1e-17] -> spec.data.y: [1.0, 2.6, 1e-17]",
        "~   content: 1,0.123456789012 -> content: 1,0.1234",
    ]
    del now["screens"]["phases: usual"][:]
    assert all(line.startswith("  - ") for line in differences(PAGE, now, most=99)[1:])


def test_of_what_a_processor_decides_the_elements_are_compared():
    name = "classification/hospitals: files"
    old, new = ({"screens": {name: [{"type": "metric", "label": "Right", "value": v}]}, "texts": {}}
                for v in ("61%", "62%"))  # fmt: skip
    assert differences(old, new, most=9) == []
    new["screens"][name][0]["label"] = "Wrong"
    assert differences(old, new, most=9)[0] == name
