"""Curves and wavelets that regressions learn from."""

from sims.curves.cascade import MOMENTS
from sims.curves.cells import (
    CELLS, Grid, binned, cell_kernel, cell_of, decompose, integrals, level_dimensions,
    level_suprema, losses, two_scale,
)
from sims.curves.functions import (
    Curve, EXPONENT, KINDS, Kind, PLACE, RANDOM_SMOOTHNESS, SEED, curve, curve_means,
)
from sims.curves.wavelets import (
    Basis, FAMILIES, Family, evaluate, least_dimension, point_supremum, supremum, synthesise,
)
