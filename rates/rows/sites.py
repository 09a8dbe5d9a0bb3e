"""Which rows of a table are sites, and which site is the target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from rates.rows import words
from rates.rows.records import Question
from rates.rows.values import Values

ALIKE, CURVE, TOTAL, SITE = "alike", "curve", "total", "site"
T = TypeVar("T")


@dataclass(slots=True)
class Found(Generic[T]):
    """What was found, with what is to be said and asked about it."""

    what: T
    notes: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    def into(self, notes: list[str], questions: list[Question]) -> T:
        """Add what is said and asked to the lists of a table; return what was found."""
        notes += self.notes
        questions += self.questions
        return self.what


def totals(
    given: Mapping[str, list[str]], values: Values, answers: Mapping[str, str], *, own: bool
) -> Found[set[int]]:
    """Return the rows that sum up others, by number; what only looks so is asked."""
    names, sizes = given.get("name"), values.found.get("n", {})
    found: Found[set[int]] = Found(set())
    if names is None or len(names) < 2:
        return found
    budgets, counts = values.found.get("epsilon", {}), values.found.get("count", {})
    last = len(names) - 1
    maybe = [
        k
        for k, name in enumerate(names)
        if not (own and k in budgets)
        and (
            words.of_total(name)
            or words.of_average(name)
            or (k == last and not name.strip() and k not in budgets)
        )
    ]
    sites = [k for k in range(len(names)) if k not in maybe]
    sums = {
        sum(_size(sizes.get(k)) for k in sites),
        sum(_size(sizes.get(k)) * _size(counts.get(k, 1)) for k in sites),
    }
    open_ = any(question.key.startswith("mark n ") for question in values.questions)
    for k in maybe:
        name = names[k].strip()
        called = f"Row {k + 1} ({name or 'no name'})"
        if sites and sizes.get(k) in sums and not words.of_average(name):
            found.notes.append(f"{called} is the sum of the others and is left out.")
            found.what.add(k)
        elif name:
            answer = answers.get(f"row {k}")
            if answer != SITE:
                found.what.add(k)
            if answer == TOTAL:
                found.notes.append(f"{called} is left out.")
            elif answer != SITE and not open_:
                options = {TOTAL: "It sums up others: leave it out", SITE: "It is a site"}
                text = f"Is {name} (row {k + 1}) a site? Its n is not the sum of the others."
                found.questions.append(Question(f"row {k}", text, options))
    return found


def target(
    rows: Mapping[int, dict[str, Any]], answers: Mapping[str, str], *, own: bool
) -> Found[bool]:
    """Mark the target that is told or asked for; return whether there is none, as for a curve."""
    found = Found(False)
    if any(row.get("role") == "target" for row in rows.values()):
        return found
    alike = all(row.get("signal_exponent", 1) == 1 for row in rows.values())
    single = [k for k, row in rows.items() if row.get("count", 1) == 1]
    answer = answers.get("target")
    if own and alike:
        answer = CURVE
        said = "No site is the target, as in the table of a curve: read as the sites of a curve."
        found.notes.append(said)
    elif len(rows) == 1 and single:
        answer = str(single[0])
    options = {str(k): str(rows[k].get("name", "")) for k in single}
    if alike and single:
        options[ALIKE] = "All alike: the answer is for patients like those of every site"
    if alike:
        options[CURVE] = "No one's: a curve is learned, not a classifier"
    if answer not in options:
        text = "Whose patients is the answer for? No site is marked as the target."
        found.questions.append(Question("target", text, options))
    elif answer == CURVE:
        for row in rows.values():
            row.pop("signal_exponent", None)
        found.what = True
    else:
        chosen = rows[single[0] if answer == ALIKE else int(answer)]
        chosen["role"] = "target"
        alike_said = "All sites are alike (γ = 1), so any can stand as the target: "
        found.notes.append(
            f"{alike_said}{chosen.get('name', '')}."
            if answer == ALIKE
            else f"{chosen.get('name', '')} is the target."
        )
    return found


def _size(value: object) -> float:
    return value if isinstance(value, int | float) else 0
