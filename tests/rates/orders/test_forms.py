"""What is least or largest over a letter, sums that divide: against brute evaluation in logs."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rates import pieces
from rates.numbers import DomainError
from rates.orders import Claim, OrderError, decide, parse

SIZES = ("n", "m", "eps")
POWERS = ("1", "2", "(1/2)", "b", "(2*b+1)", "(b/(b+1))")
Tree = Any  # (number, powers of sizes, power of h) or (kind, trees)
Logs = dict[str, float]


def grown(draw: random.Random, depth: int) -> Tree:
    """Return a random tree with powers of h of all signs."""
    if not depth:
        sizes = {x: draw.choice("+-") + draw.choice(POWERS) for x in draw.sample(SIZES, 2)}
        return draw.choice([1, 2, 8]), sizes, draw.choice(["", "+", "-"]), draw.choice(POWERS)
    kind = draw.choice(["min", "max", "+"])
    return kind, [grown(draw, draw.randint(0, depth - 1)) for _ in range(draw.randint(2, 3))]


def text_of(tree: Tree) -> str:
    if isinstance(tree[0], int):
        number, sizes, side, power = tree
        parts = [str(number), *(f"{x}^({p})" for x, p in sizes.items())]
        return "*".join(parts + ([f"h^({side}{power})"] if side else []))
    texts = list(map(text_of, tree[1]))
    return f"({' + '.join(texts)})" if tree[0] == "+" else f"{tree[0]}({', '.join(texts)})"


def valued(tree: Tree, z: Logs, b: float) -> Tree:
    """Return a tree of lines: of every leaf its height at h = 1, and its slope."""
    if not isinstance(tree[0], int):
        return tree[0], [valued(branch, z, b) for branch in tree[1]]
    number, sizes, side, power = tree
    value = {"1": 1, "2": 2, "(1/2)": 0.5, "b": b, "(2*b+1)": 2 * b + 1, "(b/(b+1))": b / (b + 1)}
    level = sum((1 if p[0] == "+" else -1) * value[p[1:]] * z[x] for x, p in sizes.items())
    return math.log(number) + level, {"": 0, "+": 1, "-": -1}[side] * value[power]


def lines_of(tree: Tree) -> Iterator[tuple[float, float]]:
    if isinstance(tree[0], str):
        for branch in tree[1]:
            yield from lines_of(branch)
    else:
        yield tree


def height(tree: Tree, u: float, total: Callable[[list[float]], float] = max) -> float:
    if not isinstance(tree[0], str):
        return tree[0] + tree[1] * u
    return {"min": min, "max": max, "+": total}[tree[0]]([height(x, u, total) for x in tree[1]])


def logsum(logs: list[float]) -> float:
    return max(logs) + math.log(math.fsum(math.exp(x - max(logs)) for x in logs))


def places(tree: Tree, low: float, high: float, beside: float = 0.0) -> list[float]:
    """Return where leaves meet, some places beside, and the ends."""
    found = itertools.combinations(lines_of(tree), 2)
    meet = [(a - c) / (q - p) for (a, p), (c, q) in found if p != q]
    near = [u + beside * k / 40 for u in meet for k in range(-40, 41 if beside else -39)]
    return [min(max(u, low), high) for u in [*meet, *near, 0.0, low, high]]


def refused_rightly(tree: Tree, kind: str, rule: str) -> bool:
    """What has no end goes on and on far out."""
    side = -1e5 if "go to 0" in rule else 1e5
    lines = valued(tree, dict.fromkeys(SIZES, 100.0), 0.7)
    far = [height(lines, k * side) for k in (1, 2)]
    return far[0] - far[1] > 1e4 if kind == "inf" else far[1] - far[0] > 1e4


def check_least(seed: int) -> bool:
    """One infimum or supremum, at sizes from 2^50 to 2^400; whether it had an order."""
    draw = random.Random(seed)
    tree, kind, best = grown(draw, draw.randint(1, 3)), *draw.choice([("inf", min), ("sup", max)])
    ranged = draw.random() < 0.5
    text = f"{kind}_h({'1/n <= h <= n^b*m, ' if ranged else ''}{text_of(tree)})"
    ends = (-math.inf, math.inf)
    try:
        order = parse(text, sizes=SIZES, exponents=["b"])
    except OrderError as refused:
        if "let h" in refused.rule and not refused_rightly(tree, kind, refused.rule):
            pytest.fail(text)
        return False
    assert parse(str(order), **order.letters) == order, text
    for _ in range(3):
        z = {x: draw.uniform(50, 400) * math.log(2) for x in SIZES}
        b = draw.choice([0.5, 1.0, 2.5])
        ends = (-z["n"], b * z["n"] + z["m"]) if ranged else (-1e6, 1e6)
        lines = valued(tree, z, b)
        brute = best(height(lines, u) for u in places(lines, *ends))
        form = order.at({"b": b})
        logs = form.powers @ [z[x] for x in form.letters] + form.constants
        assert float(pieces.choose(form.tree, logs)[0]) == pytest.approx(brute, abs=1e-6), text
        small = {x: log / 100 for x, log in z.items()}
        ends = (-small["n"], b * small["n"] + small["m"]) if ranged else (-60, 60)
        lines = valued(tree, small, b)
        brute = best(height(lines, u, logsum) for u in places(lines, *ends, beside=2.0))
        value = math.log(order.value({x: math.exp(log) for x, log in small.items()}, {"b": b}))
        assert value == pytest.approx(brute, abs=0.03), text
        logs = form.powers @ [small[x] for x in form.letters] + form.constants
        apart = abs(value - float(pieces.choose(form.tree, logs)[0]))
        assert apart <= math.log(order.sum_factor({"b": b})) + 1e-9, text
    return True


def test_infima_and_suprema_agree_with_brute_search():
    assert sum(map(check_least, range(40))) > 15


def check_claim(seed: int) -> tuple[bool, bool] | None:
    """One claim about an infimum or supremum, right or made wrong: whether right, and decided."""
    draw = random.Random(seed)
    tree, kind, best = grown(draw, draw.randint(1, 2)), *draw.choice([("inf", min), ("sup", max)])
    text, other = f"{kind}_h({text_of(tree)})", text_of((*grown(draw, 0)[:2], "", ""))
    try:
        order = parse(text, sizes=SIZES, exponents=["b"])
        root = parse(f"r = {text}", sizes=SIZES, exponents=["b"], unknown="r").explicit()
        wrong = draw.choice(["{0}", "max({0}, {1})", "min({0}, {1})", "n^(1/2)*({0})", "1/({0})"])
        claim = Claim(order, wrong.format(root, other), draw.choice([(), ("n >= 1",)]))
    except OrderError:
        return None
    b = draw.choice([0.5, 1.0, 2.0])
    found, form = decide(claim, {"b": b}), claim.other.at({"b": b})

    def apart(z: Logs) -> float:
        lines = valued(tree, z, b)
        brute = best(height(lines, u) for u in places(lines, -1e6, 1e6))
        logs = form.powers @ [z[x] for x in form.letters] + form.constants
        return abs(brute - float(pieces.choose(form.tree, logs)[0]))

    logs = [{x: draw.uniform(0 if x == "n" else -9, 9) for x in SIZES} for _ in range(200)]
    most = max(map(apart, logs))
    assert most < 1e-6 if found.holds else most <= math.log(found.constant) + 1e-6, (text, claim)
    if found.counterexample:
        assert apart({x: math.log(v) for x, v in found.counterexample.items()}) > 1e-9, text
    assert found.holds or wrong != "{0}", text
    return wrong == "{0}", found.holds


def test_claims_about_infima_are_decided_as_brute_search_finds():
    found = [both for seed in range(25) if (both := check_claim(seed))]
    assert {(True, True), (False, False)} <= set(found)


@pytest.mark.parametrize("power", ["", "^(-1/2)"])
def test_the_best_count_of_sites_is_that_of_brute_subsets(power):
    text = f"best_k(m, max(1/(k*n), k/(n*eps)^2){power})"
    order = parse(text, sizes=SIZES)
    assert order.latex.startswith(r"\min_{1 \le k \le m} ")
    draw = random.Random(1)
    for _ in range(50):
        n, eps, m = 10 ** draw.uniform(1, 4), 10 ** draw.uniform(-2, 1), draw.randint(1, 60)
        at = {"n": n, "eps": eps, "m": float(m)}
        each = (max(1 / (k * n), k / (n * eps) ** 2) for k in range(1, m + 1))
        brute = min(x**-0.5 for x in each) if power else min(each)
        assert float(order.value(at)) == pytest.approx(brute, rel=1e-12)
        apart = float(order.at({}).value(at)) / brute
        assert 1 / order.sum_factor({}) <= apart <= order.sum_factor({})
    assert decide(
        Claim(parse("best_k(m, k + n/k)", sizes=SIZES), "max(n^(1/2), n/m)", ("n >= 1",)), {}
    ).holds


def test_a_range_is_not_empty_where_a_claim_is_decided():
    order = parse("inf_h(1/n <= h <= 1, 1/h)", sizes=["n"])
    assert decide(Claim(order, "max(1, 1/n)"), {}).holds
    assert math.isnan(float(order.value({"n": 0.5})))
    best = Claim(parse("best_k(m, k)", sizes=["n", "m"]), "1", ("n <= inf_h(1 <= h <= m, h)",))
    assert decide(best, {}).holds
    assert best.notes == (
        "best_k is read with any k, not with whole ones only.",
        "1 <= m is assumed.",
    )
    with pytest.raises(DomainError, match="1 <= m"):
        decide(Claim(best.order, "1", ("m <= 1/2",)), {})


def test_over_sites_sums_divide_and_infima_are_taken():
    order = parse("1/sum_j(1/inf_h(h + n/h))", sizes=["n"], sites=["n"])
    assert float(order.value({"n": [1.0, 4.0]})) == pytest.approx(1 / (1 / 2 + 1 / 4))
    root = parse("r^2*sum_j(n)/(1 + r) = 1", sizes=["n"], sites=["n"], unknown="r")
    assert float(root.value({"n": [1.0, 1.0]})) == pytest.approx(1.0)
    with pytest.raises(OrderError, match="no sum over sites inside"):
        parse("inf_h(h + 1/(h*sum_j(n)))", sizes=["n"], sites=["n"])


def test_an_infimum_in_another_has_places_of_its_own():
    order = parse("best_x(m, max(x, sup_y(x^2)))*inf_h(h + inf_k(k/h + n/k))", sizes=["n", "m"])
    assert order.value({"n": [1.0, 8.0], "m": [3.0, 7.0]}) == pytest.approx([3.0, 6.0])
    assert (
        str(parse("inf_h(h + inf_k(k/h + n/k))", sizes=["n"]).leaves[0].powers) == "(('n', 1/3),)"
    )


def test_a_balance_holds_an_infimum():
    order = parse("n*inf_h(h*r + r^2/h) = 1 + m", sizes=["n", "m"], unknown="r")
    assert str(order.explicit()) == "max(n^(-2/3), n^(-2/3)*m^(2/3))"
    at = {"n": 50.0, "m": 3.0}
    assert float(order.value(at)) == pytest.approx((4 / 50 / 2) ** (2 / 3), rel=1e-9)


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("inf_h(h^b + 1/(n*h))", r"\inf_{h > 0} \left\{h^{b} + \frac{1}{n h}\right\}"),
        ("2*sup_x(x <= n, x)^b", r"2 \sup_{0 < x \le n} \left\{x\right\}^{b}"),
        ("n/(n + m)", r"\frac{n}{n + m}"),
        ("(n + m)^(-1/2)", r"\left(n + m\right)^{-\frac{1}{2}}"),
    ],
)
def test_latex_is_as_typed(text, latex):
    assert parse(text, sizes=SIZES, exponents=["b"]).latex == latex


@pytest.mark.parametrize("seed", range(8))
def test_conditions_with_sums_lose_no_sizes_and_few_are_won(seed):
    draw = random.Random(seed)
    sides = []
    for _ in range(2):
        terms = [
            "*".join(f"{x}^({draw.choice([-2, -1, 1, 2])})" for x in draw.sample(SIZES, 2))
            for _ in range(3)
        ]
        inner = f"({terms[0]} + {terms[1]})^({draw.choice([-1, '1/2', 2])})"
        kind = draw.choice(["{0} + {1}", "max({0}, {1})", "min({0}, {1})", "1/({0} + {1})"])
        sides.append((inner, kind.format(inner, terms[2])))
    text = f"{sides[0][1]} <= {sides[1][1]}"
    (left, right), order = (parse(x[1], sizes=SIZES) for x in sides), parse("n*m*eps", sizes=SIZES)
    choices = Claim(order, "n*m*eps", (text,)).choices
    met = 0
    for _ in range(400):
        at = {x: math.exp(draw.uniform(-2, 2)) for x in SIZES}
        ratio = float(left.value(at) / right.value(at))
        read = any(
            all(parse_value(line, at) <= 1 + 1e-9 for line in choice.lines) for choice in choices
        )
        met += ratio <= 1
        assert read or ratio > 1, (text, at)
        assert not read or ratio <= 64  # two sums on either side, one of them squared
    assert met


def parse_value(line: pieces.Leaf, at: Logs) -> float:
    powers = [(at[x], p) for x, p in line.powers] + [(float(x), p) for x, p in line.factors]
    return math.prod(base ** float(p.as_expr()) for base, p in powers)


def test_what_both_sides_have_as_a_factor_costs_no_constant():
    order = parse("(x + y + z)^3*(1 + x)", sizes=["x", "y", "z"])
    assert decide(Claim(order, "(z + 1*y + x)^3*max(1, x)"), {}).sum_factor == 2
    assert decide(Claim(order, order), {}).sum_factor == 1
    found = decide(Claim(order, "(x + y + z)^2*max(x, y, z)*(1 + x)"), {})
    assert found.sum_factor == pytest.approx(3)
    root = parse("n*r^2 + r = 1", sizes=["n"], unknown="r")
    assert decide(Claim(root, root), {}).sum_factor == 1 < root.sum_factor({})


def test_sums_in_conditions_as_an_example_of_a_neighbour():
    order = parse("x*y", sizes=["x", "y", "N"])
    where = ("x <= 2*N^2 + 1", "y < 3*N + 4", "N >= 1")
    claim = Claim(order, "min(x*y, 32*N^3)", where)
    assert decide(claim, {}).holds
    assert len(claim.notes) == 3
    found = decide(Claim(order, "min(x*y, N^3)", where), {})
    assert (found.holds, found.constant) == (False, 32)
