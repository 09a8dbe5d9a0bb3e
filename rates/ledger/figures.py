"""The slips that change a conclusion: curves that show the difference."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rates.logistic import refined_sensitivity, shrinkage
from rates.maps import homogeneous_D, phases, table_one
from rates.numbers import gaussian

Array = NDArray[np.float64]
_RATE = "Rate of the excess risk"


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One curve.

    Attributes:
        name: In the legend.
        x: Where.
        y: What.
    """

    name: str
    x: Array
    y: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What a figure shows of one slip.

    Attributes:
        title: The finding, as a sentence without its end.
        at: The numbers that are held.
        x: Horizontal axis.
        y: Vertical axis.
        curves: What computes the curves.
        printed: Whether the first curve is as printed and the second one as computed.
        logs: Whether both axes are logarithmic.
    """

    title: str
    at: str
    x: str
    y: str
    curves: Callable[[], tuple[Line, ...]]
    printed: bool = True
    logs: bool = True


def _table(gamma: float, n: float, m: float, n0: float, *, correct: bool) -> tuple[Line, ...]:
    """The rate that Table 1 names, and that of (4), as budgets grow; β = 1/2, d = 2, α = 1."""
    given = phases.terms(n, m, n0, gamma=gamma, beta=0.5, d=2)
    paid = math.exp(float(given.meeting("Pt", "NPt")))  # from here on the target pays nothing
    epsilon = np.geomspace(paid / 5, 1.0, 400)
    x = np.log(epsilon)
    # Up to constants the table may name a term that is not the rate: both are drawn.
    codes = table_one.table_codes(given, x, "A", not correct)
    named, true = (np.choose(which, given.at(x)) for which in (codes, given.codes(x)))
    return (
        Line("The term that the table names", epsilon, np.exp(named)),
        Line("The rate (4)", epsilon, np.exp(true)),
    )


def _spreading() -> tuple[Line, ...]:
    """The risk at a point against that at 10 servers, at fixed N; ν = α - 1/p."""
    servers = np.unique(np.geomspace(10, 1000, 60).round())
    lines = []
    for name, nu in (("p = 2", 1.5), ("p = ∞", 2.0)):
        found = homogeneous_D(1e8 / servers, servers, 1e-3, smoothness=nu)
        lines.append(Line(name, servers, (found[0] / found) ** (2 * nu)))
    return tuple(lines)


def _public() -> tuple[Line, ...]:
    """Case 3 at n1 = t, n0 = t³, n2 = 10 t³ with t = 10."""
    sizes = {"n0": 1e3, "n1": 10.0, "n2": 1e4}
    shape = {"gamma": 1.0, "beta": 0.5, "d": 2.0}
    k = 2 * shape["beta"] * shape["gamma"] + shape["d"]
    end = table_one.printed_end(**sizes, **shape)
    epsilon = np.geomspace(1e-4, 1, 400)
    true = np.exp(table_one.public_source(**sizes, epsilon=epsilon, **shape))
    printed = np.where(epsilon <= end, sizes["n1"] ** (-1 / k), true)
    return Line("Corollary 3.3, case 3", epsilon, printed), Line("Equation (5)", epsilon, true)


def _users() -> tuple[Line, ...]:
    """The exact ε of the noise of a number in [0, 1] on a loss up to LD."""
    delta, promised = 1e-4, 0.5
    budgets = np.geomspace(1e-2, 1e5, 2000)
    per_range = math.sqrt(2 * math.log(2 / delta)) / promised
    ranges = np.geomspace(1, 396, 200)
    multipliers = gaussian.analytic_multiplier(budgets, delta)
    # The multiplier falls in ε, so that its inverse is read from a table.
    real = np.interp(-np.log(per_range / ranges), -np.log(multipliers), np.log(budgets))
    return (
        Line("As promised", ranges, np.full_like(ranges, promised)),
        Line("Exact", ranges, np.exp(real)),
    )


def _unclipped() -> tuple[Line, ...]:
    norms = np.geomspace(1, 100, 120)
    found = np.array([refined_sensitivity(50, float(r)) for r in norms]) / 0.1
    return (
        Line("Norm at most 1, as assumed", norms, np.full_like(norms, found[0])),
        Line("By the norm that occurs", norms, found),
    )


def _bias() -> tuple[Line, ...]:
    variances = np.linspace(0.5, 30, 120)
    found = np.array([shrinkage(float(v), "logistic") for v in variances])
    return (
        Line("As taken for granted", variances, np.ones_like(variances)),
        Line("Exact", variances, found),
    )


# By statement, in the order in which they matter most.
FIRST: Mapping[str, Difference] = {
    "ACC:Table1:row-1:column-3:A": Difference(
        title="At moderate privacy strong sources still pay",
        at="n = n0 = 1,000, m = 100, γ = 1/2, β = 1/2, d = 2, α = 1; ε21 as corrected",
        x="Common budget ε",
        y=_RATE,
        curves=lambda: _table(0.5, 1000, 100, 1000, correct=True),
    ),
    "CCV:Sec2.1:smaller-p": Difference(
        title="Spreading costs less at p = 2, and not more",
        at="100 million records in all, ε = 0.001, α = 2. The text puts p = 2 above p = ∞",
        x="Servers",
        y="Risk at a point, over that at 10 servers",
        curves=_spreading,
        printed=False,
    ),
    "ACC:Cor3.3:case-3": Difference(
        title="The public source is left behind far earlier",
        at="n1 = 10, n0 = 1,000, n2 = 10,000, γ = 1, β = 1/2, d = 2, α = 1",
        x="Budget ε of the target and of source 2",
        y=_RATE,
        curves=_public,
    ),
    "ACC:Cor3.2:eps21": Difference(
        title="The sources take over much earlier",
        at="n = 10,000, m = 100, n0 = 100,000, γ = 1.2, β = 1/2, d = 2, α = 1",
        x="Common budget ε",
        y=_RATE,
        curves=lambda: _table(1.2, 1e4, 100, 1e5, correct=False),
    ),
    "KS:Alg4:users": Difference(
        title="The real budget of a user grows with the range of the loss",
        at="promised ε = 0.5 at δ = 0.0001; LD = 396 is the paper's non-private experiment",
        x="Range LD of the loss",
        y="ε of one answer",
        curves=_users,
    ),
    "DPLR:Alg1:unclipped": Difference(
        title="Without a bound on the records no finite ε holds",
        at="p = 50, Laplace noise of scale 0.1; a typical record of the design has norm 7.1",
        x="Largest norm of a record",
        y="ε by (8)",
        curves=_unclipped,
    ),
    "DPLR:Eq11:bias": Difference(
        title="The surrogate estimates a part of β at any sample size",
        at="logistic errors, as in (11); the paper's design has the variance 26",
        x="Variance of x'β",
        y="What is estimated, over β",
        curves=_bias,
        logs=False,
    ),
}
