"""What looks a page through sees what is wrong with it."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.fuzz import seen

SOUND = {"x": [1.0, None], "y": [2.0, None], "text": ["inf is unprotected", "&lt;b id=zq&gt;"]}


@pytest.mark.parametrize(
    "wrong",
    [
        {"y": [float("inf")]},
        {"text": ["x: nan"]},
        {"name": "<b id=zq>"},
        {"customdata": [[1.0, None]]},
        {"marker": {"size": [float("nan")]}},
        {"y": {"dtype": "f8", "bdata": "AAAAAAAA8H8="}},  # inf
        {"error_y": {"array": {"dtype": "f8", "bdata": "AAAAAAAA+H8="}}},  # nan
    ],
)
def test_figures(wrong: dict[str, object]) -> None:
    assert list(seen.figure({"data": [SOUND]})) == []
    assert list(seen.figure({"data": [SOUND | wrong]}))
    assert list(seen.figure({"layout": {"annotations": [wrong]}})) or "customdata" in wrong


def page() -> None:
    import pandas as pd
    import streamlit as st

    st.metric("**zq**", "1")
    st.metric("a", "nan %")
    st.caption(":material/zq:")
    st.radio("b", ["[zq](http://zq.example)", "c"])
    st.expander("d", icon=None).button("e", help="<i>nan</i> f")
    st.dataframe(pd.DataFrame({"g": [1.0, float("inf")]}))
    st.table(pd.DataFrame({"h": ["**zq**"]}))
    st.html("<b id=zq>")
    st.success("$zq^2$")


def sound() -> None:
    import pandas as pd
    import streamlit as st

    st.metric(r"\\*\\*zq\\*\\*", "1")
    st.caption("`**zq**` and $nan$ and “nan”")
    st.text_input("a", "nan")
    st.error("n: got 'nan'.")
    st.selectbox("b", ["**zq**", "c"])
    st.dataframe(pd.DataFrame({"g": ["**zq**", "infinite"]}))


def test_words_and_tables() -> None:
    assert seen.breaches(AppTest.from_function(sound).run()) == []
    assert len(seen.breaches(AppTest.from_function(page).run())) == 9
