"""Certificates of contradicted claims: their text, their numbers, and both sides as intervals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from typing import Any

from rates.ledger import verify
from rates.ledger.texts import Entry, Form, entries
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


def holds(entry: Entry, form: Form) -> bool:
    """Whether the numbers of a form's claim contradict it with certainty."""
    try:
        return bool(make(entry, form))
    except DomainError:
        return False


def every(given: Iterable[Entry] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the certificate of every form whose claim has numbers at which it fails.

    Raises:
        DomainError: One of them is not contradicted by its numbers.
    """
    for one in entries() if given is None else given:
        for form, claim in one.claims.items():
            if claim.at is not None:
                yield make(one, form)


def as_text(rows: Iterable[dict[str, Any]]) -> str:
    """Return the file of certificates with its manifest, a certificate a line."""
    found = list(rows)
    manifest = {f"{one['id']} {one['form']}": verify.digest(one) for one in found}
    lines = ",\n".join(json.dumps(one) for one in found)
    return f'{{"manifest": {json.dumps(manifest)},\n"certificates": [\n{lines}\n]}}\n'


@cache
def stored() -> dict[str, Any]:
    """Return the file of certificates as it stands; nothing where there is none."""
    file = resources.files("rates") / "ledger" / FILE
    found: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return found
