"""A page made of tabs with live runs: title, answer, tabs, address, and the run's next step.

The figures of a tab have lines of Python that draw them again: of the tab, and what is asked of it.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from pages import core
from pages.charts import Figure, words
from pages.core import Block, Fold, Note, Text, blocks, controls, figure_card, layout, presenter
from pages.core.live import panel
from pages.core.live.tab import Missing, Open, Plan, Tab, draw_fields, from_text, items, to_text
from pages.framework import DeltaGenerator
from rates.numbers import DomainError
from sims.engine import Progress, Request, run, start
from sims.files import to_dict


def show(title: str, *tabs: Tab, gone: tuple[str, ...] = ()) -> None:
    """Draw a page with the tab that is open.

    Args:
        title: The question that it answers.
        tabs: Its tabs; the first one is open at first.
        gone: Tabs that links of before may name: they open the first one, without their run.
    """
    by_name = {tab.id: tab for tab in tabs}
    presenter.title(title)
    # What it shows stays until the next answer is there; `layout` keeps room for three lines.
    place = st.container(key=layout.ANSWER)
    bar = core.PageTab.of(tabs[0].page, {t.id: t.title for t in tabs}, gone)
    layout.address_notes(bar, Open.of("", tabs[0].usual))
    linked = bar.arrived(bar.texts())
    bar.load()
    shown = by_name[bar.draw()]
    source = Open.of(shown.key, shown.usual)
    if linked and (bar.texts().get(core.controls.TAB, "") in gone or not source.texts()):
        source.set(shown.usual)  # a link without a run asks for the usual one
        core.address.see(source.parameter, source.texts())
    source.load()
    draw(shown, source, place)
    folds(shown, source.plan)
    core.sync_url(bar, source)
    panel.go_on()


def draw(tab: Tab, source: Open, place: DeltaGenerator) -> None:
    """Draw a tab; `place` takes the answer."""
    if (lacking := tab.lacks()) is not None:
        place.markdown(lacking.answer)
        blocks.show(lacking.blocks, page=tab.key)
        return
    top = st.container() if tab.touch else None
    left, right = layout.aside()
    asked, inputs = source.plan, items(tab.inputs, source.plan)
    # Under the picture that it moves, on a phone as on a desk; a picture to touch has its own.
    sliders = [item for item in inputs if isinstance(item, core.Slider | core.Between)]
    under = () if tab.touch else sliders[:1]
    with left:
        draw_fields(source, [item for item in inputs if item not in under])
        controls.refusal(source, "The value before is kept.")
    asked = source.plan
    draw_main = controls.once(lambda: draw_fields(source, list(under)))

    def draw_blocks(shown: Iterable[Block], found: Progress | None = None) -> None:
        blocks.show(told(shown, tab, asked, found), page=tab.key, under=draw_main)

    with right:
        try:
            made = tab.make(asked)
        except (Missing, DomainError) as problem:
            if not isinstance(problem, Missing):
                problem = Missing(tab.cannot, [Note(words.plain(problem), "error")])
            place.markdown(problem.answer)
            blocks.show(problem.blocks, page=tab.key)
            draw_main()
            return
        draw_blocks(tab.before(made))
        if (request := request_of(made)) is not None:
            job = {
                "key": tab.key,
                "request": request,
                "answer": tab.answer,
                "draw": lambda found: draw_blocks(tab.blocks(found), found),
                "auto": tab.auto and asked == tab.usual,
            }
            panel.panel(panel.Job(**{**job, **tab.job(made)}), place)
        else:
            place.markdown(tab.answer(made))
            shown = told(tab.blocks(made), tab, asked)
            if top and tab.touch and isinstance(still := next(shown), Figure):
                with top:
                    tab.touch(made, still, source)
            blocks.show(shown, page=tab.key, under=draw_main)
        # Where no figure was drawn the slider that would move one stands here.
        draw_blocks(tab.after(made))
        draw_main()
    draw_blocks(tab.below(made))


def folds(tab: Tab, asked: Plan) -> None:
    """Draw what stands below a tab: its privacy, why, what it does not say."""
    privacy = tab.privacy(asked) if callable(tab.privacy) else tab.privacy
    if privacy is None and tab.experiment is not None:
        privacy = tab.experiment.privacy
    if privacy:
        promise = Fold("Privacy of what is released", [Text(words.plain(privacy))])
        blocks.show([promise], page=tab.key)
    tab.folds()


# Lines of Python ----------------------------------------------------------------------------------


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
    made = tab.make(from_text(asked, tab.usual))
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
    blocks: Iterable[Block], tab: Tab, asked: Plan, found: Progress | None = None
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
            text = to_text(asked, tab.usual)
            made = partial(figure_card.of, picture, block.name, place, block.name, text, **more)
            yield replace(block, lines=made)
        else:
            yield block


def _repeats(tab: Tab, asked: Plan, found: Progress | None) -> bool:
    """Whether a run that is shown is of what is asked, and has ended or not begun."""
    if found is None:
        return True
    request = request_of(tab.make(asked))
    same = request is not None and to_dict(request) == to_dict(found.request)
    return same and (found.state == "finished" or not found.done)


def _place(tab: Tab) -> figure_card.Named | None:
    """Return where a tab can be imported from; None where it has no name of its own."""
    if id(tab) not in _PLACES and (found := _searched(tab)):
        _PLACES[id(tab)] = (tab, found)  # a search takes as long as ten controls
    return _PLACES[id(tab)][1] if id(tab) in _PLACES else None


# By number, beside the tab itself: while it is kept no other one gets its number.
_PLACES: dict[int, tuple[Tab, figure_card.Named]] = {}


def _searched(tab: Tab) -> figure_card.Named | None:
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
