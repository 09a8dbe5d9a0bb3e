"""Certificates: made from claims, held by a program that knows nothing of this project."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rates.language import value
from rates.ledger import certificates, entries, entry, review, verify
from rates.numbers import DomainError
from tests.house.count import code_lines

File = dict[str, Any]
SOME = ("ACC:Cor3.2:eps21", "KS:Alg4:users", "BCMM:Eq20:penalty", "CCV:Sec2.1:smaller-p")


@pytest.fixture
def file() -> File:
    """The file of some certificates, that of ε21 first."""
    found: File = json.loads(certificates.of(map(entry, SOME)))
    return found


def test_all_certificates_hold_without_the_project(tmp_path: Path) -> None:
    """And a spoiled one does not: the verifier runs in a folder of its own."""
    text = Path(str(verify.__file__)).read_text("utf-8")
    assert code_lines(text) <= 120
    assert "rates" not in text
    (tmp_path / "verify.py").write_text(text, "utf-8")
    whole = json.loads(certificates.of(entries()))
    number = len(whole["certificates"])
    assert number >= 80
    for said in (f"{number} certificates hold.\n", ""):
        (tmp_path / "found.json").write_text(json.dumps(whole), "utf-8")
        command = [sys.executable, "-I", "verify.py", "found.json"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert (done.stdout, done.returncode == 0) == (said, bool(said)), done.stderr
        whole["certificates"][number // 2]["then"] = ["0 = 1"]


def first(change: Callable[[dict[str, Any]], object]) -> Callable[[File], object]:
    """Return what changes the certificate of ε21."""
    return lambda file: change(file["certificates"][0])


CORRUPTIONS: dict[str, Callable[[File], object]] = {
    "shown 0 = 1": first(lambda one: one.update(then=["0 = 1"])),
    "another id": first(lambda one: one.update(id="ACC:Cor3.2:eps2")),
    "another form": first(lambda one: one.update(form="reading")),
    "conditions dropped": lambda file: [one["if"].clear() for one in file["certificates"]],
    "sides widened to infinity": first(lambda one: one.update(sides=[[["-inf", "inf"]] * 2])),
    "n0 overridden": first(lambda one: one["let"].append(["n0", "7"])),
    "m = 3/2": first(lambda one: one["at"].update(m="3/2")),
    "half deleted": lambda file: file["certificates"].__delitem__(slice(2)),
    "another number": first(lambda one: one["at"].update(n0="101")),
    "another root": lambda file: [
        one.update(roots={letter: ["1/2", "6"] for letter in one["roots"]})
        for one in file["certificates"]
    ],
    "a root too many": first(lambda one: one["roots"].update(n=["1/2", "6"])),
    "another sign": first(lambda one: one.update(then=[one["then"][0].replace("=", ">=")])),
    "a condition that fails": first(lambda one: one["if"].append("n > m")),
    "a range without the number": first(lambda one: one["for"].update(m=["1", "2", "whole"])),
    "twice": lambda file: file["certificates"].append(file["certificates"][0]),
    "more in it": first(lambda one: one.update(latex=["0 = 1"])),
    "another side": first(lambda one: one["sides"][0][0].__setitem__(1, "0.5411")),
}


LEDGER_ALONE = ("another id", "another form", "conditions dropped", "half deleted")


def test_all_fit_before_they_are_corrupted(file: File) -> None:
    assert verify.verify(file) == len(SOME)
    assert not review.of_certificates([entry(of) for of in SOME], file)
    with pytest.raises(DomainError, match="no certificate"):
        certificates.make(entry(SOME[0]), "reading")  # it holds


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_each_corruption_of_the_audit_fails_with_the_manifest_written_anew_too(
    name: str, file: File
) -> None:
    """What the verifier cannot know, such as which claim has which id, the ledger does."""
    CORRUPTIONS[name](file)
    with pytest.raises(ValueError, match=r"manifest differ|as it says|root|something else"):
        verify.verify(file)
    again = json.loads(certificates.as_file(file["certificates"]))
    assert review.of_certificates([entry(of) for of in SOME], again)
    if name not in LEDGER_ALONE:
        said = r"differ|apart|certain|as it says|outside|whole|twice|root|something else"
        with pytest.raises(ValueError, match=said):
            verify.verify(again)


@pytest.mark.parametrize("of", SOME)
def test_a_certificate_is_what_its_claim_says(of: str) -> None:
    claim = entry(of).claims["printed"]
    one = certificates.make(entry(of), "printed")
    assert one["at"] == {name: str(x) for name, x in (claim.at or {}).items()}
    assert one["then"] == [said.source for said in claim.says]
    at = claim.example()
    sides = [value(side, at).item() for said in claim.says for side in (said.left, said.right)]
    ends = np.array(one["sides"], float).reshape(-1, 2)
    assert ends == pytest.approx(np.transpose([sides, sides]), rel=1e-9)


@pytest.mark.parametrize("at", ["-9", "-3/2", "0", "1/3", "4"])
def test_phi_lies_in_its_interval(at: str) -> None:
    found = verify.normal(verify.number(at))
    true = math.erfc(-float(Fraction(at)) / math.sqrt(2)) / 2
    assert float(found.a) == pytest.approx(true, rel=1e-9)
    assert float(found.b) >= float(found.a)


@pytest.mark.parametrize("text", ["__import__('os')", "x.a", "y + 1", "x if x else 1", "[1]"])
def test_what_is_no_formula_is_refused(text: str) -> None:
    with pytest.raises((ValueError, SyntaxError)):
        verify.formula(text, {"x": verify.number("1")})
