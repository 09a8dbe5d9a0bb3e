r"""Formulas that fit a phone: KaTeX breaks one in a line of text, before relations and sums.

It breaks none inside words, brackets that grow, or fractions; so long ones get brackets of one
size and wide fractions a stroke, and words and factors may end a line. Paper and files have MathML,
which is broken by nothing: there formulas are short.
"""

from __future__ import annotations

import html
import re
import unicodedata

import streamlit as st
from latex2mathml import converter

from pages.charts import words

LONG, LONGEST = 90, 160  # signs of a formula
_WIDE = 22  # signs that are seen above or below the line of a fraction
_UNSEEN = {"{", "}", "^", "_", " ", r"\bigl", r"\bigr", r"\frac"}
_TOKEN = re.compile(r"\\(?:text|mathrm|operatorname)\s*\{[^{}]*\}|\\[a-zA-Z]+\*?|\\.|.", re.DOTALL)
_RELATIONS = {"=", "<", ">", r"\ge", r"\le", r"\asymp", r"\ll", r"\gg", r"\lesssim", r"\gtrsim"}
_RELATIONS |= {r"\neq", r"\sim", r"\to", r"\iff", r"\Rightarrow", r"\Leftrightarrow", r"\propto"}
_ALONE = {"", "(", ",", r"\bigr", "-", "+", *_RELATIONS}  # beside a term that is no factor
_FACTORS = re.compile(r"(?<=\} )(?=\\bigl\(|\\frac)|(?<=\\bigr\) )(?=\\bigl\(|\\frac)")
_NESTED = re.compile(r"\\frac\{(?:[^{}]|\{[^{}]*\})*\\frac")
_LOW = r"\raisebox{1.05em}{}\raisebox{-0.35em}{}"
_HIGH = r"\raisebox{1.62em}{}\raisebox{-1.02em}{}"
_HIGHEST = r"\raisebox{1.9em}{}\raisebox{-1.6em}{}"
_REFUSED = re.compile(r">\\|\b(href|class|style)=")  # what it does not know, or may not say


def show(latex: str) -> None:
    """Show formulas, one a line; a line of words is words."""
    st.markdown(compact(latex, "\n\n"))


def compact(latex: str, between: str = "  \n") -> str:
    """Return formulas as Markdown, one a line."""
    lines = (line.strip() for line in latex.splitlines() if line.strip())
    return between.join(words.md(text) if (text := sentence(x)) else inline(x) for x in lines)


def inline(latex: str) -> str:
    r"""Return a formula as Markdown that is broken where it has to be.

    >>> inline(r"a = \text{at most } b")
    '$\\displaystyle a = \\text{at }\\allowbreak \\text{most } b$'
    """
    if len(latex) > LONG:
        latex = re.sub(r"\\(left|right)(?![a-z])", lambda x: rf"\big{x[1][0]}", latex)
        latex = _stroked(_TOKEN.findall(latex))
        # Not within words, between which a line may end below.
        latex = re.sub(
            r"(\\text\{[^{}]*\})|\\;|, ", lambda x: x[1] or rf"{x[0]}\allowbreak ", latex
        )
        latex = _FACTORS.sub(r"\\allowbreak ", latex)
    size = r"\small " if len(latex) > LONGEST else ""
    latex = re.sub(r"(\\q?quad)(?![a-z])", r"\1\\allowbreak ", latex)
    loose = re.sub(r"\\text\{([^{}]*)\}", lambda x: _loose(x[1]), latex)
    return rf"${size}\displaystyle {loose}$"


