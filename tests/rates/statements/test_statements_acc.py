"""The ledger of [ACC]: verdicts flip with the forms, bounds are sharp, examples open."""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest

from rates.maps import design, endpoints
from rates.statements.checks import Check, acc, find, measure
from rates.statements.checks.acc import equation as acc_equation
from rates.statements.checks.acc import rates as acc_rates
from rates.statements.checks.acc.draws import Beyond, four_terms, log_left
from rates.statements.checks.acc.kernel import exact_delta
from rates.statements.ledger import (
    CONTRADICTED,
    UNTESTABLE,
    Statement,
    evaluate,
    judge,
    statement,
    statements_of,
)
from rates.statements.outcome import Form
from rates.study import codec
from rates.study.scenario import TransferStudy

LEDGER = statements_of("ACC")
TESTED = [item for item in LEDGER if item.check is not None]
# What was dropped from the ledger has no verdict on its forms.
CORRECTED = [item for item in TESTED if item.reading is not None and not item.withdrawn]
ACC_MODULES = [
    importlib.import_module(found.name)
    for found in pkgutil.iter_modules(acc.__path__, "rates.statements.checks.acc.")
    if not found.name.endswith(".draws")
]
BOUNDS = [
    pytest.param(module, name, id=f"acc_{module.__name__.rpartition('.')[2]}.{name}")
    for module in ACC_MODULES
    for name, check in module.CHECKS.items()
    if isinstance(check.gap, Beyond)
]


def ids(item: Statement) -> str:
    return item.id


def one(values: Mapping[str, float]) -> dict[str, np.ndarray]:
    return {key: np.array([float(value)]) for key, value in values.items()}


def test_the_ledger_is_complete():
    assert len(LEDGER) >= 45
    named = {number for item in LEDGER for number in item.errata}
    assert named == {f"E{k}" for k in range(1, 18)}
    text = " ".join(item.id for item in LEDGER)
    for place in (
        *("Rem2.2", "Thm3.1", "Rem3.1", "Rem3.2:source-rate", "Cor3.2", "Cor3.3", "Thm3.4"),
        *("Rem3.3", "Prop4.1", "Thm4.2", "Lem1", "Thm4.3", "Thm5.1", "Cor5.2", "Thm5.3"),
        *("Eq3", "Eq4", "Eq5", "Eq6", "Eq8", "Eq11", "Eq12", "Eq16", "Eq18", "Eq19", "Eq22"),
    ):
        assert f"ACC:{place}" in text


def test_every_check_is_used():
    named = {item.check for item in LEDGER}
    there = {
        f"acc_{module.__name__.rpartition('.')[2]}.{name}"
        for module in ACC_MODULES
        for name in module.CHECKS
    }
    assert named - {None} == there


def test_what_numbers_cannot_try_is_a_risk_or_a_name():
    for item in LEDGER:
        if item.check is None:
            assert {v.words for v in evaluate(item).verdicts} == {UNTESTABLE}
            assert item.proof or item.kind in ("theorem", "corollary"), item.id


# --- verdicts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("item", CORRECTED, ids=ids)
def test_the_counterexample_decides_alone(item: Statement):
    """It refutes the printed form and not our reading; at the next smaller set both hold."""
    check = find(str(item.check))
    assert item.counterexample is not None
    assert item.smallest
    at = one(item.counterexample)
    assert float(check.gap(at, "printed")[0]) > max(1e-3, 30 * check.tolerance)
    assert float(check.gap(at, "reading")[0]) <= check.tolerance
    if item.holds_at is not None:
        assert float(check.gap(one(item.holds_at), "printed")[0]) <= check.tolerance


def exchanged(check: Check) -> Check:
    other: dict[Form, Form] = {"printed": "reading", "reading": "printed"}
    return replace(check, gap=lambda draws, form: check.gap(draws, other[form]))


@pytest.mark.parametrize("item", CORRECTED, ids=ids)
def test_exchanging_the_forms_exchanges_the_verdicts(
    item: Statement, monkeypatch: pytest.MonkeyPatch
):
    straight = evaluate(item)
    assert straight.of("printed").words in CONTRADICTED
    assert straight.of("reading").words not in CONTRADICTED
    monkeypatch.setattr("rates.statements.checks.find", lambda name: exchanged(find(name)))
    monkeypatch.setattr("rates.statements.ledger.claims", dict)  # no formal claim beside the check
    crossed = evaluate(item)
    assert crossed.of("printed").words not in CONTRADICTED
    assert crossed.of("reading").words in CONTRADICTED


