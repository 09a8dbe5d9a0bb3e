"""Journeys in the ledger: from a search to the hatched map, a run that is stopped, a sheet."""

from __future__ import annotations

import csv
import io
import json
import re
import urllib.parse

import pytest

from pages.charts import words
from pages.phases import designs
from pages.statements import run as ledger_run
from rates.maps import design as points
from rates.maps import printed_eps21
from rates.statements.ledger import CONTRADICTED, statement, statements
from tests.browser.helpers import go, pick, unfold
from tests.browser.layout import check_layout
from tests.browser.test_pages import check_axe
from tests.pages.core.links import asked_by

MISPRINT = "ACC:Cor3.2:eps21"
PAPER = 680  # pixels of A4 between its margins
STORED = ledger_run.stored()
SQUARES = ".strip button"
RUN = "Run the tests again"
LISTED = sum(not item.withdrawn for item in statements())


def query(visitor) -> dict[str, str]:
    """What the address holds of the ledger."""
    found = urllib.parse.parse_qs(urllib.parse.urlparse(visitor.page.url).query)
    return {k: v[0] for k, v in found.items() if k != "study"}


def drawn(visitor, path: str) -> None:
    """Open the ledger and wait for the strip, which moves what stands below it."""
    visitor.open(path)
    visitor.expect("Stored verdicts, from draws with seed 0")
    visitor.page.locator(SQUARES).first.wait_for()
    visitor.settle()


def search(visitor, text: str) -> None:
    box = visitor.page.get_by_label("Search", exact=True)
    box.fill(text)
    box.press("Enter")
    visitor.settle()


def test_from_a_search_to_the_hatched_map_and_back(server, visit):
    visitor = visit(server)
    visitor.open("/overview")
    visitor.page.get_by_role("link", name="Open the ledger").click()
    visitor.settle()
    visitor.expect(f"List all {LISTED} statements")
    search(visitor, "eps21")
    visitor.becomes(lambda: query(visitor), {"q": "eps21"})
    visitor.page.get_by_role("button", name="Cor3.2:eps21", exact=True).click()
    visitor.settle()
    visitor.becomes(lambda: query(visitor), {"q": "eps21", "id": MISPRINT})
    visitor.expect(
        f"As printed: {statement(MISPRINT).category}. Our reading: algebra checked step by step.",
        "Proof of our",
    )
    steps = visitor.page.locator("[data-testid=stMain] ol li").all_inner_texts()
    assert steps == list(statement(MISPRINT).proof)
    visitor.page.locator("summary").filter(has_text="Derivation").click()
    visitor.settle()
    visitor.expect("marks a step whose two sides agree", "Result")
    visitor.check()
    visitor.page.get_by_role("link", name="Open it on the map").click()
    visitor.settle()
    design = points.from_text(statement(MISPRINT).map)
    visitor.becomes(lambda: asked_by(visitor.page.url, designs.POINT), design)
    visitor.becomes(lambda: query(visitor)["table"], "A")
    visitor.expect("while Ps decides", "printed table differs")
    visitor.page.get_by_text("Why: the four terms").click()
    visitor.settle()
    wrong = float(printed_eps21(*design.sizes, **design.shape))
    visitor.expect(f"the printed formula {words.number(wrong)}")
    visitor.page.get_by_role("link", name="The misprinted threshold: test and proof").click()
    visitor.settle()
    visitor.becomes(lambda: query(visitor), {"id": MISPRINT})
    visitor.expect("Proof of our reading")
    visitor.check()


def test_back_takes_the_printed_table_off_the_map(server, visit):
    visitor = visit(server)
    visitor.open(f"/phases?at={statement(MISPRINT).map}")
    visitor.settle()
    visitor.page.get_by_text("Sizes, shape, unequal budgets").click()
    pick("Table 1 as printed", "Reading B")(visitor)
    visitor.expect("On this cut reading B")
    visitor.page.wait_for_url(lambda url: "table=B" in url)
    visitor.page.go_back()
    visitor.page.get_by_text("On this cut reading B").wait_for(state="detached")
    visitor.settle()
    visitor.becomes(lambda: "table" in query(visitor), False)
    visitor.page.go_forward()
    visitor.expect("On this cut reading B")
    visitor.becomes(lambda: query(visitor)["table"], "B")
    visitor.check()


