"""Bases that tests of wavelets are held to: of every family, at any dimension."""

from __future__ import annotations

from hypothesis import strategies as st

from sims.curves.wavelets import Basis, least_dimension

FAMILIES = [("haar", 1), *(("periodic", N) for N in range(2, 7))]
FAMILIES += [("boundary", N) for N in range(1, 7)]


def basis(family: str, moments: int, dimension: int) -> Basis:
    return Basis(family=family, moments=moments, dimension=dimension)


@st.composite
def bases(draw) -> Basis:
    family, moments = draw(st.sampled_from(FAMILIES))
    least = least_dimension(family, moments)
    return basis(family, moments, draw(st.integers(least, least + 50)))
