"""Numbers as people write them: decimal commas, thousands, 200k, ca. 350; never guessed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from rates.numbers.files import exact_float
from rates.numbers.parameters import DomainError, shown
from rates.numbers.text import number_text

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
_ABOUT = re.compile(
    r"(?:[~≈∼≃≅]|(?:ca|cca|circa|zirka|about|approx|approximately|around|roughly|etwa|ungef[äa]hr|"
    r"rund|environ|env|aproximadamente|aprox|unos|unas)(?:\.|\s)|c\.|(?:cerca|alrededor) de\s)\s*"
)
_POWERS = {  # what a word after a number multiplies it by, as a power of ten
    **dict.fromkeys(("k", "tsd", "tausend", "thousand", "mille"), 3),
    **dict.fromkeys(("mio", "mill", "million", "millions", "millionen"), 6),
    **dict.fromkeys(("millón", "millon", "millones"), 6),
}
_COUNTED = re.compile(rf"(.*\d)\s*({'|'.join(_POWERS)})\.?", re.DOTALL)
_SIGNS = "+-.,"


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

    >>> shape("0,3").decimal, shape("12 400").value, shape("2.000").mark, shape("12.5.1")
    (',', 12400, '.', None)
    >>> shape("200k").value, shape("ca. 1,5 Mio.").value
    (200000, 1500000)

    Raises:
        DomainError: The number lies outside floating point.
    """
    # A spreadsheet's own number is not text that somebody typed.
    if isinstance(text, Exact):
        return Shape(int(text) if text.lstrip("-").isdecimal() else exact_float(text))
    word = text.strip().replace("−", "-")
    if len(word) > MOST:
        return None
    if word.isdecimal() and word.isascii():
        return Shape(int(word))
    word = word.lower()
    if word[:1].isdecimal() or word[:1] in _SIGNS:
        return _counted(word)
    about = _ABOUT.match(word)
    return _counted(word[about.end() :]) if about else None


def _counted(word: str) -> Shape | None:
    """What a number can mean, which may be counted in thousands or millions."""
    found = _COUNTED.fullmatch(word)
    if not found:
        return _bare(word)
    base, power = _bare(found[1]), _POWERS[found[2]]
    if base is None or base.mark:  # 1.912k is read in no way
        return None
    return replace(base, value=_raised(base.value, power))


def _raised(value: int | float, power: int) -> int | float:
    """A number times a power of ten, as it would be written out."""
    if isinstance(value, int):
        return value * int(10**power)
    # In decimals: a product of floats may miss the whole number that was meant.
    raised = exact_float(str(Decimal(repr(value)).scaleb(power)))
    return int(raised) if raised.is_integer() else raised


def _bare(word: str) -> Shape | None:
    """What digits and marks can mean as a number."""
    if "10" in word and (power := _POWER.fullmatch(word)):
        base = _bare(power[1]) if power[1] else Shape(1)
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


def number_from_text(
    text: str, field: str, where: str = "", *, whole: bool = False
) -> int | float | str:
    """Return the number a person typed, or the text "inf" for infinity.

    A comma begins decimals, as a point does; in a whole number it stands between thousands. What
    could be either is refused.

    Args:
        text: What was typed.
        field: What it is for.
        where: The row it stands in.
        whole: Whether a whole number is meant: then `1,912` can only be 1912.

    >>> [number_from_text(text, "epsilon") for text in ("1e6", "INF", "1,5", "ca. 350", "200k")]
    [1000000.0, 'inf', 1.5, 350, 200000]
    >>> number_from_text("25,000", "n", whole=True)
    25000
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
    # Of records there are no parts, and a comma stands between thousands of them; a point may be a
    # spreadsheet's `2.000`.
    if whole and found.mark and (found.mark == "," or not float(found.value).is_integer()):
        return found.thousands
    if found.mark and (found.mark == "," or whole):
        mark = "comma" if found.mark == "," else "point"
        ways = f"{text.strip()} can be {shown(found.value)} or {found.thousands}"
        rule = f"{field} must be a plain number: {ways}, so write it without the {mark}."
        raise DomainError(rule, field, text, where)
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


def grouped(value: int | float) -> str:
    """Return a number with commas between the thousands of a whole one.

    >>> grouped(200000), grouped(0.3), grouped(1e-6), grouped(1e300)
    ('200,000', '0.3', '1e-6', '1e300')
    """
    return (
        f"{value:,.0f}" if float(value).is_integer() and abs(value) < 1e15 else number_text(value)
    )


def as_read(text: str, *, whole: bool = False) -> str:
    """Return how a text that says more than a number is read; empty for a plain one, or for none.

    Args:
        text: What was typed.
        whole: Whether a whole number is meant.

    >>> as_read("200k"), as_read("~350"), as_read("25,000", whole=True), as_read("0.5")
    ('200,000 (200k)', '350 (~350)', '', '')
    """
    try:
        value = number_from_text(text, "", whole=whole)
    except DomainError:
        return ""
    stands = " ".join(text.split())
    if isinstance(value, str) or stands in (grouped(value), str(value)):
        return ""
    plain = _PLAIN.fullmatch(stands.lower().replace("−", "-"))
    if plain and not (whole and _EITHER.fullmatch(stands)):
        return ""
    return f"{grouped(value)} ({stands})"


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
