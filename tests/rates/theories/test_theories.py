"""The table through all theories: by hand on told and untold studies, and its law."""

from __future__ import annotations

import math
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from rates.answer import solve
from rates.study import QUESTIONS, Scope, Study, TransferStudy
from rates.study.scope_rules import THEORIES
from rates.theories import SAYS, Row, theories
from rates.theories.says import DROPPED_IF, HELPS, HELPS_IF, MAY_HARM
from tests.depth import examples
from tests.rates.made import curve, site, transfer

KEYS = ("ACC", "CCV", "KS", "BCMM", "DPLR", "CAC")
CLAIMS = {HELPS, HELPS_IF, MAY_HARM, DROPPED_IF}
HOME = site("Home", 500, delta=1e-7)
FAR = site("Far", 5000, 0.5, 1e-8, signal_exponent=1.2)
OPEN = site("Open", 20_000, math.inf)
SITES = {"records": "one", "overlap": "no", "estimand": "no"}


def told(**answers: str) -> Scope:
    return Scope(answers=tuple(answers.items()))


def says(rows: tuple[Row, ...], theory: str) -> dict[str, str]:
    k = KEYS.index(theory)
    return {row.site: row.cells[k].says for row in rows}


def test_a_classifier_whose_sites_keep_the_side():
    scope = told(same_side="yes", protection="sites", covariates="few", **SITES)
    study = transfer(HOME, FAR, site("Empty", 0), site("Mute", epsilon=0))
    rows = theories(study, scope)
    told_of = dict.fromkeys(("Empty", "Mute"), "adds nothing")
    assert says(rows, "ACC") == {"": "helps", "Home": "target", "Far": "helps", **told_of}
    for theory in ("CCV", "KS", "BCMM", "DPLR"):
        assert set(says(rows, theory).values()) == {"not covered"}
    share = solve(study).shares[1]
    assert f"{100 * share:.2g}%" in rows[2].cells[0].reason
    assert f"sources carry {100 * share:.2g}%" in rows[0].cells[0].reason
    assert "γ = 1.2" in rows[2].cells[0].reason


def test_what_has_not_been_told_is_an_if_or_undecided():
    rows = theories(transfer(HOME, FAR, OPEN), Scope())
    assert says(rows, "ACC") == {"": HELPS_IF, "Home": "target", "Far": HELPS_IF, "Open": HELPS_IF}
    assert says(rows, "CCV")[""] == "not covered"  # the study itself states a classifier
    assert set(says(rows, "KS").values()) == set(says(rows, "BCMM").values()) == {"undecided"}
    assert says(rows, "DPLR")[""] == "not covered"  # d = 2


def test_another_side_of_50_percent_leaves_the_classification_theory():
    rows = theories(transfer(HOME, FAR, d=9), told(same_side="no", protection="sites"))
    assert set(says(rows, "ACC").values()) == {"not covered"}
    assert says(rows, "DPLR") == {"": "may harm", "Home": "target", "Far": "may harm"}
    kept = theories(transfer(HOME, FAR, d=9), told(same_side="yes", protection="sites"))
    assert says(kept, "DPLR") == {"": "dropped if", "Home": "target", "Far": "dropped if"}


def test_open_data_ask_for_the_discrepancy():
    scope = told(protection="open_source", target="one", outcome="binary")
    rows = theories(transfer(HOME, FAR, OPEN), scope)
    sites = {"Home": "target", "Far": "not covered", "Open": "undecided"}
    assert says(rows, "BCMM") == {"": "undecided", **sites}
    assert "discrepancy" in rows[3].cells[3].reason
    assert set(says(theories(transfer(HOME, FAR), scope), "BCMM").values()) == {"not covered"}
    free = transfer(site("Home", 9, math.inf), OPEN)
    assert set(says(theories(free, scope), "BCMM").values()) == {"not covered"}


def test_volunteers_and_population_are_told_apart_by_their_records():
    phones = site("Phones", 1, delta=1e-9, count=10**6)
    scope = told(protection="hybrid", same_side="yes")
    rows = theories(transfer(HOME, phones), scope)
    assert says(rows, "KS") == {"": HELPS_IF, "Home": HELPS_IF, "Phones": "helps"}
    assert set(says(theories(transfer(HOME, FAR), scope), "KS").values()) == {"undecided"}
    two = theories(transfer(HOME, phones, FAR), scope)
    assert set(says(two, "KS").values()) == {"not covered"}  # two centres


