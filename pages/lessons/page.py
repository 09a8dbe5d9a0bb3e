"""The page: what do you expect? One lesson: read, predict, lock, see, explain, go on.

Nothing that is true, neither a figure, a number nor a sentence, is computed before the answer to
its question is locked.
"""

from __future__ import annotations

import re

import streamlit as st

from pages import core
from pages.charts import Figure, words
from pages.lessons import fields, lists, reveals
from pages.lessons import task as tasks
from pages.lessons.task import LESSON, LIST, PROGRESS, Place, Report, Task
from pages.orders import asked as orders
from pages.pictures import attacker
from rates.numbers import DomainError
from sims.lessons import LISTS, TYPED, answer, skill, typed

_YOURS = "yours"  # a list that is none of `LISTS`
_STATEMENT = re.compile(r"\b[A-Z]{2,}:[\w.]+:[\w-]+")
_GAME = "attack"  # the lesson in which it is played
_GUESSED = ("odds", "attack", "attack_transfer")  # what is asked about it
_REFUSED = "lesson_refused"
_MOST_WORDS = 400  # characters of one's own explanation


def draw() -> None:
    """Draw the page."""
    st.title("What do you expect?")
    st.markdown("Predict and lock. Only then the app computes what is true.")
    states = (LIST, LESSON, PROGRESS, orders.RATE, attacker.GAME)
    core.layout.address_notes(*states)
    for state in states:
        state.load()
    places = tasks.places(LIST.get())
    if not places:
        st.warning("The list in the address has no lesson. The lessons of the tour are shown.")
        places = tasks.places(LIST.start)
    here = tasks.now(places)
    _menus(places, here)
    core.layout.from_here("lesson_top", here.name)
    _lesson(places, here)
    linked = PROGRESS.link(PROGRESS.get())
    if linked and PROGRESS.wanted() == linked:  # else Back led to before, and the answers stay
        count = len(PROGRESS.get().locked)
        many = f"{count} locked answer{'s' * (count > 1)}"
        st.caption(f"The address of this page is a link that brings back {many}.")
    lists.show()
    core.sync_url(*states)


# Which lesson -----------------------------------------------------------------------------------


def _menus(places: list[Place], here: Place) -> None:
    """Which list, and which lesson of it."""
    titles = {name: playlist.title for name, playlist in LISTS.items()}
    list_now = next((name for name, given in LISTS.items() if given == LIST.get()), _YOURS)
    titles |= {} if list_now in LISTS else {_YOURS: "The list of the link"}
    lessons = {}
    for k, place in enumerate(places if here in places else [*places, here], 1):
        done = " (done)" if place.done(brief=LIST.get().brief) else ""
        lessons[place.name] = f"{k}. {place.title}{done}"
    with st.container(horizontal=True):
        core.controls.choose("lesson_list", "List", titles, list_now, _take_list, width=250)
        core.controls.choose("lesson_open", "Lesson", lessons, here.name, _open, width=450)


def _take_list(name: str) -> None:
    if name in LISTS:
        LIST.set(LISTS[name])
        LESSON.change(lesson="")


def _open(name: str) -> None:
    LESSON.change(lesson=name)


def _lesson(places: list[Place], here: Place) -> None:
    brief = LIST.get().brief and here in places
    try:
        asked = here.tasks(brief=brief)
    except DomainError as problem:
        st.warning(words.plain(problem))
        _next(places, here)
        return
    lesson = asked[0].lesson
    if here in places:
        st.caption(f"Lesson {places.index(here) + 1} of {len(places)}.")
    read = (core.Heading(lesson.title), core.Text(lesson.read))
    core.blocks.show([*read, *tasks.sites_of(lesson, "The sites")], page="lesson")
    if lesson.key == _GAME:
        attacker.show(known=None not in map(PROGRESS.get().answer, _GUESSED))
    for task in asked:
        if task != asked[0]:
            st.header("One step further", anchor=False)
        if not _asked(task, brief=brief):
            return
        # With the way to what our explanation names of the ledger.
        links = map(core.Link, _STATEMENT.findall(task.why))
        core.blocks.show([*task.reasons(), *links], page="lesson")
    query = {name: str(value) for name, value in lesson.link.items()}
    core.layout.link(lesson.page, "Where this goes on", "open_in_new", query)
    _next(places, here)


