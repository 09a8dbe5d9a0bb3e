"""What is stored of verdicts and certificates, and what `python -m rates check` says of it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from rates.__main__ import main
from rates.ledger import Entry, certificates, check, entries, entry, review, texts, verdicts

ONE = "ACC:Cor3.2:eps21"
FEW = (ONE, "ACC:Eq4", "ACC:Rem3.2:private-rate", "KS:Alg4:users")
Stored = tuple[list[Entry], dict[str, Any], dict[str, Any]]


@pytest.fixture(scope="module")
def few() -> Stored:
    """Some entries, and what is to be stored of them."""
    given = [entry(of) for of in FEW]
    rows = [(one.id, verdicts.to_row(one, check(one))) for one in given]
    return given, json.loads(verdicts.as_text(rows)), json.loads(certificates.of(given))


@pytest.fixture
def kept(few: Stored, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The store of these entries alone, in the place of the stored one."""
    own: dict[str, Any] = json.loads(json.dumps(few[1]))
    monkeypatch.setattr(verdicts, "load", lambda: own)
    return own


def test_what_is_stored_is_what_was_found(few: Stored, kept: dict[str, Any]) -> None:
    assert review.findings(*few) == []
    found = verdicts.stored.__wrapped__()
    assert list(found) == [one.id for one in entries()]
    one, words = found[ONE], [verdict.words for verdict in check(entry(ONE))]
    assert [one.printed, one.reading] == [one.words("printed"), one.words("reading")] == words
    assert one.fresh
    assert one.draws == {"printed": (400, 400), "reading": (400, 0)}
    assert found["ACC:Eq3"].printed == verdicts.NOT_CHECKED
    assert not found["ACC:Eq3"].fresh
    kept["entries"][ONE]["text"] = "0"
    one = verdicts.stored.__wrapped__()[ONE]
    assert (one.reading, one.fresh) == (words[1], False)


def test_what_claims_share_is_part_of_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    one = entry(ONE)
    shared = texts.text_of("ACC")
    other = {**shared, "ranges": {**shared["ranges"], "m": "{1..999}"}}
    assert verdicts.digest(replace(one)) == verdicts.digest(one)
    monkeypatch.setattr(texts, "text_of", lambda _: other)
    assert verdicts.digest(replace(one)) != verdicts.digest(one)


@pytest.mark.parametrize(
    "said",
    [
        {"quote": "another quote"},
        {"claim": entry(ONE).claim.replace("n0 = 100;", "n0 = 101;")},
        {"history": ("2026-11-26: nothing",)},
    ],
)
@pytest.mark.usefixtures("kept")
def test_another_text_is_noticed(said: dict[str, Any], monkeypatch: Any, capsys: Any) -> None:
    new = replace(entry(ONE), **said)
    monkeypatch.setattr(review, "entry", lambda _: new)
    assert main(["check", ONE]) == 3
    assert "its text is not the one that was checked" in capsys.readouterr().out


@pytest.mark.usefixtures("kept")
def test_one_entry_is_read_drawn_and_certified(capsys: Any) -> None:
    assert main(["check", ONE]) == 0
    said = capsys.readouterr().out
    one = entry(ONE)
    for text in (one.title, one.place, one.quote, one.says, *one.claim.splitlines()):
        assert text in said
    assert "Verdict, printed: contradicted by exact numbers; 400 draws, 400 of them" in said
    assert "it certainly fails:" in said
    assert "left 0.215443469003188, right 0.158489319246111" in said


@pytest.mark.parametrize("given", [["check", "ACC:Nope"], ["check"], ["check", ONE, "--all"]])
def test_bad_input_is_said_in_words(given: list[str], capsys: Any) -> None:
    assert main(given) == 2
    said = capsys.readouterr().err
    assert said.startswith("python -m rates: ")
    assert said.count("\n") == 1


def stored(**said: Any) -> Any:
    """Return what spoils the stored verdict of the first entry."""
    return lambda given, kept, file: kept["entries"][ONE].update(said)


SPOILED = {
    "form is not the one of its claim": lambda given, kept, file: file["certificates"].pop(),
    "ACC:Eq4: the certificate": lambda given, kept, file: file["certificates"].append(
        {**file["certificates"][0], "id": "ACC:Eq4"}
    ),
    "not the one of its claim": lambda given, kept, file: file["certificates"][0].update(at={}),
    "no longer there": lambda given, kept, file: given.pop(),
    "nothing is stored": lambda given, kept, file: kept["entries"].pop(ONE),
    "printed: stored survives": stored(printed="survives draws"),
    "printed draws: stored [400, 0]": stored(printed_draws=[400, 0]),
    "certificates and manifest differ": lambda given, kept, file: file["manifest"].clear(),
}


@pytest.mark.parametrize("said", SPOILED)
def test_what_does_not_fit_is_found(said: str, few: Any) -> None:
    given, kept, file = list(few[0]), *json.loads(json.dumps(few[1:]))
    SPOILED[said](given, kept, file)
    assert any(said in line for line in review.findings(given, kept, file))
