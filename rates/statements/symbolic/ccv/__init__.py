"""Derivations of what [CCV] prints."""
