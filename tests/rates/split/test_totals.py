"""Totals split over sites: against a scan, against SLSQP, and what holds for every study."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.answer import Lens
from rates.numbers import DomainError
from rates.split import split
from rates.split.search import Search
from rates.study import Study, TransferStudy, preset
from tests.depth import examples
from tests.rates.made import INF, changed, everywhere, site, transfer
from tests.rates.plan.plan_cases import effective_n, fraction_with, random_study

HOSPITALS = preset("hospitals").study
FIELDS = {"records": "n", "epsilon": "epsilon"}
KINDS = [("records", None), ("records", "analytic"), ("epsilon", None), ("epsilon", "analytic")]
SEEDS = st.integers(0, 2**32 - 1)


def amounts_of(study: Study, what: str) -> np.ndarray:
    return np.array([float(getattr(s, FIELDS[what])) for s in study.servers])


def log_worth(study: Study, what: str, x: Any, lens: Lens) -> float:
    """Log of the effective sample over today's, by bisection on the formulas as printed."""
    changes = {(j, FIELDS[what]): float(value) for j, value in enumerate(x)}
    d = study.dimension if isinstance(study, TransferStudy) else 1
    power = (2 * study.smoothness + d) / (2 * study.smoothness)
    return -power * math.log(fraction_with(study, changes, mechanism=lens.mechanism))


@pytest.mark.parametrize(("what", "mechanism"), KINDS)
def test_no_scan_of_two_sites_beats_the_bound(what: Any, mechanism: Any) -> None:
    rng, lens, seen = np.random.default_rng(1), Lens(mechanism=mechanism), 0
    while seen < 3:
        study = random_study(rng, sites=2, most=3)
        if len(study.servers) < 2 or not all(s.private for s in study.servers):
            continue
        seen += 1
        counts = np.array([s.count for s in study.servers])
        total = float(rng.uniform(0.5, 3)) * float(amounts_of(study, what) @ counts)
        total = total if what == "epsilon" else max(10.0, math.floor(total))
        found = split(study, what, total, lens=lens)
        assert found.gap < 2e-3
        scan = np.linspace(0 if what == "epsilon" else 1, total / counts[0], 60, endpoint=False)
        best = max(
            log_worth(study, what, (x, (total - counts[0] * x) / counts[1]), lens) for x in scan
        )
        own = math.log(found.effective_n / found.now)
        assert own == pytest.approx(log_worth(study, what, found.amounts, lens), abs=1e-8)
        assert best <= own + math.log1p(found.gap) + 1e-9
        assert own <= best + 0.05  # and the scan comes close to it


@examples(60)
@given(seed=SEEDS, kind=st.sampled_from(KINDS))
def test_laws_of_a_split(seed: int, kind: tuple[Any, Any]) -> None:
    rng, (what, mechanism) = np.random.default_rng(seed), kind
    study, lens = random_study(rng, sites=5, most=3), Lens(mechanism=mechanism)
    part = [s for s in study.servers if what == "records" or s.private]
    if not part:
        with pytest.raises(DomainError, match="No site has a budget"):
            split(study, what, 1.0, lens=lens)
        return
    now = np.where(np.isfinite(amounts_of(study, what)), amounts_of(study, what), 0.0)
    least = float(rng.uniform(0, 1))
    low = np.floor(now * least) if what == "records" else now * least
    spent = float(sum(x * s.count for x, s in zip(now, study.servers, strict=True) if s in part))
    smaller = None
    for total in sorted(spent * rng.uniform(1, 4, size=2)):
        found = split(study, what, total, least=least, lens=lens)
        assert found.gap >= 0
        assert found.effective_n >= found.even * (1 - 1e-9)
        assert found.spent <= total * (1 + 1e-9)
        ends = [x for x, s in zip(low, study.servers, strict=True) if s in part]
        assert all(x >= y * (1 - 1e-9) for x, y in zip(found.amounts, ends, strict=True))
        given = zip(
            found.names, map(int if what == "records" else float, found.amounts), strict=True
        )
        amounts = {name: {FIELDS[what]: x} for name, x in given}
        there = [replace(s, **amounts.get(s.name, {})) for s in study.servers]
        worth = effective_n(study.with_servers(there), mechanism)
        assert found.effective_n == pytest.approx(worth, rel=1e-8)
        if smaller is not None:  # what a smaller total gives, a larger one can give
            assert found.effective_n * (1 + found.gap) >= smaller * (1 - 1e-9)
        smaller = found.effective_n


def test_a_total_that_cannot_be_split_is_refused_in_words() -> None:
    study = changed(HOSPITALS, 1, epsilon=9)
    with pytest.raises(DomainError, match="12 together; Cleveland alone asks for 9"):
        split(study, "epsilon", 8, least=1)
    with pytest.raises(DomainError, match=r"12 together\. total: got 11"):
        split(study, "epsilon", 11, least=1)
    for total in (0, -1, INF, math.nan, "8", True):
        with pytest.raises(DomainError, match="total"):
            split(HOSPITALS, "epsilon", total)  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="records or of epsilon"):
        split(HOSPITALS, "luck", 8)  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="needs delta"):
        split(everywhere(HOSPITALS, delta=None), "epsilon", 8, lens=Lens(mechanism="analytic"))


def test_what_a_site_gets_at_most_binds() -> None:
    capped = split(HOSPITALS, "epsilon", 80, most=2, lens=Lens(mechanism="analytic"))
    assert capped.amounts == (2, 2, 2, 2)
    assert capped.spent == 8  # the rest of the total buys nothing


def test_cutting_in_two_closes_the_gap_that_one_relaxation_leaves(monkeypatch: Any) -> None:
    # Two alike strict sites: records count squared, so all at one beats any mix of both.
    study = transfer(site("A", 8000, 0.1), site("B", 6000, 0.1), beta=1, d=1, alpha=0)
    how: dict[str, Any] = {"most": 1, "lens": Lens(mechanism="analytic")}
    found = split(study, "records", 10_000, **how)
    assert found.amounts == (8000, 2000)
    assert found.gap < 1e-5
    monkeypatch.setattr(Search, "_halves", lambda self, node: None)
    assert split(study, "records", 10_000, **how).gap > 10 * found.gap
