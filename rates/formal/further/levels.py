"""Further formal claims of [CCV]: other smoothness, levels of the series, scores and couplings."""

from __future__ import annotations

from fractions import Fraction

from rates.formal.ccv import (
    ALIKE,
    SMOOTH,
    TWO,
    D,
    alike,
    alpha,
    e1,
    eps,
    g,
    m,
    n,
    n1,
    n2,
    p,
    part,
    two,
)
from rates.formal.claim import Claim, Range, Where, claim, relation
from rates.formal.terms import Term, exp, least, letters, log, root

C, L, N, R, b, delta, f, h, k, pi, q, s, t, tau, x, y, z = letters(
    "C L N R b delta f h k pi q s t tau x y z"
)
_TWO = Term("2")
_LEVEL = Range("L", "whole", 0, 12)
_NORMED = (Range("nu", "number", 0.55, 3), Range("p", "budget", 2, 1e3), _LEVEL)
_RADIUS = Range("R", "budget", 0.1, 10)
_FREE = (n1 + n2) ** (1 / (2 * g + 1))


def _tail(rate: Term, scale: Term) -> Claim:
    """A geometric sum over the levels above L, one level more or less."""
    rest = scale * _TWO ** (-L * rate) / (_TWO**rate - 1)
    first = scale * _TWO ** (-(L + 1) * rate)
    return claim(
        *_NORMED,
        _RADIUS,
        Range("s", "number", 0, 1),
        # 2^(Ls) equal coefficients with the largest p-norm that the level may have.
        where=(Where("x", R * _TWO ** (-L * (g + Fraction(1, 2) - 1 / p)) * _TWO ** (-L * s / p)),),
        says=(relation(first + rest * _TWO**-rate, "=", rest),),
    )


def _trace(first: int, at: str = "") -> Claim:
    """The functions of a level inside [0, 1] whose number starts here, each with mean square 1."""
    return claim(
        Range("L", "whole", 0, 12),
        Range("n", "size", 1, 1e6),
        where=(Where("x", _TWO**L - first),),
        says=relation(n * (x * ((_TWO ** (L / 2)) ** 2 * _TWO**-L)), "=", n * _TWO**L),
        at=at,
    )


def _likelihood(coefficient: Term) -> Term:
    return -((y - coefficient * x) ** 2) / 2


_ENERGY = x**2 * _TWO ** (L * s)

