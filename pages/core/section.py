"""A section: one question with what it asks, what it computes and how that is shown.

The same record draws on the page and in a report: `blocks` knows nothing of either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.charts import words
from pages.core import blocks, controls
from pages.core.blocks import Block
from pages.core.html import Chapter

Inputs = Sequence[controls.Field] | Callable[[Any], Iterable[controls.Field] | None]


def _nothing(params: Any) -> Iterable[Block]:
    return ()


@dataclass(frozen=True, kw_only=True)
class Section:
    """What one question needs.

    Attributes:
        id: Its anchor in a report, and the name of its widgets.
        title: Its title, plain text; empty for none on the page.
        inputs: Fields; or a function of what is asked, which may draw some itself.
        compute: Result of what is asked.
        blocks: What is shown of a result.
        why: The reason, likewise, in a fold; a report leaves it out.
        limits: What the answer leaves open, a list in Markdown, in a fold.
        wait: What is said while a result that takes seconds is computed and drawn.
    """

    id: str
    title: str
    inputs: Inputs = ()
    compute: Callable[[Any], Any] = lambda params: params
    blocks: Callable[[Any], Iterable[Block]]
    why: Callable[[Any], Iterable[Block]] = _nothing
    limits: str = ""
    wait: str = ""

    def chapter(self, params: Any) -> Chapter:
        """Return it for a report, with its result."""
        return Chapter(self.id, self.title, tuple(self.blocks(self.compute(params))))

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
        with st.spinner(self.wait) if self.wait else nullcontext():
            result = self.compute(params)
            blocks.show(self.blocks(result), page=self.id)
        if reasons := tuple(self.why(result)):
            with st.expander("Why"):
                blocks.show(reasons, page=self.id)
        if self.limits:
            with st.expander(words.LIMITS):
                st.markdown(words.keyed(self.limits))
        return result
