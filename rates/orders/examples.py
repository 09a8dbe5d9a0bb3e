"""Rates to begin with: those of the papers here.

`rates.orders.printed` has those of other papers, and the ledger each cell of [ACC] Table 1.
"""

from __future__ import annotations

from typing import Any

from rates.orders.inquiry import FREE, Inquiry, Said

SIZES = ("n0", "eps", "m", "n")
TERMS = {
    "Pt": "(n0*eps)^(-1/(beta+d))",
    "NPt": "n0^(-1/(2*beta+d))",
    "Ps": "(m^(1/2)*n*eps)^(-1/(beta*gamma+d))",
    "NPs": "(m*n)^(-1/(2*beta*gamma+d))",
}
ROOT = "min(1, max(Pt: {Pt}, NPt: {NPt}), max(Ps: {Ps}, NPs: {NPs}))".format(**TERMS)
EPS2 = "n0^(-beta/(2*beta+d))"
EPS3 = "(m^(d/2)*n^(-beta*gamma))^(1/(2*beta*gamma+d))"

_RATE = f"{ROOT}^(beta*(1+alpha))"
_SITE = "m*min({}n*r^(2*beta*gamma+d), {}n^2*eps^2*r^(2*beta*gamma+2*d))"
_BALANCE = "min(NPt: n0*r^(2*beta+d), Pt: n0^2*eps^2*r^(2*beta+2*d)) + "
_BALANCE += f"{_SITE.format('NPs: ', 'Ps: ')} = 1"
_NPT = "n0^(-beta*(1+alpha)/(2*beta+d))"
_PS = "(m^(1/2)*n*eps)^(-beta*(1+alpha)/(beta*gamma+d))"
_NPS = "(m*n)^(-beta*(1+alpha)/(2*beta*gamma+d))"
# The cell between eps2 and eps3 under the corollary's sizes; m >= 1 follows from them.
_THIRD = ("n >= 2", "n <= n0", "n0 <= m*n", "eps <= 1", f"eps >= {EPS2}", f"eps <= {EPS3}")
_ROOT_RATE: dict[str, Any] = {"unknown": "r", "rate": "min(1, r^(beta*(1+alpha)))"}


def _pairs(**values: Any) -> tuple[tuple[str, Any], ...]:
    return tuple(values.items())


def _acc(most_gamma: float = FREE[1], **given: Any) -> Inquiry:
    """Return a question about a rate of [ACC]."""
    gamma = (0.0, most_gamma)
    return Inquiry(exponents=_pairs(beta=(0.0, 1.0), d=FREE, gamma=gamma, alpha=FREE), **given)


def _at(gamma: float, **more: float) -> tuple[tuple[str, float], ...]:
    values = {"n0": 8e4, "eps": 0.1, "m": 100.0, "n": 1e4, **more}
    return _pairs(**values, beta=0.5, d=2.0, gamma=gamma, alpha=1.0)


EXAMPLES = (
    _acc(
        name="Transfer, equal sources: the rate",
        reference="[ACC] eq. (4)",
        text=_RATE,
        sizes=SIZES,
        where=("n >= 1", "m >= 1", "n <= n0", "n0 <= m*n", "eps <= 1"),
        at=_at(1.2),
        axes=("eps", "gamma"),
        spans=_pairs(eps=(1e-6, 1.0), gamma=(0.1, 3.0)),
    ),
    _acc(
        name="Transfer, equal sources: the equation",
        reference="[ACC] eqs. (5), (6) with m equal sources",
        text=_BALANCE,
        sizes=SIZES,
        at=_at(1.2),
        axes=("eps", "n0"),
        spans=_pairs(eps=(1e-6, 1.0), n0=(1.0, 1e8)),
        **_ROOT_RATE,
    ),
    _acc(
        most_gamma=1.0,
        name="Table 1, the cell that went wrong",
        reference="[ACC] Table 1, row γ ≤ 1, from ε₂ to ε₃",
        text=_RATE,
        sizes=SIZES,
        at=_at(0.8, n0=9e4, n=1e3, eps=0.3),
        claims=(
            Said(_NPS, _THIRD, "as printed, reading A: NPs"),
            Said(f"min({_NPT}, {_PS})", _THIRD, "our reading: the smaller of NPt and Ps"),
        ),
        axes=("eps", "n0"),
        spans=_pairs(eps=(1e-6, 1.0), n0=(1.0, 1e6)),
    ),
    _acc(
        name="Transfer, the current study's sites",
        reference="[ACC] eq. (5), one term per site",
        text=f"sum_j({_SITE.format('', '')}) = 1",
        sizes=("m", "n", "eps"),
        sites=("m", "n", "gamma", "eps"),
        at=_pairs(m=1.0, n=1e4, eps=0.5, beta=0.5, d=2.0, gamma=1.0, alpha=1.0),
        **_ROOT_RATE,
    ),
    Inquiry(
        name="A curve, equal sites: integrated error",
        reference="[CCV] eqs. (6), (4): D for m equal servers, rate D^(−2α)",
        text="D^(2*alpha+2) = m*min(privacy: n^2*eps^2, sampling: n*D)",
        rate="min(1, D^(-2*alpha))",
        unknown="D",
        sizes=("m", "n", "eps"),
        exponents=_pairs(alpha=FREE),
        at=_pairs(m=10.0, n=1e4, eps=0.1, alpha=1.5),
        axes=("eps", "m"),
        spans=_pairs(eps=(1e-4, 10.0), m=(1.0, 1e4)),
    ),
    Inquiry(
        name="A curve, the current study's sites",
        reference="[CCV] eq. (6), one term per server",
        text="D^(2*alpha+2) = sum_j(m*min(n^2*eps^2, n*D))",
        rate="min(1, D^(-2*alpha))",
        unknown="D",
        sizes=("m", "n", "eps"),
        exponents=_pairs(alpha=FREE),
        sites=("m", "n", "eps"),
        at=_pairs(m=1.0, n=1e4, eps=0.5, alpha=1.5),
    ),
    Inquiry(
        name="The mean of d numbers, squared error",
        reference="Cai, Wang, Zhang 2021, Annals of Statistics 49(5); compared with the isotropic "
        "case of Dagan, Jordan, Yang, Zakynthinou, Zhivotovskiy 2024",
        text="max(sampling: d/n, privacy: d^2/(n^2*eps^2))",
        sizes=("d", "n", "eps"),
        at=_pairs(d=20.0, n=1e4, eps=0.5),
        axes=("eps", "d"),
        spans=_pairs(eps=(1e-4, 10.0), d=(1.0, 1e4)),
        claims=(
            Said("d/n", ("n*eps^2 >= d",), "privacy is free when n ε² ≥ d"),
            Said("d/n", ("n*eps >= d",), "privacy is free when n ε ≥ d"),
        ),
    ),
)