def _stroked(tokens: list[str]) -> str:
    r"""Return a formula whose wide fractions have a stroke.

    >>> wide = r"\frac{1}{" + 39 * "b+" + "b}"
    >>> _stroked(_TOKEN.findall(f"a = {wide}")).replace("b+", "")
    'a = 1 \\allowbreak\\big/ \\bigl(b\\bigr)'
    >>> _stroked(_TOKEN.findall(f"2 {wide}")).replace("b+", "")
    '2 \\bigl(1 \\allowbreak\\big/ \\bigl(b\\bigr)\\bigr)'
    """
    found, depth, k = "", 0, 0
    while k < len(tokens):
        if depth == 0 and tokens[k : k + 2] == [r"\frac", "{"]:
            middle = _end(tokens, k + 1)
            end = _end(tokens, middle)
            parts = tokens[k + 2 : middle - 1], tokens[middle + 1 : end - 1]
            if max(sum(token not in _UNSEEN for token in part) for part in parts) > _WIDE:
                made = r" \allowbreak\big/ ".join(map(_bracketed, parts))
                around = _next(tokens[:k][::-1]), _next(tokens[end:])
                found += made if {*around} <= _ALONE else rf"\bigl({made}\bigr)"
                k = end
                continue
        depth += {"{": 1, "}": -1}.get(tokens[k], 0)
        found += tokens[k]
        k += 1
    return found


def _end(tokens: list[str], start: int) -> int:
    """Return where a group of tokens has ended that begins with a brace."""
    depth = 0
    for k in range(start, len(tokens)):
        depth += {"{": 1, "}": -1}.get(tokens[k], 0)
        if depth == 0:
            return k + 1
    return len(tokens)


def _next(tokens: list[str]) -> str:
    return next((token for token in tokens if token != " "), "")


def _bracketed(tokens: list[str]) -> str:
    return tokens[0] if len(tokens) == 1 else rf"\bigl({_stroked(tokens)}\bigr)"


def _loose(text: str) -> str:
    """Return words between which a line may end, or before a first space; not after the last."""
    parts = [rf"\text{{{part}}}" for part in re.findall(r"\s*\S+\s*|\s+", text)]
    return r"\allowbreak ".join(["", *parts] if text[:1].isspace() else parts)


def cell(latex: str) -> str:
    """Return a formula for a cell of a table, which would cut what is above and below a line."""
    room = _HIGHEST if _NESTED.search(latex) else _HIGH if r"\frac" in latex else _LOW
    return rf"${latex}{room}\,$"


def sentence(line: str) -> str:
    r"""Return the words of a line that is nothing but words; empty for a formula.

    >>> sentence(r"\text{none of them}"), sentence("a = b")
    ('none of them', '')
    """
    found = re.fullmatch(r"\s*\\text\{([^{}$\\]*)\}\s*", line)
    return found.group(1) if found else ""


def mathml(latex: str, *, alone: bool = False) -> str:
    r"""Return a formula as MathML; code if it is none.

    Args:
        latex: The formula.
        alone: Whether it stands on a line of its own.

    >>> mathml("a = b").startswith("<math"), mathml(r"\left(").startswith("<code>")
    (True, True)
    """
    display = "block" if alone else "inline"
    known = re.sub(
        r"\\(small|displaystyle|allowbreak|[bB]ig([lr](?=\\[{}]))?)(?![a-z])", "", latex
    ).strip()
    known = re.sub(r"\\arg(?![a-z])", r"\\text{arg}", known)
    known = re.sub(r"\\mathrm\s*\{(.)\}", r"\\text{\1}", known)  # else one letter is in italics
    script = re.compile(r"\\mathcal\s*(?:\{([A-Z])\}|([A-Z]))")
    known = script.sub(lambda x: _script(x[1] or x[2]), known)
    try:
        made = converter.convert(known, display=display)
    except Exception:  # whatever the library raises at what is no formula
        made = ""
    return made if made and not _REFUSED.search(made) else f"<code>{html.escape(latex)}</code>"


def _script(letter: str) -> str:
    """Return a script letter, which browsers do not make of a plain one."""
    plain = f"SCRIPT CAPITAL {letter}"
    try:
        return unicodedata.lookup(plain)
    except KeyError:
        return unicodedata.lookup(f"MATHEMATICAL {plain}")
