"""Claims about minima and maxima of lines: decided exactly, with a proof or a counterexample."""

from rates.proofs import exact
from rates.proofs.cases import (
    Chamber, Piece, Wall, chambers, end_line, piece_holds, wall_line,
)
from rates.proofs.calls import compare
from rates.proofs.certificate import Data, check, combined, start
from rates.proofs.rays import Ray
from rates.proofs.search import Known, Search, Work, weights_of
from rates.proofs.settle import ContradictionError, Decision, as_data, decide, has_inside
