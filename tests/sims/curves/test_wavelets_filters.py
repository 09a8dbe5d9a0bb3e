"""Filters and edge functions: published digits, exact algebra, an independent package."""

from __future__ import annotations

import importlib.util
import json
from decimal import ROUND_HALF_EVEN, Decimal

import numpy as np
import pytest
from mpmath import mp, mpf

from rates.numbers.parameters import DomainError
from sims.curves.filters import filters

ALL = range(1, 7)

# Cohen, Daubechies and Vial (1993), table for N = 2, left and right, as printed. The sign of a
# wavelet is a convention; the right edge is counted from the end.
PUBLISHED = {
    ("left", "low"): [
        ["0.603332511928053", "0.690895531839104", "-0.398312997698228"],
        [
            "0.0375174604524466",
            "0.457327659851769",
            "0.850088102549165",
            "0.223820356983114",
            "-0.129222743354319",
        ],
    ],
    ("left", "high"): [
        ["-0.796543516912183", "0.546392713959015", "-0.258792248333818"],
        [
            "0.0100372245644139",
            "0.122351043116799",
            "0.227428111655837",
            "-0.836602921223654",
            "0.483012921773304",
        ],
    ],
    ("right", "low"): [
        ["0.870508753349866", "0.434896997965703", "0.230389043796969"],
        [
            "-0.194233407427412",
            "0.190151418429955",
            "0.374955331645687",
            "0.767556669298114",
            "0.443149049637559",
        ],
    ],
    ("right", "high"): [
        ["-0.257512919478482", "0.801422961990337", "-0.539822500731772"],
        [
            "0.371718966535296",
            "-0.363906959570891",
            "-0.717579999353722",
            "0.401069519430217",
            "0.231557595006790",
        ],
    ],
}
# The same paper's preconditioning matrices are the edge functions' weights of m = -1 and 0.
PRECONDITIONING = {
    "left": [["3.07792649138669", "0"], ["-0.114204567242137", "0.998556681198888"]],
    "right": [["0.477032578540915", "0"], ["0.350522032550918", "0.917563310922261"]],
}
# Its left table for N = 3, printed to ten digits of which the last two are not right.
PUBLISHED_THREE = [
    [0.3888997639, -0.8820782813e-1, -0.8478413085, 0.3494874367],
    [-0.6211483178, 0.5225273932, -0.2000080031, 0.3378673486, -0.3997707705, 0.1648201297],
    [
        -0.9587863831e-2,
        0.3712255319e-3,
        0.3260097101,
        0.8016481645,
        0.4720552620,
        -0.1400420809,
        -0.8542510010e-1,
        0.3521962365e-1,
    ],
]


@pytest.fixture(scope="module")
def stored(root):
    return json.loads((root / "sims" / "curves" / "wavelet_filters.json").read_text("utf-8"))[
        "moments"
    ]


