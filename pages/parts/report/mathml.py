r"""Formulas of this app as MathML, which browsers draw without scripts and without other files.

It reads the LaTeX that short formulas in our texts are made of; a formula with anything else
stands as it is written.
"""

from __future__ import annotations

import html
import re
from collections import deque

_TOKEN = re.compile(
    r"\\(?:text|mathrm|operatorname)\s*\{[^{}]*\}|\\[a-zA-Z]+|\\.|\d+(?:[.,]\d+)*|[^\s]"
)


def _read(pairs: str) -> dict[str, str]:
    """Return names and signs of a line of pairs."""
    return dict(re.findall(r"(\S+) (\S+)", pairs))


_LETTERS = _read(
    "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε kappa κ lambda λ mu μ pi π rho ρ "
    "sigma σ tau τ phi φ chi χ omega ω Gamma Γ Delta Δ Sigma Σ Omega Ω infty ∞ ell ℓ "
    "log log ln ln exp exp min min max max Pr Pr sup sup inf inf"
)
_SIGNS = _read(
    "le ≤ leq ≤ ge ≥ geq ≥ neq ≠ approx ≈ asymp ≍ sim ∼ times × cdot ⋅ wedge ∧ vee ∨ pm ± in ∈ "
    "to → sum ∑ prod ∏ ll ≪ gg ≫ mid ∣ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ ldots … dots … cdots ⋯ "
    "lesssim ≲ gtrsim ≳ propto ∝ { { } } % % # # $ $ | ‖"
)
_OVER = _read("hat ^ tilde ~ bar ‾ widehat ^ overline ‾")
_BRACKETS = "()[]{}|⌈⌉⌊⌋"
_STRUT = '<mspace height="0.85em"></mspace>'  # or the line of a root goes through a low letter
_SPACES = {",": 0.17, ":": 0.22, ";": 0.28, " ": 0.25, "quad": 1, "qquad": 2, "!": 0}
_NOTHING = {"left", "right", "bigl", "bigr", "Bigl", "Bigr", "displaystyle", "textstyle"}
_NOTHING |= {"small", "footnotesize", "scriptsize"}


class _UnknownError(Exception):
    """A part of a formula is not read here."""


def of(latex: str) -> str:
    r"""Return a formula as a MathML element, or as code where a part of it is not known here.

    >>> of(r"e^{\varepsilon}")
    '<math><mrow><msup><mi>e</mi><mi>ε</mi></msup></mrow></math>'
    >>> of(r"\unknown{<b>}")
    '<code>\\unknown{&lt;b&gt;}</code>'
    """
    tokens = deque(_TOKEN.findall(latex))
    try:
        found = _row(tokens)
        if tokens:
            raise _UnknownError
    except (_UnknownError, IndexError):
        return f"<code>{html.escape(latex)}</code>"
    return f"<math>{found if found.startswith('<mrow>') else f'<mrow>{found}</mrow>'}</math>"


def _row(tokens: deque[str]) -> str:
    """Read up to a closing brace or the end."""
    parts = []
    while tokens and tokens[0] != "}":
        parts.append(_scripted(tokens))
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def _scripted(tokens: deque[str]) -> str:
    """Read one thing with what stands at its foot and head."""
    base, marks = _atom(tokens), {}
    while tokens and tokens[0] in ("^", "_"):
        mark = tokens.popleft()
        if mark in marks:
            raise _UnknownError
        marks[mark] = _argument(tokens)
    kind = {"^": "msup", "_": "msub"}.get("".join(marks), "msubsup")
    return (
        f"<{kind}>{base}{''.join(marks[m] for m in '_^' if m in marks)}</{kind}>" if marks else base
    )


def _argument(tokens: deque[str]) -> str:
    """Read a group or one sign; several digits without braces would be read as one by LaTeX."""
    if tokens[0].isdigit() and len(tokens[0]) > 1:
        raise _UnknownError
    return _atom(tokens)


def _atom(tokens: deque[str]) -> str:
    token = tokens.popleft()
    if token == "{":
        group = _row(tokens)
        if tokens.popleft() != "}":
            raise _UnknownError
        return group
    if not token.startswith("\\"):
        return _sign(token)
    name = token[1:]
    if found := re.fullmatch(r"([a-z]+)\s*\{(.*)\}", name):
        kind = "mtext" if found[1] == "text" else "mi"
        return f"<{kind}>{html.escape(found[2])}</{kind}>"
    if name in _LETTERS:
        return f"<mi>{_LETTERS[name]}</mi>"
    if name in _SIGNS:
        return _operator(_SIGNS[name])
    if name in _SPACES:
        return f'<mspace width="{_SPACES[name]}em"></mspace>'
    if name in ("frac", "tfrac", "dfrac"):
        return f"<mfrac>{_argument(tokens)}{_argument(tokens)}</mfrac>"
    if name == "sqrt":
        return f"<msqrt>{_argument(tokens)}{_STRUT}</msqrt>"
    if name in _OVER:
        return f'<mover accent="true">{_argument(tokens)}<mo>{_OVER[name]}</mo></mover>'
    if name in _NOTHING:
        return "<mrow></mrow>"
    raise _UnknownError


def _sign(token: str) -> str:
    """Return a number, a letter or a sign."""
    if token[0].isdigit():
        return f"<mn>{token}</mn>"
    if token.isalpha():
        return f"<mi>{token}</mi>"
    if token in "}^_&":
        raise _UnknownError
    return _operator("−" if token == "-" else token)


def _operator(sign: str) -> str:
    """Return a sign; brackets keep their size, as a formula may be broken between two."""
    look = ' stretchy="false"' if sign in _BRACKETS else ""
    return f"<mo{look}>{html.escape(sign)}</mo>"
