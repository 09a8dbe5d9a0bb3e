"""The projector: one screen at a time, and nothing that is true before its screen."""

from __future__ import annotations

import pytest

from sims.classroom import flow
from sims.lessons import LESSONS, Entry, Playlist, hands, question
from tests.depth import deep_after
from tests.pages.driver import everything, open_page, picture, press, told


def test_turning_shows_the_answer_only_where_it_is_due():
    app = open_page("present", list="odds,free")
    assert app.title[0].value == LESSONS["odds"].title
    assert "0 of 6 min" in everything(app)
    for label in ("Question", "Second vote"):
        assert "73.1" not in everything(press(app, label)) + picture(app)
    app.text_input[0].set_value("3 9").run()  # no counts of four options
    assert "one for each answer" in app.warning[0].value
    app.text_input[0].set_value("3 9 30 2").run()
    press(app, "Votes")
    assert "73.1" not in everything(app) + picture(app)
    assert "First vote" not in picture(app)
    assert "Second vote, 44 hands" in picture(app)
    press(app, "Answer")
    assert r"73\.1" in everything(app)
    assert all(x in picture(app) for x in ("✓ 62.5 to 75", "Second vote, 44 hands"))
    assert "73.1" in picture(press(app, "Picture"))
    assert "**73.1**" in everything(press(app, "Why"))
    assert press(app, "Question").title[0].value == question("odds-transfer").text
    assert "**73.1**" in everything(press(app, "Back"))


@pytest.mark.parametrize("key", deep_after(8, sorted(LESSONS, key="cross".__ne__)))
def test_nothing_true_is_computed_before_its_screen(key, monkeypatch):
    """Neither the truth nor a figure of it: each would stop the page here."""

    def early(*args):
        raise AssertionError(args)

    for name in ("sims.lessons.lists.truth", "pages.lessons.reveals.beside"):
        monkeypatch.setattr(name, early)
    for name in ("runs.curves", "meaning", "state.cost", "hits"):
        monkeypatch.setattr(f"pages.lessons.reveals.{name}", early)
    lesson = LESSONS[key]
    for asked, end in zip(lesson.questions, ("", "-2"), strict=True):
        counted = "-".join("1" * len(hands.options(asked)))
        for step in flow.STEPS[1:]:
            late = step.startswith((flow.ANSWER, flow.FIGURE, flow.WHY))
            if step.endswith("-2") == bool(end) and not late:
                votes = f"{asked.key}:{counted}/{counted}"
                app = open_page("present", list=key, step=step, hands=votes)
                assert not app.error
                assert app.title[0].value in (asked.text, lesson.title)


@pytest.mark.parametrize(
    "given",
    [
        *({"list": entries} for entries in ("odds,breakfast", ",".join(["odds"] * 41))),
        *({"place": place} for place in ("3", "-1")),
        {"step": "end"},
        *({"hands": hands} for hands in ("free:1-2-3-4/", "odds:1-2/", "odds:1-2-3-x/")),
    ],
)
def test_what_cannot_be_shown_is_said_and_the_rest_kept(given):
    app = open_page("present", **{"list": "odds"} | given)
    assert told(app)
    assert app.title[0].value == LESSONS["odds"].title
    assert not told(press(app, "Question"))


def test_without_a_list_lists_are_offered_and_a_pause_has_its_own():
    titles = [open_page("present", **given).title[0].value for given in ({}, {"list": "45"})]
    assert titles == ["Which list is presented?", "Everybody joins"]


def test_a_place_begins_at_its_first_screen():
    """A place without a step, or with one that it lacks, begins at its first screen."""
    without = flow.screens(Playlist((Entry("break", minutes=5), Entry("odds"))), flow.Turn())
    for step, first in (("", flow.READ), (flow.VOTES, flow.READ), (flow.WHY, flow.WHY)):
        assert without[flow.current(without, flow.Turn(place=2, step=step))].step == first
    assert flow.current(without, flow.Turn(place=9)) == 0
    for first, second, again in (
        ((30, 2, 0, 0), (), False), ((10, 20, 9, 5), (), True), ((30, 2, 0, 0), (9, 9, 9, 9), True)
    ):  # fmt: skip
        turned = flow.Turn(hands={"odds": (first, second)})
        steps = [screen.step for screen in flow.screens(Playlist((Entry("odds"),)), turned)][:7]
        every = [flow.READ, flow.ASK, flow.AGAIN, flow.VOTES, flow.ANSWER, flow.FIGURE, flow.WHY]
        assert steps[: len(steps) - (not again)] == [s for s in every if again or s != flow.AGAIN]
