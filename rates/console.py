"""What the command lines share: files in, text and strict JSON out, one line for bad input."""

from __future__ import annotations

import argparse
import math
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

from rates.numbers import MAX_BYTES, DomainError

BAD_INPUT = 2


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        """Print one line and leave with status 2."""
        self.exit(BAD_INPUT, f"{self.prog}: {' '.join(message.split())}\n")


def read_file(path: str, what: str = "study") -> bytes:
    """Return a file's bytes, just more than allowed if it is too large.

    Raises:
        DomainError: The file cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a valid path"
        raise DomainError(f"The {what} file must be readable: {reason}.", value=path) from None


def show(text: str) -> int:
    """Print to whatever is listening, in whatever encoding it has; return status 0."""
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        print(text, flush=True)
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def plain(x: Any) -> Any:
    """Return data that strict JSON can hold.

    >>> plain({"a": (math.inf, math.nan)})
    {'a': ['inf', None]}
    """
    if isinstance(x, dict):
        return {key: plain(value) for key, value in x.items()}
    if isinstance(x, list | tuple):
        return [plain(value) for value in x]
    if isinstance(x, float) and not math.isfinite(x):
        return None if math.isnan(x) else "inf" if x > 0 else "-inf"
    return x
