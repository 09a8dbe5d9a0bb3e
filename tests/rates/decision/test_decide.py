"""The four decisions: against the solvers one design at a time, and laws over random studies."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import rates
from rates import FederatedStudy, Server, TransferStudy
from rates.answer import Lens, calibrated_pointwise
from rates.decision import MOVES, budget_factor, decide, looks, records_factor, sentences
from rates.presets import PRESETS, preset
from rates.study import Study
from rates.study.codec import from_json
from tests.rates.plan.plan_cases import random_study

MANY = [pytest.param(n, marks=m) for n, m in ((150, pytest.mark.deep), (2000, pytest.mark.slow))]
SEVEN = Path(__file__).parents[4] / "shared" / "audits" / "seven-hospitals.json"


def drawn(count: int, seed: int) -> list[Study]:
    rng = np.random.default_rng(seed)
    return [random_study(rng) for _ in range(count)]


def answers(study: Study) -> list:
    """The equation's record and the mechanism's, one solve each."""
    if isinstance(study, TransferStudy):
        return [rates.solve(study), *(rates.calibrated(study, kappa=k) for k in (1.0, 2.0, 3.0))]
    return [rates.solve(study).integrated, rates.calibrated(study).integrated]


def only(study: Study, row: int) -> Study:
    """One site of a row alone; the others hold nothing."""
    return study.with_servers(
        [replace(s, count=1, n=s.n if k == row else 0) for k, s in enumerate(study.servers)]
    )


def changed(study: Study, row: int, **fields: object) -> Study:
    return study.with_servers(
        [replace(s, **fields) if k == row else s for k, s in enumerate(study.servers)]
    )


@pytest.mark.parametrize("study", [p.study for p in PRESETS] + drawn(6, 1))
def test_looks_are_the_solvers_answers_design_by_design(study):
    for k, look in enumerate(looks(study)):
        assert look.worth == pytest.approx(answers(study)[k].effective_n, rel=1e-9)
        assert look.free == pytest.approx(answers(study.unprotected())[k].effective_n, rel=1e-9)
        assert look.shares == pytest.approx(answers(study)[k].shares, rel=1e-9, abs=1e-12)
        for j, server in enumerate(study.servers):
            alone = answers(only(study, j))[k].effective_n
            assert look.alone[j] == pytest.approx(alone, rel=1e-9)
            left = answers(changed(study, j, n=0))[k].effective_n
            assert (j in look.movers) == (left <= (1 - MOVES) * look.worth)
            if server.private:
                twice = answers(changed(study, j, epsilon=2 * server.epsilon))[k].effective_n
                assert look.doubled[j] == pytest.approx(twice, rel=1e-9)
            else:
                assert math.isnan(look.doubled[j])


@pytest.mark.parametrize("study", [preset("figure1").study, preset("unprotected").study])
def test_beyond_the_budget_that_is_enough_nothing_is_bought_by_the_equation(study):
    (look, *_) = looks(study)
    for j, enough in enumerate(look.enough):
        if math.isnan(enough):
            continue
        at, beyond, below = (
            rates.solve(changed(study, j, epsilon=enough * x)).effective_n for x in (1, 50, 0.98)
        )
        assert beyond == pytest.approx(at, rel=1e-9)
        assert below < at * (1 - 1e-7)


def test_factors_reach_the_goal_half_way_to_no_privacy():
    study, lens = preset("figure1").study, Lens(mechanism="analytic")
    goal = 0.5 * (
        rates.calibrated(study).effective_n + rates.calibrated(study.unprotected()).effective_n
    )
    c, k = budget_factor(study, lens, goal), records_factor(study, lens, goal)
    raised = study.with_servers([replace(s, epsilon=c * s.epsilon) for s in study.servers])
    more = study.with_servers([replace(s, n=round(k * s.n)) for s in study.servers])
    assert rates.calibrated(raised).effective_n == pytest.approx(goal, rel=1e-4)
    assert rates.calibrated(more).effective_n == pytest.approx(goal, rel=1e-3)
    many = decide(study).many
    assert many is not None
    assert many.goal == pytest.approx(goal)
    alone = changed(study, many.site, epsilon=many.epsilon)
    assert rates.calibrated(alone).effective_n == pytest.approx(goal, rel=1e-6)


def named_only_where_both_agree(study: Study) -> None:
    """No carrier, best site or budget is named where the solvers' own answers differ."""
    found = decide(study)
    said = answers(study)
    if found.who.carrier is not None:
        for answer in said:
            assert answer.shares[found.who.carrier] >= max(answer.shares) * (1 - 1e-9)
    if found.budget.site is not None:
        j = found.budget.site
        for k, answer in enumerate(said):
            mine = answers(changed(study, j, epsilon=2 * study.servers[j].epsilon))[k].effective_n
            assert mine >= answer.effective_n * (1 + MOVES)
            for other, server in enumerate(study.servers):
                if server.private:
                    bigger = changed(study, other, epsilon=2 * server.epsilon)
                    assert mine >= answers(bigger)[k].effective_n * (1 - 1e-9)
    alone = [answers(only(study, j)) for j in range(len(study.servers))]
    for k, answer in enumerate(said):
        best = max(x[k].effective_n for x in alone)
        if found.run.best is not None:
            assert alone[found.run.best][k].effective_n >= best * (1 - 1e-9)
        if found.run.yes is not None:
            assert found.run.yes == (answer.effective_n >= best * (1 + MOVES))
    for each in sentences(found):
        assert each.settled != each.text.startswith("Undecided")
    joined = sum(s.count for s in study.servers) > 1
    assert joined == (found.run.yes is not None) or "Undecided" in sentences(found)[0].text


