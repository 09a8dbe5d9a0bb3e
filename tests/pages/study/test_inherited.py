"""Rows that are brought inherit nothing of what stood there before."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from rates.study import PRESETS, Scope, codec, preset
from tests.depth import deep_after
from tests.pages.driver import everything, open_page, press

ROWS = "Site\tRecords\tBudget ε\tδ\tTarget\nA\t580\t0.3\t1e-6\tyes\nB\t4000\t1\t1e-6\t"
ALIKE = "Site\tRecords\tBudget ε\tδ\nA\t580\t0.3\t1e-6\nB\t4000\t1\t1e-6"


def bring(app: AppTest, rows: str, **answers: str) -> AppTest:
    app.text_area(key="pasted").set_value(rows).run()
    press(app, "Read these rows")
    for question, option in answers.items():
        next(r for r in app.radio if question in r.label).set_value(option).run()
    return press(app, "Use these rows")


def over(study: str | None, rows: str, **answers: str) -> AppTest:
    """The page after rows are pasted over an example, or over an empty table."""
    app = open_page("study", **({"study": codec.to_link(preset(study).study)} if study else {}))
    if study is None:
        press(app, "Start with an empty table")
    return bring(app, rows, **answers)


def link(app: AppTest) -> str:
    value = app.query_params["study"]
    return value if isinstance(value, str) else value[0]


def screen(app: AppTest) -> list[str]:
    """All that a page shows: text, values of fields and names of boxes."""
    fields = [*app.selectbox, *app.text_input, *app.select_slider]
    labels = [box.proto.popover.label for box in app.get("popover")]
    numbered = [f"{field.label}: {field.value}" for field in fields]
    return [
        re.sub(r"_\d+", "", everything(app)),
        *numbered,
        *labels,
        str(app.query_params["study"]),
    ]


@pytest.mark.parametrize("entry", deep_after(3, PRESETS), ids=lambda p: p.key)
def test_a_paste_over_an_example_gives_the_screen_of_one_over_an_empty_table(entry):
    assert screen(over(entry.key, ROWS)) == screen(over(None, ROWS))
    one, other = (over(x, ALIKE, Whose="alike") for x in (entry.key, None))
    assert screen(one) == screen(other)


def test_numbers_that_nobody_told_are_marked_until_they_are_told():
    app = over("regional", ROWS)
    study, scope = codec.open_link(link(app))
    assert (study.smoothness, scope) == (0.5, Scope.untold().with_answer("target", "one"))
    labels = [box.proto.popover.label for box in app.get("popover")]
    assert {"β = 0.5 ?", "α = 1 ?", "γ = 1 ?"} <= set(labels)
    next(t for t in app.text_input if t.label == "Smoothness β, exact value").set_value("0.7").run()
    labels = [box.proto.popover.label for box in app.get("popover")]
    assert {"β = 0.7", "α = 1 ?", "γ = 1 ?"} <= set(labels)
    bring(app, ROWS.replace("580", "590"))  # what was told of a study begun here stays told
    study, scope = codec.open_link(link(app))
    assert study.smoothness == 0.7
    assert "smoothness" not in scope.assumed


def test_signals_in_the_rows_are_told():
    rows = "Site\tRecords\tBudget ε\tTarget\tγ\nA\t580\t0.3\tyes\t1\nB\t4000\t1\t\t1"
    _, scope = codec.open_link(link(over("regional", rows)))
    assert "signal_exponent" not in scope.assumed


def test_rows_typed_over_an_example_inherit_nothing_once_none_of_its_rows_is_left():
    app = open_page("study", study=codec.to_link(preset("regional").study))
    draft = app.session_state["draft"]
    rows = tuple(
        {**row, "name": f"Site {k}", "n": str(row["n"]) + "7"} for k, row in enumerate(draft.rows)
    )
    app.session_state["draft"] = replace(draft, rows=rows)
    app.session_state["version"] += 1
    app.run()
    assert not app.exception
    study, scope = codec.open_link(link(app))
    assert [s.name for s in study.servers] == [f"Site {k}" for k in range(5)]
    assert study.smoothness == 0.5
    assert scope == Scope.untold()
