"""How much detail survives: level, growth and the corollaries on it."""

from rates.resolution import corollaries, coverage, design, growing, resolution
from rates.resolution.corollaries import homogeneous_D
from rates.resolution.coverage import Coverage, applies
from rates.resolution.design import Detail
from rates.resolution.growing import Growth
from rates.resolution.resolution import Branch, Curve
