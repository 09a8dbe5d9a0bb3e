"""The papers, with the text of each that was read, and the glossary of the terms on pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from rates import numbers
from rates.ledger.texts import plain, toml
from rates.numbers import DomainError, Parameter


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One of the papers.

    Attributes:
        key: One of `PAPERS`.
        authors: In the paper's order.
        title: Its title.
        venue: Where it appeared, as a sentence names it.
        year: When.
        journal: The journal of an article; empty otherwise.
        book: The proceedings that hold it; empty otherwise.
        volume: Volume, with number and pages or article as far as they are known.
        doi: Its DOI; empty without one.
        arxiv: Its number on arXiv; empty without one.
        url: Where it can be read, where neither of them says so; empty otherwise.
        text: Which edition our text is, and what it lacks.
        subject: What it is about, one sentence.
        page: Page of the app that is about it.
    """

    key: str
    authors: tuple[str, ...]
    title: str
    venue: str
    year: int
    text: str
    subject: str
    page: str
    journal: str = ""
    book: str = ""
    volume: str = ""
    doi: str = ""
    arxiv: str = ""
    url: str = ""

    @property
    def by(self) -> str:
        """The authors, for a sentence."""
        *rest, last = self.authors
        return f"{', '.join(rest)} and {last}" if rest else last

    @property
    def where(self) -> str:
        """Venue, DOI and number on arXiv."""
        parts = (self.venue, self.doi and f"doi {self.doi}", self.arxiv and f"arXiv {self.arxiv}")
        return ", ".join(dict.fromkeys(filter(None, parts)))

    @property
    def address(self) -> str:
        """The link to it: its DOI, or else its page on arXiv, in the proceedings or elsewhere."""
        if self.url:
            return self.url
        if self.doi:
            return f"https://doi.org/{self.doi}"
        volume = f"https://proceedings.mlr.press/v{self.volume}/"
        return f"https://arxiv.org/abs/{self.arxiv}" if self.arxiv else volume

    @property
    def cited(self) -> str:
        """Authors, title and place as plain text.

        >>> print(papers()[2].cited)
        Refael Kohen and Or Sheffet. Transfer Learning In Differential Privacy's Hybrid-Model. \
ICML 2022, PMLR 162:11413-11429, arXiv 2201.12018.
        """
        return f"{self.by}. {self.title}. {self.where}."

    @property
    def bibtex(self) -> str:
        """Its entry for BibTeX."""
        kind = "article" if self.journal else "inproceedings" if self.book else "misc"
        return bibtex(
            kind,
            self.key,
            author=" and ".join(self.authors),
            title=f"{{{self.title}}}",
            journal=self.journal,
            booktitle=self.book,
            volume=self.volume,
            year=str(self.year),
            doi=self.doi,
            eprint=self.arxiv,
            archiveprefix="arXiv" if self.arxiv else "",
            url=self.url,
        )


def bibtex(kind: str, key: str, **fields: str) -> str:
    """Return an entry for BibTeX, without the fields that are empty."""
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@{kind}{{{key},\n{lines}\n}}"


@cache
def papers() -> tuple[Paper, ...]:
    """Return the papers of the ledger, in its order.

    >>> [paper.key for paper in papers()]
    ['ACC', 'CCV', 'KS', 'BCMM', 'DPLR', 'CAC']
    """
    return tuple(Paper(**plain(row)) for row in toml("papers")["paper"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One term.

    Attributes:
        name: As it is used.
        group: What it belongs to.
        text: One plain sentence.
        pages: Pages that use it.
        letter: Its letter or formula; empty without one.
        help: More words, of the number that it is; empty for other terms.
        also: Other words for the same thing, and forms of the word.
        source: Where a paper says it; empty where the term is ours.
    """

    name: str
    group: str
    text: str
    pages: tuple[str, ...] = ()
    letter: str = ""
    help: str = ""
    also: tuple[str, ...] = ()
    source: str = ""

    @property
    def key(self) -> str:
        """Its name in an address.

        >>> term("margin").key
        'margin-α'
        """
        return re.sub(r"[^\w%]+", "-", self.name.casefold()).strip("-")

    @property
    def words(self) -> tuple[str, ...]:
        """All the words that it goes by, its name first."""
        return (self.name, *self.also)


@cache
def glossary() -> tuple[Term, ...]:
    """Return every term, in the order of its file.

    >>> term("effective sample").name
    'effective records'
    """
    return tuple(_term(plain(row)) for row in toml("glossary")["term"])


def _term(row: dict[str, Any]) -> Term:
    # A term that is a number of a study takes letter and help from there.
    if not (name := row.pop("parameter", "")):
        return Term(**row)
    number: Parameter = getattr(numbers, name.upper())
    return Term(letter=number.symbol.removesuffix("_j"), help=number.help, **row)


def term(name: str) -> Term:
    """Return a term by its name, its key, its letter or another word for it.

    Raises:
        DomainError: There is none.
    """
    asked = name.casefold().strip()
    for of in (lambda t: (t.name, t.key), lambda t: (t.letter,), lambda t: t.also):
        for item in glossary():
            if asked and asked in {word.casefold() for word in of(item)}:
                return item
    raise DomainError("The glossary has no such term.", field="term", value=name, where="About")
