"""Laws of a decision over random studies and random questions."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rates.decision import FLOOR, Decision, User, decide
from rates.study import Study, TransferStudy
from tests.depth import examples
from tests.rates.decision.decided import (
    VERDICTS,
    agrees,
    best,
    by_kappa,
    drawn,
    moved,
    solved,
    uses,
)
from tests.rates.made import changed
from tests.rates.plan.plan_cases import random_study
from tests.rates.solved import plain

SEEDS = st.integers(0, 2**32 - 1)


def asked(seed: int) -> Decision:
    study, question = drawn(np.random.default_rng(seed))
    return decide(study, **question)  # type: ignore[arg-type]


def again(found: Decision, study: Study, **other: Any) -> Decision:
    """The same question to another study."""
    question = {"use": found.use, "needed": found.needed, "gain": found.factor, "risk": found.risk}
    return decide(study, **{**question, **other})


@examples(60)
@given(SEEDS)
def test_every_number_is_the_separate_solvers(seed):
    agrees(asked(seed), levers=seed % 5 == 0)


# Worse studies are decided no better ------------------------------------------------------------


def not_better(found: Decision, worse: Decision, *, but: int = -1) -> None:
    """No verdict is better, but perhaps that of the user who was changed."""
    if but < 0 or found.use != "each":
        assert VERDICTS.index(worse.verdict) <= VERDICTS.index(found.verdict)
    for k, (a, b) in enumerate(zip(found.users, worse.users, strict=True)):
        if k != but:
            assert VERDICTS.index(b.verdict) <= VERDICTS.index(a.verdict), (a, b)


def worsened(seed: int, *, one: bool = False) -> None:
    """Another site's n or epsilon falls, gamma or d rises, the need or the gain rises.

    With u = log r, a term n r^(2 beta gamma + d) falls in gamma where r < 1, and at r = 1 gamma
    plays no part. A worth of 1 or more is an r of at most 1 by either answer, as the mechanism's
    constant A / kappa^d is below 1. So wherever what is asked is at least 1 record, a larger gamma
    makes no verdict better.

    More covariates ask for more: for N effective records r^(2 beta + d) is A kappa^-d / N, so an
    unprotected term is n / N r^(2 beta (gamma - 1)). Where gamma is at most 1 it falls in d as
    long as r rises with it: by the equation for N >= 1, by the mechanism for
    N >= (1.5 kappa)^(2 beta) / 4, at most 5.07 for beta up to 1. The protected branch falls
    wherever gamma is at most 2. So d makes no verdict better where every gamma is at most 1 and
    at least 6 records are asked for; and it can where a gamma exceeds 1 (below).
    """
    found = asked(seed)
    if found.verdict == "no" and not found.users:
        return
    study, rng = found.study, np.random.default_rng(seed)
    row = int(rng.integers(len(study.servers)))
    server = study.servers[row]
    factor = float(rng.uniform(0.05, 1))
    worse: list[tuple[Study, Study, dict[str, float], int]] = []
    for fewer in ({"n": int(factor * server.n)}, {"epsilon": factor * min(server.epsilon, 1e3)}):
        if found.use != "target" or row:
            worse.append((study, changed(study, row, **fewer), {}, row))
    least = FLOOR if found.needed is None else found.needed
    worse.append((study, study, {"needed": least * (1 + factor)}, -1))
    if found.use != "others":
        worse.append((study, study, {"gain": found.factor * (1 + factor)}, -1))
    if isinstance(study, TransferStudy):
        if row and found.use != "each" and least >= 1:
            gamma = (1 + factor) * server.signal_exponent
            worse.append((study, changed(study, row, signal_exponent=gamma), {}, -1))
        near = study.with_servers(
            [replace(s, signal_exponent=min(1.0, s.signal_exponent)) for s in study.servers]
        )
        if least >= 6:
            for d in (1, 3):
                worse.append((near, replace(near, dimension=study.dimension + d), {}, -1))
    for before, after, other, but in [worse[seed % len(worse)]] if one else worse:
        first = found if before is study else again(found, before)
        not_better(first, again(found, after, **other), but=but)


@given(SEEDS)
def test_a_worse_study_is_decided_no_better(seed):
    worsened(seed)


@pytest.mark.parametrize(
    ("first", "last"),
    [
        pytest.param(0, 400, marks=pytest.mark.deep),
        pytest.param(400, 1000, marks=pytest.mark.slow),
    ],
)
def test_a_worse_study_is_decided_no_better_over_a_thousand(first, last):
    for seed in range(first, last):
        worsened(seed, one=True)


@given(SEEDS)
def test_in_house_nobody_loses_by_taking_part(seed):
    study, question = drawn(np.random.default_rng(seed))
    if "target" in uses(study):
        found = decide(study, use="target", needed=question["needed"])  # type: ignore[arg-type]
        user = found.users[0]
        assert user.gain[0] >= 1.0
        assert user.equation >= user.own


# Who may stay out -------------------------------------------------------------------------------


@given(SEEDS)
def test_who_stays_out_is_missed_by_nobody_and_the_next_would_be(seed):
    study, question = drawn(np.random.default_rng(seed))
    many = random_study(np.random.default_rng(seed), sites=14, most=3)
    for asked_, how in ((study, question), (many, {"use": uses(many)[0]})):
        found = decide(asked_, **how)  # type: ignore[arg-type]
        p, gone = plain(asked_, found.risk), set(found.stay_out)
        assert lost(found, p, gone) <= 0.02
        kept = [r[0] for r in p.rows[found.use == "target" :] if r[0] not in gone]
        if kept:
            assert all(lost(found, p, gone | {name}, pool=True) > 0.02 for name in kept)


def lost(found: Decision, p: Any, out: set[str], *, pool: bool = False) -> float:
    """The most that a user, or the study as it is stated, loses by any constant."""
    pairs = list(zip(solved(p, found.use), solved(p, found.use, out), strict=True))
    if pool and found.use == "each":
        pairs.append((p, *solved(p, "others", out)))
    both = [xy for a, b in pairs for xy in zip(by_kappa(a), by_kappa(b), strict=True)]
    return max(1 - y / x if x else 0.0 for x, y in both)


# Turning points ---------------------------------------------------------------------------------


def no_turn_is_missed(found: Decision, values: int) -> None:
    """On a grid between today's value and the turning point, or the end, nothing changes."""
    p, question = plain(found.study, found.risk), (found.use, found.needed, found.factor)
    rest = found.study.servers[1:]
    now = {
        "smoothness": found.study.smoothness,
        "signal_exponent": max((s.signal_exponent for s in rest), default=1.0),
        "epsilon": 1.0,
    }
    for name, low, high in found.ranges:
        for end in (low, high):
            side = [
                tip.value
                for tip in found.tips
                if tip.parameter == name and (tip.value > now[name]) == (end > now[name])
            ]
            assert len(side) <= 1
            last = end
            if side:  # a turning point is found to eight digits
                away = now[name] - side[0]
                last = side[0] + math.copysign(max(1e-5 * abs(away), 1e-7 * side[0]), away)
            for value in np.geomspace(now[name], last, values)[1:]:
                assert best(moved(p, found.study, name, float(value)), *question) == found.verdict