def test_nothing_is_named_where_the_two_answers_differ():
    for study in drawn(25, 2):
        named_only_where_both_agree(study)


@pytest.mark.parametrize("many", MANY)
def test_nothing_is_named_where_the_two_answers_differ_over_many_studies(many):
    for study in drawn(many, 3):
        named_only_where_both_agree(study)


def worth_never_rises(study: Study, rng: np.random.Generator) -> None:
    """Fewer records, a smaller budget; where r is at most 1, more covariates or a larger γ.

    More covariates only where every γ is at most 1: a single open source with γ = 2 and β = 1
    is worth n^(3/5) records of the target with one covariate and n^(4/6) with two.
    """
    row = int(rng.integers(len(study.servers)))
    server = study.servers[row]
    falls(study, changed(study, row, n=server.n // 2))
    falls(study, changed(study, row, epsilon=server.epsilon / 2))
    if isinstance(study, TransferStudy):
        if row:
            gamma = 1.5 * server.signal_exponent
            falls(study, changed(study, row, signal_exponent=gamma), within_one=True)
        alike = study.with_servers(
            [replace(s, signal_exponent=min(1.0, s.signal_exponent)) for s in study.servers]
        )
        falls(alike, replace(alike, dimension=alike.dimension + 1), within_one=True)


def falls(before: Study, after: Study, *, within_one: bool = False) -> None:
    roots = [x.r for x in answers(before)] if within_one else []
    for k, (a, b) in enumerate(zip(looks(before), looks(after), strict=False)):
        if not (roots and roots[k] > 1):
            assert b.worth <= a.worth * (1 + 1e-9), a.lens


def test_more_covariates_may_raise_the_worth_of_a_source_with_gamma_above_one():
    nothing = Server(name="target", n=0, epsilon=math.inf)
    source = Server(name="open", n=1000, epsilon=math.inf, signal_exponent=2)
    study = TransferStudy(target=nothing, sources=(source,), smoothness=1, dimension=1, margin=1)
    worth = [looks(replace(study, dimension=d))[0].worth for d in (1, 2)]
    assert worth == pytest.approx([1000 ** (3 / 5), 1000 ** (4 / 6)])


def test_worth_never_rises_as_the_study_gets_worse():
    rng = np.random.default_rng(4)
    for study in drawn(25, 5):
        worth_never_rises(study, rng)


@pytest.mark.parametrize("many", MANY)
def test_worth_never_rises_over_many_studies(many):
    rng = np.random.default_rng(6)
    for study in drawn(many, 7):
        worth_never_rises(study, rng)


def test_small_studies_and_missing_deltas_are_said_in_words():
    one = TransferStudy(
        target=Server(name="A", n=50, epsilon=1), smoothness=1, dimension=1, margin=1
    )
    run, who, budget, many = sentences(decide(one))
    assert run.text.startswith("There is one site")
    assert "no δ is stated for A" in budget.text
    assert not budget.settled
    assert "the mechanism, and it needs every δ" in many.text
    assert who.text == "A, the only row, carries all of it."
    assert sentences(decide(one.with_servers([replace(one.target, n=0)]))) == ()
    open_ = one.with_servers([replace(one.target, epsilon=math.inf)])
    assert "no site is protected" in sentences(decide(open_))[0].text
    assert "finite budget" in sentences(decide(open_))[2].text
    assert decide(open_).many.site is None


def test_the_risk_at_a_point_is_decided_without_a_delta():
    study = FederatedStudy(
        servers=(Server(name="A", n=900, epsilon=0.5), Server(name="B", n=300, epsilon=2)),
        smoothness=1,
    )
    found = decide(study, "pointwise")
    assert not found.missing
    assert found.looks[1].worth == pytest.approx(calibrated_pointwise(study).effective_n)
    assert decide(study).missing == "A, B"


def test_large_studies_look_at_the_rows_that_can_move_the_answer():
    rows = [Server(name=f"s{k}", n=20 + k, epsilon=1, delta=1e-6) for k in range(400)]
    large = replace(rows[0], name="large", n=9000)
    study = FederatedStudy(servers=(*rows, large), smoothness=1)
    found = decide(study)
    assert [study.servers[j].name for j in found.who.perhaps] == ["large"]
    assert found.who.carrier == 400


@pytest.mark.skipif(not SEVEN.exists(), reason="the audit's study is not beside the project")
def test_seven_hospitals_are_decided_in_four_sentences():
    found = decide(from_json(SEVEN.read_text(encoding="utf-8")))
    run, who, budget, many = sentences(found)
    assert run.text == (
        "Yes: the 7 sites are worth 1,690 to 2,500 effective records, 1.15 to 1.24 times National "
        "alone; privacy leaves 11 to 16 % (equation 99 %)."
    )
    assert who.text == (
        "National carries most, 79 to 81 %. At most University, Nord and National move it by 5 %."
    )
    assert not budget.settled
    assert "but National's 76 to 82 % by the mechanism" in budget.text
    assert many.text.startswith("Half of what privacy costs returns with 5.8 times every ε")
    assert sum(len(x.text.split()) for x in sentences(found)) < 110


def test_the_command_line_says_the_same_four_sentences(tmp_path, capsys):
    from rates.__main__ import main
    from rates.study import codec

    study = preset("figure1").study
    (path := tmp_path / "study.json").write_text(codec.to_json(study), encoding="utf-8")
    asked = ["plan", str(path), "--rate", "0.1", "--quantity", "n", "--servers", "all", "--json"]
    assert main(asked) in (0, 3)
    told = json.loads(capsys.readouterr().out)["decision"]
    assert [x["answer"] for x in told] == [x.text for x in sentences(decide(study))]
    assert told[0]["question"] == "Run it?"


@pytest.mark.parametrize("epsilon", [1e308, 1.7e308, 1e-300, 1e-307])
@pytest.mark.parametrize("delta", [1e-300, 1e-6])
def test_budgets_at_the_ends_of_floating_point_are_decided(epsilon, delta):
    near = [Server(name=x, n=100, epsilon=epsilon, delta=delta) for x in "ab"]
    far = replace(near[1], signal_exponent=1e-3)
    for study in (
        FederatedStudy(
            servers=[near[0], Server(name="b", n=5, epsilon=1, delta=delta)], smoothness=2
        ),
        TransferStudy(target=near[0], sources=(far,), smoothness=0.5, dimension=50, margin=1),
    ):
        pieces = [piece for said in sentences(decide(study)) for piece in said.pieces]
        assert pieces
        assert not any("nan" in text for kind, text in pieces if kind == "number")


@pytest.mark.parametrize("epsilon", [1e-300, 5e-324])
def test_budgets_that_are_worth_no_number_decide_nothing(epsilon):
    alone = Server(name="a", n=10**9, epsilon=epsilon, delta=1e-300)
    assert sentences(decide(FederatedStudy(servers=[alone], smoothness=0.75))) == ()


def test_a_rate_that_feels_no_records_names_no_budget():
    rough = [Server(name="a", n=1000, epsilon=0.1, delta=1e-6)]
    study = TransferStudy(target=rough[0], smoothness=1e-300, dimension=1, margin=1)
    many = sentences(decide(study))[-1]
    assert many.settled
    assert "ε =" not in many.text


def test_a_goal_that_is_reached_asks_for_no_more() -> None:
    study, lens = preset("hospitals").study, Lens(mechanism="analytic")
    now = rates.calibrated(study).effective_n
    for factor in (budget_factor, records_factor):
        assert factor(study, lens, 0.999 * now) == 1.0
        assert factor(study, lens, 1.001 * now) > 1.0
    assert budget_factor(study, lens, 1e12) == math.inf  # more than without privacy
