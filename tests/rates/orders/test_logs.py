"""Rates with logarithms and exponentials, against an evaluator in logs of its own."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable

import pytest

from rates import orders
from rates.numbers import DomainError
from rates.orders import Claim, OrderError, crossings, decide, decide_symbolic, parse
from rates.pieces import choose
from rates.proofs import ContradictionError, check

SIZES = ("n", "m", "eps")
Logs = dict[str, float]
Made = tuple[str, Callable[[Logs], float]]


def product(draw: random.Random) -> Made:
    """A product of powers, and its log at logs of sizes."""
    powers = {x: draw.choice([-2, -1, -0.5, 0.5, 1, 2]) for x in draw.sample(SIZES, 2)}
    text = "*".join(f"{x}^({p})" for x, p in powers.items())
    return text, lambda z: math.fsum(p * z[x] for x, p in powers.items())


def logarithm(draw: random.Random, depth: int) -> Made:
    """The log of a size, of a product, of a maximum, or of something with a log in it."""
    text, of = made(draw, depth - 1) if depth else product(draw)
    return f"log({text})", lambda z: math.log(max(1.0, of(z)))


def made(draw: random.Random, depth: int) -> Made:
    """A random rate."""
    kind = draw.choice(["product", "log", "log", "min", "max", "times", "power"])
    if kind == "product" or (depth == 0 and kind != "log"):
        return product(draw)
    if kind == "log":
        return logarithm(draw, depth)
    (first, one), (second, two) = made(draw, depth - 1), made(draw, depth - 1)
    if kind == "times":
        return f"({first})*({second})", lambda z: one(z) + two(z)
    if kind == "power":
        power = draw.choice([-1, 0.5, 2])
        return f"({first})^({power})", lambda z: power * one(z)
    best = min if kind == "min" else max
    return f"{kind}({first}, {second})", lambda z: best(one(z), two(z))


def sizes_of(z: Logs) -> Logs:
    return {x: math.exp(log) for x, log in z.items()}


def check_value(seed: int) -> None:
    """What is written parses back; values agree at sizes from 2^50 to 2^400 and their inverses."""
    draw = random.Random(seed)
    text, log = made(draw, 2)
    try:
        order = parse(text, sizes=SIZES)
    except OrderError as refused:
        if "at most" in refused.rule:
            return
        raise
    assert len(str(order)) > 500 or parse(str(order), sizes=SIZES) == order, text
    z = {x: draw.choice([-1, 1]) * draw.uniform(50, 400) * math.log(2.0) for x in SIZES}
    form = order.at({})
    found = float(choose(form.tree, form.leaf_logs(sizes_of(z)))[0])
    assert found == pytest.approx(log(z), rel=1e-9, abs=1e-9), text
    if abs(found) < 600.0:
        assert math.log(float(order.value(sizes_of(z)))) == pytest.approx(found, rel=1e-9, abs=1e-9)


WHERE: list[tuple[str, Callable[[Logs], bool]]] = [
    ("n >= 2", lambda z: z["n"] >= math.log(2.0)),
    ("m >= 1", lambda z: z["m"] >= 0.0),
    ("m <= n^2", lambda z: z["m"] <= 2 * z["n"]),
    ("n <= m^2", lambda z: z["n"] <= 2 * z["m"]),
    ("eps <= 1", lambda z: z["eps"] <= 0.0),
    ("eps >= 1/n", lambda z: z["eps"] >= -z["n"]),
    ("eps*log(n) <= 1", lambda z: z["eps"] + math.log(max(1.0, z["n"])) <= 0.0),
]


def points(draw: random.Random) -> Logs:
    """Logs of sizes: small ones, large ones, and far apart ones."""
    scale = 2.0 ** draw.uniform(0, 9)
    z = {x: scale * draw.uniform(-1, 1) for x in SIZES}
    if draw.random() < 0.5:
        z["m"] = z["n"] * draw.choice([0.5, 1, 2])
    if draw.random() < 0.5:
        z["eps"] = draw.choice([0.0, -z["n"], -math.log(max(1.0, z["n"]))])
    return z


def check_claim(seed: int) -> str:
    """A claim that holds is not refuted at any point; one that fails is, ever more, on its path."""
    draw = random.Random(seed)
    (first, one), (second, two) = made(draw, 1), made(draw, 1)
    if draw.random() < 0.5:  # likely to be equal
        second, two = f"max({first}, {second})", lambda z, f=two: max(one(z), f(z))
    held = draw.sample(WHERE, draw.randint(1, 4))
    claim = Claim(parse(first, sizes=SIZES), second, tuple(text for text, _ in held))
    try:
        found = decide(claim, {})
    except ContradictionError:
        return "empty"
    said = f"{first} against {second} where {claim.where}"
    if found.logs is None:
        return "plain"
    if found.holds:
        assert check(found.certificate), said
        slack = math.log(found.constant * found.sum_factor) + 1e-6
        for _ in range(300):
            z = points(draw)
            if all(holds(z) for _, holds in held):
                assert abs(one(z) - two(z)) <= slack, (said, z)
    elif found.holds is False:
        z = {x: float(log2(size)) * math.log(2.0) for x, size in found.counterexample.items()}
        assert all(holds({x: y * (1 + 1e-12) for x, y in z.items()}) or holds(z)
                   for _, holds in held), (said, str(found.ray))  # fmt: skip
        ratios = [abs(ratio) for _, ratio in found.ray.growth]
        assert ratios[-1] > ratios[0], said
        assert abs(one(z) - two(z)) > 0.0, said
        far = found.ray.growth[-1][0]
        there = {x: along(powers, far) for x, powers in found.ray.powers.items()}
        assert one(there) - two(there) == pytest.approx(found.ray.growth[-1][1], rel=1e-3), said
    return str(found.holds)


def along(powers: tuple, s: int) -> float:
    d, e, o = map(float, powers)
    return (d * s + e * math.log2(s) + o) * math.log(2.0)


def log2(size) -> float:
    return math.log2(size.numerator) - math.log2(size.denominator)


def test_values_agree_with_an_evaluator_in_logs():
    for seed in range(100):
        check_value(seed)


def test_random_claims_against_points():
    found = [check_claim(seed) for seed in range(200, 240)]
    assert {"True", "False"} <= {*found}


LARGE = ("n >= 2", "m >= 1")
DECIDED = [  # the rate, what it equals, where; whether that holds, and up to logs
    ("log(n)/n", "1/n", ("n >= 2",), False, True),
    ("max(n^(-1/2), log(n)^5/n)", "n^(-1/2)", ("n >= 2",), True, True),
    ("max(n^(-1/2)*log(n), log(n)^5/n)", "n^(-1/2)", ("n >= 2",), False, True),
    ("log(n*m)", "log(n) + log(m)", LARGE, True, True),
    ("log(n*m)", "log(n) + log(m)", (), False, True),  # m may be 1/n
    ("log(n)", "log(m)", (*LARGE, "m <= n^3", "n <= m^2"), True, True),
    ("log(n)", "log(m)", (*LARGE, "m <= n^3"), False, True),
    ("log(n^3)", "log(n)", (), True, True),
    ("log(n*log(n))", "log(n)", ("n >= 2",), True, True),
    ("max(1/n, m*log(n)/(n*eps)^2)", "1/n", (*LARGE, "n*eps^2 >= m*log(n)"), True, True),
    ("max(1/n, m*log(n)/(n*eps)^2)", "1/n", (*LARGE, "n*eps^2 >= m"), False, True),
    ("n", "m", ("m <= n <= m*log(m)", "m >= 2"), False, True),
    ("n*log(n)", "n", ("1 <= n <= 100",), True, True),
    ("exp(eps) - 1", "eps", ("eps <= 1",), True, True),
    ("exp(eps) - 1", "eps", ("eps >= 1",), False, False),
    ("max(1/n, exp(-m))", "1/n", ("m >= log(n)",), None, None),  # m = log(n) is on no line
    ("max(1/n, exp(-n))", "1/n", (), True, True),
    ("log(n)", "log(n)^2", ("n >= 2 or m <= 1", "n <= 9"), True, True),
]


@pytest.mark.parametrize(("rate", "equals", "where", "holds", "up_to_logs"), DECIDED)
def test_claims_with_logarithms_and_up_to_them(rate, equals, where, holds, up_to_logs):
    claim = Claim(parse(rate, sizes=SIZES), equals, where)
    found = decide(claim, {})
    assert (found.holds, found.logs) == (holds, True)
    assert decide(claim, {}, logs=False).holds == up_to_logs
    assert (
        (found.certificate is None) == (holds is not True) == (not check(found.certificate or {}))
    )
    assert bool(found.why) == (holds is None)


def test_a_misplaced_logarithm_is_never_decided_as_holding():
    for rate, equals, where, holds, _ in DECIDED:
        if holds and "exp" not in rate and not {"1 <= n <= 100", "n <= 9"} & {*where}:
            for power in ("1", "-1", "0.1", "-2"):
                claim = Claim(parse(rate, sizes=SIZES), f"({equals})*log(n)^({power})", where)
                assert decide(claim, {}).holds is not True, (claim.equals, where)


def test_a_certificate_that_was_altered_is_refused():
    order = parse("max(n^(-1/2), log(n*m)^2/n)", sizes=SIZES)
    data = decide(Claim(order, "n^(-1/2)", (*LARGE, "m <= n^2")), {}).certificate
    assert check(data)

    def altered(text: str, new: str, count: int = 1) -> bool:
        changed = json.dumps(data).replace(text, new, count)
        return changed != json.dumps(data) and check(json.loads(changed))

    constant = data["constant"]
    assert not altered(f'"constant": "{constant}"', '"constant": "1"')
    assert not altered('"kind": "log power"', '"kind": "log one"')
    assert not altered('"kind": "log power"', '"kind": "exp below"')
    assert not altered('"name": "log"', '"name": "expm1"')
    assert not altered('"power": "4"', '"power": "8"')
    assert not altered("19", "20", 10**6)
    assert not check({**data, "where": data["where"][:1]})
    assert not check({**data, "cases": {"lemmas": [], "contradiction": {"0": "1"}}})
    for leaf in leaves(data["cases"]):
        kept = leaf["lemmas"]
        if "below" in leaf and kept:
            leaf["lemmas"] = []
            assert not check(data)
            leaf["lemmas"] = kept
    assert check(data)


def leaves(proof: dict) -> list[dict]:
    return [x for one in proof["cases"] for x in leaves(one)] if "split" in proof else [proof]


def test_a_letter_for_a_log_is_refuted_at_sizes_that_occur_alone():
    rate, where = "max(1/n, {0}*log(2)/(n*eps)^2)", ("m >= 1", "n*eps^2 >= {0}^2")
    for letter, holds in (("eps", False), ("log(m)", True)):  # Lp for log p is no letter any more
        given = tuple(text.format(letter) for text in where)
        claim = Claim(parse(rate.format(letter), sizes=SIZES), "1/n", given)
        assert decide(claim, {}).holds is holds


def test_thresholds_with_logarithms():
    order = parse("max(A: 1/n, B: m*log(n)/(n*eps)^2)", sizes=SIZES)
    found = {x: crossings(order, x)[0] for x in SIZES}
    assert {x: (str(c.at), c.up_to_logs) for x, c in found.items()} == {
        "n": ("m*eps^(-2)", True),
        "m": ("n*eps^2/log(n)", False),
        "eps": ("(m*log(n))^(1/2)*n^(-1/2)", False),
    }
    at = {"n": 1e6, "m": 3.0}
    eps = float(found["eps"].at.value(at))
    first, second = (float(parse(x, sizes=SIZES).value({**at, "eps": eps}))
                     for x in ("1/n", "m*log(n)/(n*eps)^2"))  # fmt: skip
    assert first == pytest.approx(second)


def test_what_has_no_meaning_or_no_map():
    for text, words in (
        ("r*log(r) = 1", "root in powers"),
        ("n*r^2 = exp(r)", "root in powers"),
        ("exp(n + m)*r = 1", "sum stands inside exp"),
    ):
        with pytest.raises(OrderError, match=words):
            parse(text, sizes=SIZES, unknown="r")
    with pytest.raises(OrderError, match="logarithm or exponential of h inside"):
        parse("inf_h(h*log(h) + 1/(n*h))", sizes=SIZES)
    order = parse("max(n, exp(eps))", sizes=SIZES)
    for ask in (intervals, regions):
        with pytest.raises(DomainError, match="is no power"):
            ask(order)
    claim = Claim(parse("log(n)^b", sizes=SIZES, exponents=["b"]), "1")
    assert "at given exponents only" in decide_symbolic(claim).why


def intervals(order):
    return orders.intervals(order, "n", {"m": 1, "eps": 1}, {}, lo=1, hi=2)


def regions(order):
    return orders.regions(order, "n", "eps", {"m": 1}, {}, box=((1, 2), (1, 2)))


@pytest.mark.parametrize(
    ("where", "said"),
    [
        (("n < m", "m <= n"), "empty"),
        (("n < m", "m < 2*n"), (False, 2.0)),
        (("bounded m <= 10", "n = 1"), (False, 10.0)),
        (("m bounded", "n = 1"), (False, 2.0)),
        (("n < m or m = 1", "m <= n", "n = 1"), (True, 1.0)),
    ],
)
def test_strict_conditions_and_bounded_letters(where, said):
    claim = Claim(parse("n", sizes=SIZES), "m", where)
    if said == "empty":
        with pytest.raises(ContradictionError):
            decide(claim, {})
        return
    found = decide(claim, {})
    assert (found.holds, found.constant) == said
    if found.counterexample and "<" in where[0].replace("<=", ""):
        assert found.counterexample["n"] < found.counterexample["m"] < 2 * found.counterexample["n"]
