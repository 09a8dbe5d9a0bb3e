r"""[ACC] (4), equal sources under one budget: its four terms and the cells between crossings.

With b = β, g = γ and L = log ε, the logs of r behind the four terms are lines in L:

.. math::
    \mathrm{NP}_t = -\frac{\log n_0}{2b+d}, \quad
    \mathrm{P}_t = -\frac{\log n_0 + L}{b+d}, \quad
    \mathrm{NP}_s = -\frac{\log mn}{2bg+d}, \quad
    \mathrm{P}_s = -\frac{\log(\sqrt m\,n) + L}{bg+d},

and the rate is exp(B min{0, max(NPt, Pt), max(NPs, Ps)}) with B = β(1+α). Every change of the
deciding term lies at a crossing of two of these lines, or of one of them with 0. So a map is
found by evaluating the minimum once between neighbouring crossings; nothing is scanned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rates.numbers import STEEPEST, check_array
from rates.pieces import TIE, Array, Codes, Tree, decide

LABELS = ("1", "Pt", "NPt", "Ps", "NPs")
NAMES = np.array(LABELS)
_TREE: Tree = ("min", (0, ("max", (1, 2)), ("max", (3, 4))))  # read in the order of the tie rule
_FAR = 1e200  # stands for log(inf) where inf - inf could arise


class LogRates(NamedTuple):
    """Logs of r behind the four terms of (4); multiply by B = β(1+α) for logs of rates."""

    NPt: Array
    Pt: Array
    NPs: Array
    Ps: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Everything in (4) but the budget, in logs; arrays that broadcast.

    Attributes:
        target: log n0; minus infinity without a target.
        pooled: log(m n); minus infinity without sources.
        spread: log(sqrt(m) n); likewise.
        beta: β.
        gamma: γ.
        d: Dimension.
        shift: log of the target's budget over the sources'.
    """

    target: Array
    pooled: Array
    spread: Array
    beta: Array
    gamma: Array
    d: Array
    shift: Array

    def terms(self, log_epsilon: Array) -> LogRates:
        """The four terms; a log budget beyond 1e200 must be cut to it before."""
        bg = self.beta * self.gamma
        return LogRates(
            NPt=-self.target / (2.0 * self.beta + self.d),
            Pt=-(self.target + self.shift + log_epsilon) / (self.beta + self.d),
            NPs=-self.pooled / (2.0 * bg + self.d),
            Ps=-(self.spread + log_epsilon) / (bg + self.d),
        )

    def crossings(self) -> tuple[Array, ...]:
        """The log budgets at Pt = 1, Ps = 1, eps2, eps3, eps11, eps21, epsX, in this order.

        Where a term is missing or two lines are parallel the value is not finite.
        """
        b, d, x, q = self.beta, self.d, self.target, self.spread
        bg, own = b * self.gamma, x + self.shift
        eleven = (b + d) * (q - own) / (b * (self.gamma - 1.0)) - own
        return (
            -own,
            -q,
            -self.shift - x * b / (2.0 * b + d),
            self.pooled * (bg + d) / (2.0 * bg + d) - q,
            eleven,
            x * (bg + d) / (2.0 * b + d) - q,
            self.pooled * (b + d) / (2.0 * bg + d) - own,
        )

    def column(self) -> Setting:
        """The same with a last axis of length 1, along which budgets can run."""
        return Setting(**{name: getattr(self, name)[..., None] for name in self.__slots__})


def setting(
    n: ArrayLike,
    m: ArrayLike,
    n0: ArrayLike,
    *,
    gamma: ArrayLike,
    beta: ArrayLike,
    d: ArrayLike,
    ratio: ArrayLike = 1.0,
) -> Setting:
    """Check the parameters of (4) and take logs.

    Args:
        n: Records per source, any real >= 0.
        m: Number of sources, any real >= 0; without sources NPs and Ps are ``inf``.
        n0: Records of the target, any real >= 0; at 0 NPt and Pt are ``inf``.
        gamma: The signal exponent of the sources, > 0.
        beta: The smoothness, > 0.
        d: The dimension, > 0.
        ratio: What the target's budget is of that of the sources, > 0.

    Raises:
        DomainError: An argument lies outside its domain.
    """
    with np.errstate(divide="ignore"):
        log_n, log_m, log_n0 = (
            np.log(checked(name, value, zero=True))
            for name, value in (("n", n), ("m", m), ("n0", n0))
        )
    return Setting(
        target=log_n0,
        pooled=log_m + log_n,
        spread=0.5 * log_m + log_n,
        beta=checked("beta", beta),
        gamma=np.minimum(checked("gamma", gamma), STEEPEST),
        d=checked("d", d),
        shift=np.log(checked("ratio", ratio)),
    )


def checked(name: str, value: ArrayLike, *, zero: bool = False, infinite: bool = False) -> Array:
    """Check as `check_array` does, but let a scalar stay a scalar."""
    array = check_array(name, value, zero=zero, infinite=infinite)
    return array if np.ndim(value) else array.reshape(())


def log_budget(epsilon: ArrayLike) -> Array:
    """Return log ε for ε in [0, inf], with a large number for an infinite budget."""
    with np.errstate(divide="ignore"):
        return np.minimum(np.log(checked("epsilon", epsilon, zero=True, infinite=True)), _FAR)


def codes_at(s: Setting, log_epsilon: Array) -> Codes:
    """Return the index in `LABELS` of the deciding term; all arrays broadcast."""
    t = s.terms(log_epsilon)
    of_target, of_sources = slacks(s)
    values = [np.zeros(()), t.Pt, t.NPt, t.Ps, t.NPs]
    return decide(_TREE, values, [np.zeros(()), of_target, of_target, of_sources, of_sources])[1]


def slacks(s: Setting) -> tuple[Array, Array]:
    """Return within which distance the target's and the sources' terms tie with others."""
    return (
        tie_width(s.target) / (2.0 * s.beta + s.d),
        tie_width(s.pooled) / (2.0 * s.beta * s.gamma + s.d),
    )


def tie_width(log_size: Array) -> Array:
    """Return the distance within which logs of sizes tie."""
    return TIE * np.maximum(1.0, np.where(np.isfinite(log_size), np.abs(log_size), 0.0))