@pytest.mark.parametrize("item", CORRECTED, ids=ids)
def test_draws_alone_refute_the_printed_form(item: Statement):
    """The stored example is not needed: there is more than one."""
    outcome = measure(
        find(str(item.check)),
        "printed",
        generator=np.random.default_rng(11),
        seed=11,
        number=20_000 if item.id == "ACC:Rem3.2:common-budget" else None,
    )
    assert judge(item, "printed", outcome) in CONTRADICTED


@pytest.mark.deep
def test_other_seeds_give_the_same_verdicts():
    for item in TESTED:
        words = [v.words for v in evaluate(item, number=40).verdicts]
        assert words == [v.words for v in evaluate(item, seed=5, number=40).verdicts], item.id


# --- bounds up to constants ---------------------------------------------------------------------


@pytest.mark.parametrize("item", [i for i in TESTED if find(str(i.check)).constants], ids=ids)
def test_bounds_are_attained_within_a_factor_of_two(item: Statement):
    outcome = evaluate(item).of(item.used).outcome
    assert outcome is not None
    assert outcome.attained is not None
    assert 0.5 <= outcome.attained <= 1 + 1e-9


@pytest.mark.parametrize(("module", "name"), BOUNDS)
def test_each_side_of_a_bound_is_attained(module: object, name: str):
    check = module.CHECKS[name]  # type: ignore[attr-defined]
    draws = check.draw(np.random.default_rng(2), check.number)
    form: Form = (
        "reading" if any(i.check and i.check.endswith(f".{name}") for i in CORRECTED) else "printed"
    )
    ratio, low, high = check.gap.bounds(draws, form)  # type: ignore[attr-defined]
    assert np.all(ratio <= high + 1e-9)
    assert (ratio - high).max() >= -math.log(2)
    if np.isfinite(low).any():
        assert np.all(ratio >= low - 1e-9)
        assert (low - ratio).max() >= -math.log(2)


GROWING = [
    ("ACC:Rem3.2:condition", {"n0": 1e3, "epsilon0": 1e-3}),
    ("ACC:Rem3.3", {"n0": 1e3, "epsilon0": 1e-3}),
    ("ACC:Cor3.3:case-2", {"n2": 1e4, "epsilon": 1e-2}),
    ("ACC:Cor3.3:case-3", {"n0": 1e3, "n2": 1e5}),
]


@pytest.mark.parametrize(("name", "factors"), GROWING)
def test_the_ratio_of_a_refuted_form_grows_without_bound(name: str, factors: dict[str, float]):
    """A larger constant would not save the printed form: its ratio grows as a power."""
    item = next(item for item in LEDGER if item.id == name)
    at = dict(item.counterexample or {})
    if name == "ACC:Cor3.3:case-3":  # just below the printed threshold, which falls
        factors = factors | {"epsilon": 1e3 ** (-1 / 6)}
    gaps = []
    for _ in range(4):
        gaps.append(float(find(str(item.check)).gap(one(at), "printed")[0]))
        at |= {key: at[key] * factor for key, factor in factors.items()}
    steps = np.diff(gaps)
    assert np.all(steps > 0.2), gaps


def test_the_condition_under_one_budget_fails_by_a_power_of_n():
    """E9: m = 10, n0 = 10 n, γ = 8, ε between the thresholds; the true r over the printed one."""
    ratios = []
    for n in (1e3, 1e5, 1e7, 1e15):
        n0, k = 10 * n, 2 * 0.5 * 8 + 2
        second, third = n0 ** (-1 / 6), (10 * n**-4) ** (1 / k)
        epsilon = math.sqrt(second * third)
        at = {"n": n, "m": 10, "n0": n0, "epsilon": epsilon, "gamma": 8, "beta": 0.5, "d": 2}
        ratios.append(math.exp(float(acc_rates._no_privacy(one(at), "printed", True)[0][0])))
    assert ratios[:3] == pytest.approx([1.22, 1.51, 1.88], abs=0.005)
    assert ratios[3] > 4


