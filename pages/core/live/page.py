"""A page made of tabs with live runs: title, answer, tabs, address, and the run's next step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import streamlit as st

from pages import core
from pages.charts import Figure, words
from pages.core import Block, Fold, Text, blocks, controls, layout, presenter
from pages.core.live import panel, pictures
from pages.core.live.tab import Missing, Tab, draw_fields, items
from pages.core.live.tabs import Open, Plan
from rates.numbers import DomainError
from sims.engine import Progress

Place = Any  # a container above the tabs, which takes the answer


def show(title: str, *tabs: Tab, unnamed: str = "", gone: tuple[str, ...] = ()) -> None:
    """Draw a page with the tab that is open.

    Args:
        title: The question that it answers.
        tabs: Its tabs; the first one is open at first.
        unnamed: The tab whose run a link without a tab is about; the first one if empty.
        gone: Tabs that links of before may name: they open the first one, without their run.
    """
    by_name = {tab.id: tab for tab in tabs}
    presenter.title(title)
    # What it shows stays until the next answer is there; `layout` keeps room for three lines.
    place = st.container(key=layout.ANSWER)
    bar = replace(core.PageTab.of(tabs[0].page, {t.id: t.title for t in tabs}, unnamed), gone=gone)
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
    core.sync_url(replace(bar, runs=bool(source.link(source.plan))), source)
    panel.go_on()


def draw(tab: Tab, source: Open, place: Place) -> None:
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
        told = pictures.told(shown, tab, asked, found)
        blocks.show(told, page=tab.key, under=draw_main)

    with right:
        try:
            made = tab.make(asked)
        except Missing as missing:
            place.markdown(missing.answer)
            blocks.show(missing.blocks, page=tab.key)
            draw_main()
            return
        except DomainError as error:
            place.markdown(tab.cannot)
            st.error(words.plain(error))
            draw_main()
            return
        draw_blocks(tab.before(made))
        if (request := pictures.request_of(made)) is not None:
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
            shown = pictures.told(tab.blocks(made), tab, asked)
            if top and tab.touch and isinstance(still := next(shown), Figure):
                with top:
                    tab.touch(made, still, source)
            blocks.show(shown, page=tab.key, under=draw_main)
        draw_blocks(tab.after(made))
        draw_main()
    draw_blocks(tab.below(made))


def folds(tab: Tab, asked: Plan) -> None:
    """Draw what stands below a tab: its privacy, why, what it does not say."""
    privacy = tab.privacy(asked) if callable(tab.privacy) else tab.privacy
    if privacy is None and tab.experiment is not None:
        privacy = tab.experiment.privacy
    if privacy:
        blocks.show(
            [Fold("Privacy of what is released", [Text(words.plain(privacy))])], page=tab.key
        )
    tab.folds(asked)
