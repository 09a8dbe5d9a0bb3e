"""Rows that people paste: each is read as meant, asked about, or refused in words."""

from __future__ import annotations

import math

import pytest

from rates.numbers import DomainError
from rates.rows import read, tables
from rates.study import preset
from tests.depth import deep_after
from tests.rates.rows.generated import paste
from tests.rates.rows.sites import with_csv

INF = math.inf
A, B = ("A", 58, 0.3), ("B", 240, 1)

# What is pasted, and the rows that it is read as; words of its record that must be said.
READ = {
    # Those of the planner's walk.
    "own headers": ("Hospital\tPatients\tEpsilon\tDelta\nA\t58\t0,3\t",
        [A], ["'Hospital' is read as Site", "'Patients' is read as Records n", "0,3 is read as"]),
    "no header": ("A\t58\t0.3\nB\t240\t1", [A, B], ["No header", "Column 2 (58, ...) is read as"]),
    "no budget": (
        "epsilon\tname\tn\nnone\tM\t1\n∞\tO\t1\nunprotected\tP\t1\npublic\tQ\t1",
        [(name, 1, INF) for name in "MOPQ"],
        ["'none' is read as unprotected (inf): M", "'∞' is read as", "'public' is read"],
    ),
    "an extra column": ("name\tn\tepsilon\tcity\nA\t58\t0.3\tBonn", [A], ["'city' is left out"]),
    "a total line": ("name\tn\tepsilon\nA\t58\t0.3\nB\t240\t1\nTotal\t298\t",
        [A, B], ["Row 3 (Total) sums up the others"]),
    "quotes, marks and ends": (
        '\ufeffname\tn\tepsilon\r\n"A\r\n""x"""\t58\t0.3\r\nB\t240\t1\r\n\r\n\t\t\r\n',
        [('A "x"', 58, 0.3), B],
        ["a line break in its name is read as a space"],
    ),
    # Others.
    "names in a column without a title": ("\tn\tepsilon\nA\t58\t0.3\nB\t240\t1", [A, B], []),
    "a column of numbers without a title": ("\tSite\tn\tε\n0\tA\t58\t0.3\n1\tB\t240\t1",
        [A, B], ["left out"]),
    "money is no privacy budget": ("Site\tn\tε\tBudget (EUR)\nA\t58\t0.3\t9000", [A], ["left out"]),
    "a total without a name": ("Site\tn\tε\nA\t58\t0.3\nB\t240\t1\n\t298\t", [A, B], ["no name"]),
    "an average": ("Site\tn\tε\nA\t58\t0.3\nB\t240\t1\nMean\t149\t0.65",
        [A, B], ["Row 3 (Mean)"]),
    "a count beside a year": ("Hospital\tCount\tEpsilon\tYear\nA\t58\t0.3\t2019", [A], []),
    "a name that begins like a total": ("Site\tn\tε\nTotal Care\t58\t1",
        [("Total Care", 58, 1)], []),
    "a thousand beside decimal points": ("Site\tn\tε\nA\t1,000\t0.3", [("A", 1000, 0.3)], []),
    "a column of ticks": (
        "Site\tTarget\tn\tBudget ε\tUnprotected\nA\ttrue\t58\t0.3\tfalse\nB\tfalse\t240\t\ttrue",
        [A, ("B", 240, INF)],
        [],
    ),
    "δ that is not stated": ("Site\tn\tε\tδ\nA\t58\t0.3\t-\nB\t240\t1\tnone",
        [A, B], ["read as not stated"]),
    "roles under a title of their own": ("Type\tSite\tn\tε\nsource\tA\t58\t0.3\nsource\tB\t240\t1",
        [A, B], ["'Type' is left out"]),
    "a thousand alone": ("name\tn\tepsilon\nA\t25,000\t1",
        [("A", 25000, 1)], ["25,000 is read as 25000"]),
    "thousands in words": (
        "name\tn\tepsilon\nA\t200k\t~0.3\nB\t1 Mio\tca. 1\nC\t1,5k\t≈ 2",
        [("A", 200_000, 0.3), ("B", 10**6, 1), ("C", 1500, 2)],
        ["200k is read as 200000", "~0.3 is read as 0.3"],
    ),
    "a title that is not known": ("Site\tPacjenci\tε\nA\t58\t0.3",
        [A], ["'Pacjenci' is read as Records n: no other column can be"]),
    "a count that can only be records": ("Hospital\tCount\tEpsilon\nA\t58\t0.3",
        [A], ["'Count' is read as Records n"]),
    "phones that are the names": ("Phones\tReadings per phone\tε\nA\t58\t0.3\nB\t240\t1",
        [A, B], ["'Phones' is read as Site"]),
    "a dash that a column of ticks explains": (
        "Site\tn\tε\tunprotected\nA\t58\t0.3\tno\nB\t240\t-\tyes",
        [A, ("B", 240, INF)],
        [],
    ),
    "a dash in a total": ("Site\tn\tε\nA\t58\t0.3\nB\t240\t1\nSum\t298\t—", [A, B], []),
    "per site": ("Site;Patients per site;Epsilon per person\nA;58;0.3", [A], []),
}  # fmt: skip

