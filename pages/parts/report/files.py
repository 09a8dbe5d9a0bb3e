"""The report with all its files in one archive: HTML, CSV, SVG, and PNG where a browser is."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from pages.figures.chart import svg
from pages.parts.report import html as report_html
from pages.parts.report import sections as report
from pages.parts.report.html import Section
from pages.parts.report.subject import Subject

BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
SCALE = 2
_SECONDS = 30
_SIZE = re.compile(r'width="(\d+)" height="(\d+)"')
NO_BROWSER = (
    "There are no PNG pictures here: they need Chromium or Chrome on the machine that runs the "
    "app, and none was found. The SVG pictures hold the same.\n"
)
NO_ANSWER = "The browser on the machine that runs the app did not draw {name}; see its SVG.\n"


def browser() -> str | None:
    """Return a browser on this machine that can draw a picture, if there is one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def archive(about: Subject, extra: Sequence[Section] = ()) -> bytes:
    """Return a ZIP file: the report, its tables as CSV, its figures as SVG and PNG."""
    parts = report.sections(about, extra)
    program = browser()
    notes = [] if program else [NO_BROWSER]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("report.html", report.build(about, extra))
        for name, text in report_html.tables(parts).items():
            file.writestr(f"tables/{name}", text)
        for picture in report_html.pictures(parts):
            drawn = svg.draw(picture.figure, ident=picture.name, alt=picture.alt)
            file.writestr(f"figures/{picture.name}.svg", drawn)
            image = png(drawn, program) if program else None
            if image:
                file.writestr(f"figures/{picture.name}.png", image)
            elif program:
                notes.append(NO_ANSWER.format(name=f"{picture.name}.png"))
        if notes:
            file.writestr("figures/README.txt", "".join(notes))
    return out.getvalue()


def png(drawn: str, program: str) -> bytes | None:
    """Return an SVG as PNG on white, drawn by a browser; None if it does not answer in time."""
    size = _SIZE.search(drawn)
    if size is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        page, image = Path(folder) / "figure.html", Path(folder) / "figure.png"
        page.write_text(
            '<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
            "content=\"default-src 'none'; style-src 'unsafe-inline'\"><style>"
            "body{margin:0;background:#fff}svg{display:block}</style>" + drawn,
            encoding="utf-8",
        )
        command = [
            program,
            "--headless",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--hide-scrollbars",
            f"--user-data-dir={folder}/profile",
            f"--force-device-scale-factor={SCALE}",
            f"--window-size={size[1]},{size[2]}",
            f"--screenshot={image}",
            page.as_uri(),
        ]
        if hasattr(os, "geteuid") and os.geteuid() == 0:  # it refuses to start otherwise
            command.insert(1, "--no-sandbox")
        try:
            subprocess.run(command, capture_output=True, timeout=_SECONDS, check=True)
            return image.read_bytes()
        except (OSError, subprocess.SubprocessError):
            return None
