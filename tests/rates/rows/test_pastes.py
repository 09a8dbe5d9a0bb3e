"""Rows that people paste: each is read as meant, asked about, or refused in words."""

from __future__ import annotations

import math

import pytest

from rates.numbers import DomainError
from rates.rows import read
from rates.study import preset, tables
from tests.rates.rows.generated import Paste, paste
from tests.rates.rows.sites import with_csv

INF = math.inf
A, B = ("A", 58, 0.3), ("B", 240, 1)

# What is pasted, and the rows that it is read as; words of its record that must be said.
READ = {
    # Those of the planner's walk.
    "own headers": (
        "Hospital\tPatients\tEpsilon\tDelta\nA\t58\t0,3\t",
        [A],
        ["'Hospital' is read as Site", "'Patients' is read as Records n", "0,3 is read as 0.3"],
    ),
    "capitals": ("Name\tN\tEpsilon\tDelta\nA\t58\t0.3\t", [A], []),
    "the app's titles": ("Site\tRecords n\tBudget ε\tδ\nA\t58\t0.3\t", [A], []),
    "no header": ("A\t58\t0.3\nB\t240\t1", [A, B], ["No header", "Column 2 (58, ...) is read as"]),
    "decimal comma": (
        "epsilon\tname\tn\n0,3\tMünchen, Klinikum\t58",
        [("München, Klinikum", 58, 0.3)],
        [],
    ),
    "thousands comma": (
        "epsilon\tname\tn\n1\tM\t1,912",
        [("M", 1912, 1)],
        ["1,912 is read as 1912"],
    ),
    "thousands space": ("epsilon\tname\tn\n1\tM\t12 400", [("M", 12400, 1)], []),
    "narrow space": ("epsilon\tname\tn\n1\tM\t12\u202f400", [("M", 12400, 1)], []),
    "apostrophe": (
        "epsilon\tname\tn\n1\tM\t12'400\n1\tN\t12’400",
        [("M", 12400, 1), ("N", 12400, 1)],
        [],
    ),
    "no budget": (
        "epsilon\tname\tn\nnone\tM\t1\n-\tN\t1\n∞\tO\t1\nunprotected\tP\t1\npublic\tQ\t1",
        [(name, 1, INF) for name in "MNOPQ"],
        [
            "'none' is read as unprotected (inf): M",
            "'-' is read as unprotected",
            "'public' is read",
        ],
    ),
    "semicolons": ("name;n;epsilon;delta\nA;58;0,3;0,000001", [A], ["0,000001 is read as 1e-06"]),
    "an extra column": ("name\tn\tepsilon\tcity\nA\t58\t0.3\tBonn", [A], ["'city' is left out"]),
    "a total line": (
        "name\tn\tepsilon\nA\t58\t0.3\nB\t240\t1\nTotal\t298\t",
        [A, B],
        ["(Total) is the sum of the others and is left out"],
    ),
    "quotes, marks and ends": (
        '\ufeffname\tn\tepsilon\r\n"A\r\n""x"""\t58\t0.3\r\nB\t240\t1\r\n\r\n\t\t\r\n',
        [('A "x"', 58, 0.3), B],
        ["a line break in its name is read as a space"],
    ),
    # Others.
    "German": (
        "Klinik;Fallzahl;Budget\nA;1.912;0,3\nB;2.000;keins",
        [("A", 1912, 0.3), ("B", 2000, INF)],
        [],
    ),
    "French": (
        "Nom de l'hôpital;Effectif;Budget de confidentialité\nA;58;0,3\nB;240;aucun",
        [A, ("B", 240, INF)],
        [],
    ),
    "Spanish": (
        "Nombre\tRegistros\tPresupuesto\nA\t58\t0,3\nB\t240\tsin protección",
        [A, ("B", 240, INF)],
        [],
    ),
    "another order": ("δ,Budget ε,Records n,Site\n1e-6,0.3,58,A\n1e-6,1,240,B", [A, B], []),
    "bars": ("| Site | n | ε |\n|---|--:|---|\n| A | 58 | 0.3 |\n| B | 240 | 1 |", [A, B], []),
    "spaces": ("Site   Records   Budget\nA      58        0.3\nB      240       1", [A, B], []),
    "one space": ("A 58 0.3\nB 240 1", [A, B], []),
    "commas and gaps": ("name, n, epsilon\nA,   58,  0.3\nB,  240,  1", [A, B], []),
    "a title above": (
        "Our partners, 2024\t\t\n\t\t\nSite\tn\tε\nA\t58\t0.3",
        [A],
        ["Left out above"],
    ),
    "names in a column without a title": ("\tn\tepsilon\nA\t58\t0.3\nB\t240\t1", [A, B], []),
    "a column of numbers without a title": (
        "\tSite\tn\tε\n0\tA\t58\t0.3\n1\tB\t240\t1",
        [A, B],
        ["left out"],
    ),
    "money is no privacy budget": ("Site\tn\tε\tBudget (EUR)\nA\t58\t0.3\t9000", [A], ["left out"]),
    "where it is beside what it is": (
        "Klinik\tOrt\tFälle\tEpsilon\nA\tBonn\t58\t0,3",
        [A],
        ["'Ort' is left out"],
    ),
    "a total of another name": (
        "Site\tn\tε\nA\t58\t0.3\nB\t240\t1\nAlle Häuser:\t298\t-",
        [A, B],
        ["left out"],
    ),
    "a total without a name": ("Site\tn\tε\nA\t58\t0.3\nB\t240\t1\n\t298\t", [A, B], ["no name"]),
    "a total first": ("Site\tn\tε\nSumme\t298\t\nA\t58\t0.3\nB\t240\t1", [A, B], ["left out"]),
    "a name that begins like a total": (
        "Site\tn\tε\nTotal Care\t58\t1",
        [("Total Care", 58, 1)],
        [],
    ),
    "thousands twice": ("Site\tn\tε\nA\t1.234.567\t0,3", [("A", 1234567, 0.3)], []),
    "both marks": ("Site\tn\tε\nA\t58\t1.234,5", [("A", 58, 1234.5)], []),
    "Indian spaces are three digits": ("Site\tn\tε\nA\t1 234 567\t1", [("A", 1234567, 1)], []),
    "a thousand beside decimal points": ("Site\tn\tε\nA\t1,000\t0.3", [("A", 1000, 0.3)], []),
    "a power of ten": ("Site\tn\tε\tδ\nA\t58\t0,3\t10⁻⁶\nB\t240\t1\t1·10^-6", [A, B], []),
    "a spreadsheet's power": (
        "Site\tn\tε\tδ\nA\t58\t0,3\t1,00E-06",
        [A],
        ["1,00E-06 is read as 1e-06"],
    ),
    "decimals of a whole number": ("Site\tn\tε\nA\t58,0\t0,3", [A], ["58,0 is read as 58"]),
    "three decimals beside others": (
        "Site\tn\tε\nA\t58\t1,125\nB\t240\t0,3",
        [("A", 58, 1.125), ("B", 240, 0.3)],
        [],
    ),
    "a column of ticks": (
        "Site\tTarget\tn\tBudget ε\tUnprotected\nA\ttrue\t58\t0.3\tfalse\nB\tfalse\t240\t\ttrue",
        [A, ("B", 240, INF)],
        [],
    ),
    "δ that is not stated": (
        "Site\tn\tε\tδ\nA\t58\t0.3\t-\nB\t240\t1\tnone",
        [A, B],
        ["read as not stated"],
    ),
    "quotes within a name": ('Site\tn\tε\n"A" and B\t58\t0.3', [('"A" and B', 58, 0.3)], []),
    "old ends of lines": ("Site\tn\tε\rA\t58\t0.3\rB\t240\t1", [A, B], []),
    "fewer cells": ("Site\tn\tε\tδ\tcount\nA\t58\t0.3\nB\t240\t1\t1e-6", [A, B], []),
    "an unknown title for the sites": ("Szpital\tn\tε\nA\t58\t0.3\nB\t240\t1", [A, B], ["Szpital"]),
    "roles under a title of their own": (
        "Type\tSite\tn\tε\nsource\tA\t58\t0.3\nsource\tB\t240\t1",
        [A, B],
        ["'Type' is left out"],
    ),
    "points between commas begin decimals": (
        "Site,No. of included patients,ε\nA,58,1.125\nB,240,2",
        [("A", 58, 1.125), ("B", 240, 2)],
        [],
    ),
    "abbreviations": ("Hôpital;Nb de patients;ε-DP\nA;58;0,3", [A], []),
    "per site": ("Site;Patients per site;Epsilon per person\nA;58;0.3", [A], []),
}

