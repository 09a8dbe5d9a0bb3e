"""Speed of the envelopes, as ratios to single answers within one run."""

from __future__ import annotations

import numpy as np
import pytest

from rates.answer.causes import error_causes
from rates.answer.cost import privacy_cost
from rates.fit.extremes import KAPPAS, envelope
from rates.fit.problem import Problem
from rates.fit.ranges import box
from rates.study.scenario import Server, TransferStudy
from rates.study.scope import Scope
from tests.benchmarks.test_engine_speed import seconds
from tests.golden.make_envelopes import draw

pytestmark = pytest.mark.benchmark
DRAWS = 2000


def random_sites(sites: int) -> TransferStudy:
    rng = np.random.default_rng(1)
    servers = [
        Server(
            name=f"S{k}",
            n=int(10 ** rng.uniform(1.5, 5)),
            epsilon=float(10 ** rng.uniform(-1.5, 1)),
            delta=1e-6,
        )
        for k in range(sites)
    ]
    return TransferStudy(
        target=servers[0], sources=tuple(servers[1:]), smoothness=0.5, dimension=2, margin=1
    )


def test_two_thousand_draws_and_a_whole_envelope_against_one_answer():
    # One answer by equation and mechanism takes 2 to 4 ms on one core, an envelope about 100.
    study = random_sites(20)
    asked = study, "classification", box(study, Scope())
    by_equation, by_mechanism = (
        Problem(*asked),
        Problem(*asked, mechanism="analytic", kappas=KAPPAS),
    )
    x = draw(by_equation, DRAWS, np.random.default_rng(0))
    index = np.arange(DRAWS) % len(KAPPAS)
    one, drawn, whole = seconds(
        lambda: privacy_cost(study),
        lambda: (
            by_equation.roots(x, np.zeros(DRAWS, dtype=int)),
            by_mechanism.roots(x, index),
        ),
        lambda: envelope(study, Scope(), "classification"),
        repeats=5,
    )
    print(f"one answer {one:.4f} s, {DRAWS} draws {drawn:.4f} s, envelope {whole:.4f} s")
    assert drawn < 20 * one
    assert whole < 60 * one


def test_an_envelope_of_seven_and_of_a_thousand_rows_against_one_answer():
    # Measured on one core: about 40 ms and 0.9 s; 80 ms and 20 s when every row moved by itself.
    few, many = random_sites(7), random_sites(1000)
    one, small, large = seconds(
        lambda: privacy_cost(few),
        lambda: envelope(few, Scope(), "classification"),
        lambda: envelope(many, Scope(), "classification"),
        repeats=3,
    )
    print(f"one answer {one:.4f} s, envelope of 7 rows {small:.4f} s, of 1,000 {large:.3f} s")
    assert small < 40 * one
    assert large < 60 * small
    assert large < 2.0


def test_the_causes_of_an_error_against_one_answer():
    # All 16 sets of causes in one solve: about as long as one answer.
    study = random_sites(200)
    one, shared = seconds(lambda: privacy_cost(study), lambda: error_causes(study))
    print(f"one answer {one:.4f} s, causes {shared:.4f} s")
    assert shared < 2 * one
