"""Extreme studies: answers, or sentences that say why there is none."""

from __future__ import annotations

import numpy as np
import pytest

from rates import plan as planning
from rates.answer import Lens
from rates.numbers import DomainError
from rates.study import FederatedStudy
from tests.rates.made import site, transfer
from tests.rates.plan.plan_cases import extreme_site, extreme_study


@pytest.mark.deep
def test_extreme_studies_give_answers_or_sentences() -> None:
    rng = np.random.default_rng(99)
    answered = 0
    for k in range(20):
        study = extreme_study(rng)
        kind = extreme_site(rng, "kind", alike=isinstance(study, FederatedStudy))
        fraction = [1e-200, 1e-9, 0.5, 0.999, 1 - 1e-12][k % 5]
        offers = [planning.Offer(what="sites", kind=kind, price=1, most=10**9)]
        offers += [
            planning.Offer(
                what=("epsilon", "records")[i % 2], site=s.name, price=10.0**i, most=1000
            )
            for i, s in enumerate(study.servers)
            if s.epsilon > 1e-200
        ]
        questions = [
            lambda: planning.levers(study, fraction, kind=kind),  # noqa: B023
            lambda: planning.levers(study, fraction, lens=Lens(mechanism="printed")),  # noqa: B023
            lambda: planning.best_next(study, [kind]),  # noqa: B023
            lambda: planning.lever_curve(study, "n", "all", [0, 1, 1e9]),  # noqa: B023
            lambda: planning.cheapest(study, offers, fraction=fraction),  # noqa: B023
        ]
        for question in questions:
            try:
                question()
                answered += 1
            except (DomainError, planning.Unreachable) as error:
                assert 20 < len(str(error)) < 600  # noqa: PT017
    assert answered > 35


def test_what_binds_is_that_of_the_row_once_it_has_enough() -> None:
    """At Strict privacy binds, at Large the sample; Empty has a budget alone."""
    rows = site("Strict", 1000, 0.01), site("Large", 2000, 5), site("Empty", 0)
    study = transfer(*rows, beta=1, d=1, alpha=0)
    said = ("By the rate equation .*sampling binds Large", "By the mechanism even without privacy")
    for lens, words in zip((Lens(), Lens().named), said, strict=True):
        with pytest.raises(planning.Unreachable, match=words):
            planning.needed(study, "epsilon", "Large", fraction=0.5, lens=lens)


@pytest.mark.parametrize("fraction", [1 - 1e-12, 1 - 1e-9])
def test_more_of_next_to_no_budget_is_a_mix(fraction):
    study = transfer(site("target", 7, 1e-300, 0.4), beta=1, d=10**6)
    offer = planning.Offer(what="epsilon", site="target", price=1, most=1)
    assert planning.cheapest(study, [offer], fraction=fraction).cost <= 1.0
