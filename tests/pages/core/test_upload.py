"""What a visitor brings is kept for the session until it is given back."""

from __future__ import annotations

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.testing.v1 import AppTest


def page() -> None:
    """A box for a number, and what is in use."""
    import streamlit as st

    from pages.core import Upload
    from rates.numbers import DomainError

    def read(data: bytes) -> int:
        try:
            return int(data)
        except ValueError:
            raise DomainError("A number is needed.", field="file", value="word") from None

    box = Upload("toy", "A number", read, "One number.")
    st.text(f"{box.now()} {box.count()}")
    box.draw()
    st.button("Back", on_click=box.drop)


def give(app: AppTest, text: str) -> str:
    """Give a file; what is in use then, and how often that has changed."""
    app.file_uploader[0].set_value(("a.csv", text.encode(), "text/csv")).run()
    return app.text[0].value


@pytest.fixture
def app() -> AppTest:
    app = AppTest.from_function(page).run()
    assert app.text[0].value == "None 0"
    assert give(app, "7") == "7 1"
    return app


def test_a_file_is_used_until_it_is_given_back(app):
    assert app.file_uploader[0].value.name == "a.csv"
    app.button[0].click().run()
    assert app.text[0].value == "None 2"
    assert app.file_uploader[0].value is None
    give(app, "8")
    app.file_uploader[0].set_value(None).run()  # taken out of its box
    assert app.text[0].value == "None 4"


def test_what_is_refused_changes_nothing_and_is_said(app):
    assert give(app, "seven") == "7 1"
    assert "A number is needed" in app.error[0].value
    assert give(app, "8") == "8 2"
    assert not app.error


def test_a_file_that_the_server_has_not_changes_nothing(app, monkeypatch):
    monkeypatch.setattr(MemoryUploadedFileManager, "get_files", lambda *_, **__: [])
    assert give(app, "8") == "7 1"
    assert not app.exception
