"""Teach, a class in a room: the phones, and what the lecturer's screen shows of them."""
