"""Tell how two records of the same screens differ; numbers within rounding are equal."""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

RELATIVE, ABSOLUTE = 2e-7, 1e-11
WIDTH = 110
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
Element = Mapping[str, Any]
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
        stored = before["screens"].get(title)
        if title in OF_A_MACHINE and stored and [*map(_kind, stored)] == [*map(_kind, elements)]:
            continue
        if title in before["screens"]:
            lines = tuple(
                _screen(before["screens"][title], elements, before["texts"], now["texts"])
            )
        else:
            lines = ("not stored",)
        if lines:
            alike.setdefault(lines, []).append(title)
    told: list[str] = []
    for lines, titles in alike.items():
        told += titles
        told += [f"  {line}" for line in lines[:most]]
        if len(lines) > most:
            told.append(f"  … and {len(lines) - most} more lines (--most N)")
    return told


def _screen(old: list[Element], new: list[Element], texts: Any, texts_now: Any) -> Iterator[str]:
    marks = [json.dumps(x, sort_keys=True) for x in old]
    marks_now = [json.dumps(x, sort_keys=True) for x in new]
    match = difflib.SequenceMatcher(None, marks, marks_now, autojunk=False)
    for kind, a, b, c, d in match.get_opcodes():
        if kind == "equal":
            continue
        gone, come = list(old[a:b]), list(new[c:d])
        names = [_kind(x) for x in gone]
        names_now = [_kind(x) for x in come]
        pairs = difflib.SequenceMatcher(None, names, names_now, autojunk=False)
        for _, e, f, g, h in pairs.get_opcodes():
            both = min(f - e, h - g)
            for k in range(both):
                yield from _pair(gone[e + k], come[g + k], texts, texts_now)
            yield from (f"- {_name(x, texts)}" for x in gone[e + both : f])
            yield from (f"+ {_name(x, texts_now)}" for x in come[g + both : h])


def _kind(element: Element) -> tuple[str, str]:
    return element["type"], json.dumps(element.get("label") or element.get("file_name") or "")


def _name(element: Element, texts: Any) -> str:
    """What names an element for people: its kind and its first words."""
    for field in ("label", "alt", "body", "value", "table", "code_text", "text", "content"):
        said = element.get(field)
        if said:
            break
    else:
        said = element
    if isinstance(said, Mapping) and "text" in said:
        said = (texts.get(said["text"]) or [""])[0]
    return f"{element['type']} {_short(said, 70)}"


def _pair(old: Element, new: Element, texts: Any, texts_now: Any) -> Iterator[str]:
    found = list(_value("", _opened(old, texts), _opened(new, texts_now)))
    if found:
        yield f"~ {_name(new, texts_now)}"
        yield from (f"    {line}" for line in found)


def _opened(value: Any, texts: Any) -> Any:
    """A value with its long texts in place of their names."""
    if isinstance(value, Mapping):
        if set(value) == {"text"} and isinstance(value["text"], str) and value["text"] in texts:
            return texts[value["text"]]
        return {k: _opened(v, texts) for k, v in value.items()}
    if isinstance(value, list):
        return [_opened(v, texts) for v in value]
    return value


def _value(place: str, old: Any, new: Any) -> Iterator[str]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            inside = f"{place}.{key}" if place else str(key)
            if key not in new:
                yield f"{inside}: {_short(old[key])} -> gone"
            elif key not in old:
                yield f"{inside}: new: {_short(new[key])}"
            else:
                yield from _value(inside, old[key], new[key])
    elif isinstance(old, list) and isinstance(new, list):
        yield from _list(place, old, new)
    elif not same(old, new):
        yield f"{place}: {_short(old)} -> {_short(new)}"


def _list(place: str, old: list[Any], new: list[Any]) -> Iterator[str]:
    if len(old) == len(new):
        changed = [k for k in range(len(old)) if not _alike(old[k], new[k])]
        for k in changed[:3]:
            yield from _value(f"{place}[{k}]", old[k], new[k])
        if len(changed) > 3:
            yield f"{place}: {len(changed)} of {len(old)} entries differ"
    elif all(isinstance(x, str) for x in (*old, *new)):
        for line in difflib.unified_diff(old, new, lineterm="", n=0):
            if not line.startswith(("---", "+++")):
                yield f"{place} {_short(line)}"
    else:
        yield f"{place}: {len(old)} -> {len(new)} entries: {_short(old)} -> {_short(new)}"


def _alike(old: Any, new: Any) -> bool:
    return next(_value("", old, new), None) is None


def same(old: Any, new: Any) -> bool:
    """Whether two values are equal but for rounding; numbers in texts are numbers."""
    if old == new:
        return True
    if isinstance(old, str) and isinstance(new, str):
        if _NUMBER.sub("#", old) != _NUMBER.sub("#", new):
            return False
        return all(map(_close, _NUMBER.findall(old), _NUMBER.findall(new)))
    plain = (int, float)
    if isinstance(old, plain) and isinstance(new, plain) and not isinstance(old, bool):
        return _close(old, new)
    return False


def _close(old: Any, new: Any) -> bool:
    return old == new or math.isclose(float(old), float(new), rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def _short(value: Any, width: int = WIDTH) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= width else f"{text[: width - 1]}…"
