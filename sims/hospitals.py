"""Door to the experiment on hospitals."""

from sims.paper_acc.hospitals import *  # noqa: F403
