"""Which rows of a table are sites, and which site is the target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from rates.numbers import MAX_NAME, DomainError, Words
from rates.rows import words
from rates.rows.records import Question
from rates.rows.values import Values

ALIKE, CURVE, TOTAL, SITE = "alike", "curve", "total", "site"
_OTHERS = ", the others"
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
    others = [counts.get(k, 1) for k in sites]
    open_ = any(question.key.startswith("mark n ") for question in values.questions)
    for k in maybe:
        name = names[k].strip()
        called = f"Row {k + 1} ({name or 'no name'})"
        counted = k not in sizes and k in counts and counts[k] == sum(map(_size, others))
        if sites and (sizes.get(k) in sums or counted) and not words.of_average(name):
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
    rows: dict[int, dict[str, Any]], answers: Mapping[str, str], *, own: bool
) -> Found[bool]:
    """Mark the target that is told or asked for; return whether there is none, as for a curve.

    Raises:
        DomainError: No site can be it.
    """
    found = Found(False)
    if any(row.get("role") == "target" for row in rows.values()):
        return found
    alike = all(row.get("signal_exponent", 1) == 1 for row in rows.values())
    single = [k for k, row in rows.items() if row.get("count", 1) == 1]
    several = [
        k for k, row in rows.items() if isinstance(row.get("count"), int) and row["count"] > 1
    ]
    answer = answers.get("target")
    if own and alike:
        answer = CURVE
        said = "No site is the target, as in the table of a curve: read as the sites of a curve."
        found.notes.append(said)
    elif len(rows) == 1 and single:
        answer = str(single[0])
    options = {str(k): str(rows[k].get("name", "")) for k in single}
    if not options and (not alike or not several):
        rule = "The target is one site, so its count must be 1: give it a row of its own."
        raise DomainError(rule, "count", Words("no row of one site"))
    if alike and (single or several):
        options[ALIKE] = "All alike: the answer is for patients like those of every site"
    if alike:
        options[CURVE] = "No one's: a curve is learned, not a classifier"
    if len(options) == 1:
        (answer,) = options
    if answer not in options:
        text = "Whose patients is the answer for? No site is marked as the target."
        found.questions.append(Question("target", text, options))
    elif answer == CURVE:
        for row in rows.values():
            row.pop("signal_exponent", None)
        found.what = True
    else:
        if answer == ALIKE and not single:
            _apart(rows, several[0])
            single = several
            found.notes.append(f"One site of {rows[single[0]].get('name', '')} has its own row.")
        chosen = rows[single[0] if answer == ALIKE else int(answer)]
        chosen["role"] = "target"
        alike_said = "All sites are alike (γ = 1), so any can stand as the target: "
        found.notes.append(
            f"{alike_said}{chosen.get('name', '')}."
            if answer == ALIKE
            else f"{chosen.get('name', '')} is the target."
        )
    return found


def _apart(rows: dict[int, dict[str, Any]], k: int) -> None:
    """Give one of the identical sites of a row a row of its own.

    The others follow all rows; the key of theirs is the complement of the row's.
    """
    row = rows[k]
    name = f"{str(row.get('name', ''))[: MAX_NAME - len(_OTHERS)]}{_OTHERS}"
    rows[~k] = {**row, "name": name, "count": row["count"] - 1}
    row["count"] = 1


def _size(value: object) -> float:
    return value if isinstance(value, int | float) else 0
