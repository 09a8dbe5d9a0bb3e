"""A documented path to `rates.study.presets`."""

from rates.study.presets import *  # noqa: F403
