"""Rates to begin with: those of the papers here; `rates.orders.printed` has those of others."""

from __future__ import annotations

from rates.orders.claims.table_one import ROOT, table_one_questions
from rates.orders.inquiry import FREE, Inquiry, Said

_BALANCE = (
    "min(NPt: n0*r^(2*beta+d), Pt: n0^2*eps^2*r^(2*beta+2*d)) + "
    "m*min(NPs: n*r^(2*beta*gamma+d), Ps: n^2*eps^2*r^(2*beta*gamma+2*d)) = 1"
)
_FOUR = f"{ROOT}^(beta*(1+alpha))"
_NPT = "n0^(-beta*(1+alpha)/(2*beta+d))"
_PS = "(m^(1/2)*n*eps)^(-beta*(1+alpha)/(beta*gamma+d))"
_NPS = "(m*n)^(-beta*(1+alpha)/(2*beta*gamma+d))"
_THIRD = (  # the cell between eps2 and eps3 under the corollary's sizes
    "n >= 2",
    "n <= n0",
    "n0 <= m*n",
    "eps <= 1",
    "eps >= n0^(-beta/(2*beta+d))",
    "eps <= (m^(d/2)*n^(-beta*gamma))^(1/(2*beta*gamma+d))",
)
_ACC_LETTERS = (("beta", (0.0, 1.0)), ("d", FREE), ("gamma", FREE), ("alpha", FREE))
_ACC_SIZES = ("n0", "eps", "m", "n")


def _at(**values: float) -> tuple[tuple[str, float], ...]:
    return tuple(values.items())


def _acc(gamma: float, **more: float) -> tuple[tuple[str, float], ...]:
    values = {"n0": 8e4, "eps": 0.1, "m": 100.0, "n": 1e4, **more}
    return _at(**values, beta=0.5, d=2.0, gamma=gamma, alpha=1.0)


EXAMPLES = (
    Inquiry(
        name="Transfer, equal sources: the rate",
        reference="[ACC] eq. (4)",
        text=_FOUR,
        sizes=_ACC_SIZES,
        exponents=_ACC_LETTERS,
        where=("n >= 1", "m >= 1", "n <= n0", "n0 <= m*n", "eps <= 1"),
        at=_acc(1.2),
        axes=("eps", "gamma"),
        spans=(("eps", (1e-6, 1.0)), ("gamma", (0.1, 3.0))),
    ),
    Inquiry(
        name="Transfer, equal sources: the equation",
        reference="[ACC] eqs. (5), (6) with m equal sources",
        text=_BALANCE,
        rate="min(1, r^(beta*(1+alpha)))",
        unknown="r",
        sizes=_ACC_SIZES,
        exponents=_ACC_LETTERS,
        at=_acc(1.2),
        axes=("eps", "n0"),
        spans=(("eps", (1e-6, 1.0)), ("n0", (1.0, 1e8))),
    ),
    Inquiry(
        name="Table 1, the cell that went wrong",
        reference="[ACC] Table 1, row γ ≤ 1, from ε₂ to ε₃",
        text=_FOUR,
        sizes=_ACC_SIZES,
        exponents=(("beta", (0.0, 1.0)), ("d", FREE), ("gamma", (0.0, 1.0)), ("alpha", FREE)),
        at=_acc(0.8, n0=9e4, n=1e3, eps=0.3),
        claims=(
            Said(_NPS, _THIRD, "as printed, reading A: NPs"),
            Said(f"min({_NPT}, {_PS})", _THIRD, "our reading: the smaller of NPt and Ps"),
        ),
        axes=("eps", "n0"),
        spans=(("eps", (1e-6, 1.0)), ("n0", (1.0, 1e6))),
    ),
    *table_one_questions(),
    Inquiry(
        name="Transfer, the current study's sites",
        reference="[ACC] eq. (5), one term per site",
        text="sum_j(m*min(n*r^(2*beta*gamma+d), n^2*eps^2*r^(2*beta*gamma+2*d))) = 1",
        rate="min(1, r^(beta*(1+alpha)))",
        unknown="r",
        sizes=("m", "n", "eps"),
        exponents=_ACC_LETTERS,
        sites=("m", "n", "gamma", "eps"),
        at=_at(m=1.0, n=1e4, eps=0.5, beta=0.5, d=2.0, gamma=1.0, alpha=1.0),
    ),
    Inquiry(
        name="A curve, equal sites: integrated error",
        reference="[CCV] eqs. (6), (4): D for m equal servers, rate D^(−2α)",
        text="D^(2*alpha+2) = m*min(privacy: n^2*eps^2, sampling: n*D)",
        rate="min(1, D^(-2*alpha))",
        unknown="D",
        sizes=("m", "n", "eps"),
        exponents=(("alpha", FREE),),
        at=_at(m=10.0, n=1e4, eps=0.1, alpha=1.5),
        axes=("eps", "m"),
        spans=(("eps", (1e-4, 10.0)), ("m", (1.0, 1e4))),
        rival="(m*n)^(-2*alpha/(2*alpha+1))",
    ),
    Inquiry(
        name="A curve, the current study's sites",
        reference="[CCV] eq. (6), one term per server",
        text="D^(2*alpha+2) = sum_j(m*min(n^2*eps^2, n*D))",
        rate="min(1, D^(-2*alpha))",
        unknown="D",
        sizes=("m", "n", "eps"),
        exponents=(("alpha", FREE),),
        sites=("m", "n", "eps"),
        at=_at(m=1.0, n=1e4, eps=0.5, alpha=1.5),
    ),
    Inquiry(
        name="The mean of d numbers, squared error",
        reference="Cai, Wang, Zhang 2021, Annals of Statistics 49(5); compared with the isotropic "
        "case of Dagan, Jordan, Yang, Zakynthinou, Zhivotovskiy 2024",
        text="max(sampling: d/n, privacy: d^2/(n^2*eps^2))",
        sizes=("d", "n", "eps"),
        at=_at(d=20.0, n=1e4, eps=0.5),
        axes=("eps", "d"),
        spans=(("eps", (1e-4, 10.0)), ("d", (1.0, 1e4))),
        claims=(
            Said("d/n", ("n*eps^2 >= d",), "privacy is free when n ε² ≥ d"),
            Said("d/n", ("n*eps >= d",), "privacy is free when n ε ≥ d"),
        ),
    ),
)