# What is pasted, the question's key, an answer, and the rows then.
ASKED = {
    "a point beside decimal commas": (
        "epsilon\tname\tn\n0,3\tM\t2.000",
        "mark n point",
        "thousands",
        [("M", 2000, 0.3)],
    ),
    "a point alone": (
        "epsilon\tname\tn\n1\tM\t2.000",
        "mark n point",
        "thousands",
        [("M", 2000, 1)],
    ),
    "a point that begins decimals": (
        "epsilon\tname\tn\n1\tM\t2.000",
        "mark n point",
        "decimal",
        [("M", 2, 1)],
    ),
    "no target": ("name\tn\tepsilon\nA\t58\t0.3\nB\t240\t1", "target", "1", [A, B]),
    "all alike": ("name\tn\tepsilon\nA\t58\t0.3\nB\t240\t1", "target", "alike", [A, B]),
    "a thousand under a budget": (
        "name\tn\tepsilon\nA\t58\t1,912",
        "mark epsilon comma",
        "decimal",
        [("A", 58, 1.912)],
    ),
    "a thousand alone": (
        "name\tn\tepsilon\nA\t1,000\t1",
        "mark n comma",
        "thousands",
        [("A", 1000, 1)],
    ),
    "a budget beside forced thousands": (
        "name\tn\tepsilon\nA\t12.430\t1.125",
        "mark epsilon point",
        "decimal",
        [("A", 12430, 1.125)],
    ),
    "one mark for decimals and thousands": (
        "name\tn\tepsilon\nA\t12.430\t0.3\nB\t2.000\t1",
        "mark n point",
        "thousands",
        [("A", 12430, 0.3), ("B", 2000, 1)],
    ),
    "two columns for one": ("Name\tn\tRecords\tε\nA\t58\t60\t0.3", "field n", "1", [A]),
    "a count that may be records": (
        "Hospital\tCount\tEpsilon\tYear\nA\t58\t0.3\t2019",
        "field n",
        "1",
        [A],
    ),
    "a title that is not known": ("Site\tPacjenci\tε\nA\t58\t0.3", "field n", "1", [A]),
    "a number beside records": (
        "Klinik\tPatienten\tAnzahl\tε\nA\t58\t1\t0,3",
        "column 2",
        "count",
        [A],
    ),
    "no header, whole numbers alike": ("A\t12\t15\nB\t14\t11", "field n", "1", None),
    "a total that is none": (
        "name\tn\tepsilon\nA\t58\t0.3\nB\t240\t1\nTotal\t300\t",
        "row 2",
        "total",
        [A, B],
    ),
    "an average": (
        "name\tn\tepsilon\nA\t58\t0.3\nB\t240\t1\nMean\t149\t0.65",
        "row 2",
        "total",
        [A, B],
    ),
}

