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
from rates.orders.claims import (
    Claim,
    Decision,
    decide,
    decide_over,
    decide_symbolic,
    drawn,
    needs,
    proved,
)
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


DRAWS = 100
_PLAIN = 40  # powers of two that are written out
FEWER = 12  # draws for what a claim needs, and for one with logarithms


def report(asked: Inquiry) -> dict[str, Any]:
    """Return what is asked about a rate as plain data.

    Claims are decided at the exponents given; where one is not given, at 100 draws, and for all
    exponents where signs show it. What a claim needs is looked for at 12 draws.

    Raises:
        DomainError: Something cannot be read; the message says which claim.

    Examples:
        >>> asked = Inquiry(text="max(1/n, m^-2)", sizes=("n", "m"), claims=(Said("1/n"),),
        ...                 at=(("n", 10.0), ("m", 2.0)))
        >>> found = report(asked)
        >>> found["value"], found["deciding"], found["claims"][0]["counterexample"]
        (0.25, '2', {'n': '1', 'm': '1/2'})
    """
    order = order_of(asked)
    sizes, exponents = asked.split()
    claims = (text for said in asked.claims for text in (said.equals, *said.where))
    notes = asides(asked.text, asked.rate, *claims)
    # Exponents that are not given are drawn.
    whole = not asked.sites and all(x in exponents for x in order.exponents)
    out: dict[str, Any] = {"rate": str(order), "latex": order.latex, "at": asked.values}
    if notes:
        out["notes"] = list(notes)
    if not asked.sites:
        out["terms"] = term_texts(order)
        along = [*(x for x in asked.axes if x in order.sizes), *order.sizes][:1]
        out["thresholds"] = [
            {"of": letter, "first": c.first, "second": c.second, "at": str(c.at)}
            | ({"up_to_logs": True} if c.up_to_logs else {})
            for letter in along
            for c in crossings(order, letter)
        ]
    if whole and all(x in sizes for x in order.sizes):
        out["value"] = float(order.value(sizes, exponents))
        out["deciding"] = str(order.deciding(sizes, exponents))
    out["claims"] = [
        _claim(order, said, exponents if whole else None, row)
        for row, said in enumerate(asked.claims, start=1)
    ]
    return out


def _claim(
    order: Order, said: Said, exponents: dict[str, float] | None, row: int
) -> dict[str, Any]:
    out: dict[str, Any] = {"equals": said.equals, "where": list(said.where)}
    if said.name:
        out["name"] = said.name
    try:
        claim = Claim(order, said.equals, said.where)
        out["notes"] = list(claim.notes)
        if exponents is None:
            survey = decide_over(claim, FEWER if claim.has_logs else DRAWS)
            names = ("held", "failed", "empty", *(["left"] if survey.left else []))
            counts = {name: getattr(survey, name) for name in names}
            out |= {"draws": counts, "holds": None, "constant": survey.constant}
            out["proved"] = not survey.failed and decide_symbolic(claim).shown
            if survey.first is not None:
                out["holds"] = False
                out["exponents"] = _texts(survey.first)
            elif survey.held:
                out |= _needs(claim, drawn(order, FEWER))
            sizes = survey.counterexample
        else:
            found = decide(claim, exponents)
            out |= {"holds": found.holds, "constant": found.constant}
            out["sum_factor"] = found.sum_factor
            out["certificate"] = found.certificate
            out |= {"choice": found.choice} if found.choice else {}
            out |= _of_logs(found, claim, exponents)
            out |= _needs(claim, exponents) if found.holds else {}
            sizes = found.counterexample
    except DomainError as error:
        place = f"Claim {row}, {error.where}" if error.where else f"Claim {row}"
        # Of several claims the number tells which one is wrong.
        raise error.at(place) from None
    out["counterexample"] = _texts(sizes)
    return out


def _of_logs(found: Decision, claim: Claim, exponents: dict[str, float]) -> dict[str, Any]:
    """Return what a decision says beyond others where logarithms are compared."""
    if not found.logs:
        return {}
    without = decide(claim, exponents, logs=False)
    out: dict[str, Any] = {"up_to_logs": {"holds": without.holds, "constant": without.constant}}
    if found.ray is not None:
        growth = [{"s": s, "log_ratio": ratio} for s, ratio in found.ray.growth]
        out |= {"path": str(found.ray), "growth": growth, "drift": drift(found.ray)}
    return out | ({"why": found.why} if found.why else {})


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
    return None if values is None else {x: size_text(value) for x, value in values.items()}


def size_text(value: Fraction) -> str:
    """Return a size as text, a long power of two as one.

    >>> size_text(Fraction(3, 4)), size_text(Fraction(1, 2**300))
    ('3/4', '2^(-300)')
    """
    # A power of two with a thousand digits tells nobody anything.
    above, below = value.as_integer_ratio()
    power = above.bit_length() - below.bit_length()
    if abs(power) <= _PLAIN or value != Fraction(2) ** power:
        return str(value)
    return f"2^{power}" if power > 0 else f"2^({power})"


