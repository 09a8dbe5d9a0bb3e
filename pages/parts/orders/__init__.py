"""Anybody's rate: typed, typeset, mapped, and what is claimed of it decided."""

from pages.parts.orders import asked, found, page
