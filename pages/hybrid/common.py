"""What the tabs of the hybrid page share: fields of a run and of PARITY, and how they agree."""

from __future__ import annotations

import functools

from pages.core import Slider
from pages.core.live import Tab
from rates.numbers import decades
from sims.engine import Progress
from sims.hybrid import agrees

tab = functools.partial(Tab, page="hybrid")
FAILURE = 0.01  # β of the numbers told about PARITY
RUN = (
    Slider("records", "Volunteers n", [2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 4e5, 1e6]),
    Slider("rounds", "Rounds allowed T", [1, 5, 10, 20, 30, 40, 60, 80, 120, 200]),
    Slider("density", "Density κ", [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0]),
    Slider("step", "Update rate η", [0.0125, 0.025, 0.05, 0.1, 0.2, 0.3]),
)
TESTS = (
    Slider("sample", "Records per round m", [50, 100, 200, 400, 800, 2000]),
    Slider("users_per_test", "Users per test N₀", decades(2, 7, whole=True)),
    Slider("accuracy", "Accuracy α", [0.02, 0.05, 0.08, 0.1, 0.12]),
)
SOURCE = (
    Slider("bits", "Bits d", [4, 8, 16, 24, 32, 48, 64, 96, 128]),
    Slider(
        "rare",
        "Frequency of the first bit among volunteers q",
        [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5],
    ),
)


def agreement(progress: Progress) -> list[str]:
    """Say how many simulated shares agree with the exact ones, as far as there are any."""
    seen = progress.seen()
    inside = sum(agrees(p, e) for p, e in seen)
    told = (
        f"**{inside} of {len(seen)}** simulated shares lie within three standard errors of "
        "the exact one."
    )
    return [told] if seen else []
