"""Certificates of contradicted claims: their text, exact numbers, and both sides as intervals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from rates.ledger import verify
from rates.ledger.texts import Entry, Form
from rates.numbers import DomainError

FILE = "certificates.json"
_ROOM = 1e-11  # of a root's interval on either side: the bisection is exact to rounding


@cache
def make(entry: Entry, form: Form) -> dict[str, Any]:
    """Return the certificate of a form that fails at its claim's numbers.

    Raises:
        DomainError: It is not certainly contradicted there.
    """
    claim = entry.claims[form]
    if claim.at is None:
        rule = f"The {form} form has no certificate: it gives no numbers at which it fails."
        raise DomainError(rule, field="at", value="", where=entry.id)
    at = claim.example()
    row: dict[str, Any] = {
        "id": entry.id,
        "form": form,
        **claim.said,
        "roots": {
            one.letter: [f"{float(at[one.letter][0]) * (1 + k * _ROOM):.15e}" for k in (-1, 1)]
            for one in claim.lets
            if one.right is not None
        },
    }
    try:
        return {**row, "sides": verify.sides(row)}
    except (ArithmeticError, TypeError, ValueError) as error:
        rule = f"The {form} form has no certificate: {error}."
        raise DomainError(rule, field="at", value=str(row["at"]), where=entry.id) from None


def contradicts(entry: Entry, form: Form) -> bool:
    """Whether the numbers of a form's claim contradict it with certainty."""
    try:
        return bool(make(entry, form))
    except DomainError:
        return False


def at_numbers(given: Iterable[Entry]) -> Iterator[tuple[Entry, Form]]:
    """Yield the forms whose claims have numbers at which they fail."""
    for one in given:
        for form, claim in one.claims.items():
            if claim.at is not None:
                yield one, form


def of(given: Iterable[Entry]) -> str:
    """Return the file of all certificates of some entries with its manifest, one a line.

    Raises:
        DomainError: A claim is not contradicted by its numbers.
    """
    return as_file([make(*one) for one in at_numbers(given)])


def as_file(rows: list[dict[str, Any]]) -> str:
    """Return certificates as a file."""
    manifest = {f"{one['id']} {one['form']}": verify.digest(one) for one in rows}
    lines = ",\n".join(json.dumps(one) for one in rows)
    return f'{{"manifest": {json.dumps(manifest)},\n"certificates": [\n{lines}\n]}}\n'
