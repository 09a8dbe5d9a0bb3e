"""Formal claims: shown, tried and certified from one object; a certificate needs no project."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rates.__main__ import main
from rates.formal import certify, claims, verify
from rates.formal.claim import Claim, Range, Where, relation
from rates.formal.mutants import mutants, tally
from rates.formal.terms import Term, exp, latex, least, letters, log, value
from rates.numbers import DomainError
from rates.statements import ledger, reviewed
from rates.statements.formless import FORMLESS
from rates.statements.ledger import CONTRADICTED, statement, statements
from rates.statements.reviewed import told
from rates.statements.verdicts import stored
from tests.golden import make_source_mutants

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?")

BOOK = claims()
n, b, x = letters("n beta x")
SOME = (
    "ACC:Cor3.2:eps21",
    "ACC:Rem3.2:private-rate",
    "ACC:Table1:row-2:column-3",
    "CCV:Cor3:rate",
    "KS:Alg4:users",
    "BCMM:Eq20:penalty",
    "KS:Thm4.2:privacy",
)
# Checks that told no change of their own code apart, before they had a formal claim.
ONCE_BLIND = (
    "ACC:Eq5",
    "ACC:Eq6",
    "CCV:Cor1:delta",
    "DPLR:Alg1:placement",
    "DPLR:Eq9:indefinite",
    "KS:Alg1:records",
    "KS:AppA:account",
    "KS:Cor4.4:domination",
    "KS:Thm4.2:delta",
    "KS:Thm4.2:privacy",
    "KS:Thm4.3:potential",
)


def test_terms_by_hand() -> None:
    assert latex((n - 1) * b / 2) == r"\frac{\left(n - 1\right) \beta}{2}"
    assert latex(least(n, -(b**2)) ** (n / 2)) == r"\min\left(n, -\beta^{2}\right)^{\frac{n}{2}}"
    at = {"n": np.array([8.0]), "beta": np.array([3.0])}
    assert value(n ** (1 / b) - log(exp(b)), at) == pytest.approx([-1.0])
    assert value(Term("Phi", (0 * n,)), at) == pytest.approx([0.5])


def test_a_root_and_a_relation_by_hand() -> None:
    cube = Claim(
        letters=(Range("n", "size", 1, 1e6),),
        where=(Where("x", x**3 / n, solves=True),),
        says=(relation(x, "=", n ** (1 / Term("3"))),),
    )
    assert not cube.contradicted(np.random.default_rng(0))
    wrong = replace(cube, says=(relation(x, "=", n ** (1 / Term("2"))),))
    assert wrong.contradicted(np.random.default_rng(0))
    assert replace(cube, says=(relation(x, "<", x),)).contradicted(np.random.default_rng(0))
    assert (
        replace(cube, says=(relation(x, "<=", x),)).contradicted(np.random.default_rng(0)) is False
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda: Range("n", "size", 0, 10),
        lambda: Range("n", "number", 2, 1),
        lambda: Claim(letters=(), says=()),
        lambda: Claim(letters=(), says=(relation(1, "=", 1),), iff=True),
    ],
)
def test_a_claim_without_meaning_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(DomainError):
        make()


def test_formal_claims_and_verdicts_agree() -> None:
    for (of, form), claim in BOOK.items():
        item = statement(of)
        row = {verdict.form: verdict.words for verdict in stored(item.paper)[of]}
        fails = row[form] in CONTRADICTED  # type: ignore[index]
        assert fails == (claim.at is not None), (of, form)
        assert fails == claim.contradicted(np.random.default_rng([0, 1])), (of, form)


def test_every_statement_with_a_test_has_a_formula_or_a_reason() -> None:
    """The form that we use; a contradicted printed form has numbers as well."""
    kinds = set()
    for item in statements():
        assert (item.check is not None) or not item.formless, item.id
        if item.check is not None:
            formal = (item.id, item.used) in BOOK
            assert formal != bool(item.formless), item.id
            kinds.add(item.formless)
        if item.category and item.check and not item.formless:
            assert BOOK[item.id, "printed"].at, item.id
    assert kinds == {"", *FORMLESS}


def test_our_reading_is_its_formula_or_says_of_which_case_the_formula_is() -> None:
    made = 0
    for item in statements():
        claim = BOOK.get((item.id, "reading"))
        if item.reading is None or claim is None:
            assert not item.checked_as, item.id
            continue
        same = item.reading == "\n".join(claim.latex)
        assert same != bool(item.checked_as), item.id
        made += same
    assert made >= 17


def test_no_verdict_survives_another_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    nonsense = Claim(letters=(Range("n", "size", 1, 2),), says=(relation(0, "=", 1),))
    monkeypatch.setattr(reviewed, "claims", lambda: dict.fromkeys(BOOK, nonsense))
    for of, form in BOOK:
        assert ledger.judge(statement(of), form, None) == ledger.UNSHOWN  # type: ignore[arg-type]


def test_formulas_are_what_a_page_can_show() -> None:
    for of, claim in BOOK.items():
        for line in claim.latex:
            assert line.isascii(), of
            assert line.count("{") == line.count("}"), of
            assert line.count(r"\left(") == line.count(r"\right)"), of
            assert not re.search(r"(?<!\\)(?:eps|beta|gamma|min|max|log)\b", line), line


@pytest.mark.parametrize("of", SOME)
def test_mutants_of_a_claim_are_told_apart(of: str) -> None:
    claim = BOOK[of, statement(of).used]
    found = tally(claim, np.random.default_rng(1))
    assert json.loads(json.dumps(asdict(found))) == told()[of]
    assert found.changed == found.told + len(found.missed)
    assert found.told + len(found.missed) + len(found.alike) == len(list(mutants(claim)))
    assert found.told > 0


def test_a_check_that_asks_nothing_tells_nothing_apart() -> None:
    empty = Claim(letters=(Range("n", "size", 1, 10),), says=(relation(n, ">=", -n),))
    assert tally(empty, np.random.default_rng(0)).told == 0


@pytest.mark.deep
def test_all_mutants_are_as_stored() -> None:
    for item in statements():
        claim = BOOK.get((item.id, item.used))
        if claim is not None and claim.at is None:
            found = asdict(tally(claim, np.random.default_rng(1)))
            assert json.loads(json.dumps(found)) == told()[item.id], item.id


def test_nineteen_of_twenty_mutants_are_told_apart() -> None:
    formal = [one for one in told().values() if "of" not in one]
    assert len(formal) >= 250
    apart = sum(one["told"] for one in formal)
    assert apart >= 0.95 * sum(one["changed"] for one in formal)
    assert all(one["told"] for one in formal)


def test_a_formal_claim_tells_apart_what_the_check_alone_did_not() -> None:
    for of in ONCE_BLIND:
        found = told()[of]
        assert "of" not in found, of
        assert found["told"] > 0.5 * found["changed"], of


def test_certificates_are_those_of_the_claims() -> None:
    made, kept = (json.dumps(c) for c in (certify.make_all(), list(certify.certificates())))
    assert NUMBER.sub("#", made) == NUMBER.sub("#", kept)
    # The ends of an interval are written in full, and come from a search in floating point.
    ends = zip(NUMBER.findall(made), NUMBER.findall(kept), strict=True)
    assert all(math.isclose(float(a), float(b), rel_tol=1e-14) for a, b in ends)
    assert {entry["id"] for entry in certify.certificates()} == {
        of for (of, _), c in BOOK.items() if c.at
    }


def test_numbers_that_contradict_nothing_make_no_certificate() -> None:
    claim = BOOK["ACC:Cor3.2:eps21", "reading"]
    with pytest.raises(DomainError, match="not certainly apart"):
        certify.make("ACC:Cor3.2:eps21", replace(claim, at=BOOK["ACC:Cor3.2:eps21", "printed"].at))


def alone(folder: Path, entries: Any) -> subprocess.CompletedProcess[str]:
    """Run the verifier in a folder of its own, where there is no project."""
    shutil.copy(str(verify.__file__), folder / "verify.py")
    (folder / "found.json").write_text(json.dumps(entries), "utf-8")
    return subprocess.run(
        [sys.executable, "-I", "verify.py", "found.json"],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )


def test_all_certificates_hold_without_the_project(tmp_path: Path) -> None:
    text = Path(str(verify.__file__)).read_text("utf-8")
    assert len(text.splitlines()) <= 100
    assert "rates" not in text
    done = alone(tmp_path, certify.certificates())
    assert done.stdout == f"{len(certify.certificates())} certificates hold.\n", done.stderr


@pytest.mark.parametrize(
    "spoil",
    [
        lambda entry: entry["numbers"].update(n0="101"),
        lambda entry: entry["where"][0].__setitem__(4, "6"),
        lambda entry: entry["where"][0].__setitem__(3, "1/2"),
        lambda entry: entry["says"][0].__setitem__(1, "<="),
        lambda entry: entry["says"][0].__setitem__(2, "eps21"),
        lambda entry: entry["sides"][0][0].__setitem__(1, "0.5411"),
        lambda entry: entry["conditions"].append(["n", ">", "m"]),
    ],
)
def test_a_spoiled_certificate_fails(spoil: Callable[[Any], object], tmp_path: Path) -> None:
    entry = json.loads(json.dumps(certify.certificates()[0]))
    assert entry["id"] == "ACC:Cor3.2:eps21"
    verify.check(entry)
    spoil(entry)
    with pytest.raises(ValueError, match=r"sides|side|certain|ends"):
        verify.check(entry)
    if entry["numbers"]["n0"] == "101":
        assert alone(tmp_path, [entry]).returncode != 0


def test_every_certificate_fails_once_a_side_is_not_what_it_says() -> None:
    for entry in json.loads(json.dumps(certify.certificates())):
        low, high = entry["sides"][0][0]
        other = low if low != high else "inf"
        entry["sides"][0][0] = [high, other]
        with pytest.raises(ValueError, match="side is not what"):
            verify.check(entry)


def test_phi_lies_in_its_interval() -> None:
    for at in ("-9", "-3/2", "0", "1/3", "4"):
        found = verify.normal(verify.number(at))
        true = math.erfc(-float(eval_fraction(at)) / math.sqrt(2)) / 2
        assert float(found.a) == pytest.approx(true, rel=1e-9)
        assert float(found.b) >= float(found.a)


def eval_fraction(text: str) -> float:
    top, _, below = text.partition("/")
    return int(top) / int(below or 1)


def test_the_command_prints_claim_numbers_sides_and_verdict(capsys: Any) -> None:
    assert main(["check", "ACC:Cor3.2:eps21"]) == 0
    said = capsys.readouterr().out
    assert statement("ACC:Cor3.2:eps21").claim in said
    assert "left 0.541169526546 +- " in said
    assert "right 1.20226443462 +- " in said
    assert "certainly not so" in said
    assert main(["check", "--all"]) == 0
    assert f"{len(certify.certificates())} certificates hold." in capsys.readouterr().out
    assert main(["check", "CCV:Sec2.1:smaller-p", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["certificate"]["sides"][0]["holds"] is False
    assert main(["check", "ACC:Thm3.1"]) == 0
    assert "no certificate" in capsys.readouterr().out
    assert main(["check", "DPLR:Tab1:best"]) == 0
    assert FORMLESS["simulation"] in capsys.readouterr().out


@pytest.mark.parametrize(
    "given", [["check", "ACC:Nope"], ["check"], ["check", "ACC:Thm3.1", "--all"]]
)
def test_bad_input_is_said_in_words(given: list[str], capsys: Any) -> None:
    assert main(given) == 2
    said = capsys.readouterr().err
    assert said.startswith("python -m rates: ")
    assert said.count("\n") == 1


def test_a_test_that_tells_nothing_apart_is_no_check(monkeypatch: pytest.MonkeyPatch) -> None:
    of = "ACC:Cor3.2:eps2"
    monkeypatch.setattr(ledger, "told", lambda: {of: {"told": 0, "changed": 9}})
    assert ledger.evaluate(statement(of), number=10).of("printed").words == ledger.BLIND


@pytest.mark.deep
@pytest.mark.parametrize("of", ["KS:Eq3:regret", "CCV:Eq24:one-bit"])
def test_changes_of_a_check_are_counted_as_stored(of: str) -> None:
    assert make_source_mutants.count(statement(of)) == told()[of]
