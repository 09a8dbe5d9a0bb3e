"""A second reading of the language of rates: trees that are drawn, written, and evaluated in logs.

Nothing of `rates` is used. A tree is ("mono", number, powers), ("pow", tree, power), ("div", a, b),
("mul" "min" "max" "sum", trees), ("log" "exp" "expm1", tree), or
("inf" "sup" "best", letter, low, high, tree).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np

SIZES = ("n", "m", "eps")
FORMS = ("log", "exp", "division", "least", "best", "factored")
Tree = Any
Logs = dict[str, np.ndarray]
Condition = list[list[tuple[Tree, str, Tree]]]  # one of these lists of relations holds
ENDS = 1e4  # in logs, of a letter without a range
POWERS = (-2, -1, -0.5, 0.5, 1, 2)


# -- drawn -------------------------------------------------------------------------------------
def mono(draw: random.Random, letters: tuple[str, ...] = SIZES, most: int = 2) -> Tree:
    """A product of powers."""
    chosen = draw.sample(letters, draw.randint(1, min(most, len(letters))))
    return "mono", draw.choice([1, 1, 1, 2, 8]), {x: draw.choice(POWERS) for x in chosen}


def tree(draw: random.Random, depth: int, kinds: tuple[str, ...], letters: Any = SIZES) -> Tree:
    """A random tree with these kinds of joints."""
    if depth == 0:
        return mono(draw, letters)
    kind = draw.choice(kinds)
    if kind in ("min", "max", "sum", "mul"):
        return kind, [tree(draw, draw.randint(0, depth - 1), kinds, letters) for _ in range(2)]
    below = tree(draw, depth - 1, kinds, letters)
    if kind == "pow":
        return kind, below, draw.choice([-2, -1, -0.5, 0.5, 2])
    if kind == "div":
        return kind, mono(draw, letters), below
    if kind in ("exp", "expm1"):  # of what may be near 1
        return kind, tree(draw, draw.randint(0, 1), ("min", "max"), letters)
    return kind, below


JOINTS = ("min", "max", "sum", "mul", "pow", "div")


def over_letter(draw: random.Random, kind: str, letter: str = "h", depth: int = 2) -> Tree:
    """What is least or largest over a letter."""
    low, high = None, mono(draw, ("m",)) if kind == "best" else None
    if kind == "best":
        high = ("mono", 1, {"m": 1})
    elif draw.random() < 0.5:
        low, high = ("mono", 1, {"n": -1}), ("mono", 1, {"m": 1})
    body = tree(draw, depth, JOINTS, (*SIZES, letter))
    return kind, letter, low, high, ("max" if kind != "sup" else "min", [
        body, ("mono", 1, {letter: draw.choice([1, 2]), "n": 1}),
        ("mono", 1, {letter: draw.choice([-1, -2]), "eps": 1}),
    ][: draw.choice([2, 3, 3])])  # fmt: skip


def of_form(draw: random.Random, form: str) -> Tree:
    """A random tree with one of the new forms in it."""
    depth = draw.randint(1, 3)
    if form in ("log", "exp"):
        its = ("log", "log") if form == "log" else ("exp", "expm1")
        kinds = ("min", "max", "mul", "pow", *its, *(("sum",) if form == "log" else ()))
        return tree(draw, depth, kinds)
    if form == "division":
        return "div", tree(draw, 1, JOINTS), tree(draw, depth, JOINTS)
    if form == "factored":
        parts = [
            (draw.choice(["max", "min", "sum"]), [mono(draw) for _ in range(3)])
            for _ in range(draw.randint(4, 5))
        ]
        return "mul", parts
    kind = "best" if form == "best" else draw.choice(["inf", "sup"])
    found = over_letter(draw, kind, depth=draw.randint(1, 2))
    return found if draw.random() < 0.6 else (draw.choice(["min", "max", "sum", "mul"]),
                                              [found, tree(draw, 1, JOINTS)])  # fmt: skip


# -- written -----------------------------------------------------------------------------------
def text(t: Tree) -> str:
    """A tree as it is typed."""
    kind = t[0]
    if kind == "mono":
        parts = [str(t[1])] if t[1] != 1 or not t[2] else []
        return "*".join(parts + [x if p == 1 else f"{x}^({p})" for x, p in t[2].items()])
    if kind == "pow":
        return f"({text(t[1])})^({t[2]})"
    if kind == "div":
        return f"{text(t[1])}/({text(t[2])})"
    if kind == "mul":
        return "*".join(f"({text(x)})" for x in t[1])
    if kind == "sum":
        return f"({' + '.join(map(text, t[1]))})"
    if kind == "expm1":
        return f"(exp({text(t[1])}) - 1)"
    if kind in ("min", "max", "log", "exp"):
        return f"{kind}({', '.join(map(text, t[1] if kind in ('min', 'max') else t[1:]))})"
    _, letter, low, high, body = t
    if kind == "best":
        return f"best_{letter}({text(high)}, {text(body)})"
    ends = " <= ".join([*([text(low)] if low else []), letter, *([text(high)] if high else [])])
    return f"{kind}_{letter}({f'{ends}, ' if low or high else ''}{text(body)})"


def condition_text(condition: Condition) -> str:
    """A condition as it is typed."""
    return " or ".join(
        " and ".join(f"{text(a)} {sign} {text(b)}" for a, sign, b in every) for every in condition
    )


def has(t: Tree, *kinds: str) -> bool:
    """Whether a kind is somewhere in a tree."""
    return any(one[0] in kinds for one in every(t))


def every(t: Tree) -> Iterator[Tree]:
    """A tree and all in it."""
    yield t
    for part in t[1:]:
        for below in part if isinstance(part, list) else [part]:
            if isinstance(below, tuple):
                yield from every(below)


# -- evaluated ---------------------------------------------------------------------------------
def log_of(t: Tree, z: Logs, sums: bool = True, grid: int = 801) -> np.ndarray:
    """The log of a tree at logs; without sums each is its largest term, and any k may be best."""
    kind = t[0]
    with np.errstate(all="ignore"):
        if kind == "mono":
            start = np.zeros(1) + np.log(float(t[1]))
            return reduce(np.add, (p * z[x] for x, p in t[2].items()), start)
        if kind == "pow":
            return t[2] * log_of(t[1], z, sums, grid)
        if kind == "div":
            return log_of(t[1], z, sums, grid) - log_of(t[2], z, sums, grid)
        if kind in ("mul", "sum", "min", "max"):
            logs = [log_of(x, z, sums, grid) for x in t[1]]
            of = {"mul": np.add, "min": np.minimum, "max": np.maximum, "sum": np.logaddexp}[kind]
            return reduce(np.maximum if kind == "sum" and not sums else of, logs)
        if kind == "log":
            return np.log(np.maximum(1.0, log_of(t[1], z, sums, grid)))
        if kind in ("exp", "expm1"):
            size = np.exp(log_of(t[1], z, sums, grid))
            if kind == "exp" and sums:
                return size
            less = np.where(size > 40.0, size, np.log(np.expm1(np.minimum(size, 50.0))))
            less = np.where(size < 1e-12, log_of(t[1], z, sums, grid), less)
            return np.maximum(0.0, less) if kind == "exp" else less
    return least(t, z, sums, grid)


def least(t: Tree, z: Logs, sums: bool, grid: int) -> np.ndarray:
    """What is least or largest over a letter, by search ever closer to the best places."""
    kind, letter, low, high, body = t
    side = -1.0 if kind == "sup" else 1.0
    flat = reduce(np.add, (0.0 * x for x in z.values()), np.zeros(1))
    low = np.zeros(1) if kind == "best" else log_of(low, z, sums, grid) if low else flat - ENDS
    high = log_of(high, z, sums, grid) if high else flat + ENDS
    low, high = flat + low, flat + high

    def height(u: np.ndarray) -> np.ndarray:
        return side * log_of(body, {**z, letter: u}, sums, grid) + 0.0 * u

    share = np.linspace(0.0, 1.0, grid).reshape((-1,) + (1,) * flat.ndim)
    u, step = low + share * (high - low), (high - low) / (grid - 1)
    for _ in range(8):
        found = height(u)
        best = np.take_along_axis(u, np.argsort(found, axis=0)[:6], axis=0)
        beside = np.linspace(-1.5, 1.5, 31).reshape((-1,) + (1,) * best.ndim) * step
        u = np.clip((best + beside).reshape((-1, *flat.shape)), low, high)
        step = step / 8
    if kind == "best" and sums:
        few = np.log(np.arange(1.0, 65.0)).reshape((-1,) + (1,) * flat.ndim) + flat
        u = np.concatenate([u, few])
        whole = np.floor(np.exp(np.minimum(u, 600.0)) * (1 + 1e-12))
        most = np.floor(np.exp(np.minimum(high, 600.0)) * (1 + 1e-12))
        u = np.log(np.clip(np.concatenate([whole, whole + 1]), 1.0, most))
    return side * height(u).min(axis=0)


def met(condition: Condition, z: Logs, slack: float = 0.0) -> np.ndarray:
    """Where a condition holds, or nearly."""

    def one(a: Tree, sign: str, b: Tree) -> np.ndarray:
        low, high = (log_of(x, z) for x in ((a, b) if sign[0] == "<" else (b, a)))
        return low < high + slack if sign in "<>" and not slack else low <= high + slack

    ways = [reduce(np.logical_and, (one(*x) for x in every)) for every in condition]
    return reduce(np.logical_or, ways)


def logs_of(at: Mapping[str, Any]) -> Logs:
    """The logs of sizes that are fractions, however large."""

    def log2(whole: int) -> float:
        shift = max(0, whole.bit_length() - 60)
        return float(np.log2(whole >> shift)) + shift

    return {
        x: np.array([(log2(v.numerator) - log2(v.denominator)) * np.log(2.0)])
        for x, v in at.items()
    }


def points(rng: np.random.Generator, count: int) -> Logs:
    """Logs of sizes: small, large, far apart, and on lines through one another."""
    z = rng.uniform(-1, 1, (3, count)) * 2.0 ** rng.uniform(-1, 9.5, count)
    z[:2] = np.where(rng.random((2, count)) < 0.7, abs(z[:2]), z[:2])
    powers = rng.choice([-2, -1, -0.5, 0.5, 1, 2], (3, count))
    near = rng.choice([0.0, 0.0, 1.0, -1.0], (2, count)) * np.log(np.maximum(1.0, abs(z[0])))
    z[1] = np.where(rng.random(count) < 0.4, powers[0] * z[0] + near[0], z[1])
    z[2] = np.where(rng.random(count) < 0.4, powers[1] * z[0] + near[1], z[2])
    z[2] = np.where(rng.random(count) < 0.2, powers[2] * z[1] + near[1], z[2])
    z = np.where(rng.random((3, count)) < 0.05, 0.0, z)
    return dict(zip(SIZES, z, strict=True))


# -- certificates --------------------------------------------------------------------------------
def statement(data: Any, z: Logs) -> tuple[np.ndarray, np.ndarray, float]:
    """Where a certificate's conditions hold, how far its sides are apart, and its constant."""
    calls = data.get("calls", {})
    known = dict(z)

    def letter(name: str) -> np.ndarray:
        if name not in known:
            inner = line(calls[name]["line"])
            with np.errstate(all="ignore"):
                less = np.log(np.expm1(np.exp(np.clip(inner, -30, 4))))
                less = np.where(inner < -30, inner, np.where(inner < 4, less, np.exp(inner)))
                is_log = calls[name]["name"] == "log"
                known[name] = np.log(np.maximum(1.0, inner)) if is_log else less
        return known[name]

    def line(k: int) -> np.ndarray:
        one = data["lines"][k]
        if any(Fraction(base) <= 0 for base, _ in one["factors"]):
            raise ValueError("no size")
        start = sum(float(Fraction(p)) * np.log(float(Fraction(b))) for b, p in one["factors"])
        logs = (float(Fraction(p)) * letter(x) for x, p in one["powers"].items())
        return reduce(np.add, logs, np.zeros(1) + start)

    def value(t: Any) -> np.ndarray:
        if isinstance(t, int):
            return line(t)
        return reduce(np.minimum if t[0] == "min" else np.maximum, map(value, t[1]))

    ways = [
        reduce(np.logical_and, (line(k) <= 0.0 for k in part["where"]), np.isfinite(z["n"]))
        for part in data.get("choices", [data])
    ]
    apart = np.abs(value(data["first"]) - value(data["second"]))
    constant = float(np.log(float(Fraction(data.get("constant", "1")))))
    return reduce(np.logical_or, ways), apart, constant
