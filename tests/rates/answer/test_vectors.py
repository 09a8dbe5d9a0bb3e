"""The engine against vectors beside the repository, and a table solved to 50 digits."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rates
from rates.answer import resolution_level
from rates.study.scenario import DomainError, FederatedStudy, Server, TransferStudy

RELATIVE = 1e-11
FILE = Path(__file__).parents[4] / "shared" / "vectors" / "vectors.json"

Vector = dict[str, Any]


def load(kind: str) -> list[Any]:
    """Return the vectors of one kind, or a skipped stand-in where the file is absent."""
    if not FILE.exists():
        reason = f"no ../shared/vectors/{FILE.name} beside the repository"
        return [pytest.param({}, marks=pytest.mark.skip(reason=reason), id=kind)]
    vectors = json.loads(FILE.read_text(encoding="utf-8"))["vectors"]
    return [pytest.param(v, id=v["id"]) for v in vectors if v["kind"] == kind]


def close(actual: object, expected: Any) -> None:
    """Compare with a decimal string, or a list of them, to eleven digits."""
    value = [float(x) for x in expected] if isinstance(expected, list) else float(expected)
    assert np.asarray(actual) == pytest.approx(np.asarray(value), rel=RELATIVE, abs=0)


def close_logs(actual: float, log10: str) -> None:
    """Compare a natural logarithm with a decimal one."""
    assert actual / math.log(10) == pytest.approx(float(log10), rel=RELATIVE, abs=1e-13)


def compare_rows(record: Any, expected: Vector, letter: str) -> None:
    """Compare what a record says about each row; a tie reads as privacy."""
    if "status" not in expected:  # no information
        assert set(record.limited_by) == {"none"}
        assert set(record.shares) == {0.0}
        return
    statuses = ["privacy" if s == "tie" else s for s in expected["status"]]
    assert list(record.limited_by) == statuses
    close(record.shares, expected["share"])
    for field, name in (("elasticity_n", "n"), ("elasticity_epsilon", "eps")):
        key = f"dlog{letter}_dlog{name}"
        close(getattr(record, field), expected[key])
        close(getattr(record, f"{field}_above"), expected.get(f"{key}_sample_side", expected[key]))
    assert abs(record.residual) < 1e-11


def with_delta(server: Server, delta: float) -> Server:
    """Give a private server a delta."""
    return replace(server, delta=delta) if server.private else server


@pytest.mark.parametrize("vector", load("r"))
def test_r_vector(vector: Vector) -> None:
    given, expected = vector["input"], vector["expected"]
    beta, d = float(given["beta"]), given["d"]
    n, epsilon, gamma = (
        np.array([float(row[key]) for row in given["servers"]]) for key in ("n", "eps", "gamma")
    )
    close(rates.solve_r(n, epsilon, gamma, beta=beta, d=d), expected["r"])
    grid = rates.solve_r(
        np.stack([n, n]), epsilon, gamma, beta=np.full((2, 1), beta), d=np.full((2, 1), d)
    )
    close(grid, [expected["r"]] * 2)

    target, *sources = (
        Server(name=f"row {j}", n=int(n[j]), epsilon=epsilon[j], signal_exponent=gamma[j])
        for j in range(len(n))
    )
    margin = float(given["alpha"])
    study = TransferStudy(
        target=target, sources=sources, smoothness=beta, dimension=d, margin=margin
    )
    answer = rates.solve(study)
    for field in ("r", "rate", "rate_uncapped"):
        close(getattr(answer, field), expected[field])
    close_logs(answer.log_r, expected["log10_r"])
    power = beta * (1 + margin)
    close_logs(power * answer.log_r, expected["log10_rate_uncapped"])
    compare_rows(answer, expected, "r")
    assert (answer.bandwidth is None) == any(s.private for s in study.servers)

    if given["delta_min"] is not None:
        delta = float(given["delta_min"])
        right = math.log(2 / delta)
        root = rates.solve_r(n, epsilon, gamma, beta=beta, d=d, rhs=right)
        close(root, expected["r_delta"])
        full = rates.solve(study.with_servers([with_delta(s, delta) for s in study.servers]))
        close(full.bandwidth, str(min(1.0, float(expected["r_delta"]))))
        close(full.log_factor, expected["LN"])
        assert full.r == answer.r


@pytest.mark.parametrize("vector", load("D"))
def test_d_vector(vector: Vector) -> None:
    given, expected = vector["input"], vector["expected"]
    g = float(given["smoothness"])
    n, epsilon = (np.array([float(x) for x in given[key]]) for key in ("n", "eps"))
    root = rates.solve_D(n, epsilon, smoothness=g)
    close(root, expected["D"])
    grid = rates.solve_D(np.stack([n, n]), epsilon, smoothness=np.full((2, 1), g))
    close(grid, [expected["D"]] * 2)
    if "ceil_log2_D" in expected:
        assert resolution_level(math.log(float(root))) == max(0, expected["ceil_log2_D"])
    if expected.get("cond8") and "D_all_private" in expected:  # privacy binds everywhere
        close(root, expected["D_all_private"])

    servers = [Server(name=f"row {j}", n=int(n[j]), epsilon=epsilon[j]) for j in range(len(n))]
    if g <= 0.5:
        with pytest.raises(DomainError, match="Smoothness alpha must exceed 1/2"):
            FederatedStudy(servers=servers, smoothness=g)
        return
    answer = rates.solve(FederatedStudy(servers=servers, smoothness=g))
    for risk in (answer.integrated, answer.pointwise):  # p is infinite: both are the same
        assert risk.smoothness == g
        close(risk.D, expected["D"])
        close(risk.rate, expected["rate"])
        if "log10_D" in expected:
            close_logs(risk.log_D, expected["log10_D"])
            assert risk.level == max(0, expected["ceil_log2_D"])
        compare_rows(risk, expected, "D")


def test_all_vectors_were_there() -> None:
    if not FILE.exists():
        pytest.skip(f"no ../shared/vectors/{FILE.name} beside the repository")
    assert len(load("r")) == 32
    assert len(load("D")) == 12


# tests/golden/rates.json, solved by another method ------------------------------------------------

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "golden" / "rates.json").read_text(encoding="utf-8")
)
Case = dict[str, Any]


def server(row: Case, name: str) -> Server:
    """Return a row of the file as a record."""
    given = {"delta": row.get("delta"), "signal_exponent": row.get("gamma", 1)}
    fields = {key: None if x is None else float(x) for key, x in given.items()}
    epsilon, count = float(row["epsilon"]), row.get("count", 1)
    return Server(name=name, n=row["n"], epsilon=epsilon, count=count, **fields)


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
