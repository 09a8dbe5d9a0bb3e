"""The engine against tests/golden/rates.json, solved to 50 digits by another method."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rates
from rates.study.scenario import FederatedStudy, Server, TransferStudy

RELATIVE = 1e-11
GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "golden" / "rates.json").read_text(encoding="utf-8")
)
Case = dict[str, Any]


def server(row: Case, name: str) -> Server:
    """Return a row of the file as a record."""
    delta = row.get("delta")
    return Server(
        name=name,
        n=row["n"],
        epsilon=float(row["epsilon"]),
        delta=None if delta is None else float(delta),
        signal_exponent=float(row.get("gamma", 1)),
        count=row.get("count", 1),
    )


def study_of(case: Case) -> TransferStudy | FederatedStudy:
    """Return a case of the file as a study."""
    rows = [server(row, f"row {i}") for i, row in enumerate(case["servers"])]
    smoothness = float(case["smoothness"])
    if "integrability" in case:
        p = float(case["integrability"])
        return FederatedStudy(servers=rows, smoothness=smoothness, integrability=p)
    margin, dimension = float(case["margin"]), case["dimension"]
    return TransferStudy(
        target=rows[0], sources=rows[1:], smoothness=smoothness, dimension=dimension, margin=margin
    )


def assert_fields(record: object, expected: Case) -> None:
    """Compare every field that the file states for a record."""
    for name, value in expected.items():
        if name in ("r_delta", "delta_min"):
            continue  # not in the record
        actual = getattr(record, name)
        if name in ("limited_by", "level"):
            assert actual == (tuple(value) if isinstance(value, list) else value), name
        elif isinstance(value, list):
            assert actual == pytest.approx([float(x) for x in value], rel=RELATIVE, abs=0), name
        elif name.startswith("log_") and name != "log_factor":
            assert actual == pytest.approx(float(value), rel=RELATIVE, abs=RELATIVE), name
        else:
            assert actual == pytest.approx(float(value), rel=RELATIVE, abs=0), name
    for name in ("elasticity_n", "elasticity_epsilon"):
        if f"{name}_above" not in expected:
            assert getattr(record, f"{name}_above") == getattr(record, name)
    assert abs(record.residual) < 1e-11  # type: ignore[attr-defined]


def assert_answer(answer: object, expected: Case) -> None:
    """Compare a transfer record, or both risks of a federated one."""
    if "integrated" in expected:
        for risk in ("integrated", "pointwise"):
            assert_fields(getattr(answer, risk), expected[risk])
    else:
        assert_fields(answer, expected)


@pytest.mark.parametrize("case", GOLDEN["transfer"] + GOLDEN["federated"])
def test_rate_equation(case: Case) -> None:
    expected = case["answer"]
    answer = rates.solve(study_of(case))
    assert answer.scale == "up to constants and logs"
    assert_answer(answer, expected)
    if "r" in expected and "bandwidth" not in expected:
        assert answer.bandwidth is None
        assert answer.log_factor is None


@pytest.mark.parametrize("case", GOLDEN["transfer_mechanism"] + GOLDEN["federated_mechanism"])
def test_mechanism(case: Case) -> None:
    kappa = float(case.get("kappa", 2))
    answer = rates.calibrated(study_of(case), mechanism=case["mechanism"], kappa=kappa)
    assert_answer(answer, case["answer"])
    assert case["mechanism"] in answer.scale
