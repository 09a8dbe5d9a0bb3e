"""A documented path to runs of an experiment, in `sims.engine`."""

from sims.engine.runs import *  # noqa: F403
