r"""The statements of [ACC] and [CCV] as sympy expressions, in letters that are positive.

``beta``, ``gamma``, ``d`` and ``alpha`` are those of [ACC]; ``g`` stands for the α or ν of [CCV].
The four terms are those of (4) before the common power B = β(1+α), as in
`rates.maps.phases`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace as Space

from sympy import Max, Min, log, sqrt

from rates.numbers import DomainError
from rates.statements.symbolic.letters import Expr, letters, logs, power_k


def expression(name: str) -> Expr:
    """Return one statement as a sympy expression in `letters`.

    Raises:
        DomainError: There is no statement of that name.

    Examples:
        >>> expression("eps2")
        n0**(-beta/(2*beta + d))

    Source: [ACC] (3) to (6), Corollaries 3.2, 3.3, Remark 3.2; [CCV] (4) to (9), Section 2.1.
    """
    if name not in _STATEMENTS:
        rule = f"A statement is one of: {', '.join(STATEMENTS)}."
        raise DomainError(rule, field="name", value=name)
    return _STATEMENTS[name](letters)


def in_logs(name: str) -> Expr:
    """Return the log of a statement that is a product of powers.

    >>> in_logs("eps2")
    -beta*log_n0/(2*beta + d)
    """
    return logs(expression(name))


def branches(name: str, *last: Expr) -> list[Expr]:
    """Return the powers whose minimum, or a power of it, a statement is; with these letters last.

    >>> branches("D", letters.eps)
    [(m*n)**(1/(2*g + 1)), (m*n**2*veps**2)**(1/(2*g + 2))]
    """
    base, power = expression(name).as_base_exp()
    return sorted((x**power for x in base.args), key=lambda x: bool(x.has(*last)))


_STATEMENTS: dict[str, Callable[[Space], Expr]] = {
    # The terms of (4), Theorem 3.1 and (5).
    "NPt": lambda s: s.n0 ** (-1 / (2 * s.beta + s.d)),
    "Pt": lambda s: (s.n0 * s.eps) ** (-1 / (s.beta + s.d)),
    "NPs": lambda s: (s.m * s.n) ** (-1 / power_k()),
    "Ps": lambda s: (sqrt(s.m) * s.n * s.eps) ** (-1 / (s.beta * s.gamma + s.d)),
    "A_t": lambda s: Min(
        s.n0 ** (1 / (2 * s.beta + s.d)),
        (s.n0**2 * s.eps0**2) ** (1 / (2 * s.beta + 2 * s.d)),
    ),
    "A_s": lambda s: Min(
        (s.m * s.n) ** (1 / power_k()), (s.m * s.n**2 * s.eps**2) ** (1 / (power_k() + s.d))
    ),
    "rate 3.1": lambda s: Min(1, (expression("A_t") + expression("A_s")) ** (-_power(s))),
    "rate 4": lambda s: Min(
        1,
        Max(expression("NPt"), expression("Pt")) ** _power(s),
        Max(expression("NPs"), expression("Ps")) ** _power(s),
    ),
    "solo": lambda s: Max(s.n ** (-1 / power_k()), (s.n * s.eps) ** (-2 / (power_k() + s.d))),
    "term target": lambda s: Min(s.n0, s.n0**2 * s.eps0**2 * s.r**s.d) * s.r ** (2 * s.beta + s.d),
    "term sources": lambda s: s.m * Min(s.n, s.n**2 * s.eps**2 * s.r**s.d) * s.r ** power_k(),
    "left side 5": lambda s: expression("term target") + expression("term sources"),
    # Corollary 3.2, corrected and printed, and Remark 3.2.
    "gamma_star": lambda s: ((2 * s.beta + s.d) * log(s.m * s.n) / log(s.n0) - s.d) / (2 * s.beta),
    "target first": lambda s: 1 / s.n0,
    "sources first": lambda s: 1 / (sqrt(s.m) * s.n),
    "eps1": lambda s: Min(expression("target first"), expression("sources first")),
    "eps2": lambda s: s.n0 ** (-s.beta / (2 * s.beta + s.d)),
    "eps3": lambda s: (s.m ** (s.d / 2) * s.n ** (-s.beta * s.gamma)) ** (1 / power_k()),
    "eps11": lambda s: (
        ((sqrt(s.m) * s.n) ** (s.beta + s.d) * s.n0 ** (-(s.beta * s.gamma + s.d)))
        ** (1 / (s.beta * (s.gamma - 1)))
    ),
    "eps21": lambda s: s.n0 ** ((s.beta * s.gamma + s.d) / (2 * s.beta + s.d)) / (sqrt(s.m) * s.n),
    "eps21 printed": lambda s: (
        s.n0 ** ((s.beta * s.gamma + s.d) / (s.beta + s.d)) / (sqrt(s.m) * s.n)
    ),
    "epsX": lambda s: (s.m * s.n) ** ((s.beta + s.d) / power_k()) / s.n0,
    "sources 3.2 printed": lambda s: (s.m * s.n) ** (-1 / (power_k() + s.d)),
    "sampling only 3.2": lambda s: (
        (s.n0 + (s.m * s.n) ** ((2 * s.beta + s.d) / power_k())) ** (-1 / (2 * s.beta + s.d))
    ),
    # Corollary 3.3: server 1 unprotected, servers 0 and 2 with the budget eps.
    "public": lambda s: s.n1 ** (-1 / power_k()),
    "P2": lambda s: (s.n2 * s.eps) ** (-1 / (s.beta * s.gamma + s.d)),
    "NP2": lambda s: s.n2 ** (-1 / power_k()),
    "inverse r 3.3": lambda s: (
        Min(1 / expression("NPt"), 1 / expression("Pt"))
        + 1 / expression("public")
        + Min(1 / expression("NP2"), 1 / expression("P2"))
    ),
    "leave 1 for 0": lambda s: s.n1 ** ((s.beta + s.d) / power_k()) / s.n0,
    "leave 1 for 2": lambda s: s.n1 ** ((s.beta * s.gamma + s.d) / power_k()) / s.n2,
    "leave 1": lambda s: Min(expression("leave 1 for 0"), expression("leave 1 for 2")),
    "leave 1 printed": lambda s: (
        Min(s.n0 ** (1 / (2 * s.beta + s.d)), s.n2 ** (s.gamma / power_k())) ** (-s.beta)
    ),
    "free 2": lambda s: s.n2 ** (-s.beta * s.gamma / power_k()),
    "free 2 printed": lambda s: s.n2 ** (-(s.beta * s.gamma + s.d) / power_k()),
    # Equal servers in [CCV], and the two sides of (8) and (9).
    "D private": lambda s: (s.m * s.n**2 * s.eps**2) ** (1 / (2 * s.g + 2)),
    "D free": lambda s: (s.m * s.n) ** (1 / (2 * s.g + 1)),
    "D": lambda s: Min(expression("D private"), expression("D free")),
    "rate D": lambda s: Min(1, expression("D") ** (-2 * s.g)),
    "gap 6": lambda s: s.D ** (2 * s.g + 2) - s.m * Min(s.n**2 * s.eps**2, s.n * s.D),
    "rate 4 sum": lambda s: (
        (s.m * s.n**2 * s.eps**2) ** (-2 * s.g / (2 * s.g + 2))
        + (s.m * s.n) ** (-2 * s.g / (2 * s.g + 1))
    ),
    "rate 7": lambda s: (s.m * s.n) ** (-2 * s.g / (2 * s.g + 1)),
    "elbow": lambda s: (s.m * s.n) ** (1 / (4 * s.g + 2)) / sqrt(s.n),
    "cost": lambda s: (
        (s.m ** (1 / (2 * s.g + 1)) * s.n ** (-2 * s.g / (2 * s.g + 1)) * s.eps**-2)
        ** (2 * s.g / (2 * s.g + 2))
    ),
    "cost, total fixed": lambda s: (
        (s.m * s.N ** (-2 * s.g / (2 * s.g + 1)) * s.eps**-2) ** (s.g / (s.g + 1))
    ),
    "first 9": lambda s: s.n**2 * s.eps**2,
    "middle 9": lambda s: s.n ** ((2 * s.g + 4) / (2 * s.g + 2)) * s.eps ** (2 / (2 * s.g + 2)),
    "third 9": lambda s: s.n ** ((2 * s.g + 2) / (2 * s.g + 1)),
}
STATEMENTS = tuple(_STATEMENTS)


def _power(s: Space) -> Expr:
    return s.beta * (1 + s.alpha)
