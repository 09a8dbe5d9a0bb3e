"""The derivations of all papers by name."""

from __future__ import annotations

from rates.numbers import DomainError
from rates.statements.symbolic.acc import equation as acc_equation
from rates.statements.symbolic.acc import methods as acc_methods
from rates.statements.symbolic.acc import table as acc_table
from rates.statements.symbolic.acc import thresholds as acc_thresholds
from rates.statements.symbolic.ccv import equation as ccv_equation
from rates.statements.symbolic.ccv import estimators as ccv_estimators
from rates.statements.symbolic.ccv import servers as ccv_servers
from rates.statements.symbolic.others import (
    adaptation,
    general,
    noise,
    parity,
    records,
    sizes,
    surrogate,
)
from rates.statements.symbolic.record import Derivation, Proof

DERIVATIONS = (
    acc_thresholds.DERIVATIONS
    | acc_table.DERIVATIONS
    | acc_equation.DERIVATIONS
    | acc_methods.DERIVATIONS
    | ccv_equation.DERIVATIONS
    | ccv_servers.DERIVATIONS
    | ccv_estimators.DERIVATIONS
    | sizes.DERIVATIONS
    | records.DERIVATIONS
    | parity.DERIVATIONS
    | noise.DERIVATIONS
    | adaptation.DERIVATIONS
    | general.DERIVATIONS
    | surrogate.DERIVATIONS
)


def derive(key: str) -> Derivation:
    r"""Derive a result, checking every step on the way.

    Args:
        key: One of `DERIVATIONS`, in the form of a statement's id.

    Returns:
        The steps with their formulas, each marked with the outcome of its check.

    Raises:
        DomainError: There is no derivation of that name.

    Examples:
        >>> found = derive("ACC:Cor3.2:eps21")
        >>> found.proved, len(found.steps)
        (True, 7)
        >>> print(found.result)
        \varepsilon_{21} = \frac{n_0^{\frac{\beta \gamma + d}{2 \beta + d}}}{\sqrt{m} n}

    Source: the papers, the statement that the key names.
    """
    if key not in DERIVATIONS:
        raise DomainError("There is no derivation of this name.", field="key", value=key)
    title, follow = DERIVATIONS[key]
    proof = Proof()
    result = follow(proof)
    return Derivation(key=key, title=title, steps=tuple(proof.steps), result=result)
