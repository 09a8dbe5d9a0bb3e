"""Numbers as people write them: decimal commas, thousands, powers of ten; never guessed."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from rates.numbers import DomainError, Words

MOST = 40  # characters of a number
_SPACE = " \u00a0\u2007\u2009\u202f"
_APOSTROPHE = "'\u2019\u02bc\u2018`\u00b4"
_SUPER = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_POWER = re.compile(
    r"(?:([^×x·*]+?)\s*[×x·*]\s*)?10(?:(?:\^|\*\*)\s*\(?([+-]?\d+)\)?|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))"
)
_PLAIN = re.compile(r"[+-]?(?:\d+([.,]\d*)?|([.,])\d+)(?:e[+-]?\d+)?", re.ASCII)
_EITHER = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}", re.ASCII)
_GROUPED = re.compile(
    rf"[+-]?[1-9]\d{{0,2}}(?:([{_SPACE}{_APOSTROPHE},.])\d{{3}})(?:\1\d{{3}})*(?:([.,])\d+)?",
    re.ASCII,
)
_LISTED_OR_NOT = re.compile(r"\d+,\d+|\d{1,3}(?:,\d{3})+", re.ASCII)
_PER_CENT = re.compile(r"%|‰|\b(?:per ?cent|prozent|pour ?cent|por ?ciento)\b", re.IGNORECASE)


class Exact(str):
    """A cell that a file holds as a number: its text has no mark to be asked about."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a text can mean as a number.

    Attributes:
        value: The number; where it is open, the one with a decimal mark.
        thousands: Where it is open, the number with groups of three digits.
        mark: The mark that leaves it open; empty if nothing does.
        decimal: The mark that certainly begins decimals; empty if none does.
        group: The mark that certainly stands between thousands.
    """

    value: int | float
    thousands: int = 0
    mark: str = ""
    decimal: str = ""
    group: str = ""


def shape(text: str) -> Shape | None:
    """Return what a text can mean as a number, None if it is none.

    >>> shape("0,3"), shape("12 400").value, shape("2.000").mark, shape("12.5.1")
    (Shape(value=0.3, thousands=0, mark='', decimal=',', group=''), 12400, '.', None)

    Raises:
        DomainError: The number lies outside floating point.
    """
    if isinstance(text, Exact):
        return Shape(int(text) if text.lstrip("-").isdecimal() else exact_float(text))
    word = text.strip().replace("−", "-")
    if len(word) > MOST:
        return None
    if word.isdecimal() and word.isascii():
        return Shape(int(word))
    word = word.lower()
    if "10" in word and (power := _POWER.fullmatch(word)):
        base = shape(power[1]) if power[1] else Shape(1)
        if base is None or base.mark:
            return None
        raised = (power[2] or power[3]).translate(_SUPER)
        return Shape(exact_float(f"{base.value!r}e{raised}"), decimal=base.decimal)
    if _EITHER.fullmatch(word):
        mark = "," if "," in word else "."
        return Shape(float(word.replace(",", ".")), int(word.replace(mark, "")), mark)
    if found := _PLAIN.fullmatch(word):
        mark = (found[1] or found[2] or "")[:1]
        if mark == "," and found[1] == ",":
            return None
        if not mark and "e" not in word:
            return Shape(int(word))
        return Shape(exact_float(word.replace(",", ".")), decimal=mark)
    if (found := _GROUPED.fullmatch(word)) and found[1] != found[2]:
        whole = word.replace(found[1], "")
        group = found[1] if found[1] in ",." else ""
        if not found[2]:
            return Shape(int(whole), group=group)
        return Shape(exact_float(whole.replace(",", ".")), decimal=found[2], group=group)
    return None


def exact_float(text: str) -> float:
    """Return the number a text stands for, refusing what floating point would change."""
    value = float(text)
    mantissa = text.lower().partition("e")[0]
    if math.isinf(value) or (value == 0 and any(c in "123456789" for c in mantissa)):
        rule = "A number must lie within floating point, 1e-307 to 1e308 in size."
        raise DomainError(rule, "file", Words(text[:40]))
    return value


def number_from_text(
    text: str, field: str, where: str = "", *, whole: bool = False
) -> int | float | str:
    """Return the number a person typed, or the text "inf" for infinity.

    A comma begins decimals, as a point does. What could be thousands as well is refused.

    Args:
        text: What was typed.
        field: What it is for.
        where: The row it stands in.
        whole: Whether a whole number is meant: then `1,912` can only be 1912.

    >>> [number_from_text(text, "epsilon") for text in ("1e6", "INF", "1,5")]
    [1000000.0, 'inf', 1.5]
    >>> number_from_text("1,000", "n")
    Traceback (most recent call last):
        ...
    rates.DomainError: n must be a plain number: 1,000 can be 1 or 1000, so write it \
without the comma. n: got '1,000'.

    Raises:
        DomainError: The text is not one plain number, or can be two.
    """
    if text.strip().lower() in ("inf", "∞"):
        return "inf"
    found = shape_of(text, field, where)
    if whole and found.mark and not float(found.value).is_integer():
        return found.thousands
    if found.mark == "," or (whole and found.mark):
        raise DomainError(
            f"{field} must be a plain number: {either(text, found)}.", field, text, where
        )
    return found.value


def numbers_from_text(text: str, field: str) -> list[float]:
    """Return a list of numbers that a person typed, inf included.

    They stand apart by semicolons or spaces, and then a comma begins decimals; or by commas.

    >>> [numbers_from_text(text, "epsilon") for text in ("0,5; 1", "0,5 1", "0.5, 1", "0.5,1")]
    [[0.5, 1.0], [0.5, 1.0], [0.5, 1.0], [0.5, 1.0]]
    >>> numbers_from_text("1,5", "epsilon")
    Traceback (most recent call last):
        ...
    rates.DomainError: A comma must be clear: 1,5 can be one number or several, so put semicolons \
between numbers and a point before decimals. epsilon: got '1,5'.

    Raises:
        DomainError: A piece is no number, or a comma can be read in two ways.
    """
    apart = text.strip(" ,;")
    listed = re.search(r",\s", apart) and ";" not in apart
    pieces = [piece.strip(",") for piece in re.split(r"[;\s]+", apart)]
    open_ = [piece for piece in pieces if listed and "," in piece]
    if pieces == [apart]:
        if _LISTED_OR_NOT.fullmatch(apart):
            open_ = [apart]
        pieces = apart.split(",")
    if open_:
        rule = (
            f"A comma must be clear: {open_[0]} can be one number or several, so put semicolons "
            "between numbers and a point before decimals."
        )
        raise DomainError(rule, field, text)
    return [float(number_from_text(piece, field)) for piece in pieces if piece]


def either(text: str, found: Shape) -> str:
    """Say what an open number can be, and how to write it."""
    mark = "comma" if found.mark == "," else "point"
    return (
        f"{text.strip()} can be {found.value:g} or {found.thousands}, "
        f"so write it without the {mark}"
    )


def shape_of(text: str, field: str, where: str = "") -> Shape:
    """Return what a text can mean as a number.

    Raises:
        DomainError: It is no number, or too large or small, or in per cent.
    """
    try:
        found = shape(text)
    except DomainError as error:
        raise DomainError(error.rule, field, text, where) from None
    if found is None:
        rule = f"{field} must be a plain number such as 250, 0.5 or 1e-6."
        if _PER_CENT.search(text):
            rule = f"{rule[:-1]}, not in per cent."
        raise DomainError(rule, field, text, where)
    return found
