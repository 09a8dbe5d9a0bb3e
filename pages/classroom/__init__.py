"""A class in a room: the phones, and what the lecturer's screen shows of them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # each loads when it is imported from here
    from pages.classroom import board, phone, room
