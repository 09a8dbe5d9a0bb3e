"""The adaptive rules: the solved maximum against optimisation, and what each split costs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from dp_accounting import GaussianDpEvent, SelfComposedDpEvent
from dp_accounting.gaussian_mechanism import get_sigma_gaussian
from dp_accounting.pld import PLDAccountant

from rates.numbers.parameters import DomainError
from sims.acc.adaptive import SPLITS, Split, choose, multiplier, score
from tests.depth import deep_after


def test_rules_by_hand() -> None:
    a, b = np.array([[1.0], [2.0], [-2.0]]), np.array([1.0, 4.0, 4.0])
    sizes = np.array([2.0, 1.0, 3.0])
    everything = {rule: score(a, b, rule, sizes=sizes) for rule in ("all", "target", "samples")}
    assert everything["all"][0][0] == 2.0  # 1/1 + 4/4 against 4/4
    assert everything["target"][0][0] == 1.0
    # weights 1/3, 1/6, 1/2: sum 1/3 + 1/3 - 1 = -1/3; variance 1/9 + 1/9 + 1 = 11/9
    assert everything["samples"][0][0] == pytest.approx((1 / 9) / (11 / 9))
    assert everything["samples"][1][0] == -1.0
    # sources by 1/4 and 3/4: value -1, variance (1 + 9)/16 * 4 = 2.5
    pooled, sign = score(a, b, "homogeneous", sizes=sizes)
    assert pooled[0] == 1.0
    assert sign[0] == 1.0
    with pytest.raises(DomainError, match="rule must be one of"):
        score(a, b, "best", sizes=sizes)  # type: ignore[arg-type]


def test_choice_takes_the_smallest_bandwidth_above_the_level() -> None:
    scores = np.array([[9.0, 1.0, 7.0], [8.0, 2.0, 1.0], [1.0, 3.0, 2.0]])
    signs = np.array([[1.0, 1.0, 1.0], [-1.0, -1.0, -1.0], [1.0, 1.0, -1.0]])
    label, index = choose(scores, signs, 5.0)
    assert index.tolist() == [1, 2, 0]
    assert label.tolist() == [-1.0, 1.0, 1.0]


def spent(noise: float, releases: int, epsilon: float) -> float:
    """The delta of so many releases together, by dp-accounting."""
    accountant = PLDAccountant()
    accountant.compose(SelfComposedDpEvent(GaussianDpEvent(noise), releases))
    return float(accountant.get_delta(epsilon))


@pytest.mark.parametrize("split", ["printed", "composed"])
@pytest.mark.parametrize(
    ("epsilon", "delta"), deep_after(1, [(1.0, 1e-5), (0.25, 1e-5), (4.0, 4e-6)])
)
@pytest.mark.parametrize("bandwidths", deep_after(1, [1, 4, 7]))
def test_all_releases_together_keep_the_budget(
    split: Split, epsilon: float, delta: float, bandwidths: int
) -> None:
    noise = float(multiplier(epsilon, delta, bandwidths, split))
    found = spent(noise, bandwidths, epsilon)
    assert found <= delta * 1.02  # the accountant rounds up on a grid
    if split == "composed":
        assert found >= delta * 0.95
        assert spent(noise / 2, bandwidths, epsilon) > 3 * delta


def test_an_unsplit_budget_is_not_private() -> None:
    assert spent(float(multiplier(2.0, 1e-5, 5, "unsplit")), 5, 2.0) > 1e-4
    assert "not (epsilon, delta)-private" in SPLITS["unsplit"]
    with pytest.raises(DomainError, match="split must be one of"):
        multiplier(1.0, 1e-5, 2, "free")  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [1, 4])
def test_the_noise_of_every_split_by_hand(size):
    epsilon, delta = 0.8, 1e-5
    printed = math.sqrt(2 * math.log(2 * size / delta)) * size / epsilon
    exact = math.sqrt(size) * get_sigma_gaussian(epsilon, delta)
    whole = math.sqrt(2 * math.log(2 / delta)) / epsilon
    for split, want in (("printed", printed), ("composed", exact), ("unsplit", whole)):
        assert multiplier(epsilon, delta, size, split) == pytest.approx(want, rel=1e-6)
