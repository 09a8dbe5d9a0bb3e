"""What theorems ask of a study: the notes of an answer."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import rates
from rates.answer import Condition
from rates.study.scenario import FederatedStudy, Server, Study, TransferStudy


def site(name: str = "A", **fields: Any) -> Server:
    return Server(**({"name": name, "n": 1000, "epsilon": 1.0, "delta": 1e-6} | fields))


def transfer(*rows: Server, **fields: Any) -> TransferStudy:
    given = {"smoothness": 0.5, "dimension": 2, "margin": 1}
    return TransferStudy(target=rows[0], sources=rows[1:], **(given | fields))


def curve(*rows: Server) -> FederatedStudy:
    return FederatedStudy(servers=rows, smoothness=1)


def notes(study: Study) -> dict[str, Condition]:
    found = rates.solve(study).notes
    keyed = {note.key: note for note in found}
    assert len(keyed) == len(found)
    assert all(note.text.endswith(".") and note.source for note in found)
    return keyed


def test_sum_of_n_delta() -> None:
    for study in (transfer(site()), curve(site())):
        assert notes(study)["sum_n_delta"].holds is True
    several = transfer(site(), site("B", n=200, delta=1e-5, count=6), site("C", epsilon=math.inf))
    note = notes(several)["sum_n_delta"]  # 0.001 + 0.012
    assert note.holds is False
    assert "0.013 (above 0.01" in note.text
    missing = transfer(site(delta=None), site("B", delta=None), site("C", delta=None, n=0))
    assert "not stated for A, B." in notes(missing)["sum_n_delta"].text
    idle = transfer(site(delta=None, epsilon=math.inf), site("B", epsilon=0, delta=None))
    assert notes(idle)["sum_n_delta"].holds is True


def test_bandwidth_needs_every_private_delta() -> None:
    answer = rates.solve(transfer(site(), site("B", delta=None)))
    assert answer.bandwidth is None
    assert answer.log_factor is None
    note = notes(transfer(site(), site("B", delta=None)))["bandwidth"]
    assert note.holds is None
    assert "not stated for B" in note.text
    free = rates.solve(transfer(site(epsilon=math.inf, delta=None)))
    assert free.bandwidth == pytest.approx(free.r)
    assert free.log_factor == 1
    assert "bandwidth" not in notes(transfer(site()))


@pytest.mark.parametrize("made", [transfer, curve])
def test_trivial_and_empty_answers_say_so(made: Callable[..., Study]) -> None:
    assert not {"trivial", "information"} & set(notes(made(site())))
    assert notes(made(site(n=2, epsilon=0.1)))["trivial"].holds is False
    empty = notes(made(site(n=0), site("B", epsilon=0)))
    assert empty["information"].holds is False
    assert "trivial" not in empty
    assert "trivial" in notes(made(site(n=1, epsilon=math.inf)))  # r = 1 or D = 1 exactly


def delta_note(*rows: Server) -> Condition:
    return notes(curve(*rows))["delta_integrated"]


def test_delta_of_the_integrated_risk() -> None:
    # n = 10^4, epsilon = 0.01: D = 10, base = 100 * 10^-4 / 10 = 10^-3, delta = 10^-6.
    loose = delta_note(site(n=10**4, epsilon=0.01, delta=1e-6))
    assert "kappa may be up to 1, set by A" in loose.text
    tight = delta_note(site(n=10**4, epsilon=0.01, delta=1e-2))
    assert tight.holds is False
    assert "no kappa > 0 will do for A" in tight.text
    assert delta_note(site(delta=None)).holds is None
    worst = delta_note(
        site(n=10**4, epsilon=0.01, delta=1e-9),
        site("B", n=10, epsilon=0.01, delta=1e-5),
        site("C", n=10, epsilon=0.01, delta=1e-8),
    )
    assert "set by B" in worst.text
    # sqrt(100) / 100^(1/3) exceeds 1: any delta will do.
    free = delta_note(site(n=100, epsilon=5.0, delta=0.9))
    assert free.holds is True
    assert "any delta will do" in free.text
    # D below 1 counts as 1: the base is sqrt(4) * 0.01 = 0.02.
    small = delta_note(site(n=4, epsilon=0.1, delta=0.02**2))
    assert "kappa may be up to 1," in small.text


def test_solve_refuses_other_things() -> None:
    with pytest.raises(TypeError, match="got Server"):
        rates.solve(site())  # type: ignore[call-overload]
