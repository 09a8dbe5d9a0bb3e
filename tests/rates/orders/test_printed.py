"""The rates that papers print: each is what its paper says; found, and set against each other."""

from __future__ import annotations

import inspect
import math
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from rates.numbers import DomainError
from rates.orders import Inquiry, compare, draft, inquiry, intervals, parse, printed, reading
from rates.orders.printed import BOUNDS, UP_TO
from tests.rates.orders import printed_formulas

ALL = list(printed.printed().values())
FIVE = {"acc", "ccv", "ks", "bcmm", "dplr"}
MODELS = {"central", "local", "shuffle", "federated", "hybrid", "pan-private", "none"}
SHORT = printed_formulas.FORMULAS


def meets(at, where):
    """Whether conditions hold at sizes, by Python's own arithmetic."""
    names = {"log": printed_formulas.log, "sqrt": np.sqrt, **at}
    with np.errstate(all="ignore"):
        return all(eval(text.replace("^", "**"), {}, names) for text in where)


def points(one, count):
    """Draw letters in their spans at which the conditions hold."""
    rng, out = random.Random(one.key), []
    spans = dict(one.asked.spans)
    while len(out) < count:
        ends = {x: map(math.log, spans.get(x, draft.span(x))) for x in one.asked.sizes}
        at = {x: math.exp(rng.uniform(*both)) for x, both in ends.items()}
        for x, (low, high) in one.asked.exponents:
            at[x] = rng.uniform(low + 0.05, min(high, low + 4.0))
        out += [at] if meets(at, one.asked.where) else []
    return out


def test_the_file_holds_fifty_rates_with_sources_and_at_most_twenty_of_the_five_papers():
    assert len(ALL) >= 50
    assert 5 <= sum(one.key.split("-")[0] in FIVE for one in ALL) <= 20
    assert len({one.asked.name for one in ALL}) == len(ALL)
    assert {*SHORT} <= {one.key for one in ALL}


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.key)
def test_each_rate_has_its_shape_and_says_what_its_formula_says(one):
    formula = SHORT.get(one.key) or getattr(printed_formulas, one.key.replace("-", "_"))
    letters = {*one.asked.sizes, *(x for x, _ in one.asked.exponents)}
    assert {*inspect.signature(formula).parameters} == letters
    assert set(one.meanings) == set(one.asked.values) == letters
    assert (one.bound in BOUNDS, one.up_to in UP_TO, one.model in MODELS) == (True, True, True)
    assert all((one.authors, one.venue, one.place, one.privacy, one.measures, one.asked.name))
    assert one.says.endswith(".")
    assert inquiry.from_json(inquiry.to_json(one.asked)) == one.asked
    # In other letters it is the same rate.
    other = one.written({meaning: f"x{k}" for k, meaning in enumerate(one.meanings.values())})
    values = [float(reading.order_of(x).value(*x.split())) for x in (one.asked, other)]
    assert values[0] == pytest.approx(values[1])
    order = reading.order_of(one.asked)
    assert parse(str(order), **order.letters) == order
    checked = 0
    for at in points(one, 15):
        with np.errstate(all="ignore"):
            value = float(formula(**at))
        if not 1e-200 < value < 1e200:
            continue
        sizes, powers = ({x: at[x] for x in part} for part in (one.asked.sizes, order.exponents))
        assert float(order.value(sizes, powers)) == pytest.approx(value, rel=1e-8)
        # What decides is a term of the formula, and with sums as maxima the value is its.
        form, label = order.at(powers), str(order.deciding(sizes, powers))
        assert label in [leaf.label for leaf in form.leaves]
        factor = order.sum_factor(powers) * (1 + 1e-9)
        assert 1 / factor <= float(form.value(sizes)) / value <= factor
        checked += 1
    assert checked >= 8


def test_rates_are_found_by_words_letters_and_source():
    keys = {one.key for one in printed.search("Acharya local")}
    assert keys >= {"akls-2021-sparse", "als-2023-local"}
    assert "asz-2021-tv" not in keys
    hybrid = {one.key for one in ALL if one.key.startswith("ks-")}
    assert {one.key for one in printed.search("chi2 hybrid")} == hybrid
    assert printed.search("ε kroll") == printed.search("eps KROLL")
    with pytest.raises(DomainError, match="no printed rate"):
        printed.one("nobody")


# Beside each other --------------------------------------------------------------------------------


def test_no_verdict_on_a_pair_contradicts_the_numbers():
    place = {one.key: k for k, one in enumerate(ALL)}
    every = ((one, other) for one in ALL for other in compare.related(one.asked))
    pairs = [(one, other) for one, other in every if place[one.key] < place[other.key]]
    counts: Counter[str] = Counter()
    apart = []  # how far the numbers go where there is said to be no bound
    for one, other in pairs[::7]:
        both = compare.between(one, other)
        said = both.verdict
        counts[said] += 1
        if not both.logs and "log" in one.asked.text + other.asked.text:
            continue  # the constant is one up to logarithms
        gaps = log_gaps(both, one.key + other.key)
        if len(gaps):
            apart += [gaps.max()] if said in ("either", "larger") else []
            apart += [-gaps.min()] if said in ("either", "smaller") else []
        if said in ("equal", "smaller"):
            assert (gaps <= math.log(both.constant(first=True)) + 1e-9).all(), (one, other)
        if said in ("equal", "larger"):
            assert (-gaps <= math.log(both.constant(first=False)) + 1e-9).all(), (one, other)
    assert set(counts) >= {"equal", "smaller", "larger", "either"}
    assert counts["open"] <= len(pairs) // 100
    assert sum(far > 1.0 for far in apart) > 0.9 * len(apart) > 30


