"""Certificates of contradiction: exact numbers at which both sides of a formula are apart.

`rates/claims/certificates.json` holds them as `rates.formal.verify` reads them, which knows nothing
of this project. They are made from the same formal claims that are shown and tried on draws.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from mpmath import iv, mp  # type: ignore[import-untyped]

from rates.formal import verify
from rates.formal.book import claims
from rates.formal.claim import Claim, Relation
from rates.formal.terms import plain
from rates.numbers import DomainError

FILE = "certificates.json"
_ROOM = 1e-11  # on either side of a root: far above rounding


@cache
def certificates() -> tuple[dict[str, Any], ...]:
    """Return the stored certificates, in the order of the ledger's claims.

    >>> certificates()[0]["form"]
    'printed'
    """
    file = resources.files("rates") / "claims" / FILE
    found: list[dict[str, Any]] = json.loads(file.read_text("utf-8"))
    return tuple(found)


def write(file: Path) -> int:
    """Write the certificates of all formal claims; return how many there are."""
    found = make_all()
    rows = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in found)
    file.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    return len(found)


def make_all() -> list[dict[str, Any]]:
    """Return a certificate of every formal claim that has numbers at which it fails."""
    return [make(of, claim) for (of, form), claim in claims().items() if claim.at is not None]


def make(of: str, claim: Claim) -> dict[str, Any]:
    """Return the certificate of a claim at its numbers.

    Raises:
        DomainError: The claim is not contradicted there.
    """
    numbers = dict(claim.at or {})
    values = claim.complete({k: np.array([float(Fraction(v))]) for k, v in numbers.items()})
    entry: dict[str, Any] = {
        "id": of,
        "form": "printed",
        "latex": list(claim.latex),
        "numbers": numbers,
        "where": [_where(one.letter, one.solves, plain(one.term), values) for one in claim.where],
        "conditions": [_row(one) for one in claim.conditions],
        "says": [_row(one) for one in claim.says],
        "iff": claim.iff,
        "sides": [[["-inf", "inf"], ["-inf", "inf"]] for _ in claim.says],
    }
    try:
        found = verify.check(entry)
    except ValueError as error:
        raise DomainError(f"{error}.", field="numbers", value=str(numbers), where=of) from None
    entry["sides"] = [[_ends(x) for x in pair] for pair in found]
    return entry


def _row(one: Relation) -> list[Any]:
    return [plain(one.left), one.sign, plain(one.right)]


def _where(letter: str, solves: bool, tree: Any, values: Any) -> list[Any]:
    if not solves:
        return ["is", letter, tree]
    near = float(values[letter][0])
    return ["root", letter, tree, f"{near * (1 - _ROOM):.15e}", f"{near * (1 + _ROOM):.15e}"]


def _ends(x: Any) -> list[str]:
    """Return the ends of an interval as text, rounded outwards to 20 digits."""
    wide = x * iv.mpf([1 - mp.mpf(10) ** -19, 1 + mp.mpf(10) ** -19])
    return [mp.nstr(mp.mpf(wide.a), 22), mp.nstr(mp.mpf(wide.b), 22)]
