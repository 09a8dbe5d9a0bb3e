"""Tell how two records of the same screens differ; numbers within rounding are equal."""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

RELATIVE, ABSOLUTE = 2e-7, 1e-11
WIDTH = 160
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
# Their noise paths are made of eigenvectors of nearly equal eigenvalues, which differ between
# processors: of these the elements are compared, not the numbers.
OF_A_MACHINE = {
    "classification/classifier: other",
    "classification/paper: other 2",
    "classification/hospitals: files",
}


def differences(before: Mapping[str, Any], now: Mapping[str, Any], *, most: int) -> list[str]:
    """Return lines that say what differs: a screen's name, then its differences, indented.

    Screens that differ in the same way are named together.
    """
    alike: dict[tuple[str, ...], list[str]] = {}
    for title, elements in now["screens"].items():
        if title not in before["screens"]:
            told: tuple[str, ...] = ("not stored",)
        else:
            old, new = (
                [line for x in page["screens"][title] for line in _lines(x, page["texts"])]
                for page in (before, now)
            )
            heads = title in OF_A_MACHINE and len(elements) == len(before["screens"][title])
            told = tuple(
                _changes(*([y for y in x if y[0] != " "] if heads else x for x in (old, new)))
            )
        if told:
            alike.setdefault(told, []).append(title)
    out: list[str] = []
    for told, titles in alike.items():
        out += [*titles, *(f"  {line}" for line in told[:most])]
        if len(told) > most:
            out.append(f"  … and {len(told) - most} more lines (--most N)")
    return out


def _lines(element: Mapping[str, Any], texts: Mapping[str, list[str]]) -> Iterator[str]:
    """An element by lines: its kind and label, then all that it holds, with its place."""
    name = element.get("label") or element.get("file_name") or ""
    yield f"{element['type']} {json.dumps(name, ensure_ascii=False)}"
    yield from (f"  {place}: {value}" for place, value in _flat("", element, texts))


def _flat(place: str, value: Any, texts: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        if set(value) == {"text"} and value["text"] in texts:
            value = texts[value["text"]]
        else:
            for key, inside in sorted(value.items()):
                yield from _flat(f"{place}.{key}".lstrip("."), inside, texts)
            return
    if isinstance(value, list):
        plain = not any(isinstance(x, str | list | Mapping) for x in value)
        for inside in [json.dumps(value)] if plain else value:
            yield from _flat(place, inside, texts)
    else:
        yield place, value if isinstance(value, str) else json.dumps(value)


def _changes(old: list[str], new: list[str]) -> Iterator[str]:
    """What was taken away and added; lines that differ by numbers alone are told side by side."""
    forms, forms_now = ([_NUMBER.sub("#", line) for line in lines] for lines in (old, new))
    codes = [("equal", 0, len(old), 0, len(new))]
    if forms != forms_now:
        codes = difflib.SequenceMatcher(None, forms, forms_now).get_opcodes()
    for kind, a, b, c, d in codes:
        if kind == "equal":
            for before, now in zip(old[a:b], new[c:d], strict=True):
                if not all(map(_close, _NUMBER.findall(before), _NUMBER.findall(now))):
                    yield f"~ {before[:WIDTH]} -> {now.strip()[:WIDTH]}"
        else:
            yield from (f"- {line[:WIDTH]}" for line in old[a:b])
            yield from (f"+ {line[:WIDTH]}" for line in new[c:d])


def _close(old: str, new: str) -> bool:
    return old == new or math.isclose(float(old), float(new), rel_tol=RELATIVE, abs_tol=ABSOLUTE)
