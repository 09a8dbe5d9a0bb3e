"""Maps joined from rows: any number of labels and of changes along a row, linear axes too."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rates.numbers import DomainError
from rates.pieces import Axis, join_rows
from tests.rates.pieces.polygons import area

LINEAR = (False, False)


def test_rows_of_64_labels() -> None:
    """Sixty-four stripes that all lean; two orders of 64 codes differ in the last place only."""

    def table(heights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        edges = np.arange(-31.0, 32.0) + 0.5 * heights[:, None]
        codes = np.tile(np.arange(64), (len(heights), 1))
        codes[heights > 0.3, -1] = 0
        return edges, codes

    x = Axis(low=-32, high=32, log=False)
    found = join_rows(table, [-1, 0, 1], [str(k) for k in range(64)], x=x, log_y=False)
    everywhere = [area(p, *LINEAR) for polygons in found.values() for p in polygons]
    assert sum(everywhere) == pytest.approx(128)
    assert [len(found[str(k)]) for k in (0, 1, 62, 63)] == [2, 1, 1, 1]
    assert area(found["5"][0], *LINEAR) == pytest.approx(2.0)
    assert found["63"][0].y.max() == pytest.approx(0.3, abs=1e-10)
    assert found["0"][1].y.min() == pytest.approx(0.3, abs=1e-10)


def test_a_change_between_rows_is_located_on_a_linear_axis() -> None:
    def table(heights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.abs(heights[:, None]), np.where(heights[:, None] < 0, [0, 1], [1, 0])

    x = Axis(low=1e-3, high=math.e)
    found = join_rows(table, [-0.7, 0.9], ["a", "b"], x=x, log_y=False)
    for below, above in found.values():  # the sides change places
        assert (below.y.min(), above.y.max()) == (-0.7, 0.9)
        assert -1e-10 < below.y.max() <= above.y.min() < 1e-10
    everywhere = [p.x for polygons in found.values() for p in polygons]
    assert (min(map(np.min, everywhere)), max(map(np.max, everywhere))) == (1e-3, math.e)
    assert all(np.isclose(x, 1.0, rtol=1e-9, atol=0).any() for x in everywhere)


def test_refusals() -> None:
    for low, high, log in ((0.0, 1.0, True), (1.0, 1.0, False), (0.0, math.inf, False)):
        with pytest.raises(DomainError):
            Axis(low=low, high=high, log=log)

    def table(heights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.empty((len(heights), 0)), np.zeros((len(heights), 1), dtype=np.int16)

    x = Axis(low=1, high=2)
    for heights in ([1.0], [1.0, math.nan], [1.0, 1.0]):
        with pytest.raises(DomainError):
            join_rows(table, heights, ["a"], x=x, log_y=False)
    with pytest.raises(DomainError, match="y must be positive"):
        join_rows(table, [-1.0, 1.0], ["a"], x=x)
