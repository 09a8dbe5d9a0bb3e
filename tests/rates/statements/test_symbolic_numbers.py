"""The expressions are the functions of the engine, and the derived facts hold on random draws."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest

from rates import TransferStudy, solve
from rates.answer.federated import dominating, privacy_binds_everywhere, solve_D
from rates.answer.transfer import solve_r
from rates.maps import (
    endpoints,
    governing,
    printed_eps21,
    public_regimes,
    public_source,
    sequence,
)
from rates.maps.phases import log_budget, terms
from rates.numbers.gaussian import ACC_PRINTED, CCV_PRINTED, delta_of, printed_multiplier
from rates.statements.checks.ccv.closed import (
    cost_exponents,
    elbow,
    homogeneous_D,
    privacy_cost,
    window,
)
from rates.statements.symbolic import STATEMENTS, expression
from rates.statements.symbolic.letters import letters
from rates.study.scenario import FederatedStudy, Server

SEED, NUMBER = 20250, 60
Draws = dict[str, Any]


@cache
def draws() -> Draws:
    """Random values of every letter that a statement holds."""
    rng = np.random.default_rng(SEED)
    out: Draws = {
        name: np.exp(rng.uniform(math.log(low), math.log(high), NUMBER))
        for name, low, high in (
            ("n", 10, 1e6), ("m", 2, 1e3), ("n0", 10, 1e7), ("n1", 2, 1e5), ("n2", 10, 1e6),
            ("eps", 1e-6, 30), ("eps0", 1e-6, 30), ("r", 1e-3, 2), ("D", 0.5, 1e3),
        )
    }  # fmt: skip
    out |= {
        "beta": rng.uniform(0.1, 1, NUMBER),
        "gamma": rng.uniform(0.2, 4, NUMBER),
        "d": rng.integers(1, 6, NUMBER).astype(float),
        "alpha": rng.uniform(0, 2, NUMBER),
        "g": rng.uniform(0.55, 3, NUMBER),
    }
    return out | {"N": out["n"] * out["m"]}


def value(name: str, **other: Any) -> Any:
    """A statement at the draws, by a numpy function that sympy writes."""
    import sympy

    formula = expression(name)
    s, at = letters, draws() | other
    names = [k for k in at if formula.has(getattr(s, k))]
    function = sympy.lambdify([getattr(s, k) for k in names], formula, "numpy")
    with np.errstate(over="ignore"):
        return function(*(at[k] for k in names))


def shape() -> Draws:
    return {name: draws()[name] for name in ("gamma", "beta", "d")}


def sizes() -> tuple[Any, Any, Any]:
    return draws()["n"], draws()["m"], draws()["n0"]


def same(one: Any, two: Any) -> None:
    np.testing.assert_allclose(one, two, rtol=1e-9)


def test_every_statement_has_a_number() -> None:
    for name in STATEMENTS:
        assert np.shape(value(name)) == (NUMBER,)


def test_the_four_terms_and_the_rates() -> None:
    x = draws()
    four = terms(*sizes(), **shape())
    _, pt, npt, ps, nps = four.at(log_budget(x["eps"]))
    for name, log_value in {"NPt": npt, "Pt": pt, "NPs": nps, "Ps": ps}.items():
        same(value(name), np.exp(log_value))
    power = x["beta"] * (1 + x["alpha"])
    best = np.minimum(np.maximum(pt, npt), np.maximum(ps, nps))
    same(value("rate 4"), np.exp(power * np.minimum(best, 0.0)))
    own = four.at(log_budget(x["eps0"]))
    same(value("A_t"), np.exp(-np.maximum(*own[1:3])))
    same(value("A_s"), np.exp(-np.maximum(ps, nps)))
    both = np.minimum(1.0, (value("A_t") + value("A_s")) ** -power)
    same(value("rate 3.1"), both)
    ratio = value("rate 4", eps0=x["eps"]) / value("rate 3.1", eps0=x["eps"])
    assert ((ratio >= 1 - 1e-9) & (ratio <= 2**power + 1e-9)).all()


def test_the_r_equation() -> None:
    x = draws()
    n = np.stack([x["n0"], x["n"]], -1)
    epsilon = np.stack([x["eps0"], x["eps"]], -1)
    gamma = np.stack([np.ones(NUMBER), x["gamma"]], -1)
    count = np.stack([np.ones(NUMBER), x["m"]], -1)
    deep = {"beta": x["beta"][:, None], "d": x["d"][:, None]}
    r = solve_r(n, epsilon, gamma, **deep, count=count)
    same(value("left side 5", r=r), 1.0)
    alone = solve_r(x["n"][:, None], x["eps"][:, None], x["gamma"][:, None], **deep)
    same(value("solo"), alone)
    sources = solve_r(n, epsilon, gamma, **deep, count=count * [0, 1])
    target = solve_r(n, epsilon, gamma, **deep, count=count * [1, 0])
    same(value("A_s"), 1 / sources)
    same(value("A_t"), 1 / target)
    # The bracket of "ACC:Eq5:bracket" and the factor of "ACC:Eq11:log_factor".
    least = 2 * x["beta"] * np.minimum(1, x["gamma"]) + x["d"]
    smallest = np.minimum(sources, target)
    assert (r <= smallest * (1 + 1e-12)).all()
    assert (r >= smallest * 2 ** (-1 / least) * (1 - 1e-12)).all()
    right = np.log(2 / 1e-6)
    wide = solve_r(n, epsilon, gamma, **deep, count=count, rhs=right)
    assert (wide >= r).all()
    assert (wide <= r * right ** (1 / least) * (1 + 1e-12)).all()


def test_the_thresholds() -> None:
    x = draws()
    for name in ("gamma_star", "eps1", "eps2", "eps3", "eps11", "eps21", "epsX"):
        ends = [
            getattr(endpoints(n, m, n0, gamma=g, beta=b, d=d), name)
            for n, m, n0, g, b, d in zip(*sizes(), *shape().values(), strict=True)
        ]
        same(value(name), ends)
    same(value("eps21 printed"), printed_eps21(*sizes(), **shape()))
    same(value("NPt"), value("Ps", eps=value("eps21")))
    assert (value("eps21 printed") > value("eps21")).all()
    k = 2 * x["beta"] * x["gamma"] + x["d"]
    same(value("sources 3.2 printed"), value("NPs") ** (k / (k + x["d"])))
    power = (2 * x["beta"] + x["d"]) / k
    both = x["n0"] + (x["m"] * x["n"]) ** power
    same(value("sampling only 3.2"), both ** (-1 / (2 * x["beta"] + x["d"])))


def inside(number: int) -> Draws:
    """Draws with n <= n0 <= mn and gamma on both sides of gamma*."""
    rng = np.random.default_rng(SEED + 1)
    n = np.exp(rng.uniform(math.log(10), math.log(1e6), number))
    m = np.exp(rng.uniform(math.log(2), math.log(1e4), number))
    return {
        "n": n, "m": m, "n0": n * m ** rng.uniform(0, 1, number),
        "gamma": rng.uniform(0.2, 4, number), "beta": rng.uniform(0.1, 1, number),
        "d": rng.integers(1, 6, number).astype(float),
    }  # fmt: skip


def test_order_row_3_and_alternations() -> None:
    x = inside(NUMBER)
    at = {
        name: value(name, **x) for name in ("gamma_star", "eps1", "eps2", "eps3", "eps11", "eps21")
    }
    low = x["gamma"] <= at["gamma_star"]
    assert 5 < low.sum() < NUMBER - 5
    slack = 1 + 1e-12
    assert (at["eps1"] <= at["eps2"] * slack).all()
    assert (at["eps2"] <= at["eps3"] * slack)[low].all()
    assert (at["eps21"] <= at["eps3"] * slack)[low].all()
    above = ~low
    same(value("Ps", **x, eps=at["eps3"]), value("NPs", **x))
    assert (value("Pt", **x, eps=at["eps3"]) < value("NPs", **x))[above].all()
    side = (x["gamma"] - 1) * (x["n0"] - np.sqrt(x["m"]) * x["n"])
    assert ((at["eps11"] <= at["eps1"]) == (side >= 0)).all()
    for n, m, n0, g, b, d in zip(*x.values(), strict=True):
        for size in (n0, m * n * 3):  # the last lies outside n0 <= mn
            sides = sequence(n, m, size, gamma=g, beta=b, d=d).sides
            assert sides in "STS" if g > 1 else sides in "TS"


def test_table_1_needs_npt() -> None:
    x = inside(NUMBER) | {"gamma": np.random.default_rng(SEED).uniform(0.2, 1, NUMBER)}
    two, end = value("eps2", **x), value("eps21", **x)
    power = (x["beta"] * x["gamma"] + x["beta"] + x["d"]) / (2 * x["beta"] + x["d"])
    assert ((end > two) == (x["n0"] ** power > np.sqrt(x["m"]) * x["n"])).all()
    rest = {name: x[name] for name in ("gamma", "beta", "d")}
    labels = governing(x["n"], x["m"], x["n0"], np.sqrt(two * end), **rest)
    assert (labels == "NPt")[end > two].all()
    assert (end > two).sum() > 5


def test_corollary_3_3() -> None:
    x = draws()
    log_r = public_source(x["n0"], x["n1"], x["n2"], x["eps"], **shape())
    same(np.minimum(1.0, 1 / value("inverse r 3.3")), np.exp(log_r))
    seen = set()
    for k in range(NUMBER):
        row = {name: float(x[name][k]) for name in ("gamma", "beta", "d")}
        n1, n2 = float(x["n1"][k]), float(x["n2"][k]) * 1e3
        power = (2 * row["beta"] * row["gamma"] + row["d"]) / (2 * row["beta"] + row["d"])
        n0 = n2 ** (0.9 / power)
        found = public_regimes(n0, n1, n2, **row)
        at = {name: x[name][k] for name in shape()} | {"n0": n0, "n1": n1, "n2": n2}
        if found.case == 2:
            same([value("leave 1 for 2", **at), value("free 2", **at)], found.thresholds)
            same(value("free 2 printed", **at), found.printed[1])
        if found.case == 3:
            same(value("leave 1", **at), found.thresholds[0])
            same(value("leave 1 printed", **at), found.printed[0])
        seen.add(found.case)
    assert {2, 3} <= seen


def test_equal_servers_in_ccv() -> None:
    x = draws()
    same(value("D"), homogeneous_D(x["n"], x["m"], x["eps"], smoothness=x["g"]))
    same(value("rate D"), np.minimum(1.0, value("D") ** (-2 * x["g"])))
    gap = value("gap 6", D=value("D")) / value("D") ** (2 * x["g"] + 2)
    np.testing.assert_allclose(gap, 0.0, atol=1e-9)
    same(value("elbow"), elbow(x["n"], x["m"], smoothness=x["g"]))
    costs = privacy_cost(x["n"], x["m"], x["eps"], smoothness=x["g"])
    same(np.maximum(1.0, value("cost")), costs)
    same(value("cost, total fixed"), value("cost"))
    same(value("rate 7"), value("D free") ** (-2 * x["g"]))
    both = value("D private") ** (-2 * x["g"]) + value("rate 7")
    same(value("rate 4 sum"), both)
    for k in range(5):
        found = window(x["n"][k], x["m"][k], smoothness=x["g"][k] + 0.5, integrability=2)
        low, high = (value("elbow", g=g)[k] for g in (x["g"] + 0.5, x["g"]))
        assert found is not None
        same([low, high], [found.lo, found.hi])


def test_powers_in_the_cost_factor() -> None:
    import sympy

    s = letters
    for g in (sympy.Rational(3, 5), sympy.Integer(1), sympy.Rational(5, 2)):
        found = cost_exponents(float(g))
        formula, fixed = (expression(x).subs(s.g, g) for x in ("cost", "cost, total fixed"))
        for letter, form, number in (
            (s.eps, formula, found.epsilon),
            (s.m, formula, found.sites_growing),
            (s.n, formula, found.records),
            (s.m, fixed, found.sites),
        ):
            assert float(sympy.simplify(letter * form.diff(letter) / form)) == pytest.approx(number)


def test_conditions_8_and_9() -> None:
    x, rng = draws(), np.random.default_rng(SEED + 2)
    n = np.exp(rng.uniform(0, 12, (NUMBER, 3)))
    epsilon = np.exp(rng.uniform(-8, 1, (NUMBER, 3)))
    caps = (n * epsilon) ** 2
    first, middle, third = (
        value(name, n=n[:, 0], eps=epsilon[:, 0]) for name in ("first 9", "middle 9", "third 9")
    )
    least = np.minimum(first, third)
    assert (middle >= least * (1 - 1e-12)).all()
    kings, private = 0, 0
    for k in range(NUMBER):
        g = float(x["g"][k])
        D = float(solve_D(n[k], epsilon[k], smoothness=g))
        king = 0 in dominating(n[k], epsilon[k], smoothness=g)
        assert king == (least[k] >= caps[k, 1:].sum() * (1 - 1e-12))
        alone = float(solve_D(n[k, 0], epsilon[k, 0], smoothness=g))
        if king:
            assert alone <= D * (1 + 1e-12) <= alone * 2 ** (1 / (2 * g + 1)) * (1 + 1e-9)
        binds = privacy_binds_everywhere(n[k], epsilon[k], smoothness=g)
        assert binds == (n[k] * epsilon[k] ** 2 <= D * (1 + 1e-12)).all()
        kings, private = kings + king, private + binds
    assert kings > 5
    assert private > 5


def test_elasticities_and_inverse() -> None:
    """-s T / E and s V / Q with the solved roots, against the records' own numbers."""
    rows = [(500, 0.5, 1.0), (20_000, 0.05, 0.8), (4_000, math.inf, 1.3)]
    sites = [
        Server(name=str(k), n=n, epsilon=e, delta=1e-9, signal_exponent=g)
        for k, (n, e, g) in enumerate(rows)
    ]
    b, d = 0.7, 2
    study = TransferStudy(target=sites[0], sources=sites[1:], smoothness=b, dimension=d, margin=1)
    answer = solve(study)
    r = answer.r
    T, e, s = [], [], []
    for n, epsilon, gamma in rows:
        private = n * epsilon**2 * r**d <= 1
        e.append(2 * b * gamma + d + d * private)
        s.append(1 + private)
        T.append(min(n, n**2 * epsilon**2 * r**d) * r ** (2 * b * gamma + d))
    total = sum(x * y for x, y in zip(e, T, strict=True))
    same(answer.elasticity_n, [-x * y / total for x, y in zip(s, T, strict=True)])
    assert sum(T) == pytest.approx(1)
    need = (1 - T[0] - T[2]) / r ** (2 * b * rows[1][2] + d)
    assert max(need, math.sqrt(need) / (0.05 * r ** (d / 2))) == pytest.approx(20_000)
    assert math.sqrt(need) / (20_000 * r ** (d / 2)) == pytest.approx(0.05)
    equal = [Server(name=x.name, n=x.n, epsilon=x.epsilon, delta=1e-9) for x in sites]
    risk = solve(FederatedStudy(servers=equal, smoothness=1.5)).integrated
    D, g = risk.D, 1.5
    V = [min(n**2 * epsilon**2, n * D) for n, epsilon, _ in rows]
    private = [n * epsilon**2 <= D for n, epsilon, _ in rows]
    Q = (2 * g + 2) * D ** (2 * g + 2) - sum(v for v, p in zip(V, private, strict=True) if not p)
    same(risk.elasticity_n, [(1 + p) * v / Q for v, p in zip(V, private, strict=True)])


