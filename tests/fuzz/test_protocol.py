"""Messages of junk to every page of a live server: all are answered, and nobody else is disturbed.

A value of its widget's own type, whatever it says, must raise nothing. Of one of another type, or
of a widget that is none, Streamlit tells the sender that something failed, without a line of code;
such a session may have to be loaded again.

By hand: ``pytest -m slow -s tests/fuzz/test_protocol.py``.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Coroutine
from pathlib import Path
from random import Random
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed

from app import DOORS, SCREENS
from sims.classroom import Asked, Rooms
from tests.benchmarks.phones import Screen, apart, screens, spent
from tests.benchmarks.wire import resident, server
from tests.fuzz import grammar
from tests.fuzz.test_live_server import Junk, ours
from tests.fuzz.test_pages import SCREENS as LINKS
from tests.fuzz.test_pages import query
from tests.sims.classroom.test_junk import dump

STEMS = [name for views in (*DOORS.values(), SCREENS) for name in views]
MESSAGES = int(os.environ.get("FUZZ_MESSAGES", "10000"))
TOGETHER = 12  # messages that are sent before one of them is waited for
REDACTED = "The original error message is redacted"
STORING = ("Join", "Take over", "Open a room")  # a press is no junk; of these something stays
MEMORY = 800.0  # MB of the server at the end, all pages loaded and their caches in use
OWN = {  # the type of what a widget holds, by kind
    **dict.fromkeys(("slider", "button_group", "multiselect"), "string_array_value"),
    **dict.fromkeys(("radio", "selectbox", "dataframe"), "string_value"),
    **dict.fromkeys(("text_input", "text_area"), "string_value"),
    "number_input": "double_value",
    "button": "trigger_value",
    "checkbox": "bool_value",
    "file_uploader": "file_uploader_state_value",
}
EDITS = ['{"edited_rows": {"0": {"n": "7"}}}', '{"edited_rows": {"99": {"n": 7}}}',
         '{"edited_rows": {"-1": 5}}', '{"added_rows": [{"bit": 2}, {}]}',
         '{"deleted_rows": [0, 77]}']  # fmt: skip
KINDS = ("string_array_value", "string_value", "int_array_value", "double_array_value", "int_value",
         "double_value", "bool_value", "trigger_value", "json_value", "bytes_value",
         "json_trigger_value", "string_trigger_value", "file_uploader_state_value")  # fmt: skip


class Guest(Screen):
    """A session that knows every widget of its page; `problems` are those of the last run."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.known: dict[str, tuple[str, list[str]]] = {}  # kind and options, by id
        self.before: list[str] = []  # problems of earlier runs
        self.closed = 0

    def _take(self, message: ForwardMsg) -> None:
        if message.WhichOneof("type") == "new_session":
            self.before, self.problems = self.before + self.problems, []
        super()._take(message)

    def _draw(self, element) -> None:  # type: ignore[no-untyped-def]
        super()._draw(element)
        kind = element.WhichOneof("type")
        one = getattr(element, kind)
        if kind in OWN and getattr(one, "id", "") and getattr(one, "label", "") not in STORING:
            offered = EDITS if kind == "dataframe" else getattr(one, "options", ())
            self.known[one.id] = kind, [str(x) for x in offered]


class Junks(Junk):
    """Messages to one page, in which something is junk.

    Args:
        seed: Of the junk.
        codes: Of rooms.
        typed: Whether values are of the type of their widgets.
    """

    def __init__(self, seed: int, codes: list[str], typed: bool) -> None:
        super().__init__(seed, codes)
        self.typed = typed

    def words(self) -> str:
        made = self.chance.choice(grammar.NUMBERS + grammar.TEXTS)
        return made.encode("utf-8", "ignore").decode()

    def value(self, guest: Guest) -> WidgetState:
        """What a widget holds: one that exists or none, of any type, as often of its own."""
        chance = self.chance
        if not self.typed and (not guest.known or chance.random() < 0.2):
            return self.state(list(guest.known))
        name, (kind, options) = chance.choice(sorted(guest.known.items()))
        state = WidgetState(id=name)
        texts = [chance.choice([*options, self.words()]) for _ in range(chance.choice((0, 1, 2)))]
        field = OWN[kind]
        if not self.typed:
            field = chance.choice((field, field, "string_value", *KINDS))
        if field == "string_array_value":
            state.string_array_value.data.extend(texts)
        elif field in ("int_array_value", "double_array_value"):
            sizes = (-1, 0, 10**15) if field[0] == "i" else (-1e308, float("nan"), 0.5)
            getattr(state, field).data.append(chance.choice(sizes))
        elif field == "file_uploader_state_value":
            held = state.file_uploader_state_value.uploaded_file_info.add()
            held.name, held.file_id, held.size = (
                self.words(),
                self.words(),
                chance.choice((0, 9, 2**40)),
            )
        elif field == "string_trigger_value":
            state.string_trigger_value.data = self.words()
        elif field == "string_value":
            # What a table sends is JSON: any other text is of another type.
            strict = self.typed and kind == "dataframe"
            state.string_value = chance.choice(options if strict else [*options, self.words()])
        elif field.startswith("json"):
            made = chance.choice(("{", "null", "[]", '{"bit": 2}', self.words()))
            setattr(state, field, made)
        elif field == "bytes_value":
            state.bytes_value = chance.randbytes(9)
        else:
            setattr(state, field, chance.choice((0, 1)))
        return state

    def asked(self, guest: Guest, address: str) -> bytes:
        """One message that asks for a run, and what is seldom sent besides."""
        chance, message = self.chance, BackMsg()
        what = chance.random()
        if what < 0.03:
            return chance.randbytes(chance.choice((0, 1, 40, 4000)))
        if what < 0.06:
            name = chance.choice(("clear_cache", "stop_script", "load_git_info", "app_heartbeat"))
            setattr(message, name, True)
            return message.SerializeToString()
        if what < 0.08:
            message.file_urls_request.session_id = self.words()[:99]
            message.file_urls_request.file_names.extend([self.words()[:99]] * 3)
            return message.SerializeToString()
        asked = message.rerun_script
        asked.query_string = address
        asked.page_script_hash = guest.script if chance.random() < 0.95 else self.words()[:99]
        if chance.random() < 0.05:
            asked.fragment_id = self.text() or "x"
        for _ in range(chance.randrange(4) if guest.known else 0):
            asked.widget_states.widgets.append(self.value(guest))
        return message.SerializeToString()


