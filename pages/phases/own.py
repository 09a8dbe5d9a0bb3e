"""The current study's own map: its axes and answer, kept and shared by ``?own=``."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages import core, pictures
from pages.charts import maps as figure
from pages.charts import number_text, words
from pages.core import Fold, Menu, Packed, Switch, Text, blocks, choice
from pages.current import state
from rates.maps import TRIVIAL, Axis, Label, Moved, Standing, Stretch, choices, usual
from rates.numbers import DomainError, number_from_text
from rates.study import Study

VIEW = "own"
SHOWN = "phase_view"
FIRST = "map"  # of the views


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the map shows.

    Attributes:
        x: What moves across, as `rates.maps.Moved` writes it; empty for the usual.
        y: What moves upwards.
        answer: "equation" or "mechanism".
        risk: Which error counts for a curve.
        at: The point that is looked at: values of both axes; empty for the study's own.
    """

    x: str = ""
    y: str = ""
    answer: str = "equation"
    risk: str = "integrated"
    at: tuple[float, ...] = ()


class _Own(core.UrlState[Asked]):
    """The map's settings; they stand in the address while the map is shown."""

    def wanted(self) -> core.Texts:
        # What was refused stays in the address until it is mended.
        shown = st.session_state.get(SHOWN) == VIEW
        return super().wanted() if shown or self.problems else {}

    def change(self, **values: Any) -> None:
        """Ask for something else; a point of other axes is none of these."""
        super().change(**({"at": ()} if values.keys() & {"x", "y"} else {}), **values)


def _opened(before: Asked, now: Asked) -> None:
    if now != Asked():
        st.session_state[SHOWN] = VIEW
    elif st.session_state.get(SHOWN) == VIEW:  # Back to before the map was looked at
        st.session_state[SHOWN] = FIRST


def _read_point(text: str) -> tuple[float, ...]:
    at = [number_from_text(part, "at", "A map of the study") for part in text.split(",")]
    numbers = tuple(x for x in at if isinstance(x, int | float) and 0 < x < math.inf)
    if len(at) != 2 or len(numbers) != 2:
        rule = "A point of the map is two positive numbers with a comma between."
        raise DomainError(rule, "at", text)
    return numbers


def _axis_setting(name: str, help: str) -> Packed:
    return Packed(name, str, lambda text: str(Moved.of(text)), help)


OWN = _Own(
    parameter="own",
    start=Asked(),
    settings=(
        _axis_setting("x", "The number of the study that changes from left to right."),
        _axis_setting("y", "The number of the study that changes from bottom to top."),
        choice("answer", figure.ANSWERS, "Which of the two answers the map shows."),
        choice("risk", words.RISKS, "Which error of a curve counts."),
        Packed(
            "at",
            lambda at: ",".join(map(number_text, at)),
            _read_point,
            "The point of the map that is looked at.",
        ),
    ),
    noun="A map of the study",
    refused="The map in the address could not be opened.",
    gone=("reach",),
    opened=_opened,
)


def draw() -> None:
    """Draw the view: the map, what it answers, its axes."""
    study = state.current()
    axes = usual(study)
    if len(axes) < 2:
        st.info("This study has no two numbers that a map could change: no site takes part.")
        return
    state.scope_line()
    place = st.container()
    asked = _controls(study, axes)
    with place:
        try:
            _picture(study, asked)
        except DomainError as error:
            st.info(words.plain(error))
    blocks.show(why(study), page=VIEW)


def _picture(study: Study, asked: Asked) -> None:
    risk = asked.risk if study.target is None else "classification"
    given = asked.x, asked.y, asked.answer, risk
    still = core.with_lines(figure.map_of, study, *given, at=asked.at)
    lens, axes = figure.lens_of(asked.answer, risk), _axes(study, asked)
    here = figure.standing(study, *axes, lens, asked.at)
    plane = figure.own_plane(study, figure.made(study, *axes, lens), here)
    pictures.show_map(plane, still, key=f"map_{VIEW}", take=lambda *at: OWN.change(at=at))
    st.caption(_answer(study, asked, risk, here))


def _axes(study: Study, asked: Asked) -> tuple[Axis, Axis]:
    x, y = (figure.around(study, Moved.of(text)) for text in (asked.x, asked.y))
    return x, y


