"""Our own writer of tables for the browser, read back by Arrow itself."""

from __future__ import annotations

import json
import runpy
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.house.tree import ROOT

ours = SimpleNamespace(**runpy.run_path(str(ROOT / ".static" / "browser" / "pyarrow.py")))


def written(frame: pd.DataFrame) -> bytes:
    """Write a table as Streamlit does."""
    table, sink = ours.Table.from_pandas(frame), ours.BufferOutputStream()
    writer = ours.RecordBatchStreamWriter(sink, table.schema)
    writer.write_table(table)
    writer.close()
    return bytes(sink.getvalue().to_pybytes())


def agree(frame: pd.DataFrame) -> None:
    """Arrow reads what we wrote, finds no fault in it, and has the same itself."""
    found = pyarrow.RecordBatchStreamReader(written(frame)).read_all()
    found.validate(full=True)
    wanted = pyarrow.Table.from_pandas(frame)
    assert found.schema.names == wanted.schema.names
    assert found.to_pylist() == wanted.to_pylist()
    told = json.loads(found.schema.metadata[b"pandas"])
    known = json.loads(wanted.schema.metadata[b"pandas"])
    assert told["index_columns"] == known["index_columns"]
    assert [c["numpy_type"] for c in told["columns"]] == [c["numpy_type"] for c in known["columns"]]


texts = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=9)


@given(st.lists(st.tuples(texts, st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats())))
def test_arrow_reads_the_same_rows(rows: list[Any]):
    frame = pd.DataFrame(rows, columns=["text", "ü", "n", "x"]).astype(
        {"text": "string", "ü": bool, "n": "int64", "x": float}
    )
    agree(frame)


def test_a_table_of_no_columns():
    agree(pd.DataFrame(index=pd.RangeIndex(0)))


@pytest.mark.parametrize(
    ("frame", "error"),
    [
        (pd.DataFrame({"a": ["x", 1]}), ours.ArrowTypeError),
        (pd.DataFrame({"a": [1]}, index=["x"]), ours.ArrowNotImplementedError),
        (pd.DataFrame({"a": [1j]}), ours.ArrowNotImplementedError),
    ],
)
def test_what_it_does_not_know_is_refused(frame: pd.DataFrame, error: type[Exception]):
    with pytest.raises(error):
        ours.Table.from_pandas(frame)


def test_streamlit_asks_only_for_what_is_there():
    assert ours.types.is_string(ours.Field("a", "string").type)
    assert ours.types.is_floating(ours.Field("a", "double").type)
    assert not ours.types.is_timestamp(ours.Field("a", "bool").type)
