"""Journeys on the study page, in a real browser."""

from __future__ import annotations

import json
import math
import re
import urllib.parse

import pytest
from axe_playwright_python.sync_playwright import Axe

import rates
from pages.parts import words
from rates import codec, tables
from rates.cost import privacy_cost
from rates.presets import preset
from rates.scenario import Server, TransferStudy

ROW_HEIGHT = 35
SIX = [
    ("Aarhus", 410, 1.0, "1e-6"),
    ("Bergen", 1250, 0.5, "1e-6"),
    ("Cork", 90, 2.0, "1e-6"),
    ("Dijon", 2600, 0.25, "1e-7"),
    ("Essen", 760, 1.0, "1e-6"),
    ("Faro", 330, "inf", ""),
]


def six_sites() -> TransferStudy:
    servers = [
        Server(name=a, n=n, epsilon=math.inf if e == "inf" else e, delta=float(d) if d else None)
        for a, n, e, d in SIX
    ]
    return TransferStudy(
        target=servers[0], sources=servers[1:], smoothness=0.5, dimension=2, margin=1
    )


def displayed(study: TransferStudy) -> list[str]:
    (cost,) = privacy_cost(study)
    return [
        words.number(cost.equation.answer.effective_n),
        f"r = {words.number(rates.solve(study).r, 4)}",
        words.span(*(words.number(x) for x in cost.ratio_range)),
    ]


def test_the_hospital_preset_opens_cold_and_says_what_the_engine_says(cold_server, visit):
    visitor = visit(cold_server)
    visitor.open("/study")
    visitor.expect(*displayed(preset("hospitals").study))
    visitor.expect("Cleveland carries the largest part of the answer (47 % by the rate equation)")
    visitor.check()


def test_the_bare_address_leads_to_a_page_and_keeps_a_study(cold_server, visit):
    visitor = visit(cold_server)
    plain = urllib.parse.quote(codec.to_json(preset("unequal").study, indent=None))
    visitor.open(f"/?study={plain}")
    visitor.page.wait_for_url(re.compile(r"/study\?study="))
    visitor.settle()
    visitor.expect("University clinic carries most of the answer")
    visitor.check()


def test_a_table_of_six_sites_gives_the_command_line_s_numbers(server, visit, tmp_path, capsys):
    visitor = visit(server)
    visitor.open("/study")
    table = "name,role,n,epsilon,delta\n" + "\n".join(
        f"{name},{'target' if k == 0 else ''},{n},{e},{d}" for k, (name, n, e, d) in enumerate(SIX)
    )
    path = tmp_path / "six.csv"
    path.write_text(table)
    visitor.page.get_by_role("button", name="Open a file").click()
    visitor.page.locator("input[type=file]").set_input_files(path)
    visitor.settle()
    visitor.page.keyboard.press("Escape")
    study = six_sites()
    visitor.expect(*displayed(study))
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Study as JSON").click()
    file = tmp_path / "study.json"
    download.value.save_as(file)
    assert codec.from_json(file.read_bytes()) == study
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Sites as CSV").click()
    sheet = tmp_path / "sites.csv"
    download.value.save_as(sheet)
    assert tables.with_csv(study, sheet.read_bytes()) == study
    from rates.__main__ import main

    assert main(["solve", str(file), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    visitor.expect(f"r = {words.number(data['r'], 4)}")
    visitor.check()


def test_a_typed_cell_changes_the_answer_and_the_address(server, visit):
    visitor = visit(server)
    visitor.open("/study")
    edit_cell(visitor, row=1, column=2, value="3e5")
    changed = preset("hospitals").study
    servers = list(changed.servers)
    servers[1] = Server(name="Cleveland", n=300_000, epsilon=1, delta=1e-6, signal_exponent=0.8)
    study = changed.with_servers(servers)
    visitor.expect(*displayed(study))
    link = urllib.parse.parse_qs(urllib.parse.urlparse(visitor.page.url).query)["study"][0]
    assert codec.from_link(link) == study
    visitor.page.reload()
    visitor.settle()
    visitor.expect(*displayed(study))
    edit_cell(visitor, row=1, column=2, value="three")
    visitor.expect("Row 2 ('Cleveland'), field n: got 'three'", "last complete study")
    visitor.expect(*displayed(study))
    visitor.check()


def select_cell(visitor, *, row: int, column: int) -> None:
    """Select a cell of the site table; columns count from 0, the site's name."""
    canvas = visitor.page.locator("[data-testid=stDataFrame] canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    visitor.page.mouse.click(box["x"] + 80, box["y"] + ROW_HEIGHT * (row + 1.5))
    for _ in range(column):
        visitor.page.keyboard.press("ArrowRight")


def edit_cell(visitor, *, row: int, column: int, value: str) -> None:
    """Type into a cell of the site table."""
    select_cell(visitor, row=row, column=column)
    visitor.page.keyboard.press("Enter")
    editor = visitor.page.locator(".gdg-input")
    editor.fill(value)
    editor.press("Enter")
    visitor.settle()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 420])
def test_nothing_breaks_accessibility(server, visit, width, scheme):
    visitor = visit(server, width=width, scheme=scheme)
    visitor.open("/study")
    results = Axe().run(visitor.page)
    assert results.violations_count == 0, results.generate_report()
    overflow = visitor.page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert overflow <= 0
    visitor.check()
