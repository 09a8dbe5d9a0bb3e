"""The lines of Python under the figures of tabs with runs draw what the page shows."""

from __future__ import annotations

import pytest

from pages.adaptation.page import TABS as ADAPTATION
from pages.classification.page import TABS as CLASSIFICATION
from pages.core.live import picture
from pages.hybrid.page import TABS as HYBRID
from pages.logistic.page import TABS as LOGISTIC
from pages.regression.page import TABS as REGRESSION
from rates.numbers import DomainError
from tests.pages.core.again import cards, run
from tests.pages.driver import everything, open_page, press

EVERY = (*HYBRID, *ADAPTATION, *LOGISTIC, *CLASSIFICATION, *REGRESSION)
TABS = {tab.key: tab for tab in EVERY}
QUICK = ("hybrid_needs", "hybrid_learner", "adaptation_mixture")
ALONE = [key for key, tab in TABS.items() if tab.alone]
SMALL = {  # tabs that compute for seconds as they open
    "adaptation_closeness": "replicates:4;concept:0,2;public:200;private:2000;budget:5",
    "hybrid_alike": "records:2000;share:0.3,0.6;sample:200;replicates:3;rounds:8",
    "logistic_accuracy": "replicates:2;epsilon:8,inf;sources:4;transferable:2",
    "regression_pointwise": "curves:2;epsilon:0.01,0.1,1;n:1000",
    "regression_rate": "replicates:2;epsilon:0.4,0.7,1,1.6;curves:1;n:3000",
}


def again(keys, folder):
    """Draw the figures of tabs again, as they look when they are opened."""
    pairs = []
    for key in keys:
        small = {"run": SMALL[key]} if key in SMALL else {}
        app = open_page(TABS[key].page, tab=TABS[key].name, **small)
        pairs += cards(app)
    figures, texts = zip(*pairs, strict=True)
    for figure, other in zip(figures, run(texts, folder), strict=True):
        assert other["data"] == figure["data"]
    return texts


@pytest.mark.deep
def test_a_run_a_look_and_what_has_not_begun_are_drawn_again(tmp_path):
    texts = again(QUICK, tmp_path)
    assert ["finished=True" in text for text in texts] == [False, False, True]


@pytest.mark.deep
def test_the_figures_of_every_tab_are_drawn_again(tmp_path):
    again(ALONE, tmp_path)


def test_what_rests_on_a_session_has_no_lines():
    app = open_page("classification", tab="study")
    assert len(app.get("plotly_chart")) == 1
    assert not [code for code in app.code if "svg.draw(" in code.value]


@pytest.mark.deep
def test_changed_controls_are_in_the_lines_and_earlier_numbers_have_none(tmp_path):
    app = press(open_page("hybrid", tab="parity", run="seed:3;replicates:20"), "Run")
    ((figure, text),) = cards(app)
    assert 'asked="replicates:20;seed:3", finished=True' in text
    (other,) = run([text], tmp_path)
    assert other["data"] == figure["data"]
    seed = next(slider for slider in app.select_slider if slider.label == "Seed")
    seed.set_value(seed.options[5]).run()
    assert "Earlier parameters" in everything(app)
    assert not [code for code in app.code if "svg.draw(" in code.value]


def test_a_figure_that_a_tab_does_not_have_is_refused():
    with pytest.raises(DomainError, match=r"The tab has people-asked.*got 'other'"):
        picture(TABS["hybrid_needs"], "other")
