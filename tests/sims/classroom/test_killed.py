"""What a killed server had acknowledged is there when it starts again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from sims.classroom import COINS, Asked, Rooms

VOTER = """
import sys
from pathlib import Path
from sims.classroom import Rooms
rooms = Rooms(Path(sys.argv[1]))
for token in sys.argv[3:]:
    rooms.send_bit(sys.argv[2], token, 0, 1)
    print(token, flush=True)
"""


def test_kill_in_the_middle_of_a_vote(tmp_path: Path) -> None:
    path = tmp_path / "rooms.sqlite"
    rooms = Rooms(path)
    room = rooms.open((Asked(text="Is it raining?", kind=COINS, epsilon=1.0),))
    rooms.step(room.code, room.host, "open", 0)
    phones = [rooms.join(room.code) for _ in range(60)]
    rooms.close()
    server = subprocess.Popen(
        [sys.executable, "-c", VOTER, str(path), room.code, *phones],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    )
    assert server.stdout is not None
    told = [server.stdout.readline().strip() for _ in range(20)]
    os.kill(server.pid, signal.SIGKILL)
    told += server.stdout.read().split()
    server.wait()
    server.stdout.close()
    again = Rooms(path)
    stored = [phone for phone in phones if again.look(room.code, phone).answered]
    assert len(told) >= 20
    assert set(told) <= set(stored)
    assert len(stored) <= len(told) + 1  # one may be stored that was not yet told
    for phone in phones:
        if phone not in stored:
            again.send_bit(room.code, phone, 0, 1)
    again.step(room.code, room.host, "close", 0)
    assert again.voted(room.code, 0).noisy == 60
    again.close()
