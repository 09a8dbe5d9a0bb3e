"""What of a statement was read together with its check, so that neither changes alone.

`rates/claims/reviewed-<paper>.json` holds, by statement, a digest of the text that is shown and of
the names of what checks it. Where text and digest differ the verdict is "not checked as shown".
Whoever changes a claim reads it against its check and then writes its digest anew:
``python -m rates.verdicts --reviewed ID``. The outcomes of the derivations stand in
`rates/claims/derived.json`, what the checks make of mutants of their claims in `mutants.json`, and
what is decided of claims of orders in `decided.json`: they take seconds. Tests compute them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

from rates.formal import claims

_SHOWN = ("claim", "printed", "hypotheses", "reading", "proof", "derivation", "check", "untestable")


class Shown(Protocol):
    """A statement, as far as its digest asks for more than what it shows."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def paper(self) -> str:
        """Its paper."""


def digest(item: Shown) -> str:
    """Return a digest of what a statement shows and of what checks it.

    >>> from rates.statements.ledger import statement
    >>> digest(statement("ACC:Cor3.2:eps21")) == reviewed("ACC")["ACC:Cor3.2:eps21"]
    True
    """
    formal = [claims().get((item.id, form)) for form in ("printed", "reading")]
    shown = [getattr(item, name) for name in _SHOWN]
    shown += [one.latex for one in formal if one is not None]
    return hashlib.sha256(json.dumps(shown, ensure_ascii=False).encode()).hexdigest()[:16]


def as_reviewed(item: Shown) -> bool:
    """Say whether a statement reads as it did when it was last read against its check."""
    return reviewed(item.paper).get(item.id) == digest(item)


@cache
def reviewed(paper: str) -> Mapping[str, str]:
    """Return the digests of a paper by statement; none where it has no file."""
    return _read(f"reviewed-{paper.lower()}.json")


@cache
def derived() -> Mapping[str, bool]:
    """Return of every derivation by name whether all its steps came out."""
    return _read("derived.json")


@cache
def told() -> Mapping[str, Mapping[str, Any]]:
    """Return of the checks how many mutants of their own claims they tell apart.

    >>> told()["ACC:Cor3.2:eps21"]["told"] > 10
    True
    """
    return _read("mutants.json")


@cache
def decisions() -> Mapping[str, Mapping[str, Any]]:
    """Return of the statements about orders what exact arithmetic decides of them.

    >>> decisions()["ACC:Table1:corrected"]["holds"]
    True
    """
    return _read("decided.json")


def _read(name: str) -> dict[str, Any]:
    file = resources.files("rates") / "claims" / name
    found: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return found


def review(items: Sequence[Shown], folder: Path) -> None:
    """Write the digests of these statements into the folder of the claims."""
    for paper in {item.paper for item in items}:
        now = {item.id: digest(item) for item in items if item.paper == paper}
        write(folder / f"reviewed-{paper.lower()}.json", {**reviewed(paper), **now})
    reviewed.cache_clear()


def write(file: Path, found: Mapping[str, object]) -> None:
    """Write a file sorted by name, an entry a line."""
    text = json.dumps(dict(sorted(found.items())), indent=1, ensure_ascii=False)
    file.write_text(text + "\n", encoding="utf-8")
