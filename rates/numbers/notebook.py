"""Records in a notebook: a table of their fields, every text escaped; one line; a pandas table.

Nothing else below the pages knows pandas, and it is loaded when a table is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar

import numpy as np

from rates.numbers.parameters import DomainError

MOST = 4  # entries of a tuple in one line


class Shown:
    """What a notebook asks a record for; it adds no field."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        of = type(self).__name__
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        whole = frame({of: names, "": [_short(getattr(self, name)) for name in names]})
        own = getattr(self, "to_frame", None)  # of columns, or of records within
        with_own = [whole, own()] if own else [whole]
        return "".join(table.to_html(index=False) for table in with_own)


class Brief(Shown):
    """A record with more fields than one line holds: its plain form has those that are `_said`."""

    __slots__ = ()
    _said: ClassVar[tuple[str, ...]] = ()  # all if none is named

    def __repr__(self) -> str:
        names = self._said or tuple(field.name for field in fields(self))  # type: ignore[arg-type]
        parts = [f"{name}={_short(getattr(self, name))}" for name in names]
        return f"{type(self).__name__}({', '.join([*parts, '...'][: None if self._said else -1])})"


class Framed(Brief):
    """A record of columns of one length: a curve, a sweep, what each site contributes.

    `_columns` says, by field, the title of its column with its unit. Where a field holds several
    columns, they are numbered from 1.
    """

    __slots__ = ()
    _columns: ClassVar[Mapping[str, str]] = {}

    def to_frame(self) -> Any:
        """Return the record's columns as a pandas table."""
        out: dict[str, Any] = {}
        for name, title in self._columns.items():
            value = getattr(self, name)
            if isinstance(value, tuple | np.ndarray) and len(value) and np.ndim(value[0]):
                out |= {f"{title}, {k}": row for k, row in enumerate(value, 1)}
            elif np.ndim(value) == 1:
                out[title] = value
        return frame(out)


def frame(columns: Mapping[str, Any]) -> Any:
    """Return columns by title as a pandas table."""
    import pandas  # takes a third of a second, and nothing but a notebook asks for it

    return pandas.DataFrame(dict(columns))


def to_frame(records: Sequence[Any]) -> Any:
    """Return records of one kind as a pandas table, a row each.

    A record within a record has columns of its own, after its field's name.

    Args:
        records: Such as the sites of a study, the rows of a plan, or statements of the ledger.

    Raises:
        DomainError: There is none, or they are not records of one kind.

    Examples:
        >>> from rates.study import preset
        >>> to_frame(preset("hospitals").study.servers)[["name", "n (records)"]].shape
        (4, 2)
    """
    # Columns are fields: records of two kinds have no common ones.
    kinds = {type(record) for record in records}
    if len(kinds) != 1 or not is_dataclass(next(iter(kinds))):
        rule = "A table has records of one kind, at least one."
        raise DomainError(rule, "records", ", ".join(sorted(kind.__name__ for kind in kinds)))
    rows = [dict(_flat(record)) for record in records]
    titles = dict.fromkeys(title for row in rows for title in row)
    return frame({title: [row.get(title) for row in rows] for title in titles})


def _flat(record: Any, before: str = "") -> Iterator[tuple[str, object]]:
    titles = getattr(record, "_titles", {})
    for field in fields(record):
        title, value = before + titles.get(field.name, field.name), getattr(record, field.name)
        if is_dataclass(value):
            yield from _flat(value, f"{title}: ")
        else:
            yield title, value


def _short(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, np.ndarray) and value.size:
        ends = f"{value.flat[0]:.6g} to {value.flat[-1]:.6g}"
        return f"<{' by '.join(map(str, value.shape))} numbers, {ends}>"
    if isinstance(value, tuple):
        rest = [f"... {len(value)} in all"] if len(value) > MOST else []
        inner = ", ".join([*map(_short, value[:MOST]), *rest])
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return repr(value)
