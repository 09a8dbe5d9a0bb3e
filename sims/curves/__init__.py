"""Curves and wavelets that regressions learn from."""

from sims.curves.cascade import MOMENTS, wavelet_supremum
from sims.curves.cells import CELLS, Grid, binned, cell_kernel, cell_of, integrals, losses
from sims.curves.functions import (
    Curve, EXPONENT, KINDS, Kind, PLACE, RANDOM_SMOOTHNESS, SEED, curve, curve_means,
)
from sims.curves.wavelets import (
    Basis, FAMILIES, Family, evaluate, least_dimension, point_supremum, supremum, synthesise,
)
