"""What the checks without a formal claim make of changes in their own code.

``python tests/golden/make_source_mutants.py`` changes one thing at a time in the function of a
check (a sign, a constant doubled, an exponent by a tenth, a comparison turned round) and asks
whether the form that we use still passes on the same draws. It writes the counts into
`rates/claims/mutants.json`, beside those of the formal claims.
"""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import types
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rates.formal import claims
from rates.statements.checks import Check, measure
from rates.statements.ledger import Statement, statements
from rates.statements.reviewed import told, write

DRAWS, MOST = 200, 16
_TURNED = {ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Lt: ast.Gt, ast.Gt: ast.Lt}


def changes(function: ast.FunctionDef) -> Iterator[tuple[str, list[ast.stmt]]]:
    """Yield the function's body with one thing changed, and where."""
    body = ast.Module(function.body, [])
    for k, node in enumerate(ast.walk(body)):
        for turn in range(2):
            other = copy.deepcopy(body)
            if _change(node, list(ast.walk(other))[k], turn):
                line = getattr(node, "lineno", 0) - function.lineno
                yield f"line {line}: {type(node).__name__}", other.body


def _change(node: ast.AST, twin: Any, turn: int) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        step = ast.Constant(0.1 if turn else -0.1)
        twin.right = ast.BinOp(twin.right, ast.Add(), step)
        return True
    if turn:
        return False
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        twin.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        return True
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _TURNED:
        twin.ops[0] = _TURNED[type(node.ops[0])]()
        return True
    number = isinstance(node, ast.Constant) and type(node.value) in (int, float)
    if number and node.value not in (0, -1):  # type: ignore[attr-defined]
        twin.value = 2 * node.value  # type: ignore[attr-defined]
        return True
    return False


def checked(name: str) -> tuple[types.ModuleType, ast.Module, int | None, str]:
    """Return a check's module, its tree, where its function stands there, and its name."""
    module, _, key = name.partition(".")
    paper, _, file = module.partition("_")
    found = importlib.import_module(f"rates.statements.checks.{paper}.{file}")
    tree = ast.parse(inspect.getsource(found))
    for k, node in enumerate(tree.body):
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            said = {
                word.value.value
                for one in node.decorator_list
                if isinstance(one, ast.Call)
                for word in one.keywords
                if word.arg == "name" and isinstance(word.value, ast.Constant)
            }
            if key in (said or {node.name.lstrip("_")}):
                return found, tree, k, key
    return found, tree, None, key


def count(item: Statement) -> dict[str, Any] | None:
    """Return how many changes of its code a check tells apart; None where none can be made."""
    module, tree, place, key = checked(str(item.check))
    if place is None:
        return None
    names = {node.id for node in ast.walk(tree.body[place]) if isinstance(node, ast.Name)}
    places = [place] + [
        k
        for k, node in enumerate(tree.body)
        if isinstance(node, ast.FunctionDef) and node.name in names and not node.decorator_list
    ]
    made = [(k, *one) for k in places for one in changes(tree.body[k])]  # type: ignore[arg-type]
    usual = _fails(module.CHECKS[key], item)
    apart, seen, missed = 0, 0, []
    for k, words, body in made[:: max(1, -(-len(made) // MOST))]:
        other: Any = copy.copy(tree.body[k])
        other.body = body
        whole = ast.Module([*tree.body[:k], other, *tree.body[k + 1 :]], [])
        space: dict[str, Any] = {"__name__": module.__name__, "__file__": module.__file__}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of numbers that only a mutant meets
                exec(compile(ast.fix_missing_locations(whole), "mutant", "exec"), space)
                told_apart = _fails(space["CHECKS"][key], item) != usual
        except Exception:
            continue  # no longer a program: no mutant
        seen, apart = seen + 1, apart + told_apart
        if not told_apart:
            missed.append(f"{other.name}, {words}")
    return {"told": apart, "changed": seen, "alike": [], "missed": missed, "of": "code"}


def _fails(check: Check, item: Statement) -> list[bool]:
    """Return of every form whether it fails on the same draws: what verdicts follow from."""
    out = []
    for form in item.forms:
        outcome = measure(
            check,
            form,
            generator=np.random.default_rng([0, zlib.crc32(item.id.encode())]),
            seed=0,
            number=min(DRAWS, check.number),
            counterexample=item.counterexample,
        )
        out.append(outcome.fails)
    return out


def main() -> None:
    """Count for every check without a formal claim."""
    found = {}
    for item in statements():
        formal = claims().get((item.id, item.used))
        free = formal is None or formal.at is not None
        if item.check and free and not item.simulated and (one := count(item)):
            found[item.id] = one
    folder = Path(__file__).parents[2] / "rates" / "claims"
    kept = {of: one for of, one in told().items() if "of" not in one}
    write(folder / "mutants.json", {**kept, **found})
    print(f"{len(found)} checks, {sum(one['told'] for one in found.values())} of", end=" ")
    print(sum(one["changed"] for one in found.values()), "changes told apart")


if __name__ == "__main__":
    main()
