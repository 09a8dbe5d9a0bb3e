"""Claims about forms: by hand, against sampling, and certificates that fail once touched."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from rates.numbers import DomainError
from rates.pieces import Form, Leaf
from rates.proofs import ContradictionError, check, combined, decide, exact
from tests.rates.pieces.forms import LETTERS, random_form


def leaf(label: str = "x", number: object = 1, **powers: object) -> Leaf:
    factors = () if number == 1 else ((Fraction(str(number)), Fraction(1)),)
    return Leaf(label, tuple((k, Fraction(str(v))) for k, v in powers.items()), factors)


def form(tree: object, *leaves: Leaf) -> Form:
    letters = dict.fromkeys(x for line in leaves for x, _ in line.powers)
    return Form(tuple(letters), leaves, tree)


def same(rng: random.Random, f: Form) -> Form:
    """The same function with branches in another order, and one twice."""

    def turned(tree: object) -> object:
        if isinstance(tree, int):
            return tree
        kind, branches = tree
        out = [turned(branch) for branch in branches]
        rng.shuffle(out)
        return kind, (*out, out[0])

    return Form(f.letters, f.leaves, turned(f.tree))


N, HALF, ONE = leaf("n", n=1), leaf("n^(1/2)", n="1/2"), leaf("1")
AT_LEAST_2 = leaf("n >= 2", 2, n=-1)


def test_by_hand():
    largest = form(("max", (0, 1)), N, ONE)
    assert decide(largest, form(0, N), [leaf("n >= 1", n=-1)]).holds
    assert decide(largest, form(0, N), [AT_LEAST_2]).holds
    found = decide(largest, form(0, N))
    assert (found.holds, found.constant, found.certificate) == (False, math.inf, None)
    assert found.counterexample == {"n": Fraction(1, 2)}
    # a branch that adds no line
    more = form(("max", (0, ("min", (0, 0, 1)))), N, ONE)
    found = decide(form(0, ONE), more, [leaf("n <= 1", n=1)])
    assert (found.constant, found.counterexample) == (math.inf, {"n": Fraction(1, 2)})
    # 10 n against n differs by 10 everywhere; max(n, n^(1/2)) against n by 4 where n >= 1/16
    found = decide(form(0, leaf("10n", 10, n=1)), form(0, N), [AT_LEAST_2])
    assert (found.constant, found.counterexample) == (10.0, {"n": Fraction(2)})
    low = leaf("n >= 1/16", "1/16", n=-1)
    assert decide(form(("max", (0, 1)), N, HALF), form(0, N), [low]).constant == 4.0
    # no whole power of two between 5 and 7
    between = [leaf("n >= 5", 5, n=-1), leaf("n <= 7", "1/7", n=1)]
    (size,) = decide(form(0, N), form(0, HALF), between).counterexample.values()
    assert 5 <= size <= 7
    # one size fixed, another far off
    fixed = [leaf("n >= 7", 7, n=-1), leaf("n <= 7", "1/7", n=1), leaf("e", "1e290", e=1)]
    found = decide(form(0, leaf(n=1, e=1)), form(0, N), fixed).counterexample
    assert found["n"] == 7
    assert 0 < found["e"] <= Fraction("1e-290")
    # only at the square root of two, which is no fraction
    root = [Leaf("low", (("n", Fraction(-2)),), ((Fraction(2), Fraction(1)),))]
    root += [Leaf("high", (("n", Fraction(2)),), ((Fraction(1, 2), Fraction(1)),))]
    found = decide(form(0, N), form(0, HALF), root)
    assert found.counterexample is None
    assert found.constant == pytest.approx(2**0.25, rel=1e-15)


def test_conditions_that_contradict_each_other_are_named_and_proved():
    loop = [leaf("a <= b", a=1, b=-1), leaf("b <= c", b=1, c=-1), leaf("c <= a/2", 2, c=1, a=-1)]
    with pytest.raises(ContradictionError, match="a <= b and b <= c and c <= a/2") as error:
        decide(form(0, N), form(0, N), [AT_LEAST_2, *loop, leaf("b <= 1", b=1)])
    assert error.value.conditions == ("a <= b", "b <= c", "c <= a/2")
    rows = [
        {"powers": {x: str(p) for x, p in line.powers}, "factors": [("2", "1")][: i == 2]}
        for i, line in enumerate(loop)
    ]
    assert combined(rows, enumerate(error.value.weights)) == ({}, 1)
    for k in range(3):
        assert decide(form(0, N), form(0, N), loop[:k] + loop[k + 1 :]).holds


def test_laws():
    rng = random.Random(5)
    for _ in range(12):
        f, g = (random_form(rng, rng.randint(1, 6), steps=3) for _ in range(2))
        where = [random_form(rng, 1, steps=3).leaves[0] for _ in range(2)]
        assert decide(f, f, where).holds
        assert decide(f, same(rng, f)).holds
        plain = decide(f, g)
        under = decide(f, g, where)
        assert under.holds or not plain.holds
        assert under.constant <= plain.constant
        factors = ((Fraction(3, 7), Fraction(1)),)
        leaves = tuple(Leaf(x.label, x.powers, x.factors + factors) for x in f.leaves)
        scaled = Form(f.letters, leaves, f.tree)
        assert decide(scaled, f, where).constant == pytest.approx(7 / 3, rel=1e-12)


ROWS = [
    {"powers": {"n": "1"}, "factors": []},
    {"powers": {}, "factors": []},
    {"powers": {"n": "-1"}, "factors": []},
    {"powers": {"n": "1"}, "factors": [["10", "1"]]},
]
TRUE = {"weights": [{"1": "1"}, {"0": "1"}, {"2": "1"}]}  # 1 is at most n where 1/n is at most 1


@pytest.mark.parametrize(
    ("first", "where", "weights"),
    [
        pytest.param(0, [2], [{"0": "1"}, {"1": "1"}, {"2": "-1"}], id="negative"),
        pytest.param(0, [2], [{}, {}, {}], id="no weights"),
        pytest.param(0, [2], [{"0": "0"}, {"1": "1"}, {}], id="weights add up to 0"),
        pytest.param(0, [2], [{"1": "1"}, {"1": "1"}, {}], id="a line not above"),
        pytest.param(0, [2], [{"0": "1"}, {"0": "1"}, {}], id="a line not below"),
        pytest.param(0, [2], [{"0": "1"}, {"1": "1"}, {"0": "1"}], id="no condition"),
        pytest.param(0, [2], [{"0": "1"}, {"1": "1"}, {}], id="powers are left"),
        pytest.param(3, [2, 0], [{"3": "1"}, {"1": "1"}, {"0": "1"}], id="a number is left"),
    ],
)
def test_no_cheating(first, where, weights):
    data = {"lines": ROWS, "first": first, "second": 1, "where": where, "above": TRUE}
    if first == 3:
        data["above"] = {"weights": [{"1": "1"}, {"3": "1"}, {"2": "1"}]}
    assert not check({**data, "below": {"weights": weights}})
    honest = {"weights": [{"0": "1"}, {"1": "1"}, {"0": "1"}]}
    assert check({**data, "first": 0, "where": [0, 2], "above": TRUE, "below": honest})


def test_signs_of_logs_are_exact():
    # convergents of log 3 / log 2 come ever closer, from both sides
    convergents = [(1, 1), (2, 1), (3, 2), (8, 5), (19, 12), (65, 41), (84, 53), (485, 306)]
    signs = [exact.sign([Fraction(p), Fraction(-q)], (2, 3)) for p, q in convergents]
    assert signs == [1 if 2**p > 3**q else -1 for p, q in convergents]
    tiny = Fraction(1, 10**60)
    assert exact.sign([Fraction(1) + tiny, Fraction(-1)], (2, 2)) == 1
    assert exact.coprime([12, 18, 35]) == (2, 3, 35)
    two = exact.written([(Fraction(4), Fraction(1, 2)), (Fraction(1, 2), Fraction(1))], (2,))
    assert two == (0,)


def test_many_terms_are_decided_or_refused_and_never_without_end(monkeypatch):
    rng = random.Random(3)
    wide = [leaf(**{x: Fraction(rng.randint(-9, 9), 7) for x in LETTERS}) for _ in range(64)]
    pairs = tuple(("max", (k, k + 1)) for k in range(0, 64, 2))
    turned = tuple(("min", (k, k + 1)) for k in range(1, 63, 2))
    first = Form(LETTERS, tuple(wide), ("min", pairs))
    assert decide(first, same(rng, first)).holds
    monkeypatch.setattr("rates.proofs.search.MOST_STEPS", 50_000)
    box = [leaf(x, "1/1024", **{x: s}) for x in LETTERS for s in (1, -1)]
    with pytest.raises(DomainError, match=r"at most 50,000 steps .* fewer terms, .* 70 terms and"):
        decide(first, Form(LETTERS, tuple(wide), ("max", turned)), box)
