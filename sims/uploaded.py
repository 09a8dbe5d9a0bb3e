"""Door to uploaded curves."""

from sims.curves.functions import *  # noqa: F403
