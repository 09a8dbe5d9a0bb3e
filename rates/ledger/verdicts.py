"""Verdicts as they were found when the ledger was last checked, so that a page need not draw.

Each stands beside the digest of the text that was checked: where an entry says something else
now, its verdict is not fresh, and a page says that it is not checked as it stands.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

from rates.ledger.judging import DECIDED, Verdict
from rates.ledger.texts import (
    CATEGORIES,
    CONCLUSION,
    FORMS,
    Entry,
    Form,
    entries,
    stored_json,
)

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
def load() -> Mapping[str, Any]:
    """Return the file of verdicts as it stands; nothing where there is none."""
    return stored_json(FILE)


@cache
def stored() -> Mapping[str, StoredVerdict]:
    """Return what was found of each entry, by its id.

    >>> found = stored()["ACC:Cor3.2:eps21"]
    >>> found.printed, found.reading, found.fresh
    ('contradicted by exact numbers', 'argued in prose', True)
    """
    kept = load().get("entries", {})
    return {
        one.id: _verdict(one, kept[one.id]) if one.id in kept else StoredVerdict()
        for one in entries()
    }


def _verdict(entry: Entry, row: Mapping[str, Any]) -> StoredVerdict:
    return StoredVerdict(
        printed=row["printed"],
        reading=row.get("reading"),
        draws={form: tuple(row[f"{form}_draws"]) for form in FORMS if f"{form}_draws" in row},
        fresh=row["text"] == digest(entry),
        needs=row.get("needs", {}),
    )


def digest(entry: Entry) -> str:
    """Return the digest of all that an entry says, and of its claims with what they share."""
    said = {one.name: getattr(entry, one.name) for one in fields(entry)}
    # The claims too, as ranges and definitions that they share stand in no entry's own text.
    claims = [[one.said, [x.log for x in one.letters]] for one in entry.claims.values()]
    text = json.dumps([said, claims], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def to_row(entry: Entry, verdicts: tuple[Verdict, ...]) -> dict[str, Any]:
    """Return what the file holds of an entry: words, how many draws were made and how many failed.

    Where it is decided for all sizes, also what it needs.
    """
    row: dict[str, Any] = {"text": digest(entry)}
    for one in verdicts:
        row[one.form] = one.words
        if one.outcome is not None:
            row[f"{one.form}_draws"] = [one.outcome.number, one.outcome.violations]
    if any(one.words == DECIDED for one in verdicts):
        from rates.ledger.decided import carried  # on demand: it needs sympy

        row["needs"] = carried(entry.claims[entry.used])
    return row


def as_text(rows: Iterable[tuple[str, Mapping[str, Any]]]) -> str:
    """Return the file of these rows by id, an entry a line."""
    # A line for each, so that a change is seen line by line.
    lines = ",\n".join(f"{json.dumps(of)}: {json.dumps(row)}" for of, row in rows)
    return f'{{"entries": {{\n{lines}\n}}}}\n'


# What the ledger finds: first what stands, then how many slips there are of which kind --------

# What states a minimax rate, by paper, as ids begin.
RATES = {
    "ACC": ("Thm3.1", "Thm3.4", "Cor3.2", "Cor3.3"),
    "CCV": ("Thm2.1", "Cor1", "Cor2", "Cor3", "Cor4"),
}
_KINDS = {"Thm": ("Theorem", "Theorems"), "Cor": ("Corollary", "Corollaries")}
STANDARD = {
    "of order": "holds up to a constant that no number of records, sites or budgets enters. "
    "Logarithms count where the paper says that there is none.",
    "for all": "is read on the whole set that the paper states, its ends included.",
    "simulated": "results contradict nothing: they were not reproduced at our settings.",
}


def counts(of: Iterable[Entry]) -> dict[str, int]:
    """Return how many slips of each kind are among some entries, each slip once."""
    found = Counter(one.category for one in of if one.counted)
    return {name: found[name] for name in CATEGORIES}


def headline(of: Sequence[Entry]) -> str:
    """Say which minimax rates among some entries stand and which do not, paper by paper.

    >>> from rates.ledger import entries_of
    >>> headline(entries_of("ACC"))
    '[ACC]: Theorems 3.1 and 3.4 stand; Corollaries 3.2 and 3.3 do not, as printed.'
    """
    said = []
    for paper, places in RATES.items():
        own = [one for one in of if one.paper == paper and not one.withdrawn]
        there = [x for x in places if any(one.id.split(":")[1] == x for one in own)]
        broken = {one.id.split(":")[1] for one in own if one.counted and one.category == CONCLUSION}
        stands = [x for x in there if x not in broken]
        falls = [x for x in there if x in broken]
        parts = [f"{_places(stands)} stand{'s' * (len(stands) == 1)}"] if stands else []
        if falls:
            parts.append(f"{_places(falls)} do{'es' * (len(falls) == 1)} not, as printed")
        said += [f"[{paper}]: {'; '.join(parts)}."] if parts else []
    return " ".join(said)


def needed(of: Iterable[Entry]) -> tuple[int, int, int]:
    """Return how many claims are decided for all sizes, their conditions, and those that suffice.

    >>> from rates.ledger import entries
    >>> claims, conditions, enough = needed(entries())
    >>> 0 < claims < enough < conditions
    True
    """
    found = {  # a claim that several entries say counts once
        (name, str(entry.claims[entry.used].said)): one
        for entry in of
        for name, one in stored()[entry.id].needs.items()
    }
    each = found.values()
    return len(each), sum(x["conditions"] for x in each), sum(x["needed"] for x in each)


def _places(names: Sequence[str]) -> str:
    """Say theorems and corollaries, as "Theorems 3.1 and 3.4"."""
    said = []
    for short, words in _KINDS.items():
        numbers = [name.removeprefix(short) for name in names if name.startswith(short)]
        if numbers:
            *first, last = numbers
            listed = f"{', '.join(first)} and {last}" if first else last
            said.append(f"{words[len(numbers) > 1]} {listed}")
    return " and ".join(said)


def slips(of: Sequence[Entry]) -> str:
    """Say how many slips there are of each kind, in Markdown; empty where there is none.

    >>> slips([])
    ''
    """
    said = ", ".join(f"{kind} **{number}**" for kind, number in counts(of).items() if number)
    return f"Slips by kind: {said}." if said else ""
