"""Lessons: what is predicted, what is true, and how far apart the two are."""

from sims.lessons import catalogue, factors, hands, locked, own, plain, truths_plain, typed
from sims.lessons.catalogue import LESSONS, TRANSFER, lesson, question
from sims.lessons.classmates import by_tally, simulated
from sims.lessons.guesses import ROUNDS, Rounds, rounds
from sims.lessons.lists import Entry, LISTS, MINUTES, PAUSES, Playlist, read_entry, read_list
from sims.lessons.locked import Progress
from sims.lessons.plain import Plain
from sims.lessons.points import even, moved
from sims.lessons.records import (
    CHOICE, CURVE, Facts, KINDS, Lesson, NUMBER, POINTS, Question, SHARES, Score, TYPED, Truth,
)
from sims.lessons.sayings import answer, explained, right, true_answer
from sims.lessons.scores import score, spread
from sims.lessons.truths import truth
