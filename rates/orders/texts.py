"""A rate as it is taken away: terms, LaTeX, Python; a question answered as data and as text."""

from __future__ import annotations

import math
import pprint
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from rates import proofs
from rates.numbers import DomainError, number
from rates.orders.axes import crossings
from rates.orders.claims import Claim, Decision, Shown, decide, decide_symbolic, needs
from rates.orders.draft import completed
from rates.orders.inquiry import Inquiry, Said, to_dict
from rates.orders.order import Order, single
from rates.orders.read import asides
from rates.orders.reading import order_of

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
    return _by_label(order, str, ", ")


def term_latex(order: Order) -> dict[str, str]:
    """Return every term of the explicit form by its label, as LaTeX."""
    return _by_label(order, lambda term: term.latex, r",\; ")


def _by_label(order: Order, show: Callable[[Order], str], between: str) -> dict[str, str]:
    # Several terms may share a label; equal ones are shown once.
    out: dict[str, dict[str, None]] = {}
    for leaf in order.leaves:
        out.setdefault(leaf.label, {})[show(single(leaf, order.explicit_letters))] = None
    return {label: between.join(texts) for label, texts in out.items()}


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
    titles, *lines = (" & ".join(row) + r" \\" for row in (header, *rows))
    columns = "l" * (1 + titles.count(" & "))
    top = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", titles, r"\midrule"]
    return "\n".join([*top, *lines, r"\bottomrule", r"\end{tabular}"])


def document(title: str, parts: Iterable[tuple[str, str]]) -> str:
    """Return a LaTeX file with a paragraph for each part; the title is LaTeX."""
    body = "\n\n".join(f"\\paragraph{{{name}}}\\mbox{{}}\n\n{text}" for name, text in parts)
    return f"{_HEAD}\\section*{{{title}}}\n{body}\n\\end{{document}}\n"


def to_python(asked: Inquiry) -> str:
    """Return lines of Python that read the rate and print what the command `orders` says of it.

    >>> print(to_python(Inquiry(text="n^-1", sizes=("n",))))
    from rates import orders
    <BLANKLINE>
    asked = orders.inquiry.from_dict({'version': 1, 'text': 'n^-1', 'sizes': ['n']})
    print(orders.report_text(orders.report(asked)))
    """
    data = pprint.pformat(to_dict(asked), width=80, sort_dicts=False)
    lines = ["from rates import orders", "", f"asked = orders.inquiry.from_dict({data})"]
    return "\n".join([*lines, "print(orders.report_text(orders.report(asked)))"])


_PLAIN = 40  # powers of two that are written out


def report(asked: Inquiry) -> dict[str, Any]:
    """Return what is asked about a rate as plain data.

    Letters without a value have their usual one. Claims are decided at these exponents, and for
    all of them where signs show it.

    Raises:
        DomainError: Something cannot be read; the message says which claim.

    Examples:
        >>> asked = Inquiry(text="max(1/n, m^-2)", sizes=("n", "m"), claims=(Said("1/n"),),
        ...                 at=(("n", 10.0), ("m", 2.0)))
        >>> found = report(asked)
        >>> found["value"], found["deciding"], found["claims"][0]["counterexample"]
        (0.25, '2', {'n': '1', 'm': '1/2'})
    """
    asked, order = completed(asked), order_of(asked)
    sizes, exponents = asked.split()
    claims = (text for said in asked.claims for text in (said.equals, *said.where))
    notes = list(asides(asked.text, asked.rate, *claims))
    out: dict[str, Any] = {"rate": str(order), "latex": order.latex, "at": asked.values}
    if notes:
        out["notes"] = notes
    if not asked.sites:
        out["terms"] = term_texts(order)
        along = [*(x for x in asked.axes if x in order.sizes), *order.sizes][:1]
        out["thresholds"] = [
            {"of": letter, "first": c.first, "second": c.second, "at": str(c.at)}
            | ({"up_to_logs": True} if c.up_to_logs else {})
            for letter in along
            if not order.factored
            for c in crossings(order, letter)
        ]
        out["value"] = float(order.value(sizes, exponents))
        out["deciding"] = str(order.deciding(sizes, exponents))
    out["claims"] = [_claim(order, said, exponents, k) for k, said in enumerate(asked.claims, 1)]
    return out


def _claim(order: Order, said: Said, exponents: dict[str, float], row: int) -> dict[str, Any]:
    """Return what is found of a claim, also as sentences."""
    try:
        claim = Claim(order, said.equals, said.where)
        found = decide(claim, exponents)
        out: dict[str, Any] = {
            "equals": said.equals,
            "where": list(said.where),
            "name": said.name,
            "notes": list(claim.notes),
            "holds": found.holds,
            "constant": found.constant,
            "sum_factor": found.sum_factor,
            "certificate": found.certificate,
            "counterexample": _texts(found.counterexample),
        }
        lines = [*claim.notes, verdict(found)]
        if found.logs:
            out["up_to_logs"] = decide(claim, exponents, logs=False).holds
            lines.append(up_to_logs(out["up_to_logs"]))
        if found.ray is not None:
            lines.append(drift(found.ray))
        elif found.counterexample:
            by = f", where {found.choice}" if found.choice else ""
            lines.append(f"The two sides differ at {at_text(found.counterexample)}{by}.")
        if found.holds and claim.where:
            out["needs"], said_of_needs = _needs(claim, exponents)
            lines += said_of_needs
        if order.exponents:
            shown = decide_symbolic(claim)
            out |= {"proved": shown.shown, "fails": _texts(shown.fails)}
            lines.append(for_all(shown))
        if found.sum_factor > 1.0:
            lines.append(f"Sums and balances may add a factor of {number(found.sum_factor, 6)}.")
    except DomainError as error:
        place = f"Claim {row}, {error.where}" if error.where else f"Claim {row}"
        # Of several claims the number tells which one is wrong.
        raise error.at(place) from None
    return out | {"said": lines}


