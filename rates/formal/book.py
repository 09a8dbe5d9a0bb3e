"""All formal claims by statement and form."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from rates.formal import acc_budgets, acc_roots, ccv, ccv_unequal, others
from rates.formal.claim import Claim
from rates.formal.further import (
    equation,
    hybrid,
    hybrid_sums,
    levels,
    readings,
    records,
    series,
    sites,
    surrogate,
)

Book = Mapping[tuple[str, str], Claim]


@cache
def claims() -> Book:
    r"""Return the formal claims, by id and form.

    >>> print(claims()["ACC:Cor3.2:eps2", "printed"].latex[-1])
    \varepsilon_{2} = n_{0}^{-\frac{\beta}{2 \beta + d}}
    """
    first = (acc_budgets, acc_roots, ccv, ccv_unequal, others, equation, series, hybrid, surrogate)
    books = (*first, sites, levels, hybrid_sums, records, readings)
    return {key: claim for book in books for key, claim in book.CLAIMS.items()}
