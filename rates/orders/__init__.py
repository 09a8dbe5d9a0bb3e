"""Anybody's rate: the language, its regions, and claims that are decided."""

from rates.language import TextError as OrderError
from rates.orders import draft, inquiry, reading, sites, texts
from rates.orders.line import Along, along
from rates.orders.axes import Crossing, crossings, intervals, regions
from rates.orders.examples import EXAMPLES
from rates.orders.inquiry import Inquiry, Said
from rates.orders.language import MAX_TEXT, Range, powers, write
from rates.orders.order import Order, Term
from rates.orders.read import asides, parse
from rates.orders.claims import (
    Case, Cell, Claim, Decision, Needs, Shown, Survey, Table, case_rows, cases, condition_latex,
    decide, decide_over, decide_symbolic, drawn, drift, needs, proved, report, report_text,
    size_text, table_one_cells, up_to_logs,
)
from rates.orders import compare, listing, printed
