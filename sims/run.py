"""Door to runs of an experiment."""

from sims.engine.runs import *  # noqa: F403
