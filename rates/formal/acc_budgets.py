"""Formal claims of [ACC] Corollary 3.2, Table 1 and Remark 3.2: equal sources, one budget."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from rates.formal.claim import Claim, Range, Relation, Where, numbers, relation
from rates.formal.terms import Term, least, letters, log, most, root

beta, gamma, d, n, m, n0, eps = letters("beta gamma d n m n0 eps")
k = 2 * beta * gamma + d  # the sources' exponent in (5)

NPT = n0 ** (-1 / (2 * beta + d))
PT = (n0 * eps) ** (-1 / (beta + d))
NPS = (m * n) ** (-1 / k)
PS = (root(m) * n * eps) ** (-1 / (beta * gamma + d))
RATE = least(1, most(NPT, PT), most(NPS, PS))
EPS1 = least(1 / (root(m) * n), 1 / n0)
EPS2 = n0 ** (-beta / (2 * beta + d))
EPS3 = (m ** (d / 2) * n ** (-beta * gamma)) ** (1 / k)
EPS11 = ((root(m) * n) ** (beta + d) * n0 ** (-(beta * gamma + d))) ** (1 / (beta * (gamma - 1)))
EPS21 = n0 ** ((beta * gamma + d) / (2 * beta + d)) / (root(m) * n)
PRINTED21 = n0 ** ((beta * gamma + d) / (beta + d)) / (root(m) * n)
STAR = ((2 * beta + d) * log(m * n) / log(n0) - d) / (2 * beta)

SHAPE = (
    Range("beta", "number", 0.2, 1),
    Range("gamma", "number", 0.2, 3),
    Range("d", "whole", 1, 5),
)
SIZES = (Range("n", "size", 2, 1e4), Range("m", "size", 1, 1e3), Range("n0", "size", 2, 1e6))
LETTERS = (*SHAPE, *SIZES)
BUDGET = (*LETTERS, Range("eps", "budget", 1e-7, 1))
BETWEEN = (relation(n, "<=", n0), relation(n0, "<=", m * n))
APART = relation((gamma - 1) * (gamma - 1), ">=", Fraction(1, 25))
FAR = relation((gamma - 1) * (gamma - 1), ">=", Fraction(1, 4))
LOW = relation(gamma, "<=", 1)
GOOD = (relation(gamma, ">", 1), relation(gamma, "<=", STAR))
WEAK = relation(gamma, ">", STAR)


def _end(name: str, term: Term, formula: Term, *conditions: Relation, at: str = "") -> Claim:
    """Say where two terms meet: the budget that solves "term = 1" is the formula."""
    return Claim(
        letters=LETTERS,
        where=(Where(name, term, solves=True),),
        conditions=conditions,
        says=(relation(Term(name), "=", formula),),
        at=numbers(at),
    )


def _with(term: Term, name: str) -> Term:
    """Return a term with another letter for the budget."""
    if term == eps:
        return Term(name)
    return Term(term.of, tuple(_with(one, name) for one in term.args))


def _cell(*conditions: Relation, rate: Term, at: str = "") -> Claim:
    """Say what the rate (4) is on a part of the map."""
    return Claim(
        letters=BUDGET,
        where=(Where("eps1", EPS1), Where("eps2", EPS2), Where("eps3", EPS3)),
        conditions=(*BETWEEN, *conditions),
        says=(relation(RATE, "=", rate),),
        at=numbers(at),
    )


def _from(low: str, high: str) -> tuple[Relation, ...]:
    found = (relation(eps, ">", Term(low)),) if low else ()
    return (*found, relation(eps, "<=", Term(high))) if high else found


def _iff(first: Relation, second: Relation, *conditions: Relation) -> Claim:
    return Claim(letters=LETTERS, conditions=conditions, says=(first, second), iff=True)


_SECOND, _THIRD, _FOURTH = _from("eps1", "eps2"), _from("eps2", "eps3"), _from("eps3", "")
_TARGET = least(NPT, PS)
_MODERATE = "n=10 m=10 n0=10 gamma=1/2 beta=1/2 d=2 eps=4/5"
_MIDDLE = "n=10 m=100 n0=100 gamma=6/5 beta=1/2 d=2"
_CAP = 1 / least(most(NPT, PT), most(NPS, PS))

CLAIMS: dict[tuple[str, str], Claim] = {
    ("ACC:Cor3.2:eps1", "printed"): _end("eps1", _with(_CAP, "eps1"), EPS1, *BETWEEN),
    ("ACC:Cor3.2:eps2", "printed"): _end("eps2", _with(NPT / PT, "eps2"), EPS2),
    ("ACC:Cor3.2:eps3", "printed"): _end("eps3", _with(NPS / PS, "eps3"), EPS3),
    ("ACC:Cor3.2:epsX", "printed"): _end(
        "epsX", _with(NPS / PT, "epsX"), (m * n) ** ((beta + d) / k) / n0
    ),
    ("ACC:Cor3.2:eps11", "printed"): replace(
        _end("eps11", _with((PT / PS) ** (1 / (1 - gamma)), "eps11"), EPS11, FAR),
        # Near 1 and for large d it leaves what floats hold.
        letters=(Range("beta", "number", 0.5, 1), SHAPE[1], Range("d", "whole", 1, 3), *SIZES),
    ),
    ("ACC:Cor3.2:eps21", "printed"): _end("eps21", _with(NPT / PS, "eps21"), PRINTED21, at=_MIDDLE),
    ("ACC:Cor3.2:eps21", "reading"): _end("eps21", _with(NPT / PS, "eps21"), EPS21),
    ("ACC:Cor3.2:gamma-star", "printed"): Claim(
        letters=(*SHAPE[::2], *SIZES),
        where=(Where("x", (m * n) ** (-1 / (2 * beta * Term("x") + d)) / NPT, solves=True),),
        conditions=(relation(STAR, ">", Fraction(1, 100)),),
        says=(relation(Term("x"), "=", STAR),),
    ),
    ("ACC:Cor3.2:order", "printed"): Claim(
        letters=LETTERS,
        conditions=(*BETWEEN, relation(gamma, "<=", STAR)),
        says=(relation(EPS1, "<=", EPS2), relation(EPS2, "<=", EPS3)),
    ),
    ("ACC:Cor3.2:eps21-before-eps3", "printed"): _iff(
        relation(EPS21, "<=", EPS3), relation(gamma, "<=", STAR)
    ),
    ("ACC:Cor3.2:eps3-above-1", "printed"): _iff(
        relation(EPS3, ">", 1), relation(m ** (d / 2), ">", n ** (beta * gamma))
    ),
    ("ACC:Cor3.2:eps11-position", "printed"): _iff(
        relation(EPS11, "<=", EPS1),
        relation((n0 / (root(m) * n)) ** (1 - gamma), "<=", 1),
        APART,
    ),
    ("ACC:Cor3.2:eps11-and-eps21", "printed"): _iff(
        relation(EPS11, ">=", EPS2), relation((EPS21 / EPS2) ** (1 - gamma), ">=", 1), APART
    ),
    ("ACC:Cor3.2:text-small-gamma", "printed"): Claim(
        letters=LETTERS,
        conditions=(*BETWEEN, relation(gamma, "<", 1)),
        says=(relation(1 / n0, "<=", 1 / (root(m) * n)),),
        at=numbers("n=10 m=2 n0=10 gamma=1/2 beta=1/2 d=2"),
    ),
    ("ACC:Cor3.2:text-large-gamma", "printed"): Claim(
        letters=LETTERS,
        conditions=(*BETWEEN, relation(gamma, ">", 1)),
        says=(relation(1 / (root(m) * n), "<=", 1 / n0),),
        at=numbers("n=10 m=10 n0=100 gamma=3/2 beta=1/2 d=2"),
    ),
    ("ACC:Cor3.2:text-moderate", "printed"): _cell(LOW, *_THIRD, rate=NPS, at=_MODERATE),
    ("ACC:Cor3.2:text-moderate", "reading"): _cell(LOW, *_THIRD, rate=_TARGET),
    ("ACC:Table1:reading-A", "printed"): _cell(LOW, *_THIRD, rate=NPS, at=_MODERATE),
    ("ACC:Table1:reading-A", "reading"): _cell(LOW, *_THIRD, rate=_TARGET),
    ("ACC:Table1:column-1", "printed"): _cell(relation(eps, "<=", Term("eps1")), rate=Term("1")),
    ("ACC:Table1:row-1:column-2", "printed"): _cell(LOW, *_SECOND, rate=least(PT, PS)),
    ("ACC:Table1:row-1:column-3:A", "printed"): _cell(LOW, *_THIRD, rate=NPS, at=_MODERATE),
    ("ACC:Table1:row-1:column-3:A", "reading"): _cell(LOW, *_THIRD, rate=_TARGET),
    ("ACC:Table1:row-1:column-4", "printed"): _cell(LOW, *_FOURTH, rate=NPS),
    ("ACC:Table1:row-2:column-2", "printed"): _cell(*GOOD, *_SECOND, rate=least(PT, PS)),
    ("ACC:Table1:row-2:column-3", "printed"): _cell(
        *GOOD, *_THIRD, relation(eps, "<=", PRINTED21), rate=NPT, at=f"{_MIDDLE} eps=4/5"
    ),
    ("ACC:Table1:row-2:column-3", "reading"): _cell(*GOOD, *_THIRD, rate=_TARGET),
    ("ACC:Table1:row-2:column-4", "printed"): _cell(*GOOD, *_FOURTH, rate=NPS),
    ("ACC:Table1:row-3:column-2", "printed"): _cell(WEAK, *_SECOND, rate=least(PT, PS)),
    ("ACC:Table1:row-3:column-3-4", "printed"): _cell(WEAK, *_from("eps2", ""), rate=NPT),
    ("ACC:Table1:row-1:target", "printed"): _iff(
        relation(EPS21, ">", EPS2),
        relation(n0 ** ((beta * gamma + beta + d) / (2 * beta + d)), ">", root(m) * n),
    ),
}
