"""Where blocks can be computed besides this thread: local processes, or a Dask cluster."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from rates.numbers import DomainError, Parameter

WORKERS = Parameter("workers", "W", "1, ..., 256", help="Processes on this machine.")
PATIENCE = 10.0  # seconds for a scheduler that listens to answer as one
REACH = 2.0  # seconds to find anybody at its address
SCHEMES = ("tcp", "tls", "ws", "wss")


def local_pool(workers: int) -> Executor:
    """Return a pool of fresh processes on this machine.

    Raises:
        DomainError: The number is outside 1 to 256.
    """
    from concurrent.futures import ProcessPoolExecutor  # a browser has no processes
    from multiprocessing import get_context

    count = int(WORKERS.check(workers))
    # Fresh processes: a fork would copy locks that a thread of the page may hold.
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_bound)


def _bound() -> None:
    """Leave a keyboard's signals to the pool's owner, and end when it ends, however it does.

    SIGTERM ends a worker: the pool sends it to those that are left when one was lost, and nothing
    else could reach a worker that waits for a lock which the lost one holds.
    """
    from multiprocessing import parent_process

    for number in set(Signals.NUMBERS) - {signal.SIGTERM}:
        signal.signal(number, signal.SIG_IGN)
    owner = parent_process()

    def follow() -> None:
        if owner is not None:
            owner.join()
            os._exit(1)

    # A daemon, or it would itself keep the worker alive.
    threading.Thread(target=follow, daemon=True).start()


class Signals:
    """Ends a run on a signal: the first one after what is being computed, the next one at once.

    Attributes:
        stop: Set once a signal has come.
        received: Its number; 0 for none.
    """

    NUMBERS = tuple(
        getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
    )

    def __init__(self) -> None:
        self.stop, self.received = threading.Event(), 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Signals:
        """Take the signals over, where this thread may."""
        if threading.current_thread() is threading.main_thread():
            for number in self.NUMBERS:
                # Whoever started the run may want it to outlive a terminal.
                if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup wants it
                    self._before[number] = signal.signal(number, self._take)
        return self

    def __exit__(self, *ended: object) -> None:
        """Give the signals back."""
        for number, before in self._before.items():
            signal.signal(number, before)

    def _take(self, number: int, frame: object) -> None:
        if self.received:  # files are replaced in one step, and workers follow
            os._exit(128 + number)
        self.received = number
        self.stop.set()


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
    for name in ("distributed", "tornado.application"):  # a lost scheduler is told in our words
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        _reach(address)
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, AssertionError) as error:
        # AssertionError: this machine was too busy to start the client's own thread in ten seconds.
        reason = " ".join(str(error).split())[:80] or "the client did not start"
        rule = f"A Dask scheduler must answer at this address: {reason}."
        raise DomainError(rule, field="scheduler", value=address) from None
    with client:
        yield client.get_executor(pure=False)


def _reach(address: str) -> None:
    """Connect once, because a client that finds nobody goes on asking.

    Raises:
        ValueError: This is no address.
        OSError: Nobody listens there.
    """
    place = urlsplit(address if "://" in address else f"tcp://{address}")
    if place.scheme not in SCHEMES or not place.hostname or not place.port:
        raise ValueError(f"an address is HOST:PORT, with {', '.join(SCHEMES)} or nothing before")
    socket.create_connection((place.hostname, place.port), timeout=REACH).close()
