"""What a visitor brings is kept for the session until it is given back."""

from __future__ import annotations

import contextlib
import functools
import gc
import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from types import FunctionType, ModuleType, SimpleNamespace

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.testing.v1 import AppTest

from pages.classification import hospitals
from pages.core import held
from pages.current import state as drafts
from pages.fit import unknowns
from rates.numbers.parameters import DomainError
from rates.study import PRESETS, Scope, codec, preset
from tests.pages.classification.test_classification import table
from tests.pages.driver import open_page, press, unbox


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
    assert (app.text[0].value, give(app, "7")) == ("None 0", "7 1")
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


# What a visitor brings stays in the session: no cache of the server holds any of it ---------------


WORD = "zyzzyva"  # in the files and nowhere else
SITES = f"name,n,epsilon\n{WORD},100,1\nother,200,1\n"
ROWS = [f"{name},{k % 2},{k / 9},{k % 7}" for name in ("here", WORD) for k in range(99)]
RECORDS = "\n".join(["source,y,a,b", *ROWS])


def server_caches() -> Iterator[tuple[str, object]]:
    """What modules keep for every visitor."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("rates", "sims", "pages"):
            for key, value in vars(module).items():
                if isinstance(value, functools._lru_cache_wrapper):
                    yield f"{name}.{key}", value


def holds(cache: object, word: str = WORD) -> bool:
    """Whether anything in a cache is, or holds, what the files say."""
    seen, ahead = set(), [cache]
    while ahead:
        one = ahead.pop()
        if id(one) in seen or isinstance(one, type | ModuleType):
            continue
        seen.add(id(one))
        if isinstance(one, bytes | str):
            if (word.encode() if isinstance(one, bytes) else word) in one:
                return True
        elif isinstance(one, FunctionType):  # not its module
            ahead += [cell.cell_contents for cell in one.__closure__ or ()]
        else:
            ahead += gc.get_referents(one)
    return False


def test_no_cache_of_the_server_holds_a_file():
    wards = {f"{WORD}.data": table(200).decode(), "b.data": table(90).decode()}
    for page, query, files, kept in (
        ("study", {}, {"sites.csv": SITES}, "rows_brought"),
        ("logistic", {"tab": "records"}, {"records.csv": RECORDS}, "logistic_sites"),
        ("classification", {"tab": "hospitals", "run": "replicates:2"}, wards, "hospital_files"),
    ):
        app = open_page(page, **query)
        app = unbox(app) if page == "study" else app
        given = [(name, text.encode(), "text/plain") for name, text in files.items()]
        app.file_uploader[0].set_value(given if len(given) > 1 else given[0]).run()
        assert WORD in str(app.session_state[kept])
        if page == "classification":
            press(app, "Run")
    assert [name for name, cache in server_caches() if holds(cache)] == []


def test_why_something_has_no_answer_is_kept_without_what_was_known_then():
    study = preset("hospitals").study
    bare = study.with_servers([replace(site, delta=None) for site in study.servers])
    found, _ = unknowns.of(bare, Scope(), "classification")
    assert str(found.missing)
    assert found.missing.__traceback__ is found.missing.__context__ is None


# A study while it is typed: what the table refuses, in which words, and round trips ---------------


HOSPITALS = drafts.draft_of(preset("hospitals").study)


def cell(row: int, field: str, value: object) -> drafts.Draft:
    """The hospitals' draft with a cell changed."""
    rows = [dict(row) for row in HOSPITALS.rows]
    rows[row][field] = value
    return of(rows)


def of(rows) -> drafts.Draft:
    return drafts.Draft(kind="transfer", parameters=HOSPITALS.parameters, rows=tuple(rows))


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_a_study_survives_the_table_and_nothing_is_said_of_it(entry):
    draft = drafts.draft_of(entry.study)
    assert (drafts.to_study(draft), list(drafts.readings(draft))) == (entry.study, [])


def test_what_is_typed_is_refused_by_row_and_field():
    many = ({**HOSPITALS.rows[1], "name": f"s{k}"} for k in range(10_001))
    for draft, *words in (
        (of(()), "at least one site"),
        (of((HOSPITALS.rows[0], *many)), "at most 10,000 rows"),
        (cell(0, "target", False), "exactly one site as the target", "got none"),
        (cell(1, "target", True), "exactly one site as the target", "rows 1, 2"),
        (cell(1, "n", ""), "n is required", "Row 2 ('Cleveland')", "empty cell"),
        (cell(1, "name", ""), "name is required", "Row 2", "empty cell"),
        (cell(1, "epsilon", ""), "or tick unprotected", "Row 2"),
        (cell(1, "n", "-5"), "non-negative integer", "Row 2 ('Cleveland')", "-5"),
        (cell(1, "n", "1.912k"), "plain number"),
        (cell(1, "epsilon", "-"), "tick unprotected", "Row 2 ('Cleveland')", "'-'"),
        (cell(1, "signal_exponent", "0"), "gamma must be positive", "field signal_exponent"),
        (cell(1, "epsilon", "__import__('os')"), "plain number"),
    ):
        with pytest.raises(DomainError) as caught:
            drafts.to_study(draft)
        assert [word for word in words if word not in str(caught.value)] == []


def test_a_budget_may_be_a_word_that_says_there_is_none():
    for word in ("none", "unprotected", "inf", "∞", "public", "keine"):
        draft = cell(1, "epsilon", word)
        assert math.isinf(drafts.to_study(draft).servers[1].epsilon)
        assert drafts.ticked(draft.rows[1])["unprotected"] is True
        assert any(f"({word})" in said for said in drafts.readings(draft))


def test_the_other_kind_s_parameters_are_kept():
    second = drafts.draft_of(preset("unequal").study, HOSPITALS.parameters)
    assert second.parameters["transfer"] == HOSPITALS.parameters["transfer"]
    assert codec.to_dict(drafts.to_study(second))["integrability"] == 4


class CutShortError(Exception):
    """As Streamlit ends a run that another one overtakes, wherever it next meets the session."""


class Session(dict):
    """A session's state that a run writes to so often, and is then cut short."""

    def __init__(self, writes: int) -> None:
        super().__init__()
        self.left = writes

    def __setitem__(self, key: str, value: object) -> None:
        if not self.left:
            raise CutShortError
        self.left -= 1
        super().__setitem__(key, value)


def test_a_first_run_that_is_cut_short_anywhere_leaves_a_session_that_goes_on(monkeypatch):
    complete = []
    needed = {"version", drafts._FRESH, drafts._OWN, drafts._STORY}
    for writes in range(6):
        monkeypatch.setattr(drafts.st, "session_state", memory := Session(writes))
        with contextlib.suppress(CutShortError):
            drafts._show_study(preset("hospitals").study)
        assert needed <= memory.keys() or "draft" not in memory, writes
        complete.append("draft" in memory)
    assert (complete[0], complete[-1]) == (False, True)


def test_a_file_that_the_server_has_no_longer_is_passed_over(monkeypatch):
    there = SimpleNamespace(name="A.data", getvalue=lambda: table(3))
    lost = SimpleNamespace(name="B.data")  # Streamlit hands on the name alone
    state = {"box": [lost, there], "one": lost, "empty": None}
    monkeypatch.setattr(hospitals.st, "session_state", state)
    assert [held("box"), held("one"), held("empty"), held("none")] == [[there], [], [], []]
    sites, problems = hospitals.brought("box")
    assert (list(sites), problems) == (["A.data"], [])
