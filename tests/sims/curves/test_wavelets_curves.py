"""True curves: scale, stated smoothness, cell means, uploads."""

from __future__ import annotations

import numpy as np
import pytest

from rates.numbers.parameters import DomainError
from sims.curves.functions import KINDS, curve, curve_means

EVERY = [curve(kind, smoothness=0.8, exponent=0.6, at=0.3, seed=2) for kind in KINDS]


def level_energies(c, cells: int) -> np.ndarray:
    """Return the energy of each Haar level, finest last, by halving sums of cell means."""
    means, out = curve_means(c, cells), []
    while len(means) > 1:
        low, high = means[::2], means[1::2]
        out.append(((high - low) ** 2).mean() / 4)
        means = (low + high) / 2
    return np.array(out[::-1])


@pytest.mark.parametrize("c", EVERY, ids=lambda c: c.kind)
def test_the_largest_value_is_one_and_all_but_one_close_the_circle(c):
    x = np.concatenate([np.linspace(0, 1, 40_001), (np.arange(2**15) + 0.5) / 2**15, c.breaks])
    assert np.abs(c.values(x)).max() == pytest.approx(1.0, abs=1e-3)
    start, end = c.values(np.array([0.0, 1.0 - 1e-13]))
    assert (abs(start - end) < 1e-3) == (c.kind != "arc")


@pytest.mark.parametrize("c", EVERY, ids=lambda c: c.kind)
def test_means_are_those_of_the_values(c):
    got = curve_means(c, 64)
    x = (np.arange(2**16) + 0.5) / 2**16
    rough = c.values(x).reshape(64, -1).mean(axis=1)
    assert np.abs(got - rough).max() < 1.5e-3
    fine = curve_means(c)
    assert fine.reshape(64, -1).mean(axis=1) == pytest.approx(got, abs=1e-6)
    with pytest.raises(ValueError, match="read-only"):
        got[0] = 1.0


@pytest.mark.parametrize("alpha", [0.6, 0.8])
def test_the_random_fourier_series_has_its_smoothness(alpha):
    c = curve("fourier", smoothness=alpha, seed=5)
    spectrum = np.abs(np.fft.rfft(c.values(np.arange(2**13) / 2**13))) / 2**12
    k = np.arange(1, 2049)
    slope = np.diff(np.log(spectrum[k])) / np.diff(np.log(k))
    assert slope == pytest.approx(-(alpha + 0.5), abs=1e-6)
    assert spectrum[2049:].max() < 1e-12
    energy = np.log2(level_energies(c, 2**10))
    assert np.polyfit(np.arange(2, 9), energy[2:9], 1)[0] == pytest.approx(-2 * alpha, abs=0.25)


def test_a_cusp_has_its_exponent_at_its_place():
    c = curve("cusp", exponent=0.6, at=0.3)
    h = 10.0 ** -np.arange(3, 9)
    size = c.values(0.3 + h)
    assert np.diff(np.log10(size)) == pytest.approx(-0.6, abs=1e-4)
    assert (c.smoothness, c.pointwise) == pytest.approx((1.1, 0.6))


@pytest.mark.parametrize(("kind", "alpha"), [("blocks", 0.5), ("heavisine", 0.5), ("cusp", 0.9)])
def test_stated_smoothness_is_that_of_the_fine_haar_levels(kind, alpha):
    c = curve(kind, exponent=0.4, at=1 / 3)
    assert c.smoothness == pytest.approx(alpha)
    energy = np.log2(level_energies(c, 2**16))[8:]  # the place of a jump in its cell: noise
    assert np.polyfit(np.arange(len(energy)), energy, 1)[0] == pytest.approx(-2 * alpha, abs=0.25)


def test_donoho_and_johnstone_by_hand():
    blocks, bumps = curve("blocks"), curve("bumps")
    # 4 - 5 + 3 - 4 + 5 - 4.2 + 2.1 + 4.3 = 5.2 is the highest step.
    assert blocks.values(np.array([0.12, 0.7])) == pytest.approx([4 / 5.2, 1.0])
    peaks = bumps.values(np.array(bumps.breaks))
    assert peaks.max() == 1.0
    assert np.all(bumps.values(np.array(bumps.breaks) + 1e-6) < peaks)
    # One width beside a lone peak, (1 + 1)^-4 of it is left.
    assert bumps.values(0.66) / bumps.values(0.65) == pytest.approx(1 / 16, rel=1e-2)
    assert curve("heavisine").values(3 / 8) == pytest.approx(-1.0)
    assert abs(curve("doppler").values(0.549407515703)) == pytest.approx(1.0, abs=1e-12)


def test_curves_that_do_not_exist_are_refused():
    with pytest.raises(DomainError, match="at most 2"):
        curve("fourier", smoothness=2.1)
    with pytest.raises(DomainError, match="strictly between 0 and 2"):
        curve("cusp", exponent=0)
