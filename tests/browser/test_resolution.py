"""A journey on the resolution page, and the folds with the balance figure."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

import rates
from pages.charts import words
from pages.resolution import DETAIL
from rates.maps import Detail
from tests.browser.helpers import go
from tests.pages.core.links import asked_by


def linked(visitor) -> Detail:
    return asked_by(visitor.page.url, DETAIL)


def press(visitor, label: str, key: str) -> None:
    slider = visitor.page.locator(f'input[type=range][aria-label="{label}"]')
    slider.focus()
    slider.press(key)
    visitor.settle()


def numbers_as_csv(visitor, tmp_path: Path) -> list[dict[str, str]]:
    visitor.details()
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Numbers as CSV").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    return list(csv.DictReader(io.StringIO(file.read_text("utf-8"))))


def test_a_slider_the_numbers_and_coming_back(server, visit, tmp_path):
    visitor = visit(server)
    visitor.open("/resolution")
    visitor.expect("20 sites recover 10 functions over the whole curve")
    press(visitor, "Budget ε of each site", "ArrowLeft")
    detail = Detail(epsilon=0.04)
    visitor.becomes(lambda: linked(visitor), detail)
    answer = rates.solve(detail.study())
    visitor.expect(
        f"recover {words.number(answer.integrated.D)} functions",
        f"{words.number(answer.pointwise.D)} functions at one point",
    )
    rows = numbers_as_csv(visitor, tmp_path)
    title, whole = "Budget ε of each site", [x for x in rows if x["series"] == "Whole curve"]
    row = min(whole, key=lambda row: abs(float(row[title]) - 0.04))
    at = float(row[title])
    here = rates.solve_D(detail.n, at, smoothness=2, count=detail.sites)
    assert float(row["Functions recovered, D"]) == pytest.approx(float(here), rel=1e-12)
    go(visitor, "Overview")
    go(visitor, "Resolution")
    visitor.becomes(lambda: linked(visitor), detail)
    visitor.page.reload()
    visitor.settle()
    visitor.expect(f"recover {words.number(answer.integrated.D)} functions")
    visitor.check()
