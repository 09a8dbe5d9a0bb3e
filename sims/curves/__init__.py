"""Curves, wavelets and uploaded tables that regressions learn from."""

from sims.curves.cells import CELLS, Grid, binned, cell_kernel, cell_of, integrals, losses
from sims.curves.filters import MOMENTS
from sims.curves.functions import (
    Curve, EXPONENT, KINDS, Kind, PLACE, RANDOM_SMOOTHNESS, SEED, curve, curve_means,
)
from sims.curves.levels import decompose, level_dimensions, level_suprema, two_scale
from sims.curves.uploaded import read_curve
from sims.curves.wavelets import (
    Basis, FAMILIES, Family, evaluate, least_dimension, point_supremum, supremum, synthesise,
)