# --- numbers of the corrections -----------------------------------------------------------------


def test_the_first_budget_at_which_the_printed_noise_fails():
    """E13, by bisection of the exact profile."""
    for delta, budget in ((1e-3, 8.51), (1e-5, 9.39), (1e-8, 10.30)):
        low, high = 1.0, 20.0
        for _ in range(60):
            middle = (low + high) / 2
            noise = math.sqrt(2 * math.log(2 / delta)) / middle
            low, high = (low, middle) if exact_delta(noise, middle) > delta else (middle, high)
        assert low == pytest.approx(budget, abs=0.005)
    for epsilon, delta in ((18.8, 6.2e-4), (50, 0.51)):
        noise = math.sqrt(2 * math.log(2e5)) / epsilon
        assert exact_delta(noise, epsilon) == pytest.approx(delta, rel=0.01)


def study_root(**values: float) -> float:
    """Return r of (5) for target n0, one public source n1 and one private source n2."""
    n = np.array([[values["n0"], values["n1"], values["n2"]]])
    epsilon = np.array([[values["epsilon"], np.inf, values["epsilon"]]])
    low, high = np.array([-40.0]), np.array([5.0])
    b, d = np.array([0.5]), np.array([2.0])
    for _ in range(100):
        middle = (low + high) / 2
        above = log_left(middle, n, epsilon, np.ones((1, 3)), b, d) > 0
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return float(np.exp(low[0]))


def test_rates_of_the_corrections_to_corollary_3_3():
    """E5 and E6, with β(1+α) = 1, by bisection."""
    assert study_root(n0=100, n1=1000, n2=1e4, epsilon=0.1) == pytest.approx(0.0601, abs=1e-4)
    assert study_root(n0=1000, n1=8, n2=1e4, epsilon=0.3) == pytest.approx(0.0461, abs=1e-4)
    for t, rate in ((10, 0.0461), (100, 0.00461), (1000, 0.000461)):
        threshold = max(t**-0.5, (10 * t**3) ** (-0.5 / 3))
        found = study_root(n0=t**3, n1=1, n2=10 * t**3, epsilon=threshold * (1 - 1e-9))
        assert found == pytest.approx(rate, rel=0.01)


def test_the_hand_formulas_by_hand():
    at = one({"n": 100, "m": 100, "n0": 1e4, "gamma": 1, "beta": 1, "d": 2})
    terms = np.array(four_terms(at, np.log([0.1])))[:, 0] / math.log(10)
    assert terms == pytest.approx([-1, -1, -1, -2 / 3])
    two = log_left(
        np.log([0.1]),
        np.array([[1e4, 1e3]]),
        np.array([[np.inf, 0.01]]),
        np.ones((1, 2)),
        *one_shape(),
    )
    # 1e4 r^4 + 1e6 1e-4 r^2 r^4 = 1 + 1e-4 at r = 0.1
    assert math.exp(two[0]) == pytest.approx(1.0001)


def one_shape() -> tuple[np.ndarray, np.ndarray]:
    return np.array([1.0]), np.array([2.0])


HYPOTHESES: dict[str, Callable[[Mapping[str, float]], bool]] = {
    "n ≤ n0 ≤ mn": lambda x: x["n"] <= x["n0"] <= x["m"] * x["n"],
    "γ > 0": lambda x: x["gamma"] > 0,
    "γ = 1": lambda x: x["gamma"] == 1,
    "γ > 0, γ ≤ γ*": lambda x: 0 < x["gamma"] <= gamma_star(x),
    "ε ≤ 1": lambda x: x.get("epsilon", 1) <= 1,
    "ε in (0, 1]": lambda x: 0 < x.get("epsilon", 1) <= 1,
    "one common ε in (0, 1]": lambda x: 0 < x.get("epsilon", 1) <= 1,
    "ε0 = ε": lambda x: x["epsilon0"] == x["epsilon"],
    "no target": lambda x: x["n0"] == 0,
    "n0 ≠ √m n": lambda x: x["n0"] != math.sqrt(x["m"]) * x["n"],
    "n2 > n0^((2βγ+d)/(2β+d))": lambda x: x["power_n2"] > x["power_n0"] * power(x),
    "n0^(k/(2β+d)) ≤ n1 ≤ n2": lambda x: x["n0"] ** power(x) <= x["n1"] * TIE <= x["n2"] * TIE,
    "n1 ≤ n0^(k/(2β+d)) < n2": lambda x: x["n1"] <= x["n0"] ** power(x) * TIE < x["n2"],
}
IN_WORDS = {  # about kinds of sites or limits; no number of a point could break them
    "m equal sources",
    "m equal sources without a budget",
    "m equal servers of [CCV]",
    "ε0 free, as in Theorem 3.1",
    "ε21 corrected",
    "n, m, n0, 1/δ, 1/δ0 grow as powers of one number N",
    "n0, n2, 1/δ grow as powers of one number N",
    "δ0 is the larger of δ0 and δ2",
}
CASES = {"case 2": "ACC:Cor3.3:case-2", "case 3": "ACC:Cor3.3:case-3"}
TIE = 1 + 1e-9


