"""Further formal claims: what the hybrid model, the surrogate and the series ask for."""

from rates.formal.further.hybrid import CLAIMS as HYBRID
from rates.formal.further.surrogate import CLAIMS as SURROGATE