def test_back_and_reload_keep_the_place(server, visit):
    visitor = visit(server)
    visitor.open("/statements?paper=ACC&verdict=refuted")
    visitor.expect("No minimax rate of [ACC]")
    heading = visitor.page.locator("h2").first.inner_text()
    visitor.page.locator("[class*=st-key-open_] button").first.click()
    visitor.settle()
    visitor.becomes(lambda: query(visitor)["id"].startswith("ACC:"), True)
    opened = query(visitor)
    visitor.page.reload()
    visitor.settle()
    visitor.becomes(lambda: query(visitor), opened)
    visitor.expect("The lines of Python that reproduce")
    visitor.page.go_back()
    visitor.settle()
    visitor.becomes(lambda: query(visitor), {"paper": "ACC", "verdict": "refuted"})
    visitor.becomes(visitor.page.locator("h2").first.inner_text, heading)
    visitor.page.go_forward()
    visitor.settle()
    visitor.becomes(lambda: query(visitor), opened)
    go(visitor, "Phases")
    visitor.expect("Which term decides")
    go(visitor, "Statements")
    visitor.expect(f"List all {LISTED} statements")
    visitor.check()


def test_a_square_is_reached_by_keys_and_opens_its_statement(server, visit):
    visitor = visit(server, width=420)
    drawn(visitor, "/statements?verdict=refuted")
    squares = visitor.page.locator(SQUARES)
    assert squares.count() == LISTED
    squares.first.focus()
    refuted = [name for name, row in STORED.items() if row[0].words in CONTRADICTED]
    while not (shown := visitor.page.evaluate("document.activeElement.textContent")):
        visitor.page.keyboard.press("ArrowRight")
    assert shown == "✗"
    visitor.page.keyboard.press("Enter")
    visitor.settle()
    visitor.becomes(lambda: query(visitor), {"verdict": "refuted", "id": refuted[0]})
    visitor.expect(statement(refuted[0]).title)
    visitor.check()


def test_a_run_with_another_seed_shows_its_progress_and_stops(server, visit):
    visitor = visit(server)
    drawn(visitor, "/statements?q=eps21")
    unfold(visitor, RUN)
    box = visitor.page.get_by_label("Seed of the draws")
    box.fill("7")
    box.press("Enter")
    visitor.settle()
    visitor.becomes(lambda: query(visitor)["seed"], "7")
    visitor.page.get_by_role("button", name="Run all tests again").click()
    bar = visitor.page.get_by_test_id("stProgress")
    bar.wait_for()
    position = r"Tested [1-9]\d* of \d+ statements with seed 7"
    visitor.page.get_by_text(re.compile(position)).wait_for()
    visitor.page.locator(".st-key-stop_ledger button").click()
    visitor.expect("Stopped: tested")
    done = int(re.search(r"Stopped: tested (\d+) of", visitor.text()).group(1))
    assert 0 < done < len(statements())
    visitor.expect(f"Tested in this session: {done}, with seed 7")
    bar.wait_for(state="detached")
    visitor.check()


def test_a_full_run_agrees_with_what_is_stored(server, visit):
    visitor = visit(server)
    drawn(visitor, "/statements?q=eps21&seed=3")
    unfold(visitor, RUN)
    visitor.page.get_by_role("button", name="Run all tests again").click()
    number = len(statements())
    visitor.page.get_by_text(f"Tested {number} of {number}").wait_for(timeout=60_000)
    visitor.expect("Every verdict is the same as the stored one", "with seed 3")
    visitor.check()


def test_the_files(server, visit, tmp_path):
    visitor = visit(server)
    drawn(visitor, "/statements?q=eps21")
    contents = []
    visitor.page.get_by_role("button", name="Take it away").click()
    for name in ("Ledger as CSV", "Ledger as JSON"):
        with visitor.page.expect_download() as download:
            visitor.page.get_by_role("button", name=name).click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        contents.append(file.read_text("utf-8"))
    rows = list(csv.DictReader(io.StringIO(contents[0])))
    entries = json.loads(contents[1])["statements"]
    assert [r["id"] for r in rows] == [e["id"] for e in entries] == [s.id for s in statements()]
    visitor.check()