def _next(places: list[Place], here: Place) -> None:
    """The next lesson that is not done, and the same one with a study of one's own."""
    first = places.index(here) + 1 if here in places else 0
    around, brief = [*places[first:], *places[:first]], LIST.get().brief
    later = next((place for place in around if place != here and not place.done(brief=brief)), None)
    mine = tasks.own(here.key)
    with st.container(horizontal=True):
        if later is not None:
            core.button(f"Next: {later.title}", "lesson_next", _open, later.name, type="primary")
        if mine is not None and mine.name != here.name and mine != later:
            what = "rate" if mine.rate else "study"
            core.button(f"The same with your own {what}", "lesson_own", _open, mine.name)
    if later is None:
        st.markdown("Every lesson of this list is answered.")
        if LIST.get() == LISTS["tour"]:
            core.button("Go on with all lessons", "lesson_all", _take_list, "alone", type="primary")


# One question -----------------------------------------------------------------------------------


def _asked(task: Task, *, brief: bool) -> bool:
    """Ask a question, or show what came of it; whether it is time to explain.

    In brief that is at once, without words of one's own.
    """
    PROGRESS.settle(task.question, task.name)
    core.layout.from_here(f"top_{task.name}", "asked" if task.locked is None else "seen")
    st.markdown(f"**{words.keyed(task.question.text)}**")
    figure, beside = core.layout.beside()
    if task.locked is None:
        with beside:
            report = _predict(task)
        with figure:
            _figure(task.blank(report), task, "asked")
        return False
    told = brief or task.name in PROGRESS.get().ours
    with figure:
        for one in (task.reveal(task.locked), *reveals.beside(task.question)):
            _figure(one, task, "seen")
    with beside:
        st.markdown(f"You expected **{words.plain(answer(task.question, task.locked))}**.")
        if task.question.kind == TYPED:
            st.markdown(words.plain(typed.verdict(task.question, task.locked, task.truth)))
        got = skill(task.question, task.locked, task.truth)
        about = "1 is exact, 0 as good as knowing only what is possible."
        st.caption(f"Skill {got:.2f}: {about}")
        if not brief:
            about = "For yourself, before you read ours; it stays in this session."
            look = {"max_chars": _MOST_WORDS, "height": 100, "help": about, **core.controls.KEPT}
            key = f"lesson_words_{task.name}"
            st.text_area("In your own words: why?", key=key, on_change=core.address.touch, **look)
        if not told:
            icon, key = ":material/lightbulb:", f"ours_{task.name}"
            core.button("Show our explanation", key, PROGRESS.explain, task.name, icon=icon)
    return told


def _predict(task: Task) -> Report | None:
    """The controls of a question, and its lock; returns the answer that they show."""
    report = fields.ask(task.question, task.name)
    missing = fields.missing(task.question, task.name)
    look = {"type": "primary", "icon": ":material/lock:", "disabled": bool(missing)}
    core.button("Lock my answer", f"lock_{task.name}", _lock, task, **look)
    st.caption(missing or "What is locked cannot be changed.")
    if problem := st.session_state.pop(_REFUSED, ""):
        st.warning(f"Nothing was locked: {words.plain(problem)}")
    return report


def _lock(task: Task) -> None:
    report, problem = fields.taken(task.question, task.name)
    st.session_state[_REFUSED] = problem
    if report is not None and not problem:
        PROGRESS.lock(task.name, report)


def _figure(figure: Figure, task: Task, stage: str) -> None:
    key = f"figure_lesson_{task.name}_{stage}_{figure.name}"
    core.figure_card.show(figure, key=key, files=stage == "seen")
