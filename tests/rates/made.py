"""Sites and studies in one line, and small changes of them, for tests."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rates.plan import LEVERS
from rates.study import PRESETS, FederatedStudy, Server, Study, TransferStudy

KNOWN = ("n", "epsilon", "count", "signal_exponent", "sites")  # levers, by hand and as frozen
VECTORS = Path(__file__).parents[3] / "shared" / "vectors"
INF = math.inf
CASES = [(entry.study, risk) for entry in PRESETS for risk in entry.study.risks]


def site(name: str = "A", n: int = 1000, epsilon: float = 1, delta: Any = 1e-6, **more: Any) -> Any:
    return Server(name=name, n=n, epsilon=epsilon, delta=delta, **more)


def transfer(*rows: Server, beta: float = 0.5, d: int = 2, alpha: float = 1) -> TransferStudy:
    """A classifier with beta 0.5 and alpha 1, which is what an empty table assumes."""
    first, *rest = rows
    return TransferStudy(target=first, sources=rest, smoothness=beta, dimension=d, margin=alpha)


def curve(*rows: Server, alpha: float = 1.5, p: float = INF) -> FederatedStudy:
    return FederatedStudy(servers=rows, smoothness=alpha, integrability=p)


def changed(study: Study, row: int, **fields: Any) -> Any:
    """The study with one row changed."""
    rows = [replace(s, **fields) if k == row else s for k, s in enumerate(study.servers)]
    return study.with_servers(rows)


def everywhere(study: Study, **fields: Any) -> Any:
    """The study with all rows changed."""
    return study.with_servers([replace(s, **fields) for s in study.servers])


def part(answer: Any, risk: str) -> Any:
    """The answer to one risk."""
    return answer if risk == "classification" else getattr(answer, risk)


def load(name: str) -> Any:
    """A file of vectors; without it the test is skipped."""
    if not (VECTORS / name).exists():
        pytest.skip(f"no ../shared/vectors/{name} beside the repository")
    return json.loads((VECTORS / name).read_text("utf-8"))


def vectors(kind: str, many: int) -> list[Any]:
    """All vectors of one kind, of which there are so many."""
    found = [v for v in load("vectors.json")["vectors"] if v["kind"] == kind]
    assert len(found) == many
    return found


@contextlib.contextmanager
def levers(*names: str) -> Iterator[None]:
    """Only these levers."""
    every = {**LEVERS}
    for name in every.keys() - {*names}:
        del LEVERS[name]
    try:
        yield
    finally:
        LEVERS.clear()
        LEVERS.update(every)
