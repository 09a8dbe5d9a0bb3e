"""The ledger to take away: JSON, rows, a LaTeX table, BibTeX, and a sheet for each paper."""

from __future__ import annotations

import json
import re
import urllib.parse
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rates.language import escaped
from rates.ledger import shown, verdicts
from rates.ledger.papers import Paper, papers
from rates.ledger.papers import bibtex as bib
from rates.ledger.texts import CATEGORIES, NOT_REPRODUCED, Entry, entries, entries_of

_FORMULA = re.compile(r"\$([^$]*)\$")
_NEEDED = ("claims decided for all sizes", "their conditions", "needed of these")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])")


def edition() -> str:
    """Return which state of the ledger this is: one more for every day of changes.

    >>> edition().startswith("edition ")
    True
    """
    dates = sorted({text[:10] for one in entries() for text in one.history})
    return f"edition {len(dates)} of {dates[-1]}"


def link(of: Entry) -> str:
    """Return the link to an entry, from any page of the app."""
    return f"statements?{urllib.parse.urlencode({'id': of.id}, safe=':')}"


def record(of: Entry) -> dict[str, Any]:
    """Return all that the ledger says of an entry; formulas that are shown are of its claims."""
    kept = verdicts.stored()[of.id]
    row = asdict(of) | {"paper": of.paper, "counted": of.counted, "link": link(of)}
    for form in of.forms:
        row |= {f"shown, {form}": shown.form(of, form), f"verdict, {form}": kept.words(form)}
        row[f"draws and failures, {form}"] = kept.draws.get(form)
    return row | {"counterexample": ": ".join(shown.example(of)), "needs": shown.needs(of)}


def to_json() -> str:
    """Return every entry with its verdicts as JSON."""
    whole = {
        "edition": edition(),
        "headline": verdicts.headline(entries()),
        "counts": verdicts.counts(entries()),
        "needed": dict(zip(_NEEDED, verdicts.needed(entries()), strict=True)),
        "standard": verdicts.STANDARD,
        "papers": [asdict(one) for one in papers()],
        "statements": [record(one) for one in entries()],
    }
    return json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False)


def rows() -> list[dict[str, object]]:
    """Return one row per entry, as a table holds it."""
    now = {"edition": edition()}
    return [{k: _cell(value) for k, value in (record(one) | now).items()} for one in entries()]


def _cell(value: object) -> object:
    if isinstance(value, Mapping):
        return shown.at(value)
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value))
    return "" if value is None else value


def bibtex() -> str:
    """Return one entry for the ledger and one for each paper, as BibTeX."""
    date = edition()[-10:]
    title = "{A ledger of the printed statements of papers on private learning}"
    whole = bib("misc", "ledger", title=title, year=date[:4], note=edition().capitalize())
    return "\n\n".join([whole, *(one.bibtex for one in papers())]) + "\n"


def table() -> str:
    """Return the slips as a LaTeX document of one long table; it needs amsmath and longtable."""
    rows = []
    for one in slips(entries()):
        kind = one.category + (f", repeats {one.repeats}" if one.repeats else "")
        kind += ", our text may be damaged" if one.damaged else ""
        forms = (shown.form(one, "printed") or (one.quote,), shown.form(one, "reading"))
        lines = [r"\newline ".join(map(_latex, form)) for form in forms]
        rows.append(" & ".join([escaped(f"[{one.paper}] {one.place}"), escaped(kind), *lines]))
    body = " \\\\\n\\hline\n".join(rows)
    return (
        f"% Ledger, {edition()}\n"
        "\\documentclass[a4paper,landscape,9pt]{extarticle}\n"
        "\\usepackage[margin=12mm]{geometry}\n\\usepackage{amsmath,amssymb,longtable}\n"
        "\\begin{document}\n\\sloppy\\raggedright\n"
        "\\begin{longtable}{p{42mm}p{34mm}p{90mm}p{90mm}}\n"
        f"\\caption{{Statements that do not hold as printed. Ledger, {edition()}.}}\\\\\n"
        "Place & Kind & As printed & Our reading \\\\\n\\hline\n\\endhead\n"
        f"{body} \\\\\n\\end{{longtable}}\n\\end{{document}}\n"
    )


def _latex(text: str) -> str:
    """Return a text with formulas between ``$`` as LaTeX."""
    parts = _FORMULA.split(text)
    return "".join(f"${part}$" if k % 2 else escaped(part) for k, part in enumerate(parts))


def slips(of: Iterable[Entry]) -> list[Entry]:
    """Return the entries whose printed form does not hold, the weightiest kinds first."""
    found = [one for one in of if one.category]
    return sorted(found, key=lambda one: CATEGORIES.index(one.category))


# The sheet for the authors of a paper ----------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What we would write to the authors of a paper.

    Attributes:
        title: What it is.
        opening: What it says before the slips: first what is not contradicted.
        slips: The entries, by weight.
        annex: Simulated results that runs of ours do not show, and where our copy is to blame.
    """

    title: str
    opening: tuple[str, ...]
    slips: tuple[Entry, ...]
    annex: tuple[Entry, ...]


def sheet(about: Paper) -> Sheet:
    """Return the sheet of one paper."""
    own = entries_of(about.key)
    found = [one for one in slips(own) if not one.repeats]
    # What contradicts nothing, or may be our copy's fault, is not held against the authors.
    annex = [one for one in found if one.damaged or one.category == NOT_REPRODUCED]
    stands = verdicts.headline(own).replace(f"[{about.key}]: ", "")
    first = (
        f"{stands} What follows is our reading; we may be wrong, and would be glad to hear so."
        if stands
        else "What is not listed here we found no reason to doubt. What follows is our reading; we "
        "may be wrong, and would be glad to hear so."
    )
    return Sheet(
        title=f"Notes on “{about.title}”",
        opening=(f"{about.cited} Read: {about.text}", first),
        slips=tuple(one for one in found if one not in annex),
        annex=tuple(annex),
    )


def noted(of: Entry) -> tuple[str, str]:
    """Return what a sheet says of one entry: its place; then quote, our reading, an example.

    Texts have formulas between ``$``.
    """
    said = [f"({of.category})" + (f": “{of.quote}”." if of.quote else ".")]
    if reading := shown.form(of, "reading"):
        said.append(f"Our reading: {shown.joined(reading)}.")
    example, sides = shown.example(of)
    if example:
        said.append(f"At {example}" + (f" it says {sides}." if of.claim and sides else "."))
    said += _SENTENCE.split(of.why)[:1]
    if of.damaged:
        said.append("Our text may be damaged here.")
    same = [one.place for one in entries_of(of.paper) if one.repeats == of.id]
    if same:
        said.append(f"Likewise: {'; '.join(same)}.")
    return of.place, " ".join(said)
