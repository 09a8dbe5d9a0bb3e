"""The page of one's own rate without a browser: text, errors, numbers, claims, files."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import rates
from pages.charts import words
from pages.orders import asked, found, page, shelf, views
from rates.numbers import DomainError, pack
from rates.orders import EXAMPLES, Inquiry, Said, compare, draft, inquiry, printed
from rates.orders.printed import Printed
from rates.orders.reading import own_exponents
from rates.study import PRESETS, codec
from tests.depth import deep_after
from tests.pages.driver import box, choice, enter, everything, lacks, open_page, press, query

ALL = list(printed.printed().values())


def opened(question: Inquiry, **more: str) -> AppTest:
    """The page of a rate of one's own."""
    return open_page("orders", rate=pack(inquiry.to_json(question, indent=None)), **more)


@pytest.mark.parametrize("example", deep_after(3, EXAMPLES), ids=[x.name for x in EXAMPLES])
def test_every_example_opens_by_its_link_with_the_engine_s_term_and_value(example: Inquiry) -> None:
    app = opened(example)
    assert not app.error
    said, order = everything(app).replace("\\", ""), found.order_of(example)
    assert "of the order of" in said
    if not example.sites:
        label = str(order.deciding(*example.split()).item())
        assert f"**{found.shorts(order)[label]}** decides" in said
        assert f"**{words.number(float(order.value(*example.split())))}**" in said
        blocks = found.terms(example, order, "")
        table = next(block.args[0] for block in blocks if hasattr(block, "args"))
        assert list(table["Term"]) == list(found.shorts(order).values())


def test_a_rate_with_logarithms_says_what_it_compares() -> None:
    logs = Inquiry(
        text="max(free: 1/n, private: d*log(n)/(n*eps)^2)",
        sizes=("n", "d", "eps"),
        at=(("n", 1e4), ("d", 20.0), ("eps", 0.1)),
        claims=(Said("1/n", ("n*eps^2 >= d*log(n)",)), Said("n^-1/2", ("log(log(n)) <= 2",))),
    )
    app = opened(logs, tab="claims")
    assert not app.error
    said = everything(app).replace("\\", "")
    assert said.count("Logarithms are compared") == 2
    assert "^-1/2 is the power -1, divided by 2" in said
    assert "Logarithms are left out of borders" in views.map_of(logs).caption
    assert "**private** decides" in said  # log(n) makes it the larger one
    assert "Without logarithms, as on the map, it is **free**" in said


def test_what_cannot_be_read_is_marked_below_its_column() -> None:
    for text, word in (
        *(("n - m", "difference"), ("min(n, ", "ends"), ("n^1e400", "range")),
        ("__import__('os').system('x')", "column"),
    ):
        given = {"version": 1, "text": text, "sizes": ["n", "m"]}
        app = open_page("orders", rate=json.dumps(given))
        (error,) = app.error
        assert word in error.value.lower()
        assert "^" in app.code[0].value.splitlines()[-1]


def test_typed_equations_give_the_engine_s_rates() -> None:
    for preset in PRESETS:
        kind = type(preset.study).__name__
        name = "Transfer" if kind == "TransferStudy" else "A curve"
        example = next(x for x in EXAMPLES if x.name == f"{name}, the current study's sites")
        own = own_exponents(preset.study)
        at = tuple((x, own.get(x, v)) for x, v in example.at)
        app = opened(replace(example, at=at), study=codec.to_link(preset.study))
        engine = rates.solve(preset.study)
        rate = engine.rate if kind == "TransferStudy" else engine.integrated.rate
        assert f"**{words.number(rate)}**" in everything(app), preset.study


def test_a_range_that_is_none_is_refused_in_words_and_changes_nothing() -> None:
    app = open_page("orders", tab="claims")
    before = everything(app)
    for typed in ("beta 0..1", "d: 3 to 2", "gamma: 0.5 to 2"):
        enter(app, box(app, "Ranges of exponents"), typed)
        assert bool(app.warning) == (typed[0] != "g")
        if app.warning:
            assert before.split("**")[1] in everything(app)


def test_a_map_has_a_size_on_one_axis() -> None:
    app = opened(replace(EXAMPLES[0], axes=("beta", "gamma")))
    assert not app.warning
    assert choice(app, "Horizontal axis").value == "beta"
    beside = choice(app, "Vertical axis")
    assert (beside.value, set(beside.options)) == ("n0", {"n0", "ε", "m", "n"})
    # The letter along the first axis stands under the figure, before all others.
    for view, first in (("map", "beta"), ("cut", "n0")):
        app = enter(app, app.button_group(key="rate_view"), view)
        boxes = [one.key for one in app.text_input if one.key.startswith("box_rate_at_")]
        assert boxes[0] == f"box_rate_at_{first}"


def test_a_rate_of_one_s_own_is_told_which_printed_ones_it_bounds() -> None:
    own = Inquiry(text="d/n + d^2/(n*eps)^2", sizes=("d", "n", "eps"), where=("d >= 1",))
    app = opened(own, tab="printed")
    app.toggle(key="rate_related").set_value(True).run()
    rows = dict(shelf.related(draft.completed(own)))
    names = ("A principal component, pure", "A saddle point")
    pure, saddle = (rows[name] for first in names for name in rows if name.startswith(first))
    assert (pure, saddle) == (compare.VERDICTS["equal"], compare.VERDICTS["either"])
    assert any(pure in str(table.value.values) for table in app.dataframe)


