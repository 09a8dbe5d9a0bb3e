"""Random and mutated texts: an order or a refusal, soon."""

from __future__ import annotations

import gc
import math
import random
import time

from rates.numbers import DomainError
from rates.orders import Inquiry, parse, texts

SIZES = ("n", "m", "n0", "eps")
EXPONENTS = {"beta": None, "gamma": (1, 3), "d": None, "alpha": (-1, 2), "g": None}
SEEDS = (
    "min(A: n0*r^(2*beta+d), n0^2*eps^2*r^(2*beta+2*d)) + m*min(n*r^(beta*gamma+d), r) = 1",
    "min(1, max(n0^(-1/(2*beta+d)), (n0*eps)^(-1/(beta+d))), sqrt(n/m)*1e3)",
    "sum_j(min(n*r^(2*beta*gamma+d), n^2*eps^2*r^(2*(beta*gamma+d)))) = 1",
    "n^(1/(beta+d)+1/(gamma+d)+1/(alpha+g))*(n+m)^(beta*(gamma-1)/(d+g))",
    "max(n*m^2,n0,eps^3)*max(n^2,m^3*n,n0^2,eps)*(n+m^4+n0^3)^2",
    "(n*m)^((beta+gamma+d+g)*(beta+alpha+d)/(beta+1))",
)
PIECES = (
    *("n", "m", "n0", "eps", "r", "beta", "gamma", "d", "alpha", "g", "min(", "max(", "sum_j("),
    *("sqrt(", "(", ")", "^", "**", "*", "/", "+", "-", ",", ":", "=", "1", "2", "0.5", "1e3"),
    *("1e400", "0", "^(", "^(-", "/(", "A:", " ", "²", "α", "_", "'", "[", "lambda", "\x00"),
    *("__import__", ".", "1/2", "\ud800", "\n"),
)


def made(draw: random.Random) -> str:
    """A text from pieces, or a rate with pieces put in, taken out and doubled."""
    kind = draw.random()
    if kind < 0.3:
        return "".join(draw.choices(PIECES, k=draw.randrange(1, 60)))
    if kind < 0.4:
        return draw.choice(("n^%s", "min(n,m)^%s", "n*r^%s = 1")) % power(draw, draw.randrange(4))
    text = draw.choice(SEEDS)
    for _ in range(draw.randrange(4)):
        at, end = sorted(draw.randrange(len(text) + 1) for _ in range(2))
        text = draw.choice(
            (
                text[:at] + draw.choice(PIECES) + text[at:],
                text[:at] + text[min(end, at + 6) :],
                text[:at] + text[at : at + 40] + text[at:],
                text[:at] + draw.choice(SEEDS)[at:end],
            )
        )
    return text


def power(draw: random.Random, depth: int) -> str:
    if depth == 0:
        return draw.choice((*EXPONENTS, "1", "2", "7/3", ".1"))
    return f"({draw.choice('+*/-').join(power(draw, depth - 1) for _ in range(3))})"


def check_texts(seeds: range) -> int:
    """Read texts, and return how many are rates."""
    read, lines, slow = 0, 0, []
    gc.collect()
    gc.disable()  # its pauses are no part of reading
    try:
        for seed in seeds:
            draw = random.Random(seed)
            text, unknown = made(draw), draw.choice((None, "r"))
            sites = ("n", "eps") if "sum_j" in text else ()
            start = time.process_time()
            try:
                order = parse(text, sizes=SIZES, exponents=EXPONENTS, unknown=unknown, sites=sites)
                read += 1
            except DomainError as refused:
                order = None
                lines += str(refused).count("\n")
            if time.process_time() - start > 0.05:
                slow.append(text)
            if order is not None and len(str(order)) <= 500:
                assert parse(str(order), **order.letters) == order, text
    finally:
        gc.enable()
    assert not slow
    assert not lines
    return read


def test_random_texts_are_read_or_refused():
    parse(SEEDS[0], sizes=SIZES, exponents=EXPONENTS, unknown="r")  # what loads once has loaded
    assert check_texts(range(600)) > 20


def test_lines_of_python_keep_letters_that_look_like_numbers() -> None:
    question = Inquiry(text="inf1^(-nan2)", sizes=("inf1",), exponents=(("nan2", (0.0, math.inf)),))
    assert '"nan2": (0.0, float("inf"))' in texts.to_python(question)
    assert '"inf1^(-nan2)"' in texts.to_python(question)
