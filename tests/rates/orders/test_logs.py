"""Rates with logarithms and exponentials, against an evaluator in logs of its own."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable

import numpy as np
import pytest

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
        assert "at most" in refused.rule
        return
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
    except DomainError as refused:
        assert "at most" in str(refused)
        return "long"
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
    for seed in range(150):
        check_value(seed)


def test_random_claims_against_points():
    found = [check_claim(seed) for seed in range(60)]
    assert {"True", "False"} <= {*found}