def test_weights_that_derivations_call_best() -> None:
    rng = np.random.default_rng(SEED + 3)
    q, s, a, b, w = np.exp(rng.normal(0, 1.5, (5, 500, 4)))
    w /= w.sum(-1, keepdims=True)
    top = (q * s**2).sum(-1)
    assert ((w * s).sum(-1) ** 2 / (w**2 / q).sum(-1) <= top * (1 + 1e-12)).all()
    best = q * s
    same((best * s).sum(-1) ** 2 / (best**2 / q).sum(-1), top)
    signs = rng.choice([-1, 1], a.shape)
    parts = [np.where(signs == sign, a**2 / b, 0.0).sum(-1) for sign in (1, -1)]
    ratio = (w * a * signs).sum(-1) ** 2 / (w**2 * b).sum(-1)
    assert (ratio <= np.maximum(*parts) * (1 + 1e-12)).all()
    a[0], b[0] = [1, 1, 1, 1], [1, 1, 1e12, 1e12]
    exact, rough = a * b / (a + b), np.minimum(a, b)  # (13) of [CCV]
    excess = (rough**2 / exact).sum(-1) * exact.sum(-1) / rough.sum(-1) ** 2
    assert ((excess >= 1 - 1e-12) & (excess <= 9 / 8)).all()
    assert excess[0] == pytest.approx(9 / 8)


