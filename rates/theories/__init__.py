"""One table of a study through all theories: what each says of every site."""

from rates.theories.says import SAYS
from rates.theories.table import Break, Cell, Row, breaks, stated, theories
