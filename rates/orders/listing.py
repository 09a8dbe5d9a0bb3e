"""Printed rates as plain data and as text: the list, one of them, two beside each other."""

from __future__ import annotations

from typing import Any

from rates.numbers import number
from rates.orders import compare, inquiry, printed, reading
from rates.orders.compare import SIDES, VERDICTS, Comparison
from rates.orders.printed import BOUNDS, UP_TO, Printed

_BOUND = {"inf": "no bound", "nan": "not decided"}
_TITLES = {"says": "What it is", "measures": "Measures", "privacy": "Privacy", "via": "Read in"}


def listed(words: str = "") -> list[dict[str, str]]:
    """Return the printed rates that a search leaves, a line's worth of each.

    >>> listed("narayanan fast")[0]["key"]
    'narayanan-2022-test-fast'
    """
    return [
        {
            "key": one.key,
            "name": one.asked.name,
            "rate": one.asked.text,
            "measures": one.measures,
            "model": one.model,
            "source": f"{one.authors} {one.year}",
        }
        for one in printed.search(words)
    ]


def shown(key: str) -> dict[str, Any]:
    """Return everything that is known of a printed rate.

    Raises:
        DomainError: There is none of this key.
    """
    one = printed.one(key)
    plain = ("key", "authors", "year", "venue", "place", "via", "model", "privacy", "measures")
    return {
        **{name: getattr(one, name) for name in (*plain, "bound", "up_to", "says")},
        "name": one.asked.name,
        "letters": dict(one.meanings),
        "question": inquiry.to_dict(one.asked),
        "latex": reading.order_of(one.asked).latex,
    }


def compared(first: str, second: str) -> dict[str, Any]:
    """Return two printed rates beside each other, in letters that mean the same in both.

    Raises:
        DomainError: There is none of a key, or they cannot be compared.
    """
    one, other = printed.one(first), printed.one(second)
    found = compare.between(one, other)
    return {
        "first": first,
        "second": second,
        "measures": one.measures,
        "letters": {letter: meaning for meaning, letter in printed.both(one, other).items()},
        "rates": [found.one.text, found.other.text],
        "where": list(found.where),
        "at": found.values,
        "verdict": found.verdict,
        "constants": [found.constant(first=True), found.constant(first=False)],
        "up_to_logs": not found.logs,
        "smaller": found.at({}),
        "changes": changes(found),
    }


def changes(found: Comparison) -> list[dict[str, Any]]:
    """Return where the smaller rate changes along each size of both."""
    return [
        {
            "of": change.letter,
            "at": change.at,
            "formula": None if change.formula is None else str(change.formula),
            "before": change.before,
            "after": change.after,
        }
        for letter in found.sizes
        for change in found.changes(letter)
    ]


def related(key: str) -> list[dict[str, str]]:
    """Return the verdict on a printed rate against every other of its measure and letters.

    Raises:
        DomainError: There is none of the key.
    """
    one = printed.one(key)
    beside = compare.related(one.asked)
    return [_row(one, other, compare.between(one, other).verdict) for other in beside]


def table() -> list[dict[str, str]]:
    """Return the verdict on every two printed rates of the same measure and letters."""
    return [_row(*row) for row in compare.pairs()]


def _row(one: Printed, other: Printed, verdict: str) -> dict[str, str]:
    return {"first": one.key, "second": other.key, "verdict": verdict}


# As text ------------------------------------------------------------------------------------------


def list_text(rows: list[dict[str, str]]) -> str:
    """Return lines of `listed`, or that nothing was found."""
    if not rows:
        return "No printed rate has all of these words."
    width = max(len(row["key"]) for row in rows)
    return "\n".join(f"{row['key']:{width}}  {row['rate']}" for row in rows)


def shown_text(one: dict[str, Any]) -> str:
    """Return a page of `shown`."""
    asked = one["question"]
    lines = [one["name"], f"  {asked['text']}"]
    lines += [f"  rate: {asked['rate']}"] if "rate" in asked else []
    lines += [f"{title}: {one[name]}" for name, title in _TITLES.items() if one[name]]
    lines += [f"Where: {', '.join(asked['where'])}"] if "where" in asked else []
    letters = ", ".join(f"{x} {meaning}" for x, meaning in one["letters"].items())
    said = f"{BOUNDS[one['bound']]}, {UP_TO[one['up_to']]}"
    source = f"{one['authors']} {one['year']}, {one['venue']}, {one['place']}"
    return "\n".join([*lines, f"Letters: {letters}", f"Printed: {said}", f"Source: {source}"])


def compared_text(found: dict[str, Any]) -> str:
    """Return a page of `compared`."""
    names = {"first": found["first"], "second": found["second"], "equal": "neither"}
    lines = [f"{key}: {text}" for key, text in zip(SIDES, found["rates"], strict=True)]
    letters = ", ".join(f"{x} {meaning}" for x, meaning in found["letters"].items())
    lines += [f"Letters: {letters}"]
    lines += [f"Where: {', '.join(found['where'])}"] if found["where"] else []
    lines += [f"The first is {VERDICTS[found['verdict']]}."]
    parts = ("First over second", "Second over first")
    for part, constant in zip(parts, found["constants"], strict=True):
        much = _BOUND.get(str(constant), f"at most {number(constant, 3)}")
        lines.append(f"{part}: {much}.")
    lines.append(f"Smaller at the usual values: {names[found['smaller']]}.")
    lines += [
        f"  {row['of']} = {row['formula'] or number(row['at'], 3)} ({number(row['at'], 3)}): "
        f"{names[row['before']]} below, {names[row['after']]} above"
        for row in found["changes"]
    ]
    return "\n".join(lines)


def table_text(rows: list[dict[str, str]]) -> str:
    """Return lines of `related` or `table`."""
    return "\n".join(f"{row['first']} {row['verdict']} {row['second']}" for row in rows)