def test_noise_margin_and_prior() -> None:
    for constant in (ACC_PRINTED, CCV_PRINTED):
        multiplier = printed_multiplier([1.0, 1e3], 1e-5, constant)
        needed = delta_of(multiplier, [1.0, 1e3])
        assert needed[0] < 1e-5
        assert needed[1] > 1 - 1e-9
    side = (np.arange(4000) + 0.5) / 8000  # the middles of a grid on [0, 1/2]
    for t, expected in ((0.3, 17.7), (0.1, 35.3)):
        share = float(np.minimum(1.0, t**4 / side / 0.5).mean())
        formula = 4 * t**4 * (1 + math.log(1 / (4 * t**4)))
        assert share == pytest.approx(formula, rel=2e-3)
        assert formula / t**4 == pytest.approx(expected, abs=0.06)
    assert 1 / math.log(2) - 1 == pytest.approx(0.4427, abs=1e-4)
    x = (np.arange(20_000) + 0.5) / 10_000 - 1
    density = np.cos(math.pi * x / 2) ** 2
    spread = float((x**2 * density).mean() * 2)
    assert spread == pytest.approx(1 / 3 - 2 / math.pi**2, abs=1e-6)
    assert 1 / (math.pi * math.sqrt(spread)) == pytest.approx(0.88, abs=5e-3)
