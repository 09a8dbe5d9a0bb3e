"""Door to the heart-disease files."""

from sims.acc.heart import *  # noqa: F403
