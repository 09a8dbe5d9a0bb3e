"""Junk that knows what it spoils: valid inputs with one to three parts at a border."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

# As a person, a spreadsheet or a program might write a number, and as one might attack with it.
NUMBERS = (
    *("0", "-0", "1", "-1", "2", "0.5", "1e-320", "5e-324", "1e-307", "1e308", "1.8e308", "1e999"),
    *("nan", "NaN", "inf", "-inf", "Infinity", "1e9", "1000000000", "1000000001", "1e15", "1e16"),
    *("9007199254740993", "9" * 30, "9" * 5000, "0." + "0" * 400 + "1"),
    *("1_000", "0x10", "1e", "+5"),
    *(".5", "5.", "--5", "1,5", "1.000.000,5", "1 000"),
    *("1\u00a0000", "1'000", "½", "²", "−3", " 5 "),
    *("٣", "１２", "१२", "1٣", "٣e٣", "1e٣", "5%", "1/3", "1e-3e", "True", "Nil", "null", "", " "),
)
SIZES: tuple[Any, ...] = (
    *(0, -0.0, 1, -1, 2, 0.5, 1e-320, 5e-324, 1e-307, 1e308, 10**9, 10**9 + 1, 10**15, 10**400),
    *(0.1 + 0.2, 1 - 1e-16, 1 + 1e-9, 50, 51, 200, 1e-12, 1e-3, 0.25, 3, 1e6, 100, "inf"),
)
VALUES: tuple[Any, ...] = (  # of JSON, where it expects another
    *(True, False, None, "-inf", "nan", "", "x", "all", [], {}, [None], [1, 2], [2, 1], ["inf", 1]),
    {"a": 1},
)
_FEW = (1, 1, 1, 1, 2, 3)  # changes at once
MARK = "zq"
TEXTS = (  # MARK stands in those that would be markup if they were not shown as they are
    *(f"**{MARK}**", f"[{MARK}](http://{MARK}.example)", f"![{MARK}](http://{MARK}.example/a.png)"),
    *(f"<b id={MARK}>", f"<script>{MARK}</script>", f"<img src=x onerror={MARK}>", f"${MARK}^2$"),
    *(f":red[{MARK}]", f":material/{MARK}:", f"`{MARK}`"),
    *(f"# {MARK}", f"| {MARK} | a |", f"~{MARK}~"),
    *(f"https://{MARK}.example/a", f"www.{MARK}.example", f"a@{MARK}.example"),
    *(f"=cmd|' /C {MARK}'!A0", f"@SUM({MARK})", f"+{MARK}", f"-{MARK}", f"\t={MARK}", f'"{MARK}'),
    *(f"\u202e{MARK}", f"\u200b{MARK}", f"{MARK}\u0301" * 9),
    *(f"{MARK}\x00", f"\ud800{MARK}", "\ufeff"),
    *(f"{MARK}\n{MARK}", f"{MARK}\u2028", "\u00a0", "é" * 81, MARK * 5000),
    *("🦊" * 40, "ａｌｌ", "all"),
    *(f"../../etc/{MARK}", f"{{{MARK}}}", "%s%n", f"\\frac{{{MARK}}}", f"\\{MARK}", f"&lt;{MARK}"),
)
BITS = ("", "\r\n", "~1", *";:,\t\n\"'{}[]~%&=")
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")
_WORD = re.compile(r"[A-Za-z]{2,}")


def text(chance: Random, given: str) -> str:
    """Return a text with one to three parts changed."""
    for _ in range(chance.choice(_FEW)):
        given = chance.choice(_TEXT_CHANGES)(chance, given)
    return given


def _swapped(pattern: re.Pattern[str], offered: tuple[str, ...]) -> Callable[[Random, str], str]:
    def change(chance: Random, given: str) -> str:
        places = list(pattern.finditer(given))
        if not places:
            return given + chance.choice(offered)
        place = chance.choice(places)
        return given[: place.start()] + chance.choice(offered) + given[place.end() :]

    return change


def _put(chance: Random, given: str) -> str:
    at = chance.randrange(len(given) + 1)
    return given[:at] + chance.choice(BITS + TEXTS) + given[at + chance.randrange(3) :]


def _cut(chance: Random, given: str) -> str:
    return given[: chance.randrange(len(given) + 1)]


def _twice(chance: Random, given: str) -> str:
    a, b = sorted(chance.randrange(len(given) + 1) for _ in range(2))
    return given[:b] + given[a:b] * chance.choice((1, 1, 2, 40)) + given[b:]


def _turned(chance: Random, given: str) -> str:
    lines = given.split("\n")
    chance.shuffle(lines)
    return "\n".join(lines)


_NUMBER_CHANGE = _swapped(_NUMBER, NUMBERS)
_TEXT_CHANGES = (
    *(_NUMBER_CHANGE, _NUMBER_CHANGE, _NUMBER_CHANGE),
    *(_swapped(_WORD, TEXTS), _put, _cut, _twice, _turned),
)


def data(chance: Random, given: Any) -> Any:
    """Return plain data with a few leaves, keys or branches changed."""
    given = json.loads(json.dumps(given))
    for _ in range(chance.choice(_FEW)):
        places = list(_places(given))
        if not places:
            return _leaf(chance, given)
        owner, key = chance.choice(places)
        what = chance.random()
        if what < 0.03:
            del owner[key]
        elif what < 0.06 and isinstance(owner, dict):
            owner[chance.choice((*TEXTS, "version", "name", "n"))] = owner.pop(key)
        elif what < 0.1 and isinstance(owner, list):
            owner.extend([owner[key]] * chance.choice((1, 3, 60)))
        else:
            owner[key] = _leaf(chance, owner[key])
    return given


def _places(given: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a value, as what holds it and the key; inner ones too."""
    inside = given.items() if isinstance(given, dict) else ()
    for key, value in enumerate(given) if isinstance(given, list) else inside:
        yield given, key
        yield from _places(value)


