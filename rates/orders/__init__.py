"""Anybody's rate: the language, its regions, and claims that are decided."""

from rates.language import TextError as OrderError
from rates.orders import draft, inquiry, reading
from rates.orders.axes import Crossing, along, crossings, intervals, regions
from rates.orders.inquiry import Inquiry, Said
from rates.orders.language import MAX_TEXT, Range, powers, write
from rates.orders.order import Order, Term
from rates.orders.read import asides, parse
from rates.orders.claims import (
    Case, Claim, Decision, Needs, Shown, Table, case_rows, cases, condition_latex, decide,
    decide_symbolic, drawn, needs, proved,
)
from rates.orders.examples import EXAMPLES
from rates.orders import compare, printed, texts
from rates.orders.texts import at_text, drift, for_all, report, report_text, up_to_logs, verdict