CLAIMS: dict[tuple[str, str], Claim] = {
    ("CCV:Sec1.1:bounded-budgets", "reading"): claim(
        *TWO[:3],
        Range("C", "budget", 1e-3, 10),
        where=(Where("D", D ** (2 * g + 2) / (part(n1, C, D) + part(n2, C, D)), solves=True),),
        says=(
            relation(D, "<=", _FREE),
            relation(D, ">=", least(1, least(n1, n2) * C**2 / _FREE) * _FREE),
        ),
    ),
    ("CCV:Sec1.2:local", "printed"): claim(
        SMOOTH,
        Range("m", "size", 1, 1e6),
        Range("eps", "budget", 1e-5, 1),
        where=(alike(n=Term("1")),),
        says=relation(
            least(1, D ** (-2 * g)), "=", least((m * eps**2) ** (-2 * g / (2 * g + 2)), 1)
        ),
    ),
    ("CCV:Eq6:elasticities", "printed"): claim(
        SMOOTH,
        Range("s", "number", 0.05, 0.95),
        Range("x", "number", -1, 1),
        # A share s of the sum is private; z is D over its new value, y with more records elsewhere.
        where=(
            Where("z", s * exp(2 * x) * z ** (2 * g + 2) + (1 - s) * z ** (2 * g + 1), solves=True),
            Where("y", s * y ** (2 * g + 2) + (1 - s) * exp(x) * y ** (2 * g + 1), solves=True),
        ),
        says=(
            relation(-log(z), ">=", 2 * s * x / (2 * g + 2 - (1 - s))),
            relation(-log(y), ">=", (1 - s) * x / (2 * g + 2 - (1 - s))),
        ),
    ),
    ("CCV:Eq7:slower", "printed"): claim(
        Range("alpha", "number", 1.1, 4),
        Range("p", "budget", 2, 1e4),
        *ALIKE[1:],
        where=(Where("nu", alpha - 1 / p), alike(), alike(x, g=alpha)),
        says=relation(least(D ** (-2 * g), 1), ">=", least(x ** (-2 * alpha), 1)),
    ),
    ("CCV:Sec2.1:smaller-p-fixed-n", "reading"): claim(
        *ALIKE[:3],
        Range("t", "size", 2, 100),
        # What distributing costs grows with the servers by this factor.
        where=(
            Where("x", (t * m) ** (1 / (2 * g + 1) * (2 * g / (2 * g + 2)))),
            Where("y", m ** (1 / (2 * g + 1) * (2 * g / (2 * g + 2)))),
        ),
        says=relation(x / y, "=", t ** (g / ((g + 1) * (2 * g + 1)))),
    ),
    ("CCV:Sec2.2:takeover", "printed"): claim(
        Range("n", "size", 1, 1e5),
        Range("m", "size", 2, 1e3),
        Range("t", "number", 0, 1),
        # Nobody's record is lost on the way.
        says=relation(n * (1 + t * (m - 1)) + (m - 1) * (n * (1 - t)), "=", m * n),
    ),
    ("CCV:Sec3.2:clip", "printed"): claim(
        Range("alpha", "number", 0.51, 4),
        Range("L", "whole", 1, 10),
        # At least t is left on either side; the mean of what normal noise has beyond t.
        where=(
            Where("t", root((2 * alpha + 1) * L)),
            Where("x", exp(-(t**2) / 2) / root(2 * pi) - t * Term("Phi", (-t,))),
        ),
        says=(
            relation(x**2, "<=", Fraction(1, 8) * pi * exp(-((2 * alpha + 1) * L))),
            relation(
                Fraction(1, 8) * pi * exp(-((2 * alpha + 1) * L)), "<=", _TWO ** (-2 * L * alpha)
            ),
        ),
    ),
    ("CCV:Thm3.2:bias", "printed"): claim(
        *_NORMED,
        _RADIUS,
        Range("s", "number", 0, 1),
        where=_tail(2 * g, R**2).where,
        says=(
            relation(_ENERGY, "<=", R**2 * _TWO ** (-2 * L * g)),
            *_tail(2 * g, R**2).says,
        ),
    ),
    ("CCV:Thm3.4:bias", "printed"): claim(
        *_NORMED,
        _RADIUS,
        Range("s", "number", 0, 1),
        where=_tail(g - 1 / p, R).where,
        says=(
            relation(x * _TWO ** (L / 2), "<=", R * _TWO ** (-L * (g - 1 / p))),
            *_tail(g - 1 / p, R).says,
        ),
    ),
    ("CCV:Eq15:kernel", "printed"): claim(
        Range("k", "whole", 0, 6),
        Range("L", "whole", 7, 12),
        Range("q", "whole", 1, 6),
        # One cell: father and wavelets of levels k + 1 to L; two cells that part at a level.
        where=(Where("x", _TWO ** (k + 1)), Where("y", _TWO ** (k + 1 + q))),
        says=(
            relation(x + (_TWO ** (L + 1) - x), "=", _TWO ** (L + 1)),
            relation(x + (y - x) - y, "=", 0),
        ),
    ),
    ("CCV:Sec3.3:log-factor", "printed"): claim(
        Range("tau", "budget", 0.1, 10),
        Range("n", "size", 1, 1e6),
        Range("eps", "budget", 0.01, 10),
        Range("L", "whole", 0, 10),
        Range("N", "size", 2, 1e9),
        Range("t", "number", 1, 3),
        where=(
            Where("delta", N**-t),
            Where("x", 4 * log(2 / delta) / eps**2 * (4 * tau**2 * _TWO ** (L + 1) / n**2)),
            Where("y", 2 * (2 * tau * _TWO ** (L + 1) / (n * eps)) ** 2),
        ),
        says=(
            relation(x * _TWO ** (L + 1) / y, "=", 2 * log(2 / delta)),
            relation(2 * log(2 * N), "<=", x * _TWO ** (L + 1) / y),
            relation(x * _TWO ** (L + 1) / y, "<=", 8 * log(N)),
        ),
    ),
    ("CCV:Sec4.1:submodel", "printed"): claim(
        _NORMED[0],
        Range("p", "budget", 2, 20),
        Range("L", "whole", 0, 8),
        _RADIUS,
        says=relation(
            _TWO ** (L * (g + Fraction(1, 2) - 1 / p))
            * (_TWO**L * (_TWO ** (-L * (g + Fraction(1, 2))) * R) ** p) ** (1 / p),
            "=",
            R,
        ),
    ),
    ("CCV:Eq19:score", "printed"): claim(
        *(Range(name, "number", -3, 3) for name in ("x", "y", "f")),
        Range("h", "number", 0.1, 2),
        # The slope of a parabola is its quotient of differences.
        says=relation((_likelihood(f + h) - _likelihood(f - h)) / (2 * h), "=", (y - f * x) * x),
    ),
    ("CCV:Eq19:index", "printed"): _trace(1, "L=1 n=1"),
    ("CCV:Eq19:index", "reading"): _trace(0),
    ("CCV:Eq21:trace", "printed"): _trace(0),
    ("CCV:Lem4.5:coupling", "printed"): claim(
        Range("t", "budget", 1e-4, 10),
        says=relation(2 * Term("Phi", (t / 2,)) - 1, "<=", t / root(2 * pi)),
    ),
    ("CCV:Sec4.2:group-loss", "printed"): claim(
        *TWO,
        where=(two(),),
        conditions=(relation(n1 * e1**2, "<=", D),),
        says=relation(n1 * e1, "<=", D ** (g + 1)),
    ),
}
