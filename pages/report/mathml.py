r"""Formulas of this app as MathML, which browsers draw without scripts and without other files.

It reads the LaTeX that formulas in our texts and in the ledger are made of; a formula with
anything else stands as it is written.
"""

from __future__ import annotations

import html
import re
import unicodedata
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
    "nu ν eta η xi ξ psi ψ theta θ varphi φ Lambda Λ Pi Π Phi Φ Psi Ψ "
    "log log ln ln exp exp min min max max Pr Pr sup sup inf inf arg arg lim lim sin sin cos cos "
    "arccos arccos"
)
_SIGNS = _read(
    "le ≤ leq ≤ ge ≥ geq ≥ neq ≠ approx ≈ asymp ≍ sim ∼ times × cdot ⋅ wedge ∧ vee ∨ pm ± in ∈ "
    "to → sum ∑ prod ∏ ll ≪ gg ≫ mid ∣ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ ldots … dots … cdots ⋯ "
    "lesssim ≲ gtrsim ≳ propto ∝ Rightarrow ⇒ iff ⇔ leftarrow ← uparrow ↑ downarrow ↓ forall ∀ "
    "exists ∃ ne ≠ nabla ∇ ast ∗ succeq ⪰ top ⊤ prime ′ int ∫ partial ∂ { { } } % % # # $ $ | ‖"
)
_OVER = _read("hat ^ tilde ~ bar ‾ widehat ^ overline ‾")
_SPACES = {",": 0.17, ":": 0.22, ";": 0.28, " ": 0.25, "quad": 1, "qquad": 2, "!": 0}
_NOTHING = {"big", "Big", "displaystyle", "textstyle", "limits"}
_NOTHING |= {"small", "footnotesize", "scriptsize"}
_STRUT = '<mspace height="0.85em"></mspace>'  # or the line of a root goes through a low letter
_OPENED = {r"\left": r"\right", r"\bigl": r"\bigr", r"\Bigl": r"\Bigr"}
_FUNCTIONS = {"log", "ln", "exp", "min", "max", "Pr", "sup", "inf", "arg", "lim", "sin", "cos"}
_FUNCTIONS |= {"arccos"}
_BRACKETS = {"(": "prefix", "[": "prefix", "{": "prefix", "⌈": "prefix", "⌊": "prefix"}
_BRACKETS |= {")": "postfix", "]": "postfix", "}": "postfix", "⌉": "postfix", "⌋": "postfix"}
_TIGHT = {"|", "‖", "/"}  # signs that stand close to what is beside them
_ALPHABETS = {"mathcal": ("SCRIPT", "SCRIPT"), "mathfrak": ("FRAKTUR", "BLACK-LETTER")}
_CELLS = ("&", r"\\", r"\end")


class _UnknownError(Exception):
    """A part of a formula is not read here."""


