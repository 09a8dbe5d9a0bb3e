"""Door to the files and links of studies."""

from rates.study.codec import *  # noqa: F403