def gamma_star(x: Mapping[str, float]) -> float:
    shape = {"gamma": x["gamma"], "beta": x["beta"], "d": x["d"]}
    return float(endpoints(x["n"], x["m"], x["n0"], **shape).gamma_star)


def power(x: Mapping[str, float]) -> float:
    """k/(2β+d) with k = 2βγ+d."""
    return (2 * x["beta"] * x["gamma"] + x["d"]) / (2 * x["beta"] + x["d"])


@pytest.mark.parametrize(
    "item", [i for i in LEDGER if i.section == "3.1" and i.counterexample], ids=ids
)
def test_every_point_keeps_the_hypotheses(item: Statement):
    """An example outside the hypotheses would say nothing about the claim."""
    stated = [
        text for name in item.hypotheses for text in statement(CASES.get(name, item.id)).hypotheses
    ]
    for at in filter(None, (item.counterexample, item.holds_at)):
        for text in stated:
            if text not in IN_WORDS:
                assert HYPOTHESES[text](at), (text, dict(at))


# --- what the examples open ---------------------------------------------------------------------


@pytest.mark.parametrize("item", [i for i in LEDGER if i.map is not None], ids=ids)
def test_a_map_point_is_its_counterexample(item: Statement):
    spot = design.from_text(str(item.map))
    names = {"smoothness": "beta", "dimension": "d"}
    given = {names.get(name, name): getattr(spot, name) for name in design.FIELDS}
    for key, value in (item.counterexample or {}).items():
        if key in given:
            assert given[key] == value, key


@pytest.mark.parametrize("item", [i for i in LEDGER if i.study is not None], ids=ids)
def test_a_study_is_its_counterexample(item: Statement):
    study = codec.from_json(str(item.study))
    if not isinstance(study, TransferStudy):
        assert item.id == "ACC:Rem3.2:ccv"
        assert sum(s.n * s.count for s in study.servers) == (item.counterexample or {})["n"]
        return
    at = item.counterexample or {}
    assert study.target.n == at.get("n0", 1000)
    for key, value in (("smoothness", "beta"), ("dimension", "d")):
        assert getattr(study, key) == at.get(value, getattr(study, key))
    own = at.get("epsilon0", at.get("epsilon"))
    if own is not None:
        assert study.target.epsilon == own


def test_the_map_of_the_misprint_shows_a_wrong_term():
    """The reading of Table 1 that a map shows beside a point names the wrong term there."""
    from rates.maps import governing
    from tests.rates.maps.printed_table import table_1

    for item in LEDGER:
        if not item.table:
            assert item.map is None or item.kind != "table", item.id
            continue
        spot = design.from_text(str(item.map))
        says = table_1(*spot.sizes, spot.epsilon, **spot.shape, reading=item.table)
        assert str(says) != str(governing(*spot.sizes, spot.epsilon, **spot.shape)), item.id


def test_studies_of_the_checks_are_the_draws():
    draws = acc_equation.servers(np.random.default_rng(0), 3)
    for k, study in enumerate(acc_equation.studies(draws)):
        assert study.target.n == draws["n0"][k]
        assert [s.signal_exponent for s in study.sources] == [
            draws[f"gamma{j}"][k] for j in (1, 2, 3)
        ]
