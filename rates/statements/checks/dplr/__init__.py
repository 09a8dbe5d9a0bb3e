"""Numerical tests of what [DPLR] prints."""
