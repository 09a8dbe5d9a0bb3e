"""Tables as people have them: what stands between cells, what a column and a number mean."""

from rates.rows.workbook import MAGIC
from rates.rows.numeric import numeric_cell, numeric_table
from rates.rows.reader import read
from rates.rows.records import Column, Question, Reading
from rates.rows.sites import ALIKE, CURVE
from rates.rows.split import cells
from rates.rows.tables import rows_from_table, study_of, to_csv
from rates.rows.words import TITLES, blank, unprotected
from rates.rows.writing import csv_text, without_quote
