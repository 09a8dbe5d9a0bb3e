"""The page: what do you expect? One lesson: read, predict, lock, see, explain, go on.

Nothing that is true, neither a figure, a number nor a sentence, is computed before the answer to
its question is locked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

from pages import core
from pages.charts import Figure, words
from pages.core import Heading, Link, Text
from pages.core.live import PAGE_SEED, panel
from pages.lessons import fields, lists, progress, reveals
from pages.lessons import task as tasks
from pages.lessons.progress import LESSON, LIST, PROGRESS, Place
from pages.lessons.task import Task
from pages.orders import asked as orders
from pages.pictures import attacker
from rates.numbers import DomainError
from sims.lessons import LISTS, Lesson, score

_YOURS = "yours"  # a list that is none of `LISTS`
_STATEMENT = re.compile(r"\b[A-Z]{2,}:[\w.]+:[\w-]+")
_WANTED = "lesson_lock"
_MOST_WORDS = 400  # characters of one's own explanation


def draw() -> None:
    """Draw the page."""
    st.title("What do you expect?")
    st.markdown("Predict and lock. Only then the app computes what is true.")
    states = (LIST, LESSON, PROGRESS, orders.RATE, attacker.GAME)
    core.layout.address_notes(*states)
    for state in states:
        state.load()
    places = progress.places(LIST.get())
    if not places:
        st.warning("The list in the address has no lesson. The lessons of the tour are shown.")
        places = progress.places(LIST.start)
    here = progress.now(places)
    _menus(places, here)
    core.layout.from_here("lesson_top", here.name)
    _game(here)
    _lesson(places, here)
    if told := progress.told():
        st.caption(told)
    lists.show()
    core.sync_url(*states)
    panel.go_on()


_GUESSED = "odds"  # the lesson that the attacker's game belongs to


def _game(here: Place) -> None:
    """The attacker's game above its lesson; elsewhere the way there.

    What the lesson asks for is in the game once it is locked.
    """
    there = here.key == _GUESSED
    shown = there and attacker.GAME.get().shown == "yes"
    label, icon = "Play the attacker", ":material/sports_esports:"
    if shown:
        label, icon = "Put the game away", ":material/close:"
        attacker.show(known=PROGRESS.get().answer(_GUESSED) is not None)
    core.button(label, "lesson_game", _play, not shown, icon=icon, type="tertiary")


def _play(wanted: bool) -> None:
    if wanted:
        _open(_GUESSED)
    attacker.GAME.change(shown="yes" if wanted else "no")


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
    names = list(labels)
    menu = partial(st.selectbox, title, names, names.index(now), width=width)
    shown = partial(menu, format_func=lambda name: labels.get(name, name))
    core.ask(key, now, lambda name: take(core.offered(name, labels)), shown)


def _take_list(name: str) -> None:
    if name in LISTS:
        LIST.set(LISTS[name])
        LESSON.change(lesson="")


def _open(name: str) -> None:
    LESSON.change(lesson=name)


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
    asked = [Task(lesson, question, here.study, here.rate) for question in lesson.questions]
    if _read(lesson, asked[:1] if brief else asked, brief=brief):
        _next(places, here)


def _next(places: list[Place], here: Place) -> None:
    """The next lesson that is not done, and the same one with a study of one's own."""
    first = places.index(here) + 1 if here in places else 0
    around = [*places[first:], *places[:first]]
    brief = LIST.get().brief
    later = next((place for place in around if place != here and not place.done(brief=brief)), None)
    mine = progress.own(here.key)
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


# One lesson -------------------------------------------------------------------------------------


def _read(lesson: Lesson, asked: list[Task], *, brief: bool) -> bool:
    """Draw a lesson as far as its answers are locked; return whether all are.

    A brief one ends with its first question, without words of one's own.
    """
    core.blocks.show([Heading(lesson.title), Text(lesson.read)], page="lesson")
    for task in asked:
        if task != asked[0]:
            st.header("One step further", anchor=False)
        if not _asked(task, brief=brief):
            return False
        if task == asked[0]:
            st.markdown(f"*{words.keyed(lesson.misconception)}*")
        # With the way to what our explanation names of the ledger.
        links = [Link(name) for name in _STATEMENT.findall(task.why)]
        core.blocks.show([Text(task.why), *links], page="lesson")
    _scores(asked)
    st.page_link(
        core.layout.page(lesson.page),
        label="Where this goes on",
        icon=":material/open_in_new:",
        query_params={name: str(value) for name, value in lesson.link.items()},
    )
    return True


