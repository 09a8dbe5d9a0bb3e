"""Rows that are pasted or opened: shown as they were read, asked about, and only then used."""

from __future__ import annotations

import io
import math

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from rates.study import FederatedStudy, Server, Study, codec, preset, tables
from tests.pages.driver import everything, open_page, press, send

START = preset("hospitals").study
GERMAN = "Klinik;Fälle;Budget;Ort\nNord;2.000;0,3;Kiel\nOst;58;keins;Jena"


def text_of(app: AppTest) -> str:
    held = app.query_params["study"]
    return held if isinstance(held, str) else held[0]


def linked(app: AppTest) -> Study:
    """The study in the address."""
    return codec.from_link(text_of(app))


def pasted(text: str, page: str = "study") -> AppTest:
    app = open_page(page, study=codec.to_link(START))
    app.text_area(key="pasted").set_value(text).run()
    return press(app, "Read these rows")


def choose(app: AppTest, question: str, option: str) -> None:
    next(r for r in app.radio if question in r.label).set_value(option).run()
    assert not app.exception


def can_use(app: AppTest) -> bool:
    return any(button.key == "use_pasted" for button in app.button)


def preview(app: AppTest):
    return next(d.value for d in app.dataframe if "Records n" in d.value.columns)


def test_rows_are_shown_and_change_nothing_until_they_are_used():
    app = pasted("Site\tRecords\tBudget ε\tTarget\nA\t5e3\tnone\tyes\nB\t1 912\t0,5\t")
    assert linked(app) == START
    assert "'Records' is read as Records n" in everything(app)
    assert list(preview(app)["Records n"]) == ["5,000 (5e3)", "1,912 (1 912)"]
    assert list(preview(app)["Budget ε"]) == ["unprotected (none)", "0.5 (0,5)"]
    press(app, "Use these rows")
    assert linked(app).servers == (
        Server(name="A", n=5000, epsilon=math.inf),
        Server(name="B", n=1912, epsilon=0.5),
    )
    assert "as they were read" not in everything(app)


def test_numbers_are_shown_as_read():
    app = pasted(
        "Site\tRecords\tBudget ε\tTarget\nA\t200k\t~0.3\tyes\nB\t25,000\tca. 2\t\nC\t5000\t1\t"
    )
    assert list(preview(app)["Records n"]) == ["200,000 (200k)", "25,000", "5000"]
    assert list(preview(app)["Budget ε"]) == ["0.3 (~0.3)", "2 (ca. 2)", "1"]
    assert "25,000 is read as" not in everything(app)
    press(app, "Use these rows")
    assert [(s.n, s.epsilon) for s in linked(app).servers] == [
        (200_000, 0.3),
        (25_000, 2),
        (5000, 1),
    ]


def test_a_dash_is_asked_about_once_for_all_rows():
    app = pasted("Site\tn\tε\tTarget\nA\t58\t-\tyes\nB\t60\t1\t\nC\t70\t–\t\nD\t9\t2\t")
    assert not can_use(app)
    assert list(preview(app)["Budget ε"]) == ["? (-)", "1", "? (–)", "2"]
    choose(app, "mean as a budget", "inf")
    assert list(preview(app)["Budget ε"]) == ["unprotected (-)", "1", "unprotected (–)", "2"]
    choose(app, "mean as a budget", "out")
    assert list(preview(app)["Site"]) == ["B", "D"]
    assert not can_use(app)  # the target was left out
    choose(app, "mean as a budget", "inf")
    press(app, "Use these rows")
    assert [(s.name, s.epsilon) for s in linked(app).servers] == [
        ("A", math.inf),
        ("B", 1),
        ("C", math.inf),
        ("D", 2),
    ]


def test_phones_are_counted_by_their_column():
    app = pasted("Phones\tReadings per phone\teps per phone\n20000\t1\t2\n8000\t4\t2")
    choose(app, "Whose patients", "alike")
    assert list(preview(app)["Count"]) == ["1 (20000)", "8000", "19,999 (20000)"]
    press(app, "Use these rows")
    assert [(s.n, s.count) for s in linked(app).servers] == [(1, 1), (4, 8000), (1, 19_999)]


def test_what_is_ambiguous_is_asked_and_an_answer_can_be_changed():
    app = pasted(GERMAN)
    assert not can_use(app)
    assert list(preview(app)["Records n"]) == ["? (2.000)", "58"]
    choose(app, "is 2\\.000", "decimal")
    choose(app, "Whose patients", "1")
    assert can_use(app)
    assert list(preview(app)["Records n"]) == ["2 (2.000)", "58"]
    choose(app, "is 2\\.000", "thousands")  # what came after it is asked again
    assert not can_use(app)
    assert linked(app) == START
    choose(app, "Whose patients", "0")
    press(app, "Use these rows")
    assert [(s.name, s.n, s.epsilon) for s in linked(app).servers] == [
        ("Nord", 2000, 0.3),
        ("Ost", 58, math.inf),
    ]


