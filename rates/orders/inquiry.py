"""A question about one's own rate as a file: the text, its letters, claims, values, the view."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from rates.numbers import DomainError, Words, as_number
from rates.rows import decode
from rates.study import codec

VERSION = 1
MOST_LETTERS = 40
MOST_CLAIMS = 40
MOST_POINTS = 1_000
MOST_TEXT = 500
MOST_POWER = 1_000.0
FAR = (1e-30, 1e30)  # ends of an axis of a size
_WHERE = "Rate"
_REQUIRED = {"version", "text", "sizes"}

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Said:
    """A claim as text: under the conditions, the rate equals what is written.

    Attributes:
        equals: The other side, in the same letters.
        where: Conditions such as "n <= n0".
        name: What it is called.
    """

    equals: str
    where: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class Inquiry:
    """What is asked about a rate, as it was typed; whether it can be read says `parse`.

    Attributes:
        text: The rate, or an equation in the unknown.
        sizes: Letters on log axes.
        exponents: Letters in powers, each with its range; (0, inf) is the usual one.
        unknown: The letter that an equation is solved for; empty for a rate.
        rate: The rate in the unknown; empty for the unknown itself.
        sites: Letters that differ by site.
        claims: What is to be decided.
        where: Conditions on the sizes under which cases are told apart.
        at: Values of letters.
        axes: The letters along a map's two axes.
        spans: Ends of axes by letter.
        points: Own measurements: place along the first axis, mean, and error (0 for none).
        rival: A second rate in the same letters, or empty.
        name: What the rate is called.
        reference: Where it stands.

    Raises:
        DomainError: A value is not a number of its set, or there are too many of something.

    Examples:
        >>> asked = Inquiry(text="n^(-1/2)", sizes=("n",), at=(("n", 100),))
        >>> from_json(to_json(asked)) == asked
        True
    """

    text: str
    sizes: tuple[str, ...]
    exponents: tuple[tuple[str, Span], ...] = ()
    unknown: str = ""
    rate: str = ""
    sites: tuple[str, ...] = ()
    claims: tuple[Said, ...] = ()
    where: tuple[str, ...] = ()
    at: tuple[tuple[str, float], ...] = ()
    axes: tuple[str, ...] = ()
    spans: tuple[tuple[str, Span], ...] = ()
    points: tuple[tuple[float, float, float], ...] = ()
    rival: str = ""
    name: str = ""
    reference: str = ""

    def __post_init__(self) -> None:
        letters = [*self.sizes, *(x for x, _ in self.exponents), *self.sites]
        if len(letters) > MOST_LETTERS:
            rule = f"A rate has at most {MOST_LETTERS} letters."
            raise DomainError(rule, "sizes", len(letters), _WHERE)
        for many, most, what in (
            (self.claims, MOST_CLAIMS, "claims"),
            (self.points, MOST_POINTS, "points"),
            (self.where, MOST_CLAIMS, "where"),
        ):
            if len(many) > most:
                raise DomainError(f"There are at most {most:,} {what}.", what, len(many), _WHERE)
        powers = {x for x, _ in self.exponents}
        for letter, value in self.at:
            if letter in powers and not abs(value) <= MOST_POWER:
                rule = f"An exponent must be at most {MOST_POWER:,.0f} in size."
                raise DomainError(rule, letter, value, _WHERE)
            if letter not in powers and not value > 0:
                raise DomainError("A size must be positive.", letter, value, _WHERE)
        for letter, (low, high) in self.spans:
            first, last = (-MOST_POWER, MOST_POWER) if letter in powers else FAR
            if not first <= low < high <= last:
                rule = (
                    "An axis needs two ends, the lower one first; those of a size are positive: "
                    f"from {FAR[0]:g} to {FAR[1]:g}, those of an exponent to {MOST_POWER:,.0f}."
                )
                raise DomainError(rule, letter, Words(f"{low:g} to {high:g}"), _WHERE)

    @property
    def values(self) -> dict[str, float]:
        """Values by letter."""
        return dict(self.at)

    def split(self) -> tuple[dict[str, float], dict[str, float]]:
        """Return the values of sizes and those of exponents."""
        powers = {x for x, _ in self.exponents}
        sizes = {x: v for x, v in self.at if x not in powers}
        return sizes, {x: v for x, v in self.at if x in powers}


def to_dict(asked: Inquiry) -> dict[str, Any]:
    """Return plain data; what is as usual is left out."""
    out: dict[str, Any] = {"version": VERSION, "text": asked.text, "sizes": list(asked.sizes)}
    if asked.exponents:
        usual = all(span == (0.0, math.inf) for _, span in asked.exponents)
        ranges = {x: _ends(span) for x, span in asked.exponents}
        out["exponents"] = list(ranges) if usual else ranges
    if asked.claims:
        out["claims"] = [
            {"equals": c.equals, "where": list(c.where), **({"name": c.name} if c.name else {})}
            for c in asked.claims
        ]
    if asked.at:
        out["at"] = {x: codec.plain(v) for x, v in asked.at}
    if asked.spans:
        out["spans"] = {x: _ends(span) for x, span in asked.spans}
    if asked.points:
        out["points"] = [[codec.plain(v) for v in point] for point in asked.points]
    for name in ("where", "sites", "axes"):
        if given := getattr(asked, name):
            out[name] = list(given)
    for name in ("unknown", "rate", "rival", "name", "reference"):
        if given := getattr(asked, name):
            out[name] = given
    return out


def to_json(asked: Inquiry, *, indent: int | None = 2) -> str:
    """Return the question as strict JSON."""
    separators = (",", ":") if indent is None else None
    return json.dumps(to_dict(asked), indent=indent, separators=separators, allow_nan=False)


def from_json(text: str | bytes) -> Inquiry:
    """Read a question from a file.

    Raises:
        DomainError: The text is no question of this format; the message names the field.
    """
    return from_dict(codec.load_json(decode(text)))


def from_dict(data: object) -> Inquiry:
    """Read a question from plain data, as `from_json` does."""
    if not isinstance(data, Mapping):
        raise DomainError("A rate must be a JSON object.", "rate", data)
    if data.get("version") != VERSION or isinstance(data.get("version"), bool):
        rule = f"version must be {VERSION}, the only one this program reads."
        raise DomainError(rule, "version", data.get("version"), _WHERE)
    codec.check_keys(data, {"version", *(f.name for f in fields(Inquiry))}, _REQUIRED, _WHERE)
    return Inquiry(
        text=_text(data, "text", MOST_TEXT),
        sizes=_letters(data["sizes"], "sizes"),
        exponents=_exponents(data.get("exponents", [])),
        unknown=_text(data, "unknown"),
        rate=_text(data, "rate", MOST_TEXT),
        sites=_letters(data.get("sites", []), "sites"),
        claims=tuple(_claim(x, k) for k, x in enumerate(_list(data, "claims"), start=1)),
        where=_letters(data.get("where", []), "where"),
        at=tuple(
            (str(x), _number(v, str(x))) for x, v in _mapping(data.get("at", {}), "at").items()
        ),
        axes=_letters(data.get("axes", []), "axes"),
        spans=tuple(
            (str(x), _span(v, str(x))) for x, v in _mapping(data.get("spans", {}), "spans").items()
        ),
        points=tuple(_point(x, k) for k, x in enumerate(_list(data, "points"), start=1)),
        rival=_text(data, "rival", MOST_TEXT),
        name=_text(data, "name"),
        reference=_text(data, "reference", MOST_TEXT),
    )


def _ends(span: Span) -> list[float | int | str]:
    return [codec.plain(x) if math.isfinite(x) else ("inf" if x > 0 else "-inf") for x in span]


def _text(data: Mapping[str, Any], field: str, most: int = 80) -> str:
    given = data.get(field)
    if given is None and field != "text":
        return ""
    if not isinstance(given, str) or len(given) > most:
        rule = f"{field} must be a text of at most {most} characters."
        got = Words(f"{len(given)} characters") if isinstance(given, str) else given
        raise DomainError(rule, field, got, _WHERE)
    return given


def _list(data: Mapping[str, Any], field: str) -> list[Any]:
    given = data.get(field, [])
    if not isinstance(given, list):
        raise DomainError(f"{field} must be a list.", field, given, _WHERE)
    return given


def _letters(given: object, field: str) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(x, str) for x in given):
        raise DomainError(f"{field} must be a list of letters.", field, given, _WHERE)
    return tuple(given)


def _exponents(given: object) -> tuple[tuple[str, Span], ...]:
    if isinstance(given, Mapping):
        return tuple((str(x), _span(v, str(x))) for x, v in given.items())
    return tuple((x, (0.0, math.inf)) for x in _letters(given, "exponents"))


def _mapping(given: object, field: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise DomainError(f"{field} must be a JSON object.", field, given, _WHERE)
    return given


def _span(given: object, field: str) -> Span:
    if not isinstance(given, list) or len(given) != 2:
        rule = "A range is a list of two numbers, the lower one first."
        raise DomainError(rule, field, given, _WHERE)
    low, high = (_number(x, field, infinite=True) for x in given)
    return low, high


def _number(given: object, field: str, *, infinite: bool = False) -> float:
    if infinite and given in ("inf", "-inf"):
        return float(str(given))
    number = None if isinstance(given, str) else as_number(given)
    if number is None or not math.isfinite(number):
        raise DomainError(f"{field} must be a finite number.", field, given, _WHERE)
    return number


def _claim(given: object, row: int) -> Said:
    where = f"Claim {row}"
    if not isinstance(given, Mapping):
        raise DomainError("A claim must be a JSON object.", "claims", given, where)
    codec.check_keys(given, {"equals", "where", "name"}, {"equals"}, where)
    conditions = given.get("where", [])
    if isinstance(conditions, str):
        conditions = [conditions]
    _letters(conditions, "where")
    most = [_text({"text": x}, "text", MOST_TEXT) for x in (given["equals"], *conditions)]
    return Said(most[0], tuple(most[1:]), _text(given, "name"))


def _point(given: object, row: int) -> tuple[float, float, float]:
    if not isinstance(given, list) or len(given) not in (2, 3):
        rule = "A point is a list of x, mean and, if known, its error."
        raise DomainError(rule, "points", given, f"Point {row}")
    return points([given], first=row)[0]


def points(rows: Iterable[list[object]], first: int = 1) -> tuple[tuple[float, float, float], ...]:
    """Check rows of x, mean and error; x and mean are positive, the error is not negative.

    Raises:
        DomainError: A row has another number of cells or a cell is outside its set.
    """
    out = []
    for row, cells in enumerate(rows, start=first):
        x, mean, *rest = (
            _number(v, f) for v, f in zip(cells, ("x", "mean", "error"), strict=False)
        )
        error = rest[0] if rest else 0.0
        for field, value, low in (
            ("x", x, x > 0),
            ("mean", mean, mean > 0),
            ("error", error, error >= 0),
        ):
            if not low:
                rule = "x and mean must be positive, the error at least 0."
                raise DomainError(rule, field, value, f"Point {row}")
        out.append((float(x), float(mean), float(error)))
    return tuple(out)
