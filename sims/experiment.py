"""A documented path to what an experiment is, in `sims.engine`."""

from sims.engine.experiment import *  # noqa: F403
