"""The page: what do you expect?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from pages.charts import words
from pages.core import ask, button, layout, offered, sync_url
from pages.core.live import panel
from pages.lessons import builder, chosen, flow, progress
from pages.lessons.chosen import LESSON, Place
from pages.lessons.listed import LIST
from pages.lessons.progress import PROGRESS
from pages.orders import asked
from rates.numbers import DomainError
from sims.lessons import LISTS

_YOURS = "yours"  # a list that is none of `LISTS`


def draw() -> None:
    """Draw the page."""
    st.title("What do you expect?")
    st.markdown(
        "Read for a minute, predict, lock your answer. Only then the app computes what is true, "
        "shows where you stood, and explains. Your answers stay in this session and in the "
        "address of this page."
    )
    layout.address_notes(LIST, LESSON, PROGRESS, asked.RATE)
    LIST.load()
    LESSON.load()
    PROGRESS.load()
    asked.RATE.load()
    places = chosen.places(LIST.get())
    if not places:
        st.warning("The list in the address has no lesson. The lessons of the tour are shown.")
        places = chosen.places(LIST.start)
    here = chosen.now(places)
    _choose(places, here)
    layout.from_here("lesson_top", here.name)
    _lesson(places, here)
    st.caption(progress.told())
    builder.show()
    sync_url(LIST, LESSON, PROGRESS, asked.RATE)
    panel.go_on()


def _choose(places: list[Place], here: Place) -> None:
    """Which list, and which lesson of it."""
    titles = {name: playlist.title for name, playlist in LISTS.items()}
    list_now = next((name for name, given in LISTS.items() if given == LIST.get()), _YOURS)
    titles |= {} if list_now in LISTS else {_YOURS: "The list of the link"}
    shown = places if here in places else [*places, here]
    lessons = {place.name: _title(place, k + 1) for k, place in enumerate(shown)}
    with st.container(horizontal=True):
        _menu("lesson_list", "List", titles, list_now, _take_list, 250)
        _menu("lesson_open", "Lesson", lessons, here.name, _open, 450)


def _menu(
    key: str,
    title: str,
    labels: Mapping[str, str],
    now: str,
    take: Callable[[str], None],
    width: int,
) -> None:
    def draw_it(**how: Any) -> Any:
        return st.selectbox(
            title,
            list(labels),
            index=list(labels).index(now),
            format_func=lambda name: labels.get(name, name),
            width=width,
            **how,
        )

    ask(key, now, lambda name: take(offered(name, labels)), draw_it)


def _take_list(name: str) -> None:
    if name in LISTS:
        LIST.set(LISTS[name])
        LESSON.change(lesson="")


def _title(place: Place, number: int) -> str:
    done = " (done)" if place.done(brief=LIST.get().brief) else ""
    return f"{number}. {place.title}{done}"


def _lesson(places: list[Place], here: Place) -> None:
    try:
        lesson = here.lesson
    except DomainError as problem:
        st.warning(words.plain(problem))
        _next(places, here)
        return
    brief = LIST.get().brief and here in places
    where = f"Lesson {places.index(here) + 1} of {len(places)}. " if here in places else ""
    about = f"About {lesson.alone} minutes alone, {lesson.minutes} with a class."
    st.caption(where + ("A minute." if brief else about))
    if flow.draw(lesson, here.study, here.rate, brief=brief):
        _next(places, here)


def _next(places: list[Place], here: Place) -> None:
    """The next lesson that is not done, and the same one with a study of one's own."""
    first = places.index(here) + 1 if here in places else 0
    around = [*places[first:], *places[:first]]
    brief = LIST.get().brief
    later = next((place for place in around if place != here and not place.done(brief=brief)), None)
    mine = chosen.own(here.key)
    with st.container(horizontal=True):
        if later is not None:
            _to(later, f"Next: {later.title}", "lesson_next", type="primary")
        if mine is not None and mine.name != here.name and mine != later:
            what = "rate" if mine.rate else "study"
            _to(mine, f"The same with your own {what}", "lesson_own")
    if later is None:
        st.markdown("Every lesson of this list is answered.")
        if LIST.get() == LISTS["tour"]:
            button("Go on with all lessons", "lesson_all", _take_list, "alone", type="primary")


def _to(place: Place, label: str, key: str, **how: str) -> None:
    button(label, key, _open, place.name, **how)


def _open(name: str) -> None:
    LESSON.change(lesson=name)
