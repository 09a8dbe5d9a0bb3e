"""The house rules hold, and each is seen to fail on a planted breach."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.rules import FACE_LINES, MOST_LINES, RULES, Rule
from tests.house.test_newcomers import built
from tests.house.tree import ROOT, Tree

# A small house in which every rule holds.
SOUND = {
    "app.py": "from pages.core import layout\nlayout.show()\n",
    "rates/__init__.py": '"""Roof."""\n\nfrom rates.plan import needed\n\n__all__ = ["needed"]\n',
    "rates/answer/__init__.py": "from rates.plan import needed\n",
    "rates/numbers/__init__.py": "from rates.numbers.text import listed\n",
    "rates/numbers/text.py": "def listed(): ...\n",
    "rates/plan/__init__.py": "from rates.plan import mix\nfrom rates.plan.mix import needed\n",
    "rates/plan/mix.py": "from rates.numbers import listed\n\ndef needed(): return listed()\n",
    "sims/__init__.py": "",
    "sims/engine/__init__.py": "from sims.engine.runs import run\n",
    "sims/engine/runs.py": "from rates.numbers import listed\n\n@listed\ndef run(): ...\n",
    "pages/__init__.py": "",
    "pages/study/__init__.py": "",
    "pages/study/page.py": "from pages.core import layout\nimport rates.plan\n",
    "pages/charts/__init__.py": "from pages.charts.marks import line\n",
    "pages/charts/marks.py": "import numpy\n\ndef line(): return line.axis\nline()\n",
    "pages/core/__init__.py": "from pages.core import layout\n",
    "pages/core/layout.py": """import streamlit as st

def show():
    st.latex(st.query_params)
    st.dataframe(st.table(st.plotly_chart))
""",
    "pages/plan/__init__.py": "from pages.plan import view\n",
    "pages/plan/view.py": "from rates.plan import mix, needed\nfrom sims.engine import run\n",
}
# A rule, a file, and what it has instead.
PLANTED = [
    ("layers_one_way", "rates/plan/mix.py", "import sims.engine\n"),
    ("layers_one_way", "rates/plan/mix.py", "def f():\n    import streamlit\n"),
    ("layers_one_way", "rates/plan/mix.py", "import rates\n"),
    ("layers_one_way", "rates/plan/mix.py", "from rates import needed\n"),
    ("layers_one_way", "sims/engine/runs.py", "from pages import core\n"),
    ("layers_one_way", "pages/charts/marks.py", "import streamlit\n"),
    ("layers_one_way", "pages/plan/view.py", "import numpy as np\n"),
    ("layers_one_way", "pages/plan/view.py", "import app\n"),
    ("files_are_short", "sims/engine/runs.py", "x = 1\n" * (MOST_LINES + 1)),
    ("faces_hand_names_on", "sims/curves/cells.py", ""),
    ("faces_hand_names_on", "sims/engine/__init__.py", "# more\n" * FACE_LINES),
    ("faces_hand_names_on", "sims/engine/__init__.py", "def run(): ...\n"),
    ("faces_hand_names_on", "sims/engine/__init__.py", "KEYS = tuple(range(3))\n"),
    ("nothing_behind_a_face", "sims/engine/runs.py", "from rates.plan.mix import needed\n"),
    ("nothing_behind_a_face", "sims/engine/runs.py", "import rates.plan.mix\n"),
    ("nothing_behind_a_face", "sims/engine/runs.py", "from rates.numbers import text\n"),
    ("nothing_behind_a_face", "app.py", "from rates.plan.mix import needed\n"),
    ("nothing_behind_a_face", "pages/study/page.py", "from pages.plan.view import View\n"),
    ("no_circle_of_files", "rates/plan/mix.py", "def f():\n    from rates.plan import needed\n"),
    ("no_circle_of_rooms", "rates/plan/limits.py", "from rates.answer import solve\n"),
    ("no_circle_of_rooms", "pages/core/layout.py", "from pages.plan import view\n"),
    ("plotly_chart_in_one_file", "pages/p.py", "st.plotly_chart(f)\n"),
    ("latex_in_one_file", "pages/p.py", "left.latex('x')\n"),
    ("dataframe_in_one_file", "pages/p.py", "st.dataframe({})\n"),
    ("table_in_one_file", "pages/p.py", "st.table({})\n"),
    ("query_params_in_one_file", "app.py", "st.query_params.clear()\n"),
    ("nothing_typed_is_evaluated", "pages/p.py", "st.html('<b>')\n"),
    ("nothing_typed_is_evaluated", "rates/plan/mix.py", "x = eval('1')\n"),
    ("nothing_a_browser_lacks", "pages/p.py", "from subprocess import run\n"),
    ("nothing_a_browser_lacks", "pages/p.py", "np.repeat(x, n.astype(np.int64))\n"),
    ("nothing_for_tests_alone", "rates/answer/more.py", "def dead(): return dead()\n"),
    ("nothing_for_tests_alone", "rates/answer/more.py", "ALONE: int = 2\n"),
    ("privacy_noise_at_the_gate", "sims/engine/runs.py", "def run(a): return a.laplace(0.0)\n"),
]


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> list[Tree]:
    """The house, alone and with what may come new; and a sound one."""
    new = Tree(built(tmp_path_factory.mktemp("new")))
    assert new.by_name["sims.toy.mean"].room == "sims.toy"
    return [Tree(ROOT), new, planted(tmp_path_factory.mktemp("sound"), SOUND)]


def planted(folder: Path, files: dict[str, str]) -> Tree:
    """Write a small tree."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return Tree(folder)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_house_keeps_its_rules_and_a_planted_breach_is_found(
    rule: Rule, houses: list[Tree], tmp_path: Path
) -> None:
    found = [breach for house in houses for breach in rule(house)]
    assert not found, f"{rule.__doc__}\n" + "\n".join(found)
    plants = [files for name, *files in PLANTED if name == rule.__name__]
    assert plants
    for k, (file, text) in enumerate(plants):
        assert [*rule(planted(tmp_path / f"{k}", SOUND | {file: text}))], (file, text)
