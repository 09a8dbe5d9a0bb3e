"""Derivations of what [ACC] prints."""
