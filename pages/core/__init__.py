"""Core: fields that ask, the address, sections and what draws them; no study is known here."""

from pages.core import (
    address, blocks, controls, figure_card, formula, html, inputs, layout, presenter, url_state,
)
from pages.core.blocks import (
    Address, Block, Chapter, Code, File, Fold, Formula, Heading, Link, Note, Room, Section, Table,
    Text,
)
from pages.core.controls import (
    Between, Entry, Field, Listing, Menu, PageTab, Pills, Slider, Switch, ask, box, button, chip,
    fold, forget_pressed, menu, offered, pick, shut, toggle,
)
from pages.core.exchange import Upload, files, held, kept_for, of_visitor, offer
from pages.core.figure_card import with_lines
from pages.core.html import document
from pages.core.inputs import number
from pages.core.url_state import (
    Packed, Part, Setting, Single, Texts, UrlState, choice, sync_url,
)
