"""The cheapest mix: every combination tried, the linear case by linear programming, refusals."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from rates import planning
from rates.parameters import DomainError
from rates.planning import Offer
from rates.planning_base import basis, rows_at
from rates.planning_mix import INTEGER, LINEAR
from rates.presets import preset
from rates.scenario import Server, Study, TransferStudy
from tests.rates.plan_cases import INF, log_rate, random_site, random_study

HOSPITALS = preset("hospitals").study


def random_offers(rng: np.random.Generator, study: Study) -> list[Offer]:
    """A few offers of every kind, with steps that a brute force can go through."""
    transfer = isinstance(study, TransferStudy)
    out = []
    for k in range(int(rng.integers(1, 3))):
        kind = random_site(rng, f"k{k}", transfer=transfer)
        price, most = float(rng.uniform(1, 20)), int(rng.integers(1, 4))
        out.append(Offer(what="sites", kind=kind, price=price, most=most))
    for site in study.servers[:2]:
        if site.private and rng.uniform() < 0.5:
            price, most = float(rng.uniform(1, 20)), float(rng.uniform(0.1, 4))
            out.append(Offer(what="epsilon", site=site.name, price=price, most=most))
        elif site.private:
            price, most = float(rng.uniform(0.001, 0.02)), int(rng.integers(500, 5_000))
            out.append(Offer(what="records", site=site.name, price=price, most=most))
    return out


def combinations(study: Study, offers: list[Offer], steps: int) -> list[tuple[float, Study]]:
    """Every mix on offer with its cost, as a study."""
    names = [s.name for s in study.servers]
    choices = []
    for offer in offers:
        if offer.what == "sites":
            choices.append([float(k) for k in range(int(offer.most) + 1)])
        else:
            grid = np.linspace(0, offer.most, steps + 1)
            choices.append((np.round(grid) if offer.what == "records" else grid).tolist())
    out = []
    for amounts in itertools.product(*choices):
        servers, further, cost = list(study.servers), [], 0.0
        for offer, amount in zip(offers, amounts, strict=True):
            if offer.kind is not None:
                if amount:
                    further.append(replace(offer.kind, count=int(amount)))
                cost += offer.price * amount
                continue
            j = names.index(offer.site)
            if offer.what == "records":
                servers[j] = replace(servers[j], n=servers[j].n + int(amount))
            else:
                servers[j] = replace(servers[j], epsilon=servers[j].epsilon + amount)
            cost += offer.price * amount * servers[j].count
        out.append((cost, study.with_servers([*servers, *further])))
    return sorted(out, key=lambda pair: pair[0])


@pytest.mark.parametrize("mechanism", [None, "analytic"])
def test_the_mix_is_brute_force_on_random_lists(mechanism: Any) -> None:
    rng = np.random.default_rng(89 if mechanism else 144)
    reached = missed = several = 0
    for _ in range(100):
        study = random_study(rng, sites=3, most=3)
        offers = random_offers(rng, study)
        now = basis(study, mechanism=mechanism)
        designs = combinations(study, offers, 3)
        everything = designs[-1][1]
        lowest = float(now.fraction(basis(everything, mechanism=mechanism).u))
        fraction = float(np.exp(rng.uniform(1.3 * math.log(lowest), 0.1 * math.log(lowest))))
        if fraction > 1 - 1e-9:
            continue
        best = None
        for cost, design in designs:
            if float(now.fraction(basis(design, mechanism=mechanism).u)) <= fraction:
                best = cost
                break
        try:
            mix = planning.cheapest(study, offers, fraction=fraction, mechanism=mechanism, steps=3)
        except planning.Unreachable as error:
            missed += 1
            assert best is None
            lowest_rate = min(1.0, math.exp(now.power * now.u) * lowest)
            assert error.best == pytest.approx(lowest_rate)  # noqa: PT017
            continue
        assert best is not None
        reached += 1
        several += len(mix.purchases) > 1
        assert mix.cost == pytest.approx(best, rel=1e-9), (study, offers, fraction)
        assert mix.bound == pytest.approx(best, rel=1e-6)
        assert mix.covered >= 1 - 1e-9
        assert mix.method == INTEGER
        assert math.fsum(p.part for p in mix.purchases) == pytest.approx(mix.covered)
    assert min(reached, missed, several) > 3, (reached, missed, several)
    assert reached > 60


def test_records_at_open_sites_are_a_linear_programme() -> None:
    rng = np.random.default_rng(233)
    for k in range(40):
        sites = [
            replace(random_site(rng, f"s{i}", transfer=True, most=3, first=i == 0), epsilon=INF)
            for i in range(4)
        ]
        study = TransferStudy(
            target=sites[0], sources=sites[1:], smoothness=0.5, dimension=2, margin=1
        )
        offers = [
            Offer(
                what="records",
                site=s.name,
                price=rng.uniform(1, 9),
                most=int(rng.integers(1, 9999)),
            )
            for s in sites
        ]
        mechanism: Any = "analytic" if k % 2 else None
        fraction = 0.9
        own = basis(study, mechanism=mechanism)
        here = rows_at(own, own.wanted(fraction))
        gains = np.exp(here.sample)
        costs = np.array([o.price * s.count for o, s in zip(offers, sites, strict=True)])
        most = np.array([o.most for o in offers])
        by_hand = linprog(
            costs, A_ub=-gains[None], b_ub=[-here.deficit], bounds=np.c_[0 * most, most]
        )
        try:
            mix = planning.cheapest(study, offers, fraction=fraction, mechanism=mechanism)
        except planning.Unreachable:
            assert by_hand.status == 2
            continue
        assert mix.method == LINEAR
        assert mix.cost == pytest.approx(by_hand.fun, rel=1e-7)
        change = {
            (int(p.site[1:]), "n"): sites[int(p.site[1:])].n + p.amount for p in mix.purchases
        }
        after = log_rate(study, change, mechanism=mechanism is not None)  # type: ignore[arg-type]
        now = log_rate(study, mechanism=mechanism is not None)
        assert math.exp(after - now) == pytest.approx(fraction, rel=1e-8)


def test_what_carries_nothing_is_not_bought() -> None:
    empty = Server(name="Empty", n=0, epsilon=1, delta=1e-6)
    good = Server(name="Good", n=500, epsilon=8, delta=1e-6, signal_exponent=0.8)
    offers = [
        Offer(what="sites", kind=empty, price=0.001, most=100),
        Offer(what="sites", kind=good, price=50, most=100),
    ]
    mix = planning.cheapest(HOSPITALS, offers, fraction=0.8)
    assert [p.site for p in mix.purchases] == ["Good"]
    with pytest.raises(planning.Unreachable, match="Nothing changes even with everything on offer"):
        planning.cheapest(HOSPITALS, offers[:1], fraction=0.8)
    with pytest.raises(planning.Unreachable, match=r"only to about 0\.\d+ of today's, not 0.01"):
        planning.cheapest(HOSPITALS, offers, fraction=0.01)
    # By the equation a larger budget adds nothing here, by the mechanism it is enough.
    budgets = [Offer(what="epsilon", site=s.name, price=5, most=9) for s in HOSPITALS.servers]
    with pytest.raises(planning.Unreachable, match="Nothing changes"):
        planning.cheapest(HOSPITALS, budgets, fraction=0.8)
    mix = planning.cheapest(HOSPITALS, budgets, fraction=0.8, mechanism="analytic")
    assert mix.purchases


def test_ten_thousand_candidates() -> None:
    rng = np.random.default_rng(377)
    offers = [
        Offer(
            what="sites",
            kind=random_site(rng, "c", transfer=True),
            price=float(rng.uniform(1, 100)),
            most=1,
        )
        for _ in range(10_000)
    ]
    mix = planning.cheapest(HOSPITALS, offers, fraction=0.3)
    assert mix.covered >= 1 - 1e-9
    assert mix.bound <= mix.cost * (1 + 1e-9)
    assert mix.bound >= mix.cost * 0.999
    with pytest.raises(DomainError, match="1 to 10,000 offers"):
        planning.cheapest(HOSPITALS, [*offers, offers[0]], fraction=0.3)


@pytest.mark.parametrize("price", [0, -1, INF, math.nan, True, "5"])
def test_prices_must_cost_something(price: Any) -> None:
    with pytest.raises(DomainError, match="price must be positive"):
        Offer(what="records", site="Hungary", price=price, most=10)


def test_offers_are_checked() -> None:
    site = HOSPITALS.servers[1]
    bad: list[tuple[str, dict[str, Any]]] = [
        ("must be sites, records or epsilon", {"what": "time"}),
        ("needs a kind", {"what": "sites", "site": "Cleveland"}),
        ("needs a kind", {"what": "records", "kind": site}),
        ("largest amount", {"what": "records", "site": "Cleveland", "most": 1.5}),
        ("largest amount", {"what": "epsilon", "site": "Cleveland", "most": 0}),
        ("largest amount", {"what": "sites", "kind": site, "most": INF}),
    ]
    for words, given in bad:
        with pytest.raises(DomainError, match=words):
            Offer(**({"price": 1, "most": 5} | given))
    one = Offer(what="records", site="Cleveland", price=1, most=5)
    two = Offer(what="epsilon", site="Cleveland", price=1, most=5)
    with pytest.raises(DomainError, match="can have one offer"):
        planning.cheapest(HOSPITALS, [one, two], fraction=0.9)
    with pytest.raises(DomainError, match="row must be one of"):
        planning.cheapest(HOSPITALS, [replace(one, site="Nowhere")], fraction=0.9)
    with pytest.raises(DomainError, match="1 to 10,000 offers"):
        planning.cheapest(HOSPITALS, [], fraction=0.9)
    with pytest.raises(DomainError, match="steps"):
        planning.cheapest(HOSPITALS, [one], fraction=0.9, steps=0)
    with pytest.raises(DomainError, match="already met"):
        planning.cheapest(HOSPITALS, [one], fraction=1)
