"""A lecturer's own questions: one line each, in a list and its link, and what is true of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.numbers import DomainError
from rates.study import codec
from sims.classroom import Asked, read_questions
from sims.lessons import Entry, Playlist, plain, read_list, skill, true_answer, truth

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
    made = Playlist((Entry("odds"), Entry(plain.KEY, asked=line)))
    assert read_list(made.text()) == (made, ())
    *_, asked = read_questions("\n".join(made.named), made, 1.0)
    assert [asked] == Asked.of(made.entries[1])
    assert asked.question == plain.read(line).question


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
        plain.read(line)
    found, problems = read_list(f"odds,own.{codec.pack(line)},free")
    assert found.text() == "odds,free"
    (problem,) = problems
    assert words in problem


def test_what_is_true_is_the_lecturer_s_word() -> None:
    said = ("Which? | A | B | true: B", "How? | 0 to 9 | true: 4.5")
    which, many = (plain.read(line) for line in said)
    assert true_answer(which.question, which.given) == "B"
    assert true_answer(many.question, many.given) == "4.5"
    assert skill(which.question, (0.0, 1.0), which.given) == 1
    assert skill(many.question, (4.5,), many.given) == 1
    open_ = plain.read("Which? | A | B")
    assert open_.given is None
    with pytest.raises(DomainError, match="has not said"):
        truth(open_.question)
