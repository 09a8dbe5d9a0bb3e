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
from rates.numbers import DomainError
from rates.study import Server, Study
from tests.rates.made import curve, site, transfer, vectors

RELATIVE = 1e-11
Vector = dict[str, Any]


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
        assert (set(record.limited_by), set(record.shares)) == ({"none"}, {0.0})
        return
    statuses = ["privacy" if s == "tie" else s for s in expected["status"]]
    assert list(record.limited_by) == statuses
    close(record.shares, expected["share"])
    for field, name in (("elasticity_n", "n"), ("elasticity_epsilon", "eps")):
        key = f"dlog{letter}_dlog{name}"
        close(getattr(record, field), expected[key])
        close(getattr(record, f"{field}_above"), expected.get(f"{key}_sample_side", expected[key]))
    assert abs(record.residual) < 1e-11


def sites(n: Any, epsilon: Any, gamma: Any) -> list[Any]:
    rows = enumerate(zip(map(int, n), epsilon, gamma, strict=True))
    return [site(f"row {j}", *row, None, signal_exponent=g) for j, (*row, g) in rows]


def test_r_vectors() -> None:
    for vector in vectors("r", 32):
        given, expected = vector["input"], vector["expected"]
        beta, d, alpha = float(given["beta"]), given["d"], float(given["alpha"])
        n, epsilon, gamma = (
            np.array([float(row[key]) for row in given["servers"]]) for key in ("n", "eps", "gamma")
        )
        close(rates.solve_r(n, epsilon, gamma, beta=beta, d=d), expected["r"])
        shape = {"beta": np.full((2, 1), beta), "d": np.full((2, 1), d)}
        close(rates.solve_r(np.stack([n, n]), epsilon, gamma, **shape), [expected["r"]] * 2)

        study = transfer(*sites(n, epsilon, gamma), beta=beta, d=d, alpha=alpha)
        answer = rates.solve(study)
        for field in ("r", "rate", "rate_uncapped"):
            close(getattr(answer, field), expected[field])
        close_logs(answer.log_r, expected["log10_r"])
        close_logs(beta * (1 + alpha) * answer.log_r, expected["log10_rate_uncapped"])
        compare_rows(answer, expected, "r")
        assert (answer.bandwidth is None) == any(s.private for s in study.servers)

        if given["delta_min"] is not None:
            delta = float(given["delta_min"])
            root = rates.solve_r(n, epsilon, gamma, beta=beta, d=d, rhs=math.log(2 / delta))
            close(root, expected["r_delta"])
            rows = [replace(s, delta=delta) if s.private else s for s in study.servers]
            full = rates.solve(study.with_servers(rows))
            close(full.bandwidth, str(min(1.0, float(expected["r_delta"]))))
            close(full.log_factor, expected["LN"])
            assert full.r == answer.r


def test_d_vectors() -> None:
    for vector in vectors("D", 12):
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

        servers = sites(n, epsilon, np.ones(len(n)))
        if g <= 0.5:
            with pytest.raises(DomainError, match="Smoothness alpha must exceed 1/2"):
                curve(*servers, alpha=g)
            continue
        answer = rates.solve(curve(*servers, alpha=g))
        for risk in (answer.integrated, answer.pointwise):  # p is infinite: both are the same
            assert risk.smoothness == g
            close(risk.D, expected["D"])
            close(risk.rate, expected["rate"])
            if "log10_D" in expected:
                close_logs(risk.log_D, expected["log10_D"])
                assert risk.level == max(0, expected["ceil_log2_D"])
            compare_rows(risk, expected, "D")


# tests/golden/rates.json, solved by another method ------------------------------------------------

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "golden" / "rates.json").read_text(encoding="utf-8")
)
Case = dict[str, Any]


def server(row: Case, name: str) -> Server:
    """Return a row of the file as a record."""
    delta = None if row.get("delta") is None else float(row["delta"])
    more = {"signal_exponent": float(row.get("gamma", 1)), "count": row.get("count", 1)}
    return Server(name=name, n=row["n"], epsilon=float(row["epsilon"]), delta=delta, **more)


def study_of(case: Case) -> Study:
    """Return a case of the file as a study."""
    rows = [server(row, f"row {i}") for i, row in enumerate(case["servers"])]
    smoothness = float(case["smoothness"])
    if "integrability" in case:
        return curve(*rows, alpha=smoothness, p=float(case["integrability"]))
    return transfer(*rows, beta=smoothness, d=case["dimension"], alpha=float(case["margin"]))


def assert_fields(record: object, expected: Case) -> None:
    """Compare every field that the file states for a record."""
    for name, value in expected.items():
        if name in ("r_delta", "delta_min"):
            continue  # not in the record
        actual = getattr(record, name)
        if name in ("limited_by", "level"):
            assert actual == (tuple(value) if isinstance(value, list) else value), name
            continue
        wanted = [float(x) for x in value] if isinstance(value, list) else float(value)
        near = RELATIVE if name.startswith("log_") and name != "log_factor" else 0
        assert actual == pytest.approx(wanted, rel=RELATIVE, abs=near), name
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
        assert (answer.bandwidth, answer.log_factor) == (None, None)


@pytest.mark.parametrize("case", GOLDEN["transfer_mechanism"] + GOLDEN["federated_mechanism"])
def test_mechanism(case: Case) -> None:
    kappa = float(case.get("kappa", 2))
    answer = rates.calibrated(study_of(case), mechanism=case["mechanism"], kappa=kappa)
    assert_answer(answer, case["answer"])
    assert case["mechanism"] in answer.scale
