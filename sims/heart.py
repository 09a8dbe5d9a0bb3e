"""A documented path to the heart-disease files, in `sims.acc`."""

from sims.acc.heart import *  # noqa: F403
