"""How long a run would take, from a pilot of its first replicates."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import closing

from sims.engine import Budget, Progress, Request, Signals, run

PILOT = 5.0  # seconds
_UNITS = ((86_400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def planned(
    request: Request, executor: Executor | Callable[[], Executor] | None, signals: Signals
) -> str:
    """Run the first replicates where the run would be, and say what the rest would take."""
    pace: Progress | None = None
    stream = run(request, executor=executor, budget=Budget(seconds=PILOT), stop=signals.stop)
    with closing(stream):
        for last in signals.until_stopped(stream):
            if last.seconds_left is not None:
                pace = last
    points, each = len(request.points), request.replicates
    lines = [f"{request.total:,} evaluations: {points:,} points of {each:,} replicates."]
    if last.state == "finished":
        lines += [f"The whole run took {length(last.seconds)}."]
    elif pace is None or not pace.seconds_left:
        lines += [f"The pilot of {length(last.seconds)} saw no point's first replicates through."]
    else:
        lines += [
            f"Pilot: {pace.done:,} evaluations in {length(pace.seconds)}, so the whole takes "
            f"about {length(pace.seconds + pace.seconds_left)} here."
        ]
    return "\n".join(lines)


def length(seconds: float) -> str:
    """Return a time as one reads it.

    >>> length(0.4), length(75), length(7300), length(400_000)
    ('0.4 s', '1 min 15 s', '2 h 1 min', '4 d 15 h')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    for (size, name), (part, below) in itertools.pairwise(_UNITS):
        if seconds >= size:
            return f"{int(seconds // size)} {name} {int(seconds % size // part)} {below}"
    return f"{seconds:.0f} s"
