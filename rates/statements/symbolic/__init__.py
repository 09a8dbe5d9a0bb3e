"""Statements of [ACC] and [CCV] in sympy: expressions, derivations step by step, exponents.

`expression` returns a statement, `derive` a derivation whose every step is checked when it is
made, `exponents` and `federated_exponents` the exact rates when every size is a power of one
number. Names and titles of the derivations are plain text: sympy is imported by the first call.
"""

from __future__ import annotations

from rates.statements.symbolic.derivations import KEYS, TITLES, derive
from rates.statements.symbolic.exponents import Exponents, Piece, exponents, federated_exponents
from rates.statements.symbolic.expressions import STATEMENTS, expression
from rates.statements.symbolic.record import Derivation, Step
