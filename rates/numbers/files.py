"""Plain data and its text: what comes in as a file or a link is read here, and checked once.

What is not understood is refused, never skipped: with the rule, the place, the field and the value.
"""

from __future__ import annotations

import base64
import json
import math
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rates.numbers.parameters import DomainError, Parameter, Words, shown

VERSION = 1  # of every format here
MAX_BYTES = 4_000_000
MAX_DEPTH = 50  # brackets in brackets; ours, far beyond what any file needs
_SHORT = "~"  # a packed text starts with this mark and the version
_TOO_LARGE = "A number must lie within floating point, 1e-307 to 1e308 in size."


@dataclass(frozen=True, slots=True)
class Fields:
    """A JSON object while it is read; every field is checked for its kind.

    Attributes:
        data: The object.
        where: What it is part of, for messages.

    >>> Fields({"n": 5, "names": ["A"]}, "Study").texts("names")
    ('A',)
    >>> Fields({"n": True}, "Study").number("n")
    Traceback (most recent call last):
        ...
    rates.DomainError: n must be a number. Study, field n: got True.
    """

    data: Mapping[str, Any]
    where: str

    @classmethod
    def of(cls, given: object, what: str, where: str, field: str = "") -> Fields:
        """Take plain data for an object; ``what`` begins the sentence that refuses it."""
        if not isinstance(given, dict):
            raise DomainError(f"{what} must be a JSON object.", field, given, where)
        return cls(given, where)

    def keys(self, known: set[str], required: set[str]) -> Fields:
        """The same, or `DomainError`: a key is not known, or one that is required is absent."""
        for key in self.data:
            if key not in known:
                rule = f"Unknown key; known are {', '.join(sorted(known))}."
                raise DomainError(rule, shown(key)[1:-1], key, self.where)
        for key in sorted(required - set(self.data)):
            raise DomainError(f"{key} is required.", key, Words("nothing"), self.where)
        return self

    def version(self) -> Fields:
        """The same, or `DomainError`: it is of another version."""
        given = self.data.get("version")
        if given != VERSION or isinstance(given, bool):
            rule = f"version must be {VERSION}, the only one this program reads."
            raise DomainError(rule, "version", given, self.where)
        return self

    def part(self, field: str) -> Fields:
        """An object within; an empty one if it is absent."""
        return Fields.of(self.data.get(field, {}), field, self.where, field)

    def items(self, field: str, what: str = "") -> list[Any]:
        """A list; empty if it is absent."""
        given = self.data.get(field, [])
        if not isinstance(given, list):
            raise DomainError(f"{field} must be a list{what}.", field, given, self.where)
        return given

    def texts(self, field: str) -> tuple[str, ...]:
        """A list of texts; empty if it is absent."""
        given = self.items(field, " of letters")
        if not all(isinstance(x, str) for x in given):
            raise DomainError(f"{field} must be a list of letters.", field, given, self.where)
        return tuple(given)

    def text(self, field: str, most: int = 80) -> str:
        """A text; empty if it is absent or null."""
        given = self.data.get(field)
        if given is None:
            return ""
        if not isinstance(given, str) or len(given) > most:
            rule = f"{field} must be a text of at most {most} characters."
            got = Words(f"{len(given)} characters") if isinstance(given, str) else given
            raise DomainError(rule, field, got, self.where)
        return given

    def number(self, field: str, of: Parameter | None = None) -> float:
        """A number of any size; the text "inf" where infinity is in the parameter's domain."""
        return self.checked(self.data[field], field, of)

    def span(self, field: str, of: Parameter | None = None, name: str = "") -> tuple[float, float]:
        """Two numbers in a list, each as `number` has it; ``name`` is the field's in messages."""
        given, name = self.data[field], name or field
        if not isinstance(given, list) or len(given) != 2:
            rule = "A range is a list of two numbers, the lower one first."
            raise DomainError(rule, name, given, self.where)
        low, high = (self.checked(x, name, of) for x in given)
        return low, high

    def checked(self, value: object, field: str, of: Parameter | None = None) -> float:
        """Return a JSON number; whether it is in the domain says the record it is for."""
        if isinstance(value, int | float) and not (isinstance(value, bool) or math.isinf(value)):
            return value
        if value in ("inf", "-inf") and of and of.allows(float(str(value))):
            return float(str(value))
        more = " or the text inf" if of and of.allows(math.inf) else ""
        if isinstance(value, float):
            rule = f"{field} must be a finite number{more}."
            raise DomainError(rule, field, Words("a number too large to hold"), self.where)
        raise DomainError(f"{field} must be a number{more}.", field, value, self.where)


