"""One heap for all threads.

Every run of a page is a thread. glibc gives threads heaps of their own, up to eight for each
processor, and what is freed in one serves no other: half of a busy server's memory was free and
kept. Python lets one thread at a time allocate anyway.
"""

from __future__ import annotations

import ctypes
import sys

ARENA_MAX = -8  # glibc's name for the option: M_ARENA_MAX of malloc.h


def one() -> bool:
    """Let threads that begin from now on share one heap; return whether the allocator heeds it."""
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and mallopt(ARENA_MAX, 1) == 1
