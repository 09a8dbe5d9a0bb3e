"""What lies outside is refused in words; what lies at the ends of the domains is decided."""

from __future__ import annotations

import itertools
import json
import math
import re
from typing import Any

import numpy as np
import pytest

from rates.__main__ import decision_of
from rates.decision import decide, sentences
from rates.numbers import DomainError
from rates.presets import preset
from rates.study import Study
from tests.depth import deep_after
from tests.rates.decision.decided import SMALL, uses
from tests.rates.made import INF, curve, site, transfer
from tests.rates.plan.plan_cases import extreme_study

HOSPITALS = preset("hospitals").study
CURVE = preset("unequal").study


def test_a_number_next_to_nothing_is_given_no_range():
    """Its range lies further off than any factor reaches."""
    weak = transfer(site(), site("B", signal_exponent=1e-320))
    assert "signal_exponent" not in {tip.parameter for tip in decide(weak).tips}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("needed", x) for x in (0, -1, -0.0, 1.1e15, math.nan, INF, "400", True, [400])),
        *(("gain", x) for x in (0.99, 0, -1, math.nan, INF, "2", True)),
        *(("use", x) for x in ("nobody", "", 1, True, ["each"], {})),
        *(("risk", x) for x in ("integrated", "", 1)),
    ],
)
def test_what_is_no_question_is_refused_by_name(field: str, value: Any):
    with pytest.raises(DomainError) as refusal:
        decide(HOSPITALS, **{field: value})
    assert refusal.value.field == field


def test_a_study_has_its_uses_only():
    with pytest.raises(DomainError, match="use must be each or others"):
        decide(CURVE, use="target")
    with pytest.raises(DomainError, match=r"0\.8 at Cleveland"):
        decide(HOSPITALS, use="each")
    assert uses(HOSPITALS) == ["target", "others"]
    for name in ("A", "B"):  # of the target itself the signal exponent is 1
        assert name in {user.name for user in decide(SMALL["2,000 twice"], use="each").users}


NOTHING = [
    transfer(site("A", 0), site("B", 100, 0)),
    curve(site("A", 0, INF, count=7), site("B", 9, 0)),
    curve(*(site(f"S{k}", k, 0.0) for k in range(80))),
]


@pytest.mark.parametrize("study", NOTHING)
@pytest.mark.parametrize("needed", [None, 5.0])
def test_without_records_there_is_nothing_to_run(study: Study, needed: float | None):
    for use in uses(study):
        found = decide(study, use=use, needed=needed)
        verdict = "worth" if use == "others" and needed is None else "no"
        assert (found.worth, found.verdict, found.levers) == ((0.0, 0.0), verdict, ())
        assert sentences(found) == ()


def test_many_rows_of_which_most_release_nothing_are_decided_by_the_rest():
    rows = [site(f"S{k}", 100 + k, 0.0) for k in range(80)]
    found = decide(curve(*rows, site("A", 9_000, INF)))
    assert found.worth == pytest.approx((9_000, 9_000))
    assert found.users[3].worth == pytest.approx((9_103, 9_103))
    assert set(found.stay_out) == {s.name for s in rows}
    assert found.essential == ("A",)


_NO_NUMBER = re.compile(r"(?<![a-z])(nan|inf)(?![a-z])")


@pytest.mark.parametrize("seed", deep_after(5, [34, *range(108)]))  # 34: factors free a row
def test_the_ends_of_the_domains_are_decided(seed):
    """A decision in finite words and strict JSON; warnings are errors here."""
    rng = np.random.default_rng(seed)
    study = extreme_study(rng)
    for use, needed in itertools.product(uses(study), (None, 1e-300, 50.0, 1e15)):
        found = decide(study, use=use, needed=needed, gain=float(rng.choice([1, 1.25, 1e6])))
        told = decision_of(found)
        json.dumps(told, allow_nan=False)
        assert not found.missing
        users = [x for user in found.users for x in (*user.worth, user.equation)]
        assert not any(math.isnan(x) for x in (*found.worth, found.equation, *users))
        assert not any(_NO_NUMBER.search(said["answer"]) for said in told["sentences"])