# What is pasted, the question's key, an answer, and the rows then.
ASKED = {
    "a mark that is both": ("name\tn\tepsilon\nA\t1,234,567\t1,125\nB\t240\t0,3",
        "mark epsilon comma", "decimal", [("A", 1234567, 1.125), ("B", 240, 0.3)]),
    "a thousand between semicolons": ("name;n;epsilon\nA;1,000;1",
        "mark n comma", "decimal", [("A", 1, 1)]),
    "a point beside decimal commas": ("epsilon\tname\tn\n0,3\tM\t2.000",
        "mark n point", "thousands", [("M", 2000, 0.3)]),
    "all alike": ("name\tn\tepsilon\nA\t58\t0.3\nB\t240\t1", "target", "alike", [A, B]),
    "a thousand beside decimal commas": ("name\tn\tepsilon\nA\t1,000\t0,5",
        "mark n comma", "thousands", [("A", 1000, 0.5)]),
    "dashes that are no budget": (
        "name\tn\tepsilon\nB\t240\t1\nA\t58\t–\nC\t58\t--\nD\t8\tn/a\nE\t8\t—",
        "dash epsilon",
        "out",
        [B],
    ),
    "devices beside what may be all records": ("Group\tPhones\tReadings\tε\nA\t30\t58\t0.3",
        "column 1", "out", [A]),
    "places beside what may be all records": ("Region\tSites\tPatients\tε\nA\t3\t58\t0.3",
        "column 1", "out", [A]),
    "places that may be numbers": ("Sites\tPatients per site\tε\n1\t58\t0.3\n2\t240\t1",
        "column 0", "name", [("1", 58, 0.3), ("2", 240, 1)]),
    "a number that may be no budget": ("Hospital\tPatients\tBeds\nA\t58\t20\nB\t240\t1",
        "field epsilon", "2", [("A", 58, 20), B]),
    "one mark for decimals and thousands": ("name\tn\tepsilon\nA\t12.430\t0.3\nB\t2.000\t1",
        "mark n point", "thousands", [("A", 12430, 0.3), ("B", 2000, 1)]),
    "two columns for one": ("Name\tn\tRecords\tε\nA\t58\t60\t0.3", "field n", "1", [A]),
    "a number beside records": ("Klinik\tPatienten\tAnzahl\tε\nA\t58\t1\t0,3",
        "column 2", "count", [A]),
    "no header, whole numbers alike": ("A\t12\t15\nB\t14\t11", "field n", "1", None),
}  # fmt: skip

REFUSED = {
    "an empty budget": ("epsilon\tname\tn\n\tM\t12400", ["Row 1 ('M')", "epsilon", "inf"]),
    "per cent": ("name\tn\tepsilon\nA\t58\t0.3 %", ["per cent", "Row 1 ('A')", "'0.3 %'"]),
    "thousands in the title": ("name\tPatients (thousands)\tepsilon\nA\t5.8\t1",
        ["factor", "Header"]),
    "a logarithm": ("name\tn\tepsilon\tlog10 δ\nA\t58\t1\t-6", ["logarithm"]),
    "an empty n": ("name\tn\tepsilon\nA\t\t1\nB\t5\t1", ["n is required", "Row 1 ('A')"]),
    "a role of its own": ("name\tn\tepsilon\trole\nA\t58\t1\tboss", ["role must be", "'boss'"]),
    "two targets": ("name\tn\tepsilon\tZiel\nA\t58\t1\tx\nB\t58\t1\tx",
        ["exactly one", "rows 1, 2"]),
    "more cells": ("name\tn\tepsilon\nA\t58\t1\t9", ["at most 3 cells", "Row 1"]),
    "spaces alone": ("A 58 0.3\nB 240 1", ["one column", "semicolons"]),
    "both a budget and none": ("name\tn\tepsilon\tunprotected\nA\t5\t1\tyes", ["leave one"]),
    **{f"nothing, {k}": (blanks, ["empty table"])
        for k, blanks in enumerate(("", " \n", "  ", "   \n  ", "\t\t", " " * 30_000))},
    "a header alone": ("name\tn\tepsilon", ["header alone"]),
    "too many columns": ("a\t" * 120 + "\n" + "1\t" * 120, ["at most 100 columns"]),
    "one column": ("A\nB\nC", ["one column"]),
}  # fmt: skip


