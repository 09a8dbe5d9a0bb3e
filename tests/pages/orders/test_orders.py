"""The page of one's own rate without a browser: text, errors, numbers, claims, files."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from typing import Any

import pytest

from pages.charts.maps import along, tikz
from pages.orders import asked, found, page, views
from rates.numbers import DomainError
from rates.orders import EXAMPLES, Said, inquiry, texts
from rates.orders.inquiry import Inquiry
from rates.orders.sites import own_exponents
from rates.presets import PRESETS
from rates.study import codec
from tests.depth import deep_after
from tests.pages.driver import everything, open_page

PLAIN = [example for example in EXAMPLES if not example.sites]


def link(question: Inquiry) -> str:
    return codec.pack(inquiry.to_json(question, indent=None))


@pytest.mark.parametrize("example", deep_after(3, EXAMPLES), ids=[x.name for x in EXAMPLES])
def test_every_example_opens_by_its_link(example: Inquiry) -> None:
    app = open_page("orders", rate=link(example))
    assert not app.error
    assert "of the order of" in everything(app)


def test_a_typed_rate_is_typeset_and_brings_its_letters() -> None:
    app = open_page("orders")
    box = next(t for t in app.text_input if t.label.startswith("A rate"))
    box.set_value("max(private: (n*eps)^-1, n^(-b/(2*b+1)))").run()
    assert not app.exception
    shown = " ".join(str(element.value) for element in app.latex)
    assert r"\max" in shown
    assert r"\varepsilon" in shown
    assert {"n, exact value", "eps, exact value", "b (exponent), exact value"} <= {
        t.label for t in app.text_input
    }


@pytest.mark.parametrize("example", deep_after(2, PLAIN), ids=lambda x: x.name)
def test_the_answer_names_the_term_and_the_value_that_the_engine_finds(example: Inquiry) -> None:
    order = found.order_of(example)
    sizes, exponents = example.split()
    terms = {term.label: term for term in order.explicit().terms}
    label = str(order.deciding(sizes, exponents).item())
    largest = float(order.value(sizes, exponents))
    text = page.answer(example, order)
    assert f"**{found.looks(order)[label].short}** decides" in text.replace("\\", "")
    assert f"**{largest:.3g}**" in text
    assert label in terms
    assert f"Of {len(example.claims)} claims" in text or not example.claims


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
    app = open_page("orders", rate=json.dumps({"version": 1, "text": text, "sizes": ["n", "m"]}))
    assert len(app.error) == 1
    assert word in app.error[0].value.lower()
    assert "^" in app.code[0].value.splitlines()[-1]


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
    for typed, word in (
        ("beta 0..1", "letter: low to high"),
        ("d: 3 to 2", "lower end first"),
        ("gamma: 0.5 to 2", ""),
    ):
        next(t for t in app.text_input if t.label == "Ranges of exponents").set_value(typed).run()
        assert not app.exception
        assert bool(app.warning) == bool(word)
        if word:
            assert word in app.warning[0].value
            assert before.split("**")[1] in everything(app)


def test_lines_of_python_keep_letters_that_look_like_numbers() -> None:
    question = Inquiry(text="inf1^(-nan2)", sizes=("inf1",), exponents=(("nan2", (0.0, math.inf)),))
    assert '"nan2": (0.0, float("inf"))' in texts.to_python(question)
    assert '"inf1^(-nan2)"' in texts.to_python(question)


def test_measurements_are_read_generously_and_fitted() -> None:
    rows = asked.rows_of("n\tmean\terror\n100\t0,1\t0.001\n1000\t0.0316\t0,0003\n10000\t0.01\t")
    assert rows == ((100.0, 0.1, 0.001), (1000.0, 0.0316, 0.0003), (10000.0, 0.01, 0.0))
    level, slope = found.line(tuple((n, 3 * n**-0.5, 0.01) for n in (1e2, 1e3, 1e4, 1e5)))
    assert (math.exp(level), slope) == (pytest.approx(3.0), pytest.approx(-0.5))
    for text, words in (
        ("1;2;3;4", "cells"),
        ("1;x", "mean"),
        ("1;-2", "positive"),
        ("", "at least one row"),
    ):
        with pytest.raises(DomainError, match=words):
            asked.rows_of(text)


def test_measurements_are_drawn_with_their_own_errors() -> None:
    rows = ((10.0, 0.5, 0.1), (20.0, 0.3, 0.4))
    cut = along.Cut(label="n", found=None, here=1.0, points=rows)  # type: ignore[arg-type]
    (mark,) = along._measured(cut)
    assert (mark.x, mark.y, mark.spread.up) == ([10, 20], [0.5, 0.3], [0.1, 0.4])
    assert mark.spread.down == pytest.approx([0.1, 0.2997])  # a log axis has no zero


@pytest.mark.parametrize("example", deep_after(1, PLAIN), ids=lambda x: x.name)
def test_what_is_taken_away_is_whole(example: Inquiry) -> None:
    order = found.order_of(example)
    for text in (page.latex_of(example, order), page.tikz_of(example, order)):
        assert text.isascii()
        assert text.count("{") == text.count("}")
        for name in ("document", "tabular", "axis", "tikzpicture"):
            assert text.count(rf"\begin{{{name}}}") == text.count(rf"\end{{{name}}}")
    lines = texts.to_python(example).splitlines()
    made: dict[str, Any] = {}
    exec("\n".join(line for line in lines if not line.startswith("print")), made)
    assert str(made["order"]) == str(order)


def test_a_claim_s_text_stays_code_whatever_it_holds() -> None:
    claim = Said("n`[a](http://a)`", ("`**b**` <= 1",), "<b>*c*")
    app = open_page("orders", rate=link(replace(EXAMPLES[0], claims=(claim,))))
    (line,) = (
        one.value for one in app.markdown if "the rate is" in one.value and "where" in one.value
    )
    assert "`n'[a](http://a)'` where `'**b**' <= 1`" in line
    assert r"\*c\*" in line


def test_text_is_escaped_for_latex() -> None:
    assert tikz.escaped("50 % of {a_1} \\ #") == r"50 \% of \{a\_1\} \textbackslash{} \#"
    named = replace(EXAMPLES[0], name="50 %_a")
    assert r"50 \%\_a" in page.latex_of(named, found.order_of(named))
    assert views.axes(EXAMPLES[0]) == ("eps", "gamma")


# Questions that somebody changed by hand ----------------------------------------------------------

PIECES = ["", "^", "*", "(", ")", "n", "r", "-", "1e308", "0", "sum_j(", "min(", ",", "eps", " "]
SIZES = [1e-300, 1e300, 1, 0.5, 7, 1e15]
WHERE = [[], ["n <= 1"], ["n >= 2", "n <= 1"], ["eps"], ["n < eps < 1"]]


def changed(rng: random.Random) -> dict[str, Any]:
    """An example with one to three parts that somebody changed."""
    data = inquiry.to_dict(rng.choice(EXAMPLES))
    for _ in range(rng.randint(1, 3)):
        text = data["text"]
        start = rng.randrange(len(text) + 1)
        equals = rng.choice(["n", "1", "r", "max(n,1)", "n^", "d/n"])
        ranges = [[0, 1], [-3, 3], [0.5, 2], [1, "inf"]]
        parts: dict[str, Any] = {
            "text": text[:start] + rng.choice(PIECES) + text[start + rng.randrange(4) :],
            "at": {x: rng.choice(SIZES) for x in data.get("at", {})},
            "axes": rng.sample(data["sizes"], k=min(2, len(data["sizes"]))),
            "spans": {x: rng.choice([[1e-30, 1e30], [1, 2], [5, 1]]) for x in data["sizes"]},
            "claims": [{"equals": equals, "where": rng.choice(WHERE)}],
            "points": [[10.0 ** rng.randrange(9), 0.1, rng.choice([0, 0.1])] for _ in range(3)],
            "rival": rng.choice(["n", "n+1", "q", "1/n^", "eps*n"]),
            "exponents": {x: rng.choice(ranges) for x in data.get("exponents", [])},
            "where": rng.choice(WHERE),
            "unknown": rng.choice(["", "r", "n", "zz"]),
            "sizes": data["sizes"][1:],
        }
        name = rng.choice([*parts])
        data[name] = parts[name]
    return data


@pytest.mark.parametrize("seed", [0, *(pytest.param(k, marks=pytest.mark.deep) for k in (1, 2))])
def test_the_page_answers_in_words_whatever_the_link_holds(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(15 if seed else 6):
        data = changed(rng)
        app = open_page("orders", rate=json.dumps(data))
        for view in rng.sample(["cut", "two", "map"], k=2):
            if app.segmented_control:
                app.segmented_control[0].set_value(view).run()
        if app.toggle:
            app.toggle[0].set_value(True).run()
        assert not app.exception, data
        assert " nan" not in everything(app), data
