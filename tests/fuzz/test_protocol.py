"""Messages of junk to every page of a live server, and to phones in rooms of every kind.

All are answered, no vote changes, and nobody else is disturbed. A value of its widget's own type,
whatever it says, must raise nothing. Of one of another type, or of a widget that is none, Streamlit
tells the sender that something failed, without a line of code; such a session may have to be loaded
again.

By hand: ``pytest -m slow -s tests/fuzz/test_protocol.py``.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Coroutine
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed

from app import DOORS, SCREENS
from pages.classroom.room import cookie
from sims.classroom import CARDS, COINS, CURATOR, Asked, Rooms
from tests.benchmarks.phones import Screen, apart, screens, spent
from tests.benchmarks.wire import ROOT, resident, server
from tests.fuzz import grammar
from tests.fuzz.test_pages import SCREENS as LINKS
from tests.fuzz.test_pages import query
from tests.sims.classroom.test_junk import dump

STEMS = [name for views in (*DOORS.values(), SCREENS) for name in views]
ROOMS = ("room", "present")
MESSAGES = int(os.environ.get("FUZZ_MESSAGES", "10000"))
TOGETHER = 12  # messages that are sent before one of them is waited for
REDACTED = "The original error message is redacted"
# A press is no junk; of these something stays.
STORING = re.compile(r"-(?:Join|Take over|Open a room)|(?:option|send|hand|tell)_\w{6}_\d")
MEMORY = 800.0  # MB of the server at the end, all pages loaded and their caches in use
OWN = {  # the type of what a widget holds, by kind
    **dict.fromkeys(("slider", "button_group", "multiselect"), "string_array_value"),
    **dict.fromkeys(("radio", "selectbox", "dataframe"), "string_value"),
    **dict.fromkeys(("text_input", "text_area"), "string_value"),
    "number_input": "double_value",
    "button": "trigger_value",
    **dict.fromkeys(("checkbox", "expandable", "popover"), "bool_value"),
    "file_uploader": "file_uploader_state_value",
}
EDITS = (
    *('{"edited_rows": {"0": {"n": "7"}}}', '{"edited_rows": {"99": {"n": 7}}}'),
    *('{"edited_rows": {"-1": 5}}', '{"added_rows": [{"bit": 2}, {}]}'),
    '{"deleted_rows": [0, 77]}',
)


def ours(log: str) -> list[str]:
    """Exceptions that our code raised and did not catch, of all that a server's log tells.

    Streamlit itself raises some where a value has another type than its widget's; only the session
    that sent it is told so, without any line of code.
    """
    found = []
    for block in log.split("Traceback (most recent call last):")[1:]:
        frames = re.findall(r'^  File "([^"]+)", line ', block, re.MULTILINE)
        error = next((line for line in block.splitlines()[1:] if line[:1].strip()), block)
        found += [
            error
            for place in frames[-1:]
            if Path(place).is_relative_to(ROOT)
            and Path(place).relative_to(ROOT).parts[0] in ("app.py", "pages", "sims", "rates")
            and "RoomError" not in error  # one that was said on the page comes before another
        ]
    return found


class Guest(Screen):
    """A session that sends junk to every widget of its page; `problems` are those of the last run.

    Args:
        junk: What it draws by, and whether values are of the type of their widgets.
        where: Address, page and query, as of any screen.
        cookies: What its browser has kept.
    """

    def __init__(self, junk: tuple[int, bool], *where: str, cookies: str = "") -> None:
        super().__init__(*where, cookies=cookies)
        self.chance, self.typed, self.home = Random(junk[0]), junk[1], where[-1]
        self.known: dict[str, tuple[str, list[str]]] = {}  # kind and options, by id
        self.before: list[str] = []  # problems of earlier runs
        self.closed = 0

    def _take(self, message: ForwardMsg) -> None:
        if message.WhichOneof("type") == "new_session":
            self.before, self.problems = self.before + self.problems, []
        super()._take(message)
        block = message.delta.add_block
        kind = block.WhichOneof("type")
        if kind in OWN and (name := getattr(block, kind).id):  # what is shut is not drawn
            self.known[name] = kind, []

    def _draw(self, element) -> None:  # type: ignore[no-untyped-def]
        super()._draw(element)
        kind = element.WhichOneof("type")
        one = getattr(element, kind)
        name = getattr(one, "id", "")
        if kind in OWN and name and not STORING.search(f"{name}-{getattr(one, 'label', '')}"):
            offered = EDITS if kind == "dataframe" else getattr(one, "options", ())
            self.known[name] = kind, [str(x) for x in offered]

    def words(self) -> str:
        made = self.chance.choice(grammar.NUMBERS + grammar.TEXTS)
        return made.encode("utf-8", "ignore").decode()

    def value(self) -> WidgetState:
        """What a widget holds: one that exists or none, of any type, as often of its own."""
        chance = self.chance
        name, (kind, options) = chance.choice(sorted(self.known.items()))
        field, texts = OWN[kind], [chance.choice([*options, self.words()]) for _ in range(2)]
        # What a table sends is JSON: any other text is of another type.
        text = chance.choice(options) if self.typed and kind == "dataframe" else texts[0]
        json = chance.choice(("{", "null", "[]", '{"bit": 2}', self.words()))
        file = {"name": self.words(), "file_id": self.words(), "size": chance.choice((0, 9, 2**40))}
        sizes = ("int_value", "double_value", "bool_value", "trigger_value")
        made: dict[str, Any] = {
            **dict.fromkeys(sizes, chance.choice((0, 1))),
            "string_array_value": {"data": texts[: chance.randrange(3)]},
            "string_value": text,
            "int_array_value": {"data": [chance.choice((-1, 0, 10**15))]},
            "double_array_value": {"data": [chance.choice((-1e308, float("nan"), 0.5))]},
            "json_value": json,
            "json_trigger_value": json,
            "bytes_value": chance.randbytes(9),
            "string_trigger_value": {"data": self.words()},
            "file_uploader_state_value": {"uploaded_file_info": [file]},
        }
        if not self.typed:
            name = chance.choice((name, name, name, "$$ID-0123-send_ZZZZ_0_0", self.words()))
            field = chance.choice((field, field, "string_value", *made))
        return WidgetState(id=name, **{field: made[field]})

    def asked(self, address: str) -> bytes:
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
        asked.page_script_hash = self.script if chance.random() < 0.95 else self.words()[:99]
        if chance.random() < 0.05:  # a part that the page has not
            asked.fragment_id = self.words()[:99] or "x"
        for _ in range(chance.randrange(4) if self.known else 0):
            asked.widget_states.widgets.append(self.value())
        return message.SerializeToString()

    def link(self) -> str:
        """An address of its page, changed or not."""
        if self.page not in ROOMS:
            found = [screen for screen in LINKS if screen.page == self.page]
            return urlencode(query(self.chance, self.chance.choice(found)))
        junk = [f"{self.home}&me={self.words()}", f"room={self.words()}", self.words(), "me=x"]
        return self.chance.choice((self.home, self.home, self.chance.choice(junk)))

    async def speak(self, messages: int) -> int:
        """Send junk in batches, after each a sound message; return how many had no answer."""
        silent, address = 0, self.home
        for number in range(messages):
            if number % TOGETHER == 0:
                address = self.link()
            await self.sent(self.send_raw(self.asked(address)))
            if number % TOGETHER == TOGETHER - 1 or number == messages - 1:
                silent += not await self.sound()
        return silent

    async def sound(self) -> bool:
        """Ask for the page as a browser does; whether it was answered.

        A message that meets the end of a run may be dropped, and one that meets junk on its way is
        put together with it: so it is sent again.
        """
        self.query = self.home if self.page in ROOMS else ""
        answered = False
        for patience in (20.0, 120.0, 20.0):
            if await self.sent(self.answer(self._asked(fragment=""), patience)):
                answered = True
                if not self.problems:
                    break
        return answered

    async def sent(self, act: Coroutine[None, None, None]) -> bool:
        """Send something, and open again as a browser does where the server has hung up."""
        try:
            await act
        except TimeoutError:
            return False
        except ConnectionClosed:  # upon bytes that are no message
            self.closed += 1
            await self.close()
            await self.open()
        return True


@pytest.mark.parametrize(
    ("messages", "typed"),
    [
        pytest.param(300, False, marks=pytest.mark.deep, id="a few"),
        pytest.param(MESSAGES // 2, True, marks=pytest.mark.slow, id="of their types"),
        pytest.param(MESSAGES // 2, False, marks=pytest.mark.slow, id="of any type"),
    ],
)
def test_junk_to_every_page(messages: int, typed: bool, rooms: Rooms, tmp_path: Path) -> None:
    path, log = tmp_path / "rooms.sqlite", tmp_path / "log"
    kinds = [Asked(text="Yes?", kind=kind, epsilon=1.0) for kind in (COINS, CURATOR, CARDS)]
    made = [rooms.open([one]) for one in (Asked(key="odds"), Asked(key="back"), *kinds)]
    for room in made:
        rooms.step(room.code, room.host, "open", 0)
    marks = [rooms.join(room.code) for room in made]
    # The curator's two buttons are answers wherever they come from: its phone has answered.
    rooms.tell(made[3].code, marks[3], 0, 1)
    every = [(stem, f"room={made[0].code}", "") for stem in STEMS]
    for room, mark in zip(made, marks, strict=True):
        kept = [f"{cookie(room.code)}={me}" for me in (mark, "x")]
        every += [("room", f"room={room.code}", one) for one in kept]
        every += [("present", f"room={room.code}", "")]

    async def send(address: str, process: int) -> None:
        before, begun, used = dump(path), time.perf_counter(), spent(process)
        guests = [
            Guest((k, typed), address, page, asked, cookies=kept)
            for k, (page, asked, kept) in enumerate(every)
        ]
        others = [Screen(address, page, asked, cookies=kept) for page, asked, kept in every if kept]
        each = -(-messages // len(guests))
        async with screens(*guests, *others):
            for other in others:
                other.poll()
            silent = await asyncio.gather(*(guest.speak(each) for guest in guests))
            assert dump(path) == before
            for guest in () if typed else guests:
                await guest.close()
                await guest.open()
            assert [(s.page, s.problems) for s in (*guests, *others) if s.problems] == []
            honest, foreign = others[0], others[2]  # whose votes are open
            await honest.slide("Right guesses", 5)
            last = next(label for label in foreign.widgets if label.startswith("D: "))
            for phone, label in ((honest, "Send my answer"), (foreign, last)):
                await phone.press(label)
                assert phone.says("It is stored")
            assert rooms.look(made[1].code, marks[1]).mine == (3,)
        with urlopen(f"http://{address}/_stcore/health", timeout=60) as answer:
            assert answer.read() == b"ok"
        asked = every[: len(STEMS)] if typed else ()  # the others' guests came anew
        fresh = [Screen(address, stem, room if stem == "room" else "") for stem, room, _ in asked]
        async with screens(*fresh):
            pass
        print(
            f"\n{each * len(guests):,} messages to {len(guests)} sessions in "
            f"{time.perf_counter() - begun:.0f} s, {spent(process) - used:.0f} s of the server's "
            f"processor, {resident(process):.0f} MB; not answered {sum(silent)}; hung up "
            f"{sum(g.closed for g in guests)}; told of a failure "
            f"{sum(len(g.before) for g in guests)}; tracebacks in the log "
            f"{log.read_text().count('Traceback')}"
        )
        assert sum(silent) == 0
        assert resident(process) < MEMORY
        assert [(s.page, s.problems) for s in fresh if s.problems] == []
        assert [(g.page, g.traces) for g in guests if g.traces] == []
        assert not [text for g in guests for text in g.before if REDACTED not in text]
        assert (
            [g.page for g in guests if g.before] == [] if typed else any(g.before for g in guests)
        )

    with log.open("wb") as errors, server("--logger.level=error", errors=errors) as (at, process):
        apart(send(at, process))
    # A value of another type than its widget's reaches our code as it is.
    told = () if typed else ("AttributeError", "TypeError")
    assert [error for error in ours(log.read_text()) if not error.startswith(told)] == []
    assert {file.name.split("-")[0] for file in tmp_path.iterdir()} <= {"rooms.sqlite", "log"}
