"""One's own records: what is read, what is refused, and what the study says of them."""

from __future__ import annotations

import numpy as np
import pytest

from rates.numbers.parameters import DomainError
from sims.dplr.data import own_study, read_sites, scaled
from sims.dplr.release import Release
from sims.dplr.solver import METHODS

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
    alone, every = study.accuracy[METHODS["naive"]], study.accuracy[METHODS["all"]]
    assert study.accuracy[METHODS["detected"]].mean >= alone.mean
    assert every.mean < study.accuracy[METHODS["detected"]].mean
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
