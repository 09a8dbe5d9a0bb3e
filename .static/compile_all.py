"""Compile sources to byte code of the Python that runs this: a folder with numbered files."""

from __future__ import annotations

import importlib.util
import json
import marshal
import sys
from pathlib import Path


def main(folder: Path) -> None:
    """Compile what asked.json lists: number, path in the browser, how much is left out."""
    unchecked = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
    for number, path, bare in json.loads((folder / "asked.json").read_text("utf-8")):
        source = (folder / f"{number}.py").read_bytes()
        code = compile(source, path, "exec", dont_inherit=True, optimize=bare)
        (folder / f"{number}.pyc").write_bytes(unchecked + marshal.dumps(code))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
