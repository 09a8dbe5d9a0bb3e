"""Rows that are pasted or opened: shown as they were read, asked about, and only then used."""

from __future__ import annotations

import io
import math
import re
from dataclasses import replace
from functools import cache

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from rates.study import PRESETS, FederatedStudy, Scope, Server, TransferStudy, codec, preset
from tests.depth import deep_after
from tests.pages import driver
from tests.pages.driver import asked_chip, box, everything, open_page, press, query, unbox
from tests.pages.study.test_study import linked, type_in

START = preset("hospitals").study
GERMAN = "Klinik;Fälle;Budget;Ort\nNord;2.000;0,3;Kiel\nOst;58;keins;Jena"


def seen(app: AppTest, column: str) -> list[str]:
    """A column of the rows that were read."""
    return list(driver.grid(app, "Records n")[column])


def read(app: AppTest, rows: str) -> AppTest:
    unbox(app).text_area(key="pasted").set_value(rows).run()
    return press(app, "Read these rows")


def pasted(rows: str) -> AppTest:
    return read(open_page("study", study=codec.to_link(START)), rows)


def choose(app: AppTest, question: str, option: str) -> None:
    next(r for r in app.radio if question in r.label).set_value(option).run()


def used(app: AppTest) -> list[tuple[str, int, float]]:
    """The sites after the rows that were read are used."""
    return [(s.name, s.n, s.epsilon) for s in linked(press(app, "Use these rows")).servers]


def can_use(app: AppTest) -> bool:
    return any(button.key == "use_pasted" for button in app.button)


def test_rows_are_shown_and_change_nothing_until_they_are_used():
    rows = ("A\t5e3\tnone\tyes", "B\t1 912\t0,5\t", "C\t200k\t~2\t")
    app = pasted("\n".join(["Site\tRecords\tBudget ε\tTarget", *rows]))
    assert linked(app) == START
    assert seen(app, "Records n") == ["5,000 (5e3)", "1,912 (1 912)", "200,000 (200k)"]
    assert seen(app, "Budget ε") == ["unprotected (none)", "0.5 (0,5)", "2 (~2)"]
    assert used(app) == [("A", 5000, math.inf), ("B", 1912, 0.5), ("C", 200_000, 2)]
    assert "as they were read" not in everything(app)


def test_what_is_ambiguous_is_asked_and_an_answer_can_be_changed():
    app = pasted(GERMAN)
    assert not can_use(app)
    choose(app, "is 2\\.000", "decimal")
    choose(app, "Whose patients", "1")
    assert can_use(app)
    assert seen(app, "Records n") == ["2 (2.000)", "58"]
    choose(app, "is 2\\.000", "thousands")  # what came after it is asked again
    assert not can_use(app)
    assert linked(app) == START
    choose(app, "Whose patients", "0")
    assert used(app) == [("Nord", 2000, 0.3), ("Ost", 58, math.inf)]


MANY = "Site\tn\tε\n" + "".join(f"{name}\t60\t1\n" for name in "ABCDEF")


@pytest.mark.parametrize("rows", [GERMAN, MANY], ids=["few", "many"])
def test_an_answer_that_no_question_offers_changes_nothing(rows: str) -> None:
    app = pasted(rows)
    before = everything(app)
    asked = [w for w in (*app.radio, *app.selectbox) if str(w.key).startswith("rows_")]
    assert asked
    for one in asked:
        driver.send(app, WidgetState(id=one.id, string_value="1/3"))
        assert everything(app) == before
        assert not can_use(app)


@pytest.mark.parametrize(
    ("answer", "says", "kind"),
    [
        ("alike", {"target": "shared"}, TransferStudy),
        ("curve", {"outcome": "continuous"}, FederatedStudy),
        ("1", {"target": "one"}, TransferStudy),
    ],
)
def test_an_answer_about_the_rows_is_one_about_the_study(answer, says, kind):
    app = pasted("Site\tn\tε\nA\t58\t0.3\nB\t60\t1")
    choose(app, "Whose patients", answer)
    press(app, "Use these rows")
    study, scope = driver.linked(app)
    assert (type(study), dict(scope.answers)) == (kind, says)
    assert sorted(s.n for s in study.servers) == [58, 60]


def test_refused_rows_are_named_and_can_be_left():
    for rows, said in (
        ("A\t58\t1\ttarget\nA\t60\t1\t", ("unique",)),
        ("A\t58\t30 %\ttarget\nB\t60\t\t", ("Row 1 ('A')", "per cent", "Row 2 ('B')", "inf")),
    ):
        app = pasted(f"name\tn\tepsilon\trole\n{rows}")
        assert all(text in driver.told(app) for text in said)
        assert not can_use(app)
    press(app, "Leave them")
    assert not app.error
    assert linked(app) == START


def test_names_are_shown_as_they_stand():
    odd = "<b>*A*</b> $x$ [l](u)"
    app = pasted(f"Site\tn\tε\n{odd}\t58\tnone\nB\t60\t1")
    assert "**A**" not in everything(app)
    assert "\\[l\\]" in next(r for r in app.radio).options[0]


