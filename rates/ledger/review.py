"""The ledger checked as it stands: one entry, or all of them against what is stored.

A finding is a line that says what does not fit: a text that cannot be read, a form that is
contradicted where it should not be, a verdict that is not the stored one, a certificate that does
not follow from its claim. `python -m rates check --all` prints them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from rates.ledger import certificates, verdicts, verify
from rates.ledger.judging import Verdict, check, complaints
from rates.ledger.texts import PAPERS, Entry, entries, entries_of, entry, stored_json
from rates.numbers import DomainError

_NEAR = 100  # a stored count may be off by one in so many: rounding differs between machines


@cache
def _judged(item: Entry) -> tuple[tuple[Verdict, ...], Mapping[str, Any]]:
    """Return the verdicts of an entry, and what is stored of it."""
    judged = check(item)
    return judged, verdicts.to_row(item, judged)


# One entry ---------------------------------------------------------------------------------------


def found(of: str) -> tuple[str, list[str]]:
    """Return what is known of an entry, and what of it is not as stored.

    Its text is read, drawn and judged as it stands.

    Raises:
        DomainError: There is no entry of that id, or its text cannot be read.
    """
    item = entry(of)
    judged, row = _judged(item)
    lines = [f"{item.id}: {item.title}", item.place]
    lines += [f"Quote: {item.quote}"] if item.quote else []
    lines.append(item.says)
    for form in item.claims:
        name = "Claim" if form == "printed" else "Our reading, where it differs"
        text = item.claim if form == "printed" else item.reading
        lines += [f"{name}, as the text stands:", *(f"  {line}" for line in text.splitlines())]
    for one in judged:
        number, failed = (one.outcome.number, one.outcome.violations) if one.outcome else (0, 0)
        told = f"; {number:,} draws, {failed:,} of them against it" if number else ""
        lines.append(f"Verdict, {one.form}: {one.words}{told}.")
    lines += [f"{name} {one['text']}." for name, one in row.get("needs", {}).items()]
    own = item.claims.get("printed")
    if own is not None and own.at is not None and certificates.contradicts(item, "printed"):
        made = certificates.make(item, "printed")
        numbers = ", ".join(f"{name} = {value}" for name, value in made["at"].items())
        lines.append(f"As printed, at {numbers}, it certainly fails:")
        for said, sides in zip(made["then"], made["sides"], strict=True):
            left, right = (" to ".join(dict.fromkeys(ends)) for ends in sides)
            lines.append(f"  {said}: left {left}, right {right}")
    kept = verdicts.load().get("entries", {}).get(of)
    other = [*complaints(item, judged), *differences(row, kept)]
    lines += [f"But {line}." for line in other] or ["Text and verdicts are those that are stored."]
    return "\n".join(lines), other


def differences(now: Mapping[str, Any], kept: Mapping[str, Any] | None) -> list[str]:
    """Say in what an entry and its verdicts, as `verdicts.to_row` has them, are not as stored."""
    if kept is None:
        return ["nothing is stored of it; `--write` stores it"]
    out = [] if kept["text"] == now["text"] else ["its text is not the one that was checked"]
    for name in sorted({*kept, *now} - {"text"}):
        old, new = kept.get(name), now.get(name)
        if old != new and not (isinstance(old, list) and isinstance(new, list) and _near(old, new)):
            out.append(f"{name.replace('_', ' ')}: stored {old}, now {new}")
    return out


def _near(old: list[int], new: list[int]) -> bool:
    return all(abs(a - b) <= old[0] // _NEAR for a, b in zip(old, new, strict=True))


# All of them -------------------------------------------------------------------------------------


def findings(given: Iterable[Entry], kept: Mapping[str, Any], file: Mapping[str, Any]) -> list[str]:
    """Return what does not fit, a line each; nothing where all does.

    Args:
        given: Every entry.
        kept: The file of verdicts.
        file: The file of certificates.
    """
    out = []
    stored = kept.get("entries", {})
    items = {one.id: one for one in given}
    for item in items.values():
        try:
            judged, row = _judged(item)
        except DomainError as error:
            out.append(str(error))
            continue
        lines = [*complaints(item, judged), *differences(row, stored.get(item.id))]
        out += [f"{item.id}: {line}" for line in lines]
    out += [f"{of}: it is stored, and no longer there" for of in stored if of not in items]
    return out + of_certificates(items.values(), file)


def of_certificates(given: Iterable[Entry], file: Mapping[str, Any]) -> list[str]:
    """Say which certificates are missing, too many, or not those of their claims."""
    out: list[str] = []
    made: dict[tuple[str, str], dict[str, Any]] = {}
    for item, form in certificates.at_numbers(given):
        try:
            made[item.id, form] = certificates.make(item, form)
        except DomainError as error:
            out.append(str(error))
    kept = _by_form(file)
    out += [
        f"{of}: the certificate of the {form} form is not the one of its claim"
        for of, form in sorted(made.keys() | kept.keys())
        if _claim(made.get((of, form))) != _claim(kept.get((of, form)))
    ]
    try:
        verify.verify(dict(file))
    except (KeyError, TypeError, ValueError) as error:
        out.append(f"The file of certificates does not hold: {error}")
    return out


def _by_form(file: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(one["id"], one["form"]): one for one in file.get("certificates", ())}


def _claim(one: Mapping[str, Any] | None) -> list[Any]:
    # Not its roots, whose last digit differs between machines: `verify` tells whether they are.
    return [one and one.get(name) for name in verify.TEXT]


def _stands(made: dict[str, Any], kept: dict[str, Any] | None) -> bool:
    """Whether a stored certificate is one of the same claim, and holds."""
    if kept is None or kept.keys() != made.keys() or _claim(kept) != _claim(made):
        return False
    try:
        return bool(verify.sides(kept) == kept["sides"])
    except (ArithmeticError, KeyError, TypeError, ValueError):
        return False


def everything() -> tuple[str, list[str]]:
    """Return how many entries and certificates there are, or what of them does not fit."""
    given: list[Entry] = []
    refused = []
    for paper in PAPERS:
        try:
            given += entries_of(paper)
        except DomainError as error:
            refused.append(str(error))
    file = stored_json(certificates.FILE)
    count = f"{len(given)} entries, {len(file.get('certificates', ()))} certificates hold."
    other = [*refused, *findings(given, verdicts.load(), file)]
    return "\n".join(other or [count]), other


def write(of: str | None = None) -> None:
    """Write verdicts and certificates anew: of one entry, or of all; what still holds stays.

    Raises:
        DomainError: There is no entry of that id, a text cannot be read, or an entry and its
            verdicts do not fit together.
    """
    stored, kept = verdicts.load().get("entries", {}), _by_form(stored_json(certificates.FILE))
    asked = entries() if of is None else (entry(of),)
    rows, made = dict(stored), dict(kept)
    # Nothing is written before all of it fits.
    for item in asked:
        judged, row = _judged(item)
        if said := complaints(item, judged):
            raise DomainError(f"It must fit: {'; '.join(said)}.", value=item.id, where="Ledger")
        if differences(row, stored.get(item.id)):
            rows[item.id] = row
    for item, form in certificates.at_numbers(asked):
        one = certificates.make(item, form)
        if not _stands(one, kept.get((item.id, form))):
            made[item.id, form] = one
    there = [one.id for one in entries()]
    forms = [(item.id, form) for item, form in certificates.at_numbers(entries())]
    folder = Path(str(resources.files("rates") / "ledger"))
    text = verdicts.as_text((name, rows[name]) for name in there if name in rows)
    (folder / verdicts.FILE).write_text(text, "utf-8")
    text = certificates.as_file([made[name] for name in forms if name in made])
    (folder / certificates.FILE).write_text(text, "utf-8")
    verdicts.load.cache_clear()
    verdicts.stored.cache_clear()
