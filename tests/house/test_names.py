"""A dotted path means one thing: no face hands on a name that a file or room below it has."""

from __future__ import annotations

import importlib

import pytest

from tests.house.tree import ROOT, Tree


def clashes(tree: Tree) -> list[str]:
    """The names that a face hands on from one place while a module of that name stands below it."""
    return [
        f"{source.dotted}.{found.name}"
        for source in tree.sources
        if source.face
        for found in source.imports
        if f"{source.dotted}.{found.name}" in tree.by_name
        and found.dotted != f"{source.dotted}.{found.name}"
    ]


def test_no_module_shares_its_name_with_something_handed_on() -> None:
    assert not clashes(Tree(ROOT))


def test_a_planted_clash_is_found(tmp_path) -> None:
    room = tmp_path / "rates" / "toy"
    room.mkdir(parents=True)
    (room / "__init__.py").write_text(
        "from rates.toy import other\nfrom rates.toy.at import line\n", "utf-8"
    )
    for name in ("at", "line", "other"):
        (room / f"{name}.py").write_text("line = 1\n")
    assert clashes(Tree(tmp_path)) == ["rates.toy.line"]


@pytest.mark.parametrize("name", ["rates.regimes", "rates.calibrated", "rates.solve", "rates.plan"])
def test_a_path_of_the_package_is_a_module_or_nothing(name: str) -> None:
    """`import rates.regimes as x` gives a module, or fails; it gave a function."""
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError:
        return
    assert module.__name__ == name
    assert getattr(importlib.import_module("rates"), name.partition(".")[2]) is module
