"""What a tab says of a run or of a look is what the engine says of what was asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, nan
from typing import Any

import pytest

from pages.adaptation.page import TABS as ADAPTATION
from pages.charts import number, spec, words
from pages.classification.page import TABS as CLASSIFICATION
from pages.columns import TAB as COLUMNS
from pages.core import figure_card, with_lines
from pages.core.live import Tab
from pages.hybrid.page import TABS as HYBRID
from pages.logistic.page import TABS as LOGISTIC
from pages.real.page import TABS as REAL
from pages.regression.page import TABS as REGRESSION
from pages.study.verdict import balance_of as balance
from rates import columns, hybrid
from rates.study import Scope, codec, preset
from sims import bcmm
from sims.engine import Estimate, Point, Progress, fits
from sims.ks import Setup, agrees
from sims.ks.reweighting import one_of
from tests.depth import deep_after
from tests.golden.screens import RUNS
from tests.pages.core.again import cards, run
from tests.pages.driver import answer, everything, finished, is_details, open_page, press, unfold

TABS = [*HYBRID, *ADAPTATION, *LOGISTIC, *CLASSIFICATION, *REGRESSION, COLUMNS]
RUN = {f"{page}_{tab}": run for page, tabs in RUNS.items() for tab, run in tabs.items()}
RUN["columns_errors"] = "n:20000;epsilon_2:0.002,0.003,0.005,0.02,0.12,0.2,1;replicates:30"
FIRST = [
    *("adaptation_rate", "adaptation_closeness", "adaptation_weights", "adaptation_budget"),
    *("columns_errors", "hybrid_needs", "hybrid_run", "hybrid_parity"),
    *("logistic_sources", "logistic_accuracy"),
]


def numbers(key: str, found: Any) -> Iterator[str]:
    """What the engine makes of a run, or of what was asked, in words."""
    if key == "adaptation_rate":
        ratio = bcmm.ratio_at(found, ("ε = 1", 50.0), ("no privacy", 50.0))
        yield f"**{words.around(ratio)}** times that without privacy at n = 50"
    elif key == "adaptation_closeness":
        assert bcmm.readable(found.request.points, found.estimates)[bcmm.SCALAR] == 2
        yield "s = **2** on"
    elif key == "columns_errors":
        yield f"from ε₂ = **{number(columns.bend(20_000))}** by the rate"
        yield f"by the rate, **{number(columns.actual_bend(20_000, 1.0, 0.3))}** by the mechanism"
        for fit in fits(found.request.points, found.estimates):
            yield f"{fit.series.lower()} **{words.slope(fit)}** (rate **−2.000**)"
        yield "one server's column, replaced"
    elif key == "hybrid_needs":
        design = hybrid.HybridDesign(accuracy=0.05, divergence=39.2, dimension=1000)
        asked, simple = hybrid.needs.needs(design), hybrid.needs.chi_square_records(design)
        least = hybrid.needs.weights_must_be(design, 70_000)
        counts = (asked.users_per_test, asked.users, asked.records, simple, least)
        yield from (f"**{words.number(count)}**" for count in counts)
    elif key == "hybrid_run":
        run = one_of(Setup(records=5000, sample=200, rounds=8), 3, 0)
        assert found[0] == run
        yield from (f"**{words.number(x)}**" for x in (run.setup.budgeted, run.users))
    elif key == "hybrid_parity":
        assert not agrees(Point(series="a", x=0, exact=0.5), Estimate(0.7, 0.01, 200))
        yield from ("**39**", "**919**", "**51,900**", "of 6** simulated shares")
    elif key == "logistic_sources":
        kept, every = sum(found.detection.kept), len(found.alike)
        assert found.noise > 1
        yield f"keeps **{kept}** of {every} sources and drops **{every - kept}**"
        yield f"**{100 * found.accuracy['All sources']:.1f}%** with all sources"
    elif key == "logistic_accuracy":
        low, high = (f"{100 * end:.1f}" for end in found.estimates[0].interval())
        yield f"% (95%: {low} to {high}%)**"
    elif key == "logistic_table":
        yield from (words.around(x, "{:.2%}".format) for x in found.estimates)
        yield from ("87.67%", "93.84%", "92.34%", "91.88%")  # printed, and the best that can be


ALONE = sorted((tab for tab in (*TABS, *REAL) if tab.alone), key=lambda tab: tab.key not in FIRST)


@pytest.mark.parametrize("tab", deep_after(len(FIRST), ALONE), ids=lambda tab: tab.key)
def test_a_tab_says_what_the_engine_says(tab: Tab) -> None:
    app, found = open_page(tab.page, tab=tab.id, run=RUN[tab.key]), finished(tab, RUN[tab.key])
    if isinstance(found, Progress):
        press(app, "Run")
    assert answer(app) == tab.answer(found).strip()
    told = " ".join([everything(app), *(table.value.to_string() for table in app.dataframe)])
    assert [text for text in numbers(tab.key, found) if text not in told] == []


# The lines of Python under every figure draw what the page shows, in a process of their own -------


SLOW = {  # tabs that compute for seconds as they open
    *("adaptation_closeness", "columns_errors", "hybrid_alike"),
    *("logistic_accuracy", "regression_rate"),
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
    alone = [(x.page, x.id, RUN[x.key] if x.key in SLOW else "") for x in TABS if x.alone]
    apps = (open_page(page, tab=name, run=run) for page, name, run in alone)
    drawn = (app for app in apps if any(map(is_details, app.get("popover"))))
    texts = again([pair for app in drawn for pair in cards(app)], tmp_path)
    assert {"finished=True" in text for text in texts} == {False, True}