def test_a_spreadsheet_is_opened():
    book = pytest.importorskip("openpyxl").Workbook()
    for row in (["Hospital", "Patients", "Epsilon", "Target"], ["A", 2000, 1.125, "x"]):
        book.active.append(row)
    book.save(out := io.BytesIO())
    app = unbox(open_page("study"))
    app.file_uploader(key="upload").set_value(("sites.xlsx", out.getvalue(), "text/plain")).run()
    servers = linked(press(app, "Use these rows")).servers
    assert servers == (Server(name="A", n=2000, epsilon=1.125),)


# Rows that are brought inherit nothing of what stood there before

ROWS = "Site\tRecords\tBudget ε\tδ\tTarget\nA\t580\t0.3\t1e-6\tyes\nB\t4000\t1\t1e-6\t"
ALIKE = "Site\tRecords\tBudget ε\tδ\nA\t580\t0.3\t1e-6\nB\t4000\t1\t1e-6"


def bring(app: AppTest, rows: str, **answers: str) -> AppTest:
    read(app, rows)
    for question, option in answers.items():
        choose(app, question, option)
    return press(app, "Use these rows")


def over(study: str | None, rows: str, **answers: str) -> AppTest:
    """The page after rows are pasted over an example, or over an empty table."""
    app = open_page("study", study=codec.to_link(preset(study or "hospitals").study))
    return bring(app if study else press(app, "Start with an empty table"), rows, **answers)


def screen(app: AppTest) -> list[str]:
    """All that a page shows: text, values of fields and names of boxes."""
    fields = [*app.selectbox, *app.text_input, *app.select_slider]
    labels = [one.proto.popover.label for one in app.get("popover")]
    numbered = [f"{field.label}: {field.value}" for field in fields]
    return [re.sub(r"_\d+", "", everything(app)), *numbered, *labels, query(app, "study")]


@cache
def over_none(rows: str, **answers: str) -> list[str]:
    return screen(over(None, rows, **answers))


@pytest.mark.parametrize("entry", deep_after(1, PRESETS), ids=lambda p: p.key)
def test_a_paste_over_an_example_gives_the_screen_of_one_over_an_empty_table(entry):
    assert screen(over(entry.key, ROWS)) == over_none(ROWS)
    assert screen(over(entry.key, ALIKE, Whose="alike")) == over_none(ALIKE, Whose="alike")


def untold(app: AppTest) -> set[str]:
    """Labels of the assumptions."""
    labels = [one.proto.popover.label for one in app.get("popover")]
    return {label for label in labels if label[:1] in "βαγ"}


def test_numbers_that_nobody_told_are_marked_until_they_are_told():
    app = over("regional", ROWS)
    study, scope = driver.linked(app)
    assert (study.smoothness, scope) == (0.5, Scope.untold().with_answer("target", "one"))
    assert untold(app) == {"β = 0.5 ?", "α = 1 ?", "γ = 1 ?"}
    box(asked_chip(app, "smoothness"), "Smoothness β, exact value").set_value("0.7").run()
    again = open_page("study", study=query(app, "study"))
    assert untold(again) == {"β = 0.7", "α = 1 ?", "γ = 1 ?"}
    bring(app, ROWS.replace("580", "590"))  # what was told of a study begun here stays told
    study, scope = driver.linked(app)
    assert study.smoothness == 0.7
    assert "smoothness" not in scope.assumed
    rows = "Site\tRecords\tBudget ε\tTarget\tγ\nA\t580\t0.3\tyes\t1\nB\t4000\t1\t\t1"
    _, scope = codec.open_link(query(over("regional", rows), "study"))
    assert "signal_exponent" not in scope.assumed


def test_rows_typed_over_an_example_inherit_nothing_once_none_of_its_rows_is_left():
    app = open_page("study", study=codec.to_link(preset("regional").study))
    draft = app.session_state["draft"]
    rows = [{**row, "name": f"Site {k}", "n": f"{row['n']}7"} for k, row in enumerate(draft.rows)]
    type_in(app, replace(draft, rows=tuple(rows)))
    study, scope = driver.linked(app)
    assert [s.name for s in study.servers] == [f"Site {k}" for k in range(5)]
    assert (study.smoothness, scope) == (0.5, Scope.untold())


def test_a_column_that_another_answer_takes_is_asked_for_anew():
    app = pasted("site;x;y;z\nA;100;2;5\nB;200;3;7")
    choose(app, "privacy budgets", "column 'x'")
    choose(app, "how many records", "column 'x'")
    budgets = [one for one in app.radio if "privacy budgets" in one.label]
    assert [(one.options, one.value) for one in budgets] == [(["column 'y'", "column 'z'"], None)]
    choose(app, "privacy budgets", "column 'y'")
    choose(app, "how many records", "column 'x'")
    assert seen(app, "Records n") == ["100", "200"]


def test_a_press_that_comes_without_the_rows_brings_none():
    """As from a box that an earlier server had drawn."""
    app = unbox(open_page("study"))
    del app.session_state["pasted"]
    app.text_area(key="pasted").set_value(None)
    press(app, "Read these rows")
    assert not app.exception
