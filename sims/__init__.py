"""Experiments: live simulations that meet the theory; none is built yet."""