def verdict(found: Decision) -> str:
    """Say whether a claim holds, in one sentence."""
    much = number(found.constant, 6)
    if found.holds is None:
        return f"Not decided: {found.why}."
    if found.holds:
        return f"Holds for all sizes{f', up to the constant {much}' if found.logs else ''}."
    if math.isinf(found.constant):
        return "Does not hold, whatever the constant."
    return f"Does not hold exactly, but up to constants: {much} is the least."


def for_all(found: Shown) -> str:
    """Say whether a claim holds for all exponents, in one sentence."""
    if found.shown:
        return "Proved for all exponents strictly inside their ranges."
    if found.fails:
        return f"Not for all exponents: it fails at {at_text(found.fails)}."
    return f"Not shown for all exponents, which leaves it open. {found.why}"


def up_to_logs(holds: bool | None) -> str:
    """Say what holds with 1 for each logarithm."""
    found = {None: "is not decided", True: "holds", False: "does not hold"}[holds]
    return f"Logarithms are compared. Up to logarithms it {found}."


def drift(ray: proofs.Ray) -> str:
    """Say along which sizes both sides of a claim drift apart, and how far.

    >>> drift(proofs.Ray({"n": (1, 0, 0)}, ((64, 3.79), (512, 5.87)), {}))
    'Along n = 2^s their ratio is 44.3 at s = 64 and 354 at s = 512, and grows without end.'
    """
    (first, one), (last, two) = ray.growth[0], ray.growth[-1]
    ratios = f"{_factor(one)} at s = {first} and {_factor(two)} at s = {last}"
    return f"Along {ray} their ratio is {ratios}, and grows without end."


def _factor(log: float) -> str:
    # Beyond the largest float the log itself is told.
    size = abs(log)
    return number(math.exp(size), 3) if size < 50.0 else f"e^{number(size, 3)}"


def _texts(values: Mapping[str, Fraction] | None) -> dict[str, str] | None:
    return None if values is None else {x: _size(value) for x, value in values.items()}


def at_text(values: Mapping[str, Fraction]) -> str:
    """Return values by letter as text, a long power of two as one.

    >>> at_text({"n": Fraction(3, 4), "m": Fraction(1, 2**300)})
    'n = 3/4, m = 2^(-300)'
    """
    return ", ".join(f"{x} = {_size(value)}" for x, value in values.items())


def _size(value: Fraction) -> str:
    # A power of two with a thousand digits tells nobody anything.
    above, below = value.as_integer_ratio()
    power = above.bit_length() - below.bit_length()
    if abs(power) <= _PLAIN or value != Fraction(2) ** power:
        return str(value)
    return f"2^{power}" if power > 0 else f"2^({power})"


def _needs(claim: Claim, exponents: dict[str, float]) -> tuple[dict[str, Any] | None, list[str]]:
    """Return which conditions carry a claim, or why that is not said, and sentences."""
    try:
        found = needs(claim, exponents)
    except DomainError as error:
        return None, [str(error)]
    fails = found.counterexamples
    lines = [f"It {found.said()}."]
    for text, at in fails.items():
        lines.append(f"Without {text} it fails{f' at {at_text(at)}' if at else ''}.")
    return {
        "text": found.said(),
        "droppable": list(found.droppable),
        "minimal": [list(one) for one in found.minimal],
        "counterexamples": {x: _texts(at) for x, at in fails.items()},
    }, lines


def report_text(found: dict[str, Any]) -> str:
    """Return the answers of `report` as a page of text."""
    lines = [f"Rate: {found['rate']}", *found.get("notes", [])]
    if "terms" in found:
        width = max(map(len, found["terms"]))
        lines += ["Terms:", *(f"  {x:{width}}  {text}" for x, text in found["terms"].items())]
        lines += [
            f"  {c['first']} = {c['second']} where {c['of']} = {c['at']}"
            f"{', up to logarithms' if c.get('up_to_logs') else ''}"
            for c in found["thresholds"]
        ]
        at = ", ".join(f"{x} = {value:.12g}" for x, value in found["at"].items())
        lines.append(f"At {at}:")
        lines.append(f"  value {found['value']:.6g}, decided by {found['deciding']}")
    for row, said in enumerate(found["claims"], start=1):
        where = f" where {', '.join(said['where'])}" if said["where"] else ""
        lines.append(f"Claim {row}: the rate is {said['equals']}{where}.")
        lines += [f"  {line}" for line in said["said"]]
    lines += ["", "Rates hold up to constants; sums are read as maxima in claims."]
    return "\n".join(lines)
