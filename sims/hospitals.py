"""A documented path to the experiment on hospitals, in `sims.acc`."""

from sims.acc.hospitals import *  # noqa: F403
