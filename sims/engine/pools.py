"""Where blocks can be computed besides this thread: local processes, or a Dask cluster."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context

from rates.numbers import DomainError, Parameter

WORKERS = Parameter("workers", "W", "1, ..., 256", help="Processes on this machine.")
PATIENCE = 10.0  # seconds to reach a scheduler


def local_pool(workers: int) -> Executor:
    """Return a pool of fresh processes on this machine.

    Raises:
        DomainError: The number is outside 1 to 256.
    """
    count = int(WORKERS.check(workers))
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_deaf)


def _deaf() -> None:
    """Leave an interruption from the keyboard to the process that owns the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Open a Dask cluster as an executor; its workers need this package installed.

    Args:
        address: The scheduler's, such as ``tcp://10.0.0.5:8786``.

    Raises:
        DomainError: The extra [cluster] is not installed, or no scheduler answers.
    """
    try:
        distributed = import_module("distributed")  # slow and optional
    except ImportError:
        rule = "A cluster needs the extra [cluster]: pip install 'private-rates[cluster]'."
        raise DomainError(rule, field="scheduler", value=address) from None
    try:
        if not address.strip():  # a client without an address may start a cluster of its own
            raise ValueError("the address is empty")
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, AssertionError) as error:
        # AssertionError: this machine was too busy to start the client's own thread in ten seconds.
        reason = " ".join(str(error).split())[:80] or "the client did not start"
        rule = f"A Dask scheduler must answer at this address: {reason}."
        raise DomainError(rule, field="scheduler", value=address) from None
    with client:
        yield client.get_executor(pure=False)
