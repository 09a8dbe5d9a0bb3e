"""Ground: what the address and the session hold, and the fields that ask."""

from pages.parts.session import address, brought, controls, draft, fields, inputs, rows, state, text
from pages.parts.session.bound import Bound, Single, Texts, publish
from pages.parts.session.controls import Between, Entry, Field, Listing, Menu, Pills, Slider, Switch
from pages.parts.session.asking import (
    ask, box, button, chip, fold, forget_pressed, menu, number, offered, pick, sentence, shut,
    toggle,
)
from pages.parts.session.text import Packed, Part, Setting, choice
from pages.parts.session.upload import Upload, bring, files, of_visitor
