"""Tables for Streamlit's front end without Arrow's 20 MB: text, ticks and numbers by rows.

Streamlit imports this under Arrow's name and uses it to write one table as one stream, in Arrow's
published format: a schema and one batch, each a flatbuffer, and the columns after it. Other kinds
of columns and every index but the plain count of rows are refused, in Arrow's own words for that.
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Iterator, Sequence
from typing import Any

__version__ = "0"  # so that pandas does without it


class ArrowInvalid(ValueError):  # noqa: N818
    """A value cannot be written."""


class ArrowTypeError(TypeError):
    """A column holds a mixture."""


class ArrowNotImplementedError(NotImplementedError):
    """A kind of column or index that this does not know."""


class Array:
    """No value here is one."""


ChunkedArray = RecordBatch = RecordBatchReader = ListType = LargeListType = Array


class DataType(str):
    """The kind of a column: string, bool, int64 or double."""


class _Types:
    """What Streamlit asks of a kind: `is_string` and its like."""

    def __getattr__(self, name: str) -> Any:
        of = {"is_integer": "int64", "is_floating": "double", "is_boolean": "bool"}
        wanted = of.get(name, name.removeprefix("is_"))
        return lambda kind: kind == wanted


types = _Types()


class Field:
    """A column's name and kind."""

    def __init__(self, name: str, kind: str) -> None:
        self.name, self.type = name, DataType(kind)


class Schema:
    """The columns of a table.

    Attributes:
        fields: Names and kinds.
        pandas_metadata: How pandas had them.
    """

    def __init__(self, fields: Sequence[Field], pandas_metadata: dict[str, Any]) -> None:
        self.fields, self.pandas_metadata = list(fields), pandas_metadata

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def field(self, place: int) -> Field:
        """Return one column."""
        return self.fields[place]

    @property
    def names(self) -> list[str]:
        """The columns' names."""
        return [field.name for field in self.fields]


class Table:
    """Columns of one length.

    Attributes:
        schema: Names and kinds.
        columns: The values; None where there is none.
        num_rows: How many.
    """

    def __init__(self, schema: Schema, columns: list[list[Any]], num_rows: int) -> None:
        self.schema, self.columns, self.num_rows = schema, columns, num_rows

    @classmethod
    def from_pandas(cls, frame: Any, preserve_index: bool | None = None) -> Table:
        """Return a table of pandas as one of these.

        Raises:
            ArrowNotImplementedError: It has another index than the count of its rows, or a column
                of another kind.
            ArrowTypeError: A column of objects holds more than text.
        """
        if type(frame.index).__name__ != "RangeIndex" or preserve_index:
            raise ArrowNotImplementedError("Only the count of rows can be the index here.")
        fields, columns, about = [], [], []
        for place, name in enumerate(frame.columns):
            series = frame.iloc[:, place]
            kind, told = _kind(series)
            empty = series.isna().tolist()
            of = {"string": str, "bool": bool, "int64": int, "double": float}[kind]
            columns.append([None if no else of(x) for x, no in zip(series, empty, strict=True)])
            fields.append(Field(str(name), kind))
            about.append({"name": name, "field_name": str(name), **told, "metadata": None})
        index = frame.index
        described = {
            "index_columns": [
                {
                    "kind": "range",
                    "name": index.name,
                    "start": index.start,
                    "stop": index.stop,
                    "step": index.step,
                }
            ],
            "column_indexes": [
                {
                    "name": None,
                    "field_name": None,
                    "pandas_type": "unicode",
                    "numpy_type": str(frame.columns.dtype),
                    "metadata": {"encoding": "UTF-8"},
                }
            ],
            "columns": about,
            "pandas_version": sys.modules["pandas"].__version__,
        }
        return cls(Schema(fields, described), columns, len(frame))


def _kind(series: Any) -> tuple[str, dict[str, str]]:
    name, code = str(series.dtype), series.dtype.kind
    if name in ("object", "str", "string"):
        if not all(isinstance(x, str) for x in series.dropna()):
            raise ArrowTypeError(f"The column {series.name} holds more than text.")
        return "string", {"pandas_type": "unicode", "numpy_type": name}
    for letters, kind, pandas_type in ("b", "bool", "bool"), ("iu", "int64", "int64"):
        if code in letters:
            return kind, {"pandas_type": pandas_type, "numpy_type": name}
    if code == "f":
        return "double", {"pandas_type": "float64", "numpy_type": name}
    raise ArrowNotImplementedError(f"The column {series.name} is of the kind {name}.")


