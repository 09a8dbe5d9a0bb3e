"""The page of one's own rate without a browser: text, errors, numbers, claims, files."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest

from pages.charts.maps import along, tikz
from pages.orders import asked, data, files, found, views
from rates.numbers import DomainError
from rates.orders import EXAMPLES, inquiry, texts
from rates.orders.inquiry import Inquiry
from rates.orders.sites import own_exponents
from rates.presets import PRESETS
from rates.study import codec
from tests.depth import deep_after
from tests.pages.driver import everything, open_page


def link(question: Inquiry) -> str:
    return codec.pack(inquiry.to_json(question, indent=None))


def plain(**parts: Any) -> str:
    return json.dumps({"version": 1, **parts})


@pytest.mark.parametrize("example", deep_after(3, EXAMPLES), ids=[x.name for x in EXAMPLES])
def test_every_example_opens_by_its_link(example: Inquiry) -> None:
    app = open_page("orders", rate=link(example))
    assert not app.error
    assert "of the order of" in everything(app)


def test_a_typed_rate_is_typeset_and_decided() -> None:
    app = open_page("orders")
    box = next(t for t in app.text_input if t.label.startswith("A rate"))
    box.set_value("max(private: (n*eps)^-1, n^(-b/(2*b+1)))").run()
    assert not app.exception
    shown = everything(app)
    assert r"\max" in shown
    assert r"\varepsilon" in shown
    assert "**term 2** decides" in everything(app)
    # Its letters have come along, each with a slider.
    assert {"n, exact value", "eps, exact value", "b (exponent), exact value"} <= {
        t.label for t in app.text_input
    }


BROKEN = [
    ("n - m", "difference"),
    ("n^m + m", "size"),
    ("(n + m)^-1", "sum"),
    ("min(n, ", "ends"),
    ("__import__('os').system('x')", "column"),
    ("n^1e400", "range"),
    ("0*n", "positive"),
    ("ｎ + 1", "column"),
]


@pytest.mark.parametrize(("text", "word"), BROKEN, ids=[word for _, word in BROKEN])
def test_what_cannot_be_read_is_marked_below_its_column(text: str, word: str) -> None:
    app = open_page("orders", rate=plain(text=text, sizes=["n", "m"]))
    assert len(app.error) == 1
    assert word in app.error[0].value.lower()
    assert "^" in app.code[0].value.splitlines()[-1]
    assert "cannot be read yet" in everything(app)


def test_a_link_that_is_no_rate_is_refused_and_the_usual_one_shown() -> None:
    app = open_page("orders", rate='{"version": 1}')
    assert "could not be opened" in app.error[0].value
    assert EXAMPLES[0].name.split(":")[0] in everything(app)


def test_typed_equations_give_the_engine_s_rates() -> None:
    for preset in PRESETS:
        kind = type(preset.study).__name__
        name = "Transfer" if kind == "TransferStudy" else "A curve"
        example = next(x for x in EXAMPLES if x.name == f"{name}, the current study's sites")
        own = own_exponents(preset.study)
        at = tuple((x, own.get(x, v)) for x, v in example.at)
        app = open_page(
            "orders", rate=link(replace(example, at=at)), study=codec.to_link(preset.study)
        )
        assert "also what the app's own engine says" in everything(app), preset.study


def test_a_range_that_is_none_is_refused_in_words_and_changes_nothing() -> None:
    app = open_page("orders")
    before = everything(app)
    for typed, word in (("beta 0..1", "letter: low to high"), ("d: 3 to 2", "lower end first")):
        box = next(t for t in app.text_input if t.label == "Ranges of exponents")
        box.set_value(typed).run()
        assert not app.exception
        assert word in app.warning[0].value
        assert "Nothing was changed." in app.warning[0].value
        assert before.split("**")[1] in everything(app)
    box = next(t for t in app.text_input if t.label == "Ranges of exponents")
    box.set_value("gamma: 0.5 to 2").run()
    assert not app.warning


def test_lines_of_python_keep_letters_that_look_like_numbers() -> None:
    asked_ = Inquiry(text="inf1^(-nan2)", sizes=("inf1",), exponents=(("nan2", (0.0, math.inf)),))
    assert '"nan2": (0.0, float("inf"))' in texts.to_python(asked_)
    assert '"inf1^(-nan2)"' in texts.to_python(asked_)


def test_measurements_are_read_generously_and_fitted() -> None:
    rows = data.read("n\tmean\terror\n100\t0,1\t0.001\n1000\t0.0316\t0,0003\n10000\t0.01\t")
    assert rows == ((100.0, 0.1, 0.001), (1000.0, 0.0316, 0.0003), (10000.0, 0.01, 0.0))
    fit = data.fitted(tuple((n, n**-0.5, 0.01 * n**-0.5) for n in (1e2, 1e3, 1e4, 1e5)))
    assert fit is not None
    assert fit.slope is not None
    assert fit.slope.value == pytest.approx(-0.5)
    for text, words in (
        ("1;2;3;4", "cells"),
        ("1;x", "mean"),
        ("1;-2", "positive"),
        ("", "at least one row"),
    ):
        with pytest.raises(DomainError, match=words):
            data.read(text)


@pytest.mark.parametrize(
    "example", deep_after(1, (x for x in EXAMPLES if not x.sites)), ids=lambda x: x.name
)
def test_what_is_taken_away_is_whole(example: Inquiry) -> None:
    order = found.read(example).order
    assert order is not None
    for text in (files.tables(example, order), files.drawing(example, order)):
        assert text.isascii()
        assert text.count("{") == text.count("}")
        for name in ("document", "tabular", "axis", "tikzpicture"):
            assert text.count(rf"\begin{{{name}}}") == text.count(rf"\end{{{name}}}")
    lines: dict[str, Any] = {}
    exec(inquiry_lines(example), lines)
    assert str(lines["order"]) == str(order)


def inquiry_lines(example: Inquiry) -> str:
    return "\n".join(x for x in texts.to_python(example).splitlines() if not x.startswith("print"))


def test_measurements_are_drawn_with_their_own_errors() -> None:
    rows = ((10.0, 0.5, 0.1), (20.0, 0.3, 0.4))
    cut = along.Cut(label="n", found=None, here=1.0, points=rows)  # type: ignore[arg-type]
    (mark,) = along._measured(cut)
    assert (mark.x, mark.y, mark.spread.up) == ([10, 20], [0.5, 0.3], [0.1, 0.4])
    assert mark.spread.down == pytest.approx([0.1, 0.2997])  # a log axis has no zero


def test_text_is_escaped_for_latex() -> None:
    assert tikz.escaped("50 % of {a_1} \\ #") == r"50 \% of \{a\_1\} \textbackslash{} \#"
    named = replace(EXAMPLES[0], name="50 %_a")
    assert r"50 \%\_a" in files.tables(named, found.read(named).order)
    assert views.axes(EXAMPLES[0]) == ("eps", "gamma")
    assert asked.RATE.start == EXAMPLES[0]
