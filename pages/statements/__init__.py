"""Widgets and words of the ledger."""
