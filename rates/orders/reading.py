"""From a question about a rate to the rate, and to the numbers of a study's sites."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rates.numbers import MAX_ROWS, DomainError
from rates.orders.inquiry import FREE, Inquiry
from rates.orders.order import Order
from rates.orders.read import parse
from rates.study import Study


def order_of(asked: Inquiry, *, outer: bool = True) -> Order:
    """Read the rate of a question.

    Args:
        asked: The question.
        outer: Whether a balance's own rate is read with it.

    Raises:
        OrderError: The text, or the rate in the unknown, cannot be read.
        DomainError: The letters are not in order.

    Examples:
        >>> str(order_of(Inquiry(text="n^(-1/2)", sizes=("n",))))
        'n^(-1/2)'
    """
    return parse(
        asked.text,
        sizes=asked.sizes,
        exponents={x: None if ends == FREE else ends for x, ends in asked.exponents},
        unknown=asked.unknown or None,
        rate=(asked.rate or None) if outer else None,
        sites=asked.sites,
    )


COLUMNS = {
    "n": "n",
    "eps": "epsilon",
    "epsilon": "epsilon",
    "gamma": "signal_exponent",
    "m": "count",
    "count": "count",
}
_MANY = {"m", "count"}
_TRANSFER = {"beta": "smoothness", "d": "dimension", "alpha": "margin"}
_FEDERATED = {"alpha": "smoothness", "a": "smoothness"}


def by_site(letters: tuple[str, ...], study: Study) -> dict[str, NDArray[np.float64]]:
    """Return an array over the sites of a study for every letter.

    A row of several sites is one entry where m or count, the number of them, is among the
    letters; else it repeats.

    Args:
        letters: Letters that differ by site: n, eps or epsilon, gamma, m or count.
        study: The study; the target comes first.

    Raises:
        DomainError: A letter is none of a site's, or there are too many sites.

    Examples:
        >>> from rates.presets import PRESETS
        >>> values = by_site(("n", "eps"), PRESETS[0].study)
        >>> len(values["n"]) == len(values["eps"]) > 1
        True

    Source: [ACC] eq. (5); [CCV] eq. (6).
    """
    # Where m is a letter a row of alike sites is one entry that m weighs.
    weighted = bool(_MANY & {*letters})
    count = [1 if weighted else server.count for server in study.servers]
    # Rows of a million phones would repeat a million times.
    if sum(count) > MAX_ROWS:
        rule = f"A sum takes at most {MAX_ROWS:,} sites; write m*(...) for rows of alike ones."
        raise DomainError(rule, "sum_j", sum(count))
    out = {}
    for letter in letters:
        if letter not in COLUMNS:
            known = ", ".join(COLUMNS)
            raise DomainError(f"A site has no such letter; it has {known}.", letter, letter)
        values = [float(getattr(server, COLUMNS[letter])) for server in study.servers]
        out[letter] = np.repeat(values, count)
    return out


def own_exponents(study: Study) -> dict[str, float]:
    """Return what a study says of the exponents' usual letters.

    >>> from rates.presets import PRESETS
    >>> sorted(own_exponents(PRESETS[0].study))
    ['alpha', 'beta', 'd']
    """
    names = _TRANSFER if study.kind == "transfer" else _FEDERATED
    return {letter: float(getattr(study, field)) for letter, field in names.items()}
