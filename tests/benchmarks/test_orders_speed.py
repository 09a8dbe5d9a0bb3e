"""Speed of the language of rates, one thread, from texts that were not seen before."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable

import numpy as np
import pytest

from rates.maps import gamma_regions
from rates.orders import Order, compare, crossings, parse, regions

pytestmark = pytest.mark.benchmark

EXPONENTS = ("beta", "gamma", "d", "alpha")
SIZES = ("n", "m", "n0", "eps")
SHAPE = {"beta": 0.5, "gamma": 1.2, "d": 2, "alpha": 1}
STUDY = {"n": 1e4, "m": 100, "n0": 8e4, "eps": 0.1}
MANY = "max({})*max({})".format(
    ",".join(f"n^({k}-1/(gamma+{k}))*m^-{k}" for k in range(1, 9)),
    ",".join(f"eps^-{k}*m^(gamma*{k}/(d+{k}))/{k}" for k in range(1, 9)),
)


def five() -> Order:
    """Equation (5) of [ACC] with equal sources."""
    return parse(
        "min(n0*r^(2*beta+d), n0^2*eps^2*r^(2*beta+2*d))"
        " + m*min(n*r^(2*beta*gamma+d), n^2*eps^2*r^(2*beta*gamma+2*d)) = 1",
        sizes=SIZES,
        exponents=EXPONENTS,
        unknown="r",
        rate="min(1, r^(beta*(1+alpha)))",
    )


def many() -> Order:
    """A rate of 64 terms."""
    return parse(MANY, sizes=SIZES, exponents=EXPONENTS)


def forget() -> None:
    """Empty what the room keeps of earlier texts."""
    for name in [name for name in sys.modules if name.startswith("rates.orders")]:
        for kept in list(vars(sys.modules[name]).values()):
            if hasattr(kept, "cache_clear") and getattr(kept, "__name__", "") != "field_of":
                kept.cache_clear()


def best(run: Callable[[], object], repeats: int = 5) -> float:
    """Return the least processor time of a run, in milliseconds."""
    least = math.inf
    for _ in range(repeats):
        forget()
        start = time.process_time()
        run()
        least = min(least, time.process_time() - start)
    return 1e3 * least


def mapped(order: Order, x: str, y: str) -> object:
    """A map of the study over two letters."""
    box = {"eps": (1e-6, 1), "n": (10, 1e6), "gamma": (0.5, 3)}
    sizes = {k: v for k, v in STUDY.items() if k not in (x, y)}
    shape = {k: v for k, v in SHAPE.items() if k not in (x, y)}
    return regions(order, x, y, sizes, shape, box=(box[x], box[y]))


@pytest.mark.parametrize(("x", "y"), [("eps", "n"), ("eps", "gamma"), ("gamma", "n")])
def test_from_a_text_of_five_terms_to_its_map(x, y):
    took = best(lambda: mapped(five(), x, y))
    print(f"\nfive terms, ({x}, {y}): {took:.1f} ms")
    assert took < 60


@pytest.mark.parametrize(("x", "y"), [("eps", "n"), ("eps", "gamma"), ("gamma", "n")])
def test_from_a_text_of_64_terms_to_its_map(x, y):
    took = best(lambda: mapped(many(), x, y), repeats=2)
    print(f"\n64 terms, ({x}, {y}): {took:.0f} ms")
    assert took < 1000


def test_symbolic_crossings_of_five_terms_and_again():
    order = five()
    took = best(lambda: crossings(order, "eps"))
    start = time.process_time()
    for _ in range(100):
        crossings(order, "eps")
    again = 10.0 * (time.process_time() - start)
    print(f"\ncrossings: {took:.1f} ms, again {again:.3f} ms")
    assert took < 500
    assert again < took / 10


def test_a_map_takes_no_more_than_a_few_times_that_of_the_phases():
    rows = np.linspace(0.5, 3, 161)
    order = five()
    ours = best(lambda: mapped(order, "eps", "gamma"))
    theirs = best(lambda: gamma_regions(1e4, 100, 8e4, gamma=rows, beta=0.5, d=2, low=1e-6))
    print(f"\na map of 161 rows: {ours:.1f} ms against {theirs:.1f} ms")
    assert ours < 4 * theirs


def test_all_pairs_of_printed_rates():
    assert best(lambda: list(compare.pairs()), 1) < 5000


def test_values_on_a_grid():
    order, grid = (
        five(),
        {"eps": np.geomspace(1e-6, 1, 512), "n": np.geomspace(10, 1e6, 64)[:, None]},
    )
    took = best(lambda: order.value(STUDY | grid, SHAPE), repeats=3)
    print(f"\nvalues, 512 x 64: {took:.0f} ms")
    assert took < 500
