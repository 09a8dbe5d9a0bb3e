"""Numerical tests of what [BCMM] prints."""
