r"""Largest value of |M v(u)| over 0 <= u <= 1, certified: branch and bound on binary digits.

After r digits v(u) = P v(u') with P a product of digit matrices, and u' in [0, 1]. Columns of
P sum to 1 and entries of v sum to 1, so for the node P v(0)

.. math:: |M v(u)| \le |M P v(0)| + \sum_s |M P e_s - M P v(0)|\, \rho_s,
    \qquad \rho_s = \sup_u |v_s(u) - v_s(0)|.

Cells whose bound is within 1e-7 of a value already met are dropped, the others are halved.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from sims.curves.cascade import BITS, BLOCK, block_products, digit_matrices
from sims.curves.filters import Array, filters

TOLERANCE = 1e-7  # relative distance of the upper bound from the value met
SLACK = 1e-12  # rounding of the bounds, relative
_FIRST = 4  # digits before any cell is dropped


@dataclass(frozen=True, slots=True, kw_only=True)
class Supremum:
    """A certified supremum.

    Attributes:
        value: Upper bound over all x in [0, 1]; noise is calibrated to it.
        attained: Largest value met, at ``at``; ``value`` exceeds it by about 1e-7 of it.
        at: Where it is met.
    """

    value: float
    attained: float
    at: float


@cache
def spread(moments: int) -> Array:
    r"""Return certified bounds rho_s of \|phi(u + s) - phi(s)\| over 0 <= u <= 1.

    With D the largest differences at the nodes of depth 13 and E the largest absolute entries
    of the products less their nodes, rho <= D + E rho; phi being bounded, rho <= (1 - E)^-1 D.

    >>> spread(1).tolist()
    [0.0]
    """
    start = filters(moments).integers
    P = block_products(moments, BLOCK)
    nodes = P @ start
    D = np.abs(nodes - start).max(axis=0)
    E = np.abs(P - nodes[:, :, None]).max(axis=0) if moments > 1 else np.zeros((1, 1))
    rho = np.linalg.solve(np.eye(len(start)) - E, D)
    return np.asarray(rho * (1.0 + SLACK))


def largest(moments: int, forms: Array) -> tuple[float, float, int, float]:
    r"""Return upper bound, value met, index of the form and u where \|M v(u)\| is largest.

    Args:
        moments: N.
        forms: Matrices M, shape (forms, rows, S).

    >>> upper, met, form, u = largest(2, np.eye(3)[None])  # phi(u)^2 + ... at u = 0 is 2
    >>> round(upper, 6), round(met, 12), form, u
    (1.414214, 1.414213562373, 0, 0.0)
    """
    T = digit_matrices(moments)
    start, rho = filters(moments).integers, spread(moments)
    A, form = forms, np.arange(len(forms))
    u = np.zeros(len(forms))
    best, best_form, best_u = -1.0, 0, 0.0
    upper = 0.0
    for depth in range(BITS + 1):
        node = A @ start
        size = np.sqrt(np.einsum("nr,nr->n", node, node))
        top = int(np.argmax(size))
        if size[top] > best:
            best, best_form, best_u = float(size[top]), int(form[top]), float(u[top])
        away = A - node[:, :, None]
        bound = (size + np.sqrt(np.einsum("nrs,nrs->ns", away, away)) @ rho) * (1.0 + SLACK)
        if moments == 1:  # constant on every cell
            return best, best, best_form, best_u
        open_ = (bound > best * (1.0 + TOLERANCE)) | (depth < _FIRST)
        if not open_.any():
            return best * (1.0 + TOLERANCE), best, best_form, best_u
        upper = max(best * (1.0 + TOLERANCE), float(bound.max()))
        A, form, u = A[open_], form[open_], u[open_]
        A = np.concatenate([A @ T[0], A @ T[1]])
        form = np.concatenate([form, form])
        u = np.concatenate([u, u + 0.5 ** (depth + 1)])
    return upper, best, best_form, best_u