REFUSED = {
    "an empty budget": ("epsilon\tname\tn\n\tM\t12400", ["Row 1 ('M')", "epsilon", "inf"]),
    "per cent": ("name\tn\tepsilon\nA\t58\t0.3 %", ["per cent", "Row 1 ('A')", "'0.3 %'"]),
    "per cent without a gap": ("name\tn\tepsilon\nA\t58\t30%", ["per cent", "'30%'"]),
    "per cent in the title": ("name\tn\tepsilon (%)\nA\t58\t30", ["per cent", "Header"]),
    "thousands in the title": (
        "name\tPatients (thousands)\tepsilon\nA\t5.8\t1",
        ["factor", "Header"],
    ),
    "a logarithm": ("name\tn\tepsilon\tlog10 δ\nA\t58\t1\t-6", ["logarithm"]),
    "a unit": ("name\tn\tepsilon\nA\t58 pts\t1", ["plain number", "'58 pts'", "field n"]),
    "about": ("name\tn\tepsilon\nA\t~58\t1", ["plain number", "'~58'"]),
    "a fraction": ("name\tn\tepsilon\nA\t58\t1/2", ["plain number", "'1/2'"]),
    "a range": ("name\tn\tepsilon\nA\t50-60\t1", ["plain number", "'50-60'"]),
    "groups of two": ("name\tn\tepsilon\nA\t1,24,000\t1", ["plain number"]),
    "a square": ("name\tn\tepsilon\nA\t5²\t1", ["plain number"]),
    "not a number": ("name\tn\tepsilon\nA\tnan\t1", ["plain number", "'nan'"]),
    "too large": ("name\tn\tepsilon\nA\t1e400\t1", ["floating point", "'1e400'"]),
    "unknown": ("name\tn\tepsilon\nA\t58\t?", ["plain number", "inf", "'?'"]),
    "an empty n": ("name\tn\tepsilon\nA\t\t1\nB\t5\t1", ["n is required", "Row 1 ('A')"]),
    "a role of its own": ("name\tn\tepsilon\trole\nA\t58\t1\tboss", ["role must be", "'boss'"]),
    "two targets": (
        "name\tn\tepsilon\tZiel\nA\t58\t1\tx\nB\t58\t1\tx",
        ["exactly one", "rows 1, 2"],
    ),
    "one name twice": ("name\tn\tepsilon\trole\nA\t58\t1\ttarget\nA\t60\t1\t", ["unique", "Row 2"]),
    "a title twice": ("name\tn\tepsilon\tn\nA\t58\t1\t2", ["once only"]),
    "more cells": ("name\tn\tepsilon\nA\t58\t1\t9", ["at most 3 cells", "Row 1"]),
    "a gap between spaces": ("Site  n   ε  δ\nA     58  1", ["spaces", "Row 1"]),
    "decimal commas between commas": ("name,n,epsilon\nA,58,0,3", ["at most 3 cells"]),
    "both a budget and none": ("name\tn\tepsilon\tunprotected\nA\t5\t1\tyes", ["leave one"]),
    "nothing": (" \n", ["empty table"]),
    "a header alone": ("name\tn\tepsilon", ["header alone"]),
    "too many columns": ("a\t" * 120 + "\n" + "1\t" * 120, ["at most 100 columns"]),
    "one column": ("A\nB\nC", ["one column"]),
}


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
    assert not reading.refusals
    assert not reading.questions
    assert short(reading) == rows
    for word in words:
        assert word in said(reading)


