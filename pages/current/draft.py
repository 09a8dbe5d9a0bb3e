"""A study while it is being edited: text as typed, which may still be wrong."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pages.charts import number_text
from rates import numbers
from rates.numbers import SERVER_FIELDS, DomainError, Words, as_read, number_from_text
from rates.rows import TITLES, blank, unprotected
from rates.study import REQUIRED, Server, Study, codec

TARGET, UNPROTECTED = "target", "unprotected"
_FIRST = ("name", TARGET, "n", "epsilon", UNPROTECTED)
COLUMNS = (*_FIRST, *(field for field in SERVER_FIELDS if field not in _FIRST))
TICKS = (TARGET, UNPROTECTED)
PARAMETERS = {"transfer": numbers.TRANSFER_FIELDS, "federated": numbers.FEDERATED_FIELDS}
# Nobody told these: a decision marks them as assumed.
OPENING = {
    "transfer": {"smoothness": 0.5, "dimension": 2, "margin": 1.0},
    "federated": {"smoothness": 1.5, "integrability": math.inf},
}

# Text as it was typed: what cannot be read has to stay, to be mended.
Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What the widgets hold.

    Attributes:
        kind: "transfer" or "federated".
        parameters: Per kind, the parameters; both are kept when the kind is switched.
        rows: One mapping per row with the keys of `COLUMNS`: text, and two ticks.
    """

    kind: str
    parameters: Mapping[str, Mapping[str, float]]
    rows: tuple[Row, ...]


def from_study(study: Study, other: Mapping[str, Mapping[str, float]] | None = None) -> Draft:
    """Return the draft that shows ``study``."""
    kind = "transfer" if study.kind == "transfer" else "federated"
    parameters = {**OPENING, **(other or {})}
    parameters[kind] = {name: getattr(study, name) for name in PARAMETERS[kind]}
    rows = [
        row_from_server(server, target=kind == "transfer" and number == 0)
        for number, server in enumerate(study.servers)
    ]
    return Draft(kind=kind, parameters=parameters, rows=tuple(rows))


def row_from_server(server: Server, *, target: bool) -> Row:
    """Return a row of text for one site.

    >>> row_from_server(Server(name="A", n=30, epsilon=math.inf), target=True)["unprotected"]
    True
    """
    row: Row = {"name": server.name, TARGET: target, UNPROTECTED: math.isinf(server.epsilon)}
    for field, parameter in SERVER_FIELDS.items():
        value = getattr(server, field)
        text = str if parameter.whole else number_text
        row[field] = "" if value in (None, math.inf) else text(value)
    return row


def first() -> Draft:
    """Return a draft without rows, with the parameters at first."""
    return Draft(kind="transfer", parameters=OPENING, rows=())


def empty() -> Draft:
    """Return a draft with one empty row, and with the parameters at first."""
    row: Row = dict.fromkeys(COLUMNS, "")
    row[TARGET], row[UNPROTECTED] = True, False
    return replace(first(), rows=(row,))


def ticked(row: Row) -> Row:
    """Return a row with the tick that the words of its budget stand for.

    >>> ticked({"epsilon": "none", "unprotected": False})
    {'epsilon': 'none', 'unprotected': True}
    """
    return {**row, UNPROTECTED: True} if unprotected(str(row.get("epsilon") or "")) else row


def readings(draft: Draft) -> Iterator[str]:
    """Say what is read out of cells that hold more than a number.

    >>> row = {"name": "A", "n": "200k", "epsilon": "none"}
    >>> list(readings(Draft(kind="transfer", parameters={}, rows=(row,))))
    ['A: Records n is read as 200,000 (200k).', 'A: Budget ε is read as unprotected (none).']
    """
    for number, row in enumerate(draft.rows, start=1):
        name = str(row.get("name") or "").strip() or f"Row {number}"
        for field, parameter in SERVER_FIELDS.items():
            text = str(row.get(field) or "").strip()
            read = as_read(text, whole=parameter.whole)
            if field == "epsilon" and unprotected(text):
                read = f"unprotected ({text})"
            if read:
                yield f"{name}: {TITLES[field]} is read as {read}."


def to_study(draft: Draft, *, alike: bool = False) -> Study:
    """Return the study a draft describes.

    Args:
        draft: What the widgets hold.
        alike: Whether all sites are alike, so that the first stands for the target if none is.

    Raises:
        DomainError: Something is missing or refused; the message names row and field.
    """
    rows = [_row(row, number, draft.kind) for number, row in enumerate(draft.rows, start=1)]
    if not rows:
        rule = "A study needs at least one site: add a row to the table."
        raise DomainError(rule, field="sites", value=Words("an empty table"))
    if draft.kind == "transfer":
        # The codec asks for a target; where all are alike any site may stand for it.
        if alike and not any(row.get(TARGET) for row in draft.rows):
            rows[0]["role"] = "target"
        else:
            _check_one_target(draft.rows)
    return codec.build(draft.kind, draft.parameters[draft.kind], rows)


def _check_one_target(rows: Iterable[Row]) -> None:
    ticked = [number for number, row in enumerate(rows, start=1) if row.get(TARGET)]
    if len(ticked) == 1:
        return
    rule = "Tick exactly one site as the target, the one whose patients the answer is for."
    got = Words("none" if not ticked else "rows " + ", ".join(map(str, ticked[:5])))
    raise DomainError(rule, field="target", value=got, where="Sites")


def _row(row: Row, number: int, kind: str) -> Row:
    """Turn one row of text into plain data for the codec."""
    name = row.get("name") or ""
    where = f"Row {number} ({name!r})" if name else f"Row {number}"
    out: Row = {"name": name}
    if kind == "transfer" and row.get(TARGET):
        out["role"] = "target"
    for field in SERVER_FIELDS:
        # Kept in the row for the way back to a classifier, and no field of a curve.
        if field == "signal_exponent" and kind == "federated":
            continue
        text = str(row.get(field) or "").strip()
        if field == "epsilon" and (row.get(UNPROTECTED) or unprotected(text)):
            out[field] = "inf"
        elif field == "epsilon" and blank(text):
            rule = "epsilon is a number; tick unprotected if the site has none."
            raise DomainError(rule, field=field, value=text, where=where)
        elif text:
            out[field] = number_from_text(text, field, where, whole=SERVER_FIELDS[field].whole)
        elif field in REQUIRED:
            raise _missing(field, where)
    if not name.strip():
        raise _missing("name", where)
    return out


def _missing(field: str, where: str) -> DomainError:
    rule = f"{field} is required{', or tick unprotected' if field == 'epsilon' else ''}."
    return DomainError(rule, field=field, value=Words("an empty cell"), where=where)
