"""A study's own rows as lists that an experiment takes, and the servers that such lists state."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rates.answer import offered_delta
from rates.numbers import DomainError, Words
from rates.study import Server, Study
from sims import budgets
from sims.engine.settings import Values

MOST_ROWS = budgets.SIMULATED_ROWS
_FIELDS = {"gamma": "signal_exponent"}


def rows_of(study: Study, names: Sequence[str], most: int) -> tuple[Values, str]:
    """Return a study's rows as one list per name, and what was capped, as a sentence.

    A missing delta becomes `rates.answer.offered_delta`.

    Args:
        study: A study.
        names: Which of n, epsilon, delta, gamma and count.
        most: Records of one row, all its servers together, that are simulated; more are cut.

    Raises:
        DomainError: The study has more than `MOST_ROWS` rows.
    """
    if len(study.servers) > MOST_ROWS:
        rule = f"The simulation takes at most {MOST_ROWS} rows."
        raise DomainError(rule, field="servers", value=len(study.servers))
    lists = {
        name: tuple(float(getattr(row, _FIELDS.get(name, name)) or 0.0) for row in study.servers)
        for name in names
    }
    n = tuple(float(min(row.n, most // row.count)) for row in study.servers)
    delta = tuple(found or offered_delta(study) for found in lists["delta"])
    capped = [row.name for row, kept in zip(study.servers, n, strict=True) if kept < row.n]
    note = f"Cut to 1e{math.log10(most):.0f} records in all: {', '.join(capped)}."
    return Values({**lists, "n": n, "delta": delta}), note if capped else ""


def servers_from(values: Values, names: Sequence[str], factor: float) -> tuple[Server, ...]:
    """Return the servers that lists state, every budget multiplied by the factor.

    Raises:
        DomainError: The first list of several entries says how many rows there are, and others
            differ; the message names those.
    """
    lists = {name: values.numbers(name) for name in names}
    lengths = {name: len(entries) for name, entries in lists.items() if len(entries) > 1}
    rows = next(iter(lengths.values()), 1)
    if others := {name: length for name, length in lengths.items() if length != rows}:
        rule = "Lists of one study must have one entry per row, or one for all rows."
        got = Words(f"{' and '.join(map(str, others.values()))} of {rows}")
        raise DomainError(rule, field=" and ".join(others), value=got)
    lists = {name: v * rows if len(v) == 1 else v for name, v in lists.items()}
    return tuple(
        Server(
            name=f"row {k + 1}",
            n=int(lists["n"][k]),
            epsilon=lists["epsilon"][k] * factor,
            delta=lists["delta"][k],
            signal_exponent=lists["gamma"][k] if "gamma" in lists else 1.0,
            count=int(lists["count"][k]),
        )
        for k in range(rows)
    )
