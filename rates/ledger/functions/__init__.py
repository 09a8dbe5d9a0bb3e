"""Tests of what a claim cannot express: runs, chances, optima over many weights."""

from rates.ledger.functions.base import Test, Tests, by_row, find, measure, pick

__all__ = ["Test", "Tests", "by_row", "find", "measure", "pick"]
