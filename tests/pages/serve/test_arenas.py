"""Threads share one heap, as glibc itself tells."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from pages.parts.serve import arenas, warm

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="glibc is asked")
PROGRAM = """
import ctypes, sys, threading
from pages.parts.serve import arenas, warm
libc = ctypes.CDLL(None)
if not hasattr(libc, "malloc_info"):
    sys.exit("not glibc")
assert sys.argv[1] == "eight" or arenas.one()
both = threading.Barrier(8)
def act():
    held = ctypes.create_string_buffer(50_000)  # too large for Python's own pools
    both.wait()
threads = [threading.Thread(target=act) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
libc.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(libc.fopen(sys.argv[2].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""


def heaps(which, folder):
    told = folder / which
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, which, str(told)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.stderr.strip() == "not glibc":
        pytest.skip("another C library")
    assert not done.stderr
    return told.read_text().count("<heap nr=")


def test_eight_threads_share_a_heap(tmp_path):
    assert heaps("one", tmp_path) == 1
    assert heaps("eight", tmp_path) > 1


def test_another_library_is_left_as_it_is(monkeypatch):
    monkeypatch.setattr(arenas.ctypes, "CDLL", lambda name: object())
    assert not arenas.one()


def test_a_server_asks_for_it_before_it_begins_any_thread(monkeypatch):
    begun = []
    monkeypatch.setattr(arenas, "one", lambda: begun.append("one heap"))
    monkeypatch.setattr(warm.options, "unlocked", lambda: None)
    monkeypatch.setattr(warm, "begin", lambda: begun.append("a thread"))

    async def serve():
        async with warm.serving(None):
            pass

    with ThreadPoolExecutor(1) as one:  # that of the tests may hold a browser's loop
        one.submit(asyncio.run, serve()).result()
    assert begun == ["one heap", "a thread"]
