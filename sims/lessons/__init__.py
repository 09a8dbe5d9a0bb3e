"""Lessons: what is predicted, what is true, and how far apart the two are."""

from sims.lessons import catalogue, hands, locked, own, plain, runs, typed
from sims.lessons.answers import (
    answer, explained, right, skill, spread, true_answer,
)
from sims.lessons.catalogue import LESSONS, TRANSFER, lesson, question
from sims.lessons.lists import (
    Entry, LISTS, PAUSES, Playlist, read_entry, read_line, read_lines, read_list,
)
from sims.lessons.locked import Locked
from sims.lessons.records import (
    CHOICE, Facts, Lesson, NUMBER, POINTS, Question, SHARES, TYPED, Truth,
)
from sims.lessons.runs import ROUNDS, Rounds, by_tally, rounds
from sims.lessons.truths import truth
from sims.lessons.truths_own import hits
