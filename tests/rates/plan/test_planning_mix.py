"""The cheapest mix: every combination tried, the linear case by linear programming, refusals."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from rates import plan as planning
from rates.answer import Lens
from rates.numbers import DomainError
from rates.plan import Offer
from rates.plan.base import basis
from rates.study import Study, TransferStudy, preset
from tests.depth import deep_after
from tests.rates.made import INF, site, transfer
from tests.rates.plan.plan_cases import WAYS, random_site, random_study

HOSPITALS = preset("hospitals").study


def random_offers(rng: np.random.Generator, study: Study) -> list[Offer]:
    """A few offers of every kind, with steps that a brute force can go through."""
    out, classifier = [], isinstance(study, TransferStudy)
    for k in range(int(rng.integers(1, 3))):
        kind = random_site(rng, f"k{k}", transfer=classifier)
        price, most = float(rng.uniform(1, 20)), int(rng.integers(1, 4))
        out.append(Offer(what="sites", kind=kind, price=price, most=most))
    for s in study.servers[:2]:
        if s.private and rng.uniform() < 0.5:
            price, most = float(rng.uniform(1, 20)), float(rng.uniform(0.1, 4))
            out.append(Offer(what="epsilon", site=s.name, price=price, most=most))
        elif s.private:
            price, most = float(rng.uniform(0.001, 0.02)), int(rng.integers(500, 5_000))
            out.append(Offer(what="records", site=s.name, price=price, most=most))
    return out


def bought(study: Study, offers: list[Offer], amounts: Sequence[float]) -> tuple[float, Study]:
    """A mix with its cost, as a study."""
    names = [s.name for s in study.servers]
    servers, further, cost = list(study.servers), [], 0.0
    for offer, amount in zip(offers, amounts, strict=True):
        if offer.kind is not None:
            if amount:
                further.append(replace(offer.kind, count=int(amount)))
            cost += offer.price * amount
            continue
        j = names.index(offer.site)
        more = {"n": int(amount)} if offer.what == "records" else {"epsilon": amount}
        ((field, much),) = more.items()
        servers[j] = replace(servers[j], **{field: getattr(servers[j], field) + much})
        cost += offer.price * amount * servers[j].count
    return cost, study.with_servers([*servers, *further])


def combinations(
    study: Study, offers: list[Offer], steps: int, ends: Sequence[float] | None = None
) -> list[tuple[float, Study]]:
    """Every mix of sites and steps with its cost, as a study; steps go to the ends."""
    choices = []
    for offer, end in zip(offers, ends or [o.most for o in offers], strict=True):
        grid = np.linspace(0, end, steps + 1)
        if offer.what == "sites":
            grid = np.arange(offer.most + 1)
        choices.append((grid if offer.what == "epsilon" else np.round(grid)).tolist())
    out = [bought(study, offers, amounts) for amounts in itertools.product(*choices)]
    return sorted(out, key=lambda pair: pair[0])


def reaching(study: Study, fraction: float, lens: Lens) -> Callable[[Study], bool]:
    """Whether a design has that fraction of the rate of a study today."""
    now = basis(study, lens)
    return lambda design: float(now.fraction(basis(design, lens).u)) <= fraction * (1 + 1e-12)


def least_amount(
    study: Study, offers: list[Offer], amounts: list[float], k: int, enough: Callable[[Study], bool]
) -> float:
    """The least amount of one offer, all others given, by halving; its most if that fails."""

    def reaches(amount: float) -> bool:
        return enough(bought(study, offers, [*amounts[:k], amount, *amounts[k + 1 :]])[1])

    low, high = 0.0, offers[k].most
    if reaches(low) or not reaches(high):
        return low if reaches(low) else high
    while high - low > (1 if offers[k].what != "epsilon" else 1e-12 * high):
        middle = 0.5 * (low + high)
        middle = middle if offers[k].what == "epsilon" else math.floor(middle)
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


@pytest.mark.parametrize("mechanism", deep_after(1, [None, "analytic"]))
def test_the_mix_is_brute_force_on_random_lists(mechanism: Any) -> None:
    rng, lens = np.random.default_rng(89 if mechanism else 144), Lens(mechanism=mechanism)
    reached = missed = several = 0
    for _ in range(70):
        study = random_study(rng, sites=3, most=3)
        offers = random_offers(rng, study)
        now = basis(study, lens)
        everything = combinations(study, offers, 1)[-1][1]
        lowest = float(now.fraction(basis(everything, lens).u))
        fraction = float(np.exp(rng.uniform(1.3 * math.log(lowest), 0.1 * math.log(lowest))))
        if fraction > 1 - 1e-9:
            continue
        enough = reaching(study, fraction, lens)
        nothing = [0.0] * len(offers)
        ends = [least_amount(study, offers, nothing, k, enough) for k in range(len(offers))]
        designs = combinations(study, offers, 3, ends)
        best = next((cost for cost, design in designs if enough(design)), None)
        try:
            mix = planning.cheapest(study, offers, fraction=fraction, steps=3, lens=lens)
        except planning.Unreachable as error:
            missed += 1
            assert best is None
            lowest_rate = min(1.0, math.exp(now.power * now.u) * lowest)
            assert error.best == pytest.approx(lowest_rate)  # noqa: PT017
            continue
        assert best is not None
        reached += 1
        several += len(mix.purchases) > 1
        # The steps' best, or less where the last of it is lowered to the exact remainder.
        rows = [k for k, o in enumerate(offers) if o.kind is None]
        got = {p.site: p.amount for p in mix.purchases}
        amounts = [got.get(o.kind.name if o.kind else o.site, 0.0) for o in offers]
        assert mix.cost <= best * (1 + 1e-9), (study, offers, fraction)
        assert mix.cost == pytest.approx(bought(study, offers, amounts)[0])
        if not any(amounts[k] for k in rows):
            assert mix.cost == pytest.approx(best, rel=1e-9), (study, offers, fraction)
        for k in rows:
            if amounts[k]:
                lowest = least_amount(study, offers, amounts, k, enough)
                assert amounts[k] == pytest.approx(lowest, rel=1e-7), (study, offers, fraction)
        assert mix.bound == pytest.approx(min(best, mix.cost), rel=1e-6)
        assert mix.covered >= 1 - 1e-9
        assert mix.proof == ("steps" if rows else "all")
        assert math.fsum(p.part for p in mix.purchases) == pytest.approx(mix.covered)
    assert min(reached, missed, several) > 3, (reached, missed, several)
    assert reached > 40


@pytest.mark.parametrize("mechanism", WAYS)
def test_a_lone_offer_costs_its_exact_need_whatever_there_is_of_it(mechanism: Any) -> None:
    lens = Lens(mechanism=mechanism)
    need = planning.needed(HOSPITALS, "n", "Cleveland", fraction=0.5, lens=lens)
    assert need.whole is not None
    further = need.whole - next(s.n for s in HOSPITALS.servers if s.name == "Cleveland")
    for most in (further, further + 88, 9_000, 10**6):
        offer = Offer(what="records", site="Cleveland", price=1, most=most)
        mix = planning.cheapest(HOSPITALS, [offer], fraction=0.5, lens=lens)
        assert (mix.cost, mix.proof) == (further, "all")
        assert mix.bound == pytest.approx(further)
    with pytest.raises(planning.Unreachable, match=r"about 0\.5\d+ of today's, not 0\.5\."):
        planning.cheapest(HOSPITALS, [replace(offer, most=further - 90)], fraction=0.5, lens=lens)


def test_a_missing_delta_is_said_of_the_offer() -> None:
    offer = Offer(what="sites", kind=site("Clinic", 150, 4, None), price=1, most=5)
    with pytest.raises(DomainError, match="Offer of sites at Clinic, field delta"):
        planning.cheapest(HOSPITALS, [offer], fraction=0.9, lens=Lens(mechanism="analytic"))


def test_what_carries_nothing_is_not_bought() -> None:
    empty, good = site("Empty", 0), site("Good", 500, 8, signal_exponent=0.8)
    offers = [
        Offer(what="sites", kind=x, price=p, most=100) for x, p in ((empty, 0.001), (good, 50))
    ]
    mix = planning.cheapest(HOSPITALS, offers, fraction=0.8)
    assert [p.site for p in mix.purchases] == ["Good"]
    # By the equation a larger budget adds nothing here, by the mechanism it is enough.
    budgets = [Offer(what="epsilon", site=s.name, price=5, most=9) for s in HOSPITALS.servers]
    with pytest.raises(planning.Unreachable, match="Nothing changes"):
        planning.cheapest(HOSPITALS, budgets, fraction=0.8)
    mix = planning.cheapest(HOSPITALS, budgets, fraction=0.8, lens=Lens(mechanism="analytic"))
    assert mix.purchases


def test_of_records_and_a_budget_at_one_row_one_is_bought() -> None:
    lens = Lens(mechanism="analytic")
    records = Offer(what="records", site="Cleveland", price=2.0, most=3000)
    budget = Offer(what="epsilon", site="Cleveland", price=100.0, most=9)
    for price, bought in ((0.01, "records"), (1e4, "epsilon")):
        pair = [replace(records, price=price), budget]
        alone = [planning.cheapest(HOSPITALS, [x], fraction=0.8, lens=lens).cost for x in pair]
        mix = planning.cheapest(HOSPITALS, pair, fraction=0.8, lens=lens)
        assert [p.what for p in mix.purchases] == [bought]
        assert mix.cost == pytest.approx(min(alone))


@pytest.mark.parametrize("mechanism", WAYS)
def test_records_at_open_sites_come_in_the_order_of_their_price(mechanism: Any) -> None:
    rng, lens = np.random.default_rng(233), Lens(mechanism=mechanism)
    sites = [
        replace(random_site(rng, f"s{i}", transfer=True, most=3, first=i == 0), epsilon=INF)
        for i in range(4)
    ]
    study = transfer(*sites)
    price, own = rng.uniform(1, 9, 4), basis(study, lens)
    u = own.wanted(0.9)
    gains = np.exp(own.terms.log_sample + own.terms.slope * u)
    for most in (100, 5000, 10**9):
        offers = [
            Offer(what="records", site=s.name, price=float(x), most=most)
            for s, x in zip(sites, price, strict=True)
        ]
        costs = price * [s.count for s in sites]
        limits = {"A_ub": -gains[None], "b_ub": [-own.missing(u)], "bounds": (0, most)}
        by_hand = linprog(costs, **limits)
        if by_hand.status == 2:
            with pytest.raises(planning.Unreachable):
                planning.cheapest(study, offers, fraction=0.9, lens=lens)
            continue
        mix = planning.cheapest(study, offers, fraction=0.9, lens=lens)
        assert mix.proof == "all"
        assert mix.cost == pytest.approx(by_hand.fun, rel=1e-7)


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("must be sites, records or epsilon", {"what": "time"}),
        ("needs a kind", {"what": "sites", "site": "Cleveland"}),
        ("needs a kind", {"what": "records", "kind": HOSPITALS.servers[1]}),
        ("largest amount", {"what": "records", "most": 1.5}),
        ("largest amount", {"what": "epsilon", "most": 0}),
        *(("price must be positive", {"price": x}) for x in (0, -1, INF, math.nan, True, "5")),
    ],
)
def test_an_offer_is_checked(words: str, given: dict[str, Any]) -> None:
    usual = {"what": "records", "price": 1, "most": 5}
    usual |= {} if "kind" in given else {"site": "Cleveland"}
    with pytest.raises(DomainError, match=words):
        Offer(**(usual | given))


def test_lists_of_offers_are_checked() -> None:
    one = Offer(what="records", site="Cleveland", price=1, most=5)
    for words, offers, fraction in (
        ("one offer of records, and one of epsilon", [one, one], 0.9),
        (r"one row of the study: .*Long Beach", [replace(one, site="Nowhere")], 0.9),
        ("1 to 10,000 offers", [], 0.9),
        ("already met", [one], 1),
    ):
        with pytest.raises(DomainError, match=words):
            planning.cheapest(HOSPITALS, offers, fraction=fraction)
