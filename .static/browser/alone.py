"""Streamlit as published, with one visitor, on the one thread that a browser gives.

The worker calls `start`, and on what it returns `connect`, `receive`, `upload`, `disconnect`. A
script runs to its end on the event loop. One that asks to be run again goes back to the loop in
between, so that a click on Stop is heard while a live run goes on.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
import threading
import types
import zlib
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from typing import Any

# Streamlit's own servers stay out: nothing here listens.
sys.modules["streamlit.starlette"] = unused = types.ModuleType("streamlit.starlette")
unused.App = None

from js import URL, Blob, Object  # noqa: E402
from pyodide.ffi import to_js  # noqa: E402
from streamlit import config  # noqa: E402
from streamlit.proto.BackMsg_pb2 import BackMsg  # noqa: E402
from streamlit.runtime import Runtime, RuntimeConfig, app_session  # noqa: E402
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage  # noqa: E402
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager  # noqa: E402
from streamlit.runtime.pages_manager import PagesManager  # noqa: E402
from streamlit.runtime.runtime_util import serialize_forward_msg  # noqa: E402
from streamlit.runtime.scriptrunner import script_runner  # noqa: E402
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType  # noqa: E402
from streamlit.runtime.session_manager import SessionClient  # noqa: E402
from streamlit.runtime.uploaded_file_manager import UploadedFileRec  # noqa: E402

APP = "/app"
PAUSE = 0.004  # seconds in which the browser's messages arrive


async def start(late: Mapping[str, str], told: Any) -> Alone:
    """Start the app and return it.

    Args:
        late: Modules that are imported late, and the packs that they lie in.
        told: Functions of the worker: bring, unpack, message, shown, file.
    """
    sys.path.insert(0, APP)
    os.chdir(APP)
    config.get_config_options(force_reparse=True, options_from_flags={"logger.level": "error"})
    PagesManager.uses_pages_directory = False  # the list of pages is app.py's
    app = Alone(late, told)
    await app.runtime.start()
    return app


class Late(MetaPathFinder):
    """Brings a pack when a module of it is first imported.

    Attributes:
        wanted: Packs that have not been asked for.
    """

    def __init__(self, late: Mapping[str, str], told: Any) -> None:
        self.wanted, self._late, self._told = set(late.values()), late, told

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> None:
        """Bring what is missing, and leave the rest to the usual finders."""
        parts = name.split(".")
        pack = self._late.get(".".join(parts[:2])) or self._late.get(parts[0])
        if pack in self.wanted:
            self.wanted.discard(pack)
            packed = self._told.bring(pack)
            if packed is not None:  # the worker had to ask for it, and gives it as it came
                self._told.unpack(to_js(zlib.decompress(packed.to_bytes(), 31)))
            importlib.invalidate_caches()


class Alone:
    """The app and its one visitor.

    Attributes:
        runtime: Streamlit's.
        session: Names the session; None before the page has come.
    """

    def __init__(self, late: Mapping[str, str], told: Any) -> None:
        self._late, self._told, self.session = Late(late, told), told, None
        sys.meta_path.insert(0, self._late)
        self._one_thread()
        self.runtime = Runtime(
            RuntimeConfig(
                script_path=f"{APP}/app.py",
                media_file_storage=Storage(told),
                uploaded_file_manager=MemoryUploadedFileManager("/_stcore/upload_file"),
            )
        )

    def wants(self, pack: str) -> bool:
        """Whether a pack has not been asked for yet."""
        return pack in self._late.wanted

    def connect(self) -> None:
        """Begin a session, or go on with the one there is."""
        page = Page(self._told)
        self.session = self.runtime.connect_session(page, {}, self.session)

    def receive(self, data: Any) -> None:
        """Take a message of the page."""
        message = BackMsg()
        message.ParseFromString(data.to_bytes())
        self.runtime.handle_backmsg(self.session, message)

    def upload(self, path: str, data: Any, about: Any) -> None:
        """Take a file that was chosen, or forget one if there is none."""
        session, _, file = path.partition("/")
        store = self.runtime.uploaded_file_mgr
        if data is None:
            store.remove_file(session, file)
        else:
            given = UploadedFileRec(file, about.name, about.type, data.to_bytes())
            store.add_file(session, given)

    def disconnect(self) -> None:
        """Leave the session as it is: the page may come back to it."""
        self.runtime.disconnect_session(self.session)

    def _tell(self) -> None:
        """Tell what waits to be told: that a run begins, before it holds everything else up."""
        info = self.runtime._session_mgr.get_active_session_info(self.session)
        for message in info.session.flush_browser_queue() if info else ():
            self.runtime._send_message(info, message)

    def _one_thread(self) -> None:
        """Let scripts run on the event loop, each run a turn of its own."""
        runner, now = script_runner.ScriptRunner, types.SimpleNamespace(rest=None)
        install, execute = runner._install_event_loop, script_runner.exec_func_with_error_handling
        known = vars(asyncio)
        script_runner.asyncio = types.SimpleNamespace(
            **{**known, "set_event_loop": lambda loop: None}
        )
        app_session.asyncio = types.SimpleNamespace(**{**known, "new_event_loop": Idle})
        app_session._close_script_event_loop = lambda loop: None
        # At once: what the page says meanwhile would be heard first, and a run that is over then
        # no longer counts, with all that it had to show.
        app_session.AppSession._call_soon_on_event_loop = lambda session, heard: heard()

        def begin(one: Any) -> None:
            one._script_thread = threading.current_thread()
            asyncio.get_running_loop().call_later(PAUSE, run, one)

        def run(one: Any) -> None:
            now.rest = None
            try:
                one._run_script_thread()
            except Again:
                one._requests.request_stop()  # what comes from now on needs another runner
                asyncio.get_running_loop().call_later(PAUSE, again, now.rest)

        def again(data: Any) -> None:
            info = self.runtime._session_mgr.get_active_session_info(self.session)
            if info is None:
                return
            held = info.session._scriptrunner
            if held is None:
                info.session._create_scriptrunner(data)
                return
            asked = held._requests
            if asked._state != ScriptRequestType.RERUN or asked._rerun_data.fragment_id_queue:
                asyncio.get_running_loop().call_later(PAUSE, again, data)  # a part, or at its end
            # Else the browser asked meanwhile for the whole page: a click on Stop, another page.

        def installed(one: Any) -> None:
            if now.rest is not None:
                raise Again
            install(one)

        def executed(function: Any, context: Any) -> Any:
            self._tell()
            done = execute(function, context)
            self._tell()  # or a run that was asked for meanwhile clears what this one shows
            now.rest = done[2]
            return done

        runner.start, runner._install_event_loop = begin, installed
        script_runner.exec_func_with_error_handling = executed


class Again(Exception):  # noqa: N818
    """A script that has ended asks to be run once more."""


class Idle:
    """Stands for the event loop that a script's own thread would have."""

    def is_closed(self) -> bool:
        """Whether it is closed."""
        return False


class Page(SessionClient):
    """The page that is shown."""

    def __init__(self, told: Any) -> None:
        self._told, self._shown = told, False

    def write_forward_msg(self, msg: Any) -> None:
        """Hand a message over."""
        self._told.message(to_js(serialize_forward_msg(msg)))
        if not self._shown and msg.WhichOneof("type") == "delta":
            self._shown = True
            self._told.shown()


class Storage(MemoryMediaFileStorage):
    """Files that the app offers, kept where the browser itself can read them."""

    def __init__(self, told: Any) -> None:
        super().__init__("/media")
        self._told, self._urls = told, {}

    def get_url(self, file_id: str) -> str:
        """Return the address of a file in this browser's memory."""
        if file_id not in self._urls:
            file = self.get_file(file_id)
            kind = to_js({"type": file.mimetype}, dict_converter=Object.fromEntries)
            self._urls[file_id] = URL.createObjectURL(Blob.new(to_js([file.content]), kind))
            if file.filename:
                self._told.file(self._urls[file_id], file.filename)
        return self._urls[file_id]

    def delete_file(self, file_id: str) -> None:
        """Forget a file."""
        super().delete_file(file_id)
        if url := self._urls.pop(file_id, None):
            URL.revokeObjectURL(url)
