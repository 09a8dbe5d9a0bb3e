"""Tables as people have them: what stands between cells, what a column and a number mean."""

from rates.rows.texts import cells, csv_text, numeric_cell, numeric_table
from rates.rows.reader import read
from rates.rows.records import Question, Reading
from rates.rows.sites import ALIKE, CURVE
from rates.rows.tables import rows_from_table, study_of, to_csv
from rates.rows.words import TITLES, blank, unprotected