def of(latex: str, *, alone: bool = False) -> str:
    r"""Return a formula as a MathML element, or as code where a part of it is not known here.

    Args:
        latex: The formula.
        alone: Whether it has a line of its own, with room for fractions.

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
    look = ' display="block"' if alone else ""
    row = found if found.startswith("<mrow>") else f"<mrow>{found}</mrow>"
    return f"<math{look}>{row}</math>"


def _row(tokens: deque[str]) -> str:
    """Read up to a closing brace, or to the end of a cell."""
    parts = []
    while tokens and tokens[0] not in ("}", *_CELLS, *_OPENED.values()):
        parts.append(_scripted(tokens))
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def _scripted(tokens: deque[str]) -> str:
    """Read one thing with what stands at its foot and head, and the gap behind a function."""
    function = tokens[0].removeprefix("\\") in _FUNCTIONS
    base, marks = _atom(tokens), {}
    while tokens and tokens[0] in ("^", "_"):
        mark = tokens.popleft()
        if mark in marks:
            raise _UnknownError
        marks[mark] = _argument(tokens)
    kind = {"^": "msup", "_": "msub"}.get("".join(marks), "msubsup")
    found = (
        f"<{kind}>{base}{''.join(marks[m] for m in '_^' if m in marks)}</{kind}>" if marks else base
    )
    gap = function and tokens and tokens[0] not in ("(", "[", "}", r"\{", *_OPENED, *_CELLS)
    return f'{found}<mspace width="0.17em"></mspace>' if gap else found


def _brackets(tokens: deque[str], closing: str) -> str:
    """Read what two brackets of one height hold; they grow with it."""
    first, inner = _fence(tokens.popleft(), "prefix"), _row(tokens)
    if tokens.popleft() != closing:
        raise _UnknownError
    return f"<mrow>{first}{inner}{_fence(tokens.popleft(), 'postfix')}</mrow>"


def _fence(token: str, form: str) -> str:
    sign = _SIGNS.get(token[1:], "") if token[0] == "\\" else token
    if sign not in _BRACKETS and sign not in ("|", "‖"):
        raise _UnknownError
    return f'<mo form="{form}" stretchy="true" lspace="0" rspace="0">{sign}</mo>'


def _argument(tokens: deque[str]) -> str:
    """Read a group or one sign; of several digits without braces the first one alone."""
    if tokens[0].isdigit() and len(tokens[0]) > 1:
        tokens.extendleft(reversed(tokens.popleft()))
    return _atom(tokens)


def _expect(tokens: deque[str], text: str) -> None:
    for sign in text:
        if tokens.popleft() != sign:
            raise _UnknownError


def _cases(tokens: deque[str]) -> str:
    """Read the rows of cases, whose cells begin on one line."""
    _expect(tokens, "{cases}")
    rows, token = [[_row(tokens)]], tokens.popleft()
    while token != r"\end":
        if token == "&":
            rows[-1].append(_row(tokens))
        elif token == r"\\":
            rows.append([_row(tokens)])
        else:
            raise _UnknownError
        token = tokens.popleft()
    _expect(tokens, "{cases}")
    cells = "".join(f"<mtr>{''.join(f'<mtd>{cell}</mtd>' for cell in row)}</mtr>" for row in rows)
    return f"<mrow><mo>{{</mo><mtable>{cells}</mtable></mrow>"


def _alphabet(letter: str, names: tuple[str, str]) -> str:
    """Return a capital letter of another alphabet; some of them stand outside the block."""
    found = re.fullmatch(r"<mi>([A-Z])</mi>", letter)
    if found is None:
        raise _UnknownError
    for name in (f"MATHEMATICAL {names[0]} CAPITAL {found[1]}", f"{names[1]} CAPITAL {found[1]}"):
        try:
            return f"<mi>{unicodedata.lookup(name)}</mi>"
        except KeyError:
            continue
    raise _UnknownError


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
        # Spaces at the ends of a text would be dropped.
        inner = re.sub(r"^ | $", "\N{NO-BREAK SPACE}", found[2])
        upright = ' mathvariant="normal"' if kind == "mi" and len(inner) == 1 else ""
        return f"<{kind}{upright}>{html.escape(inner)}</{kind}>"
    if name in _LETTERS:
        return f"<mi>{_LETTERS[name]}</mi>"
    if name in _SIGNS:
        return _operator(_SIGNS[name])
    if name in _SPACES:
        return f'<mspace width="{_SPACES[name]}em"></mspace>'
    if token in _OPENED:
        return _brackets(tokens, _OPENED[token])
    return _command(name, tokens)


def _command(name: str, tokens: deque[str]) -> str:
    """Return what a command makes of what stands after it."""
    if name in ("frac", "tfrac", "dfrac"):
        return f"<mfrac>{_argument(tokens)}{_argument(tokens)}</mfrac>"
    if name == "sqrt":
        return f"<msqrt>{_argument(tokens)}{_STRUT}</msqrt>"
    if name in _OVER:
        return f'<mover accent="true">{_argument(tokens)}<mo>{_OVER[name]}</mo></mover>'
    if name in _ALPHABETS:
        return _alphabet(_argument(tokens), _ALPHABETS[name])
    if name == "begin":
        return _cases(tokens)
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
    return _operator({"-": "−"}.get(token, token))


def _operator(sign: str) -> str:
    """Return a sign; a bracket without a pair stays as high as a letter."""
    look = ""
    if sign in _BRACKETS:
        look = f' form="{_BRACKETS[sign]}" stretchy="false"'
    elif sign in _TIGHT:
        look = ' lspace="0" rspace="0" stretchy="false"'
    return f"<mo{look}>{html.escape(sign)}</mo>"
