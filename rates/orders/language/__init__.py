"""What a typed rate is: its letters and pieces, nodes and normal form, and how it is written."""

from rates.orders.language import nodes, powers, write
from rates.orders.language.letters import Exponents, Letters, declared, exponents_at
from rates.orders.language.powers import Range
from rates.orders.language.meaning import MAX_TEXT, Meaning
