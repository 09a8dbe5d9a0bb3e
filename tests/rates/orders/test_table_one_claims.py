"""Table 1 as claims: decided at drawn exponents, refuted by `governing`, proved by sums."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

import rates
from rates.orders import decide, drawn, table_one_cells
from rates.proofs import check

WRONG = [(1, 3, "A", "NPs"), (1, 3, "B", "Pt"), (2, 3, "printed", "NPt")]


@pytest.mark.parametrize(
    "count",
    [
        4,
        pytest.param(60, marks=pytest.mark.deep),
        pytest.param(500, marks=pytest.mark.slow),
    ],
)
def test_every_cell_is_decided(count):
    cells = table_one_cells()
    assert len(cells) == 21
    wrong = set()
    for cell in cells:
        claim = cell.claim
        name = (cell.row, cell.column, cell.reading, cell.term)
        for exponents in drawn(claim.order, count, seed=21):
            found = decide(claim, exponents)
            if found.holds:
                assert check(json.loads(json.dumps(found.certificate)))
                continue
            wrong.add(name)
            shape = {x: float(value) for x, value in exponents.items()}
            sizes = {x: float(value) for x, value in found.counterexample.items()}
            decides = rates.governing(sizes["n"], sizes["m"], sizes["n0"], sizes["eps"], **shape)
            assert str(decides) != cell.term
            true, said = (o.value(sizes, shape) for o in (claim.order, claim.other))
            assert abs(true / said - 1.0) > 1e-6
            assert found.constant == float("inf")
        if name in WRONG:
            assert name in wrong
    assert wrong == set(WRONG)


@pytest.mark.parametrize("module", ["certificate", "exact"])
def test_the_checker_needs_the_standard_library_alone(module):
    path = Path(rates.__file__).parent / "proofs" / f"{module}.py"
    imported = {
        node.module
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
    }
    plain = {"__future__", "collections.abc", "dataclasses", "decimal", "fractions", "typing"}
    assert imported - plain <= {"rates.proofs"}
