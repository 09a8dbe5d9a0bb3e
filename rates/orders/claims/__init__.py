"""Claims about rates: decided, proved for all exponents, and tabled."""

from rates.orders.claims.claim import Claim
from rates.orders.claims.deciding import Decision, Survey, decide, decide_over, drawn
from rates.orders.claims.needed import Needs, needs, proved
from rates.orders.claims.table import Case, Table, cases
from rates.orders.claims.table_one import Cell, table_one_cells, table_one_questions
from rates.orders.claims.told import drift, report, report_text, size_text, up_to_logs
from rates.orders.claims.for_all import Shown, decide_symbolic
from rates.orders.claims.written import case_rows, condition_latex
