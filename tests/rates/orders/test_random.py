"""Random rates and random texts, against an evaluator that shares nothing with the language."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from rates.orders import Order, OrderError, parse

SIZES = ("n", "m", "eps")
EXPONENTS = {"beta": None, "gamma": (1, 3), "d": None}
Numbers = dict[str, float]
RISING: list[tuple[str, Callable[[Numbers], float]]] = [
    ("1", lambda e: 1.0),
    ("2", lambda e: 2.0),
    ("(1/2)", lambda e: 0.5),
    ("beta", lambda e: e["beta"]),
    ("(2*beta+d)", lambda e: 2 * e["beta"] + e["d"]),
    ("(beta*(1+d)/(2*beta*gamma+d))", lambda e: e["beta"] * (1 + e["d"]) / slope(e)),
    ("(gamma-1)", lambda e: e["gamma"] - 1),
    ("(.5*gamma*beta/d)", lambda e: 0.5 * e["gamma"] * e["beta"] / e["d"]),
]
FALLING = [
    ("-1", lambda e: -1.0),
    ("(-1/3)", lambda e: -1 / 3),
    ("(1-gamma)", lambda e: 1 - e["gamma"]),
    ("(-d/(2*beta+d))", lambda e: -e["d"] / (2 * e["beta"] + e["d"])),
    ("(-1/(beta+d)-1/d)", lambda e: -1 / (e["beta"] + e["d"]) - 1 / e["d"]),
]


def slope(e: Numbers) -> float:
    return 2 * e["beta"] * e["gamma"] + e["d"]


@dataclass
class Made:
    """A random rate: its text, its log at logs of sizes, and log and label if sums are maxima."""

    text: str
    log: Callable[[Numbers, Numbers], float]
    led: Callable[[Numbers, Numbers], tuple[float, str]]


class Maker:
    def __init__(self, seed: int, steep: list | None = None) -> None:
        self.draw = random.Random(seed)
        self.steep = steep  # powers of the unknown in every term
        self.leaves = 0

    def leaf(self, label: bool = True) -> Made:
        self.leaves += label
        number = self.draw.choice([1.0, 1.0, 2.0, 0.25, 1e3])
        picked = [
            (letter, *self.draw.choice(RISING + FALLING))
            for letter in self.draw.sample(SIZES, self.draw.randint(0, 3))
        ]
        if self.steep and label:
            picked.append(("r", *self.draw.choice(self.steep)))
        parts = [] if number == 1.0 and picked else [f"{number:g}"]
        text = "*".join(parts + [x if p == "1" else f"{x}^{p}" for x, p, _ in picked])
        name = f"T{self.leaves}"

        def log(z: Numbers, e: Numbers) -> float:
            return math.log(number) + sum(p(e) * z[x] for x, _, p in picked)

        return Made(f"{name}: {text}" if label else text, log, lambda z, e: (log(z, e), name))

    def tree(self, depth: int) -> Made:
        kind = self.draw.choice(["min", "max", "sum", "times", "power"]) if depth else "leaf"
        if kind == "leaf":
            return self.leaf()
        if kind == "times":
            return self.times(self.leaf(label=False), self.tree(depth - 1))
        if kind == "power" and not self.steep:
            return self.power(self.tree(depth - 1))
        kind = "min" if kind == "power" else kind
        return self.join(kind, [self.tree(depth - 1) for _ in range(self.draw.randint(2, 3))])

    def times(self, a: Made, b: Made) -> Made:
        def led(z: Numbers, e: Numbers) -> tuple[float, str]:
            log, label = b.led(z, e)
            return log + a.log(z, e), label

        return Made(f"{a.text}*({b.text})", lambda z, e: a.log(z, e) + b.log(z, e), led)

    def power(self, a: Made) -> Made:
        text, p = self.draw.choice(RISING + FALLING)

        def led(z: Numbers, e: Numbers) -> tuple[float, str]:
            log, label = a.led(z, e)
            return p(e) * log, label

        return Made(f"({a.text})^{text}", lambda z, e: p(e) * a.log(z, e), led)

    def join(self, kind: str, parts: list[Made]) -> Made:
        def log(z: Numbers, e: Numbers) -> float:
            logs = [part.log(z, e) for part in parts]
            if kind == "sum":
                return max(logs) + math.log(math.fsum(math.exp(x - max(logs)) for x in logs))
            return min(logs) if kind == "min" else max(logs)

        def led(z: Numbers, e: Numbers) -> tuple[float, str]:
            found = [part.led(z, e) for part in parts]
            best = found[0]
            for other in found[1:]:
                gap = best[0] - other[0] if kind == "min" else other[0] - best[0]
                if gap > 1e-9:
                    best = other
            return best

        texts = [part.text for part in parts]
        text = f"({' + '.join(texts)})" if kind == "sum" else f"{kind}({', '.join(texts)})"
        return Made(text, log, led)

    def numbers(self) -> tuple[Numbers, Numbers]:
        logs = {letter: self.draw.uniform(-3, 3) for letter in SIZES}
        d, beta = self.draw.uniform(0.5, 3), self.draw.uniform(0.2, 2)
        return logs, {"beta": beta, "gamma": self.draw.uniform(1.1, 2.9), "d": d}


def sizes(logs: Numbers) -> Numbers:
    return {letter: math.exp(log) for letter, log in logs.items()}


def read(text: str, unknown: str | None = None) -> Order | None:
    """Read a text, None if it is longer than we read."""
    try:
        return parse(text, sizes=SIZES, exponents=EXPONENTS, unknown=unknown)
    except OrderError as refused:
        if "at most" not in refused.rule:
            raise
        return None


def check_rate(seed: int) -> None:
    """One rate: what is written parses back; value, what decides and the factor of its sums."""
    maker = Maker(seed)
    made = maker.tree(maker.draw.randint(1, 3))
    if (order := read(made.text)) is None:
        return
    assert len(str(order)) > 500 or parse(str(order), **order.letters) == order, made.text
    for _ in range(3):
        z, e = maker.numbers()
        log, (order_log, label) = made.log(z, e), made.led(z, e)
        if abs(log) < 600:
            assert order.value(sizes(z), e) == pytest.approx(math.exp(log), rel=1e-11), made.text
        assert order.deciding(sizes(z), e) == label, made.text
        assert abs(log - order_log) <= math.log(order.sum_factor(e)) + 1e-9, made.text


def check_balance(seed: int) -> None:
    """One balance: its exact root, the order of its root, the term that gives it, its factor."""
    start = random.Random(seed)
    falling = start.random() < 0.3
    maker = Maker(seed, FALLING if falling else RISING)
    made = maker.tree(start.randint(1, 2))
    text = f"{made.text} = {start.choice(['1', '0.5'])}"
    side = math.log(float(text.rpartition("=")[2]))
    if (order := read(text, "r")) is None:
        return
    assert len(str(order)) > 500 or parse(str(order), **order.letters) == order, text
    z, e = maker.numbers()

    def root(log: Callable[[Numbers, Numbers], float]) -> float:
        low, high = -2e3, 2e3
        for _ in range(60):
            middle = 0.5 * (low + high)
            above = log(z | {"r": middle}, e) > side
            low, high = (low, middle) if above != falling else (middle, high)
        return 0.5 * (low + high)

    exact, tropical = root(made.log), root(lambda z, e: made.led(z, e)[0])
    if abs(exact) < 600:
        assert order.value(sizes(z), e) == pytest.approx(math.exp(exact), rel=1e-10), text
    form = order.explicit()
    if abs(tropical) < 600:
        assert form.value(sizes(z), e) == pytest.approx(math.exp(tropical), rel=1e-10), text
    log, label = made.led(z | {"r": tropical}, e)
    assert log == pytest.approx(side, abs=1e-6)
    assert order.deciding(sizes(z), e) == label, text
    assert abs(exact - tropical) <= math.log(order.sum_factor(e)) + 1e-9, text


@pytest.mark.parametrize("check", [check_rate, check_balance])
def test_random_rates_agree_with_brute_evaluation(check):
    for seed in range(25):
        check(seed)
