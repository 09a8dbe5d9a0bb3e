"""Further formal claims: what the hybrid model, the surrogate and the series ask for."""

from rates.formal.further.equation import CLAIMS as EQUATION
from rates.formal.further.hybrid import CLAIMS as HYBRID
from rates.formal.further.series import CLAIMS as SERIES
from rates.formal.further.surrogate import CLAIMS as SURROGATE
