"""A table's columns have room for their words, and one stays in sight on a phone."""

from __future__ import annotations

import json

from streamlit.testing.v1 import AppTest

PHONE = 368.0  # pixels of a page's words where the screen has 400
LARGEST = 0.6  # of it; a wider column that is pinned scrolls with the others
NARROW = 6.0  # pixels of a letter in the font of a grid, on average


def _two() -> None:
    from pages.core.figure_card import show_table

    show_table({"Lever": ["Budget", "x" * 60], "Factor": ["long " * 8, "2"]}, alt="Two")
    show_table({"Lever": ["Budget"], "Site": ["Oslo"]}, alt="Pinned", pinned="Site")


def test_columns_are_as_wide_as_their_words_and_the_first_or_the_pinned_one_stays():
    app = AppTest.from_function(_two).run()
    assert not app.exception
    first, second = (json.loads(one.proto.columns) for one in app.dataframe)
    assert [first[title]["pinned"] for title in ("Lever", "Factor")] == [True, False]
    assert [second[title]["pinned"] for title in ("Lever", "Site")] == [False, True]
    assert first["Lever"]["width"] <= LARGEST * PHONE
    assert first["Factor"]["width"] >= NARROW * 40
    long, short = (one.proto.row_height for one in app.dataframe)
    assert long > 64  # below that words do not wrap
    assert not short
