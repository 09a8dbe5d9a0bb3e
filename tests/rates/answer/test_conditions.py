"""What theorems ask of a study: the notes of an answer."""

from __future__ import annotations

import pytest

import rates
from tests.rates.made import INF, curve, site, transfer


def notes(study):
    found = rates.solve(study).notes
    keyed = {note.key: note for note in found}
    assert len(keyed) == len(found)
    assert all(note.text.endswith(".") and note.source for note in found)
    return keyed


def test_sum_of_n_delta():
    for study in (transfer(site()), curve(site())):
        assert notes(study)["sum_n_delta"].holds is True
    several = transfer(site(), site("B", 200, delta=1e-5, count=6), site("C", epsilon=INF))
    note = notes(several)["sum_n_delta"]  # 0.001 + 0.012
    assert note.holds is False
    assert "0.013 (above 0.01" in note.text
    missing = transfer(site(delta=None), site("B", delta=None), site("C", 0, delta=None))
    assert "not stated for A, B." in notes(missing)["sum_n_delta"].text
    idle = transfer(site(delta=None, epsilon=INF), site("B", epsilon=0, delta=None))
    assert notes(idle)["sum_n_delta"].holds is True


def test_bandwidth_needs_every_private_delta():
    study = transfer(site(), site("B", delta=None))
    answer, note = rates.solve(study), notes(study)["bandwidth"]
    assert (answer.bandwidth, answer.log_factor, note.holds) == (None, None, None)
    assert "not stated for B" in note.text
    free = rates.solve(transfer(site(epsilon=INF, delta=None)))
    assert (free.bandwidth, free.log_factor) == (pytest.approx(free.r), 1)
    assert "bandwidth" not in notes(transfer(site()))


@pytest.mark.parametrize("made", [transfer, curve])
def test_trivial_and_empty_answers_say_so(made):
    assert not {"trivial", "information"} & set(notes(made(site())))
    assert notes(made(site(n=2, epsilon=0.1)))["trivial"].holds is False
    empty = notes(made(site(n=0), site("B", epsilon=0)))
    assert empty["information"].holds is False
    assert "trivial" not in empty
    assert "trivial" in notes(made(site(n=1, epsilon=INF)))  # r = 1 or D = 1 exactly


def test_delta_of_the_integrated_risk():
    # n = 10^4, epsilon = 0.01: D = 10, base = 100 * 10^-4 / 10 = 10^-3, delta = 10^-6.
    worst = (site("A", 10**4, 0.01, 1e-9), site("B", 10, 0.01, 1e-5), site("C", 10, 0.01, 1e-8))
    for rows, holds, words in (
        ([site("A", 10**4, 0.01)], True, "kappa may be up to 1, set by A"),
        ([site("A", 10**4, 0.01, 1e-2)], False, "no kappa > 0 will do for A"),
        ([site(delta=None)], None, ""),
        (worst, True, "set by B"),
        # sqrt(100) / 100^(1/3) exceeds 1: any delta will do.
        ([site("A", 100, 5, 0.9)], True, "any delta will do"),
        # D below 1 counts as 1: the base is sqrt(4) * 0.01 = 0.02.
        ([site("A", 4, 0.1, 0.02**2)], True, "kappa may be up to 1,"),
    ):
        note = notes(curve(*rows, alpha=1))["delta_integrated"]
        assert note.holds is holds
        assert words in note.text


def test_solve_refuses_other_things():
    with pytest.raises(TypeError, match="got Server"):
        rates.solve(site())
