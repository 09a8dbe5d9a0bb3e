"""The made-up world beside a study: its own smoothness and margin, whatever those of the study."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pages.study import world
from rates.fit import Curator
from rates.study import TransferStudy, preset
from sims.fit import classifier_rivals, worlds_for


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize(("smoothness", "margin"), [(0.5, 1.0), (0.6, 0.5), (0.7, 1.4), (1.0, 0.2)])
def test_the_world_s_risks_are_those_of_the_study_as_it_is(smoothness, margin, dimension):
    study = preset("hospitals").study
    assert isinstance(study, TransferStudy)
    study = replace(study, smoothness=smoothness, margin=margin, dimension=dimension)
    cusps = worlds_for(study).values()
    nearest = min(cusps, key=lambda cusp: abs(cusp.smoothness - smoothness))
    direct = classifier_rivals.exact_classifier_risks(
        study, nearest, Curator(epsilon=1.0, delta=1e-6), best_site="", kinds=("study",)
    )
    found = world.risks(study, "classification")
    assert found is not None
    assert found.world == direct.world
    assert found.values["study"] == direct.values["study"]


def test_a_smoothness_that_leaves_the_world_as_it_is_computes_nothing_again(monkeypatch):
    study, asked = preset("hospitals").study, []

    def counted(study, *rest, **more):
        asked.append(study)
        return classifier_rivals.exact_classifier_risks(study, *rest, **more)

    monkeypatch.setattr(world, "exact_classifier_risks", counted)
    world._exact.cache_clear()
    found = [
        world.risks(replace(study, smoothness=b), "classification") for b in (0.8, 0.78, 0.82, 0.95)
    ]
    assert [one.values for one in found[:3]] == [found[0].values] * 3
    assert found[3].values != found[0].values
    assert len(asked) == 2
