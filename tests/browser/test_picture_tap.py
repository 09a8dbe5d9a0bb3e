"""The budget tap in a browser: text and geometry against the engine, keys, and release."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pages.charts import words
from pages.pictures import sites as tap
from rates.answer import privacy_cost
from rates.plan import in_house
from rates.study import preset
from tests.browser.helpers import check_axe, example, linked
from tests.rates.split.test_pipes import doubled

# Presses the sites in this order; after each, what the picture shows.
PRESS = """order => order.map(k => {
    const boxes = [...document.querySelectorAll(".picture .taps > *")];
    if (k !== null) boxes[k].click();
    const text = of => of.innerText.replace(/\\s+/g, " ").trim();
    const pipes = [...document.querySelectorAll(".picture .pipe")];
    return {
        total: text(document.querySelector(".picture .out .said")),
        news: text(document.querySelector(".picture .out p:last-child")),
        boxes: boxes.map(text),
        alt: document.querySelector(".picture .tap svg").getAttribute("aria-label"),
        widths: pipes.map(one => Number(/v ([\\d.e-]+)/.exec(one.getAttribute("d"))[1])),
        private: pipes.map(one => one.classList.contains("privacy")),
        end: Number(document.querySelector(".picture .tap rect").getAttribute("height")),
        tall: boxes.reduce((all, box) => all + parseFloat(box.style.height), 0),
    };
})"""
TAP = ".picture .tap"


def number_of(text: str) -> float:
    """A number that the script wrote."""
    digits, _, power = text.strip(" .").replace(",", "").partition(" × 10")
    return float(digits) * 10.0 ** int(power.translate(RAISED) or 0)


RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


@pytest.mark.parametrize("key", ["regional", "unequal", "unprotected"])
def test_two_hundred_states_equal_the_engine(walk, key):
    visitor = walk(example(key, "plan"))
    visitor.expect(preset(key).study.servers[0].name)
    visitor.page.locator(TAP).wait_for()
    study, draw = in_house(preset(key).study), random.Random(36)
    risk = privacy_cost(study)[0].risk
    found = tap.taps_of(study, risk)
    open_ = [k for k, step in enumerate(found.steps) if step]
    order = [None, *draw.choices(open_, k=200)]
    times, before = [0] * len(found.steps), None
    for pressed, shown in zip(order, visitor.page.evaluate(PRESS, order), strict=True):
        if pressed is not None:
            times[pressed] = (times[pressed] + 1) % found.stops
        choice = sum(n * step for n, step in zip(times, found.steps, strict=True))
        cost = privacy_cost(doubled(study, found, choice))[0]
        worth = [each.answer.effective_n for each in cost.mechanism]
        answer = cost.mechanism[len(worth) // 2].answer
        assert shown["total"] == words.extremes(worth)
        for k, share in enumerate(answer.shares):
            assert shown["widths"][k] / shown["end"] == pytest.approx(share, rel=1e-2)
            adds = shown["alt"].partition(f"{study.servers[k].name} ")[2].split(";")[0]
            assert number_of(adds) == pytest.approx(answer.effective_n * share, rel=6e-3)
        assert shown["private"] == [limit == "privacy" for limit in answer.limited_by]
        assert shown["tall"] == pytest.approx(50 * len(times) + 150, abs=0.5)
        if pressed is not None:
            gain = answer.effective_n - before
            sign = "−" if gain < 0 else "+"
            name = study.servers[pressed].name
            budget = study.servers[pressed].epsilon * 2 ** times[pressed]
            said = f"{name}, ε = {words.number(budget)}: {sign}"
            assert shown["news"].startswith(said)
            told = number_of(shown["news"].removeprefix(said).split()[0])
            assert told == pytest.approx(abs(gain), rel=1e-2, abs=2e-5 * answer.effective_n)
            assert words.number(budget) in shown["boxes"][pressed]
        before = answer.effective_n
    visitor.check()


@pytest.mark.parametrize("screen", [{}, {"width": 400, "scheme": "dark"}], ids=["wide", "narrow"])
def test_keys_play_it_and_what_is_used_goes_into_study_address_and_numbers(visit, screen):
    visitor = visit(example("hospitals", "plan"), **screen)
    study = preset("hospitals").study
    site = visitor.page.locator(f"{TAP} button", has_text="Cleveland")
    use = visitor.page.get_by_role("button", name="Use these budgets")
    address = visitor.page.url
    site.press("Enter")
    site.press("Enter")
    assert "ε = 4" in site.inner_text()
    visitor.page.get_by_role("button", name="As stated").click()
    assert "ε = 1" in site.inner_text()
    assert use.is_disabled()
    site.press("Enter")
    check_axe(visitor)
    boxes = [box.bounding_box() for box in visitor.page.locator(f"{TAP} button").all()]
    assert min(box["height"] for box in boxes) >= 44
    cut = "boxes => boxes.filter(x => x.scrollWidth > x.clientWidth + 1).length"
    assert visitor.page.locator(f"{TAP} .taps > *").evaluate_all(cut) == 0
    assert visitor.page.url == address  # it is a look until it is used
    use.press("Enter")
    more = [replace(s, epsilon=2.0) if s.name == "Cleveland" else s for s in study.servers]
    visitor.becomes(lambda: linked(visitor), study.with_servers(more))
    worth = [x.answer.effective_n for x in privacy_cost(in_house(linked(visitor)))[0].mechanism]
    visitor.expect(f"from {words.extremes(worth)} effective records")
    visitor.becomes(lambda: "+" in site.inner_text() and "ε = 2" in site.inner_text(), True)
    visitor.page.go_back()
    visitor.becomes(lambda: linked(visitor), study)