MANY = "Site\tn\tε\n" + "".join(f"{name}\t60\t1\n" for name in "ABCDEF")


@pytest.mark.parametrize("rows", [GERMAN, MANY], ids=["few", "many"])
def test_an_answer_that_no_question_offers_changes_nothing(rows: str) -> None:
    app = pasted(rows)
    before = everything(app)
    asked = [w for w in (*app.radio, *app.selectbox) if str(w.key).startswith("rows_")]
    assert asked
    for one in asked:
        send(app, WidgetState(id=one.id, string_value="1/3"))
        assert everything(app) == before
        assert not can_use(app)


def test_sites_of_a_curve_change_what_is_learned():
    app = pasted("Site\tn\tε\nA\t58\t0.3\nB\t60\t1")
    choose(app, "Whose patients", "curve")
    press(app, "Use these rows")
    assert isinstance(linked(app), FederatedStudy)
    assert [s.n for s in linked(app).servers] == [58, 60]


def told(app: AppTest) -> dict[str, str]:
    scope = codec.open_link(text_of(app))[1]
    return dict(scope.answers) if scope else {}


def test_what_was_told_of_an_empty_table_holds_for_its_rows():
    app = press(open_page("study"), "Start with an empty table")
    next(s for s in app.selectbox if s.label == "What is learned?").set_value("binary").run()
    next(s for s in app.selectbox if s.label.startswith("Whose")).set_value("shared").run()
    app.text_area(key="pasted").set_value("Site\tn\tε\nA\t58\t0.3\nB\t60\t1").run()
    press(app, "Read these rows")
    assert "All sites are alike" in everything(app)
    press(app, "Use these rows")
    assert [s.n for s in linked(app).servers] == [58, 60]
    assert told(app) == {"outcome": "binary", "target": "shared"}


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("alike", {"target": "shared"}),
        ("curve", {"outcome": "continuous"}),
        ("1", {"target": "one"}),
    ],
)
def test_an_answer_about_the_rows_is_one_about_the_study(answer, says):
    app = pasted("Site\tn\tε\nA\t58\t0.3\nB\t60\t1")
    choose(app, "Whose patients", answer)
    press(app, "Use these rows")
    assert told(app) == says


def test_refused_rows_are_named_and_can_be_left():
    app = pasted("name\tn\tepsilon\trole\nA\t58\t30 %\ttarget\nB\t60\t\t")
    said = [error.value for error in app.error]
    assert any("Row 1 ('A')" in text and "per cent" in text for text in said)
    assert any("Row 2 ('B')" in text and "inf" in text for text in said)
    assert not can_use(app)
    press(app, "Leave them")
    assert not app.error
    assert linked(app) == START


def test_rows_that_make_no_study_are_refused_beside_them():
    app = pasted("name\tn\tepsilon\trole\nA\t58\t1\ttarget\nA\t60\t1\t")
    assert "unique" in app.error[0].value
    assert not can_use(app)


def test_names_are_shown_as_they_stand():
    odd = "<b>*A*</b> $x$ [l](u)"
    app = pasted(f"Site\tn\tε\n{odd}\t58\tnone\nB\t60\t1")
    assert "**A**" not in everything(app)
    assert "\\[l\\]" in next(r for r in app.radio).options[0]


@pytest.mark.parametrize("page", ["fit", "plan"])
def test_rows_are_shown_on_every_page_that_takes_them(page):
    app = pasted("Site\tn\tε\tZiel\nA\t58\t0.3\tx\nB\t60\t1\t", page)
    assert linked(app) == START
    press(app, "Use these rows")
    assert [s.n for s in linked(app).servers] == [58, 60]


def opened(name: str, data: bytes) -> AppTest:
    app = open_page("study")
    app.file_uploader(key="upload").set_value((name, data, "text/plain")).run()
    assert not app.exception
    return app


def test_a_curve_s_table_opens_in_a_fresh_session():
    curve = preset("unequal").study
    app = opened("sites.csv", tables.to_csv(curve).encode())
    assert "sites of a curve" in everything(app)
    press(app, "Use these rows")
    assert isinstance(linked(app), FederatedStudy)
    assert linked(app).servers == curve.servers


def test_a_spreadsheet_is_opened():
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["Hospital", "Patients", "Epsilon", "Target"], ["A", 2000, 1.125, "x"]):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    app = press(opened("sites.xlsx", out.getvalue()), "Use these rows")
    assert linked(app).servers == (Server(name="A", n=2000, epsilon=1.125),)
