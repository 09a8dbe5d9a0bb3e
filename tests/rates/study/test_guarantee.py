"""What adds up for a person at two sites: counts, several records, and deltas not stated."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest

from rates.numbers.gaussian import delta_of
from rates.study.guarantee import advantage, at_two_sites, for_person, guarantees
from rates.study.presets import preset
from rates.study.scenario import FederatedStudy, Server


def study(*rows: Server) -> FederatedStudy:
    return FederatedStudy(servers=rows, smoothness=2)


CLINICS = Server(name="clinics", n=100, epsilon=2, delta=1e-6, count=10)
SMALL = Server(name="H", n=100, epsilon=0.1, delta=1e-3)


GROWN = 1e-6 * (1 + math.exp(2) + math.exp(4))  # one replacement after the other
UNSAID = Server(name="C", n=100, epsilon=2)
HUGE = Server(name="A", n=1, epsilon=1e308, delta=1e-6, count=3)
PUBLIC = Server(name="P", n=100, epsilon=math.inf, count=5)


@pytest.mark.parametrize(
    ("rows", "k", "promised"),
    [
        ((CLINICS, SMALL), 1, (4, 1e-3 + 1e-6)),  # two clinics by epsilon, a clinic and H by delta
        ((CLINICS,), 1, (4, 2e-6)),
        ((CLINICS,), 3, (12, 2 * GROWN)),
        ((HUGE,), 10**6, (math.inf, 1.0)),
    ],
)
def test_the_two_largest_add_up(rows, k, promised):
    assert at_two_sites(study(*rows), k) == pytest.approx(promised)
    assert at_two_sites(study(UNSAID, SMALL)) == (pytest.approx(2.1), None)
    assert at_two_sites(study(SMALL, PUBLIC)) is None


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
    assert advantage(0) == 0
    assert advantage(1) == pytest.approx((math.e - 1) / (math.e + 1))
    assert advantage(math.log(3), 0.1) == pytest.approx((2 + 0.2) / 4)
    assert advantage(50) == pytest.approx(1)
    assert advantage(math.inf, 0.5) == 1


def test_the_edge_bounds_the_exact_gaussian_attack():
    # The best attack on Gaussian noise has the edge delta(0) of its privacy curve.
    for noise in (0.5, 1.0, 3.0):
        edge = float(delta_of([noise], [0.0])[0])
        for epsilon in (0.1, 1.0, 4.0):
            delta = float(delta_of([noise], [epsilon])[0])
            assert edge <= advantage(epsilon, delta) + 1e-12


def test_a_person_s_guarantee_by_replacing_one_record_after_the_other():
    epsilon, delta = 0.7, 1e-5
    total = 0.0
    for _ in range(4):  # delta_k = e^epsilon delta_(k-1) + delta
        total = math.exp(epsilon) * total + delta
    assert for_person(epsilon, delta, 4) == pytest.approx((2.8, total))
    assert for_person(epsilon, delta, 1) == pytest.approx((epsilon, delta))
    assert for_person(math.inf, 0.0, 3) == (math.inf, 0.0)
    assert for_person(0.0, 1e-3, 3) == pytest.approx((0.0, 3e-3))
    assert for_person(50.0, 1e-6, 100) == (5000.0, 1.0)
    assert for_person(50.0, 0.0, 100) == (5000.0, 0.0)


def test_a_person_has_less_than_a_record_and_public_rows_promise_nothing():
    rows = guarantees(preset("unprotected").study, 3)
    public = next(g for g in rows if math.isinf(g.server.epsilon))
    assert (public.record_advantage, public.person_advantage) == (1.0, 1.0)
    for row in rows:
        assert row.person_advantage >= row.record_advantage
