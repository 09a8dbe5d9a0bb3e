"""A report's first page: who gains, against doing nothing, and what is told; how long it all is."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest

from pages import report
from pages.core import Chapter, Table
from pages.core import html as report_html
from pages.core.address import opened_at
from pages.plan import levers, state
from pages.plan import report as plan_report
from pages.report import Subject
from rates.decision import decide, sentences
from rates.numbers import between
from rates.study import PRESETS, FederatedStudy, Scope, Server, TransferStudy, preset
from tests.depth import deep_after
from tests.pages.report.test_report import Reader, about, saved

MOST_WORDS = 1500
ALIKE = Scope(answers=(("target", "shared"),))
SEVEN = TransferStudy(
    target=Server(name="Saarland, Klinikum am Rand", n=58, epsilon=0.3, delta=6e-7),
    sources=[
        Server(name="St. Mary's", n=240, epsilon=1, delta=1e-6),
        Server(name="University", n=1912, epsilon=2, delta=6e-7),
        Server(name="Regional", n=77, epsilon=float("inf")),
        Server(name="Nord", n=640, epsilon=8, delta=1e-5),
        Server(name="National", n=12400, epsilon=1, delta=6e-7),
        Server(name="Östersund", n=310, epsilon=2, delta=6e-7),
    ],
    smoothness=0.5,
    dimension=2,
    margin=1,
)
STUDIES = {entry.key: (entry.study, entry.scope) for entry in PRESETS}
STUDIES |= {"seven": (SEVEN, Scope()), "seven alike": (SEVEN, ALIKE)}


def plain(document: str) -> str:
    """What a reader of a document reads, with one space between words."""
    shown = re.sub(r"<style>.*?</style>|<title>.*?</title>", " ", document, flags=re.DOTALL)
    shown = re.sub(r"</?(strong|em|code)\b[^>]*>", "", shown)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", shown)).split())


def first(given: Subject) -> str:
    """The first page, as it is read."""
    return plain(report.build(given).partition('<nav aria-label="Contents"')[0])


def tables(given: Subject) -> dict[str, Table]:
    """The tables of the first page, by name."""
    return {block.name: block for block in report.lead(given) if isinstance(block, Table)}


@pytest.mark.parametrize("name", deep_after(4, STUDIES))
def test_the_first_page_decides_in_order_and_all_has_at_most_1500_words(name):
    study, scope = STUDIES[name]
    given = about(study, scope)
    top = first(given)
    places = [top.index(f"{one.question} {one.text}") for one in sentences(given.decision)]
    places[1:1] = [top.index("For "), top.index("Who gains")]
    places += [top.index(x) for x in ("Against doing nothing", "Assumed", "Promise.", "Open this")]
    assert places == sorted(places)
    assert len(top.split()) <= MOST_WORDS // 3
    params = levers.params_of(study, state.View(), scope)
    plan = plan_report.SUMMARY.chapter(params)
    for more in ([], [plan]):
        assert len(plain(report.build(given, more)).split()) <= MOST_WORDS


def test_every_site_that_uses_the_result_has_its_gain():
    study = preset("unequal").study
    given = about(study, Scope())
    users = sorted(decide(study, use="each").users, key=lambda user: -user.gain[0])
    rows = tables(given)["gains"].lines
    assert [row[0] for row in rows] == [user.name for user in users]
    assert [row[3:5] for row in rows] == [[between(*u.worth), f"{u.own:,.0f}"] for u in users]
    assert [row[1] for row in rows] == [f"× {between(*u.gain)}" for u in users]
    *_, city, clinic = rows
    assert clinic == ["University clinic", "× 1.09", "not today", "21,800", "20,000"]
    assert city[1:3] == ["× 1.29", "yes"]


def test_the_target_has_one_row_and_doing_nothing_comes_first():
    given = about()
    found = tables(given)
    assert [row[0] for row in found["gains"].lines] == ["Hungary"]
    nothing, study, alone, free = found["alternatives"].lines
    assert nothing[1:] == ["142", "142"]
    assert study[1:] == ["152 to 165", "1,030"]
    assert alone[0] == "Cleveland alone, as stated"
    assert free[1] == between(*given.decision.free)


def line(given: Subject) -> tuple[str, str]:
    """What was told, and what was assumed."""
    top = first(given)
    found = re.search(
        r"(?:Told(?: by the example)?: (.*?)\. )?Assumed, as nobody told: (.*?)\. Sc", top
    )
    assert found, top
    return found[1] or "", found[2]


def test_what_was_told_and_what_was_assumed_stand_apart():
    study = SEVEN.with_servers(
        [SEVEN.servers[0], *(replace(s, signal_exponent=0.8) for s in SEVEN.sources)]
    )
    told, assumed = line(about(study, Scope()))
    numbers = ["β = 0.5", "d = 2", "α = 1", "γ = 0.8", "δ = 6e-7 to 1e-5"]
    assert told.split("; ") == numbers
    assert "target Saarland, Klinikum am Rand" in assumed.split("; ")
    answers = (("outcome", "binary"), ("target", "one"), ("records", "one"))
    everything = Scope(answers=answers, use="target", gain=1.5, assumed=("margin",))
    told, assumed = line(about(study, everything))
    assert assumed == "α = 1"
    assert told.split("; ")[-1] == "pays from 1.5 × own"


def test_the_promise_is_told_for_the_loosest_budget():
    study = preset("unequal").study
    study = study.with_servers(
        [replace(s, epsilon=3.0 if k else 1.0) for k, s in enumerate(study.servers)]
    )
    top = first(about(study, Scope()))
    assert "ε = 1 to 3" in top
    assert "90.5 points of 100" in top
    silent = study.with_servers([replace(s, delta=None) for s in study.servers])
    assert "if δ were 0 where it is not stated" in first(about(silent, Scope()))
    assert "90.5" not in first(about(study.unprotected(), Scope()))


def test_without_information_delta_or_link_there_are_no_gains_and_it_is_said():
    study = preset("hospitals").study
    bare = study.with_servers([replace(s, delta=None) for s in study.servers])
    silent = about(bare, Scope(), query="")
    assert set(tables(silent)) == {"alternatives"}
    assert "This study has no link" in plain(report.build(silent))
    assert 'href="http' not in report.build(about(address=""))
    nothing = about(study.with_servers([replace(s, n=0) for s in study.servers]), Scope())
    assert tables(nothing) == {}


def test_no_table_has_more_than_twelve_rows_and_its_file_has_all():
    """Where it has no file, it is whole."""
    names = [f"Site {k}" for k in range(30)]
    sites = [Server(name=name, n=100, epsilon=1, delta=1e-7) for name in names]
    document = report.build(about(FederatedStudy(servers=sites, smoothness=2), Scope()))
    for table in re.findall(r"<tbody>.*?</tbody>", document, re.DOTALL):
        assert table.count("<tr>") <= report_html.MOST_ROWS == 12
    assert "18 more rows" in document
    files = saved(Reader(document))
    for name in ("gains.csv", "sites.csv"):
        assert len(files[name].splitlines()) == 31, name
    whole = Chapter("whole", "Whole", (Table(columns={"Site": names}, alt="Sites"),))
    assert names[-1] in report_html.document("Whole", (), [whole])


@pytest.mark.parametrize(
    ("url", "base", "home"),
    [
        ("https://example.org/a/b/study/", "", "https://example.org/a/b"),
        ("https://example.org/rates", "/rates/", "https://example.org/rates"),
        ("http://localhost:8501/", "", "http://localhost:8501"),
        ("https://example.org/mystudy/", "", ""),  # a proxy that nobody told the server of
        ("blob:https://example.org/1", "", ""),
    ],
)
def test_the_app_is_where_the_browser_says_or_nobody_knows(url, base, home):
    assert opened_at(url, {"", "study", "plan"}, base) == home


def test_a_condition_that_does_not_hold_is_said_and_the_others_are_not():
    sites = [replace(s, delta=1e-7) for s in SEVEN.servers]
    for delta, said in ((1e-7, False), (1e-5, True)):
        study = SEVEN.with_servers([*sites[:5], replace(sites[5], delta=delta), sites[6]])
        text = plain(report.build(about(study, Scope())))
        assert ("must tend to 0; here it is" in text) is said
