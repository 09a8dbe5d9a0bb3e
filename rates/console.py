"""What the command lines share: files in, text and strict JSON out, one line for bad input."""

from __future__ import annotations

import argparse
import errno
import math
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from rates.numbers import MAX_BYTES, DomainError, Words

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


def show(text: str, end: str = "\n") -> int:
    """Print to whatever is listening, in whatever encoding it has; return status 0.

    Raises:
        DomainError: The output is closed, or what it goes to is full.
    """
    try:
        if sys.stdout is None:
            raise OSError(errno.EBADF, "a closed one")
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
        print(text, end=end, flush=True)
    except OSError as error:
        if sys.stdout is not None:  # or Python would try again at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # whose reader has seen enough
            why = Words(error.strerror)
            raise DomainError("The output must take what is printed.", value=why) from None
    return 0


def say(words: str, end: str = "\n") -> None:
    """Print a line beside the output; where that reaches nobody, the status tells alone."""
    with suppress(OSError):
        if sys.stderr is not None:
            print(words, end=end, file=sys.stderr, flush=True)


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
