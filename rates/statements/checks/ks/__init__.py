"""Numerical tests of what [KS] prints."""
