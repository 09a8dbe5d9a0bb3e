"""What a visitor brings stays in the session: no cache of the server holds any of it."""

from __future__ import annotations

import functools
import gc
import sys
from collections.abc import Iterator
from dataclasses import replace
from types import FunctionType, ModuleType

import pytest

from pages.fit import unknowns
from rates.study import Scope, preset
from tests.pages.classification.test_classification import table
from tests.pages.driver import open_page, press, unbox

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


@pytest.mark.parametrize(
    ("page", "query", "files", "kept"),
    [
        ("study", {}, {"sites.csv": SITES}, "rows_brought"),
        ("logistic", {"tab": "records"}, {"records.csv": RECORDS}, "logistic_sites"),
        (
            "classification",
            {"tab": "hospitals", "run": "replicates:2"},
            {f"{WORD}.data": table(200).decode(), "b.data": table(90).decode()},
            "hospital_files",
        ),
    ],
)
def test_no_cache_of_the_server_holds_a_file(page, query, files, kept):
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
