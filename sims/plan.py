"""How long a run would take, from a pilot of its first replicates."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import closing

from sims.engine import Budget, Progress, Request, Signals, run

PILOT = 5.0  # seconds
LONGEST = 60.0  # seconds, where first replicates take longer
_UNITS = ((86_400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def planned(
    request: Request, executor: Executor | Callable[[], Executor] | None, signals: Signals
) -> str:
    """Run the first replicates where the run would be, and say what the rest would take."""
    points, each = len(request.points), request.replicates
    said = f"{request.total:,} evaluations: {points:,} points of {each:,} replicates."
    first: Progress | None = None
    stream = run(request, executor=executor, budget=Budget(seconds=LONGEST), stop=signals.stop)
    with closing(stream):
        for last in signals.until_stopped(stream):
            if first is None and last.done:
                first = last  # until then workers start and what is shared is prepared
            elif first and last.seconds >= first.seconds + PILOT:
                break
    if last.state == "finished":
        return f"{said}\nThe whole run took {length(last.seconds)}."
    if first is None or last.done == first.done:
        return f"{said}\nThe pilot of {length(last.seconds)} was over before its first results."
    pace = (last.seconds - first.seconds) / (last.done - first.done)
    whole = first.seconds + pace * (request.total - first.done)
    return (
        f"{said}\nPilot: {last.done:,} in {length(last.seconds)}, {1e3 * pace:.2g} ms each after a "
        f"start of {length(first.seconds)}; the whole takes about {length(whole)} here."
    )


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