def _controls(study: Study, axes: tuple[Moved, ...]) -> Asked:
    """Ask for the axes; what the study does not have gives way to the usual."""
    offered = {str(moved): figure.named(study, moved) for moved in choices(study)}
    asked, usual_x = OWN.get(), str(axes[0])
    lost = [text for text in (asked.x, asked.y) if text and text not in offered]
    x = asked.x if asked.x in offered else usual_x
    # The same number on both axes is a line, not a map.
    others = {key: name for key, name in offered.items() if key != x}
    y = asked.y if asked.y in others else str(axes[1])
    y = y if y in others else next(iter(others))
    # The address must say what is drawn, or a link would open something else.
    if (x, y) != (asked.x, asked.y):
        OWN.keep(replace(asked, x=x, y=y))
    if lost:
        st.warning(
            f"The study has no number {words.md(' and no number '.join(lost))}, counted by the "
            "rows of its table; the map shows another."
        )
    left, right = st.columns(2)
    with left:
        Menu("x", "From left to right", offered).draw(OWN)
    with right:
        Menu("y", "From bottom to top", others).draw(OWN)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        Switch("answer", "Answer", figure.ANSWERS).draw(OWN)
        if study.target is None:
            Switch("risk", "Error that counts", words.RISKS).draw(OWN)
        if asked.at:
            core.button(
                "Back to the study's own point", "own_point", functools.partial(OWN.change, at=())
            )
    return OWN.get()


def _answer(study: Study, asked: Asked, risk: str, here: Standing) -> str:
    """Who carries by both answers at the point, and how far that reaches."""
    axes, said = _axes(study, asked), dict[str, list[str]]()
    for name, title in figure.ANSWERS.items():
        lens = figure.lens_of(name, risk)
        if name == asked.answer or not lens.lacks_delta(study):
            one = _one(study, figure.standing(study, *axes, lens, asked.at).label)
            said.setdefault(one, []).append(f"the {title.lower()}")
    across, upwards = (
        _for(study, axis.moved, reach)
        for axis, reach in zip(axes, (here.across, here.upwards), strict=True)
    )
    who = "; ".join(f"{one} by {words.listed(by)}" for one, by in said.items())
    return (
        f"{who}. By the {figure.ANSWERS[asked.answer].lower()} it stays so {across}, "
        f"and {upwards}, each with the other numbers as they are."
    )


def _one(study: Study, label: Label) -> str:
    if label == TRIVIAL:
        return "**Nobody** carries anything"
    binds = "privacy" if label.limit == "privacy" else "sampling"
    return f"**{words.md(figure.site(study, label))}** carries most and **{binds}** binds it"


def _for(study: Study, moved: Moved, stretch: Stretch) -> str:
    """Say for which values of one number the study keeps its label."""
    name = f"*{words.md(figure.within(study, moved))}*"
    low, high = (
        "" if at is None else f"**{figure.stated(moved, at)}**"
        for at in (stretch.low, stretch.high)
    )
    if low and high:
        return f"for {name} between {low} and {high}"
    if low or high:
        return f"for {name} {'above' if low else 'below'} {low or high}"
    return f"for any {name} shown"


def why(study: Study) -> Iterator[core.Block]:
    """The equation behind every point, and what the map does not say."""
    if study.target is not None:
        latex = r"\sum_{j=0}^m (n_j\wedge n_j^2\varepsilon_j^2 r^d)\, r^{2\beta\gamma_j+d}=1"
        source = "[ACC] Theorem 3.4, equation (5)"
    else:
        latex = r"D^{2g+2}=\sum_{j=1}^m (n_j^2\varepsilon_j^2)\wedge(n_j D)"
        source = "[CCV] Theorem 2.1, equations (14) and (17)"
    explained = Text(
        f"{source}. The largest term carries most; the smaller side of its ∧ is what binds it. "
        "By the named mechanism the two variances add, and the larger binds."
    )
    yield Fold("Why: the equation behind every point", [core.Formula(latex), explained])
    limits = Text(
        "- A boundary is where two shares, or two limits, are equal, not where a study would "
        "notice a change. Rates hold up to constants and logarithms.\n"
        "- A common factor multiplies the numbers of all rows but one whose own number is the "
        "other axis. Numbers between whole records and sites are read as they stand."
    )
    yield Fold(words.LIMITS, [limits])