def links(page: str, chance: Random, room: str) -> str:
    """An address of a page, changed or not."""
    if page in ("room", "present"):
        return room
    found = [screen for screen in LINKS if screen.page == page]
    return urlencode(query(chance, chance.choice(found)))


async def speak(guest: Guest, junk: Junks, room: str, messages: int) -> int:
    """Send junk in batches, after each a sound message; return how many of these had no answer."""
    silent, address = 0, room
    for number in range(messages):
        if number % TOGETHER == 0:
            address = links(guest.page, junk.chance, room)
        await sent(guest, guest.send_raw(junk.asked(guest, address)))
        if number % TOGETHER == TOGETHER - 1 or number == messages - 1:
            silent += not await sound(guest, room)
    return silent


async def sound(guest: Guest, room: str) -> bool:
    """Ask for the page as a browser does; whether it was answered.

    A message that meets the end of a run may be dropped, and one that meets junk on its way is put
    together with it: so it is sent again.
    """
    guest.query = room if guest.page in ("room", "present") else ""
    answered = False
    for patience in (20.0, 120.0, 20.0):
        if await sent(guest, guest.answer(guest._asked(fragment=""), patience)):
            answered = True
            if not guest.problems:
                break
    return answered


async def sent(guest: Guest, act: Coroutine[None, None, None]) -> bool:
    """Send something, and open again as a browser does where the server has hung up."""
    try:
        await act
    except TimeoutError:
        return False
    except ConnectionClosed:  # upon bytes that are no message
        guest.closed += 1
        await guest.close()
        await guest.open()
    return True


@pytest.mark.slow
@pytest.mark.parametrize("typed", [True, False], ids=["of their types", "of any type"])
def test_junk_to_every_page(typed: bool, rooms: Rooms, tmp_path: Path) -> None:
    path = tmp_path / "rooms.sqlite"
    made = rooms.open([Asked(key="odds")])
    rooms.step(made.code, made.host, "open", 0)
    room = f"room={made.code}"
    each = -(-MESSAGES // 2 // len(STEMS))

    async def send(address: str, process: int) -> None:
        before, begun, used = dump(path), time.perf_counter(), spent(process)
        guests = [Guest(address, stem, room) for stem in STEMS]
        async with screens(*guests):
            junks = [Junks(k, [made.code], typed) for k in range(len(guests))]
            talks = [speak(g, j, room, each) for g, j in zip(guests, junks, strict=True)]
            silent = await asyncio.gather(*talks)
            for guest in () if typed else guests:
                await guest.close()
                await guest.open()
        with urlopen(f"http://{address}/_stcore/health", timeout=60) as answer:
            health = answer.read()
        fresh = [Screen(address, stem, room if stem == "room" else "") for stem in STEMS]
        async with screens(*fresh):
            pass
        print(
            f"\n{each * len(STEMS):,} messages to {len(STEMS)} pages in "
            f"{time.perf_counter() - begun:.0f} s, {spent(process) - used:.0f} s of the server's "
            f"processor, {resident(process):.0f} MB; not answered {sum(silent)}; hung up "
            f"{sum(g.closed for g in guests)}; told of a failure "
            f"{sum(len(g.before) for g in guests)}; tracebacks in the log "
            f"{log.read_text().count('Traceback')}"
        )
        assert health == b"ok"
        assert sum(silent) == 0
        assert resident(process) < MEMORY
        assert [(s.page, s.problems) for s in (*guests, *fresh) if s.problems] == []
        assert [(g.page, g.traces) for g in guests if g.traces] == []
        assert not [text for g in guests for text in g.before if REDACTED not in text]
        if typed:
            assert [(g.page, g.before) for g in guests if g.before] == []
        assert dump(path) == before

    log = tmp_path / "log"
    with log.open("wb") as errors, server("--logger.level=error", errors=errors) as (at, process):
        apart(send(at, process))
    if typed:
        assert ours(log.read_text()) == []
    assert {file.name.split("-")[0] for file in tmp_path.iterdir()} <= {"rooms.sqlite", "log"}
