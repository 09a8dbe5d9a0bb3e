"""Requests as JSON files, results as CSV."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

import rates
from rates.numbers import VERSION, Fields, decode, load_json, plain, to_text
from rates.rows import csv_text
from sims.engine import INTERVAL, Point, Progress, Request, Value, Values, fits
from sims.experiments import find

WHERE = "Experiment file"
COLUMNS = ("series", "x", "mean", "stderr", "replicates", "theory")
ENDS = ("low", "high")  # of the interval, the last columns
KEYS = {"version", "experiment", "parameters", "replicates", "seed"}


def read_request(text: str | bytes, *, replicates: object = None, seed: object = None) -> Request:
    """Return the run that an experiment file asks for.

    Args:
        text: Strict JSON of version 1.
        replicates: In place of the file's number.
        seed: In place of the file's seed.

    Raises:
        DomainError: The text is not such a file; the message names the field.
    """
    part = Fields.of(load_json(decode(text, "An experiment file")), "An experiment", WHERE)
    part.keys(KEYS, {"version", "experiment"}).version()
    experiment = find(part.data["experiment"])
    values = part.part("parameters").data
    if replicates is None:
        replicates = part.data.get("replicates", experiment.replicates)
    if seed is None:
        seed = part.data.get("seed", 0)
    return Request(experiment=experiment, values=values, replicates=replicates, seed=seed)  # type: ignore[arg-type]


def to_dict(request: Request) -> dict[str, Any]:
    """Return the request as plain data, every parameter stated."""
    return {
        "version": VERSION,
        "experiment": request.experiment.name,
        "parameters": _plain_values(request.values),
        "replicates": request.replicates,
        "seed": request.seed,
    }


def to_json(request: Request) -> str:
    """Return the file that repeats the run, as `read_request` takes it."""
    return to_text(to_dict(request)) + "\n"


def to_csv(progress: Progress) -> str:
    """Return estimates as a table, with all that repeats the run in comment lines.

    One row per point: series, x, mean, stderr, replicates, theory, then the settings that
    varied, the exact value where there is one, and the interval's ends, low and high. Empty is
    unknown. Comment lines
    ``# slope series fitted stderr theory`` give the slopes; ``# constant series C stderr``
    the constants over the theory; ``# left out series x: reason`` the points without a part.
    """
    request, estimates = progress.request, progress.estimates
    notes: list[str] = []
    points = request.points
    varied = _varied(points)
    exact = any(p.exact is not None for p in points)
    table = [[*COLUMNS, *varied, *(["exact"] if exact else []), *ENDS]]
    for point, estimate in zip(points, estimates, strict=True):
        numbers = [point.x, estimate.mean, estimate.stderr, estimate.replicates, point.theory]
        row = [point.series, *map(_cell, numbers)]
        row += [_cell(point.settings.get(name)) for name in varied]
        row += [_cell(point.exact)] if exact else []
        table.append([*row, *map(_cell, estimate.interval())])
    if request.experiment.slopes:
        for fit in fits(points, estimates):
            if fit.slope:
                numbers = [fit.slope.value, fit.slope.stderr, fit.theory]
                notes.append(f"slope {fit.series} {' '.join(map(repr, numbers))}")
            if fit.constant:
                numbers = [fit.constant.value, fit.constant.stderr]
                notes.append(f"constant {fit.series} {' '.join(map(repr, numbers))}")
            for x, reason in fit.left_out:
                notes.append(f"left out {fit.series} {x!r}: {reason}")
    return _comments(_header(progress)) + csv_text(table) + _comments(notes)


def _comments(lines: Iterable[str]) -> str:
    return "".join(f"# {line}\n" for line in lines)


def _header(progress: Progress) -> list[str]:
    request = progress.request
    parts = to_dict(request)
    whole = progress.state == "finished"
    state = "complete" if whole else f"partial, {progress.done} of {progress.total} evaluations"
    return [
        f"experiment {parts['experiment']}",
        f"question {request.experiment.question}",
        f"x {request.experiment.x_label}",
        f"mean {request.experiment.y_label}",
        f"{' and '.join(ENDS)} {INTERVAL}",
        f"privacy {request.experiment.privacy}",
        f"parameters {json.dumps(parts['parameters'], allow_nan=False)}",
        f"replicates {request.replicates}",
        f"seed {request.seed}",
        f"version {VERSION}, program {rates.__version__}",
        f"state {state}",
    ]


def _plain_values(values: Values) -> dict[str, Any]:
    return {
        name: [plain(entry) for entry in value]
        if isinstance(value, tuple)
        else value
        if isinstance(value, str)
        else plain(value)
        for name, value in values.items()
    }


def _varied(points: Iterable[Point]) -> list[str]:
    """Return the settings that are not the same at every point, in order of appearance."""
    rows = [point.settings for point in points]
    names = dict.fromkeys(name for row in rows for name in row)
    return [name for name in names if len({repr(row.get(name)) for row in rows}) > 1]


def _cell(value: Value | None) -> str:
    if value is None or not isinstance(value, float | int):
        return str(value or "")
    return "" if math.isnan(value) else str(plain(value)) if math.isfinite(value) else repr(value)
