"""Privacy of the released noise, checked elsewhere, and where the printed recipe fails."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from rates import Server
from sims.ccv.chains import CONSTANTS, STEPS, against_zero, chain, exact_sensitivity, guarantees
from sims.ccv.estimator import PRIVACY, Recipe, World
from sims.ccv.risk import plan
from sims.ccv.settings import alike, scaled
from sims.curves.cells import binned
from sims.curves.functions import curve
from sims.curves.wavelets import evaluate
from sims.engine import check_values

ROWS = (
    Server(name="A", n=500, epsilon=0.3, delta=1e-5),
    Server(name="silent", n=5, epsilon=0.0),
    Server(name="B", n=2000, epsilon=3.0, delta=1e-7, count=3),
    Server(name="open", n=100, epsilon=math.inf),
)
FAMILIES = [("haar", 1), ("periodic", 2), ("boundary", 2)]


def world(family: str, moments: int, *, point: bool = False) -> World:
    places = (0.37,) if point else ()
    return World(curves=(curve("cusp", at=0.37),), places=places, family=family, moments=moments)


@pytest.mark.parametrize(("family", "moments"), FAMILIES)
@pytest.mark.parametrize("point", [False, True])
def test_noise_spends_the_budget_by_a_search_and_by_dp_accounting(family, moments, point):
    from dp_accounting import gaussian_mechanism

    noise = "tight" if point else "analytic"
    made = plan(world(family, moments, point=point), ROWS, Recipe(noise=noise), dimension=20)
    rows = binned(made.world.basis(20), cells=made.world.cells).matrix.toarray()
    if point:
        rows = rows @ evaluate(made.world.basis(20), made.world.places).T
    # One record is replaced: n times the largest change, by trying the cells that weigh most.
    top = rows[np.argsort(np.linalg.norm(rows, axis=1))[-200:]]
    change = max(
        float(np.linalg.norm(a * top[:, None] - b * top[None, :], axis=-1).max())
        for a, b in itertools.product((-made.clip, 0.0, made.clip), repeat=2)
    )
    assert exact_sensitivity(made)[0] == pytest.approx(change, rel=1e-12)
    for server, n, scale in zip((ROWS[0], ROWS[2]), made.n, made.scale[0], strict=False):
        multiplier = scale * n / change
        if point:  # Laplace noise
            assert 1.0 / multiplier == pytest.approx(server.epsilon, rel=1e-9)
        else:
            epsilon = gaussian_mechanism.get_epsilon_gaussian(multiplier, server.delta)
            assert epsilon == pytest.approx(server.epsilon, rel=1e-4)


@pytest.mark.parametrize(
    ("family", "moments", "times"),
    [("haar", 1, 2.0), ("boundary", 4, 1.18), ("boundary", 5, 1.37), ("boundary", 6, 1.73)],
)
def test_the_guarantee_says_how_many_times_epsilon_the_printed_noise_at_the_edge_gives(
    family, moments, times
):
    own = World(
        curves=(curve("cusp", exponent=0.8, at=0.5),), places=(0.0,), family=family, moments=moments
    )
    asked = Server(name="A", n=2000, epsilon=1.0)
    found = []
    for K in range(2 * moments, 16):
        made = plan(own, (asked,), Recipe(noise="printed"), dimension=K)
        (kept,) = guarantees(made, (asked,))
        found.append(1.0 - 2.0 * math.log1p(-kept.actual))  # of a Laplace law with this delta at 1
        assert kept.valid == (found[-1] <= 1.0)
    assert max(found) == pytest.approx(times, abs=0.01)
    assert f"{times:g}" in PRIVACY or (times == 2.0 and "Haar basis gives twice" in PRIVACY)


@pytest.mark.parametrize("point", [False, True])
def test_a_halved_sensitivity_is_caught(point):
    made = plan(world("periodic", 2, point=point), ROWS, Recipe(), dimension=20)
    found = guarantees(replace(made, scale=made.scale / 2), ROWS)
    assert [g and g.valid for g in found] == [False, False, None]
    if point:
        assert found[0].actual == pytest.approx(1 - math.exp(-ROWS[0].epsilon / 2))
    else:
        assert found[0].actual > 100 * 1e-5


@pytest.mark.parametrize("delta", [0.5, 1e-1, 1e-3, 1e-5, 1e-8, 1e-30])
def test_the_printed_multiplier_suffices_up_to_the_budget_that_is_stated(delta):
    for noise, factor, valid in (("tight", 1.0, True), ("tight", 4.0, False), ("analytic", 4.0, 1)):
        row = alike(100, 1, factor * 2.3 * math.log(2 / delta), delta)
        made = plan(world("haar", 1), row, Recipe(noise=noise), dimension=16)
        assert guarantees(made, row)[0].valid == valid


def test_the_printed_recipe_can_be_worse_than_zero():
    """D = 46.4 asks for K = 128 where 14 is best; b is in the ten thousands."""
    smooth = World(curves=(curve("fourier"),))
    row = (Server(name="A", n=10_000, epsilon=1.0, delta=1e-5, count=10),)
    recipe = Recipe(noise="printed", clip=0.0)
    literal, best = (plan(smooth, row, replace(recipe, level=k)) for k in ("printed", "oracle"))
    assert literal.exact > 2 * smooth.zero > 20 * best.exact
    told = against_zero(smooth, row, recipe)
    assert "D = 46.4 asks for K = 128" in told
    assert f"The best K is {best.dimension}." in told
    assert "estimating by zero is better" not in against_zero(smooth, scaled(row, 10.0), recipe)


def test_every_step_of_a_chain_says_what_its_releases_keep():
    asked = check_values(CONSTANTS.parameters, {"curves": 1, "delta": 1e-5})
    kept = chain(asked, 10.0).kept
    assert list(kept) == list(STEPS)
    assert [name for name, spent in kept.items() if spent is None] == ["no privacy"]
    spent = [found for found in kept.values() if found is not None]
    assert all(found.valid and found.actual <= 1e-5 for found in spent)
