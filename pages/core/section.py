"""A section: one question with what it asks, what it computes and how that is shown.

The same record draws on the page and in a report: `blocks` knows nothing of either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.charts import words
from pages.core import blocks, controls
from pages.core.blocks import Block, Fold, Text
from pages.core.html import Chapter

Inputs = Sequence[Any] | Callable[[Any], Iterable[Any] | None]  # fields, or what draws itself


@dataclass(frozen=True, kw_only=True)
class Section:
    """What one question needs.

    Attributes:
        id: Its anchor in a report, and the name of its widgets.
        title: Its title, plain text; empty for none on the page.
        inputs: Fields; or a function of what is asked, which may draw some itself.
        compute: Result of what is asked; that itself by default.
        blocks: What is shown of a result.
        why: The reason, in a fold: Markdown or blocks, maybe of a result; a report leaves it out.
        limits: What the answer leaves open, in a fold: lists in Markdown.
    """

    id: str
    title: str
    inputs: Inputs = ()
    compute: Callable[[Any], Any] | None = None
    blocks: Callable[[Any], Iterable[Block]]
    why: str | Sequence[Block] | Callable[[Any], Iterable[Block]] = ""
    limits: str | Sequence[str] = ""

    def chapter(self, params: Any) -> Chapter:
        """Return it for a report, with its result."""
        return Chapter(self.id, self.title, tuple(self.blocks(self.make(params))))

    def show(self, params: Any, source: controls.Source | None = None) -> Any:
        """Draw it with its result, and return the result.

        Args:
            params: What is asked.
            source: What its fields read and write.
        """
        if self.title:
            st.header(self.title, anchor=False)
        if source is not None:
            fields = self.inputs(params) if callable(self.inputs) else self.inputs
            for field in fields or ():
                field.draw(source)
        result = self.make(params)
        blocks.show(self.blocks(result), page=self.id)
        self.folds(result)
        return result

    def make(self, params: Any) -> Any:
        """Return the result of what is asked."""
        return params if self.compute is None else self.compute(params)

    def reasons(self, result: Any) -> Iterable[Block]:
        """Yield the reason."""
        why = self.why(result) if callable(self.why) else self.why
        if not isinstance(why, str):
            yield from why
        elif why:
            yield Text(why)

    def folds(self, result: Any) -> None:
        """Draw the reason, and what the answer leaves open."""
        limits = [self.limits] if isinstance(self.limits, str) else self.limits
        for title, held in (
            ("Why", [*self.reasons(result)]),
            (words.LIMITS, [Text(text) for text in limits if text]),
        ):
            if held:
                blocks.show([Fold(title, held)], page=self.id)
