"""Heart-disease files: every accepted form, every refusal, and the real files where present."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rates.numbers.parameters import DomainError
from sims.acc.heart import read_hospital

FOLDER = Path(__file__).parents[4] / "shared" / "data" / "heart"
SICK = "63,1,4,140,260,0,1,112,1,3,2,?,?,2"
WELL = "44,1,4,130,209,0,1,127,0,0,?,?,?,0"
GAPS = "50,0,3,120,?,?,0,150,?,1.5,?,?,?,0"
HEADER = "Age,Sex,CPT,RBP,SC,FBS,RER,MHRA,EIA,Oldpeak,SOPE,NOMV,Thal,Target"


def text(*lines: str, separator: str = ",") -> str:
    return "\n".join(lines).replace(",", separator)


@pytest.mark.parametrize("separator", [",", ";", "\t", ", "])
@pytest.mark.parametrize("header", [(), (HEADER,)])
def test_separators_and_header(separator: str, header: tuple[str, ...]) -> None:
    site = read_hospital(text(*header, SICK, WELL, separator=separator), "A")
    assert site.x.tolist()[0] == [63, 1, 4, 1, 112, 3, 140]
    assert site.y.tolist() == [1, 0]
    assert site.rows == 2


def test_columns_may_come_in_any_order_and_some_may_be_absent() -> None:
    names = "target;oldpeak;exang;thalach;trestbps;cp;sex;age"
    site = read_hospital(f"{names}\n1;3;1;112;140;4;1;63\n0;0;0;127;130;4;1;44\n", "A")
    assert site.x.tolist()[0] == [63, 1, 4, 1, 112, 3, 140]


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
        (
            text(SICK, WELL.replace("44,1,4", "44,1,0")),
            r"cp must lie in .*original.*row 2",
        ),
        (text(SICK, SICK), "with and without disease"),
        (text(WELL), "with and without disease"),
        (text(HEADER.replace("RBP", "XYZ"), SICK, WELL), "0 columns named trestbps"),
        (text(HEADER.replace("RBP", "Age"), SICK, WELL), "named age"),
    ],
)
def test_refusals_name_the_place(content: str, message: str) -> None:
    with pytest.raises(DomainError, match=message):
        read_hospital(content, "A")


def test_the_four_files() -> None:
    if not FOLDER.exists():
        pytest.skip("no ../shared/data/heart beside the repository")
    found = {}
    for name in ("cleveland", "hungarian", "switzerland", "va"):
        content = (FOLDER / f"processed.{name}.data").read_text(encoding="utf-8")
        site = read_hospital(content, name)
        assert np.isfinite(site.x).all()
        found[name] = (site.rows, site.n, round(100 * site.prevalence, 1))
    assert found == {
        "cleveland": (303, 303, 45.9),
        "hungarian": (294, 293, 36.2),
        "switzerland": (123, 117, 93.2),
        "va": (200, 141, 78.7),
    }
