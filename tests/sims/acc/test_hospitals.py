"""Section 6.2 on the four hospitals: the published setting, noise, sensitivities, refusals."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from dp_accounting import GaussianDpEvent, SelfComposedDpEvent
from dp_accounting.pld import PLDAccountant

from rates.numbers.parameters import DomainError
from sims.acc.adaptive import ADAPTIVE_RULES, SPLITS, Split, multiplier
from sims.acc.heart import Hospital
from sims.acc.hospitals import (
    MAX_RECORDS,
    MAX_TARGET,
    SETTINGS,
    Wards,
    centred_sensitivity,
    effective_epsilon,
    prepare,
    replicate,
)
from sims.engine import Account, account
from sims.engine.settings import Values, check_values
from tests.depth import deep_after
from tests.golden.make_simulations import HEART, wards

# Accuracy in %, natural-log grid (one bandwidth), 200 replicates of an independent program.
REFERENCE = {
    "gaussian": {
        "all": (57.9, 66.6, 76.3, 81.0, 81.8, 81.5),
        "target": (55.6, 62.7, 71.7, 78.2, 81.1, 81.6),
        "samples": (60.2, 69.4, 77.8, 81.3, 81.9, 81.6),
        "homogeneous": (59.6, 68.0, 77.2, 81.0, 81.8, 81.7),
    },
    "triangular": {
        "all": (72.9, 79.9, 81.9, 82.4, 82.8, 83.4),
        "target": (67.3, 76.2, 80.8, 81.8, 82.2, 82.3),
        "samples": (74.2, 80.5, 81.9, 82.5, 82.9, 83.0),
        "homogeneous": (74.1, 80.3, 81.9, 82.5, 82.8, 83.0),
    },
}


def toy(name: str, n: int, seed: int, share: float = 0.4) -> Hospital:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(float)
    x = rng.normal(size=(n, 7)) + y[:, None]
    return Hospital(name=name, x=x, y=y, rows=n)


def asked(**given) -> Values:
    return check_values(SETTINGS, given)


@pytest.fixture(scope="module")
def small() -> Wards:
    return prepare(toy("T", 80, 0), [toy("A", 60, 1), toy("B", 50, 2, 0.7)], test=30)


@pytest.fixture(scope="module")
def hospitals() -> Wards:
    if not HEART.exists():
        pytest.skip(f"no {HEART} beside the repository")
    return wards()


@pytest.mark.parametrize("kernel", deep_after(1, ["triangular", "gaussian"]))
def test_every_cell_of_the_published_setting(hospitals: Wards, kernel: str) -> None:
    assert hospitals.sizes == (142, 303, 141, 117)
    setting = asked(kernel=kernel, base="e")
    found = 100 * np.array([replicate(hospitals, setting, 0, k)[:-1, :, 0] for k in range(200)])
    # Both programs have this error; 0.1 is the rounding and the one record apart.
    slack = 3 * math.sqrt(2 / 200) * found.std(axis=0, ddof=1) + 0.1
    reference = np.array([REFERENCE[kernel][rule] for rule in ADAPTIVE_RULES])
    assert (np.abs(found.mean(axis=0) - reference) < slack).all()


def test_replicates_depend_on_seed_and_index_alone(small: Wards) -> None:
    one, two, *others = (
        replicate(small, asked(epsilon=(1.0, math.inf)), *at)
        for at in ((5, 3), (5, 3), (5, 4), (6, 3))
    )
    assert np.array_equal(one, two)
    assert not any(np.array_equal(one, other) for other in others)
    assert np.array_equal(replicate(small, asked(), 5, 3)[:, [1, -1]], one)


@pytest.mark.parametrize("p", [0.2, 0.5, 0.75, 0.93])
def test_centred_sensitivity_is_attained_by_search(p: float) -> None:
    # In the kernel's Hilbert space, with c_K = 1: |a K_x - b K_x'|² = a² + b² - 2 a b K(x - x').
    worst = 0.0
    for a, b in itertools.product((1 - p, -p), repeat=2):
        for overlap in np.linspace(0, 1, 101):
            worst = max(worst, math.sqrt(max(0.0, a * a + b * b - 2 * a * b * overlap)))
    assert centred_sensitivity(p) == pytest.approx(worst)


@pytest.mark.parametrize("split", SPLITS)
def test_effective_epsilon_of_all_releases_agrees_with_an_accountant(split: Split) -> None:
    delta, factor, size = 117.0**-2, 1.315, 3
    for epsilon in (1.0, 8.0):
        noise = multiplier(epsilon, delta, size, split) / factor
        accountant = PLDAccountant(value_discretization_interval=1e-3)
        accountant.compose(SelfComposedDpEvent(GaussianDpEvent(noise), size))
        found = effective_epsilon(epsilon, delta, factor, bandwidths=size, split=split)
        assert found == pytest.approx(accountant.get_epsilon(delta), rel=1e-3)


def test_too_many_records_and_too_few_are_refused() -> None:
    target, source = toy("T", MAX_TARGET + 1, 0), toy("A", 20, 1)
    with pytest.raises(DomainError, match=r"at most 1,500 usable .* of T, .* target: got 1501"):
        prepare(target, [source])
    with pytest.raises(DomainError, match=r"at most 5,000 usable .* records: got 5001"):
        prepare(toy("T", 200, 0), [toy("A", MAX_RECORDS - 199, 1)])
    assert prepare(toy("T", MAX_TARGET, 0), [source]).sizes[0] == MAX_TARGET - 150
    with pytest.raises(DomainError, match="At least one source"):
        prepare(toy("T", 50, 0), [])
    with pytest.raises(DomainError, match="must leave at least 10 of 50 records of T"):
        prepare(toy("T", 50, 0), [source])


def test_scaling_and_repeats() -> None:
    target = toy("T", 40, 0)
    x, y = np.vstack([target.x, target.x[:1]]), np.append(target.y, target.y[0])
    twice = replace(target, x=x, y=y, rows=41, notes=("2 of 43 records dropped.",))
    ready = prepare(twice, [toy("A", 30, 1)], test=10)
    assert len(ready.y[0]) == 40
    notes = {"T: 1 exact repeat of a record dropped.", "T: 2 of 43 records dropped."}
    assert notes <= {*ready.notes}
    everything = np.concatenate(ready.x)
    assert everything.min(axis=0) == pytest.approx(np.zeros(7))
    assert everything.max(axis=0) == pytest.approx(np.full(7, 0.5))


def test_every_hospital_spends_its_budget_and_no_more(small: Wards) -> None:
    """With the composed split all bandwidths together are exactly (epsilon, n^-2)-private."""
    setting = asked(split="composed", epsilon=(0.5, 2.0))
    with account() as book:
        replicate(small, setting, 3, 0)
    sizes = dict(zip(small.names, small.sizes, strict=True))
    found = {at: Account(releases=own).delta(at[1]) for at, own in book.by_record().items()}
    promised = {(name, e): n**-2.0 for name, n in sizes.items() for e in (0.5, 2.0)}
    assert found == pytest.approx(promised, rel=1e-6)