@examples(40)
@given(SEEDS)
@example(1_000_000)  # one lies within a thousandth of today's value
def test_up_to_a_turning_point_the_verdict_holds(seed):
    study, question = drawn(np.random.default_rng(seed))
    now = decide(study, **question)  # type: ignore[arg-type]
    near = max(1.0, now.worth[0]) * np.random.default_rng(seed).uniform(0.6, 1.6)
    found = again(now, study, needed=float(near))
    for tip in found.tips:
        assert tip.verdict != found.verdict
    agrees(found, levers=False)
    no_turn_is_missed(found, 6)


# What a study is called -------------------------------------------------------------------------


def same(a: Decision, b: Decision, names: dict[str, str] | None = None) -> None:
    """Two decisions are alike; rows of the one have other names in the other."""
    called = names or {}

    def known(x: str) -> str:
        return called.get(x, x)

    assert (a.verdict, a.ranges) == (b.verdict, b.ranges)
    for x, y in ((a.worth, b.worth), (a.free, b.free), ((a.equation,), (b.equation,))):
        assert y == pytest.approx(x, rel=1e-10)
    assert len(a.tips) == len(b.tips)
    for one, two in zip(a.tips, b.tips, strict=True):
        assert (one.parameter, one.verdict) == (two.parameter, two.verdict)
        assert two.value == pytest.approx(one.value, rel=1e-9)
    assert [x.quantity for x in a.levers] == [x.quantity for x in b.levers]
    for lever, other in zip(a.levers, b.levers, strict=True):
        told = (other.low, other.high, other.equation)
        assert told == pytest.approx((lever.low, lever.high, lever.equation), rel=1e-5)
    assert {known(x) for x in b.stay_out} == set(a.stay_out)
    assert b.stay_out_loss == pytest.approx(a.stay_out_loss, abs=1e-10)
    users: dict[str, User] = {user.name: user for user in a.users}
    for user in b.users:
        old = users[known(user.name)]
        assert (user.verdict, user.own) == (old.verdict, old.own)
        assert user.worth == pytest.approx(old.worth, rel=1e-10)


@examples(60)
@given(SEEDS)
def test_order_and_names_of_the_rows_decide_nothing(seed):
    found, rng = asked(seed), np.random.default_rng(seed)
    rows = list(found.study.servers)
    fixed = int(isinstance(found.study, TransferStudy))
    rest = [rows[fixed + k] for k in rng.permutation(len(rows) - fixed)]
    renamed = [replace(s, name=f"site {s.name}") for s in (*rows[:fixed], *rest)]
    names = {f"site {s.name}": s.name for s in rows}
    same(found, again(found, found.study.with_servers(renamed)), names)


@examples(60)
@given(SEEDS)
def test_many_alike_in_one_row_or_in_several_are_the_same(seed):
    """In parts of two or more: a row of one site is none that can be had more often."""
    found = asked(seed)
    rows, names = [], {}
    for s in found.study.servers:
        first = s.count // 2
        if first < 2:
            rows.append(s)
            continue
        twin = replace(s, name=f"{s.name}'", count=s.count - first)
        names[twin.name] = s.name
        rows += [replace(s, count=first), twin]
    same(found, again(found, found.study.with_servers(rows)), names)
