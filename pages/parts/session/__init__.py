"""Ground: what the address and the session hold, and the fields that ask."""

from __future__ import annotations

from pages.parts.session import draft, fields, inputs, state
