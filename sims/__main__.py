"""``python -m sims``: experiments on the command line."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, closing, nullcontext
from datetime import timedelta
from functools import partial
from typing import Any

from rates.console import BAD_INPUT, Parser, plain, read_file, say, show
from rates.numbers import DomainError
from sims import engine, experiments, files
from sims.result_file import ResultFile

Workers = Executor | Callable[[], Executor] | None

EVERY_MINUTE = 60.0  # seconds; a log that is kept needs no line for every block


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return 0, 2 for bad input, 128 and the signal where one ended it."""
    given = _parser().parse_args(arguments)
    try:
        if given.command == "list":
            return show(_listed(as_json=given.json))
        with engine.Signals() as signals:
            return _run(given, signals)
    except DomainError as error:
        _say(str(error))
        return BAD_INPUT


def _parser() -> Parser:
    parser = Parser(prog="python -m sims", description="Simulations that meet the theory.")
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="experiments, their parameters and defaults")
    listing.add_argument("--json", action="store_true", help="print strict JSON")
    running = commands.add_parser("run", help="run an experiment file")
    running.add_argument("experiment", help="an experiment file (JSON)")
    running.add_argument(
        "--replicates", metavar="R", type=int, help="in place of the file's number"
    )
    running.add_argument("--seed", metavar="S", type=int, help="in place of the file's seed")
    where = running.add_mutually_exclusive_group()
    where.add_argument("--workers", metavar="W", type=int, help="processes on this machine")
    where.add_argument("--scheduler", metavar="ADDRESS", help="address of a Dask scheduler")
    running.add_argument(
        "--out", metavar="FILE.csv", help="kept up to date on the way; without it, printed"
    )
    running.add_argument("--resume", action="store_true", help="go on with an interrupted run")
    return parser


def _run(given: Namespace, signals: engine.Signals) -> int:
    request = files.read_request(
        read_file(given.experiment, "experiment"),
        replicates=given.replicates,
        seed=given.seed,
    )
    if given.resume and given.out is None:
        raise DomainError("--resume goes on with a file: it needs --out.", value="no --out")
    out = None if given.out is None else ResultFile(given.out, request, resume=given.resume)
    # Nothing is computed twice.
    if given.resume and out and out.complete:
        _say("the file already holds the complete result.")
        return 0
    with _workers(given) as executor:
        stream = engine.run(
            request, executor=executor, stop=signals.stop, kept=out.kept if out else ()
        )
        told = Told()
        # Closed also where a save fails: no worker outlives its run.
        with closing(stream):
            for last in stream:
                if out and last.state == "running":
                    out.save(last)
                told.tell(last)
        told.tell(last, end=True)
        if out:
            out.close(last)
    if signals.received:
        there = "what was there is kept; --resume goes on." if out else "nothing was kept."
        _say(f"interrupted; {there}")
        return 128 + signals.received
    if last.note:
        _say(last.note)
    return 0 if out else show(files.to_csv(last).rstrip("\n"))


def _workers(given: Namespace) -> AbstractContextManager[Workers]:
    if given.scheduler is not None:
        return engine.cluster(given.scheduler)
    if given.workers is None:
        return nullcontext()
    return nullcontext(partial(engine.local_pool, int(engine.WORKERS.check(given.workers))))


def _say(words: str) -> None:
    say(f"python -m sims: {words}")


class Told:
    """How far a run is: a line that changes where somebody watches, else one every minute."""

    def __init__(self) -> None:
        self.minute = 0.0

    def tell(self, progress: engine.Progress, *, end: bool = False) -> None:
        """Show how far the run is."""
        left = progress.seconds_left
        ahead = "" if left is None else f", {timedelta(seconds=round(left))} left"
        line = f"{progress.done:,} of {progress.total:,} evaluations{ahead}"
        if sys.stderr and sys.stderr.isatty():
            # Padded, or the end of a longer line would stay.
            say(f"\r{line:60}", "\n" if end else "")
        elif progress.seconds >= self.minute + EVERY_MINUTE and not end:
            self.minute = progress.seconds
            _say(line)


def _listed(*, as_json: bool) -> str:
    if as_json:
        described = [_described(experiment) for experiment in experiments.EXPERIMENTS]
        return json.dumps(plain(described), allow_nan=False, indent=2)
    lines: list[str] = []
    for experiment in experiments.EXPERIMENTS:
        lines += [f"{experiment.name}: {experiment.question}"]
        lines += [f"  {experiment.replicates} replicates per point unless asked otherwise"]
        for parameter in experiment.parameters:
            about = parameter.describe()
            lines += [f"  {parameter.name} = {json.dumps(plain(about['default']))}"]
            lines += [f"    {about['allowed']} {parameter.help}".rstrip()]
        lines += [""]
    return "\n".join(lines).rstrip("\n") or "No experiment is registered."


def _described(experiment: engine.Experiment) -> dict[str, Any]:
    return {
        "name": experiment.name,
        "question": experiment.question,
        "help": experiment.help,
        "x": experiment.x_label,
        "y": experiment.y_label,
        "privacy": experiment.privacy,
        "replicates": experiment.replicates,
        "parameters": [parameter.describe() for parameter in experiment.parameters],
    }


if __name__ == "__main__":
    sys.exit(main())
