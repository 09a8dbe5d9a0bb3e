"""Solve either kind of study."""

from __future__ import annotations

from typing import overload

from rates.answer import federated, transfer
from rates.answer.records import FederatedAnswer, TransferAnswer
from rates.study import FederatedStudy, TransferStudy


@overload
def solve(study: TransferStudy) -> TransferAnswer: ...


@overload
def solve(study: FederatedStudy) -> FederatedAnswer: ...


def solve(study: TransferStudy | FederatedStudy) -> TransferAnswer | FederatedAnswer:
    """Solve a study's rate equation, by `transfer.solve` or `federated.solve`."""
    if isinstance(study, TransferStudy):
        return transfer.solve(study)
    if isinstance(study, FederatedStudy):
        return federated.solve(study)
    raise TypeError(f"solve takes a TransferStudy or a FederatedStudy, got {type(study).__name__}.")