def plain(x: float) -> float | int | str:
    """Return a number as a file holds it: whole where it is whole, infinity as text.

    >>> plain(2.0), plain(0.5), plain(math.inf), plain(-math.inf)
    (2, 0.5, 'inf', '-inf')
    """
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    return int(x) if float(x).is_integer() and abs(x) < 2**53 else x


def to_text(data: Mapping[str, Any], indent: int | None = 2) -> str:
    """Return plain data as strict JSON, without a space if there is no indent."""
    separators = (",", ":") if indent is None else None
    return json.dumps(data, indent=indent, separators=separators, allow_nan=False)


def decode(text: str | bytes, what: str = "A study file", most: int = MAX_BYTES) -> str:
    """Return the text of a file, refusing large files and bytes that are not UTF-8."""
    # Before anything is parsed: a large file must not cost more than its reading.
    if len(text) > most:
        rule = f"{what} holds at most {most // 1_000_000} MB."
        raise DomainError(rule, "file", Words(f"{len(text) / 1e6:.1f} MB"))
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError:
        rule = f"{what} is text in UTF-8."
        raise DomainError(rule, "file", Words("bytes that are not UTF-8")) from None


def load_json(text: str) -> object:
    """Return what strict JSON says; no NaN, infinity, duplicate keys, over- or underflow.

    Raises:
        DomainError: It is not strict JSON, or nested deeper than `MAX_DEPTH`.
    """
    _check_depth(text)
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_refuse_constant,
            parse_float=exact_float,
            parse_int=_exact_int,
        )
    except DomainError:
        raise
    except (ValueError, RecursionError) as error:
        detail = str(error).splitlines()[0] if str(error) else "unreadable"
        raise DomainError("The text must be JSON.", "file", Words(detail[:80])) from None


def _check_depth(text: str) -> None:
    """Count brackets before the reader does: it takes a piece of the stack for each."""
    depth = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', text, re.S):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > MAX_DEPTH:
            rule = f"JSON may have at most {MAX_DEPTH} brackets open at once."
            raise DomainError(rule, "file", Words("more"))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in pairs:
        if key in out:
            where = f"Server {out['name']!r}" if isinstance(out.get("name"), str) else ""
            raise DomainError("A key may appear once only.", shown(key)[1:-1], key, where)
        out[key] = value
    return out


def _refuse_constant(text: str) -> object:
    rule = 'JSON has no NaN or Infinity; write infinity as the text "inf".'
    raise DomainError(rule, "file", text)


def _exact_int(text: str) -> int:
    # int() takes time quadratic in the digits, and beyond 308 no float holds it.
    if len(text) > 300:
        raise DomainError(_TOO_LARGE, "file", Words(f"{text[:20]}..."))
    return int(text)


def exact_float(text: str) -> float:
    """Return the number a text stands for, refusing what floating point would change."""
    value = float(text)
    mantissa = text.lower().partition("e")[0]
    if math.isinf(value) or (value == 0 and any(c in "123456789" for c in mantissa)):
        raise DomainError(_TOO_LARGE, "file", Words(text[:40]))
    return value


def pack(text: str) -> str:
    """Return a text compressed, in characters that need no escape in an address.

    >>> unpack(pack("α = 1")).decode()
    'α = 1'
    """
    packed = zlib.compress(text.encode(), 9)
    return f"{_SHORT}{VERSION}" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def packed(text: str) -> bool:
    """Whether a text looks like one of `pack`."""
    return text.startswith(_SHORT)


def unpack(text: str) -> bytes:
    """Return what `pack` was given, as bytes; at most `MAX_BYTES` of it.

    Raises:
        DomainError: The text is of another version, or cut, or changed.
    """
    mark, body = text[:2], text[2:]
    if mark != f"{_SHORT}{VERSION}":
        raise DomainError(f"The link's version must be {VERSION}.", "link", mark[1:])
    rule = "The link must be whole: it seems to have been cut or changed."
    reader = zlib.decompressobj()
    try:
        data = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        # At most so much, or a short link could unpack to gigabytes.
        found = reader.decompress(data, MAX_BYTES)
    except (ValueError, zlib.error):
        raise DomainError(rule, "link", body) from None
    # What is left over, or missing, was cut or added by somebody else.
    if not reader.eof or reader.unused_data:
        raise DomainError(rule, "link", body)
    return found
