"""How to cite the software and the papers: plain text and BibTeX, nothing that is not known."""

from __future__ import annotations

from pages.report import sections
from rates.statements import Paper, papers

TITLE = "Rates of private learning across sites"


def software() -> str:
    """Return the program with its version, as plain text.

    >>> software().startswith("Rates of private learning across sites, private-rates, version ")
    True
    """
    return (
        f"{TITLE}, {sections.PACKAGE}, version {sections.version()}. A program that solves the "
        "rate equations of five papers on differentially private learning across sites, and "
        "checks their statements."
    )


def bibtex() -> str:
    r"""Return the program and the papers as BibTeX; fields that are not known are left out.

    >>> print(bibtex().split("\n\n")[3])
    @misc{KS,
      author = {Refael Kohen and Or Sheffet},
      title = {{Transfer Learning In Differential Privacy's Hybrid-Model}},
      note = {Year and venue are not in the text that was available}
    }
    """
    first = _entry(
        "software",
        sections.PACKAGE,
        title=f"{{{TITLE}}}",
        version=sections.version(),
        note="Program; solves the rate equations of five papers and checks their statements",
    )
    return "\n\n".join([first, *map(_paper, papers())])


def _paper(paper: Paper) -> str:
    if not paper.title:
        return _entry("misc", paper.key, note=paper.lost.replace('"', "'"))
    return _entry(
        "misc",
        paper.key,
        author=" and ".join(paper.authors),
        title=f"{{{paper.title}}}",
        note="Year and venue are not in the text that was available",
    )


def _entry(kind: str, key: str, **fields: str) -> str:
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@{kind}{{{key},\n{lines}\n}}"
