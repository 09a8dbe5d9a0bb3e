"""Claims with logarithms and exponentials, by hand, and certificates that are altered."""

from __future__ import annotations

import pytest

from rates.numbers import DomainError
from rates.orders import Claim, OrderError, decide, decide_symbolic, parse
from rates.orders.axes import crossings, intervals, regions
from rates.proofs import check

SIZES = ("n", "m", "eps")
LARGE = ("n >= 2", "m >= 1")
DECIDED = [  # the rate, what it equals, where; whether that holds, and up to logs
    ("log(n)/n", "1/n", ("n >= 2",), False, True),
    ("max(n^(-1/2), log(n)^5/n)", "n^(-1/2)", ("n >= 2",), True, True),
    ("max(n^(-1/2)*log(n), log(n)^5/n)", "n^(-1/2)", ("n >= 2",), False, True),
    ("log(n*m)", "log(n) + log(m)", LARGE, True, True),
    ("log(n*m)", "log(n) + log(m)", (), False, True),  # m may be 1/n
    ("log(n)", "log(m)", (*LARGE, "m <= n^3", "n <= m^2"), True, True),
    ("log(n)", "log(m)", (*LARGE, "m <= n^3"), False, True),
    ("max(1/n, m*log(n)/(n*eps)^2)", "1/n", (*LARGE, "n*eps^2 >= m*log(n)"), True, True),
    ("max(1/n, m*log(n)/(n*eps)^2)", "1/n", (*LARGE, "n*eps^2 >= m"), False, True),
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
    assert check(found.certificate or {}) == (found.certificate is not None) == (holds is True)
    assert bool(found.why) == (holds is None)


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
    with pytest.raises(DomainError, match="is no power"):
        intervals(order, "n", {"m": 1, "eps": 1}, {}, lo=1, hi=2)
    with pytest.raises(DomainError, match="is no power"):
        regions(order, "n", "eps", {"m": 1}, {}, box=((1, 2), (1, 2)))
    claim = Claim(parse("log(n)^b", sizes=SIZES, exponents=["b"]), "1")
    assert "at given exponents only" in decide_symbolic(claim).why


@pytest.mark.parametrize(
    ("where", "said"),
    [
        (("n < m", "m < 2*n"), (False, 2.0)),
        (("bounded m <= 10", "n = 1"), (False, 10.0)),
        (("m bounded", "n = 1"), (False, 2.0)),
        (("n < m or m = 1", "m <= n", "n = 1"), (True, 1.0)),
    ],
)
def test_strict_conditions_and_bounded_letters(where, said):
    claim = Claim(parse("n", sizes=SIZES), "m", where)
    found = decide(claim, {})
    assert (found.holds, found.constant) == said
    if found.counterexample and "<" in where[0].replace("<=", ""):
        assert found.counterexample["n"] < found.counterexample["m"] < 2 * found.counterexample["n"]
