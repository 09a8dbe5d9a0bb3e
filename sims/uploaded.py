"""Door to uploaded curves."""

from sims.curves.uploaded import *  # noqa: F403
