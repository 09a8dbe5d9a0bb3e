"""What adds up for a person at two sites: counts, several records, and deltas not stated."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest

from rates.numbers.gaussian import delta_of
from rates.study import preset
from rates.study.guarantee import advantage, at_two_sites, for_person, guarantees
from tests.rates.made import INF, curve, site

CLINICS = site("clinics", 100, 2, count=10)
SMALL = site("H", 100, 0.1, 1e-3)
GROWN = 1e-6 * (1 + math.exp(2) + math.exp(4))  # one replacement after the other
HUGE = site("A", 1, 1e308, count=3)


@pytest.mark.parametrize(
    ("rows", "k", "promised"),
    [
        ((CLINICS, SMALL), 1, (4, 1e-3 + 1e-6)),  # two clinics by epsilon, a clinic and H by delta
        ((CLINICS,), 1, (4, 2e-6)),
        ((CLINICS,), 3, (12, 2 * GROWN)),
        ((HUGE,), 10**6, (INF, 1.0)),
    ],
)
def test_the_two_largest_add_up(rows, k, promised):
    assert at_two_sites(curve(*rows), k) == pytest.approx(promised)
    assert at_two_sites(curve(site("C", 100, 2, None), SMALL)) == (pytest.approx(2.1), None)
    assert at_two_sites(curve(SMALL, site("P", 100, INF, count=5))) is None


@pytest.mark.parametrize("k", [1, 2, 5])
def test_it_holds_whichever_two_sites_they_are(k):
    found = preset("hospitals").study
    rows = [
        replace(s, epsilon=s.epsilon + j, delta=1e-6 / (1 + j)) for j, s in enumerate(found.servers)
    ]
    epsilon, delta = at_two_sites(found.with_servers(rows), k)
    private = [s for s in rows if s.private]
    for a, b in itertools.combinations(private, 2):
        one, two = (for_person(s.epsilon, s.delta or 0, k) for s in (a, b))
        assert one[0] + two[0] <= epsilon + 1e-12
        assert min(1.0, one[1] + two[1]) <= delta + 1e-12


def test_an_attacker_s_edge_by_hand():
    places = [(0, 0), (1, 0), (math.log(3), 0.1), (50, 0), (INF, 0.5)]
    edges = [0, (math.e - 1) / (math.e + 1), (2 + 0.2) / 4, 1, 1]
    assert [advantage(*x) for x in places] == pytest.approx(edges)


def test_the_edge_bounds_the_exact_gaussian_attack():
    # The best attack on Gaussian noise has the edge delta(0) of its privacy curve.
    for noise in (0.5, 1.0, 3.0):
        edge = float(delta_of([noise], [0.0])[0])
        for epsilon in (0.1, 1.0, 4.0):
            delta = float(delta_of([noise], [epsilon])[0])
            assert edge <= advantage(epsilon, delta) + 1e-12


def test_a_person_s_guarantee_by_replacing_one_record_after_the_other():
    total = 0.0
    for _ in range(4):  # delta_k = e^epsilon delta_(k-1) + delta
        total = math.exp(0.7) * total + 1e-5
    for given, promised in (
        ((0.7, 1e-5, 4), (2.8, total)),
        ((0.7, 1e-5, 1), (0.7, 1e-5)),
        ((INF, 0.0, 3), (INF, 0.0)),
        ((0.0, 1e-3, 3), (0.0, 3e-3)),
        ((50.0, 1e-6, 100), (5000.0, 1.0)),
        ((50.0, 0.0, 100), (5000.0, 0.0)),
    ):
        assert for_person(*given) == pytest.approx(promised)


def test_a_person_has_less_than_a_record_and_public_rows_promise_nothing():
    rows = guarantees(preset("unprotected").study, 3)
    public = next(g for g in rows if math.isinf(g.server.epsilon))
    assert (public.record_advantage, public.person_advantage) == (1.0, 1.0)
    for row in rows:
        assert row.person_advantage >= row.record_advantage
