"""The report with all its files in one archive: HTML, CSV, SVG, PNG, JSON and text."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

from pages.charts import png
from pages.core import Chapter, figure_card
from pages.core import html as report_html
from pages.report import sections as report
from pages.report.subject import Subject

NO_LETTERS = (
    "There are no PNG pictures here: what runs the app (a browser, or a machine without fonts) "
    "cannot write their words. The SVG pictures hold the same.\n"
)


def archive(about: Subject, extra: Sequence[Chapter] = (), whole: Sequence[Chapter] = ()) -> bytes:
    """Return a ZIP file: the report, its tables as CSV, its figures as SVG and PNG, its texts.

    Args:
        about: What the report is about.
        extra: Sections of it besides its own.
        whole: Sections that stand in files of their own beside it.
    """
    first = Chapter("first", report.TITLE, report.lead(about))
    parts = [first, *report.sections(about, extra), *report.beside(about), *whole]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("report.html", report.build(about, extra))
        for name, text in report_html.tables(parts).items():
            file.writestr(f"tables/{name}", text)
        for name, text in report.texts(about).items():
            file.writestr(name, text)
        for part in whole:
            file.writestr(f"{part.name}.html", report_html.document(part.title, (), [part]))
        for picture in {one.name: one for one in report_html.pictures(parts)}.values():
            drawn = figure_card.to_svg(picture)
            file.writestr(f"figures/{picture.name}.svg", drawn)
            if png.can_write():
                file.writestr(f"figures/{picture.name}.png", png.png(drawn))
        if not png.can_write():
            file.writestr("figures/README.txt", NO_LETTERS)
    return out.getvalue()
