"""The papers: who wrote them, where they appeared, and which text of them was read."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources


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
    file = resources.files("rates") / "ledger" / "papers.toml"
    rows = tomllib.loads(file.read_text(encoding="utf-8"))["paper"]
    return tuple(Paper(**{**row, "authors": tuple(row["authors"])}) for row in rows)
