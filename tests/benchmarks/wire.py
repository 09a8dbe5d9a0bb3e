"""A server of the app, and its memory."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_up(address: str) -> None:
    """Wait until the server answers."""
    for _ in range(300):
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=10).close()
            return
        except OSError:
            time.sleep(0.1)


@contextmanager
def server(
    *options: str, port: int = 0, errors: IO[bytes] | None = None
) -> Iterator[tuple[str, int]]:
    """Run the app; give its address and the number of its process."""
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")]
    fixed = [f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true"]
    process = subprocess.Popen(
        [*command, *fixed, *options],
        stdout=subprocess.DEVNULL,
        stderr=errors or subprocess.DEVNULL,
        cwd="/",
    )
    try:
        wait_until_up(f"http://127.0.0.1:{port}")
        yield f"127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:  # on a busy machine, in the middle of a long answer
            process.kill()
            process.wait(15)


def resident(process: int) -> float:
    """Memory of a process in MB, as Linux tells it."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * 4096 / 1e6
