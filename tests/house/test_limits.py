"""Which limits of ours hold at home too: those that say so, and no other."""

from __future__ import annotations

import ast

from tests.house.tree import ROOT, Tree

LIMITS = "sims.budgets"
LIVE = "sims.engine.live"  # runs of the app, and of nobody else


def names(code: str) -> set[str]:
    """The names that a code assigns."""
    return {
        node.id
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def test_a_limit_that_holds_at_home_says_so() -> None:
    tree = Tree(ROOT)
    home, pages = tree.by_name[LIMITS].text.split("# On pages alone")
    used = {
        node.attr
        for source in tree.sources
        if source.layer in ("rates", "sims") and source.dotted != LIVE
        for node in source.nodes
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "budgets"
    }
    assert used & names(home + pages.partition("\n")[2]) == names(home)
