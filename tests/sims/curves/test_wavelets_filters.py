"""Filters and edge functions: published digits, exact algebra, an independent package."""

from __future__ import annotations

import json
from decimal import ROUND_HALF_EVEN, Decimal

import numpy as np
import pytest
from mpmath import mp, mpf

from rates.numbers.parameters import DomainError
from sims.curves.cascade import filters

ALL = range(1, 7)

# Cohen, Daubechies and Vial (1993), table for N = 2, left and right, as printed. The sign of a
# wavelet is a convention; the right edge is counted from the end.
PUBLISHED = {
    ("left", "low"): [
        "0.603332511928053 0.690895531839104 -0.398312997698228",
        "0.0375174604524466 0.457327659851769 0.850088102549165 "
        "0.223820356983114 -0.129222743354319",
    ],
    ("left", "high"): [
        "-0.796543516912183 0.546392713959015 -0.258792248333818",
        "0.0100372245644139 0.122351043116799 0.227428111655837 "
        "-0.836602921223654 0.483012921773304",
    ],
    ("right", "low"): [
        "0.870508753349866 0.434896997965703 0.230389043796969",
        "-0.194233407427412 0.190151418429955 0.374955331645687 "
        "0.767556669298114 0.443149049637559",
    ],
    ("right", "high"): [
        "-0.257512919478482 0.801422961990337 -0.539822500731772",
        "0.371718966535296 -0.363906959570891 -0.717579999353722 "
        "0.401069519430217 0.231557595006790",
    ],
}


@pytest.fixture(scope="module")
def stored(root):
    return json.loads((root / "sims" / "curves" / "wavelet_filters.json").read_text("utf-8"))[
        "moments"
    ]


def units_off(ours: str, printed: str) -> Decimal:
    """Return by how many units of the last printed digit the rounded 40 digits differ."""
    unit = Decimal(1).scaleb(Decimal(printed).as_tuple().exponent)
    rounded = Decimal(ours).quantize(unit, rounding=ROUND_HALF_EVEN)
    return abs(rounded - Decimal(printed)) / unit


@pytest.mark.parametrize(("side", "name"), list(PUBLISHED))
def test_the_published_filters_with_two_moments_to_every_printed_digit(stored, side, name):
    for ours, printed in zip(stored["2"][side][name], PUBLISHED[side, name], strict=True):
        for a, b in zip(ours, printed.split(), strict=True):
            off = units_off(a, b)
            assert off == 0 if name == "low" else off <= 1  # one tap, ...7714, is printed ...772


@pytest.mark.parametrize("N", ALL)
def test_the_scaling_filter_is_that_of_pywavelets(N):
    import pywt

    assert filters(N).low == pytest.approx(pywt.Wavelet(f"db{N}").rec_lo, abs=1e-12)
    assert np.abs(filters(N).high) == pytest.approx(
        np.abs(pywt.Wavelet(f"db{N}").rec_hi), abs=1e-12
    )


@pytest.mark.parametrize("N", ALL)
def test_filters_are_orthonormal_and_of_order_n_to_35_digits(stored, N):
    with mp.workdps(60):
        h = [mpf(x) for x in stored[str(N)]["low"]]
        for shift in range(N):
            dot = sum(a * b for a, b in zip(h[2 * shift :], h, strict=False))
            assert abs(dot - (shift == 0)) < mpf(10) ** -35
        for power in range(N):  # vanishing moments of the wavelet
            moment = sum((-1) ** p * p**power * x for p, x in enumerate(h))
            assert abs(moment) < mpf(10) ** -35 * (2 * N) ** power * 10


def test_moments_outside_one_to_six_are_refused():
    with pytest.raises(DomainError, match="from 1 to 6"):
        filters(7)
