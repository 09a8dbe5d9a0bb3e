"""Where the result of a run goes: a file in which nothing is ever followed by less."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

import rates
from rates.numbers import DomainError, load_json
from sims import files
from sims.engine import Array, Progress, Request

EVERY = 1.0  # seconds between two writes of an unfinished result
SUFFIX = ".kept"


class ResultFile:
    """A result file that only ever gets richer, and beside it what an unfinished run has done.

    What the file holds, complete or marked as partial, is replaced once the new result has at
    least as many evaluations, in one step. Until a run is complete, its replicates lie beside
    the file as ``FILE.csv.kept``, for a later run to go on with.

    Attributes:
        path: The CSV file.
        kept: Replicates to go on with, one array per point; empty for a run from the start.
        complete: Whether the file already holds the complete result of this request.
    """

    def __init__(
        self, path: str, request: Request, *, resume: bool = False, every: float = EVERY
    ) -> None:
        """Look at what is there, and refuse what must not or cannot be written.

        Args:
            path: Where the result goes.
            request: What will be run.
            resume: Whether to go on with what an interrupted run of the same request kept.
            every: Least seconds between two writes.

        Raises:
            DomainError: The path is empty or not writable; it holds something else than a result,
                one of another experiment, or one of more evaluations; what is kept is of another
                request or another version of the program.
        """
        self.path, self.every, self.written = _writable(path), every, -math.inf
        self.asked = {**files.to_dict(request), "program": rates.__version__}
        self.trouble = ""
        there, whole, done = _result(self.path)
        if there and there["experiment"] != request.experiment.name:
            raise self._refused(f"holds a result of {there['experiment']}; choose another file")
        if done > request.total:
            words = f"holds {done:,} evaluations, more than this run's {request.total:,}"
            raise self._refused(f"{words}; choose another file")
        self.complete = whole and there == self.asked
        self.kept, self.kept_least = self._kept(request, resume=resume)

    def save(self, progress: Progress) -> None:
        """Write what a run has, if the last time is long enough ago; a full disk may wait."""
        began = time.monotonic()
        if began - self.written >= self.every:
            self._try(progress)
            # Large results take long to write: at most a twentieth of the time goes there.
            self.written = time.monotonic()
            self.every = max(self.every, 20.0 * (self.written - began))

    def close(self, progress: Progress) -> None:
        """Write what a run has at its end.

        Raises:
            DomainError: The file cannot be written; what was there stays.
        """
        self._try(progress)
        if self.trouble:
            raise self._refused(self.trouble)

    def _try(self, progress: Progress) -> None:
        side, whole, self.trouble = beside(self.path), progress.state == "finished", ""
        try:
            if not whole and progress.done >= self.kept_least:
                replace_file(side, to_bytes(progress, self.asked))
            # Looked at again each time: another run may have written more since.
            if progress.done >= _result(self.path)[2]:
                replace_file(self.path, files.to_csv(progress).encode())
            if whole:
                side.unlink(missing_ok=True)
        except OSError as error:
            self.trouble = f"must be writable: {error.strerror or error}"

    def _kept(self, request: Request, *, resume: bool) -> tuple[list[Array], int]:
        """Return the replicates to go on with, and how many evaluations lie beside the file."""
        side = beside(self.path)
        if self.complete or not side.exists():
            return [], 0
        try:
            asked, values = read_kept(side)
        except DomainError:
            if resume:
                raise
            return [], 0
        if not resume:
            return [], sum(map(len, values)) if asked == self.asked else 0
        differing = [name for name in self.asked if asked.get(name) != self.asked[name]]
        if differing or len(values) != len(request.points):
            words = f"The interrupted run beside this file differs in {[*differing, 'points'][0]}"
            rule = f"{words}; ask for the same, or leave --resume out to begin anew."
            raise DomainError(rule, field="resume", value=str(side))
        return values, 0

    def _refused(self, words: str) -> DomainError:
        return DomainError(f"The output file {words}.", field="out", value=str(self.path))


def _writable(given: str) -> Path:
    try:
        path = Path(given).resolve()
        if path.exists() and not path.is_file():
            raise OSError(None, "not a regular file")
        if path.exists() and not os.access(path, os.W_OK):
            raise OSError(None, "the file is write-protected")
        _part(path).touch()
        _part(path).unlink()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a valid path"
        rule = f"The output file must be writable: {reason}."
        raise DomainError(rule, field="out", value=given) from None
    return path


def _result(path: Path) -> tuple[dict[str, Any], bool, int]:
    """Return what a file's run asked for, whether it is complete, and its evaluations.

    Raises:
        DomainError: It holds something else than a result; one that is not there holds nothing.
    """
    try:
        text = path.read_text("utf-8") if path.exists() else ""
        if not text.strip():
            return {}, False, 0
        lines = text.splitlines()
        said = dict(line[2:].split(" ", 1) for line in lines if line.startswith("# "))
        rows = csv.DictReader(line for line in lines if not line.startswith("#"))
        asked = {
            "version": files.VERSION,
            "experiment": said["experiment"],
            "parameters": load_json(said["parameters"]),
            "replicates": int(said["replicates"]),
            "seed": int(said["seed"]),
            "program": said["version"].rpartition("program ")[2],
        }
        return asked, said["state"] == "complete", sum(int(row["replicates"]) for row in rows)
    except (OSError, ValueError, KeyError, TypeError, csv.Error):
        rule = "The output file must be new, empty or a result of this program; choose another."
        raise DomainError(rule, field="out", value=str(path)) from None


def beside(path: Path) -> Path:
    """Return where the replicates of an unfinished run lie.

    >>> beside(Path("points.csv")).name
    'points.csv.kept'
    """
    return path.with_name(path.name + SUFFIX)


def to_bytes(progress: Progress, asked: dict[str, Any]) -> bytes:
    """Return every replicate done, and what was asked, as an archive of arrays."""
    done = [row[:count] for row, count in zip(progress.replicated, progress.counts, strict=True)]
    out = io.BytesIO()
    np.savez(
        out,
        asked=np.frombuffer(json.dumps(asked, sort_keys=True).encode(), np.uint8),
        counts=np.array(progress.counts, np.int64),
        values=np.concatenate(done),
    )
    return out.getvalue()


def read_kept(path: Path) -> tuple[dict[str, Any], list[Array]]:
    """Return what was asked, and the replicates done of every point.

    Raises:
        DomainError: The file cannot be read, or is not what `to_bytes` gives.
    """
    try:
        # NumPy reads nothing but plain arrays unless asked to.
        with np.load(io.BytesIO(path.read_bytes())) as data:
            asked = dict(json.loads(data["asked"].tobytes()))
            counts, values = data["counts"], data["values"].astype(float)
        if counts.min() < 0 or counts.sum() != len(values) or not np.isfinite(values).all():
            raise ValueError("counts and values do not fit")
        return asked, np.split(values, np.cumsum(counts)[:-1])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        rule = "The file of an interrupted run must be readable and whole; delete it to begin anew."
        raise DomainError(rule, field="resume", value=str(path)) from error


def replace_file(path: Path, content: bytes) -> None:
    """Put the content in place of the file in one step, so that no reader sees half of it.

    Raises:
        OSError: It cannot be written; what was there stays.
    """
    part = _part(path)
    try:
        with part.open("wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _part(path: Path) -> Path:
    """Return where new content grows; what a killed run leaves there the next one overwrites."""
    return path.with_name(f".{path.name}.part")
