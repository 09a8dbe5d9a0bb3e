"""What is looked up: a term, a letter or a paper, by one field that stands in the address."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pages.core import Packed, Single
from pages.statements import view as ledger
from rates.numbers import DomainError
from rates.statements import Paper, Term, glossary, papers, term

MOST = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What fits a search, the best first."""

    papers: tuple[Paper, ...]
    terms: tuple[Term, ...]


def _read(text: str) -> str:
    if len(text) > MOST:
        rule = f"A term to look up has at most {MOST} characters."
        raise DomainError(rule, field="term", value=text)
    return text


TERM: Single[str] = Single(
    parameter="term",
    start="",
    settings=(Packed("term", write=str, read=_read),),
    noun="A term",
    refused="The term in the address could not be used.",
)


def find(text: str) -> Found:
    """Return papers and terms that fit a text; the term of that very name comes first.

    >>> found = find("ACC")
    >>> [paper.key for paper in found.papers], found.terms
    (['ACC'], ())
    >>> find("margin").terms[0].name
    'margin α'
    """
    if key := [paper for paper in papers() if paper.key == text.strip().strip("[]").upper()]:
        return Found(papers=tuple(key), terms=())
    try:
        first = [term(text)]
    except DomainError:
        first = []
    asked = ledger.folded(text).replace("-", " ").split()
    rest = [item for item in glossary() if item not in first and _fits(_of_term(item.key), asked)]
    return Found(
        papers=tuple(p for p in papers() if not first and _fits(_of_paper(p.key), asked)),
        terms=(*first, *rest),
    )


def _fits(text: str, asked: list[str]) -> bool:
    return bool(asked) and all(word in text for word in asked)


@cache
def _of_term(key: str) -> str:
    item = next(item for item in glossary() if item.key == key)
    text = f"{' '.join(item.words)} {item.letter} {item.text} {item.help} {item.source}"
    return ledger.folded(text).replace("-", " ")


@cache
def _of_paper(key: str) -> str:
    paper = next(paper for paper in papers() if paper.key == key)
    return ledger.folded(f"{key} {' '.join(paper.authors)} {paper.title} {paper.subject}")