@pytest.mark.parametrize("name", ASKED)
def test_what_is_ambiguous_is_asked(name):
    text, key, answer, rows = ASKED[name]
    reading = read(text)
    question = next(q for q in reading.questions if q.key == key)
    assert answer in question.options
    assert not reading.ready
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


@pytest.mark.parametrize(
    "mark", ["target", "Target", "Ziel", "cible", "objetivo", "yes", "ja", "x", "✓"]
)
def test_words_for_the_target(mark):
    for title in ("role", "Target", "Ziel", "Cible", "Objetivo"):
        reading = read(f"name;n;epsilon;{title}\nA;58;0,3;\nB;240;1;{mark}")
        assert reading.ready
        assert [row.get("role") for row in reading.rows] == [None, "target"]


def test_targets_and_sources_are_known_under_any_title():
    reading = read("Type\tSite\tn\tε\nsource\tA\t58\t0.3\ntarget\tB\t240\t1")
    assert [row.get("role") for row in reading.rows] == ["source", "target"]
    assert reading.ready


def test_the_target_is_asked_for_and_a_curve_has_none():
    text = "name\tn\tepsilon\nA\t58\t0.3\nB\t240\t1"
    (question,) = read(text).questions
    assert list(question.options) == ["0", "1", "alike", "curve"]
    told = [row.get("role") for row in read(text, answers={"target": "1"}).rows]
    assert told == [None, "target"]
    curve = read(text, answers={"target": "curve"})
    assert curve.curve
    assert curve.ready
    assert read(text, kind="federated").ready
    # Sites of unequal signal are not all alike, and no curve's.
    unequal = "name\tn\tepsilon\tgamma\nA\t58\t0.3\t2\nB\t240\t1\t1"
    assert list(read(unequal).questions[0].options) == ["0", "1"]


def test_the_app_s_table_of_a_curve_opens_where_a_classifier_is_open():
    curve = preset("unequal").study
    parameters = {"smoothness": 1.5, "integrability": 4.0}
    reading = read(tables.to_csv(curve))
    assert reading.curve
    assert "sites of a curve" in said(reading)
    made = tables.study_of(reading, "transfer", {"federated": parameters})
    assert made.servers == curve.servers


def test_old_letters_and_wide_ones_are_read():
    text = "Krankenhaus;Fälle;Budget\nKöln;58;0,3\nBonn;60;1"
    for code in ("utf-8", "utf-8-sig", "cp1252", "utf-16"):
        reading = read(text.encode(code), kind="federated")
        assert [row["name"] for row in reading.rows] == ["Köln", "Bonn"]


def outcome(drawn: Paste):
    """The reading of a drawn table, whose target is told where only that is asked."""
    reading = read(drawn.text)
    if [q.key for q in reading.questions] == ["target"] and not reading.refusals:
        return read(drawn.text, answers={"target": str(drawn.target)})
    return reading


def misread_and_asked(seeds: range) -> tuple[list[int], int, int]:
    """Seeds whose table is read as something else, and how many clear ones are asked about."""
    wrong, asked, clear = [], 0, 0
    for seed in seeds:
        drawn = paste(seed)
        reading = outcome(drawn)
        clear += drawn.clear
        if not reading.ready:
            asked += drawn.clear
            continue
        rows = tuple(
            (*values, row.get("delta"), row.get("signal_exponent", 1), row.get("count", 1))
            for values, row in zip(short(reading), reading.rows, strict=True)
        )
        marked = [k for k, row in enumerate(reading.rows) if row.get("role") == "target"]
        if not drawn.readable or rows != drawn.rows or marked != [drawn.target]:
            wrong.append(seed)
    return wrong, asked, clear


@pytest.mark.parametrize(
    ("first", "last"), [(0, 1000), pytest.param(1000, 20_000, marks=pytest.mark.deep)]
)
def test_drawn_tables_are_never_misread_and_seldom_asked_about(first, last):
    wrong, asked, clear = misread_and_asked(range(first, last))
    assert not wrong
    assert clear > 0.7 * (last - first)
    assert asked <= clear / 100
