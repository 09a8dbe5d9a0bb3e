"""Door to the presets."""

from rates.study.presets import *  # noqa: F403
