"""What `python -m rates check` says of a statement: claim, numbers, both sides, verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mpmath import iv, mp  # type: ignore[import-untyped]

from rates.formal import certify, verify
from rates.numbers import DomainError
from rates.statements.formless import FORMLESS
from rates.statements.ledger import Statement, statement
from rates.statements.reviewed import told
from rates.statements.verdicts import stored

_SIGNS = {"<=": "at most", "<": "below", ">=": "at least", ">": "above", "=": "equal to"}


def found(of: str) -> dict[str, Any]:
    """Return all that is known of a statement; its certificate is evaluated anew.

    Raises:
        DomainError: There is no statement of that id, or its certificate does not hold.
    """
    item = statement(of)
    entry = next((one for one in certify.certificates() if one["id"] == of), None)
    return {
        "id": item.id,
        "title": item.title,
        "claim": item.claim,
        "verdicts": {verdict.form: verdict.words for verdict in stored(item.paper)[of]},
        "mutants": told().get(of),
        "why": _why(item),
        "certificate": None if entry is None else _checked(entry),
    }


def _why(item: Statement) -> str:
    """Return why a statement has no certificate, if it has none."""
    if item.check is None:
        return "Numbers cannot decide it."
    if item.formless:
        return FORMLESS[item.formless]
    return "Nothing contradicts it."


def every() -> list[dict[str, Any]]:
    """Return the same of every statement that has a certificate."""
    return [found(of) for of in dict.fromkeys(entry["id"] for entry in certify.certificates())]


def _checked(entry: Mapping[str, Any]) -> dict[str, Any]:
    try:
        sides = verify.check(dict(entry))
    except ValueError as error:
        rule = f"Its certificate does not hold: {error}."
        raise DomainError(rule, field="certificate", value="", where=entry["id"]) from None
    rows = [
        {
            "claimed": f"left {_SIGNS[sign]} right",
            "left": _number(pair[0]),
            "right": _number(pair[1]),
            "holds": verify.known(pair[0], sign, pair[1]),
        }
        for pair, (_, sign, _) in zip(sides, entry["says"], strict=True)
    ]
    return {
        "formula": entry["latex"],
        "numbers": entry["numbers"],
        "iff": entry["iff"],
        "sides": rows,
    }


def _number(x: Any) -> dict[str, str]:
    """Return an interval as its middle and a bound on the error, both as text."""
    middle = mp.mpf(x.mid)
    return {"value": mp.nstr(middle, 12), "error": mp.nstr(mp.mpf((iv.mpf(x.delta) / 2).b), 2)}


def as_text(one: Mapping[str, Any]) -> str:
    """Return what was found as lines of text."""
    lines = [f"{one['id']}: {one['title']}", one["claim"]]
    lines += [f"Verdict, {form}: {words}." for form, words in one["verdicts"].items()]
    if one["mutants"] is not None:
        apart, of = one["mutants"]["told"], one["mutants"]["changed"]
        what = "changes of its own code" if "of" in one["mutants"] else "changed claims"
        lines.append(f"Its check tells {apart} of {of} {what} apart.")
    known = one["certificate"]
    if known is None:
        return "\n".join([*lines, f"It has no certificate. {one['why']}"])
    numbers = ", ".join(f"{name} = {value}" for name, value in known["numbers"].items())
    lines += ["Printed, as a formula:", *(f"  {line}" for line in known["formula"])]
    lines.append(f"At {numbers}:")
    said = {True: "certainly so", False: "certainly not so", None: "left open by rounding"}
    for row in known["sides"]:
        sides = (
            f"{side} {row[side]['value']} +- {row[side]['error']}" for side in ("left", "right")
        )
        lines.append(f"  {', '.join(sides)}; claimed {row['claimed']}: {said[row['holds']]}")
    return "\n".join([*lines, "The printed formula does not hold there."])


def as_table(rows: list[dict[str, Any]]) -> str:
    """Return one line for each relation that fails."""
    lines = [f"{'Statement':34} {'left':>18} {'right':>18}  claimed"]
    for one in rows:
        known = one["certificate"]
        for row in known["sides"]:
            if row["holds"] is False or known["iff"]:
                left, right = row["left"]["value"], row["right"]["value"]
                lines.append(f"{one['id']:34} {left:>18} {right:>18}  {row['claimed']}")
    return "\n".join([*lines, f"{len(rows)} certificates hold."])
