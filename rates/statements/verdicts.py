"""Verdicts as they stand in the repository, so that a page can show them before it runs a test.

`python -m rates.verdicts` computes them anew; a test fails where stored and computed differ.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from rates.formal import claims, tally
from rates.numbers import plain
from rates.statements.ledger import (
    PAPERS,
    Evaluation,
    Verdict,
    evaluate,
    statement,
    statements_of,
)
from rates.statements.outcome import Form
from rates.statements.reviewed import decisions, derived, review, told, write


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredVerdict:
    """The verdict on one form of a statement, with the test that it rests on.

    Attributes:
        form: As printed, or in our reading.
        words: The verdict in words.
        seed: Seed of the draws; None without a test.
        number: Draws made; None likewise.
        violations: Draws at which the form fails; None likewise.
        worst: Largest gap found, to six digits; None likewise.
        attained: Part of the proved bound that was reached, to six digits; None where the
            statement is not one up to constants.
    """

    form: Form
    words: str
    seed: int | None = None
    number: int | None = None
    violations: int | None = None
    worst: float | None = None
    attained: float | None = None


def to_store(verdict: Verdict) -> StoredVerdict:
    """Return what is stored of a computed verdict."""
    outcome = verdict.outcome
    if outcome is None:
        return StoredVerdict(form=verdict.form, words=verdict.words)
    attained = outcome.attained
    return StoredVerdict(
        form=verdict.form,
        words=verdict.words,
        seed=outcome.seed,
        number=outcome.number,
        violations=outcome.violations,
        worst=_short(outcome.worst),
        attained=None if attained is None else _short(attained),
    )


def of_evaluation(found: Evaluation) -> tuple[StoredVerdict, ...]:
    """Return what is stored of the verdicts on all forms of a statement."""
    return tuple(to_store(verdict) for verdict in found.verdicts)


@cache
def stored(paper: str) -> Mapping[str, tuple[StoredVerdict, ...]]:
    """Return the stored verdicts of a paper by statement, the printed form first.

    Examples:
        >>> [verdict.words for verdict in stored("ACC")["ACC:Cor3.2:eps21"]]
        ['changes a conclusion', 'algebra checked step by step']
    """
    file = resources.files("rates") / "claims" / file_name(paper)
    rows: dict[str, list[dict[str, Any]]] = json.loads(file.read_text(encoding="utf-8"))
    return {
        name: tuple(StoredVerdict(**{k: _read(v) for k, v in row.items()}) for row in forms)
        for name, forms in rows.items()
    }


def file_name(paper: str) -> str:
    """Return the name of the file with the verdicts of a paper.

    >>> file_name("ACC")
    'verdicts-acc.json'
    """
    return f"verdicts-{paper.lower()}.json"


def compute(paper: str, *, seed: int = 0) -> dict[str, list[dict[str, Any]]]:
    """Run every test of a paper and return what its file has to hold."""
    return {
        item.id: [
            {key: _write(value) for key, value in asdict(verdict).items() if value is not None}
            for verdict in of_evaluation(evaluate(item, seed=seed))
        ]
        for item in statements_of(paper)
    }


def derive_all(paper: str) -> dict[str, bool]:
    """Run every derivation of a paper's statements; say by name whether all its steps come out."""
    from rates.statements.symbolic import derive  # on demand: sympy

    names = sorted({item.derivation for item in statements_of(paper) if item.derivation})
    return {name: derive(name).proved for name in names}


def tell_all(paper: str) -> dict[str, Any]:
    """Try the mutants of a paper's formal claims, in the form that we use."""
    out = {}
    for item in statements_of(paper):
        claim = claims().get((item.id, item.used))
        if claim is not None and claim.at is None:
            out[item.id] = asdict(tally(claim, np.random.default_rng(1)))
    return out


def decide_all(paper: str) -> dict[str, Any]:
    """Decide what is a claim of orders among a paper's statements."""
    from rates.statements.decided import decided  # on demand: sympy

    found = {item.id: decided(item.id) for item in statements_of(paper)}
    return {name: one for name, one in found.items() if one is not None}


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the files of the papers named, of all by default, or note what was read again."""
    parser = argparse.ArgumentParser(prog="python -m rates.verdicts", description=__doc__)
    parser.add_argument("papers", nargs="*", default=list(PAPERS), metavar="paper")
    parser.add_argument("--reviewed", nargs="+", metavar="ID", help="read against their checks")
    given = parser.parse_args(arguments)
    folder = Path(__file__).parents[1] / "claims"
    if given.reviewed:
        review([statement(name) for name in given.reviewed], folder)
        print(f"Read against their checks: {', '.join(given.reviewed)}")
        return
    from rates.formal import certify  # on demand: mpmath

    certify.write(folder / certify.FILE)
    for paper in given.papers:
        write(folder / "mutants.json", {**told(), **tell_all(paper)})
        told.cache_clear()
        write(folder / "decided.json", {**decisions(), **decide_all(paper)})
        decisions.cache_clear()
        write(folder / "derived.json", {**derived(), **derive_all(paper)})
        derived.cache_clear()
        text = json.dumps(compute(paper), indent=1, ensure_ascii=False, allow_nan=False)
        (folder / file_name(paper)).write_text(text + "\n", encoding="utf-8")
        print(f"{file_name(paper)}: {len(statements_of(paper))} statements")


def _short(x: float) -> float:
    return x if math.isinf(x) else float(f"{x:.6g}")


def _write(value: object) -> object:
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return plain(value) if isinstance(value, float) else value


def _read(value: object) -> Any:
    return math.inf * (1 if value == "inf" else -1) if value in ("inf", "-inf") else value
