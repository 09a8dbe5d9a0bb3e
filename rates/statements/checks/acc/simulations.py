"""Checks on stored runs: those of the ledger."""

from rates.ledger.functions.simulations import TESTS as CHECKS

__all__ = ["CHECKS"]