class BufferOutputStream:
    """Bytes that grow."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def getvalue(self) -> BufferOutputStream:
        """Return what was written."""
        return self

    def to_pybytes(self) -> bytes:
        """Return it as bytes."""
        return b"".join(self.parts)


class RecordBatchStreamWriter:
    """Writes one table as a stream."""

    def __init__(self, sink: BufferOutputStream, schema: Schema) -> None:
        self._parts = sink.parts
        self._parts.append(_message(1, _schema(schema), 0))

    def write_table(self, table: Table) -> None:
        """Write the rows."""
        nodes, buffers, body = b"", b"", b""
        for field, values in zip(table.schema, table.columns, strict=True):
            nodes += struct.pack("<qq", len(values), sum(x is None for x in values))
            for part in _buffers(field.type, values):
                buffers += struct.pack("<qq", len(body), len(part))
                body += part + bytes(-len(part) % 8)
        batch = _table(
            ("q", table.num_rows), ("o", _vector(nodes, 16)), ("o", _vector(buffers, 16))
        )
        self._parts += [_message(3, batch, len(body)), body]

    def close(self) -> None:
        """End the stream."""
        self._parts.append(b"\xff\xff\xff\xff\0\0\0\0")


def _bits(flags: Sequence[Any]) -> bytes:
    whole = sum(1 << place for place, flag in enumerate(flags) if flag)
    return whole.to_bytes((len(flags) + 7) // 8, "little")


def _buffers(kind: str, values: Sequence[Any]) -> Iterator[bytes]:
    """Yield which values are there, where the text ends, and the values."""
    yield _bits([x is not None for x in values]) if None in values else b""
    if kind == "string":
        texts = [(x or "").encode("utf-8", "replace") for x in values]
        ends = [0]
        for text in texts:
            ends.append(ends[-1] + len(text))
        yield struct.pack(f"<{len(ends)}i", *ends)
        yield b"".join(texts)
    elif kind == "bool":
        yield _bits(values)
    else:
        code = "q" if kind == "int64" else "d"
        yield struct.pack(f"<{len(values)}{code}", *(x or 0 for x in values))


# A flatbuffer is made of tables, vectors and text. Each is a function that appends itself to a
# buffer, and what it refers to after it, and returns the place at which it stands.


def _schema(schema: Schema) -> Any:
    fields = []
    for field in schema:
        code, inner = {
            "string": (5, _table()),
            "bool": (6, _table()),
            "int64": (2, _table(("i", 64), ("?", True))),
            "double": (3, _table(("h", 2))),
        }[field.type]
        fields.append(
            _table(
                ("o", _text(field.name)),
                ("?", True),
                ("B", code),
                ("o", inner),
                None,
                ("o", _list([])),
            )
        )
    told = _text(json.dumps(schema.pandas_metadata))
    pair = _table(("o", _text("pandas")), ("o", told))
    return _table(("h", 0), ("o", _list(fields)), ("o", _list([pair])))


def _message(kind: int, header: Any, length: int) -> bytes:
    buffer = bytearray(4)
    root = _table(("h", 4), ("B", kind), ("o", header), ("q", length))(buffer)
    struct.pack_into("<I", buffer, 0, root)
    buffer += bytes(-len(buffer) % 8)
    return b"\xff\xff\xff\xff" + struct.pack("<i", len(buffer)) + bytes(buffer)


def _align(buffer: bytearray, size: int, before: int = 0) -> None:
    buffer += bytes(-(len(buffer) + before) % size)


def _refer(buffer: bytearray, place: int, made: Any) -> None:
    struct.pack_into("<I", buffer, place, made(buffer) - place)


def _table(*slots: tuple[str, Any] | None) -> Any:
    def put(buffer: bytearray) -> int:
        sizes = [struct.calcsize("<" + slot[0].replace("o", "I")) if slot else 0 for slot in slots]
        places, end = [0] * len(slots), 4
        for slot in sorted(range(len(slots)), key=lambda k: -sizes[k]):
            if sizes[slot]:
                end += -end % sizes[slot]
                places[slot], end = end, end + sizes[slot]
        head = struct.pack(f"<{2 + len(slots)}H", 4 + 2 * len(slots), end, *places)
        _align(buffer, 8, len(head))
        buffer += head
        start = len(buffer)
        buffer += struct.pack("<i", len(head)) + bytes(end - 4)
        later = []
        for slot, place in zip(slots, places, strict=True):
            if slot and slot[0] == "o":
                later.append((start + place, slot[1]))
            elif slot:
                struct.pack_into("<" + slot[0], buffer, start + place, slot[1])
        for place, made in later:
            _refer(buffer, place, made)
        return start

    return put


def _text(text: str) -> Any:
    def put(buffer: bytearray) -> int:
        _align(buffer, 4)
        data, start = text.encode(), len(buffer)
        buffer += struct.pack("<I", len(data)) + data + b"\0"
        return start

    return put


def _vector(data: bytes, size: int) -> Any:
    def put(buffer: bytearray) -> int:
        _align(buffer, 8, 4)
        start = len(buffer)
        buffer += struct.pack("<I", len(data) // size) + data
        return start

    return put


def _list(items: Sequence[Any]) -> Any:
    def put(buffer: bytearray) -> int:
        _align(buffer, 4)
        start = len(buffer)
        buffer += struct.pack("<I", len(items)) + bytes(4 * len(items))
        for place, item in enumerate(items):
            _refer(buffer, start + 4 + 4 * place, item)
        return start

    return put
