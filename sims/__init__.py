"""Experiments: simulated data, private estimators and honest error bars beside the theory.

Read `engine` first: what an experiment is, its runs, seeds, and the gate through which all privacy
noise goes. Then the papers by their names, `real` records, `audit` (every mechanism under attack),
`lessons` and `classroom`.

Linear algebra gets one thread per process, which must be said before NumPy is loaded: on
several threads sums round differently, and a run could not be repeated bit for bit
elsewhere; and workers would compete for processors.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
