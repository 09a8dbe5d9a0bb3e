"""Changes of the sources are drawn by their seed alone; each is a program, and another one."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import mutants

EACH = {
    "comparison": ("a < b <= c", "a >= b <= c"),
    "not": ("x = not a", "x = not not a"),
    "number": ("f(1, width=2, on=True)", "f(2, width=2, on=True)"),
    "arguments": ("f(a, b, c)", "f(b, a, c)"),
    "values": ("{'a': 1, 'b': 2}", "{'a': 2, 'b': 1}"),
    "operator": ("a and b", "a or b"),
    "block": ("def f():\n    yield a", "def f():\n    yield from ()"),
    "answer": ("a if b else c", "c if b else a"),
}


@pytest.mark.parametrize("kind", mutants.KINDS)
def test_each_kind_changes_one_thing(kind: str) -> None:
    before, after = EACH[kind]
    (place, line, _), *rest = mutants.places(before, kind)
    assert line == 1 + (kind == "block")
    assert mutants.changed(before, kind, place) == after
    assert all(mutants.changed(before, kind, k) not in (before, after) for k, *_ in rest)
    assert mutants.places("st.columns([1, 2])", kind) == []


def test_a_seed_draws_the_same_changes_each_of_which_is_another_program() -> None:
    many = len(mutants.KINDS)
    one, again, other = (mutants.choose(mutants.ROOT, seed, many) for seed in (5, 5, 6))
    assert one == again
    assert len(one) == many
    assert {m.text for m in one}.isdisjoint(m.text for m in other)
    for mutant in one:
        compile(mutant.text, mutant.file, "exec")
        now = (mutants.ROOT / mutant.file).read_text("utf-8")
        assert mutant.text != ast.unparse(ast.parse(now))
        tests, _ = mutant.checks
        assert any((mutants.ROOT / tests[-1]).glob("test_*.py"))
