"""Claims about rates: decided, proved for all exponents, and tabled."""

from rates.orders.claims.claim import Claim
from rates.orders.claims.deciding import (
    Decision, Shown, decide, decide_symbolic, drawn,
)
from rates.orders.claims.needed import Needs, needs, proved
from rates.orders.claims.table import Case, Table, case_rows, cases, condition_latex
