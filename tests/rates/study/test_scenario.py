"""Records: what they refuse, in which words, and what they hand on."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rates.numbers.parameters import (
    FEDERATED_FIELDS,
    MAX_COUNT,
    MAX_DIMENSION,
    MAX_N,
    MAX_ROWS,
    MAX_SMOOTHNESS,
    SERVER_FIELDS,
    TRANSFER_FIELDS,
    Parameter,
    check_array,
    shown,
)
from rates.study.scenario import DomainError, FederatedStudy, Server, TransferStudy

RULES = {
    "n": "Sample size must be a non-negative integer.",
    "epsilon": "epsilon must be >= 0 (use inf for a public server).",
    "delta": "delta must lie strictly between 0 and 1.",
    "signal_exponent": "Relative signal exponent gamma must be positive and finite.",
    "count": "count must be a whole number of at least 1.",
}
TRANSFER_RULES = {
    "smoothness": "Smoothness beta must satisfy 0 < beta <= 1.",
    "dimension": "Dimension d must be a positive integer.",
    "margin": "Margin alpha must be >= 0.",
}
FEDERATED_RULES = {
    "smoothness": "Smoothness alpha must exceed 1/2.",
    "integrability": "p must be >= 2 (p=inf allowed).",
}
NO_NUMBERS = [True, False, np.True_, "1", "inf", None, 1j, [1], Decimal(1), object()]


def server(**fields: Any) -> Server:
    return Server(**({"name": "Boston", "n": 100, "epsilon": 1.0} | fields))


def transfer(**fields: Any) -> TransferStudy:
    given = {"target": server(), "smoothness": 0.5, "dimension": 2, "margin": 1.0}
    return TransferStudy(**(given | fields))


def federated(**fields: Any) -> FederatedStudy:
    return FederatedStudy(**({"servers": [server()], "smoothness": 1.5} | fields))


def refusal(make: Any, **fields: Any) -> DomainError:
    """Return the error that refuses these fields."""
    with pytest.raises(DomainError) as caught:
        make(**fields)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)
    return caught.value


OUTSIDE: list[tuple[str, Any]] = [
    *(("n", x) for x in (-1, 2.5, math.nan, math.inf, Fraction(1, 2), np.float64(0.1))),
    *(("epsilon", x) for x in (-1e-9, math.nan, -math.inf, np.float64(-1))),
    *(("delta", x) for x in (0, 1, -0.1, 1.5, math.nan, math.inf, Fraction(3, 2))),
    *(("signal_exponent", x) for x in (0, -1, math.nan, math.inf)),
    *(("count", x) for x in (0, -3, 1.5, math.nan, math.inf)),
]
OUTSIDE += [(name, x) for name in RULES for x in NO_NUMBERS if not (name == "delta" and x is None)]


@pytest.mark.parametrize(("field", "value"), OUTSIDE)
def test_server_refuses(field: str, value: object) -> None:
    error = refusal(server, **{field: value})
    assert str(error) == f"{RULES[field]} Server 'Boston', field {field}: got {shown(value)}."
    assert (error.rule, error.field, error.where) == (RULES[field], field, "Server 'Boston'")
    assert error.value is value


@pytest.mark.parametrize(
    ("make", "rules", "field", "value"),
    [
        *((transfer, TRANSFER_RULES, "smoothness", x) for x in (0, -0.5, 1.01, math.nan, math.inf)),
        *((transfer, TRANSFER_RULES, "dimension", x) for x in (0, -2, 1.5, math.nan, math.inf)),
        *((transfer, TRANSFER_RULES, "margin", x) for x in (-0.1, math.nan, math.inf)),
        *((federated, FEDERATED_RULES, "smoothness", x) for x in (0.5, 0, math.nan)),
        *((federated, FEDERATED_RULES, "integrability", x) for x in (1.99, -math.inf, math.nan)),
        *((transfer, TRANSFER_RULES, name, x) for name in TRANSFER_RULES for x in NO_NUMBERS),
        *((federated, FEDERATED_RULES, name, x) for name in FEDERATED_RULES for x in NO_NUMBERS),
    ],
)
def test_study_refuses(make: Any, rules: dict[str, str], field: str, value: object) -> None:
    error = refusal(make, **{field: value})
    assert str(error).startswith(f"{rules[field]} Study, field {field}: got ")


@pytest.mark.parametrize(
    ("make", "field", "limit", "words"),
    [
        (server, "n", MAX_N, "Sample size must be at most 1e15."),
        (server, "count", MAX_COUNT, "count must be at most 1e9."),
        (transfer, "dimension", MAX_DIMENSION, "Dimension d must be at most 1e6."),
        (federated, "smoothness", MAX_SMOOTHNESS, "Smoothness alpha must be at most 1e6."),
    ],
)
def test_limits_of_ours_have_their_own_words(make: Any, field: str, limit: int, words: str) -> None:
    assert getattr(make(**{field: limit}), field) == limit
    assert getattr(make(**{field: float(limit)}), field) == limit
    for value in (limit + 1, 10**20, 2.0 * limit):
        assert str(refusal(make, **{field: value})).startswith(words)


@pytest.mark.parametrize("field", ["n", "epsilon", "delta", "signal_exponent", "count"])
@pytest.mark.parametrize("value", [10**400, Fraction(-(10**400))], ids=["whole", "fraction"])
def test_numbers_too_large_for_a_double_are_refused(field: str, value: object) -> None:
    error = refusal(server, **{field: value})
    assert f"Server 'Boston', field {field}: got a" in str(error)
    assert len(str(error)) < 200


@pytest.mark.parametrize("n", [7, 7.0, np.int64(7), np.float32(7), Fraction(14, 2), np.uint8(7)])
def test_numbers_of_any_type_become_plain_ones(n: object) -> None:
    made = server(n=n, count=n, epsilon=n, signal_exponent=n)
    for field, kind in (("n", int), ("count", int), ("epsilon", float), ("signal_exponent", float)):
        assert type(getattr(made, field)) is kind
        assert getattr(made, field) == 7
    assert server(epsilon=Fraction(1, 4)).epsilon == 0.25
    assert type(server(delta=np.float64(0.5)).delta) is float
    assert type(transfer(dimension=np.int32(3)).dimension) is int


@pytest.mark.parametrize(
    "name",
    [
        *("", "x" * 81, "all", " ", "\t", "a\nb", "a\x00b", "a\x7f", "a\u2028b", "\ud800"),
        *(7, None, b"A"),
    ],
)
def test_names_refused(name: object) -> None:
    error = refusal(server, name=name)
    words = 'A name must have 1 to 80 printable characters and must not be "all". name: got'
    assert str(error).startswith(words)
    assert error.value is name
    str(error).encode()


def test_names_are_unique() -> None:
    a, b = server(name="A"), server(name="B")
    for make in (
        lambda: transfer(target=a, sources=[b, server(name="A", n=5)]),
        lambda: transfer(target=a, sources=[b, server(name="B", n=5)]),
        lambda: federated(servers=[a, b, server(name="B")]),
    ):
        assert str(refusal(make)).startswith("Names must be unique. Server ")


def test_at_most_ten_thousand_rows() -> None:
    rows = [server(name=f"{i}") for i in range(MAX_ROWS + 1)]
    assert len(federated(servers=rows[1:]).servers) == MAX_ROWS
    assert len(transfer(target=rows[0], sources=rows[1:-1]).servers) == MAX_ROWS
    words = "A study has at most 10,000 rows (use count for identical sites). servers: got 10001."
    assert str(refusal(federated, servers=rows)) == words
    assert str(refusal(transfer, target=rows[0], sources=rows[1:])) == words


def test_the_target_is_measured_against_itself() -> None:
    error = refusal(transfer, target=server(signal_exponent=0.9))
    assert "signal exponent is 1" in str(error)
    assert "Server 'Boston', field signal_exponent: got 0.9." in str(error)
    error = refusal(transfer, target=server(count=2))
    assert "its count must be 1. Server 'Boston', field count: got 2." in str(error)
    sources = [server(name="B", signal_exponent=2, count=2)]
    assert transfer(sources=sources).servers[1].count == 2


def test_margin_against_dimension() -> None:
    words = "alpha*beta must be at most d (Remark 2.2). Study, field margin*smoothness: got 2.1."
    assert str(refusal(transfer, smoothness=0.7, margin=3, dimension=2)) == words
    assert transfer(smoothness=0.05, margin=20 * (1 + 1e-13), dimension=1).dimension == 1
    refusal(transfer, smoothness=0.05, margin=20 * (1 + 1e-11), dimension=1)


def test_smoothness_at_a_point() -> None:
    words = "alpha - 1/p must exceed 1/2. Study, field smoothness: got 0.5."
    assert str(refusal(federated, smoothness=1.0, integrability=2)) == words
    refusal(federated, smoothness=0.7, integrability=4)
    assert federated(smoothness=0.76, integrability=4).pointwise_smoothness > 0.5


@pytest.mark.parametrize("rows", [None, "AB", 7, [1], {server()}, [server(), None]])
def test_rows_must_be_a_sequence_of_servers(rows: object) -> None:
    words = "must be a sequence of Server"
    assert words in str(refusal(federated, servers=rows))
    assert words in str(refusal(transfer, sources=rows))


def test_a_study_needs_its_rows() -> None:
    assert "at least one server" in str(refusal(federated, servers=[]))
    assert "target must be a Server" in str(refusal(transfer, target=None))
    assert transfer().sources == ()


@pytest.mark.parametrize(
    "parameter", [*SERVER_FIELDS.values(), *TRANSFER_FIELDS.values(), *FEDERATED_FIELDS.values()]
)
def test_every_parameter_accepts_the_ends_of_its_domain(parameter: Parameter) -> None:
    for value, is_open in (
        (parameter.low, parameter.low_open),
        (parameter.high, parameter.high_open),
    ):
        if is_open:
            with pytest.raises(DomainError):
                parameter.check(value)
        else:
            assert parameter.check(value) == value
    assert parameter.help.endswith(".")
    assert parameter.allowed.endswith(".")


def test_arrays_of_the_functions() -> None:
    assert check_array("n", 3).shape == (1,)
    cases: list[tuple[dict[str, Any], Any, str]] = [
        ({}, [1, 0], "n must be positive and finite. n: got 0."),
        ({"zero": True}, [1, -2], "n must be >= 0 and finite. n: got -2."),
        ({"zero": True}, [math.nan], "n must be >= 0 and finite. n: got nan."),
        ({"zero": True, "infinite": True}, -math.inf, "n must be >= 0. n: got -inf."),
        ({}, "many", "n must be positive and finite. n: got 'many'."),
        ({}, 10**400, "n must be positive and finite. n: got a whole number"),
        ({"single": True}, [1, 2], "n does not vary over servers"),
    ]
    for options, value, words in cases:
        with pytest.raises(DomainError) as caught:
            check_array("n", value, **options)
        assert str(caught.value).startswith(words)
    assert check_array("n", math.inf, infinite=True)[0] == math.inf
    assert check_array("n", [[1], [2]], single=True).shape == (2, 1)