def short(reading) -> list[tuple]:
    return [
        (row["name"], row["n"], INF if row["epsilon"] == "inf" else row["epsilon"])
        for row in reading.rows
    ]


def said(reading) -> str:
    return " ".join([*(column.said for column in reading.columns), *reading.notes])


@pytest.mark.parametrize("name", READ)
def test_rows_are_read_as_they_are_meant(name):
    text, rows, words = READ[name]
    reading = read(text, kind="federated")
    assert (reading.refusals, reading.questions, short(reading)) == ((), (), rows)
    for word in words:
        assert word in said(reading)


@pytest.mark.parametrize("name", ASKED)
def test_what_is_ambiguous_is_asked(name):
    text, key, answer, rows = ASKED[name]
    reading = read(text)
    question = next(q for q in reading.questions if q.key == key)
    assert answer in question.options
    assert all(len(question.options) > 1 for question in reading.questions)
    assert not reading.ready
    with pytest.raises(DomainError, match="The table leaves it open") as open_one:
        tables.study_of(reading, "transfer", {"transfer": {}})
    assert open_one.value.field == reading.questions[0].key
    after = read(text, answers={"target": "0", key: answer})
    assert key not in [q.key for q in after.questions]
    if rows is not None:
        assert after.ready
        assert short(after) == rows


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_in_words(name):
    text, words = REFUSED[name]
    with pytest.raises(DomainError) as caught:
        with_csv(preset("hospitals").study, text)
    for word in words:
        assert word in str(caught.value)


def test_the_target_is_asked_for_and_a_curve_has_none():
    text = "name\tn\tepsilon\nA\t58\t0.3\nB\t240\t1"
    (question,) = read(text).questions
    assert list(question.options) == ["0", "1", "alike", "curve"]
    assert read(text, answers={"target": "2"}).questions == (question,)
    told = [row.get("role") for row in read(text, answers={"target": "1"}).rows]
    assert told == [None, "target"]
    curve = read(text, answers={"target": "curve"})
    assert (curve.curve, curve.ready, read(text, kind="federated").ready) == (True, True, True)
    # Sites of unequal signal are not all alike, and no curve's.
    unequal = "name\tn\tepsilon\tgamma\nA\t58\t0.3\t2\nB\t240\t1\t1"
    assert list(read(unequal).questions[0].options) == ["0", "1"]
    named = read("Type\tSite\tn\tε\nsource\tA\t58\t0.3\ntarget\tB\t240\t1")
    assert [row.get("role") for row in named.rows] == ["source", "target"]
    assert named.ready


def test_the_app_s_table_of_a_curve_opens_where_a_classifier_is_open():
    curve = preset("unequal").study
    reading = read(tables.to_csv(curve))
    assert reading.curve
    assert "sites of a curve" in said(reading)
    parameters = {"federated": {"smoothness": 1.5, "integrability": 4.0}}
    assert tables.study_of(reading, "transfer", parameters).servers == curve.servers


@pytest.mark.parametrize("title", ["Phones", "Sites", "Geräte", "Hôpitaux", "Dispositivos"])
def test_a_column_of_devices_or_places_is_asked_about(title):
    table = f"Group\t{title}\tRecords per one\tε\nold\t20000\t1\t2\nnew\t12000\t2\t0.5"
    (question,) = read(table, kind="federated").questions
    assert list(question.options) == ["count", "n", "name", "out"]
    reading = read(table, kind="federated", answers={question.key: "count"})
    found = [(r["name"], r["count"], r["n"], r["epsilon"]) for r in reading.rows]
    assert found == [("old", 20000, 1, 2), ("new", 12000, 2, 0.5)]


