"""Plain words as LaTeX."""

from __future__ import annotations

import re
import unicodedata

_ESCAPED = {c: rf"\{c}" for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "^": r"\^{}"}
_ESCAPED |= {
    "~": r"\textasciitilde{}",
    "’": "'",
    "“": "``",
    "”": "''",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
}
_BARS = {"\N{COMBINING CIRCUMFLEX ACCENT}": r"\hat", "\N{COMBINING MACRON}": r"\bar"}
_SIGNS = {
    "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx", "∞": r"\infty", "∈": r"\in",
    "√": r"\surd", "Σ": r"\sum", "∑": r"\sum", "∫": r"\int", "·": r"\cdot", "×": r"\times",
    "→": r"\to", "∧": r"\wedge", "∨": r"\vee", "⌈": r"\lceil", "⌉": r"\rceil", "⌊": r"\lfloor",
    "⌋": r"\rfloor", "≪": r"\ll", "‖": r"\|", "±": r"\pm", "−": "-", "′": "'", "⁻": "^{-}",
    "ℓ": r"\ell", "≍": r"\asymp", "ε": r"\varepsilon", "φ": r"\varphi", "ϕ": r"\phi",
    "…": r"\dots", "ο": "o", "Ε": "E", "∗": "*", "⇒": r"\Rightarrow", "∝": r"\propto",
}  # fmt: skip


def escaped(words: str) -> str:
    r"""Return plain words as LaTeX.

    >>> print(escaped("n_* ≤ 5% of ε₀²"))
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
