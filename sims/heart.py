"""Door to the heart-disease files."""

from sims.paper_acc.heart import *  # noqa: F403
