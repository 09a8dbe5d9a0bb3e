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
from pages.lessons.task import LESSON, LIST, PROGRESS, Report, Task
from pages.orders import asked as orders
from pages.pictures import attacker
from sims.lessons import LISTS, TYPED, Entry, answer, skill, true_answer, typed

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
    core.layout.from_here("lesson_top", here)
    st.caption(f"Lesson {[*places].index(here) + 1} of {len(places)}.")
    _lesson(places[here])
    _next(places, here)
    linked = PROGRESS.link(PROGRESS.get())
    if linked and PROGRESS.wanted() == linked:  # else Back led to before, and the answers stay
        count = len(PROGRESS.get())
        many = f"{count} locked answer{'s' * (count > 1)}"
        st.caption(f"The address of this page is a link that brings back {many}.")
    lists.show()
    core.sync_url(*states)


# Which lesson -----------------------------------------------------------------------------------


def _menus(places: dict[str, Entry], here: str) -> None:
    """Which list, and which lesson of it."""
    titles = {name: playlist.title for name, playlist in LISTS.items()}
    list_now = next((name for name, given in LISTS.items() if given == LIST.get()), _YOURS)
    titles |= {} if list_now in LISTS else {_YOURS: "The list of the link"}
    lessons = {
        name: f"{k}. {entry.title}{' (done)' * tasks.done(entry)}"
        for k, (name, entry) in enumerate(places.items(), 1)
    }
    with st.container(horizontal=True):
        core.controls.choose("lesson_list", "List", titles, list_now, _take_list, width=250)
        core.controls.choose("lesson_open", "Lesson", lessons, here, _open, width=450)


def _take_list(name: str) -> None:
    if name in LISTS:
        LIST.set(LISTS[name])
        LESSON.change(lesson="")


def _open(name: str) -> None:
    LESSON.change(lesson=name)


def _lesson(entry: Entry) -> None:
    first, second = tasks.tasks(entry)
    lesson = first.lesson
    core.blocks.show([core.Heading(lesson.title), core.Text(tasks.reading(lesson))], page="lesson")
    if lesson.key == _GAME:
        attacker.show(known=None not in map(PROGRESS.get().get, _GUESSED))
    if _asked(first):
        st.header("One step further", anchor=False)
        if _asked(second):
            query = {name: str(value) for name, value in lesson.link.items()}
            core.layout.link(lesson.page, "Where this goes on", "open_in_new", query)


def _next(places: dict[str, Entry], here: str) -> None:
    """The next lesson that is not done, and the same one with a study of one's own."""
    names = [*places]
    first = names.index(here) + 1
    around = [*names[first:], *names[: first - 1]]
    later = next((name for name in around if not tasks.done(places[name])), None)
    with st.container(horizontal=True):
        if later is not None:
            label = f"Next: {places[later].title}"
            core.button(label, "lesson_next", _open, later, type="primary")
        for name, mine in tasks.owned(places[here].key).items():
            if name not in (here, later):
                what = "rate" if mine.rate else "study"
                core.button(f"The same with your own {what}", "lesson_own", _open, name)
    if later is None:
        st.markdown("Every lesson of this list is answered.")
        if LIST.get() == LISTS["tour"]:
            core.button("Go on with all lessons", "lesson_all", _take_list, "alone", type="primary")


# One question -----------------------------------------------------------------------------------


def _asked(task: Task) -> bool:
    """Ask a question, or show what came of it; whether it is answered."""
    core.layout.from_here(f"top_{task.name}", "asked" if task.locked is None else "seen")
    st.markdown(f"**{words.keyed(task.question.text)}**")
    figure, beside = (st, st) if task.choice else core.layout.beside()
    if task.locked is None:
        with beside.container():
            report = _predict(task)
        if not task.choice:
            with figure.container():
                _figure(task.blank(report), task, "asked")
        return False
    with figure.container():
        shown = [] if task.choice else [task.reveal(task.locked)]
        for one in (*shown, *reveals.beside(task.question)):
            _figure(one, task, "seen")
    with beside.container():
        st.markdown(f"You expected **{words.plain(answer(task.question, task.locked))}**.")
        if task.question.kind == TYPED:
            st.markdown(words.plain(typed.verdict(task.question, task.locked, task.truth)))
        elif task.choice:
            st.markdown(f"True: **{words.plain(true_answer(task.question, task.truth))}**.")
        got = skill(task.question, task.locked, task.truth)
        about = "1 is exact, 0 as good as knowing only what is possible."
        st.caption(f"Skill {got:.2f}: {about}")
        about = "For yourself, before you read ours; it stays in this session."
        look = {"max_chars": _MOST_WORDS, "height": 100, "help": about, **core.controls.KEPT}
        key = f"lesson_words_{task.name}"
        st.text_area("In your own words: why?", key=key, on_change=core.address.touch, **look)
    if place := core.fold("Our explanation", f"ours_{task.name}"):
        with place:
            # With the way to what it names of the ledger.
            links = map(core.Link, _STATEMENT.findall(task.why))
            core.blocks.show([*task.reasons(), *links], page="lesson")
    return True


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
