"""The lines of Python that draw a tab's figure again: the tab, and what is asked of it."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from pages.charts import Figure
from pages.core import Block, Fold, figure_card
from pages.core.live import tabs
from pages.core.live.tab import Tab
from sims.engine import Progress, Request, run, start
from sims.files import to_dict


def picture(tab: Tab, name: str, asked: str = "", *, finished: bool = False) -> Figure:
    """Return a figure of a tab.

    Args:
        tab: The tab.
        name: The figure's.
        asked: What is asked of the tab, as in its link; empty for what is usual.
        finished: Whether its run, if it has one, is run to the end before.

    Raises:
        DomainError: What is asked is refused.
    """
    made = tab.make(tabs.from_text(asked, tab.usual))
    found, request = made, request_of(made)
    if request is not None:
        found = deque(run(request), maxlen=1).pop() if finished else start(request)
    parts = (tab.before(made), tab.blocks(found), tab.after(made), tab.below(made))
    figures = [figure for part in parts for figure in _figures(part)]
    return next(figure for figure in figures if figure.name == name)


def request_of(made: Any) -> Request | None:
    """Return the run of what a tab made of what is asked; None for a look."""
    request = made if isinstance(made, Request) else getattr(made, "request", None)
    return request if isinstance(request, Request) else None


def told(
    blocks: Iterable[Block], tab: Tab, asked: tabs.Plan, found: Progress | None = None
) -> Iterator[Block]:
    """Give the figures among blocks their lines, where these draw just what is shown.

    Args:
        blocks: What a tab shows.
        tab: The tab.
        asked: What is asked of it.
        found: The run that is shown, if one is.
    """
    alone = tab.alone() if callable(tab.alone) else tab.alone
    place = _place(tab) if alone and _repeats(tab, asked, found) else None
    finished = found is not None and found.state == "finished"
    for block in blocks:
        if isinstance(block, Fold):
            yield replace(block, blocks=tuple(told(block.blocks, tab, asked, found)))
        elif isinstance(block, Figure) and place:
            more: dict[str, Any] = {"finished": True} if finished else {}
            text = tabs.to_text(asked, tab.usual)
            made = partial(figure_card.of, picture, block.name, place, block.name, text, **more)
            yield replace(block, lines=made)
        else:
            yield block


def _repeats(tab: Tab, asked: tabs.Plan, found: Progress | None) -> bool:
    """Whether a run that is shown is of what is asked, and has ended or not begun."""
    if found is None:
        return True
    request = request_of(tab.make(asked))
    same = request is not None and all(
        getattr(request, name) == getattr(found.request, name)
        for name in ("values", "replicates", "seed")
    )
    return same and (found.state == "finished" or not found.done)


def _place(tab: Tab) -> figure_card.Named | None:
    """Return where a tab can be imported from; None where it has no name of its own."""
    # Lists, as another visitor may load a page meanwhile.
    for module in [name for name in [*sys.modules] if name.startswith("pages.")]:
        for name, value in [*vars(sys.modules[module]).items()]:
            if value is tab:
                return figure_card.Named(module, name)
    return None


def _figures(blocks: Iterable[Block]) -> Iterator[Figure]:
    for block in blocks:
        if isinstance(block, Fold):
            yield from _figures(block.blocks)
        elif isinstance(block, Figure):
            yield block


def repeat_lines(request: Request, imports: Iterable[str], experiment: str, reads: str) -> str:
    """Return the lines that repeat a run on what was uploaded.

    Args:
        request: The run.
        imports: Lines that import what is needed besides.
        experiment: What is run on it.
        reads: Lines that read the file.
    """
    plain, own = (
        to_dict(request),
        ("experiment import Request", "files import to_csv", "run import run"),
    )
    needed = "\n".join(sorted([*(f"from sims.{one}" for one in own), *imports]))
    return (
        f"from pathlib import Path\n\n{needed}\n\n"
        f"{reads}  # what was uploaded\n"
        "request = Request(\n"
        f"    experiment={experiment},\n"
        f"    values={plain['parameters']!r},\n"
        f"    replicates={plain['replicates']},\n"
        f"    seed={plain['seed']},\n"
        ")\n"
        "for progress in run(request):\n"
        "    pass\n"
        "print(to_csv(progress))\n"
    )
