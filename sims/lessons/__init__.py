"""Lessons: what is predicted, what is true, and how far apart the two are."""

from sims.lessons import catalogue, hands, locked, own, plain, runs, typed
from sims.lessons.answers import (
    answer, even, explained, moved, right, skill, spread, true_answer,
)
from sims.lessons.catalogue import LESSONS, TRANSFER, lesson, question
from sims.lessons.lists import Entry, LISTS, MINUTES, PAUSES, Playlist, read_entry, read_list
from sims.lessons.locked import Progress
from sims.lessons.plain import Plain
from sims.lessons.records import (
    CHOICE, CURVE, Facts, Lesson, NUMBER, POINTS, Question, SHARES, TYPED, Truth,
)
from sims.lessons.runs import ROUNDS, Rounds, by_tally, rounds
from sims.lessons.truths import truth
from sims.lessons.truths_own import hits