def _needs(claim: Claim, exponents: Any) -> dict[str, Any]:
    """Return which conditions carry a claim, or why that is not said."""
    try:
        found = needs(claim, exponents)
    except DomainError as error:
        return {"needs": None, "needs_missing": str(error)}
    out: dict[str, Any] = {
        "text": found.said(),
        "droppable": list(found.droppable),
        "minimal": [list(one) for one in found.minimal],
        "counterexamples": {x: _texts(at) for x, at in found.counterexamples.items()},
    }
    if not isinstance(exponents, Mapping):
        out["exponents"] = {x: _texts(at) for x, at in found.exponents.items()}
        out["proved"] = [list(one) for one in proved(claim, found)]
    return {"needs": out}


def report_text(found: dict[str, Any]) -> str:
    """Return the answers of `report` as a page of text."""
    lines = [f"Rate: {found['rate']}", *found.get("notes", [])]
    if "terms" in found:
        width = max(map(len, found["terms"]))
        lines += ["Terms:", *(f"  {x:{width}}  {text}" for x, text in found["terms"].items())]
    if found.get("thresholds"):
        lines.append(f"Thresholds of {found['thresholds'][0]['of']}, where two terms are equal:")
        lines += [
            f"  {c['first']} = {c['second']} at {c['at']}"
            f"{', up to logarithms' if c.get('up_to_logs') else ''}"
            for c in found["thresholds"]
        ]
    if "value" in found:
        lines.append(f"At {_values(found['at'])}:")
        lines.append(f"  value {found['value']:.6g}, decided by {found['deciding']}")
    for row, said in enumerate(found["claims"], start=1):
        where = f" where {', '.join(said['where'])}" if said["where"] else ""
        lines.append(f"Claim {row}: the rate is {said['equals']}{where}.")
        lines += [f"  {line}" for line in _verdict(said)]
    lines += ["", "Rates hold up to constants; sums are read as maxima in claims."]
    return "\n".join(lines)


def _drawn(counts: dict[str, int], proved: bool) -> list[str]:
    lines = [
        f"At {sum(counts.values())} draws of the exponents, for all sizes: holds at "
        f"{counts['held']}, fails at {counts['failed']}, nothing meets the conditions at "
        f"{counts['empty']}."
    ]
    lines += [f"Not decided at {counts['left']}."] if "left" in counts else []
    lines += ["Proved for all exponents strictly inside their ranges."] if proved else []
    return lines


def _verdict(said: dict[str, Any]) -> list[str]:
    lines = list(said["notes"])
    if "draws" in said:
        lines += _drawn(said["draws"], said["proved"])
        if said["holds"] is False:
            lines.append(f"Fails first at {_values(said['exponents'])}.")
    elif said["holds"]:
        upto = f" up to the constant {number(said['constant'], 6)}" if "up_to_logs" in said else ""
        lines.append(f"Holds for all sizes{upto}; the certificate is checked in exact arithmetic.")
    elif said["holds"] is None:
        lines.append(f"Not decided: {said['why']}.")
    else:
        constant = said["constant"]
        lines.append(
            "Does not hold, whatever the constant."
            if constant == float("inf")
            else f"Does not hold exactly, but up to constants: {number(constant, 6)} is the least."
        )
    if "up_to_logs" in said:
        lines.append(f"Logarithms are compared. {up_to_logs(said['up_to_logs']['holds'])}")
    if "drift" in said:
        lines.append(said["drift"])
    elif said["counterexample"]:
        by = f", where {said['choice']}" if said.get("choice") else ""
        lines.append(f"The two sides differ at {_values(said['counterexample'])}{by}.")
    elif said["holds"] is False:
        lines.append("No sizes in fractions were found at which they differ.")
    if said["where"] and "needs" in said:
        lines += _carried(said)
    if said.get("sum_factor", 1.0) > 1.0:
        lines.append(f"Sums and balances may add a factor of {number(said['sum_factor'], 6)}.")
    return lines


def up_to_logs(holds: bool | None) -> str:
    """Say what holds with 1 for each logarithm."""
    if holds is None:
        return "Up to logarithms it is not decided."
    return f"Up to logarithms it {'holds' if holds else 'does not hold'}."


def _carried(said: dict[str, Any]) -> list[str]:
    if not (found := said["needs"]):
        return [said["needs_missing"]]
    lines = [f"It {found['text']}."]
    if len(found["droppable"]) > 1:
        lines.append(f"Each of these can go alone: {'; '.join(found['droppable'])}.")
    for text, at in found["counterexamples"].items():
        place = {**found.get("exponents", {}).get(text, {}), **(at or {})}
        lines.append(f"Without {text} it fails{f' at {_values(place)}' if place else ''}.")
    if "proved" in found:
        every = f"{len(found['proved'])} of {len(found['minimal'])}"
        lines.append(f"Proved for all exponents under {every} of these smallest sets.")
    return lines


def _values(values: dict[str, Any]) -> str:
    return ", ".join(
        f"{x} = {value if isinstance(value, str) else format(value, '.12g')}"
        for x, value in values.items()
    )
