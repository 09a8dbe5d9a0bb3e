"""Rooms for a class: who may move one, what is stored of an answer, what is ever shown."""

from sims.classroom.checks import dealt_card
from sims.classroom.laws import discrete_laplace
from sims.classroom.records import (
    AGAIN, Asked, CARDS, CLOSED, COINS, CURATOR, ENDED, HIGHEST, KINDS, LEAST_SHOWN, LOBBY,
    LOWEST, MOST_QUESTIONS, MOST_ROOMS, MOST_VOTERS, OPEN, Opened, PLAIN, RoomError, SHOWN, Seen,
    TALK, TRIES, Voted,
)
from sims.classroom.rooms import Rooms, place_of_files