def test_columns_of_the_same_people_are_correlated_by_two_sites():
    loose, strict = (replace(HOME, name=name, epsilon=e) for name, e in (("A", 1.0), ("B", 0.05)))
    scope = told(overlap="columns", protection="sites", records="one")
    rows = theories(curve(strict, loose), scope)
    assert says(rows, "CAC") == {"": HELPS, "A": HELPS, "B": HELPS}
    reasons = {row.site: row.cells[KEYS.index("CAC")].reason for row in rows}
    assert "the order of 0.002, and of 0.8" in reasons[""]  # 1/n and 1/(n ε²), n = 500
    assert "speaks first" in reasons["A"]
    assert "is free (bend at ε = 0.0447)" in reasons["B"]
    assert set(says(rows, "CCV").values()) == {"not covered"}
    others = (replace(strict, n=400), loose), (strict,), (strict, loose, HOME)
    for sites in others:  # other people, no second column, a third one
        found = theories(curve(*sites), scope)
        assert set(says(found, "CAC").values()) == {"not covered"}
    untold = theories(curve(strict, loose), told())
    assert set(says(untold, "CAC").values()) == {"undecided"}


numbers = st.sampled_from([0, 1, 40, 3000, 10**6])
budgets = st.sampled_from([0.0, 0.05, 1.0, 8.0, math.inf])
servers = st.tuples(numbers, budgets, st.sampled_from([1, 3]))
scopes = st.fixed_dictionaries(
    {}, optional={key: st.sampled_from(list(q.options)) for key, q in QUESTIONS.items()}
).map(lambda answers: Scope(answers=tuple(answers.items()), prevalence=(0.3, 0.8)))


@st.composite
def studies(draw) -> Study:  # type: ignore[no-untyped-def]
    rows = draw(st.lists(servers, min_size=1, max_size=4))
    sites = [
        site(f"S{k}", n, e, 1e-9, count=count if k else 1) for k, (n, e, count) in enumerate(rows)
    ]
    if draw(st.booleans()):
        return curve(*sites)
    return transfer(*sites, d=draw(st.sampled_from([1, 3, 9])))


def allowed(theory: str, study: Study, scope: Scope) -> bool:
    """Whether a theory allows every answer, and what the study states where none was given."""
    needs = next(t.needs for t in THEORIES if t.key == theory)
    transfer = isinstance(study, TransferStudy)
    d = study.dimension if isinstance(study, TransferStudy) else 1
    size = "one" if d == 1 else "few" if d <= 5 else "many"
    facts = {
        "outcome": "binary" if transfer else "continuous",
        "covariates": size,
        "target": "one" if transfer else "shared",
    }
    answers = {**facts, **dict(scope.answers)}
    if scope.across_half and "prevalence" in needs:
        return False
    alike = transfer and all(s.signal_exponent == 1 for s in study.servers)
    return all(
        answers[q] in needs[q]
        or (theory, q, answers[q], alike) == ("ACC", "target", "shared", True)
        for q in needs
        if q in answers and q != "prevalence"
    )


@given(studies(), scopes)
@examples(150)
def test_nothing_is_said_of_help_or_harm_where_an_assumption_is_broken(study, scope):
    rows = theories(study, scope)
    assert [row.site for row in rows] == ["", *(s.name for s in study.servers)]
    for row in rows:
        assert tuple(cell.theory for cell in row.cells) == KEYS
        for cell in row.cells:
            assert cell.says in SAYS
            assert cell.reason.endswith(".")
            assert cell.source.startswith(f"[{cell.theory}]")
            if not allowed(cell.theory, study, scope):
                assert cell.says == "not covered"
            elif cell.says == "not covered":
                assert cell.theory in ("KS", "BCMM", "CAC")  # roles of the sites decide there
    for row, server in zip(rows[1:], study.servers, strict=True):
        claims = {cell.says for cell in row.cells}
        assert server.informative or not claims & CLAIMS
