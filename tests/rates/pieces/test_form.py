"""Which leaf gives the value, ties by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from rates.numbers import DomainError
from rates.pieces import Form, Leaf, choose, decide


def test_ties_go_to_the_leaf_that_is_read_first() -> None:
    near = np.array([[0.0, 5e-13], [0.0, 2e-12], [1000.0, 1000.0 + 9e-10], [math.inf, math.inf]])
    for sign, kind in ((1.0, "max"), (-1.0, "min")):
        value, leaf = choose((kind, (0, 1)), sign * near)
        assert leaf.tolist() == [0, 1, 0, 0]
        assert value[1] == sign * 2e-12
    lines = [near[:, 0], near[:, 1]]
    exactly = [np.zeros(()), np.zeros(())]
    assert decide(("max", (0, 1)), lines, exactly)[1].tolist() == [1, 1, 1, 0]
    loosely = [np.zeros(()), np.asarray(1e-9)]
    assert decide(("max", (0, 1)), lines, loosely)[1].tolist() == [0, 0, 0, 0]
    values, slacks = map(np.array, ([0.0, 1.0, 1.0 + 5e-10], [0.0, 1e-9, 0.0]))
    assert decide(("max", (0, 1, 2)), values, list(slacks))[1] == 1  # the slack of the leaf so far


def test_a_leaf_that_is_not_defined_gives_way() -> None:
    values = np.array([[math.nan, 1.0, 2.0], [3.0, math.nan, 2.0]])
    value, leaf = choose(("max", (0, 1, 2)), values)
    assert (value.tolist(), leaf.tolist()) == ([2.0, 3.0], [2, 0])


def test_slopes_are_those_of_the_letters_asked_for() -> None:
    leaf = Leaf(
        "a", (("n", Fraction(-1, 3)), ("eps", Fraction(2))), ((Fraction(8), Fraction(1, 3)),)
    )
    form = Form(("n", "m", "eps"), (leaf, Leaf("b", (("m", Fraction(1)),))), ("min", (0, 1)))
    slopes, levels = form.along(["eps", "n"], {"m": [1.0, math.e]})
    assert slopes.tolist() == [[2.0, -1 / 3], [0.0, 0.0]]
    np.testing.assert_allclose(levels, [[math.log(2), 0.0], [math.log(2), 1.0]], atol=1e-15)
    with pytest.raises(DomainError, match="k is no letter"):
        Form(("n",), (Leaf("a", (("k", Fraction(1)),)),), 0)
    assert form.deciding({"n": 8.0, "m": [0.5, 2.0], "eps": 1.0}).tolist() == ["b", "a"]
