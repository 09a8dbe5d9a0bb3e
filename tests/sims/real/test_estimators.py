"""Both estimators: by hand, by their exact risk, beside the simulation's own, and in private."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sims.engine import account, generator, generators
from sims.real import classifier, curve
from sims.real.trial import Plan, Trial, held_out
from tests.sims.gates import Gate
from tests.sims.real.made_up import sites_from, small

SITES = small()
LABELS = small((400, 300, 200, 150, 100), kind="classification")
BOTH = pytest.mark.parametrize(("module", "sites"), [(curve, SITES), (classifier, LABELS)])


def trial(sites=SITES, **other):
    return Trial(**{"sites": sites, "m": sites.m, "epsilon": 2.0, "delta": 1e-5, **other})


def test_the_expected_error_by_hand():
    """Two sites, four records each in eight cells of one record: everything can be written down."""
    x = np.arange(64.0)
    site = np.arange(64) % 2
    y = np.where(x < 32, -0.5, 0.5) + np.where(site == 0, 0.25, -0.25)
    sites = sites_from(site, x, y)
    made = curve.plan(trial(sites, epsilon=math.inf), dimension=2)
    # Truth: -.5 and .5 in halves; a site is off by .25 everywhere, both together are right.
    assert made.parts.sites == pytest.approx(0.0, abs=1e-12)
    truth = curve.truth_of(sites)
    assert truth.mean == pytest.approx(np.repeat([-0.5, 0.5], 4))
    # Variance of one record's two coefficients: 2 E y^2 - |theta_j|^2, site by site.
    first = 2 * (0.5 * 0.25**2 + 0.5 * 0.75**2) - 2 * (0.5 * 0.25) ** 2 - 2 * (0.5 * 0.75) ** 2
    assert made.parts.sample == pytest.approx(2 * 0.25 * first / 32)
    # One step misses the half squared; of that is chance .0625 / 8 in seven of eight cells' worth.
    coarse = curve.plan(trial(sites, epsilon=math.inf), dimension=1)
    assert coarse.parts.bias == pytest.approx(0.25 - 0.0625 / 8 * (1 - 1 / 8))
    assert made.parts.bias == 0.0  # two steps miss nothing: less than chance is none
    alone = curve.plan(trial(sites, m=1, epsilon=math.inf), dimension=2)
    assert alone.parts.sites == pytest.approx(0.0625)


@pytest.mark.parametrize("epsilon", [1.0, math.inf])
def test_the_mean_loss_is_the_exact_risk(epsilon):
    made = curve.plan(trial(small(apart=0.2), epsilon=epsilon))
    losses = curve.losses(made, generators(3, "exact", indices=range(1500)))
    assert abs(losses.mean() - made.exact) < 4.0 * losses.std() / math.sqrt(1500)


def test_the_excess_risk_by_counting_records():
    made = classifier.plan(trial(LABELS, epsilon=4.0))
    drawn = classifier.statistic(made, generator(0, "count"))
    out, label = held_out(LABELS), (drawn >= 0).astype(float)
    reference = classifier.truth_of(LABELS).positive
    coarse = (LABELS.place[out] * LABELS.cells).astype(int)
    wide = np.repeat(np.arange(LABELS.cells), classifier.MESH // LABELS.cells)
    total = 0.0
    for q in range(LABELS.cells):  # labels are spread evenly over a cell, whatever its records
        ones, held = LABELS.y[out][coarse == q].sum(), np.count_nonzero(coarse == q)
        share = label[wide == q].mean()
        best = held - ones if reference[wide == q][0] else ones
        total += share * (held - ones) + (1 - share) * ones - best
    (loss,) = classifier.losses(made, [generator(0, "count")])
    assert loss == pytest.approx(total / np.count_nonzero(out))


# Privacy ----------------------------------------------------------------------------------------


@BOTH
def test_a_replicate_spends_what_it_promises(module, sites):
    made = module.plan(trial(sites, epsilon=0.7, delta=1e-6))
    with account() as book:
        module.losses(made, [generator(0, "book")])
    assert len(book.releases) == len(book.by_record()) == sites.m
    assert book.delta(0.7) == pytest.approx(1e-6, rel=1e-3)
    assert book.delta(0.6) > 1.2e-6


@BOTH
def test_no_replaced_record_moves_more_than_is_declared(module, sites, monkeypatch):
    """A record of the first site is replaced before the gate; nothing else may differ."""
    made = module.plan(trial(sites, epsilon=1.0))
    listening, plain = Gate().stand_in(monkeypatch, module), Plan.draw
    module.losses(made, [generator(9, "moved")])
    lengths = []
    for k in range(40):

        def draw(self, rng, k=k):
            chosen, records = plain(self, rng)
            records = records.copy()
            records[0] = k * 5 % np.count_nonzero(sites.site == 0)  # another one of the site
            return chosen, records

        monkeypatch.setattr(Plan, "draw", draw)
        module.losses(made, [generator(9, "moved")])
        moved = listening.heard[-1].value - listening.heard[0].value
        # Of the norm of the kernel's space, from below.
        lengths.append(np.abs(moved).max() if module is classifier else np.linalg.norm(moved))
    said = listening.heard[0].said
    declared = said["weights"][0] * said["sensitivity"][0]
    assert 0.2 < max(lengths) / declared <= 1.0 + 1e-9


def test_what_is_declared_by_hand(monkeypatch):
    """(8) with c_K = 1 for labels; for K steps an outcome that goes from -1 to 1."""
    made = classifier.plan(trial(LABELS, epsilon=1.0))
    listening = Gate().stand_in(monkeypatch, curve, classifier)
    classifier.losses(made, [generator(0, "declared")])
    drawn = np.array([300, 225, 150, 113, 75])  # three in four of each site's records
    assert listening.heard[-1].said["sensitivity"] == pytest.approx(1 / (drawn * made.resolution))
    curve.losses(curve.plan(trial(epsilon=1.0), dimension=4), [generator(0, "declared")])
    assert listening.heard[-1].said["sensitivity"] == pytest.approx(4.0 / SITES.sizes)


def test_the_path_of_labels_is_joint():
    """Noise at neighbouring points is nearly the same: independent noise could be averaged away."""
    made = classifier.plan(trial(LABELS, epsilon=0.05))
    paths = [classifier.statistic(made, generator(k, "path")) for k in range(200)]
    noise = np.stack(paths) - np.mean(paths, axis=0)
    q = round(made.resolution * classifier.MESH)
    lag = max(q // 4, 1)
    near = np.mean(noise[:, :-lag] * noise[:, lag:]) / np.mean(noise**2)
    assert near == pytest.approx(1.0 - lag / q, abs=0.08)
