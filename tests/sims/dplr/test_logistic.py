"""The lasso on statistics: its loss is the records' own, its minimum by optimality; own records."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.numbers.parameters import DomainError
from sims.dplr import solver
from sims.dplr.data import own_study, read_sites, scaled
from sims.dplr.release import Release
from sims.dplr.solver import PENALTIES, Forms, Statistics, loss, statistics, total, transfer
from sims.dplr.study import TRANSFER, World, coefficients, draw, errors, records, replicate
from sims.engine.experiment import Estimate, Request
from sims.engine.runs import run
from tests.depth import examples


def sample(seed: int, n: int, p: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, p)) @ (np.eye(p) + 0.4 * np.eye(p, k=1))
    return x, (x[:, 0] + 0.5 * x[:, -1] + rng.standard_normal(n) > 0).astype(float)


def test_the_loss_is_that_of_the_records():
    x, y = sample(0, 40, 5)
    w = np.random.default_rng(1).standard_normal((3, 5))
    z = x @ w.T
    each = math.log(2) + z / 2 + z**2 / 8 - y[:, None] * z
    assert loss(statistics(x, y), w) == pytest.approx(each.mean(axis=0), rel=1e-12)
    forms = Forms.of([statistics(x, y)])
    (A,), (c,) = forms.quadratic, forms.linear
    form = 0.5 * np.einsum("ki,ij,kj->k", w, A, w) - w @ c + math.log(2)
    assert form == pytest.approx(each.mean(axis=0), rel=1e-12)


@examples(30)
@given(seed=st.integers(0, 10**6), p=st.integers(1, 12), noisy=st.booleans())
def test_the_optimality_condition_holds(seed, p, noisy):
    """Of several problems solved at once; it has one solution only, each problem's own."""
    sets = [statistics(*sample(seed + k, 30 + 3 * p, p)) for k in range(3)]
    if noisy:
        E = 40 * np.random.default_rng(seed).standard_normal((p, p))
        sets = [replace(one, gram=one.gram + E + E.T, noisy=True) for one in sets]
    forms = Forms.of(sets)
    paths = solver.lasso_paths(forms.quadratic, forms.linear, PENALTIES)
    for A, c, path in zip(forms.quadratic, forms.linear, paths, strict=True):
        assert np.linalg.eigvalsh(A)[0] > 0 or not noisy
        for w, lam in zip(path, PENALTIES, strict=True):
            slope = c - A @ w
            assert np.abs(slope).max() <= lam + 1e-6
            assert slope[w != 0] == pytest.approx(lam * np.sign(w[w != 0]), abs=1e-6)


SMALL = World(dimension=12, sparsity=3, sources=4, transferable=2)


@pytest.mark.parametrize(
    ("made", "change", "field"),
    [
        (Release(), {"epsilon": 0.0}, "epsilon"),
        (Release(), {"clip": math.inf}, "clip"),
        (SMALL, {"sparsity": 5}, "sparsity"),
        (SMALL, {"transferable": 5}, "transferable"),
        (SMALL, {"nk": 100_000}, "nk"),
    ],
)
def test_releases_and_designs_that_are_refused(made, change, field):
    with pytest.raises(DomainError) as caught:
        replace(made, **change)
    assert caught.value.field == field


# The design ------------------------------------------------------------------------------------


def test_the_design_by_hand():
    w = coefficients(SMALL, np.random.default_rng(0))
    apart = np.abs(w - SMALL.truth).sum(axis=1)
    assert apart[:2] == pytest.approx(SMALL.deviation)
    step = SMALL.deviation / 12
    for row in w[2:]:
        assert np.sort(np.abs(row) > 0.5).sum() == 6  # s next ones and s random later ones
        assert (np.abs(row[3:6]) > 0.5).all()
        assert np.abs(row[:3]) == pytest.approx(step)
    x, y = records(SMALL, SMALL.truth, 200_000, np.random.default_rng(1))
    assert np.corrcoef(x[:, 2], x[:, 3])[0, 1] == pytest.approx(0.5, abs=0.01)
    assert y.mean() == pytest.approx(0.5, abs=0.01)
    for law, tail in (("normal", 0.0027), ("mixture", 0.9 * 0.0027 + 0.1 * 0.4533)):
        e = errors(law, 200_000, np.random.default_rng(2))
        assert (np.abs(e) > 3).mean() == pytest.approx(tail, abs=0.002)


# Algorithms ------------------------------------------------------------------------------------


def solved(pool: Statistics, penalty: float, offset: np.ndarray | None = None) -> np.ndarray:
    """One lasso on its own."""
    forms = Forms.of([pool])
    A, c = forms.quadratic, forms.linear
    shift = np.zeros(c.shape[1]) if offset is None else offset
    return solver.lasso_paths(A, c - A @ shift, [penalty], tolerance=1e-10)[0, 0]


def by_folds(folds, extra, offset=None) -> float:  # type: ignore[no-untyped-def]
    """The penalty with the smallest loss on the fold that is left out."""
    shift = 0.0 if offset is None else offset
    scores = []
    for penalty in PENALTIES:
        each = []
        for r, left_out in enumerate(folds):
            pool = total([*(f for j, f in enumerate(folds) if j != r), *extra])
            each.append(float(loss(left_out, solved(pool, penalty, offset) + shift)))
        scores.append(np.mean(each))
    return PENALTIES[int(np.argmin(scores))]


