"""Journeys on the study page, in a real browser."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from pages.charts import words
from rates.__main__ import main
from rates.study import codec
from rates.study.presets import preset
from rates.study.scenario import Server, TransferStudy
from tests.browser.conftest import Visitor
from tests.browser.helpers import (
    decided,
    delete_row,
    displayed,
    edit_cell,
    example,
    go,
    linked,
    press,
    reach,
    saved,
    unfold,
    use_rows,
)
from tests.rates.rows.sites import with_csv

HOSPITALS = preset("hospitals").study
SIX = [
    ("Aarhus", 410, 1.0, "1e-6"),
    ("Bergen", 1250, 0.5, "1e-6"),
    ("Cork", 90, 2.0, "1e-6"),
    ("Dijon", 2600, 0.25, "1e-7"),
    ("Essen", 760, 1.0, "1e-6"),
    ("Faro", 330, "inf", ""),
]
TABLE = "name,role,n,epsilon,delta\n" + "\n".join(
    f"{name},{'target' if k == 0 else ''},{n},{e},{d}" for k, (name, n, e, d) in enumerate(SIX)
)

OVERVIEW = "How much survives privacy?"


def six_sites() -> TransferStudy:
    servers = [
        Server(name=a, n=n, epsilon=math.inf if e == "inf" else e, delta=float(d) if d else None)
        for a, n, e, d in SIX
    ]
    return TransferStudy(
        target=servers[0], sources=servers[1:], smoothness=0.5, dimension=2, margin=1
    )


def file_field(visitor):
    """The field that takes a file, behind a button."""
    if not visitor.page.locator("input[type=file]").count():
        visitor.page.get_by_role("button", name="Open a file").click()
    return visitor.page.locator("input[type=file]")


def upload(visitor, name: str, data: bytes, kind: str = "text/plain") -> None:
    file_field(visitor).set_input_files({"name": name, "mimeType": kind, "buffer": data})
    visitor.settle()


def test_a_table_of_six_sites_gives_the_command_line_s_numbers(visit, capsys):
    visitor = visit(example("hospitals"), *decided(HOSPITALS))
    upload(visitor, "six.csv", TABLE.encode())
    use_rows(visitor)
    study = six_sites()
    visitor.expect(*displayed(study))
    file = saved(visitor, "Study as JSON")
    assert codec.from_json(file.read_bytes()) == study
    sheet = saved(visitor, "Sites as CSV")
    visitor.page.keyboard.press("Escape")
    assert with_csv(study, sheet.read_bytes()) == study
    assert main(["solve", str(file), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    unfold(visitor, "Why")
    visitor.expect(f"r = {words.number(data['r'], 4)}", words.number(data["effective_n"]))
    upload(visitor, "study.json", codec.to_json(preset("phones").study).encode())
    visitor.expect(*decided(preset("phones").study))


def test_rows_are_edited_added_removed_and_survive(visit):
    visitor = visit(example("hospitals"), *decided(HOSPITALS))
    edit_cell(visitor, row=1, column=2, value="3e5")
    servers = list(HOSPITALS.servers)
    servers[1] = Server(name="Cleveland", n=300_000, epsilon=1, delta=1e-6, signal_exponent=0.8)
    for column, value in ((0, "Oslo"), (2, "50"), (3, "2"), (5, "1e-5")):
        edit_cell(visitor, row=4, column=column, value=value)
    servers.append(Server(name="Oslo", n=50, epsilon=2, delta=1e-5))
    study = HOSPITALS.with_servers(servers)
    visitor.expect(*displayed(study))
    visitor.becomes(lambda: linked(visitor), study)
    delete_row(visitor, row=2)
    del servers[2]
    study = study.with_servers(servers)
    visitor.expect(*displayed(study))
    go(visitor, "Overview")
    visitor.expect(OVERVIEW)
    go(visitor, "Study")
    visitor.expect(*displayed(study))
    visitor.becomes(lambda: linked(visitor), study)
    visitor.page.reload()
    visitor.settle()
    visitor.expect(*displayed(study))
    edit_cell(visitor, row=1, column=2, value="four")
    visitor.expect("Row 2 ('Cleveland'), field n: got 'four'", "last complete study")
    visitor.expect(*displayed(study))
    edit_cell(visitor, row=1, column=2, value="4")
    visitor.becomes(lambda: linked(visitor).servers[1].n, 4)


def test_a_box_that_is_used_before_the_server_answers_is_shut(server, visit):
    page = visit().page.context.new_page()  # its line to the server can be held up
    waiting, holding = [], []

    def route(line) -> None:
        up = line.connect_to_server()
        up.on_message(line.send)
        line.on_message(lambda data: waiting.append((up, data)) if holding else up.send(data))

    page.route_web_socket("**/stream", route)
    slow, rows = Visitor(page, server), page.get_by_label("Rows to paste")
    slow.open(example("hospitals"))
    slow.expect(*decided(HOSPITALS))
    press("Paste rows")(slow)
    rows.wait_for()
    slow.settle()
    holding.append(True)
    rows.fill(TABLE)
    page.get_by_role("button", name="Read these rows").click()
    assert slow.until(lambda: waiting)  # read what is in it
    holding.clear()
    for up, data in waiting:
        up.send(data)
    page.get_by_text("Rows as they were read").wait_for()
    rows.wait_for(state="hidden")
    press("Paste rows")(slow)
    slow.becomes(rows.input_value, TABLE)
    slow.check()


@pytest.mark.parametrize("typed", ["", "0.6"])
def test_a_link_is_followed_though_the_press_shuts_a_box_and_ends_what_is_typed(walk, typed):
    visitor = walk(example("hospitals"))
    visitor.expect(*decided(HOSPITALS))
    reach(visitor, "Smoothness β")
    if typed:
        visitor.page.get_by_label("Smoothness β, exact value").fill(typed)
    visitor.page.locator(".st-key-bar .views").get_by_role("link", name="What would help").click()
    visitor.expect("What would improve this study most?")
    visitor.settle()
    assert visitor.path.startswith("/plan?")
    study = replace(HOSPITALS, smoothness=float(typed)) if typed else HOSPITALS
    visitor.becomes(lambda: linked(visitor), study)
    visitor.check()


def test_back_walks_through_the_edits_and_out_of_the_page(visit):
    visitor = visit("/overview", OVERVIEW)
    go(visitor, "Study")
    visitor.expect(*decided(preset("regional").study))
    edit_cell(visitor, row=1, column=2, value="999")
    edit_cell(visitor, row=2, column=2, value="888")

    def sizes() -> list[float]:
        return [s.n for s in linked(visitor).servers]

    visitor.becomes(sizes, [800, 999, 888, 1200, 500])
    visitor.page.go_back()
    visitor.settle()
    visitor.becomes(sizes, [800, 999, 3000, 1200, 500])
    visitor.expect(*displayed(linked(visitor)))
    visitor.page.go_forward()
    visitor.settle()
    visitor.becomes(sizes, [800, 999, 888, 1200, 500])
    for _ in range(6):
        visitor.page.go_back()
        visitor.settle()
        if "/overview" in visitor.path:
            break
    visitor.expect(OVERVIEW)


def test_bad_files_are_refused_beside_the_upload_and_a_long_study_stays_a_file(visit, tmp_path):
    visitor = visit(example("hospitals"), *decided(HOSPITALS))
    for name, data, words_ in (
        ("study.json", b"\x00\xff\x10binary", "UTF-8"),
        ("study.json", b"{", "must be JSON"),
        ("sites.csv", b"name,n,epsilon\n" + b"s,1,1\n" * 10_001, "at most 10,000 rows"),
        ("sites.csv", b"name,n\nA,1", "epsilon is required"),
    ):
        upload(visitor, name, data)
        visitor.page.locator("body").get_by_text(words_).first.wait_for(state="visible")
        visitor.becomes(lambda: linked(visitor), HOSPITALS)
        visitor.check()
    # A huge one, before it is read.
    big = tmp_path / "big.json"
    big.write_bytes(b" " * 51_000_000)
    file_field(visitor).set_input_files(big)
    visitor.settle()
    uploader = visitor.page.get_by_test_id("stFileUploader")
    uploader.get_by_text("must be").first.wait_for()
    visitor.becomes(lambda: linked(visitor), HOSPITALS)
    visitor.check()
    # One that can be read, and is too long for a link.
    rows = "\n".join(
        f"site {k * 7919 % 104729},{'target' if k == 0 else ''},{(k * 7907) % 99991 + 1},"
        f"{0.1 + (k * 6151 % 977) / 977:.4f}"
        for k in range(1500)
    )
    upload(visitor, "sites.csv", f"name,role,n,epsilon\n{rows}".encode())
    use_rows(visitor)
    visitor.expect("too long for a link", "needs every δ")
    visitor.becomes(lambda: "study=" in visitor.path, False)