@pytest.fixture(scope="module")
def generator(root):
    path = root / "tests" / "golden" / "make_wavelet_filters.py"
    spec = importlib.util.spec_from_file_location("make_wavelet_filters", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def units_off(ours: str, printed: str) -> Decimal:
    """Return by how many units of the last printed digit the rounded 40 digits differ."""
    unit = Decimal(1).scaleb(Decimal(printed).as_tuple().exponent)
    rounded = Decimal(ours).quantize(unit, rounding=ROUND_HALF_EVEN)
    return abs(rounded - Decimal(printed)) / unit


@pytest.mark.parametrize(("side", "name"), list(PUBLISHED))
def test_the_published_filters_with_two_moments_to_every_printed_digit(stored, side, name):
    for ours, printed in zip(stored["2"][side][name], PUBLISHED[side, name], strict=True):
        assert len(ours) == len(printed)
        for a, b in zip(ours, printed, strict=True):
            off = units_off(a, b)
            assert off == 0 if name == "low" else off <= 1  # one tap, ...7714, is printed ...772


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_published_preconditioning_is_the_edge_functions_weights(stored, side):
    for ours, printed in zip(stored["2"][side]["functions"], PRECONDITIONING[side], strict=True):
        for a, b in zip(ours[1:], printed, strict=True):
            assert units_off(a, b) <= 1  # one entry, ...2603, is printed ...261


def test_the_published_left_filters_with_three_moments(stored):
    for ours, printed in zip(stored["3"]["left"]["low"], PUBLISHED_THREE, strict=True):
        assert np.array(ours, float) == pytest.approx(printed, abs=5e-10)


@pytest.mark.parametrize("N", ALL)
def test_the_scaling_filter_is_that_of_pywavelets(N):
    import pywt

    assert filters(N).low == pytest.approx(pywt.Wavelet(f"db{N}").rec_lo, abs=1e-12)
    assert np.abs(filters(N).high) == pytest.approx(
        np.abs(pywt.Wavelet(f"db{N}").rec_hi), abs=1e-12
    )


@pytest.mark.parametrize("N", [1, 2, 3])
def test_the_table_is_what_its_generator_gives(stored, generator, N):
    assert generator.table(N) == stored[str(N)]


@pytest.mark.slow
@pytest.mark.parametrize("N", [4, 5, 6])
def test_the_rest_of_the_table_is_what_its_generator_gives(stored, generator, N):
    assert generator.table(N) == stored[str(N)]


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


@pytest.mark.parametrize(
    "N", [1, 2, 3, 4, *(pytest.param(N, marks=pytest.mark.slow) for N in (5, 6))]
)
@pytest.mark.parametrize("side", ["left", "right"])
def test_edge_functions_are_orthonormal_from_their_definition(stored, generator, side, N):
    # Integrals of cut-off translates solve the refinement equation; here at 60 digits.
    with mp.workdps(60):
        h = [mpf(x) for x in stored[str(N)]["low"]]
        gram = generator.half_line_gram(h if side == "left" else h[::-1])
        edge = [[mpf(x) for x in row] for row in stored[str(N)][side]["functions"]]
        for i, a in enumerate(edge):
            for j, b in enumerate(edge):
                assert abs(generator.inner(a, gram, b) - (i == j)) < mpf(10) ** -28


def edge_gram(N: int, edges: np.ndarray, taps: np.ndarray) -> np.ndarray:
    """Return the Gram matrix of edge functions and the translates they meet, from filters alone.

    F = (edges, phi_1, ..., phi_M) satisfies F(x) = sqrt 2 sum (row) F(2x) + further translates,
    so <F, F'> is a linear function of itself; only products with an edge are unknown.
    """
    M = 2 * N - 2
    width = N + 2 * M + 2 * N  # finer functions that any of these uses
    A = np.zeros((N + M, width))
    A[:N, : 3 * N - 1] = edges
    for m in range(1, M + 1):
        A[N + m - 1, N + 2 * m - 1 : N + 2 * m - 1 + 2 * N] = taps
    edge = np.zeros((width, width), bool)
    edge[:N, : N + M] = edge[: N + M, :N] = True  # where the Gram matrix is unknown
    unknown = np.argwhere(edge)
    known = A @ np.where(edge, 0.0, np.eye(width)) @ A.T
    equations = np.eye(len(unknown))
    for row, (i, j) in enumerate(unknown):
        equations[row] -= A[i, unknown[:, 0]] * A[j, unknown[:, 1]]
    found = np.linalg.solve(equations, known[unknown[:, 0], unknown[:, 1]])
    gram = np.eye(N + M)
    gram[unknown[:, 0], unknown[:, 1]] = found
    return gram


@pytest.mark.parametrize("N", range(2, 7))
@pytest.mark.parametrize("side", ["left", "right"])
def test_doubles_are_orthonormal_to_1e_12_by_the_refinement_equation(side, N):
    low = getattr(filters(N), side).low
    taps = filters(N).low if side == "left" else filters(N).low[::-1]  # the end is mirrored
    gram = edge_gram(N, low, taps)
    assert np.abs(gram - np.eye(len(gram))).max() < 1e-12
    spoilt = low.copy()
    spoilt[0, 0] *= 1 + 1e-9
    wrong = edge_gram(N, spoilt, taps)
    assert np.abs(wrong - np.eye(len(wrong))).max() > 1e-12


def test_moments_outside_one_to_six_are_refused():
    with pytest.raises(DomainError, match="from 1 to 6"):
        filters(7)


def test_tables_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        filters(2).left.low[0, 0] = 0.0
