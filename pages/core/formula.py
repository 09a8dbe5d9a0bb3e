r"""Formulas that fit a phone: a long one is broken where it has a relation, a sum or a gap.

A formula that scrolls sideways cannot be reached by keyboard, so none may be wider than the
narrowest page. Widths are estimates in pixels.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import streamlit as st

from pages.charts import words

MOST = 310.0  # a card leaves 354 pixels on a screen of 420; estimates may be 12 % too small
_TOKEN = re.compile(r"\\[a-zA-Z]+\*?|\\.|\s+|.", re.DOTALL)
_RELATIONS = {"=", "<", ">", r"\ge", r"\le", r"\asymp", r"\ll", r"\gg", r"\lesssim", r"\gtrsim"}
_RELATIONS |= {r"\neq", r"\sim", r"\to", r"\in", r"\iff", r"\Rightarrow", r"\Leftrightarrow"}
_SUMS = {"+", "-", r"\wedge", r"\vee", r"\cdot", r"\times"}
_INSIDE = {*_SUMS, r"\;"}  # between brackets also at the gap after a comma
_CLAUSES = {r"\iff", r"\Rightarrow", r"\Leftrightarrow", r"\quad", r"\qquad"}
_NOTHING = {
    *(r"\left", r"\right", r"\mathrm", r"\text", r"\mathcal", r"\mathbb", r"\operatorname"),
    *(r"\bigl", r"\bigr", r"\Bigl", r"\Bigr", r"\displaystyle", r"\textstyle", r"\!", r"\limits"),
    *(r"\tilde", r"\hat", r"\bar", r"\widetilde", r"\widehat", r"\overline", r"\mathbf", r"\bm"),
}
_WIDTHS = {r"\,": 4.0, r"\;": 6.0, r"\ ": 6.0, r"\:": 5.0, r"\quad": 20.0, r"\qquad": 40.0}
_WIDTHS |= {r"\log": 27.0, r"\min": 32.0, r"\max": 34.0, r"\sum": 30.0, r"\exp": 31.0}
_WIDTHS |= {r"\lceil": 9.0, r"\rceil": 9.0, r"\iff": 45.0, "-": 24.0, "+": 24.0, r"\sqrt": 17.0}
_WIDTHS |= dict.fromkeys("()[]|", 8.0) | dict.fromkeys(".,;:", 7.0)
_WIDTHS |= dict.fromkeys("0123456789", 10.0)
_SIZES = {r"\small": 0.9, r"\footnotesize": 0.8}
_SMALLEST = 0.7  # \scriptsize
_GAPS = {r"\,", r"\;", r"\:", r"\ ", r"\quad", r"\qquad"}
_COMMA = re.compile(r"(?<!\\),\s+$")
_FRACTION = r"\\d?frac(?![a-zA-Z])"
_FLAT = r"\raisebox{1.05em}{}\raisebox{-0.35em}{}"
_TALL = r"\raisebox{1.62em}{}\raisebox{-1.02em}{}"
_TALLEST = r"\raisebox{1.9em}{}\raisebox{-1.6em}{}"
_LETTER, _RELATION, _OPERATOR, _INDEX = 11.5, 28.0, 25.0, 0.72


def show(latex: str) -> None:
    """Show formulas, one a line, each broken where it would be too wide for a phone."""
    for line in latex.splitlines():
        if text := sentence(line):
            st.markdown(words.md(text))
            continue
        for piece in broken(line.strip()):
            st.latex(roomy(piece))


def roomy(piece: str) -> str:
    """Return a formula with a strut and a thin space at its end, or it would be cut.

    A last letter with both indices is drawn two pixels wider than KaTeX says, and an exponent
    one higher.
    """
    tall = _TALL if re.search(_FRACTION, piece) else _FLAT
    return rf"{piece}{_TALLEST if _nested(piece) else tall}\,"


def _nested(piece: str) -> bool:
    """Whether a fraction stands in another, or in some other group that is no index."""
    groups, last = [], ""
    for token in _TOKEN.findall(piece):
        if token == "{":
            groups.append(last in ("^", "_"))
        elif token == "}" and groups:
            groups.pop()
        elif re.match(_FRACTION, token) and groups and not any(groups):
            return True
        last = token
    return False


def cell(latex: str) -> str:
    """Return a formula for a cell of a table, with room for its indices."""
    return f"${roomy(latex)}$"


def compact(latex: str, most: float = MOST) -> str:
    """Return formulas as one paragraph of Markdown with tight lines, for a sheet of paper."""
    lines = []
    for line in latex.splitlines():
        text = sentence(line)
        lines += [words.md(text)] if text else [f"${x}$" for x in broken(line.strip(), most)]
    return "  \n".join(lines)


def sentence(line: str) -> str:
    r"""Return the words of a line that is nothing but words; empty for a formula.

    >>> sentence(r"\text{none of them}"), sentence("a = b")
    ('none of them', '')
    """
    found = re.fullmatch(r"\s*\\text\{([^{}$\\]*)\}\s*", line)
    return found.group(1) if found else ""


def broken(latex: str, most: float = MOST) -> list[str]:
    r"""Return a formula as lines that fit, in the order in which they are read.

    >>> broken("a = b"), broken("a = b + c", most=60)
    (['a = b'], ['a', '= b', '{}+ c'])
    """
    lines = _fitted(latex, (_CLAUSES, _RELATIONS, _SUMS), most)
    return [_small(line.strip(), most) for line in lines if line.strip()]


def _fitted(latex: str, levels: Sequence[set[str]], most: float) -> list[str]:
    """Break before the first kind of token; what is still too wide, before the next kind."""
    if width(latex) <= most:
        return [latex]
    if not levels:  # inside brackets at last, which then no longer grow with what they hold
        flat = re.sub(r"\\(left|right)\b", "", latex)
        lines = _packed(_split(flat, _INSIDE, _GROUPS), most)
        low = [_lowered(line, most) for line in lines]
        return [
            part
            for line, other in zip(lines, low, strict=True)
            for part in (_factors(line, most) if other == line else _fitted(other, (), most))
        ]
    parts = _packed(_split(latex, levels[0]), most)
    return [line for part in parts for line in _fitted(part, levels[1:], most)]


def _lowered(line: str, most: float) -> str:
    r"""Return a line without room, with the parts of its first wide fraction side by side.

    A fraction without a place to break stays as it is, and so does one that is an index. Where a
    factor follows, brackets keep it out of the denominator.

    >>> _lowered(r"\frac{1}{a + b}", 30), _lowered(r"\frac{1}{a + b}", 90)
    ('1 \\;/\\, (a + b)', '\\frac{1}{a + b}')
    >>> _lowered(r"\frac{1}{a + b}c", 30), _lowered(r"\frac{1}{a + b} + c", 30)
    ('(1 \\;/\\, (a + b))c', '1 \\;/\\, (a + b) + c')
    """
    if _SMALLEST * width(line) <= most:
        return line
    tokens = _TOKEN.findall(line)
    for at, token in enumerate(tokens):
        if token != r"\frac" or tokens[at + 1 : at + 2] != ["{"] or _depth(tokens[:at]):
            continue
        if at and tokens[at - 1] in ("^", "_"):
            continue
        end = _closing(tokens, at + 1)
        if tokens[end + 1 : end + 2] != ["{"]:
            continue
        last = _closing(tokens, end + 1)
        top, bottom = "".join(tokens[at + 2 : end]), "".join(tokens[end + 2 : last])
        breaks = any(len(_split(part, _INSIDE, _GROUPS)) > 1 for part in (top, bottom))
        if breaks and width("".join(tokens[at : last + 1])) > most / 2:
            top = f"({top})" if len(_TOKEN.findall(top)) > 1 else top
            made, rest = rf"{top} \;/\, ({bottom})", tokens[last + 1 :]
            made = f"({made})" if _goes_on(rest) else made
            return f"{''.join(tokens[:at])}{made}{''.join(rest)}"
    return line


def _factors(line: str, most: float) -> list[str]:
    r"""Return a line without room cut between two of its factors in brackets.

    >>> _factors("(a b)^{c}(d e)", 50), _factors("(a b)^{c}(d e)", 300)
    (['(a b)^{c}', '{}\\cdot (d e)'], ['(a b)^{c}(d e)'])
    """
    if _SMALLEST * width(line) <= most:
        return [line]
    tokens, cuts, groups, last = _TOKEN.findall(line), [0], list[str](), ""
    for at, token in enumerate(tokens):
        if token == "(" and not groups and last in (")", "^}"):
            cuts.append(at)
        if token == "{":
            groups.append(last)
        if token == "}" and groups:
            last = f"{groups.pop()}}}"
        elif not token.isspace():
            last = token
    parts = ["".join(tokens[i:k]) for i, k in zip(cuts, [*cuts[1:], None], strict=True)]
    return _packed([parts[0], *(rf"\cdot {part}" for part in parts[1:])], most)


def _goes_on(rest: Sequence[str]) -> bool:
    """Whether a factor comes next."""
    token = next((one for one in rest if not one.isspace() and one not in _GAPS), ",")
    ends = token in _RELATIONS | _SUMS or token in (",", ".", ";", r"\text")
    return not ends and _BRACKETS.get(token, 0) >= 0


def _depth(tokens: Sequence[str]) -> int:
    """How many groups are open after some tokens."""
    return sum(_GROUPS.get(token, 0) for token in tokens)


def width(latex: str) -> float:
    """Return about how many pixels a formula takes."""
    tokens = [token for token in _TOKEN.findall(latex) if not token.isspace()]
    total, at = 0.0, 0
    while at < len(tokens):
        size, at = _next(tokens, at)
        total += size
    return total


def _next(tokens: Sequence[str], at: int) -> tuple[float, int]:
    """The width of what starts at a token, and where the next thing starts."""
    token = tokens[at]
    if token == "{":
        end = _closing(tokens, at)
        return width("".join(_spaced(tokens[at + 1 : end]))), end + 1
    if token in (r"\frac", r"\tfrac", r"\dfrac") and at + 2 < len(tokens):
        top, second = _next(tokens, at + 1)
        bottom, end = _next(tokens, min(second, len(tokens) - 1))
        return max(top, bottom) + 5.0, end
    if token in ("^", "_") and at + 1 < len(tokens):
        size, end = _next(tokens, at + 1)
        other = 0.0
        if end < len(tokens) - 1 and tokens[end] in ("^", "_") and tokens[end] != token:
            other, end = _next(tokens, end + 1)
        return _INDEX * max(size, other), end
    if token in (r"\begin", r"\end"):
        return 12.0, _closing(tokens, at + 1) + 1
    if token in (r"\text", r"\operatorname") and at + 1 < len(tokens):
        end = _closing(tokens, at + 1)
        return 10.0 * sum(map(len, tokens[at + 2 : end])), end + 1
    if token in _NOTHING or token in "}&":
        return 0.0, at + 1
    if token in _WIDTHS:
        return _WIDTHS[token], at + 1
    if token in _RELATIONS:
        return _RELATION, at + 1
    if token in _SUMS:
        return _OPERATOR, at + 1
    return _LETTER, at + 1


def _spaced(tokens: Sequence[str]) -> list[str]:
    """Tokens that stay apart when joined."""
    return [f"{token} " if re.fullmatch(r"\\[a-zA-Z]+\*?", token) else token for token in tokens]


def _closing(tokens: Sequence[str], at: int) -> int:
    """Where the group that opens at a token closes."""
    depth = 0
    for k in range(at, len(tokens)):
        depth += (tokens[k] == "{") - (tokens[k] == "}")
        if depth == 0:
            return k
    return len(tokens) - 1


_GROUPS = {"{": 1, r"\begin": 1, "}": -1, r"\end": -1}
_BRACKETS = {"(": 1, "[": 1, r"\{": 1, r"\left": 1, r"\lceil": 1, r"\lfloor": 1}
_BRACKETS |= {")": -1, "]": -1, r"\}": -1, r"\right": -1, r"\rceil": -1, r"\rfloor": -1}
_BRACKETS |= _GROUPS


def _split(latex: str, before: set[str], brackets: Mapping[str, int] = _BRACKETS) -> list[str]:
    """Cut a formula before some tokens that stand outside every bracket."""
    parts, depth, delimiter, last = [""], 0, False, ""
    for token in _TOKEN.findall(latex):
        # The bracket after \left or \right is counted with it.
        if not delimiter:
            depth += brackets.get(token, 0)
        delimiter = token in (r"\left", r"\right")
        # A sign after a relation or an opening bracket belongs to what comes after it.
        sign = token in _SUMS and (last in _RELATIONS or _BRACKETS.get(last, 0) > 0)
        binary = last not in ("", "^", "_") and not sign
        gap = r"\;" in before and _COMMA.search(parts[-1]) and token not in _GAPS
        if depth == 0 and (gap or (token in before and binary)) and parts[-1].strip():
            parts.append("")
        parts[-1] += token
        last = last if token.isspace() else token
    return parts


def _packed(parts: Sequence[str], most: float) -> list[str]:
    """Join neighbouring parts as long as they fit on one line."""
    lines = [parts[0]]
    for part in parts[1:]:
        if width(lines[-1] + part) <= most:
            lines[-1] += part
            continue
        rest = re.sub(r"^\s*(\\q?quad\s*)+", "", part)
        sign = _TOKEN.match(rest.lstrip())
        lines.append(f"{{}}{rest}" if sign and sign.group() in _SUMS else rest)
    return lines


def _small(line: str, most: float) -> str:
    """The line, in smaller letters where it is still too wide."""
    size = width(line)
    if size <= most:
        return line
    for name, part in _SIZES.items():
        if part * size <= most:
            return f"{name} {line}"
    return rf"\scriptsize {line}"
