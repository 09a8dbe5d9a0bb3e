"""Tests of what a claim cannot express: runs, chances, optima over many weights."""

from rates.ledger.functions.base import Test, find, measure

__all__ = ["Test", "find", "measure"]
