"""The ledger to cite: its edition, and its entries as BibTeX and as a LaTeX table."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from rates.statements import CATEGORIES, Statement, statements

_ESCAPED = {c: rf"\{c}" for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "^": r"\^{}"}
_ESCAPED |= {"~": r"\textasciitilde{}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}"}
_BARS = {"\N{COMBINING CIRCUMFLEX ACCENT}": r"\hat", "\N{COMBINING MACRON}": r"\bar"}
_SIGNS = {
    "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx", "∞": r"\infty", "∈": r"\in",
    "√": r"\surd", "Σ": r"\sum", "∑": r"\sum", "∫": r"\int", "·": r"\cdot", "×": r"\times",
    "→": r"\to", "∧": r"\wedge", "∨": r"\vee", "⌈": r"\lceil", "⌉": r"\rceil", "⌊": r"\lfloor",
    "⌋": r"\rfloor", "≪": r"\ll", "‖": r"\|", "±": r"\pm", "−": "-", "′": "'", "⁻": "^{-}",
    "ℓ": r"\ell", "≍": r"\asymp", "ε": r"\varepsilon", "φ": r"\varphi", "ϕ": r"\phi",
    "ο": "o", "Ε": "E", "∗": "*", "⇒": r"\Rightarrow", "∝": r"\propto",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """Which state of the ledger this is.

    Attributes:
        number: From 1; one more for every day on which an entry was changed.
        date: Of the last change, as "2026-11-22".
    """

    number: int
    date: str

    def __str__(self) -> str:
        return f"edition {self.number} of {self.date}"


def edition() -> Edition:
    """Return the edition of the ledger, from the dates of its history.

    >>> str(edition()).startswith("edition ")
    True
    """
    dates = sorted({text[:10] for item in statements() for text in item.history})
    return Edition(number=len(dates), date=dates[-1])


def slips() -> tuple[Statement, ...]:
    """Return the entries whose printed form does not hold, kind by kind, repeats among them."""
    found = [item for item in statements() if item.category]
    return tuple(sorted(found, key=lambda item: CATEGORIES.index(item.category)))


def key(item: Statement) -> str:
    """Return the key under which an entry is cited; it is the end of its link as well.

    >>> key(slips()[0])
    'ledger:ACC:Cor3.2:eps21'
    """
    return f"ledger:{item.id}"


def bibtex() -> str:
    """Return one entry for the ledger and one for every slip, as BibTeX."""
    now = edition()
    whole = _entry(
        "ledger",
        title="{A ledger of the printed statements of five papers}",
        year=now.date[:4],
        note=f"Edition {now.number}, {now.date}",
    )
    return "\n\n".join([whole, *(_slip(item, now) for item in slips())]) + "\n"


def _slip(item: Statement, now: Edition) -> str:
    said = f"{item.category}; {_quoted(item)}"
    if item.repeats:
        said += f"; repeats {item.repeats}"
    if item.extraction:
        said += "; our text of the paper may be damaged here"
    return _entry(
        key(item),
        title=f"{{{text(item.title)}}}",
        year=now.date[:4],
        note=f"[{item.paper}] Section {item.section}. {text(said)}. Ledger, {now}",
        howpublished=f"statements?id={item.id}",
    )


def _entry(name: str, **fields: str) -> str:
    lines = ",\n".join(f"  {field} = {{{value}}}" for field, value in fields.items())
    return f"@misc{{{name},\n{lines}\n}}"


def _quoted(item: Statement) -> str:
    return {"verbatim": "quoted", "paraphrase": "in our words", "implied": "implied"}[item.quoted]


def table() -> str:
    """Return the slips as a LaTeX document of one long table; it needs amsmath and longtable."""
    now = edition()
    rows = []
    for item in slips():
        place = rf"{text(item.id)}\newline {text(f'Section {item.section}, {_quoted(item)}')}"
        kind = text(item.category)
        if item.repeats:
            kind += rf"\newline repeats {text(item.repeats)}"
        if item.extraction:
            kind += r"\newline our text may be damaged"
        rows.append(
            f"{place} & {kind} & {formulas(item.printed)} & {formulas(item.reading or '')} \\\\"
        )
    body = "\n\\hline\n".join(rows)
    return (
        "% " + f"Ledger, {now}\n"
        "\\documentclass[a4paper,landscape,9pt]{extarticle}\n"
        "\\usepackage[margin=12mm]{geometry}\n\\usepackage{amsmath,amssymb,longtable}\n"
        "\\begin{document}\n\\sloppy\\raggedright\n"
        "\\begin{longtable}{p{42mm}p{34mm}p{90mm}p{90mm}}\n"
        f"\\caption{{Statements that do not hold as printed. Ledger, {now}.}}\\\\\n"
        "Entry & Kind & As printed & Our reading \\\\\n\\hline\n\\endhead\n"
        f"{body}\n\\end{{longtable}}\n\\end{{document}}\n"
    )


def formulas(latex: str) -> str:
    r"""Return the formulas of an entry, one a line, for a cell of a table.

    >>> print(formulas("a \\le b\n\\text{for ε}"))
    $a \le b$\newline $\text{for \ensuremath{\varepsilon}}$
    """
    return r"\newline ".join(f"${_signs(line.strip())}$" for line in latex.splitlines())


def text(words: str) -> str:
    r"""Return plain words as LaTeX.

    >>> print(text("n_* ≤ 5% of ε₀²"))
    n\_* \ensuremath{\le} 5\% of \ensuremath{\varepsilon}\ensuremath{_{0}}\ensuremath{^{2}}
    """
    return _signs("".join(_ESCAPED.get(c, c) for c in words))


def _signs(words: str) -> str:
    composed = unicodedata.normalize("NFC", words)
    out = re.sub(r"[^\x00-\x7f]", lambda found: _sign(found[0]), composed)
    return out.replace("\N{NO-BREAK SPACE}", "~")


def _sign(c: str) -> str:
    """One letter or sign beyond ASCII; one that has no name here stays as it is."""
    if c in _SIGNS:
        return rf"\ensuremath{{{_SIGNS[c]}}}"
    name = unicodedata.name(c, "")
    if found := re.fullmatch(r"(SUPER|SUB)SCRIPT .*", name):
        plain = unicodedata.normalize("NFKC", c)
        return rf"\ensuremath{{{'^' if found[1] == 'SUPER' else '_'}{{{plain}}}}}"
    if found := re.fullmatch(r"GREEK (SMALL|CAPITAL) LETTER (\w+)", name):
        letter = found[2].lower().replace("lamda", "lambda")
        return rf"\ensuremath{{\{letter if found[1] == 'SMALL' else letter.capitalize()}}}"
    apart = unicodedata.normalize("NFD", c)
    if apart[1:2] in _BARS:
        return rf"\ensuremath{{{_BARS[apart[1:2]]}{{{apart[0]}}}}}"
    return c
