"""Random edits of the ledger are noticed: 100 of them, over all fields, drawn by a seed."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.golden.ledger_nonsense import BY, EDITS, Judged, original, run

UNNOTICED = 0.03


@pytest.mark.deep
def test_of_100_edits_few_are_noticed_by_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = run(1, 100, monkeypatch)
    kinds = Counter(kind for kind, _, _ in found)
    assert set(kinds) == {edit.__name__ for edit in EDITS}
    missed = [(kind, said) for kind, by, said in found if by == BY[-1]]
    assert len(missed) <= UNNOTICED * len(found), missed
    by_meaning = [by for _, by, _ in found if by not in BY[-2:]]
    assert len(by_meaning) >= 0.5 * len(found)


@pytest.mark.deep
def test_the_script_tells_an_edit_from_none(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged()
    assert judged.noticed(original(), monkeypatch)[0] == BY[-1]
    title = original()
    title.rows["ACC:Eq4"]["title"] = "Another"
    assert judged.noticed(title, monkeypatch)[0] == BY[-2]