def _asked(task: Task, *, brief: bool) -> bool:
    """Ask a question, or show what came of it; whether it is time to explain."""
    PROGRESS.settle(task.question, task.name)
    if st.session_state.get(_WANTED) == task.name:
        _lock(task)
    core.layout.from_here(f"top_{task.name}", "asked" if task.locked is None else "seen")
    st.markdown(f"**{words.keyed(task.question.text)}**")
    if task.locked is None:
        _predict(task)
        return False
    st.markdown(
        f"You expected **{tasks.answer(task.question, task.locked)}**.  \n"
        f"Computed now: **{tasks.truth_words(task.question, task.truth)}**."
    )
    told = brief or task.name in PROGRESS.get().ours
    figure, beside = core.layout.beside()
    with figure:
        _reveal(task, task.locked)
    with beside:
        if not brief:
            core.sentence(
                f"lesson_words_{task.name}",
                "In your own words: why?",
                most=_MOST_WORDS,
                help="For yourself, before you read ours. It stays in this session and is in no "
                "link.",
            )
        if not told:
            icon, key = ":material/lightbulb:", f"ours_{task.name}"
            core.button("Show our explanation", key, PROGRESS.explain, task.name, icon=icon)
    return told


def _predict(task: Task) -> None:
    figure, controls = core.layout.beside()
    with controls:
        report = fields.ask(task.question, task.name)
        missing = fields.missing(task.question, task.name)
        core.button(
            "Lock my answer",
            f"lock_{task.name}",
            _want,
            task.name,
            type="primary",
            icon=":material/lock:",
            disabled=bool(missing),
        )
        unsaid = fields.unsaid(task.question, task.name)
        st.caption(missing or unsaid or "What is locked cannot be changed.")
    with figure:
        asked = task.blank(report)  # the question stands above
        _figure(replace(asked, figure=replace(asked.figure, title=""), caption=""), task, "asked")


def _want(name: str) -> None:
    """Ask for a lock, which is made once what was moved and typed has been taken over."""
    st.session_state[_WANTED] = name


def _lock(task: Task) -> None:
    st.session_state[_WANTED] = None
    report = fields.report(task.question, task.name)
    if problem := fields.problem(task.question, task.name):
        st.warning(f"Nothing was locked: {words.plain(problem)}")
    elif report is not None and not fields.missing(task.question, task.name):
        PROGRESS.lock(task.name, report)


def _figure(figure: Figure, task: Task, stage: str) -> None:
    key = f"figure_lesson_{task.name}_{stage}_{figure.name}"
    core.figure_card.show(figure, key=key, files=stage == "seen")


def _reveal(task: Task, report: progress.Report) -> None:
    """Show the figure with what is true, what is simulated arriving on it, and what shows why."""
    key, request = f"lesson_{task.question.key}", task.request
    if request is None:
        _figure(task.reveal(report), task, "seen")
    else:
        task.arrive(
            key,
            lambda run: core.figure_card.show(task.reveal(report, run), key=f"figure_{key}_run"),
            answer=tasks.on_curve,
            repeat=_lines(task.question.key, request.seed),
        )
        title, seeds = "Seed of the simulation", tuple(map(float, range(10)))
        core.number(f"{key}_seed", title, PAGE_SEED, request.seed, task.seed, seeds)
    for figure in reveals.beside(task.question):
        _figure(figure, task, "seen")


def _lines(key: str, seed: int) -> str:
    """The lines of Python that repeat a run."""
    return (
        "from sims.files import to_csv\n"
        "from sims.lessons import question, simulated\n"
        "from sims.run import run\n\n"
        f'for progress in run(simulated(question("{key}"), seed={seed})):\n'
        "    pass\n"
        "print(to_csv(progress))\n"
    )


def _scores(asked: list[Task]) -> None:
    st.header("How close", anchor=False)
    rows: dict[str, list[str]] = {"Question": [], "Off by": [], "Skill": []}
    for name, task in zip(("First", "Second"), asked, strict=False):
        assert task.locked is not None
        found = score(task.question, task.locked, task.truth)
        cells = (name, tasks.loss(task.question, found), f"{found.skill:.2f}")
        for column, cell in zip(rows.values(), cells, strict=True):
            column.append(cell)
    core.figure_card.wrapped(rows)
    zeros = [tasks.zero(task.question) for task in asked]
    ways = f"{zeros[0]} in the first, {zeros[1]} in the second" if len({*zeros}) > 1 else zeros[0]
    st.caption(
        f"Skill 1 is an exact answer, 0 is as good as {ways}, below 0 is worse than that. It "
        "tells how well you knew this one number, nothing about you among others."
    )
