"""Random and mutated texts: an order or a refusal, soon."""

from __future__ import annotations

import math
import time

from hypothesis import given
from hypothesis import strategies as st

from rates.numbers import DomainError
from rates.orders import Inquiry, parse, texts
from tests.depth import examples

SIZES = ("n", "m", "n0", "eps")
EXPONENTS = {"beta": None, "gamma": (1, 3), "d": None, "alpha": (-1, 2), "g": None}
SEEDS = (
    "min(A: n0*r^(2*beta+d), n0^2*eps^2*r^(2*beta+2*d)) + m*min(n*r^(beta*gamma+d), r) = 1",
    "min(1, max(n0^(-1/(2*beta+d)), (n0*eps)^(-1/(beta+d))), sqrt(n/m)*1e3)",
    "sum_j(min(n*r^(2*beta*gamma+d), n^2*eps^2*r^(2*(beta*gamma+d)))) = 1",
    "n^(1/(beta+d)+1/(gamma+d)+1/(alpha+g))*(n+m)^(beta*(gamma-1)/(d+g))",
    "max(n*m^2,n0,eps^3)*max(n^2,m^3*n,n0^2,eps)*(n+m^4+n0^3)^2",
    "(n*m)^((beta+gamma+d+g)*(beta+alpha+d)/(beta+1))",
    "min(n,m)^(((beta/d-7/3)*(g+.1/alpha)-2)/((d*gamma+g)-(1/beta+g/d)/(gamma-alpha)))",
)
PIECES = (
    *("n", "m", "n0", "eps", "r", "beta", "gamma", "d", "alpha", "g", "min(", "max(", "sum_j("),
    *("sqrt(", "(", ")", "^", "**", "*", "/", "+", "-", ",", ":", "=", "1", "2", "0.5", "1e3"),
    *("1e400", "0", "^(", "^(-", "/(", "A:", " ", "²", "α", "_", "'", "[", "lambda", "\x00"),
    *("__import__", ".", "1/2", "\ud800", "\n"),
)


CHANGES = st.lists(
    st.tuples(st.integers(0, 90), st.integers(0, 6), st.sampled_from(PIECES)), max_size=4
)


@examples(1200)
@given(st.sampled_from(SEEDS), CHANGES, st.sampled_from([None, "r"]))
def test_a_changed_text_is_read_or_refused_soon(text, changes, unknown):
    for at, gone, piece in changes:
        text = text[:at] + piece + text[at + gone :]
    sites = ("n", "eps") if "sum_j" in text else ()
    order, said, start = None, "", time.process_time()
    try:
        order = parse(text, sizes=SIZES, exponents=EXPONENTS, unknown=unknown, sites=sites)
    except DomainError as refused:
        said = str(refused)
    assert time.process_time() - start < 0.2
    assert "\n" not in said
    if order is not None and len(str(order)) <= 500:
        assert parse(str(order), **order.letters) == order


def test_lines_of_python_keep_letters_that_look_like_numbers() -> None:
    question = Inquiry(text="inf1^(-nan2)", sizes=("inf1",), exponents=(("nan2", (0.0, math.inf)),))
    assert '"nan2": (0.0, float("inf"))' in texts.to_python(question)
    assert '"inf1^(-nan2)"' in texts.to_python(question)