def longest() -> str:
    """The statement with the most text."""
    return max(statements(), key=lambda s: len(" ".join((*s.proof, s.why, s.claim)))).id


@pytest.mark.parametrize("name", [MISPRINT, longest()])
def test_a_statement_fits_one_sheet(server, visit, name):
    visitor = visit(server, scheme="dark")
    visitor.open(f"/statements?id={name}&view=print&embed=true&embed_options=light_theme")
    visitor.expect(statement(name).title)
    assert visitor.page.locator(".st-key-bar").count() == 0
    assert visitor.page.locator("[data-testid=stMain] button").count() == 0
    check_axe(visitor)
    check_layout(visitor, PAPER)
    sheet = visitor.page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", sheet)) == 1
    visitor.check()


def test_the_folds_and_filters_of_the_ledger_are_accessible(server, visit):
    visitor = visit(server, width=420)
    drawn(visitor, "/statements?verdict=survives")
    unfold(visitor, RUN, "What is covered", "What this does not say")
    check_axe(visitor)
    visitor.page.get_by_role("button", name="Take it away").click()
    visitor.page.get_by_role("button", name="Table for LaTeX").wait_for()
    check_axe(visitor)
    visitor.page.keyboard.press("Escape")
    visitor.page.get_by_role("button", name="Other filters").click()
    visitor.page.get_by_role("combobox", name="Kind", exact=True).wait_for()
    check_axe(visitor)
    assert visitor.page.locator(".katex-error, [data-testid=stException]").count() == 0
    assert visitor.problems == []


@pytest.mark.parametrize(
    ("width", "scheme"), [pytest.param(1280, "light", marks=pytest.mark.slow), (420, "dark")]
)
def test_a_statement_is_accessible_on_every_screen(server, visit, width, scheme):
    visitor = visit(server, width=width, scheme=scheme)
    visitor.open(f"/statements?id={MISPRINT}")
    visitor.expect("Proof of our reading")
    for fold in ("Derivation", "What this does not say", "The lines of Python"):
        visitor.page.locator("summary").filter(has_text=fold).first.click()
        visitor.settle()
    visitor.page.get_by_role("button", name="Test this statement again").click()
    visitor.settle()
    visitor.expect("the largest gap is at", "Result")
    check_axe(visitor)
    overflow = visitor.page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert overflow <= 0
    visitor.check()


@pytest.mark.slow
@pytest.mark.parametrize("name", [item.id for item in statements()])
def test_every_statement_is_accessible_on_a_phone(server, visit, name):
    visitor = visit(server, width=420)
    visitor.open(f"/statements?id={name}")
    visitor.expect(statement(name).title)
    if statement(name).derivation:
        visitor.page.locator("summary").filter(has_text="Derivation").click()
        visitor.expect("Result")
    visitor.settle()
    check_axe(visitor)
    visitor.check()


@pytest.mark.slow
@pytest.mark.parametrize("name", [item.id for item in statements()])
def test_every_statement_fits_one_sheet(server, visit, name):
    visitor = visit(server)
    visitor.open(f"/statements?id={name}&view=print&embed=true&embed_options=light_theme")
    visitor.expect(statement(name).title)
    sheet = visitor.page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", sheet)) == 1
    visitor.check()


def test_the_page_draws_a_figure_when_it_is_opened(server, visit):
    visitor = visit(server)
    visitor.open("/statements")
    visitor.expect("What changes a conclusion")
    visitor.settle()
    figures = visitor.page.locator(".js-plotly-plot")
    assert not figures.count()
    visitor.page.locator("summary").filter(has_text="8. [DPLR]").click()
    visitor.settle()
    visitor.becomes(figures.count, 1)
    visitor.check()
    visitor.open("/statements?paper=KS&view=letter&embed=true&embed_options=light_theme")
    visitor.expect("Dear Refael Kohen and Or Sheffet", "With kind regards")
    visitor.check()
