"""Numerical tests of what [CCV] prints."""
