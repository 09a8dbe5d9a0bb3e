"""Rooms for a class: who may move one, what is stored of an answer, what is ever shown."""

from sims.classroom import flow, found, sayings
from sims.classroom.checks import MOST_LINES, dealt_card, new_token, read_questions
from sims.classroom.found import CODES, JOINS, KEYS, Pace, ROOMS
from sims.classroom.records import (
    AGAIN, Asked, CARDS, CLOSED, COINS, CURATOR, DONE, ENDED, FIGURE, HIGHEST, KINDS, LEAST_SHOWN,
    LOBBY, LOWEST, MOST_QUESTIONS, MOST_ROOMS, MOST_VOTERS, OPEN, Opened, PAUSE, PLAIN,
    READ, RoomError, SHOWN, Seen, TALK, TOLD, VOTING, Voted, WHY,
)
from sims.classroom.rooms import Rooms, discrete_laplace, onward, place_of_files
from sims.classroom.sayings import results
from sims.classroom.shown import estimates, option_of