def test_what_is_taken_away_is_whole_and_the_paths_of_its_map_cover_it() -> None:
    example = EXAMPLES[-1]
    tables = page.latex_of(replace(example, name="50%_a"), found.order_of(example))
    drawn = page.tikz_of(example)
    assert r"50\%\_a" in tables
    for text in (tables, drawn):
        assert text.isascii()
        assert text.count("{") == text.count("}")
        for name in ("document", "tabular", "axis", "tikzpicture"):
            assert text.count(rf"\begin{{{name}}}") == text.count(rf"\end{{{name}}}")
    area, plane = 0.0, views.plane_of(example)
    for path in re.findall(r"fill=.*coordinates \{(.*)\} -- cycle", drawn):
        corners = np.array(re.findall(r"\(([^,]+),([^)]+)\)", path), dtype=float).T
        x, y = plane.x.parts(corners[0]), plane.y.parts(corners[1])
        area += abs(float(np.sum(x * np.roll(y, 1) - y * np.roll(x, 1)))) / 2
    assert area == pytest.approx(1, abs=1e-3)


def test_a_claim_s_text_stays_code_whatever_it_holds() -> None:
    claim = Said("n`[a](http://a)`", ("`**b**` <= 1",), "<b>*c*")
    app = opened(replace(EXAMPLES[0], claims=(claim,)), tab="claims")
    assert lacks(everything(app), "`n'[a](http://a)'` where `'**b**' <= 1`", r"\*c\*") == []


# Printed rates ------------------------------------------------------------------------------------


@pytest.mark.parametrize("one", deep_after(3, ALL), ids=lambda one: one.key)
def test_every_printed_rate_opens_by_its_key_and_stays_in_the_address(one: Printed) -> None:
    assert asked.RATE.link(one.asked) == {"rate": one.key}
    app = open_page("orders", rate=one.key, tab="printed", against=one.key)
    assert not app.error
    said = everything(app).replace("\\", "")
    assert lacks(said, one.asked.name, one.says) == []
    assert query(app, "rate") == one.key


def test_two_printed_rates_beside_each_other() -> None:
    app = open_page("orders", rate="hu-2023-pure", tab="printed", against="hu-2023-concentrated")
    said = everything(app)
    assert "**Neither is below the other everywhere**" in said
    plane = shelf.plane_of(printed.one("hu-2023-pure").asked, "hu-2023-concentrated")
    assert {label for label, parts in plane.regions.items() if parts} == {"second", "equal"}
    (table,) = (t.value for t in app.table if "Smaller" in t.value)
    falling, rising = "neither, then the printed one", "the printed one, then neither"
    assert list(table["Smaller"]) == [falling, rising, rising]
    figure = shelf.map_of(printed.one("hu-2023-pure").asked, "hu-2023-concentrated")
    assert {m.get("name") for m in figure.figure["data"]} >= {"the printed one", "about equal"}
    # What is opened is no longer compared with itself.
    app = press(app, "Open it above")
    assert query(app, "rate") == "hu-2023-concentrated"
    assert "Neither is below" not in everything(app)


def test_any_rate_of_one_s_own_is_compared_or_told_why_not() -> None:
    many = f"max({', '.join(f'n^{k}*d^{k * k % 7}' for k in range(1, 40))})"
    for text, where, said in (
        ("d/n", ("n <= `x`",), "They cannot be compared"),
        *((text, (), "Neither is below") for text in (many, "d/n + inf_h(h^2 + 1/(n*h))")),
    ):
        own = draft.with_text(Inquiry(text="", sizes=(), where=where), text)
        assert said in everything(opened(own, tab="printed", against="hu-2023-pure"))


def test_a_claim_that_holds_shows_what_it_needs() -> None:
    where = ("n*eps^2 >= 1 or eps >= 1", "n >= 2", "eps <= 1")
    claims = (Said("1/n", where), Said("1/n", ("n >= 2",)))
    at = (("n", 1e4), ("eps", 0.1))
    text = "max(1/n, (n*eps)^(-2))"
    app = opened(Inquiry(text=text, sizes=("n", "eps"), at=at, claims=claims), tab="claims")
    (table,) = (one.value for one in app.table if "Can it go alone?" in one.value)
    assert list(table["Can it go alone?"]) == ["no", "no", "yes"]
    assert list(table["Condition"]) == [f"`{text}`" for text in where]
    *places, none = table["Without it the claim fails at"]
    assert all(re.fullmatch(r"n \\?= .+, eps \\?= .+", text) for text in places), places
    assert none == ""
    said = "It needs 2 of its 3 conditions: `n*eps^2 >= 1 or eps >= 1`, `n >= 2`."
    assert said in everything(app)


def test_an_end_of_an_exponent_s_range_is_allowed_but_for_zero():
    assert asked._exponent(1.0, 3.0).check(1.0) == 1.0
    with pytest.raises(DomainError):
        asked._exponent(0.0, 3.0).check(0.0)
