"""Which rows of a table are sites, and which site is the target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rates.numbers import MAX_NAME, DomainError, Words
from rates.rows import words
from rates.rows.records import Told
from rates.rows.values import Values

ALIKE, CURVE, TOTAL, SITE = "alike", "curve", "total", "site"
_OTHERS = ", the others"


def totals(given: Mapping[str, list[str]], values: Values, told: Told, *, own: bool) -> set[int]:
    """Return the rows that sum up others, by number; what only looks so is asked."""
    names, sizes = given.get("name"), values.found.get("n", {})
    found: set[int] = set()
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
    open_ = any(question.key.startswith("mark n ") for question in told.questions)
    for k in maybe:
        name = names[k].strip()
        called = f"Row {k + 1} ({name or 'no name'})"
        counted = k not in sizes and k in counts and counts[k] == sum(map(_size, others))
        if sites and (sizes.get(k) in sums or counted) and not words.of_average(name):
            told.notes.append(f"{called} is the sum of the others and is left out.")
            found.add(k)
        elif name:
            options = {TOTAL: "It sums up others: leave it out", SITE: "It is a site"}
            text = f"Is {name} (row {k + 1}) a site? Its n is not the sum of the others."
            # What n is may be open itself, and then whether it is the sum.
            key = f"row {k}"
            answer = told.answers.get(key, "") if open_ else told.ask(key, text, options)
            if answer != SITE:
                found.add(k)
            if answer == TOTAL:
                told.notes.append(f"{called} is left out.")
    return found


def target(rows: dict[int, dict[str, Any]], told: Told, *, own: bool) -> bool:
    """Mark the target that is told or asked for; return whether there is none, as for a curve.

    Raises:
        DomainError: No site can be it.
    """
    if any(row.get("role") == "target" for row in rows.values()):
        return False
    alike = all(row.get("signal_exponent", 1) == 1 for row in rows.values())
    single = [k for k, row in rows.items() if row.get("count", 1) == 1]
    several = [
        k for k, row in rows.items() if isinstance(row.get("count"), int) and row["count"] > 1
    ]
    answer = ""
    if own and alike:
        answer = CURVE
        said = "No site is the target, as in the table of a curve: read as the sites of a curve."
        told.notes.append(said)
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
    if not answer:
        text = "Whose patients is the answer for? No site is marked as the target."
        answer = told.ask("target", text, options)
    if answer == CURVE:
        for row in rows.values():
            row.pop("signal_exponent", None)
    elif answer:
        if answer == ALIKE and not single:
            _apart(rows, several[0])
            single = several
            told.notes.append(f"One site of {rows[single[0]].get('name', '')} has its own row.")
        chosen = rows[single[0] if answer == ALIKE else int(answer)]
        chosen["role"] = "target"
        name = chosen.get("name", "")
        told.notes.append(
            f"All sites are alike (γ = 1), so any can stand as the target: {name}."
            if answer == ALIKE
            else f"{name} is the target."
        )
    return answer == CURVE


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
