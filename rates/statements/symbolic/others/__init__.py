"""Derivations of [KS], [BCMM] and [DPLR] where their statements are algebra."""