def test_a_table_written_here_may_have_a_site_of_any_name_and_a_total():
    header = "name,role,n,epsilon,delta,signal_exponent,count"
    reading = read(f"{header}\nTotal,target,58,1,,1,1\nA,,9,1,,1,1\nSum,,67,,,,")
    assert [row["name"] for row in reading.rows] == ["Total", "A"]
    infinite = read("Site\tn\tε\nA\tinf\t1\nB\t5\t1\n\t5\t", kind="federated")
    assert [row["name"] for row in infinite.rows] == ["A", "B"]


def test_one_site_alone_that_can_be_the_target_is_it():
    text = "Site\tn\tε\tcount\tgamma\nA\t5\t1\t3\t2\nB\t6\t1\t1\t1"
    reading = read(text)
    assert reading.ready
    assert "B is the target" in said(reading)
    refused = read(text.replace("B\t6\t1\t1", "B\t6\t1\t2"))
    assert "count must be 1" in str(refused.refusals[0])


def test_dashes_are_asked_about_once_and_say_what_they_were_read_as():
    text = "name\tn\tε\nA\t58\t-\nB\t240\t1\nC\t5\t–"
    (question,) = read(text, kind="federated").questions
    assert question.text.startswith("Row 1 ('A'): what does - mean as a budget, also in 1 other")
    for answer, rows, words in (
        ("inf", [("A", 58, INF), B, ("C", 5, INF)], "'-' is read as unprotected (inf): A"),
        ("out", [B], "not stated: Row 1 ('A'), Row 3 ('C')"),
    ):
        reading = read(text, kind="federated", answers={"dash epsilon": answer})
        assert short(reading) == rows
        assert words in said(reading)
    none = read("name\tn\tε\nA\t58\t-", answers={"dash epsilon": "out"})
    assert "at least one site" in str(none.refusals[0])


def test_what_was_left_out_on_purpose_is_not_taken_for_another_column():
    text = "Klinik\tGeräte\tε\nA\t58\t0,3"
    (question,) = read(text).questions
    assert list(question.options) == ["count", "n", "name", "out"]
    assert read(text, answers={question.key: "n"}).rows[0]["n"] == 58
    for answer in ("count", "out"):
        (refusal,) = read(text, answers={question.key: answer}).refusals
        assert "n is required" in str(refusal)


def test_a_column_that_is_left_out_is_not_asked_about_where_its_number_is_that_of_a_row():
    reading = read("name\tn\tε\tcity\nA\t58\t1\tX\nB\t9\t1\tY\nC\t9\t1\tZ\nD\t9\t1\tZ")
    assert [question.key for question in reading.questions] == ["target"]
    assert "'city' is left out" in said(reading)


@pytest.mark.parametrize("text", ["Charité\t5\t2,375", '"5";"2,375";"n"', "Charité\t1,125\t5"])
def test_a_mark_in_one_row_without_a_header_is_asked_about(text):
    assert not read(text).ready


def test_old_letters_and_wide_ones_are_read():
    text = "Krankenhaus;Fälle;Budget\nKöln;58;0,3\nBonn;60;1"
    for code in ("utf-8", "utf-8-sig", "cp1252", "utf-16"):
        reading = read(text.encode(code), kind="federated")
        assert [row["name"] for row in reading.rows] == ["Köln", "Bonn"]


@pytest.mark.parametrize(
    ("first", "last", "most"), deep_after(1, [(0, 1000, 89), (1000, 10_000, 915)])
)
def test_drawn_tables_are_never_misread_and_seldom_asked_about(first, last, most):
    """A person could not be sure of most that are asked about; they never become more."""
    asked = 0
    for seed in range(first, last):
        drawn = paste(seed)
        reading = read(drawn.text)
        # The target and dashes are told where only they are asked.
        told = {"target": str(drawn.target), "dash epsilon": "inf"}
        if {q.key for q in reading.questions} <= set(told) and not reading.refusals:
            reading = read(drawn.text, answers=told)
        assert all(len(question.options) > 1 for question in reading.questions)
        if not reading.ready:
            asked += drawn.readable
            continue
        rows = tuple(
            (*values, row.get("delta"), row.get("signal_exponent", 1), row.get("count", 1))
            for values, row in zip(short(reading), reading.rows, strict=True)
        )
        marked = [k for k, row in enumerate(reading.rows) if row.get("role") == "target"]
        assert (drawn.readable, rows, marked) == (True, drawn.rows, [drawn.target]), seed
    assert asked <= most
