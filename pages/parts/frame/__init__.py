"""Ground: shell, tables, formulas, figure cards and what is taken away."""

from pages.parts.frame import (
    blocks, claim_table, figure_card, formula, ledger_links, lines, scope_line, shell,
    stage, tables, takeaway,
)
from pages.parts.frame.blocks import Block, Code, Fold, Formula, Heading, Link, Note, Table, Text
from pages.parts.frame.files import offer
