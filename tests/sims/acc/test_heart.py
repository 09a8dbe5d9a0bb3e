"""Heart-disease files: every accepted form, and every refusal; the ledger reads the real ones."""

from __future__ import annotations

import pytest

from rates.numbers.parameters import DomainError
from sims.acc.heart import read_hospital

SICK = "63,1,4,140,260,0,1,112,1,3,2,?,?,2"
WELL = "44,1,4,130,209,0,1,127,0,0,?,?,?,0"
GAPS = "50,0,3,120,?,?,0,150,?,1.5,?,?,?,0"
HEADER = "Age,Sex,CPT,RBP,SC,FBS,RER,MHRA,EIA,Oldpeak,SOPE,NOMV,Thal,Target"


def text(*lines: str, separator: str = ",") -> str:
    return "\n".join(lines).replace(",", separator)


@pytest.mark.parametrize(
    "content",
    [
        *(text(SICK, WELL, separator=separator) for separator in (",", ";", "\t", ", ")),
        text(HEADER, SICK, WELL, separator=";"),
        text(
            "target;oldpeak;exang;thalach;trestbps;cp;sex;age",
            *("1;3;1;112;140;4;1;63", "0;0;0;127;130;4;1;44"),
        ),
    ],
)
def test_separators_header_and_columns_in_any_order(content: str) -> None:
    site = read_hospital(content, "A")
    assert site.x.tolist()[0] == [63, 1, 4, 1, 112, 3, 140]
    assert (site.y.tolist(), site.rows) == ([1, 0], 2)


def test_dropped_rows_are_counted_with_the_reason() -> None:
    site = read_hospital(text(SICK, WELL, GAPS, WELL), "A")
    assert (site.rows, site.n) == (4, 3)
    assert site.notes == ("1 of 4 records dropped: missing exang in 1.",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "must hold 1 to"),
        (HEADER, "must hold 1 to"),
        (text(GAPS), "At least one record must be complete"),
        (text(SICK, "1,2,3"), "row 2.*cells: got 3"),
        (text(SICK, WELL.replace("127", "high")), "row 2, field thalach: got .?high"),
        (text(SICK, WELL[:-1] + "5"), "label must be 0 .* row 2"),
        (text(SICK, WELL[:-1] + "1.5"), "label must be 0 .* row 2"),
        (text(SICK, WELL.replace("44,1,4", "44,1,0")), r"cp must lie in .*original.*row 2"),
        (text(SICK, SICK), "with and without disease"),
        (text(WELL), "with and without disease"),
        (text(HEADER.replace("RBP", "XYZ"), SICK, WELL), "0 columns named trestbps"),
        (text(HEADER.replace("RBP", "Age"), SICK, WELL), "named age"),
    ],
)
def test_refusals_name_the_place(content: str, message: str) -> None:
    with pytest.raises(DomainError, match=message):
        read_hospital(content, "A")
