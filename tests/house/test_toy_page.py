"""A page with one slider and a figure takes a file and a line of app.py: `toy_page.py` is one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.house.copies import copied, enter, said

ENTRY = ("DOORS = {\n", '    "Toy": {"toy": "Toy"},\n')
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
    copied(tmp_path, "rates", "sims", "pages", ".streamlit", "app.py")
    enter(tmp_path, {"app.py": [ENTRY]})
    shutil.copy(Path(__file__).with_name("toy_page.py"), tmp_path / "pages" / "toy.py")
    done = said(tmp_path, "-c", VISIT)
    assert done.stdout.strip() == "seen", done.stderr
