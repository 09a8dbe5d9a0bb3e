"""Which rows of a table are sites, and which site is the target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rates.numbers import DomainError, Words
from rates.rows import words
from rates.rows.records import Told
from rates.rows.values import Values

ALIKE, CURVE = "alike", "curve"


def totals(given: Mapping[str, list[str]], values: Values, told: Told, *, own: bool) -> set[int]:
    """Return the rows that sum up or average others, by number; each is said."""
    names = given.get("name", [])
    sizes, budgets = values.found.get("n", {}), values.found.get("epsilon", {})
    found = {
        k
        for k, name in enumerate(names)
        # In a table written here a site with a budget may have any name.
        if not (own and k in budgets) and (words.of_total(name) or words.of_average(name))
    }
    last = len(names) - 1
    if last > 0 and not names[last].strip() and last not in budgets:
        others = (x for k, x in sizes.items() if k not in {last, *found} and x != "inf")
        found |= {last} if sizes.get(last) == sum(others) else set()
    for k in sorted(found):
        called = f"Row {k + 1} ({names[k].strip() or 'no name'})"
        told.notes.append(f"{called} sums up the others or is their average, and is left out.")
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
    options = {str(k): str(rows[k].get("name", "")) for k in single}
    if not options and not (own and alike):
        rule = "The target is one site, so its count must be 1: give it a row of its own."
        raise DomainError(rule, "count", Words("no row of one site"))
    # Only sites of equal signal can all stand as the target, or share one curve.
    if alike:
        options[ALIKE] = "All alike: the answer is for patients like those of every site"
        options[CURVE] = "No one's: a curve is learned, not a classifier"
    if own and alike:
        answer = CURVE
        said = "No site is the target, as in the table of a curve: read as the sites of a curve."
        told.notes.append(said)
    elif len(single) == 1 and (len(rows) == 1 or not alike):
        answer = str(single[0])
    else:
        text = "Whose patients is the answer for? No site is marked as the target."
        answer = told.ask("target", text, options)
    if answer == CURVE:
        for row in rows.values():
            row.pop("signal_exponent", None)
    elif answer:
        chosen = rows[single[0] if answer == ALIKE else int(answer)]
        chosen["role"] = "target"
        name = chosen.get("name", "")
        told.notes.append(
            f"All sites are alike (γ = 1), so any can stand as the target: {name}."
            if answer == ALIKE
            else f"{name} is the target."
        )
    return answer == CURVE
