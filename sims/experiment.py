"""Door to what an experiment is."""

from sims.engine.experiment import *  # noqa: F403
