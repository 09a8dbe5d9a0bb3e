"""Tables as people have them: what stands between cells, what a column and a number mean."""

from rates.rows.book import MAGIC
from rates.rows.numbers import as_read, exact_float, grouped, number_from_text, numbers_from_text
from rates.rows.reader import OWN, REQUIRED, read
from rates.rows.records import Column, Question, Reading
from rates.rows.sites import ALIKE, CURVE
from rates.rows.split import MAX_BYTES, cells, decode
from rates.rows.words import TITLES, blank, unprotected
from rates.rows.writing import csv_text, without_quote
