"""The ledger checked as it stands: one entry, or all of them against what is stored.

A finding is a line that says what does not fit: a text that cannot be read, a form that is
contradicted where it should not be, a verdict that is not the stored one, a certificate that does
not follow from its claim. `python -m rates check --all` prints them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from rates.ledger import certificates, verdicts, verify
from rates.ledger.judging import Verdict, check, complaints
from rates.ledger.texts import PAPERS, Entry, entries, entries_of, entry, stored_json
from rates.numbers import DomainError

_NEAR = 100  # a stored count may be off by one in so many: rounding differs between machines


# One entry ---------------------------------------------------------------------------------------


def found(of: str) -> dict[str, Any]:
    """Return all that is known of an entry: its text as it stands, read, drawn and judged now.

    Raises:
        DomainError: There is no entry of that id, or its text cannot be read.
    """
    item = entry(of)
    judged = check(item)
    kept = verdicts.load().get("entries", {}).get(of)
    own = item.claims.get("printed")
    certain = own is not None and own.at is not None and certificates.contradicts(item, "printed")
    return {
        "id": item.id,
        "title": item.title,
        "place": item.place,
        "quote": item.quote,
        "claim": item.says,
        "formal": {form: item.claim if form == "printed" else item.reading for form in item.claims},
        "verdicts": {one.form: one.words for one in judged},
        "draws": {
            one.form: one.outcome and [one.outcome.number, one.outcome.violations] for one in judged
        },
        "why": item.why,
        "certificate": certificates.make(item, "printed") if certain else None,
        "needs": {k: x["text"] for k, x in verdicts.to_row(item, judged).get("needs", {}).items()},
        "differences": [*complaints(item, judged), *differences(item, judged, kept)],
    }


def as_text(one: Mapping[str, Any]) -> str:
    """Return what was found of an entry, or of the whole ledger, as lines of text."""
    if "id" not in one:
        count = f"{one['entries']} entries, {one['certificates']} certificates hold."
        return "\n".join(one["differences"] or [count])
    lines = [f"{one['id']}: {one['title']}", one["place"]]
    lines += [f"Quote: {one['quote']}"] if one["quote"] else []
    lines.append(one["claim"])
    for form, text in one["formal"].items():
        name = "Claim" if form == "printed" else "Our reading, where it differs"
        lines += [f"{name}, as the text stands:", *(f"  {line}" for line in text.splitlines())]
    for form, words in one["verdicts"].items():
        draws = one["draws"][form]
        told = f"; {draws[0]:,} draws, {draws[1]:,} of them against it" if draws else ""
        lines.append(f"Verdict, {form}: {words}{told}.")
    lines += [f"{name} {text}." for name, text in one["needs"].items()]
    if known := one["certificate"]:
        numbers = ", ".join(f"{name} = {value}" for name, value in known["at"].items())
        lines.append(f"As printed, at {numbers}, it certainly fails:")
        for said, sides in zip(known["then"], known["sides"], strict=True):
            left, right = (" to ".join(dict.fromkeys(ends)) for ends in sides)
            lines.append(f"  {said}: left {left}, right {right}")
    lines += [f"But {line}." for line in one["differences"]]
    if not one["differences"]:
        lines.append("Text and verdicts are those that are stored.")
    return "\n".join(lines)


def differences(
    item: Entry, judged: tuple[Verdict, ...], kept: Mapping[str, Any] | None
) -> list[str]:
    """Say in what an entry and its verdicts are not those that are stored."""
    if kept is None:
        return ["nothing is stored of it"]
    now = verdicts.to_row(item, judged)
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
            judged = check(item)
        except DomainError as error:
            out.append(str(error))
            continue
        lines = [*complaints(item, judged), *differences(item, judged, stored.get(item.id))]
        out += [f"{item.id}: {line}" for line in lines]
    out += [f"{of}: it is stored, and no longer there" for of in stored if of not in items]
    out += [
        f"{paper}: its sections or what its claims share are not those that were checked"
        for paper, said in verdicts.digests_of_texts().items()
        if kept.get("texts", {}).get(paper) != said
    ]
    return out + of_certificates(items.values(), file)


def of_certificates(given: Iterable[Entry], file: Mapping[str, Any]) -> list[str]:
    """Say which certificates are missing, too many, or not those of their claims."""
    out, made = [], {}
    for item, form in certificates.at_numbers(given):
        try:
            made[item.id, form] = certificates.make(item, form)
        except DomainError as error:
            out.append(str(error))
    kept = {(one["id"], one["form"]): one for one in file.get("certificates", ())}
    out += [
        f"{of}: the certificate of the {form} form is not the one of its claim"
        for of, form in sorted(made.keys() | kept.keys())
        if made.get((of, form)) != kept.get((of, form))
    ]
    try:
        verify.verify(dict(file))
    except (KeyError, TypeError, ValueError) as error:
        out.append(f"The file of certificates does not hold: {error}")
    return out


def everything() -> dict[str, Any]:
    """Return how many entries and certificates there are, and what of them does not fit."""
    given: list[Entry] = []
    refused = []
    for paper in PAPERS:
        try:
            given += entries_of(paper)
        except DomainError as error:
            refused.append(str(error))
    file = stored_json(certificates.FILE)
    return {
        "entries": len(given),
        "certificates": len(file.get("certificates", ())),
        "differences": [*refused, *findings(given, verdicts.load(), file)],
    }


def write() -> None:
    """Write verdicts and certificates anew.

    Raises:
        DomainError: A text cannot be read, or an entry and its verdicts do not fit together.
    """
    # Nothing is written before all of it fits.
    rows = []
    for item in entries():
        judged = check(item)
        if said := complaints(item, judged):
            raise DomainError(f"It must fit: {'; '.join(said)}.", value=item.id, where="Ledger")
        rows.append((item.id, verdicts.to_row(item, judged)))
    folder = Path(str(resources.files("rates") / "ledger"))
    (folder / verdicts.FILE).write_text(verdicts.as_text(rows), "utf-8")
    (folder / certificates.FILE).write_text(certificates.of(entries()), "utf-8")
    verdicts.load.cache_clear()
    verdicts.stored.cache_clear()
