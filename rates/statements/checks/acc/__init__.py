"""Numerical tests of what [ACC] prints."""