def log_gaps(both, seed):
    """How far apart both are at sizes within 1e6 of 1 at which the conditions of both hold."""
    rng, out = random.Random(seed), []
    sides = {x: (f"{x} >= 1" in both.where) - (f"{x} <= 1" in both.where) for x in both.sizes}
    for _ in range(60):
        logs = {x: rng.uniform(-14, 14) for x in both.sizes}
        at = {x: math.exp(sides[x] * abs(v) if sides[x] else v) for x, v in logs.items()}
        out += [at] if meets(at, both.where) else []
    at = {x: np.array([one[x] for one in out]) for x in both.sizes}
    with np.errstate(all="ignore"):
        one, other = np.log([order.value(at, both.powers) for order in both.orders])
        return np.where(np.isfinite(one) & np.isfinite(other), one - other, 0.0)


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("narayanan-2022-test", "narayanan-2022-test-fast", "smaller"),
        ("narayanan-2022-test", "narayanan-2022-test-before", "smaller"),
        ("lko-2022-regression", "klsu-2019-product", "equal"),  # ξ and α both are the error
        ("kroll-2021-local", "kroll-2021-free", "larger"),
        ("hu-2023-pure", "hu-2023-concentrated", "either"),
        ("acc-equal", "acc-balance", "equal"),
        ("acc-theorem-3-1", "acc-target", "smaller"),
        ("ajm-2020-central", "ajm-2020-pan", "smaller"),
        ("chhor-2023-private", "chhor-2023-both", "smaller"),
        ("dagan-2020-simple", "dagan-2020-small-d", "either"),
    ],
)
def test_verdicts_by_hand(one, other, said):
    first, second = printed.one(one), printed.one(other)
    assert compare.between(first, second).verdict == said
    turned = {"smaller": "larger", "larger": "smaller"}.get(said, said)
    assert compare.between(second, first).verdict == turned


def test_thresholds_between_two_rates_are_those_by_hand():
    both = compare.between(printed.one("hu-2023-pure"), printed.one("hu-2023-concentrated"))
    found = {x: [(str(c.formula), c.before, c.after) for c in both.changes(x)] for x in both.sizes}
    assert found["eps"] == [("d^(1/2)*n^(-1/2)", "second", "equal")]
    assert found["n"] == [("d*eps^(-2)", "second", "equal")]
    fast = compare.between(printed.one("dagan-2020-simple"), printed.one("dagan-2020-small-d"))
    (change,) = fast.changes("alpha")
    d, eps, at = (fast.values[x] for x in ("d", "eps", "alpha"))
    assert (change.before, change.after) == ("second", "first")
    assert change.at == pytest.approx(1 / d)
    assert fast.at({"alpha": change.at * 0.9}) == "second"
    assert d**2 / (at * eps) + d / at**2 == pytest.approx(
        float(fast.orders[1].value({"d": d, "eps": eps, "alpha": at}, {}))
    )


def test_borders_leave_logarithms_out_on_both_ways_to_them():
    both = compare.between(printed.one("lowy-2023-silo"), printed.one("lowy-2023-shuffled"))
    sizes = {x: both.values[x] for x in both.sizes}
    steps = intervals(both.alike, "eps", sizes, {}, lo=1e-4, hi=10.0)
    assert [step.label for step in steps if step.hi < 0.101] == ["second", "second"]
    assert both.at({"eps": 0.01}) == "second"
    (change,) = both.changes("eps")
    # kappa^2 d/(eps^2 n^2 N) meets kappa/(N n): the price of privacy meets the sampling term.
    assert str(change.formula) == "(kappa*d)^(1/2)*n^(-1/2)"
    assert (change.before, change.after) == ("second", "equal")


def test_where_both_are_within_a_factor_of_two_they_are_about_equal():
    own = Inquiry(text="1/n", sizes=("n",), at=(("n", 100.0),))
    other = Inquiry(text="n^(-1/2)", sizes=("n",), at=(("n", 100.0),))
    alike = compare.Comparison(own, other).alike
    labels = alike.deciding({"n": [0.1, 0.3, 3.9, 4.1]}, {}).tolist()
    assert labels == ["second", "equal", "equal", "first"]


def test_what_cannot_be_compared_is_refused_with_the_reason():
    with pytest.raises(DomainError, match="One is of excess risk"):
        compare.between(printed.one("acc-equal"), printed.one("ccv-global"))
    own = Inquiry(text="n^(-1/d)", sizes=("n",), exponents=(("d", (0.0, 9.0)),), at=(("d", 2.0),))
    with pytest.raises(DomainError, match="d is a size in one rate and an exponent in the other"):
        compare.against(own, printed.one("hu-2023-pure"))
    with pytest.raises(DomainError, match="no size in common"):
        compare.against(Inquiry(text="q", sizes=("q",)), printed.one("hu-2023-pure"))


def test_a_rate_of_one_s_own_is_set_against_those_in_its_letters():
    own = Inquiry(text="d^2/n + d^2/(n*eps)^2", sizes=("d", "n", "eps"), where=("d >= 1",))
    own = draft.completed(own)
    assert {one.key for one in compare.related(own)} >= {"hu-2023-pure", "bgm-2023-saddle"}
    both = compare.against(own, printed.one("hu-2023-pure"))
    assert both.verdict == "larger"
    # Where either is enough, each choice is decided.
    either = replace(own, where=("d >= 1", "d <= 2 or d <= 3"))
    assert compare.against(either, printed.one("hu-2023-pure")).verdict == "equal"
    # A printed one that is opened, and whose numbers are changed, keeps its meanings.
    opened = printed.one("vtj-2022-linear-shuffled").asked
    moved = replace(opened, at=tuple((x, 2 * v) for x, v in opened.at))
    both = compare.against(moved, printed.one("dr-2019-logistic"))
    assert both.values["N"] == 2 * opened.values["N"]
