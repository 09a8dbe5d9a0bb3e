"""Door to the experiment on hospitals."""

from sims.acc.hospitals import *  # noqa: F403
