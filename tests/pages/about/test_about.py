"""The page About: what is looked up is found, every key leads here, every term is used."""

from __future__ import annotations

import gzip
import itertools
import json
import re
from functools import cache

import pytest

from pages import about as page
from pages.charts import words
from rates.ledger import PAPERS, glossary, papers, term
from tests.pages.driver import ROOT, everything, lacks, open_page, press

STORE = ROOT / "tests" / "golden" / "screens"
NAMES = sorted({path.name.partition(".")[0] for path in STORE.glob("*.gz")} - {"about"})
KEY = re.compile(rf"\\?\[({'|'.join(PAPERS)})\\?\]")
LINK = re.compile(rf"\[\\\[({'|'.join(PAPERS)})\\\]\]\(about\?term=\1\)")


@cache
def screens(name: str) -> dict[str, list[str]]:
    """The lines of a page's stored screens, by title."""
    return json.loads(gzip.decompress((STORE / f"{name}.json.gz").read_bytes()))


def shown(name: str) -> str:
    """All words of a page: of its stored screens, which are some of its views, and its sources."""
    paths = [*(ROOT / "pages").glob(f"{name}.py"), *(ROOT / "pages" / name).rglob("*.py")]
    sources = [path.read_text("utf-8") for path in paths]
    text = " ".join([*sources, *itertools.chain.from_iterable(screens(name).values())])
    return text.replace("\\", "").replace("*", "").casefold()


@pytest.mark.parametrize("name", NAMES)
def test_every_key_of_a_paper_leads_to_its_entry(name):
    """Read from the stored screens; files, formulas and options of lists hold no links."""
    for title, lines in screens(name).items():
        kind = ""
        for line in lines:
            kind = kind if line.startswith(" ") else line.partition(" ")[0]
            if kind not in ("file", "code", "latex") and line.startswith(("  body:", "  help:")):
                assert not KEY.search(LINK.sub("", line)), (title, line)


def test_every_term_has_one_meaning_a_sentence_and_pages_that_use_it():
    names = [item.name for item in glossary()]
    assert len(names) == len(set(names)) == len({item.key for item in glossary()}) > 90
    text = {name: shown(name) for name in NAMES}
    for item in glossary():
        assert term(item.name).text.endswith(".")
        assert set(item.pages) <= set(NAMES), item.name
        seen = (word.casefold() in text[name] for name in item.pages for word in item.words)
        assert any(seen), item.name


def test_a_link_opens_at_its_term_and_the_field_finds_others():
    app = open_page("about", term="effective-records")
    assert app.header[0].value == "effective records"
    app.text_input[0].set_value("worst-case").run()
    assert (app.header[0].value, app.query_params["term"]) == ("worst case", "worst-case")
    press(app, "All papers and terms")
    assert (list(app.table), "term" in app.query_params) == ([], False)


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
        assert lacks(entry, f"year = {{{paper.year}}}", " and ".join(paper.authors)) == []
        assert all(text in entry for text in (paper.doi, paper.arxiv))


def test_a_key_that_a_user_typed_is_no_link():
    typed = words.md("[ACC](x) [KS]")
    assert (words.keyed(typed), words.keyed("a [KS](about) b")) == (typed, "a [KS](about) b")
    assert page.find("privacy zebra") == ([], [])  # all words have to fit
