"""Opening a room: which kind, what is asked, and the key that moves it."""

from __future__ import annotations

import math

import streamlit as st

from pages.figures.chart import words
from pages.parts.classroom import desk, said
from pages.parts.session import address, ask_number, button, menu
from sims.classroom import CARDS, KINDS, PLAIN, Asked, Opened, RoomError
from sims.lessons import LESSONS, Playlist

_OPENED, _KIND = "room_opened", "room_kind"
