"""A page with one slider and a figure takes a file and a line of app.py: `toy_page.py` is one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT

ENTRY = ('"Start": {"overview": ', '"Toy": {"toy": "Toy"},\n    ')
VISIT = """
from pathlib import Path
from tests.pages.driver import open_page
from pages.core import document
from pages.toy import SECTION, Toy

app = open_page("toy", Path.cwd(), toy="epsilon:2")
assert "At 2 it begins." in app.markdown[0].value
app.select_slider[0].set_value(1.0).run()
assert not app.exception
assert app.query_params.get("toy") is None
assert "At 1 it begins." in [one.value for one in app.markdown]
assert app.get("plotly_chart")
report = document("Report", (), [SECTION.chapter(Toy(epsilon=4.0))])
assert "At 4 it begins." in report and "<svg" in report
print("seen")
"""


@pytest.mark.deep
def test_a_page_is_one_file_and_one_line(tmp_path: Path) -> None:
    for name in ("rates", "sims", "pages", ".streamlit"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    before, entry = ENTRY
    text = (ROOT / "app.py").read_text("utf-8")
    assert text.count(before) == 1
    (tmp_path / "app.py").write_text(text.replace(before, entry + before), "utf-8")
    shutil.copy(Path(__file__).with_name("toy_page.py"), tmp_path / "pages" / "toy.py")
    done = subprocess.run(
        [sys.executable, "-c", VISIT],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
    )
    assert done.stdout.strip() == "seen", done.stderr
