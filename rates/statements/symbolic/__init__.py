"""Statements in sympy: expressions of [ACC] and [CCV], and derivations step by step.

`expression` returns a statement, `derive` a derivation whose every step is checked when it is made.
"""

from rates.statements.symbolic.derivations import DERIVATIONS, derive
from rates.statements.symbolic.expressions import STATEMENTS, expression
from rates.statements.symbolic.record import Derivation, Step
