"""Verdicts as they were found when the ledger was last checked, so that a page need not draw.

Each stands beside the digest of the text that was checked: where an entry says something else
now, its verdict is not fresh, and a page says that it is not checked as it stands.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from typing import Any

from rates.ledger.judging import DECIDED, Verdict, as_row
from rates.ledger.texts import FORMS, PAPERS, Entry, Form, entries, sections, shared_by

FILE = "verdicts.json"
NOT_CHECKED = "not checked as it stands"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredVerdict:
    """What was found of an entry when the ledger was last checked.

    Attributes:
        printed: The verdict on the printed form, in the words of `judging`, or `NOT_CHECKED`.
        reading: The verdict on our reading; None without one.
        draws: By form, how many draws were made inside the conditions, and how many failed.
        fresh: Whether the entry's text is the one that was checked.
        needs: By claim which conditions carry it, as `decided.carried` says; only where the
            statement is decided for all sizes.
    """

    printed: str = NOT_CHECKED
    reading: str | None = None
    draws: Mapping[Form, tuple[int, int]] = field(default_factory=dict)
    fresh: bool = False
    needs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def words(self, form: Form) -> str | None:
        """Return the verdict on one form; None where it was not judged."""
        return self.printed if form == "printed" else self.reading


@cache
def stored() -> Mapping[str, StoredVerdict]:
    """Return what was found of each entry, by its id.

    >>> found = stored()["ACC:Cor3.2:eps21"]
    >>> found.printed, found.reading, found.fresh
    ('contradicted by exact numbers', 'argued in prose', True)
    """
    kept = load().get("entries", {})
    return {one.id: _verdict(one, kept.get(one.id)) for one in entries()}


def _verdict(entry: Entry, row: Mapping[str, Any] | None) -> StoredVerdict:
    if row is None:
        return StoredVerdict()
    pairs = {form: row[f"{form}_draws"] for form in FORMS if f"{form}_draws" in row}
    return StoredVerdict(
        printed=row["printed"],
        reading=row.get("reading"),
        draws={form: (number, violations) for form, (number, violations) in pairs.items()},
        fresh=row["text"] == digest(entry),
        needs=row.get("needs", {}),
    )


@cache
def load() -> Mapping[str, Any]:
    """Return the file of verdicts as it stands; nothing where there is none."""
    file = resources.files("rates") / "ledger" / FILE
    found: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return found


def digest(entry: Entry) -> str:
    """Return the digest of all that an entry says, and of its claims with what they share."""
    said = {one.name: getattr(entry, one.name) for one in fields(entry)}
    claims = [[one.said, [x.log for x in one.letters]] for one in entry.claims.values()]
    return _short([said, claims])


def digests_of_texts() -> dict[str, str]:
    """Return by paper the digest of what its text says of its sections and once for all claims."""
    out = {}
    for paper in PAPERS:
        shared = shared_by(paper)
        said = [[one.section, one.title, one.left_out, one.pages] for one in sections(paper)]
        out[paper] = _short([said, dict(shared.ranges), list(shared.lets.items())])
    return out


def _short(said: Any) -> str:
    text = json.dumps(said, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def to_row(entry: Entry, verdicts: tuple[Verdict, ...]) -> dict[str, Any]:
    """Return what the file holds of an entry."""
    row = {"text": digest(entry), **as_row(verdicts)}
    if any(one.words == DECIDED for one in verdicts):
        from rates.ledger.decided import carried  # on demand: it needs sympy

        row["needs"] = carried(entry.claims[entry.used])
    return row


def as_text(rows: Iterable[tuple[str, Mapping[str, Any]]]) -> str:
    """Return the file of these rows by id, an entry a line."""
    lines = ",\n".join(f"{json.dumps(of)}: {json.dumps(row)}" for of, row in rows)
    known = json.dumps(digests_of_texts())
    return f'{{"texts": {known},\n"entries": {{\n{lines}\n}}}}\n'
