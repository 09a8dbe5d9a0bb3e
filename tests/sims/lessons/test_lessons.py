"""Texts, own studies and rates, lists in an address, and a lecturer's own questions."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.answer import offered_delta
from rates.numbers import DomainError, number
from rates.orders import EXAMPLES, Inquiry, printed
from rates.study import PRESETS, FederatedStudy, Server, codec, preset
from sims import lessons
from sims.classroom import Asked, read_questions
from sims.lessons import LESSONS, LISTS, Entry, explained, lesson, own, question, read_list, truth
from tests.depth import deep_after

RATES = [e for e in EXAMPLES if not e.sites]
SOME = [p.key for p in PRESETS if p.key not in ("phones", "surgery")]
ONE_TERM = printed.one("kroll-2021-local").asked
PUBLIC = preset("unequal").study.unprotected()
LONE = preset("phones").study


# Texts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", LESSONS)
def test_every_place_of_an_explanation_is_filled_and_no_truth_is_typed(key):
    one = LESSONS[key]
    assert len(one.read.split()) < 100  # a minute
    for asked, text in zip(one.questions, (one.explain, one.explain_transfer), strict=True):
        found = truth(asked)
        said = explained(text, found)
        assert not re.search(r"[{}]|nan|undefined", said)
        assert not re.search(r"[{}]", f"{one.title}{one.read}{one.misconception}{asked.text}")
        names = set(re.findall(r"\{(\w+)", text))
        assert names <= set(found.said)
        if asked.kind not in (lessons.CHOICE, lessons.TYPED):
            # What is asked for stands in no text before it is computed.
            for value in set(found.low) - {1.0}:
                before = f"{one.read} {asked.text} {text}"
                assert not re.search(rf"(?<![\d.,]){re.escape(number(value))}(?![\d.])", before)


# Own studies and rates --------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["carry", "free"])
@pytest.mark.parametrize("name", deep_after(4, SOME))
def test_a_study_of_ones_own_stands_in(key, name):
    study = preset(name).study
    one = lesson(key, study)
    assert codec.from_link(one.link.word("study")) == study
    for asked, text in zip(one.questions, (one.explain, one.explain_transfer), strict=True):
        found = truth(asked, study)
        assert all(map(math.isfinite, (*found.low, *found.high)))
        assert not re.search(r"[{}]|nan|undefined", explained(text, found))
        assert lessons.skill(asked, found.low, found) == 1


@pytest.mark.parametrize("rate", RATES, ids=lambda e: e.name)
def test_a_rate_of_ones_own_stands_in(rate):
    one = lesson("rate", rate=rate)
    for asked, text in zip(one.questions, (one.explain, one.explain_transfer), strict=True):
        found = truth(asked, rate=rate)
        assert sum(found.low) == 1.0
        assert not re.search(r"[{}]|nan", explained(text, found))
    assert rate.text.split()[0] in one.read


@pytest.mark.parametrize("name", ["unequal", "hospitals"])
@pytest.mark.parametrize("key", ["carry", "free"])
def test_a_delta_that_nobody_stated_is_assumed_and_said(key, name):
    stated = preset(name).study
    stated = stated.with_servers([replace(s, delta=offered_delta(stated)) for s in stated.servers])
    bare = stated.with_servers([replace(s, delta=None) for s in stated.servers])
    for asked, same in zip(lesson(key, bare).questions, lesson(key, stated).questions, strict=True):
        assert truth(asked, bare) == truth(same, stated)
    said = [lesson(key, study).facts.said for study in (bare, stated)]
    assert ["is assumed" in one for one in said] == [True, False]
    assert codec.from_link(lesson(key, bare).link.word("study")) == bare


def test_of_many_rows_the_first_are_said():
    """What is said of each, a browser reads on all screens."""
    alike = [Server(name=f"{k}", n=9, epsilon=1.0, delta=1e-6) for k in range(40)]
    facts = lesson("free", FederatedStudy(servers=alike, smoothness=1)).facts
    assert len(facts.sites) == own.MOST_ROWS
    assert "Of 40 rows the first 8" in facts.said


SIMPLE = Inquiry(text="max(a: n^-1, b: eps^-1)", sizes=("n", "eps"))


@pytest.mark.parametrize(
    ("key", "study", "rate", "words"),
    [
        ("odds", LONE, None, "those that take yours are carry and free"),
        ("carry", LONE, None, "2 to 8 rows have records and a budget."),
        ("free", PUBLIC, None, "needs a protected site with records and a budget."),
        ("free", None, SIMPLE, "in the lesson rate"),
        ("rate", None, EXAMPLES[3], "no fixed terms"),
        ("rate", None, ONE_TERM, "2 to 8 terms."),
        ("rate", None, replace(SIMPLE, text="max(n^-1,"), "Column 10"),
        ("rate", None, replace(SIMPLE, text="max(n^-2, n^-3)", at=(("n", 1e300),)), "finite at"),
        ("breakfast", None, None, "A lesson is one of odds, attack, class"),
    ],
)
def test_what_a_lesson_does_not_cover_is_refused(key, study, rate, words):
    with pytest.raises(DomainError) as refused:
        lesson(key, study, rate)
    assert words in str(refused.value)


def test_a_truth_is_asked_with_the_study_of_its_question():
    with pytest.raises(DomainError, match="with the same study or rate"):
        truth(question("carry", preset("regional").study))


def test_a_study_that_keeps_half_at_any_budget_has_its_half_at_the_end():
    small = Server(name="small", n=10, epsilon=1.0, delta=1e-6)
    public = replace(small, name="public", n=10_000, epsilon=math.inf)
    study = FederatedStudy(servers=[public, small], smoothness=1)
    found = truth(question("free-transfer", study), study)
    assert found.low[0] == pytest.approx(1e-6)
    assert "below 1e-06" in explained(lesson("free", study).explain_transfer, found)


# Lists ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", LESSONS)
def test_each_of_two_questions_has_its_own_explanation(key):
    one = LESSONS[key]
    told = {asked.key: one.explanation(asked) for asked in one.questions}
    assert told == {one.question.key: one.explain, one.transfer.key: one.explain_transfer}
    assert len({*told.values()}) == 2


def test_lists_that_come_with_the_app():
    minutes = {name: found.minutes for name, found in LISTS.items()}
    assert minutes == {"tour": 23, "alone": 82, "45": 45, "90": 90, "orders": 25}
    keys = {name: {one.key for one in found.lessons} for name, found in LISTS.items()}
    assert {"attack", "pupils", "columns", *keys["90"]} == keys["alone"]
    assert {"rate", *keys["alone"], *keys["orders"]} == {*LESSONS}
    for name, known in LISTS.items():
        assert known.text() == name
        assert read_list(f" {name} ") == (known, ())


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    kind = draw(st.sampled_from(("lesson", "pause", "study", "rate")))
    if kind == "pause":
        return Entry(draw(st.sampled_from([*lessons.PAUSES])), minutes=draw(st.integers(1, 90)))
    if kind == "study":
        names = st.sampled_from(["hospitals", "unequal", "dominating"])
        return Entry(draw(st.sampled_from(["carry", "free"])), preset(draw(names)).study)
    if kind == "rate":
        return Entry("rate", rate=draw(st.sampled_from(RATES)))
    return Entry(draw(st.sampled_from(sorted(LESSONS))))


@given(st.lists(entries(), max_size=12))
def test_a_list_comes_back_from_its_text(found):
    unlike = [x for k, x in enumerate(found) if x.key in lessons.PAUSES or x not in found[:k]]
    made = lessons.Playlist(tuple(unlike))
    assert read_list(made.text()) == (made, ())
    assert re.fullmatch(r"[\w~.,-]*", made.text())
    if made.lessons:
        assert lessons.read_lines("\n".join(made.named), made.named) == made


@pytest.mark.parametrize(
    ("text", "kept", "words"),
    [
        ("odds,odds", "odds", "Entry 2 of the list, 'odds', is left out: it is there already."),
        ("break-0,free", "free", "got 0"),
        ("break-999", "", "minutes must be a whole number from 1 to 90"),
        ("nap-5", "", "pauses such as join-5, break-5"),
        *(
            (f"own{more}", "", "is left out")
            for more in ("", ".", ".~1abc", ".~2eJw", "-5", ".odds")
        ),
        ("odds.~1abc", "odds", "stays with its own example"),
        ("carry.~1abc", "carry", "stays with its own example: The link must be whole"),
        ("rate.~2abc", "rate", "The link's version must be 1."),
        (f"free.{codec.to_link(PUBLIC)}", "free", "needs a protected site"),
        ("x" * 9000, "", "at most 8,000 characters; this one has 9,000"),
        (",".join(["join-1"] * 41), ",".join(["join-1"] * 40), "of these 41 the first 40 are kept"),
    ],
)
def test_what_is_wrong_with_a_list_is_said_and_the_rest_kept(text, kept, words):
    found, problems = read_list(text)
    assert found.text() == kept
    assert len(problems) == 1
    assert words in problems[0]


# A lecturer's own questions: one line each, in a list and its link, and what is true of them -----


LETTERS = st.characters(exclude_characters="|", exclude_categories=("C", "Z"))
TEXTS = st.text(LETTERS, min_size=1, max_size=30).filter(
    lambda text: not text.lower().startswith("true:")
)
WHOLE = st.integers(-(10**6), 10**6)


@st.composite
def lines(draw: st.DrawFn) -> str:
    options = draw(st.lists(TEXTS, min_size=2, max_size=6, unique=True))
    true = draw(st.none() | st.sampled_from(options))
    if draw(st.booleans()):
        low, high = sorted(draw(st.sets(WHOLE, min_size=2, max_size=2)))
        options, true = [f"{low} to {high}"], draw(st.none() | st.integers(low, high))
    said = [] if true is None else [f"true: {true}"]
    return " | ".join([draw(TEXTS), *options, *said])


@given(lines())
def test_a_question_comes_back_from_its_line_from_a_link_and_from_a_room_s_lines(line) -> None:
    made = lessons.Playlist((Entry("odds"), Entry(lessons.plain.KEY, asked=line)))
    assert read_list(made.text()) == (made, ())
    *_, asked = read_questions("\n".join(made.named), made, 1.0)
    assert [asked] == Asked.of(made.entries[1])
    assert asked.question == lessons.plain.read(line).question


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Which? | A", "says how it is answered"),
        ("Which? | A | A", "no two alike"),
        ("Which? | A | B | C | D | E | F | G", "2 to 6 options"),
        (f"{'W' * 201} | A | B", "1 to 200 letters"),
        ("Which? | A | B | true: C", "one of the options"),
        ("How many? | 9 to 1", "the smaller one first"),
        ("How many? | 0 to 1e99", "says how it is answered"),
        ("How many? | 0 to 9 | true: 10", "lie in"),
        ("How many? | 0 to 9 | true: nan", "must be a number"),
        ("Which?\n | A | B", "one line"),
        ("W" * 10_000, "at most"),
    ],
)
def test_a_line_that_asks_nothing_is_refused_and_the_rest_of_a_list_kept(line, words) -> None:
    with pytest.raises(DomainError, match=words):
        lessons.plain.read(line)
    found, problems = read_list(f"odds,own.{codec.pack(line)},free")
    assert found.text() == "odds,free"
    (problem,) = problems
    assert words in problem


def test_what_is_true_is_the_lecturer_s_word() -> None:
    said = ("Which? | A | B | true: B", "How? | 0 to 9 | true: 4.5")
    which, many = (lessons.plain.read(line) for line in said)
    assert lessons.true_answer(which.question, which.given) == "B"
    assert lessons.true_answer(many.question, many.given) == "4.5"
    assert lessons.skill(which.question, (0.0, 1.0), which.given) == 1
    assert lessons.skill(many.question, (4.5,), many.given) == 1
    open_ = lessons.plain.read("Which? | A | B")
    assert open_.given is None
    with pytest.raises(DomainError, match="has not said"):
        truth(open_.question)
