"""Further formal claims: what the hybrid model, the surrogate and the series ask for."""

from rates.formal.further import equation, hybrid, hybrid_sums, levels, readings, records, series
from rates.formal.further import sites, surrogate
