r"""[CAC]: the correlation of two columns that never meet, each at a server of its own.

Server 1 holds X and server 2 holds Y of the same n people, jointly normal with variance 1. *Apart*:
each releases means of its signs over batches, with Laplace noise. *Listening*: the server with the
larger budget releases every sign, some of them flipped; the other multiplies them with its own and
releases one noisy mean. Either gives an unbiased estimate of

.. math:: \eta = E\,\mathrm{sign}(X)\,\mathrm{sign}(Y) = \tfrac2\pi \arcsin\rho,

and sin(pi/2 times it) estimates the correlation. A budget protects one value of one column,
replaced; both servers are purely private, also towards each other.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from rates.numbers import EPSILON, SAMPLE_SIZE, Parameter

if TYPE_CHECKING:  # the language of rates loads when a rate is asked for
    from rates.orders import Order

_LETTERS = ("n", "eps1", "eps2")
# Squared errors up to constants; of two that listen, eps1 is the larger budget. Budgets: at most 1.
LISTENING = "max(speaker: 1/(n*eps1^2), listener: 1/(n^2*eps1^2*eps2^2))"
APART = "max(first: 1/(n*eps1^2), second: 1/(n*eps2^2))"
RECORDS = SAMPLE_SIZE.within("2, ..., 1e6", help="People of whom each server holds one column.")
RHO = Parameter("rho", "ρ", "[-0.99, 0.99]", help="Correlation of the two columns.")
FIRST, SECOND = (
    EPSILON.within(
        "(0, inf]",
        name=f"epsilon_{k}",
        symbol=symbol,
        help=f"Budget of server {k}: one value of its column is replaced. inf: unprotected.",
    )
    for k, symbol in ((1, "ε₁"), (2, "ε₂"))
)


@cache
def order(text: str) -> Order:
    """Return one of the rates, read."""
    from rates.orders import parse

    return parse(text, sizes=_LETTERS)


def order_of(text: str, n: float, first: float, second: float) -> float:
    """Return a rate at numbers, at most 1; a budget above 1 counts as 1.

    >>> [round(order_of(of, 10_000, 1, 0.001), 9) for of in (LISTENING, APART)]
    [0.01, 1.0]

    Source: [CAC], whose abstract announces them; their form by our derivation.
    """
    larger, smaller = max(first, second), min(first, second)
    sizes = {"n": n, "eps1": min(larger, 1.0), "eps2": min(smaller, 1.0)}
    return min(1.0, float(order(text).value(sizes, {})))


def bend(n: float) -> float:
    """Return the listener's budget from which, by the rate, its privacy is free.

    >>> round(bend(10_000), 12)
    0.01
    """
    from rates.orders import crossings

    (meeting,) = crossings(order(LISTENING), "eps2")
    return float(meeting.at.value({"n": n, "eps1": 1.0}, {}))


def actual_bend(n: float, speaker: float, rho: float) -> float:
    """Return the listener's budget at which the mechanism's last noise is half of its variance.

    >>> round(actual_bend(10_000, 1, 0), 4)
    0.0283
    """
    lifted = lift(speaker) ** 2
    return math.sqrt(8.0 * lifted / (n * (lifted - agreement(rho) ** 2)))


def agreement(rho: float) -> float:
    """Return η, the mean product of two signs.

    >>> round(agreement(0.5), 12)
    0.333333333333
    """
    return 2.0 / math.pi * math.asin(rho)


def lift(epsilon: float) -> float:
    """Return what flipped signs are multiplied with to be unbiased: coth(ε/2).

    >>> round(lift(1), 3), lift(math.inf)
    (2.164, 1.0)
    """
    return 1.0 / math.tanh(epsilon / 2.0)


def batch(n: int, first: float, second: float) -> int:
    """Return the records of a batch, 8/(ε₁ε₂) rounded up, at most n.

    >>> batch(1000, 1, 0.5), batch(10, 0.1, 0.1), batch(10, math.inf, 1)
    (16, 10, 1)

    Source: the authors' code, ``vert-cor.R``.
    """
    wanted = 8.0 / first / second
    return n if wanted >= n else max(1, math.ceil(wanted))


def listening_error(n: int, first: float, second: float, rho: float) -> float:
    r"""Return the mean squared error of the correlation, exactly, where one server listens.

    The estimate of η is c times a mean of n signs, each +1 with chance (1 + η/c)/2 and c that of
    `lift`, plus Laplace noise of scale b = 2c/(nε). Its characteristic function is

    .. math:: \varphi(u) = \Bigl(\cos\tfrac{uc}n + i\tfrac\eta c \sin\tfrac{uc}n\Bigr)^n
        \Big/ (1 + b^2u^2),

    and E(sin(πη̂/2) - ρ)² = 1/2 - Re φ(π)/2 - 2ρ Im φ(π/2) + ρ².

    >>> round(listening_error(10_000, 1, 0.1, 0), 6)
    0.001246
    """
    speaker, listener = max(first, second), min(first, second)
    c = lift(speaker)
    b = 0.0 if math.isinf(listener) else 2.0 * c / n / listener

    def phi(u: float) -> complex:
        turn = complex(math.cos(u * c / n), agreement(rho) / c * math.sin(u * c / n))
        return complex(np.exp(n * np.log(turn)) / (1.0 + (b * u) ** 2)) if turn else 0j

    return 0.5 - phi(math.pi).real / 2.0 - 2.0 * rho * phi(math.pi / 2.0).imag + rho**2


def apart_variance(n: int, first: float, second: float, rho: float) -> float:
    """Return the variance of the estimate of η of two servers apart, exactly.

    >>> apart_variance(8000, 1, 1, 0)
    0.004
    """
    m, eta = batch(n, first, second), agreement(rho)
    noises = [8.0 / (m * e) ** 2 for e in (first, second)]
    signs = (1.0 + (m - 1.0) * (1.0 + 2.0 * eta**2)) / m**3
    square = signs + sum(noises) / m + noises[0] * noises[1]
    return m**2 * (square - (eta / m) ** 2) / (n // m)


def apart_error(n: int, first: float, second: float, rho: float) -> float:
    """Return about the mean squared error of the correlation of two servers apart.

    The mean of many batches is taken for normal, with its exact variance.

    >>> round(apart_error(10_000, 1, 0.5, 0), 4)
    0.0175
    """
    spent = math.pi**2 / 2.0 * apart_variance(n, first, second, rho)
    # Of a normal variable the mean of a cosine is an exponential of its variance.
    kept = (1.0 - 2.0 * rho**2) * math.exp(-spent)
    return 0.5 - kept / 2.0 - 2.0 * rho**2 * math.exp(-spent / 4.0) + rho**2
