"""What every entry keeps to, and whether its quote stands in the text of its paper.

Of a quote, prose and formulas between dollars alternate. Each piece has to follow the one before
it, begun within `WINDOW` characters of its end: our copies give a formula up to three times. A gap
within a piece is written " … ". Spaces, and a "%" at the end of a line, do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from rates.ledger import Entry
from rates.maps import design
from rates.numbers import DomainError
from rates.study import codec
from tests.house.tree import ROOT

FOLDER = ROOT.parent / "shared" / "papers"
FILES = {
    "ACC": "acc-classification",
    "CCV": "ccv-regression",
    "KS": "ks-hybrid",
    "BCMM": "bcmm-adaptation",
    "DPLR": "dplr-logistic",
    "CAC": "cac-columns",
}
WINDOW = 2500
PAGES = {
    *("overview", "study", "phases", "resolution", "fit", "plan", "hybrid"),
    *("adaptation", "logistic", "classification", "regression", "columns"),
}


def oddities(one: Entry) -> Iterator[str]:
    """Yield what an entry does not keep to."""
    if not re.fullmatch(r"[A-Z]+:[\w.]+(:[\w.+-]+)*", one.id):
        yield "its id"
    if not set(one.pages) <= PAGES:
        yield "a page that is none"
    if not all(re.fullmatch(r"E\d+", number) for number in one.errata):
        yield "the number of a correction"
    if not all(text.endswith((".", "!", ":", "`")) for text in (one.says, *one.argument)):
        yield "a sentence without an end"
    if one.table not in ("", "A", "B"):
        yield "a reading of Table 1 that is none"
    try:
        if one.study:
            codec.from_json(one.study)
        if one.map and not design.from_text(one.map):
            yield "a point that is on no map"
    except DomainError:
        yield "a study that cannot be opened"
    here = (FOLDER / f"{FILES[one.paper]}.txt").exists()
    if one.quote and here and not stands(one.quote, paper(one.paper)):
        yield "a quote that is not found"


def plain(text: str) -> str:
    """Return a text without line ends, and without the marks that its layout put at them."""
    return re.sub(r"\s+", " ", re.sub(r"%\s+", "", text)).strip()


@cache
def paper(key: str) -> str:
    """Return the text of a paper."""
    return plain((FOLDER / f"{FILES[key]}.txt").read_text("utf-8"))


def pieces(quote: str) -> Iterator[str]:
    """Yield what has to be found."""
    for part in quote.split("$"):
        for piece in map(plain, part.split("…")):
            if piece.strip(" .,;:()"):
                yield piece


def stands(quote: str, text: str) -> bool:
    """Whether the pieces of a quote follow each other somewhere in a text."""
    first, *others = pieces(quote)
    start = text.find(first)
    while start >= 0:
        end = start + len(first)
        for piece in others:
            at = text.find(piece, end, end + WINDOW + len(piece))
            if at < 0:
                break
            end = at + len(piece)
        else:
            return True
        start = text.find(first, start + 1)
    return False