def test_the_transfer_is_the_two_printed_steps():
    """Recomputed one problem at a time, with sources that make the second step work."""
    target, sources = draw(SMALL, Release(kind="none"), 0, 0)
    (fit,) = transfer(target, [sources], tolerance=1e-9)
    first = solved(total([*target, *sources]), by_folds(target, sources))
    shift = solved(total(target), by_folds(target, [], first), first)
    assert np.abs(shift).max() > 0.05
    assert fit == pytest.approx(first + shift, abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_detection_finds_the_true_set_without_noise(seed):
    world = World(dimension=20, sparsity=5, sources=10, transferable=5)
    found, W = replicate(world, Release(kind="none"), seed, 0)
    assert found.kept.tolist() == world.like_target.tolist()
    assert W[1] == pytest.approx(W[3], abs=1e-6)
    assert (found.losses <= found.threshold).tolist() == found.kept.tolist()
    assert found.threshold == found.alone + 2 * max(found.spread, 0.01)


def test_all_sources_harm_and_detection_helps():
    values = {"epsilon": [math.inf], "kind": "none"}
    *_, last = run(Request(experiment=TRANSFER, values=values, replicates=16, seed=0))
    naive, oracle, every, kept = last.replicated
    alone, pooled = Estimate.of(naive).interval(), Estimate.of(every).interval()
    assert pooled[1] < alone[0]  # negative transfer, outside both intervals
    for better, worse in ((oracle, naive), (naive, every), (kept, naive)):
        assert Estimate.of(better - worse).interval()[0] > 0  # on the same records
    assert np.abs(oracle - kept).max() < 0.003


# One's own records: what is read, what is refused, and what the study says of them ---------------


FREE = Release(kind="none")


def table(rows: list[tuple[str, float, list[float]]]) -> str:
    p = len(rows[0][2])
    header = ",".join(["source", "y", *(f"x{j}" for j in range(p))])
    lines = [f"{s},{y:g},{','.join(f'{v:.6f}' for v in x)}" for s, y, x in rows]
    return "\n".join([header, *lines])


def made(sizes: dict[str, int], signs: dict[str, float], *, p: int = 6, seed: int = 0) -> str:
    """Records whose labels follow x0 + x1, with a sign per source."""
    rng = np.random.default_rng(seed)
    rows = []
    for name, n in sizes.items():
        x = rng.standard_normal((n, p))
        y = signs[name] * (x[:, 0] + x[:, 1]) + 0.3 * rng.standard_normal(n) > 0
        rows += [(name, float(label), list(values)) for label, values in zip(y, x, strict=True)]
    return table(rows)


TEXT = made({"T": 60, "like": 300, "opposite": 300}, {"T": 1, "like": 1, "opposite": -1})


def test_the_opposite_source_is_dropped():
    study = own_study(read_sites(TEXT), "T", FREE, seed=1)
    assert study.sources == ("like", "opposite")
    assert study.kept == (1.0, 0.0)
    alone, every = study.accuracy[solver.METHODS["naive"]], study.accuracy[solver.METHODS["all"]]
    assert study.accuracy[solver.METHODS["detected"]].mean >= alone.mean
    assert every.mean < study.accuracy[solver.METHODS["detected"]].mean
    assert study.baseline.mean < alone.mean
    assert study.notes == ()
    again = own_study(read_sites(TEXT), "T", FREE, seed=1)
    assert again.accuracy == study.accuracy


def test_a_small_budget_is_said_to_be_all_noise():
    study = own_study(read_sites(TEXT), "T", Release(epsilon=0.01), splits=2)
    assert any("all noise" in note for note in study.notes)


def test_reading_notes_what_is_dropped():
    text = "source;y;a;b;c\nT;1;1;5;2\nT;0;2;5;1\nS;0;3;5;?\nS;0;3;5;2\nS;1;4;5;3\n"
    sites = read_sites(text)
    assert sites.names == ("T", "S")
    assert sites.covariates == ("a", "c")
    assert sites.notes[0] == "1 row with a missing value dropped."
    assert sites.notes[1] == "Dropped, as the same in every record: b."
    ready = scaled(sites)
    pooled = np.concatenate(ready.x)
    assert pooled[:, 1:].mean(axis=0) == pytest.approx(0.0, abs=1e-12)
    assert pooled[:, 1:].std(axis=0) == pytest.approx(1.0)
    assert (pooled[:, 0] == 1).all()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("source,y,a\nT,2,1\nS,0,1", "y must be 0 or 1"),
        ("source,y,a\nT,1,1\nT,0,2", "2 to 40 sources"),
        ("source,y,a\nT,1,1\nT,0,2\nS,1,2\nS,1,4", "both classes"),
        ("source,y,a\nT,1,1\nT,0,1\nS,1,1\nS,0,1", "vary"),
    ],
)
def test_tables_that_are_refused(text, rule):
    with pytest.raises(DomainError, match=rule):
        read_sites(text)


def test_targets_that_are_refused():
    small = made({"T": 12, "S": 40}, {"T": 1, "S": 1})
    with pytest.raises(DomainError, match="at least 10 records"):
        own_study(read_sites(small), "T", FREE)
    with pytest.raises(DomainError, match="target must be one of"):
        own_study(read_sites(small), "U", FREE)
    rng = np.random.default_rng(0)
    rows = [("T", float(k == 0), list(rng.standard_normal(2))) for k in range(60)]
    rows += [("S", float(k % 2), list(rng.standard_normal(2))) for k in range(20)]
    with pytest.raises(DomainError, match="both classes"):
        own_study(read_sites(table(rows)), "T", FREE, splits=20)