def _leaf(chance: Random, given: Any) -> Any:
    if isinstance(given, str) and chance.random() < 0.7:
        return chance.choice(TEXTS)
    if isinstance(given, int | float) and chance.random() < 0.8:
        return chance.choice(SIZES)
    if chance.random() < 0.03:
        nest: Any = given
        for _ in range(chance.choice((20, 70, 300))):
            nest = [nest] if chance.random() < 0.5 else {"a": nest}
        return nest
    value = chance.choice(SIZES + VALUES)
    return value.copy() if isinstance(value, list | dict) else value


def written(chance: Random, given: Any) -> str:
    """Return changed data as JSON, now and then changed again as text."""
    made = json.dumps(data(chance, given), ensure_ascii=chance.random() < 0.5)
    return text(chance, made) if chance.random() < 0.1 else made


def packed(made: str) -> str:
    """Return a text as the short form of a link holds it, whatever it says."""
    body = zlib.compress(made.encode("utf-8", "surrogatepass"), 1)
    return "~1" + base64.urlsafe_b64encode(body).decode().rstrip("=")


def link(chance: Random, given: Any) -> str:
    """Return changed data as a link holds them: packed, plain, or packed and then damaged."""
    made = written(chance, given)
    what = chance.random()
    if what < 0.5:
        return packed(made)
    return made if what < 0.9 else text(chance, packed(made))


def raw(chance: Random, made: str) -> bytes:
    """Return a text as a file may hold it: other encodings, marks, nulls, and damage."""
    code = chance.choice((*["utf-8"] * 9, "utf-16", "utf-8-sig", "cp1252", "latin-1"))
    out = made.encode(code, "replace" if code[0] in "cl" else "surrogatepass")
    if chance.random() < 0.1:
        at = chance.randrange(len(out) + 1)
        out = out[:at] + chance.randbytes(chance.randrange(9)) + out[at + chance.randrange(5) :]
    return out
