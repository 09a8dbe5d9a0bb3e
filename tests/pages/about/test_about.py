"""The page About: what is looked up is found, every key leads here, every term is used."""

from __future__ import annotations

import gzip
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pages import about as page
from pages.charts import words
from rates.ledger import PAPERS, glossary, papers, term
from tests.pages.driver import everything, open_page, press

STORE = Path(__file__).resolve().parents[2] / "golden" / "screens"
NAMES = sorted({path.name.partition(".")[0] for path in STORE.glob("*.gz")} - {"about"})
KEY = re.compile(rf"\\?\[({'|'.join(PAPERS)})\\?\]")
LINK = re.compile(rf"\[\\\[({'|'.join(PAPERS)})\\\]\]\(about\?term=\1\)")


@cache
def screens(name: str) -> dict[str, Any]:
    """The stored screens of a page, and their long texts."""
    found: dict[str, Any] = json.loads(gzip.decompress((STORE / f"{name}.json.gz").read_bytes()))
    return found


def strings(thing: Any, texts: dict[str, list[str]]) -> list[str]:
    """All words of an element."""
    if isinstance(thing, dict):
        if set(thing) == {"text"} and thing["text"] in texts:
            return texts[thing["text"]]
        return [s for k, v in thing.items() if k != "spec" for s in strings(v, texts)]
    if isinstance(thing, list):
        return [s for entry in thing for s in strings(entry, texts)]
    return [thing] if isinstance(thing, str) else []


def shown(name: str) -> str:
    """All words of a page's stored screens."""
    found = screens(name)
    text = " ".join(strings(list(found["screens"].values()), found["texts"]))
    return text.replace("\\", "").replace("*", "").casefold()


@pytest.mark.parametrize("name", NAMES)
def test_every_key_of_a_paper_leads_to_its_entry(name):
    """Read from the stored screens; files, formulas and options of lists hold no links."""
    found = screens(name)
    for title, elements in found["screens"].items():
        for element in elements:
            if element["type"] not in ("file", "code", "latex"):
                bare = [element.get(key) for key in ("body", "help")]
                text = "\n".join(strings(bare, found["texts"]))
                assert not KEY.search(LINK.sub("", text)), (title, text)


def test_every_term_has_one_meaning_a_sentence_and_pages_that_use_it():
    names = [item.name for item in glossary()]
    assert len(names) == len(set(names)) == len({item.key for item in glossary()}) > 90
    text = {name: shown(name) for name in NAMES}
    assert all(term(word).text.endswith(".") for word in names)
    for item in glossary():
        assert set(item.pages) <= set(NAMES), item.name
        assert item.pages
        for name in item.pages:
            assert any(word.casefold() in text[name] for word in item.words), item.name


def test_a_link_opens_at_its_term_and_the_field_finds_others():
    app = open_page("about", term="effective-records")
    assert app.header[0].value == "effective records"
    assert len(app.table) <= 2
    app.text_input[0].set_value("1/variance").run()
    assert app.header[0].value == "meta\\-analysis"
    assert app.query_params["term"] == "1/variance"
    press(app, "All papers and terms")
    assert not app.table
    assert "term" not in app.query_params


@pytest.mark.parametrize("key", PAPERS)
def test_a_key_opens_its_paper(key):
    (paper,), terms = page.find(f"[{key.lower()}]")
    assert (paper.key, terms) == (key, [])
    app = press(open_page("about"), "Details") if key == "ACC" else open_page("about", term=key)
    text = everything(app)
    assert all(words.md(author) in text for author in paper.authors)
    assert words.md(paper.text) in text


def test_bibtex_names_every_paper_with_year_and_place():
    found = page.bibtex().strip().split("\n\n")
    keys = re.findall(r"^@\w+\{([\w-]+),", page.bibtex(), re.M)
    assert keys == ["private-rates", "ledger", *PAPERS]
    for paper, entry in zip(papers(), found[2:], strict=True):
        assert entry.count("{") == entry.count("}")
        assert f"year = {{{paper.year}}}" in entry
        assert " and ".join(paper.authors) in entry
        assert all(text in entry for text in (paper.doi, paper.arxiv))


def test_a_key_that_a_user_typed_is_no_link():
    typed = words.md("[ACC](x) [KS]")
    assert words.keyed(typed) == typed
    assert words.keyed("a [KS](about) b") == "a [KS](about) b"
    assert page.find("privacy noise")[1]
    assert page.find("privacy zebra") == ([], [])  # all words have to fit
