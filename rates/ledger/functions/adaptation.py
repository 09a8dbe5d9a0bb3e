"""A test of [BCMM]: the smoothness of the general objective, by its Hessian."""

from __future__ import annotations

import numpy as np

from rates.ledger.functions.base import Array, Draws, Tests, pick
from rates.ledger.functions.laws import drawn, even, exponential, logs
from rates.ledger.texts import Form

TESTS = Tests()

_draw_hessian = drawn(
    alpha=even(0.05, 0.95),
    radius=logs(0.2, 3),
    bound=logs(0.2, 3),
    one=exponential(0.5),
    two=exponential(0.5),
    top=exponential(0.5),
    softmax=logs(0.1, 2),
    gap=even(0, 1),
    w=even(-1, 1),
    **{
        f"{k}{i}": law
        for i in range(4)
        for k, law in (("x", even(-1, 1)), ("u", exponential(0.3, 1)))
    },
)


@TESTS.add(_draw_hessian, "log of the norm over its bound", number=500)
def _smooth(draws: Draws, form: Form) -> Array:
    """Log of the Hessian's norm over the bound of Lemma 5.1, m = n = 2, one feature, logistic."""
    a, r, lam, gap, w = pick(draws, "alpha radius bound gap w")
    x, u = (np.stack(pick(draws, f"{k}0 {k}1 {k}2 {k}3"), axis=-1) for k in "xu")
    u = u / np.stack([a / 2, a / 2, (1 - a) / 2, (1 - a) / 2], axis=-1)
    z, x = (w * lam * r)[:, None] * x, r[:, None] * x
    largest = np.logaddexp(0, lam * r)
    lift = np.stack([gap * largest] * 2 + [np.zeros_like(a)] * 2, axis=-1)
    share = 1 / (1 + np.exp(-z))
    one, two, top, mu = (draws[k][:, None] for k in ("one", "two", "top", "softmax"))
    H = np.zeros((len(a), 5, 5))
    H[:, 0, 0] = (share * (1 - share) * x**2 / u).sum(axis=-1)
    H[:, 0, 1:] = H[:, 1:, 0] = -share * x / u**2
    size = np.sqrt((u**-2.0).sum(axis=-1))[:, None]
    soft = np.exp(mu / u)
    soft /= soft.sum(axis=-1, keepdims=True)
    diagonal = 2 * (np.logaddexp(0, z) + lift - one) / u**3 + 3 * two / u**4 / size
    diagonal += top * soft * (2 / u**3 + mu / u**4)
    outer = -two[..., None] * (u**-3.0)[:, :, None] * (u**-3.0)[:, None, :] / size[..., None] ** 3
    first = soft / u**2
    outer -= (top * mu)[..., None] * first[:, :, None] * first[:, None, :]
    H[:, 1:, 1:] = outer
    place = np.arange(1, 5)
    H[:, place, place] += diagonal
    norm = np.abs(np.linalg.eigvalsh(H)).max(axis=-1)
    return np.asarray(np.log(norm / _bound(draws, largest)))


def _bound(draws: Draws, largest: Array) -> Array:
    """The constant of Lemma 5.1, with (20) read as under BCMM:Eq20:penalty."""
    a, r, one, two, top, mu = pick(draws, "alpha radius one two top softmax")
    c, n, m = 1 - a, 2.0, 2.0
    beta = two * a**3 / m**2 + two * c**3 / n**2
    beta += 2 * a**3 * (np.maximum(one, np.abs(2 * largest - one)) + two * n**0.5 + top) / m**2.5
    beta += 2 * c**3 * (np.maximum(one, np.abs(largest - one)) + two * m**0.5 + top) / n**2.5
    beta += top * mu * (a**4 * (m**-3 + m**-3.5) + c**4 * (n**-3 + n**-3.5))
    beta += 2 * top * mu * (a * c) ** 2 / (m * n) ** 1.5
    return np.asarray(r**2 / 4 + beta + r * (a**2 / m**1.5 + c**2 / n**1.5))
