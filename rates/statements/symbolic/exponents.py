r"""Exponents when every size is a power of one number N, and the budget a power of 1/N.

With n = N^a, m = N^b, n0 = N^a0 and ε = N^-e every term of [ACC] (4) is a power of N, and so are
both branches of D in [CCV] (6). So the rate is N to the power of a maximum of minima of lines in
e, and where its deciding term changes is a rational number if the inputs are.
"""

from __future__ import annotations

from functools import cache

import sympy

from rates.statements.symbolic.expressions import in_logs
from rates.statements.symbolic.letters import Expr, exponent_letters
from rates.statements.symbolic.letters import log_letters as ln


@cache
def forms() -> dict[str, Expr]:
    """Return the exponent of each term as a sympy expression in `exponent_letters`.

    "r" is the exponent of (4) before the power B = β(1+α), "D" that of the root of (6).

    >>> forms()["Pt"]
    (a0 - e)/(beta + d)

    Source: [ACC] eq. (4); [CCV] eqs. (4), (5).
    """
    x = exponent_letters
    powers = {ln.n: x.a, ln.m: x.b, ln.n0: x.a0, ln.eps: -x.e}

    def put(name: str, sign: int) -> Expr:
        return sympy.factor(sympy.together(sign * in_logs(name).subs(powers)))

    out = {name: put(name, -1) for name in ("NPt", "Pt", "NPs", "Ps")}
    out |= {name: put(name, 1) for name in ("D private", "D free")}
    target, sources = (sympy.Min(out["N" + side], out[side]) for side in ("Pt", "Ps"))
    out["r"] = sympy.Max(0, target, sources)
    out["D"] = sympy.Min(out["D private"], out["D free"])
    return out
