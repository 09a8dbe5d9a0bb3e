"""The ledger of [CCV]: verdicts, counterexamples, sharp bounds, and that a broken engine shows."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from rates.ledger.functions import haar
from rates.statements.checks import find
from rates.statements.checks.base import Draws
from rates.statements.checks.ccv import series, tools
from rates.statements.checks.ccv.bounds import _bayes_risk
from rates.statements.ledger import Statement, statement, statements_of
from rates.statements.symbolic import DERIVATIONS
from rates.study import codec
from rates.study.scenario import FederatedStudy

LEDGER = statements_of("CCV")
TESTED = [item for item in LEDGER if item.check is not None]
STUDIES = [item for item in LEDGER if item.study is not None]
E = range(20, 34)


def ids(item: Statement) -> str:
    return item.id


def test_every_correction_has_a_record():
    assert len(LEDGER) >= 35
    named = {number for item in LEDGER for number in item.errata}
    assert named == {f"E{k}" for k in E}
    assert all(item.untestable or item.check for item in LEDGER)


def test_every_numbered_place_of_the_paper_has_a_record():
    text = " ".join(f"{item.id} {item.printed} {item.title}" for item in LEDGER)
    for name in (
        "Thm2.1",
        "Thm3.2",
        "Thm3.4",
        "Thm4.1",
        "Thm4.4",
        *(f"Cor{k}" for k in (1, 2, 3, 4)),
    ):
        assert f"CCV:{name}:" in text
    for name in ("Lem3.1", "Lem3.3", "Lem4.2", "Lem4.3", "Lem4.5", "Lem4.6"):
        assert f"CCV:{name}:" in text
    placed = {1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 19, 20, 21, 24}
    assert {int(k) for k in re.findall(r"CCV:Eq(\d+):", text)} == placed
    elsewhere = {3: "Eq2", 16: "Lem3.3", 17: "Eq14", 18: "Thm4.1", 22: "Eq14", 23: "Lem4.5"}
    assert placed | set(elsewhere) == set(range(1, 25))
    assert all(f"CCV:{name}:" in text for name in elsewhere.values())


def test_derivations_exist():
    keys = {item.derivation for item in LEDGER} - {None}
    assert keys <= set(DERIVATIONS)
    mine = {key for key in DERIVATIONS if key.startswith("CCV:")}
    assert mine - keys == {"CCV:Eq6:inverse"}  # a formula of the planning page, not of the paper


@pytest.mark.parametrize("item", STUDIES, ids=ids)
def test_studies_are_their_counterexamples(item: Statement):
    study = codec.from_json(str(item.study))
    assert isinstance(study, FederatedStudy)
    at = dict(item.counterexample or {})
    first = study.servers[0]
    for name in ("n", "n1"):
        if name in at and item.id != "CCV:Sec2.1:smaller-p-fixed-n":
            assert first.n == at[name]
    for name in ("epsilon", "epsilon1"):
        if name in at:
            assert first.epsilon == at[name]
    for j, server in enumerate(study.servers, start=1):
        for value, name in ((server.n, "n"), (server.epsilon, "epsilon"), (server.delta, "delta")):
            if f"{name}{j}" in at:
                assert value == at[f"{name}{j}"]
    if "smoothness" in at:
        assert study.smoothness == at["smoothness"]
    if "p_small" in at:
        assert study.integrability == at["p_small"]
    if "total" in at:
        assert first.n * first.count == at["total"]
    if "factor" in at:
        assert first.epsilon == pytest.approx(at["factor"] / math.sqrt(at["n"]), rel=1e-4)


# --- what the checks themselves rest on ---------------------------------------------------------


def test_the_independent_root_by_hand():
    n, epsilon = np.array([[1e6, 0.0], [100.0, 50.0]]), np.array([[np.inf, 1.0], [0.1, 0.2]])
    root = tools.root(n, epsilon, np.array([1.0, 1.0]))
    assert root[0] == pytest.approx(100)  # N^(1/3)
    assert root[1] == pytest.approx((100 + 100) ** 0.25)  # privacy binds both
    assert tools.miss(n, epsilon, np.array([1.0, 1.0]), root * 1.01) == pytest.approx(
        np.log(1.01) * np.array([1.0, 4 / 3])
    )
    alike = {"n": np.array([50.0]), "m": np.array([4.0]), "epsilon": np.array([0.1])}
    four = tools.root(np.full((1, 4), 50.0), np.full((1, 4), 0.1), np.array([2.0]))
    assert tools.alike_root(alike, np.array([2.0])) == pytest.approx(four)


def test_the_haar_basis_is_one():
    for first, last in ((0, 1), (1, 4), (2, 3)):
        rows = np.concatenate(haar.basis(first, last))
        cells = 2 ** (last + 1)
        assert rows.shape == (cells, cells)
        assert rows @ rows.T / cells == pytest.approx(np.eye(cells))
        assert haar.value_change(first, last) == pytest.approx(2 * cells)
        assert haar.vector_change(first, last) == pytest.approx(2 * math.sqrt(cells))


def test_the_bayes_risk_by_hand():
    variance = 1 / 3 - 2 / math.pi**2
    none, little, much = _bayes_risk(np.array([0.0, 1e-3, 30.0]))
    assert none == pytest.approx(variance, rel=1e-12)
    assert variance - little == pytest.approx(1e-3 * variance**2, rel=2e-3)  # first order
    generator = np.random.default_rng(5)
    t = np.array([])
    while t.size < 40_000:  # the prior by rejection
        x, y = generator.uniform(-1, 1, 40_000), generator.uniform(size=40_000)
        t = np.append(t, x[y < np.cos(np.pi * x / 2) ** 2])
    seen = math.sqrt(30) * t + generator.normal(size=t.size)
    nodes, mass = np.polynomial.legendre.leggauss(60)
    prior = np.cos(np.pi * nodes / 2) ** 2 * mass
    weight = np.exp(-((seen[:, None] - math.sqrt(30) * nodes) ** 2) / 2) * prior
    loss = (t - weight @ nodes / weight.sum(axis=1)) ** 2
    assert abs(loss.mean() - much) < 4 * loss.std() / math.sqrt(t.size)


def test_clipping_by_hand():
    """The mean of a clipped normal variable, by quadrature."""
    y = np.linspace(-12, 12, 200_001)
    density = np.exp(-y * y / 2) / math.sqrt(2 * math.pi)
    for f, tau in ((0.3, 1.2), (-0.5, 2.0)):
        mean = (np.clip(f + y, -tau, tau) * density).sum() * (y[1] - y[0])
        excess = series._excess(np.array([tau + f, tau - f]))
        assert mean - f == pytest.approx(excess[0] - excess[1], abs=1e-8)


def test_printed_noise_fails_from_the_stated_budgets():
    for delta, limit in ((1e-3, 28.399), (1e-5, 39.871), (1e-8, 56.709)):
        epsilon = np.array([limit - 0.01, limit + 0.01])
        noise = np.sqrt(4 * np.log(2 / delta)) / epsilon
        below, above = series._log_profile(noise, epsilon) - math.log(delta)
        assert below < 0 < above


def test_the_power_two_is_too_small_for_the_integrated_risk():
    """Even the largest delta below N^-2 may miss the condition of Theorem 2.1."""
    at = dict(statement("CCV:Sec2.2:delta-integrated").counterexample or {})
    N = at["n1"] + at["n2"]
    assert max(at["delta1"], at["delta2"]) < N**-2
    n, epsilon = np.array([[at["n1"], at["n2"]]]), np.array([[at["epsilon1"], at["epsilon2"]]])
    assert epsilon.min() > 1 / N
    D = tools.root(n, epsilon, np.array([at["smoothness"]]))
    base = np.sqrt(n) * epsilon**2 / D[:, None]
    assert base[0, 1] < at["delta2"] / 10


def test_draws_lie_inside_the_hypotheses():
    generator = np.random.default_rng(3)
    for item in TESTED:
        draws: Draws = find(str(item.check)).draw(generator, 200)
        alpha = draws.get("smoothness")
        if alpha is not None:
            p = draws.get("integrability", draws.get("p_small", np.inf))
            assert np.all(alpha - 1 / np.asarray(p) > 0.5), item.id
        for name, values in draws.items():
            assert values.shape == (200,)
            assert np.all(values >= 0) or name in ("value", "x", "y", "coefficient"), item.id
    eight = find("ccv_unequal.third").draw(generator, 500)
    n, epsilon = tools.column(eight, "n"), tools.column(eight, "epsilon")
    D = tools.root(n, epsilon, eight["smoothness"])
    assert np.all(n * epsilon**2 <= D[:, None] * (1 + 1e-9))
