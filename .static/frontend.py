"""Streamlit's front end, less what this app never shows."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from distribution import Refusal

ENTRY = re.compile(r'<script type="module"[^>]* src="\./(static/js/index\.[^"]+\.js)"')
STYLES = re.compile(r'<link rel="stylesheet"[^>]* href="\./(static/css/[^"]+\.css)"')
NAMES = re.compile(r"[\"'`]\.?/?(?:static/)?(?:js/|css/|\./)?([\w.-]+\.(?:js|css))[\"'`]")
MEDIA = re.compile(r"[\w@-]+(?:[\w.@-]*)\.(?:woff2|png|svg|gif)")
# Elements that no page draws, by the beginning of the chunk that draws them.
UNUSED = (
    "Audio",
    "BokehChart",
    "CameraInput",
    "Chat",
    "ColorPicker",
    "DateField",
    "DateInput",
    "DateTime",
    "DeckGl",
    "EChartsChart",
    "GraphViz",
    "Json.",
    "MermaidChart",
    "Pdf",
    "TimeInput",
    "VegaLite",
    "ArrowVegaLite",
    "Video",
    "balloons",
    "Balloons",
    "Snow",
    "ReorderedSegments",
    "cytoscape",
    "elk-",
    "embed.",
    "mermaid",
    "wavesurfer",
)
MEDIA_OUT = ("balloon-", "flake-", "snowflake", "fireworks")


def copy(source: Path, folder: Path) -> tuple[str, str]:
    """Copy what is reached from the first script; return that script and the style sheet.

    Raises:
        Refusal: Streamlit's page is not as this knows it.
    """
    page = (source / "index.html").read_text("utf-8")
    entry, styles = ENTRY.search(page), STYLES.search(page)
    if not entry or not styles:
        raise Refusal("This Streamlit has another front end: install one from 1.65 to 1.67.")
    scripts = set(reached(source / "static/js", Path(entry[1]).name))
    for name in scripts:
        _copy(source / "static/js" / name, folder / "static/js" / name)
    for path in (source / "static/css").iterdir():
        _copy(path, folder / "static/css" / path.name)
    for path in (source / "static/media").iterdir():
        if not path.name.startswith(MEDIA_OUT):
            _copy(path, folder / "static/media" / path.name)
    _copy(source / "favicon.png", folder / "favicon.png")
    return entry[1], styles[1]


def reached(scripts: Path, first: str) -> Iterator[str]:
    """Yield the scripts that a script needs, also those that it loads late."""
    there = {path.name for path in scripts.glob("*.js")}
    seen, open_ = {first}, [first]
    while open_:
        name = open_.pop()
        yield name
        text = (scripts / name).read_text("utf-8")
        for other in set(NAMES.findall(text)) & there - seen:
            if not other.startswith(UNUSED):
                seen.add(other)
                open_.append(other)


def _copy(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, to)
