"""Certificates: made from claims, held by a program that knows nothing of this project."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rates.language import value
from rates.ledger import certificates, entries, entry, review, verify
from rates.numbers import DomainError
from tests.house.count import code_lines

File = dict[str, Any]
SOME = ("ACC:Cor3.2:eps21", "KS:Alg4:users", "BCMM:Eq20:penalty", "CCV:Sec2.1:smaller-p")


@pytest.fixture(scope="module")
def whole() -> File:
    """The file of all certificates as their claims give it."""
    found: File = json.loads(certificates.of(entries()))
    return found


@pytest.fixture
def file(whole: File) -> File:
    """The file of some certificates, that of ε21 first."""
    rows = [one for of in SOME for one in whole["certificates"] if one["id"] == of]
    copy: File = json.loads(certificates.as_file(rows))
    return copy


def alone(folder: Path, file: File) -> subprocess.CompletedProcess[str]:
    """Run the verifier in a folder of its own, where there is no project."""
    shutil.copy(str(verify.__file__), folder / "verify.py")
    (folder / "found.json").write_text(json.dumps(file), "utf-8")
    command = [sys.executable, "-I", "verify.py", "found.json"]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


def test_all_certificates_hold_without_the_project(whole: File, tmp_path: Path) -> None:
    text = Path(str(verify.__file__)).read_text("utf-8")
    assert code_lines(text) <= 120
    assert "rates" not in text
    done = alone(tmp_path, whole)
    assert done.stdout == f"{len(whole['certificates'])} certificates hold.\n", done.stderr
    assert len(whole["certificates"]) >= 80


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
    "half of the certificates deleted": lambda file: file["certificates"].__delitem__(slice(2)),
    "another number": first(lambda one: one["at"].update(n0="101")),
    "another root": lambda file: [
        one.update(roots={letter: ["1/2", "6"] for letter in one["roots"]})
        for one in file["certificates"]
    ],
    "a root too many": first(lambda one: one["roots"].update(n=["1/2", "6"])),
    "another sign": first(lambda one: one.update(then=[one["then"][0].replace("=", ">=")])),
    "a condition that fails": first(lambda one: one["if"].append("n > m")),
    "a range without the number": first(lambda one: one["for"].update(m=["1", "2", "whole"])),
    "another side": first(lambda one: one["sides"][0][0].__setitem__(1, "0.5411")),
}


LEDGER_ALONE = (
    *("another id", "another form", "conditions dropped", "half of the certificates deleted"),
)
SAID = r"differ|apart|certain|as it says|outside|whole|twice|root"


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_each_corruption_of_the_audit_fails_with_the_manifest_written_anew_too(
    name: str, file: File
) -> None:
    """What the verifier cannot know, such as which claim has which id, the ledger does."""
    given = [entry(of) for of in SOME]
    assert verify.verify(file) == len(SOME)
    assert not review.of_certificates(given, file)
    CORRUPTIONS[name](file)
    with pytest.raises(ValueError, match=r"manifest differ|as it says|root"):
        verify.verify(file)
    again = json.loads(certificates.as_file(file["certificates"]))
    assert review.of_certificates(given, again)
    if name not in LEDGER_ALONE:
        with pytest.raises(ValueError, match=SAID):
            verify.verify(again)


def test_a_certificate_twice_or_with_more_in_it_fails(file: File) -> None:
    file["certificates"].append(file["certificates"][0])
    with pytest.raises(ValueError, match="differ"):
        verify.verify(file)
    file["certificates"].pop()
    file["certificates"][0]["latex"] = ["0 = 1"]
    with pytest.raises(ValueError, match="something else"):
        verify.verify(file)


def test_a_spoiled_file_fails_without_the_project(file: File, tmp_path: Path) -> None:
    CORRUPTIONS["m = 3/2"](file)
    assert alone(tmp_path, file).returncode != 0


@pytest.mark.parametrize("of", SOME)
def test_a_certificate_is_what_its_claim_says(of: str) -> None:
    claim = entry(of).claims["printed"]
    one = certificates.make(entry(of), "printed")
    assert one["at"] == {name: str(x) for name, x in (claim.at or {}).items()}
    assert one["then"] == [said.source for said in claim.says]
    at = claim.example()
    for said, pair in zip(claim.says, one["sides"], strict=True):
        for side, (low, high) in zip((said.left, said.right), pair, strict=True):
            assert [float(low), float(high)] == pytest.approx([value(side, at).item()] * 2, 1e-9)


def test_what_holds_has_no_certificate() -> None:
    with pytest.raises(DomainError, match="no certificate"):
        certificates.make(entry(SOME[0]), "reading")


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
