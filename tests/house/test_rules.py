"""The house rules hold, and each is seen to fail on a planted breach."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.rules import FACE_LINES, MOST_LINES, RULES, Rule
from tests.house.tree import ROOT, Tree

NAMED = {rule.__name__: rule for rule in RULES}
# A small house in which every rule holds.
SOUND = {
    "app.py": "from pages.core import layout\n",
    "rates/__init__.py": '"""Roof."""\n\nfrom rates.plan import needed\n\n__all__ = ["needed"]\n',
    "rates/numbers/__init__.py": "from rates.numbers.text import listed\n",
    "rates/numbers/text.py": "def listed(): ...\n",
    "rates/plan/__init__.py": "from rates.plan import mix\nfrom rates.plan.mix import needed\n",
    "rates/plan/mix.py": "from rates.numbers import listed\n\ndef needed(): ...\n",
    "sims/__init__.py": "",
    "sims/engine/__init__.py": "from sims.engine.runs import run\n",
    "sims/engine/runs.py": "from rates.numbers import listed\n\ndef run(): ...\n",
    "pages/__init__.py": "",
    "pages/study/__init__.py": "",
    "pages/study/page.py": "from pages.core import layout\nimport rates.plan\n",
    "pages/charts/__init__.py": "from pages.charts.marks import line\n",
    "pages/charts/marks.py": "import numpy\n\ndef line(): return {'xaxis': {}}\n",
    "pages/core/__init__.py": "from pages.core import layout\n",
    "pages/core/layout.py": "import streamlit as st\n\nst.latex(st.query_params)\n",
    "pages/plan/__init__.py": "from pages.plan import view\n",
    "pages/plan/view.py": "from rates.plan import mix, needed\nfrom sims.engine import run\n",
}
PLANTED = [
    ("layers_one_way", {"rates/plan/mix.py": "import sims.engine\n"}),
    ("layers_one_way", {"rates/plan/mix.py": "def f():\n    import streamlit\n"}),
    ("layers_one_way", {"rates/plan/mix.py": "import rates\n"}),
    ("layers_one_way", {"rates/plan/mix.py": "from rates import needed\n"}),
    ("layers_one_way", {"sims/engine/runs.py": "from pages import core\n"}),
    ("layers_one_way", {"pages/charts/marks.py": "import streamlit\n"}),
    ("layers_one_way", {"pages/plan/view.py": "import numpy as np\n"}),
    ("layers_one_way", {"pages/plan/view.py": "import app\n"}),
    ("files_are_short", {"sims/engine/runs.py": "x = 1\n" * (MOST_LINES + 1)}),
    ("faces_hand_names_on", {"sims/curves/cells.py": ""}),
    ("faces_hand_names_on", {"sims/engine/__init__.py": "# more\n" * FACE_LINES}),
    ("faces_hand_names_on", {"sims/engine/__init__.py": "def run(): ...\n"}),
    ("faces_hand_names_on", {"sims/engine/__init__.py": "KEYS = tuple(range(3))\n"}),
    ("nothing_behind_a_face", {"sims/engine/runs.py": "from rates.plan.mix import needed\n"}),
    ("nothing_behind_a_face", {"sims/engine/runs.py": "import rates.plan.mix\n"}),
    ("nothing_behind_a_face", {"sims/engine/runs.py": "from rates.numbers import text\n"}),
    ("nothing_behind_a_face", {"app.py": "from rates.plan.mix import needed\n"}),
    ("nothing_behind_a_face", {"pages/study/page.py": "from pages.plan.view import View\n"}),
    ("no_circle_of_files", {"rates/plan/mix.py": "from rates.plan import needed\n"}),
    (
        "no_circle_of_files",
        {
            "rates/plan/mix.py": "def f():\n    from rates.plan import offers\n",
            "rates/plan/offers.py": "from rates.plan import mix\n",
        },
    ),
    (
        "no_circle_of_rooms",
        {
            "rates/answer/__init__.py": "from rates.plan import needed\n",
            "rates/plan/limits.py": "from rates.answer import solve\n",
        },
    ),
    ("no_circle_of_rooms", {"pages/core/layout.py": "from pages.plan import view\n"}),
    ("plotly_chart_in_one_file", {f"pages/p{k}.py": "st.plotly_chart(f)\n" for k in (1, 2)}),
    ("latex_in_one_file", {"pages/study.py": "left.latex('x')\n"}),
    ("dataframe_in_one_file", {f"pages/p{k}.py": "st.dataframe({})\n" for k in (1, 2)}),
    ("table_in_one_file", {f"pages/p{k}.py": "st.table({})\n" for k in (1, 2)}),
    ("query_params_in_one_file", {"app.py": "st.query_params.clear()\n"}),
    ("nothing_typed_is_evaluated", {"pages/study.py": "st.html('<b>')\n"}),
    ("nothing_typed_is_evaluated", {"rates/plan/mix.py": "x = eval('1')\n"}),
    (
        "privacy_noise_at_the_gate",
        {"sims/engine/runs.py": "def run(rng):\n    return 2.0 + rng.laplace(0.0, 1.0)\n"},
    ),
]


@pytest.fixture(scope="module")
def house() -> Tree:
    return Tree(ROOT)


def planted(folder: Path, files: dict[str, str]) -> Tree:
    """Write a small tree."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return Tree(folder)


@pytest.mark.parametrize("rule", RULES, ids=NAMED)
def test_the_house_keeps_its_rules(rule: Rule, house: Tree):
    found = list(map(str, rule(house)))
    assert not found, f"{rule.__doc__}\n" + "\n".join(found)


@pytest.mark.parametrize("rule", RULES, ids=NAMED)
def test_a_sound_house_is_told_nothing(rule: Rule, tmp_path):
    assert list(rule(planted(tmp_path, SOUND))) == []


@pytest.mark.parametrize(("name", "files"), PLANTED)
def test_a_planted_breach_is_found(name: str, files: dict[str, str], tmp_path):
    assert list(NAMED[name](planted(tmp_path, SOUND | files)))


def test_every_rule_is_planted():
    assert {name for name, _ in PLANTED} == set(NAMED)
