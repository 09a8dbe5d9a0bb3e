"""Ground: what the address and the session hold, and the fields that ask."""

from __future__ import annotations

from pages.parts.session import address, bound, controls, draft, fields, inputs, state, text
from pages.parts.session.bound import Bound, Single, publish
from pages.parts.session.controls import Between, Field, Listing, Menu, Pills, Slider, Switch
