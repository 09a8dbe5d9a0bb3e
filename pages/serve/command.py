"""``private-rates``: the app from any folder, with its own settings, for this machine alone.

What is wrong with the arguments is said before Streamlit is loaded.
"""

from __future__ import annotations

import os
import re
import socket
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

import rates
from rates.console import Parser, say, show
from rates.numbers import DomainError
from rates.version import PACKAGE

ROOT = Path(__file__).resolve().parents[2]
FIRST, LAST = 8501, 8520  # ports that are tried where none is asked for
HERE, EVERYWHERE = "localhost", "0.0.0.0"
SHARED = (
    "Whoever reaches this machine can open it and use its processor: no password, no encryption. "
    "What they upload stays in this machine's memory."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the app and serve it until it is stopped; return 2 for what cannot be done."""
    parser = Parser(prog=PACKAGE, description="Rates of private learning across sites: the app.")
    parser.add_argument("--port", type=int, help=f"where it listens; else from {FIRST} on")
    parser.add_argument("--share", action="store_true", help=f"on all interfaces. {SHARED}")
    parser.add_argument("--path", default="", help="below the address, as a proxy passes it on")
    parser.add_argument("--quiet", action="store_true", help="open no browser")
    parser.add_argument("--version", action="version", version=f"%(prog)s {rates.__version__}")
    given = parser.parse_args(arguments)
    address = EVERYWHERE if given.share else HERE
    try:
        Path.cwd()  # Streamlit asks for it
        port, path = free_port(address, given.port), sub_path(given.path)
        options = settings(ROOT)
    except FileNotFoundError:
        parser.error("this folder is gone: change to one that exists and start again.")
    except DomainError as error:
        parser.error(error.rule)
    options |= {"server.address": address, "server.port": port, "server.baseUrlPath": path}
    options |= {"logger.hideWelcomeMessage": True}
    options |= {"server.headless": True} if given.quiet else {}
    said = f"http://localhost:{port}/{path} (Control and C together stop it)"
    if given.share:
        said += f"\nOthers: http://{socket.gethostname()}:{port}/{path} {SHARED}"
    try:
        show(said)
    except DomainError as error:  # it serves all the same
        say(f"{PACKAGE}: {error}")
    app, framework = import_module("app").app, import_module("pages.framework")
    with suppress(KeyboardInterrupt):  # over all that the folder and the account say
        app.run(config=framework.known(options))
    return 0


def free_port(address: str, asked: int | None) -> int:
    """Return the port that was asked for, or the first that is free.

    Raises:
        DomainError: It is none, it is taken, or this account may not listen there.
    """
    if asked is not None and not 1 <= asked <= 65535:
        raise DomainError("--port must be a whole number from 1 to 65535.", value=asked)
    for port in [asked] if asked else range(FIRST, LAST + 1):
        try:
            with socket.create_server((address, port)):
                return port
        except OSError as error:
            why = os.strerror(error.errno or 0)
    ports = f"--port {asked}" if asked else f"Ports {FIRST} to {LAST}"
    raise DomainError(f"{ports}: {why}; give another, as --port {max(asked or LAST, 1023) + 1}.")


def sub_path(asked: str) -> str:
    """Return the path below which the app is reached, without slashes at its ends.

    >>> sub_path("/rates/")
    'rates'

    Raises:
        DomainError: It is none.
    """
    path = asked.strip("/")
    if path and not re.fullmatch(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*", path):
        raise DomainError("--path must be words of letters, digits, _ and -, as --path rates.")
    return path


def settings(root: Path) -> dict[str, Any]:
    """Return what .streamlit/config.toml says, by dotted names.

    In a checkout it lies beside app.py; a wheel carries it as a file of data.

    Raises:
        DomainError: It is not there: without it statistics would be sent.
    """
    places = [root / ".streamlit" / "config.toml"]
    with suppress(PackageNotFoundError):
        packed = [Path(str(one.locate())) for one in files(PACKAGE) or []]
        places += [path for path in packed if path.name == "config.toml"]
    for path in filter(Path.is_file, places):
        return dict(_flat(tomllib.loads(path.read_text("utf-8"))))
    raise DomainError(f"The app's settings are missing: install {PACKAGE} again.")


def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value
