"""Minima and maxima of lines: what decides where, exactly."""

from rates.pieces.form import Form, Leaf, Tree, choose
