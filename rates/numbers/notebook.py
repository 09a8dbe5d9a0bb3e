"""Records in a notebook: a table of their fields, every text escaped; in plain text one line."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from html import escape
from typing import Any, ClassVar

MOST = 4  # entries of a tuple in one line


class Shown:
    """What a notebook asks a record for; it adds no field."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return _table(self)


class Brief(Shown):
    """A record with more fields than one line holds: its plain form has those that are `_said`."""

    __slots__ = ()
    _said: ClassVar[tuple[str, ...]] = ()

    def __repr__(self) -> str:
        parts = [f"{name}={_short(getattr(self, name))}" for name in self._said]
        return f"{type(self).__name__}({', '.join(parts)}, ...)"


def _table(record: Any) -> str:
    rows = [(field.name, getattr(record, field.name)) for field in fields(record)]
    body = "".join(f"<tr><th>{escape(name)}</th><td>{_cell(x)}</td></tr>" for name, x in rows)
    return f"<table><caption>{escape(type(record).__name__)}</caption>{body}</table>"


def _cell(value: object) -> str:
    if is_dataclass(value):
        return _table(value)
    if isinstance(value, tuple) and value and all(map(is_dataclass, value)):
        names = [field.name for field in fields(value[0])]
        lines = ["".join(f"<td>{_cell(getattr(x, name))}</td>" for name in names) for x in value]
        head = "".join(f"<th>{escape(name)}</th>" for name in names)
        return f"<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"
    if isinstance(value, tuple):
        return ", ".join(map(_cell, value))
    return escape(f"{value:.6g}" if isinstance(value, float) else str(value))


def _short(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple):
        rest = [f"... {len(value)} in all"] if len(value) > MOST else []
        inner = ", ".join([*map(_short, value[:MOST]), *rest])
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return repr(value)
