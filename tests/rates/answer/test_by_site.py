"""What survives of each site, against both answers solved one by one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rates.answer import Lens, mean_noise, privacy_cost, survival
from rates.numbers import delta_of
from rates.study import PRESETS, FederatedStudy, Server, preset
from tests.rates.answer.test_compare import scaled

FACTORS = (0.01, 0.3, 1.0, 20.0)


@pytest.mark.parametrize("one", PRESETS, ids=lambda one: one.key)
def test_every_part_is_that_of_the_answers(one):
    risks = [cost.risk for cost in privacy_cost(one.study)]
    for place, risk in enumerate(risks):
        found = survival(one.study, FACTORS, Lens(risk=risk))
        for k, factor in enumerate(FACTORS):
            cost = privacy_cost(scaled(one.study, factor))[place]
            middle = cost.mechanism[len(cost.mechanism) // 2]
            for kept, back in ((found.equation, cost.equation), (found.mechanism, middle)):
                pairs = zip(back.answer.shares, back.free.shares, strict=True)
                wanted = [min(1.0, back.kept * own / free) for own, free in pairs]
                np.testing.assert_allclose(kept.part[k], [*wanted, back.kept], rtol=1e-9)
                private = [limit == "privacy" for limit in back.answer.limited_by]
                assert kept.private[k, :-1].tolist() == private


def test_many_rows_stand_together_and_the_target_alone():
    servers = [Server(name=f"s{k}", n=10 + k, epsilon=1, delta=1e-6) for k in range(30)]
    study = FederatedStudy(servers=servers, smoothness=1)
    few, every = survival(study, FACTORS), survival(study, FACTORS, most=30)
    assert few.groups[:-1] == ((0,), *((k,) for k in range(20, 30)))
    assert few.groups[-1] == tuple(range(1, 20))
    np.testing.assert_allclose(few.equation.part[:, -1], every.equation.part[:, -1])
    rest = every.equation.part[:, 1:20]
    assert np.all(few.equation.part[:, -2] >= rest.min(axis=1))
    assert np.all(few.equation.part[:, -2] <= rest.max(axis=1))


def test_the_noise_of_a_mean_keeps_the_promise():
    study = preset("unequal").study
    epsilon = np.array([[s.epsilon for s in study.servers]])
    noise = mean_noise(study, epsilon)[0]
    for site, sd in zip(study.servers, noise, strict=True):
        assert float(delta_of(sd * site.n, site.epsilon)) == pytest.approx(site.delta, rel=1e-6)


def test_sites_without_noise_or_without_delta():
    servers = [
        Server(name="open", n=10, epsilon=math.inf),
        Server(name="mute", n=10, epsilon=0),
        Server(name="empty", n=0, epsilon=1, delta=0.1),
        Server(name="unsaid", n=10, epsilon=1),
    ]
    study = FederatedStudy(servers=servers, smoothness=1)
    found = survival(study, FACTORS)
    assert found.mechanism is None
    assert found.noise[0, :3].tolist() == [0.0, math.inf, math.inf]
    assert math.isnan(found.noise[0, 3])
    assert found.equation.part[0, 1:3].tolist() == [0.0, 0.0]
