r"""A rate as it is taken away: its terms one by one, tables in LaTeX, and lines of Python."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator

from rates.orders.inquiry import Inquiry
from rates.orders.order import Order, single

_HEAD = r"""\documentclass{article}
\usepackage{amsmath,booktabs}
\renewcommand{\arraystretch}{1.5}
\begin{document}
"""


def term_texts(order: Order) -> dict[str, str]:
    """Return every term of the explicit form by its label, as text; those of one label together.

    >>> from rates.orders import parse
    >>> term_texts(parse("max(a: n^-1, n*m, b: max(m, n^2))", sizes=["n", "m"]))
    {'a': '1/n', '2': 'n*m', 'b': 'm, n^2'}
    """
    return _by_label(((label, str(term)) for label, term in _terms(order)), ", ")


def term_latex(order: Order) -> dict[str, str]:
    """Return every term of the explicit form by its label, as LaTeX."""
    return _by_label(((label, term.latex) for label, term in _terms(order)), r",\; ")


def _by_label(terms: Iterable[tuple[str, str]], between: str) -> dict[str, str]:
    out: dict[str, dict[str, None]] = {}
    for label, text in terms:
        out.setdefault(label, {})[text] = None
    return {label: between.join(texts) for label, texts in out.items()}


def _terms(order: Order) -> Iterator[tuple[str, Order]]:
    return ((leaf.label, single(leaf, order.explicit_letters)) for leaf in order.leaves)


def tabular(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    r"""Return a table of LaTeX cells.

    >>> print(tabular(["a", "b"], [["1", "2"]]))
    \begin{tabular}{ll}
    \toprule
    a & b \\
    \midrule
    1 & 2 \\
    \bottomrule
    \end{tabular}
    """
    titles = list(header)
    lines = [" & ".join(row) + r" \\" for row in rows]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{'l' * len(titles)}}}",
            r"\toprule",
            " & ".join(titles) + r" \\",
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def document(title: str, parts: Iterable[tuple[str, str]]) -> str:
    """Return a LaTeX file with a paragraph for each part; the title is LaTeX."""
    body = "\n\n".join(f"\\paragraph{{{name}}}\\mbox{{}}\n\n{text}" for name, text in parts)
    return f"{_HEAD}\\section*{{{title}}}\n{body}\n\\end{{document}}\n"


def to_python(asked: Inquiry) -> str:
    """Return lines of Python that read the rate and say which term decides.

    >>> print(to_python(Inquiry(text="n^-1", sizes=("n",), at=(("n", 10.0),))))
    from rates import orders
    <BLANKLINE>
    order = orders.parse("n^-1", sizes=["n"])
    sizes, exponents = {"n": 10.0}, {}
    print(order.deciding(sizes, exponents), order.value(sizes, exponents))
    """
    given = [_json(asked.text), f"sizes={_json(asked.sizes)}"]
    if asked.exponents:
        ends = ", ".join(
            f"{_json(x)}: ({_number(low)}, {_number(high)})" for x, (low, high) in asked.exponents
        )
        given.append(f"exponents={{{ends}}}")
    for name in ("unknown", "rate"):
        if value := getattr(asked, name):
            given.append(f"{name}={_json(value)}")
    if asked.sites:
        given.append(f"sites={_json(asked.sites)}")
    call = f"order = orders.parse({', '.join(given)})"
    if len(call) > 96:
        call = "\n".join(["order = orders.parse(", *(f"    {part}," for part in given), ")"])
    sizes, exponents = map(_json, asked.split())
    lines = ["from rates import orders", "", call, f"sizes, exponents = {sizes}, {exponents}"]
    if asked.sites:
        lines.append("# Letters that differ by site take arrays over the sites.")
        lines.append("print(order.value(sizes, exponents))")
    else:
        lines.append("print(order.deciding(sizes, exponents), order.value(sizes, exponents))")
    for claim in asked.claims:
        where = _json(claim.where)
        lines.append(f"claim = orders.Claim(order, {_json(claim.equals)}, where={where})")
        lines.append("print(orders.decide(claim, exponents))")
    return "\n".join(lines)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)  # which Python reads alike where all is finite


def _number(value: float) -> str:
    return repr(value) if math.isfinite(value) else f'float("{value}")'
