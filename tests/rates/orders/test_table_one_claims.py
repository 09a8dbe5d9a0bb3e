"""Table 1 as claims: decided at drawn exponents and for all of them; each proof is checked."""

from __future__ import annotations

import json
import math
import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import rates
from rates.orders import Claim, decide, decide_symbolic, drawn, parse
from rates.orders.examples import EPS2, EPS3, ROOT, TERMS
from rates.proofs import check

SIZES = ("n >= 1", "m >= 1", "n <= n0", "n0 <= m*n", "eps <= 1")
ONE = "min(m^(-1/2)/n, 1/n0)"
ELEVEN = "((m^(1/2)*n)^(beta+d)*n0^(-beta*gamma-d))^(1/(beta*(gamma-1)))"
TWENTY_ONE = "n0^((beta*gamma+d)/(2*beta+d))*m^(-1/2)/n"
PRINTED = "n0^((beta*gamma+d)/(beta+d))*m^(-1/2)/n"
STAR = "(m*n)^(1/(2*beta*gamma+d)) >= n0^(1/(2*beta+d))"  # gamma is at most gamma*
SECOND, THIRD = f"{ONE} <= eps <= {EPS2}", f"{EPS2} <= eps <= {EPS3}"
BELOW, ABOVE = (0, 1), (1, math.inf)
CELLS = [  # the range of gamma, where, the term that is said to decide, whether it does
    (BELOW, (f"eps <= {ONE}",), "1", True),
    (BELOW, (SECOND, f"eps <= {ELEVEN}"), "Pt", True),
    (BELOW, (SECOND, f"eps >= {ELEVEN}"), "Ps", True),
    (BELOW, (THIRD,), "NPs", False),  # as printed, reading A
    (BELOW, (THIRD, f"eps <= {ELEVEN}"), "Pt", False),  # reading B
    (BELOW, (THIRD, f"eps <= {TWENTY_ONE}"), "NPt", True),
    (BELOW, (THIRD, f"eps >= {TWENTY_ONE}"), "Ps", True),
    (BELOW, (f"eps >= {EPS3}",), "NPs", True),
    (ABOVE, (STAR, SECOND, f"eps <= {ELEVEN}"), "Ps", True),
    (ABOVE, (STAR, THIRD, f"eps <= {PRINTED}"), "NPt", False),
    (ABOVE, (STAR, THIRD, f"eps <= {TWENTY_ONE}"), "NPt", True),
    (ABOVE, (STAR.replace(">=", "<="), f"eps >= {EPS2}"), "NPt", True),
]


def rate(gamma):
    """The rate of equal sources, explicitly."""
    ranges = {"beta": (0, 1), "gamma": gamma, "d": None}
    return parse(ROOT, sizes=("n", "m", "n0", "eps"), exponents=ranges)


def claim_of(gamma, where, term):
    """That a term is the root r of the equation."""
    return Claim(rate(gamma), TERMS.get(term, term), (*SIZES, *where))


@pytest.mark.parametrize(
    "count",
    [4, pytest.param(60, marks=pytest.mark.deep), pytest.param(500, marks=pytest.mark.slow)],
)
def test_every_cell_is_decided(count):
    for gamma, where, term, right in CELLS:
        claim, wrong = claim_of(gamma, where, term), 0
        for exponents in drawn(claim.order, count, seed=21):
            found = decide(claim, exponents)
            if found.holds:
                assert check(json.loads(json.dumps(found.certificate)))
                continue
            wrong += 1
            shape = {x: float(value) for x, value in exponents.items()}
            sizes = {x: float(value) for x, value in found.counterexample.items()}
            decides = rates.governing(sizes["n"], sizes["m"], sizes["n0"], sizes["eps"], **shape)
            assert str(decides) != term
            true, said = (o.value(sizes, shape) for o in (claim.order, claim.other))
            assert abs(true / said - 1.0) > 1e-6
            assert found.constant == float("inf")
        assert bool(wrong) is not right


@pytest.mark.parametrize("module", ["certificate", "exact"])
def test_the_checker_needs_the_standard_library_alone(module):
    text = (Path(rates.__file__).parent / "proofs" / f"{module}.py").read_text("utf-8")
    imported = re.findall(r"^ *(?:from|import) ([\w.]+)", text, flags=re.M)
    others = {name for name in imported if name.split(".")[0] not in sys.stdlib_module_names}
    assert others <= {"rates.proofs"}


def in_numbers(data, order, exponents):
    """A certificate with letters as one in numbers."""

    def value(text):
        power = parse(f"n^({text})", sizes=["n"], exponents=order.letters["exponents"])
        return str(dict(power.at(exponents).leaves[0].powers).get("n", Fraction(0)))

    def proof(part):
        if "split" in part:
            return {"split": part["split"], "cases": [proof(x) for x in part["cases"]]}
        return {"weights": [{k: value(w) for k, w in side.items()} for side in part["weights"]]}

    lines = [
        {
            "powers": {x: value(p) for x, p in line["powers"].items()},
            "factors": [[base, value(p)] for base, p in line["factors"]],
        }
        for line in data["lines"]
    ]
    return {**data, "lines": lines, "below": proof(data["below"]), "above": proof(data["above"])}


def test_the_corrected_table_1_for_all_exponents_and_sizes():
    for number, (gamma, where, term, right) in enumerate(CELLS):
        claim = claim_of(gamma, where, term)
        found = decide_symbolic(claim)
        assert found.shown is right
        if not right:
            assert not decide(claim, found.fails).holds
            continue
        for exponents in drawn(claim.order, 1, seed=77) if number % 5 == 0 else ():
            assert check(in_numbers(found.certificate, claim.order, exponents))


@pytest.mark.parametrize(
    ("text", "equals", "where", "shown"),
    [
        ("max(n^a, n^b)", "n^a", ("n >= 1",), False),  # holds for a > b only
        ("max(1, n^(a-b))", "1", ("n^a <= n^b",), True),
        ("max(n^-a, 2^a*n^-a)", "2^a*n^-a", (), True),
        ("max(n^-a, 2^(-a)*n^-a)", "2^(-a)*n^-a", (), False),
        ("max(2^a*n, 3^b*n)", "2^a*n", (), False),  # holds for some a and b
        ("n^-a + m^-a", "max(n^-a, m^-a)", (), True),
        ("max(2^(a-20)*n, n)", "n", (), False),  # holds for a up to 20
        ("max(1, n^(-a*b/(a+b)))", "1", ("n^a >= m", "m >= 2"), True),
    ],
)
def test_by_hand(text, equals, where, shown):
    order = parse(text, sizes=["n", "m"], exponents=["a", "b"])
    found = decide_symbolic(Claim(order, equals, where))
    assert found.shown is shown
    assert bool(found.why) is not shown
    for exponents in drawn(order, 5, seed=3) if shown else ():
        assert check(in_numbers(found.certificate, order, exponents))


def test_what_no_sign_shows_is_not_called_proved():
    # a*a - a*b + b*b is positive, but its coefficients have both signs
    order = parse("max(1, n^(a*b-a*a-b*b))", sizes=["n"], exponents=["a", "b"])
    found = decide_symbolic(Claim(order, "1", ("n >= 1",)))
    assert (found.shown, found.fails) == (False, None)
    assert "signs of the weights are not all known" in found.why
    nothing = decide_symbolic(Claim(order, "1", ("n >= 2", "n <= 1")))
    assert (nothing.shown, nothing.certificate) == (False, None)
    assert "No sizes meet" in nothing.why
