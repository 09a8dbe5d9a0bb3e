"""The lines of Python under every figure draw what the page shows, in a process of their own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import inf, nan

import pytest

from pages.adaptation.page import TABS as ADAPTATION
from pages.charts import spec
from pages.classification.page import TABS as CLASSIFICATION
from pages.columns import TAB as COLUMNS
from pages.core import figure_card, with_lines
from pages.hybrid.page import TABS as HYBRID
from pages.logistic.page import TABS as LOGISTIC
from pages.regression.page import TABS as REGRESSION
from pages.study.verdict import balance_of as balance
from rates.study import Scope, codec, preset
from tests.pages.core.again import cards, run
from tests.pages.driver import is_details, open_page, unfold

TABS = [*HYBRID, *ADAPTATION, *LOGISTIC, *CLASSIFICATION, *REGRESSION, COLUMNS]
SMALL = {  # tabs that compute for seconds as they open
    "adaptation_closeness": "replicates:4;concept:0,2;public:200;private:2000;budget:5",
    "columns_errors": "n:2000;epsilon_2:0.01,0.1,1;replicates:4",
    "hybrid_alike": "records:2000;share:0.3,0.6;sample:200;replicates:3;rounds:8",
    "logistic_accuracy": "replicates:2;epsilon:8,inf;sources:4;transferable:2",
    "regression_rate": "replicates:2;epsilon:0.4,0.7,1,1.6;curves:1;n:3000",
}


def shown():
    """Every figure of the pages without runs."""
    for page in ("overview", "study", "resolution"):
        yield from cards(open_page(page))
    yield from cards(unfold(open_page("statements"), "1. "))
    for tab in ("unknown", "alternatives"):
        yield from cards(open_page("fit", tab=tab))
    app = open_page("study")
    app.segmented_control(key="view").set_value("shares").run()
    yield from cards(app)
    yield from cards(open_page("phases"))
    folded = with_lines(balance, preset("unequal").study, "integrated")
    yield json.loads(spec.Sent(folded.figure).to_json()), folded.lines()


def again(pairs, folder):
    """Draw the figures of pages again by their lines, which are returned."""
    figures, texts = zip(*pairs, strict=True)
    for figure, other in zip(figures, run(texts, folder), strict=True):
        assert figure is None or other["data"] == figure["data"]
    return texts


def test_the_lines_of_every_figure_draw_it_again(tmp_path):
    again(shown(), tmp_path)
    assert (tmp_path / "shares.svg").read_text().startswith("<svg")


@pytest.mark.deep
def test_the_lines_of_the_plans_figures_draw_them_again(tmp_path):
    other = codec.to_link(preset("unequal").study)
    pairs = []
    for tab in ("levers", "causes"):
        pairs += cards(open_page("plan", study=other, plan="goal:rate", tab=tab))
    texts = again(pairs, tmp_path)
    assert {"lever", "causes"} <= {text.split('Path("')[-1].split(".svg")[0] for text in texts}


@dataclass(frozen=True)
class Toy:
    """A record of a test."""

    name: str
    x: float = 1.0
    within: tuple[Toy, ...] = ()


@pytest.mark.parametrize("value", [inf, 1e-300, "it's", '"', "'\"\\\n", (), (1,), (True, None)])
def test_a_value_is_written_as_it_is(value):
    assert eval(figure_card.source(value, set()), {"inf": inf}) == value


def test_a_record_leaves_out_what_is_usual_and_breaks_where_it_is_long():
    imports = set()
    inner = tuple(Toy(name="y" * 30, x=float(k)) for k in range(3))
    text = figure_card.source(Toy(name="a", within=inner), imports)
    assert text.splitlines()[:3] == ["Toy(", '    name="a",', "    within=("]
    assert "x=1.0" not in text
    assert eval(text, {"Toy": Toy}) == Toy(name="a", within=inner)
    assert figure_card.source(Scope(smoothness=None), imports) == "Scope()"
    assert "from rates.study import Scope" in imports
    assert figure_card.source(nan, imports) == "nan"
    with pytest.raises(TypeError, match="list has no lines"):
        figure_card.source([], imports)


@pytest.mark.deep
def test_the_figures_of_every_tab_are_drawn_again(tmp_path):
    """A run, a look, and what has not begun."""
    alone = [(tab.page, tab.id, SMALL.get(tab.key, "")) for tab in TABS if tab.alone]
    apps = (open_page(page, tab=name, run=run) for page, name, run in alone)
    drawn = (app for app in apps if any(map(is_details, app.get("popover"))))
    texts = again([pair for app in drawn for pair in cards(app)], tmp_path)
    assert {"finished=True" in text for text in texts} == {False, True}
