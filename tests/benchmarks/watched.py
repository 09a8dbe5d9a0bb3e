"""Run the app's server; at SIGUSR1 it tells what has been added to its memory since the last time.

It stands in for ``streamlit run`` where RATES_MEMORY names a file: objects by type, the blocks of
Python, what glibc holds free, and what is left after a full collection.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
from collections import Counter
from pathlib import Path

VARIABLE = "RATES_MEMORY"
_MOST = 25  # types that are told
_last: Counter[str] = Counter()


class _Glibc(ctypes.Structure):
    """What glibc's allocator says of itself, in bytes."""

    _fields_ = [(f"field{k}", ctypes.c_size_t) for k in range(7)] + [
        (name, ctypes.c_size_t) for name in ("used", "free", "keep")
    ]


def tell(*_: object) -> None:
    before = sys.getallocatedblocks()
    freed = gc.collect()
    libc = ctypes.CDLL("libc.so.6")
    libc.mallinfo2.restype = _Glibc
    held = libc.mallinfo2()
    now = Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())
    with Path(os.environ[VARIABLE]).open("a") as file:
        print(
            f"{before:,} blocks, {freed:,} objects collected; glibc: {held.used / 1e6:.0f} MB "
            f"used, {held.free / 1e6:.0f} free; {len(os.listdir('/proc/self/fd'))} files open; "
            f"more than before: {(now - _last).most_common(_MOST)}\n",
            file=file,
        )
    _last.clear()
    _last.update(now)


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, tell)
    from streamlit.web.cli import main

    sys.argv[0] = "streamlit"
    main()
