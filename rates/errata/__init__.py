"""The ledger as its reader meets it: the headline, the slips that matter, and files to cite."""

from rates.errata.counts import Headline, beside, headline, sentences, slips_said, stands
from rates.errata.files import Edition, bibtex, edition, key, slips, table, text
from rates.errata.curves import FIRST, Line, Shown, shown, title
from rates.errata.standard import STANDARD
