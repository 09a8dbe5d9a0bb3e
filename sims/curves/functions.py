"""True curves on [0, 1] of known smoothness, scaled so that their largest value is 1.

``curve(kind, ...)`` gives a `Curve`: ``values(x)`` at any points, ``curve_means(curve, cells)``
over the cells of a grid. The smoothness stated is the largest alpha with the curve in the Besov
class B^alpha_{2,oo}; ``pointwise`` is its Hölder exponent at its worst point, which decides the
error there. A random series has this roughness down to its last term only, at scale 1/2048; bases
of fewer functions cannot tell. Its largest value is 1 on a grid of 32768 points, and within 1e-3
of it everywhere. All curves but "arc" are as smooth around the circle as inside, so that periodic
bases fit them as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers import Parameter
from sims.curves.cells import CELLS, means
from sims.engine import Array

Kind = Literal["smooth", "arc", "fourier", "cusp", "blocks", "bumps", "heavisine", "doppler"]
KINDS: tuple[Kind, ...] = get_args(Kind)

RANDOM_SMOOTHNESS = Parameter(
    "smoothness",
    "α",
    "(0.5, 2]",
    help="How fast the random curve's detail fades: a halved scale has 2^-alpha of the size.",
)
EXPONENT = Parameter(
    "exponent",
    "ν",
    "(0, 2)",
    help="The curve grows like |x - x0|^exponent around its cusp: 0.5 is sharp, 1 is a corner.",
)
PLACE = Parameter("at", "x_0", "[0, 1]", help="Where on [0, 1].")
SEED = Parameter(
    "seed",
    "seed",
    f"0, ..., {2**53}",
    rule="The seed must be a whole number of at least 0.",
    help="Which random curve.",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve:
    """A true regression function.

    Attributes:
        kind: One of `KINDS`.
        formula: What it is, in a line.
        smoothness: Largest alpha with the curve in B^alpha_{2,oo}; inf for analytic ones.
        pointwise: Hölder exponent at the worst point; 0 at a jump.
        values: f at any points of [0, 1].
        breaks: Points where it jumps or has a kink.
        cell_means: Exact means over Q cells, where there is a formula.
    """

    kind: str
    formula: str
    smoothness: float = math.inf
    pointwise: float = math.inf
    values: Callable[[ArrayLike], Array] = field(repr=False)
    breaks: tuple[float, ...] = ()
    cell_means: Callable[[int], Array] | None = field(default=None, repr=False)


@lru_cache(maxsize=32)
def curve(
    kind: Kind, *, smoothness: float = 1.0, exponent: float = 0.75, at: float = 0.5, seed: int = 0
) -> Curve:
    """Return a curve; numbers that its kind does not use are ignored.

    Args:
        kind: One of `KINDS`.
        smoothness: alpha of "fourier", in (1/2, 2].
        exponent: Of "cusp", in (0, 2).
        at: Place of the cusp, in [0, 1].
        seed: Of the random series.

    >>> cusp = curve("cusp", exponent=0.5, at=0.25)
    >>> cusp.values([0.25, 0.75]).tolist(), cusp.smoothness, cusp.pointwise
    ([0.0, 1.0], 1.0, 0.5)

    Raises:
        DomainError: A number lies outside its set.
    """
    if kind == "fourier":
        return _fourier(RANDOM_SMOOTHNESS.check(smoothness), int(SEED.check(seed)))
    if kind == "cusp":
        return _cusp(EXPONENT.check(exponent), PLACE.check(at))
    return _FIXED[kind]


@lru_cache(maxsize=64)
def curve_means(curve: Curve, cells: int = CELLS) -> Array:
    """Return the curve's mean over each of Q cells, read-only, shape (Q,).

    >>> curve_means(curve("blocks"), 4).shape
    (4,)
    """
    if curve.cell_means is not None:
        out = curve.cell_means(cells)
    else:
        fine = max(cells, CELLS)  # few cells would need more nodes in each
        out = means(curve.values, fine, breaks=curve.breaks).reshape(cells, -1).mean(axis=1)
    out.flags.writeable = False
    return out


# Random series -------------------------------------------------------------------------------

_TERMS = 2048
_GRID = 2**15  # where the largest value is looked for
_CHUNK = 2**12


def _fourier(alpha: float, seed: int) -> Curve:
    """Sum of k^-(alpha + 1/2) cos(2 pi k x + theta_k): alpha with no favoured dyadic scale."""
    k = np.arange(1, _TERMS + 1)
    phase = np.random.default_rng(seed).uniform(0.0, 2.0 * math.pi, _TERMS)
    c = k ** -(alpha + 0.5) * np.exp(1j * phase)

    def on_grid(weights: NDArray[Any], points: int) -> Array:
        """Return Re sum_k weights_k exp(2 pi i k i / points), folding high k."""
        bins = np.zeros(points, complex)
        np.add.at(bins, k % points, weights)
        return np.asarray(np.fft.ifft(bins).real * points)

    c = c / np.abs(on_grid(c, _GRID)).max()

    def values(x: ArrayLike) -> Array:
        points = np.asarray(x, float)
        out = np.empty(points.size)
        for first in range(0, points.size, _CHUNK):
            turn = np.exp(2j * math.pi * points.ravel()[first : first + _CHUNK])
            total = np.zeros(len(turn), complex)
            for weight in c[::-1]:  # Horner
                total = (total + weight) * turn
            out[first : first + _CHUNK] = total.real
        return out.reshape(points.shape)

    def cell_means(cells: int) -> Array:
        return on_grid(c * np.sinc(k / cells) * np.exp(1j * math.pi * k / cells), cells)

    return Curve(
        kind="fourier",
        formula=f"sum of k^-{alpha + 0.5:g} cos(2 pi k x + theta_k), k = 1..{_TERMS}",
        smoothness=alpha,
        pointwise=alpha,
        values=values,
        cell_means=cell_means,
    )


def _cusp(nu: float, at: float) -> Curve:
    """|sin pi (x - x0)|^nu: smooth but for x0, also around the circle."""

    def values(x: ArrayLike) -> Array:
        return np.asarray(np.abs(np.sin(math.pi * (np.asarray(x, float) - at))) ** nu)

    return Curve(
        kind="cusp",
        formula=f"|sin pi (x - {at:g})|^{nu:g}",
        smoothness=nu + 0.5,
        pointwise=nu,
        values=values,
        breaks=(at,),
    )


# Fixed curves --------------------------------------------------------------------------------

_PLACES = np.array([0.1, 0.13, 0.15, 0.23, 0.25, 0.40, 0.44, 0.65, 0.76, 0.78, 0.81])
_STEPS = np.array([4.0, -5.0, 3.0, -4.0, 5.0, -4.2, 2.1, 4.3, -3.1, 2.1, -4.2])
_HEIGHTS = np.array([4.0, 5.0, 3.0, 4.0, 5.0, 4.2, 2.1, 4.3, 3.1, 5.1, 4.2])
_WIDTHS = np.array([0.005, 0.005, 0.006, 0.01, 0.01, 0.03, 0.01, 0.01, 0.005, 0.008, 0.005])
_BLOCKS_SUP = float(np.abs(np.cumsum(_STEPS)).max())
_DOPPLER_SUP = 0.497523522483404124  # at x = 0.549407515703...


def _smooth(x: ArrayLike) -> Array:
    t = 2.0 * math.pi * np.asarray(x, float)
    return np.asarray(np.sin(t + np.sin(t)))


def _arc(x: ArrayLike) -> Array:
    return np.asarray(np.cos(math.pi * np.asarray(x, float)))


def _blocks(x: ArrayLike) -> Array:
    t = np.asarray(x, float)[..., None]
    return np.asarray((0.5 * (1.0 + np.sign(t - _PLACES))) @ _STEPS / _BLOCKS_SUP)


def _raw_bumps(x: ArrayLike) -> Array:
    t = np.asarray(x, float)[..., None]
    return np.asarray((1.0 + np.abs((t - _PLACES) / _WIDTHS)) ** -4.0 @ _HEIGHTS)


_BUMPS_SUP = float(_raw_bumps(_PLACES).max())  # convex between the peaks


def _bumps(x: ArrayLike) -> Array:
    return _raw_bumps(x) / _BUMPS_SUP


def _heavisine(x: ArrayLike) -> Array:
    t = np.asarray(x, float)
    jumps = np.sign(t - 0.3) + np.sign(0.72 - t)
    return np.asarray((4.0 * np.sin(4.0 * math.pi * t) - jumps) / 6.0)


def _doppler(x: ArrayLike) -> Array:
    t = np.asarray(x, float)
    wave = np.sin(2.1 * math.pi / (t + 0.05))
    return np.asarray(np.sqrt(t * (1.0 - t)) * wave / _DOPPLER_SUP)


_FIXED: dict[str, Curve] = {
    c.kind: c
    for c in (
        Curve(kind="smooth", formula="sin(t + sin t), t = 2 pi x", values=_smooth),
        Curve(kind="arc", formula="cos pi x: smooth, but its ends differ", values=_arc),
        Curve(
            kind="blocks",
            formula="eleven jumps (Donoho and Johnstone, 1994)",
            smoothness=0.5,
            pointwise=0.0,
            values=_blocks,
            breaks=tuple(_PLACES.tolist()),
        ),
        Curve(
            kind="bumps",
            formula="eleven peaks with corners (Donoho and Johnstone, 1994)",
            smoothness=1.5,
            pointwise=1.0,
            values=_bumps,
            breaks=tuple(_PLACES.tolist()),
        ),
        Curve(
            kind="heavisine",
            formula="a sine with two jumps (Donoho and Johnstone, 1994)",
            smoothness=0.5,
            pointwise=0.0,
            values=_heavisine,
            breaks=(0.3, 0.72),
        ),
        Curve(
            kind="doppler",
            formula="an oscillation that quickens towards 0 (Donoho and Johnstone, 1994)",
            smoothness=2.0,
            pointwise=1.5,
            values=_doppler,
        ),
    )
}
