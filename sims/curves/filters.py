"""Filters of the wavelets: computed once to 40 digits, kept as a table, read as doubles.

N vanishing moments, scaling function phi on [0, S], S = 2N - 1, extremal phase. The edge
functions of the half line are sums of translates cut off at the end; see `Edge`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from rates.numbers import Parameter
from sims.engine import Array

MOMENTS = Parameter(
    "moments",
    "N",
    "1, ..., 6",
    help="How smooth the wavelets are: polynomials of degree below this number are reproduced "
    "exactly. 1 is the Haar basis of steps. The curve's smoothness should be below it.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """One end of the interval, seen from that end (the right end is mirrored).

    Attributes:
        functions: (N, S); edge function k is the sum of translates -(S-1)..0, cut off at the
            end, with these weights. Its support is [0, N + k].
        low: Row k weighs the finer functions: N edges, then whole translates from the end;
            (N, 3N - 1), zero beyond N + 2k + 1.
        high: The same for the edge wavelets.
    """

    functions: Array
    low: Array
    high: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """All that defines one family.

    Attributes:
        moments: N, 1 to 6.
        low: h, 2N taps, sum sqrt(2): phi(x) = sqrt(2) sum_p h_p phi(2x - p).
        high: g_p = (-1)^p h_(S-p), the wavelet's taps.
        integers: phi(0), ..., phi(S - 1).
        unit_integrals: Integrals of phi over [s, s + 1].
        left: The end 0.
        right: The end 1.
    """

    moments: int
    low: Array
    high: Array
    integers: Array
    unit_integrals: Array
    left: Edge
    right: Edge

    @property
    def support(self) -> int:
        """Length S = 2N - 1 of the support of phi."""
        return 2 * self.moments - 1


@cache
def _table() -> dict[str, Any]:
    text = files("sims.curves").joinpath("wavelet_filters.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)["moments"]
    return data


@cache
def filters(moments: int) -> Filters:
    """Return the filters with this number of vanishing moments, rounded to doubles.

    >>> filters(2).low.round(4).tolist()
    [0.483, 0.8365, 0.2241, -0.1294]
    >>> filters(2).left.low[0, :3].round(7).tolist()
    [0.6033325, 0.6908955, -0.398313]

    Raises:
        DomainError: ``moments`` is not a whole number from 1 to 6.

    Source: Daubechies (1988); Cohen, Daubechies and Vial (1993), Section 4.
    """
    N = int(MOMENTS.check(moments))
    entry = _table()[str(N)]
    low = _constant(np.array(entry["low"], float))
    sign = np.where(np.arange(2 * N) % 2, -1.0, 1.0)
    return Filters(
        moments=N,
        low=low,
        high=_constant(sign * low[::-1]),
        integers=_constant(np.array(entry["integers"], float)),
        unit_integrals=_constant(np.array(entry["unit_integrals"], float)),
        left=_edge(entry["left"]),
        right=_edge(entry["right"]),
    )


def _edge(side: dict[str, list[list[str]]]) -> Edge:
    N = len(side["low"])
    padded = {}
    for name in ("low", "high"):
        padded[name] = np.zeros((N, 3 * N - 1))
        for k, row in enumerate(side[name]):
            padded[name][k, : len(row)] = [float(x) for x in row]
    functions = np.array([[float(x) for x in row] for row in side["functions"]])
    return Edge(
        functions=_constant(functions), low=_constant(padded["low"]), high=_constant(padded["high"])
    )


def _constant(x: Array) -> Array:
    """Make an array of the table unchangeable."""
    x.flags.writeable = False
    return x
