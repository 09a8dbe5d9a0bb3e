"""The report: whole without a network, hostile names harmless, its link opens the same study.

Its first page: who gains, against doing nothing, and what is told; how long it all is.
"""

from __future__ import annotations

import datetime
import html
import io
import re
import urllib.parse
import xml.etree.ElementTree as ET
import zipfile
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import rates
from pages import report
from pages.charts import png, words
from pages.core import Chapter, Table, Text, formula
from pages.core import html as report_html
from pages.core.address import opened_at
from pages.plan import levers, state
from pages.plan import report as plan_report
from pages.report import Subject
from rates.answer import privacy_cost
from rates.decision import decide, sentences
from rates.ledger import FAILS, entries, shown, verdicts
from rates.numbers import between
from rates.orders import EXAMPLES, reading
from rates.study import PRESETS, FederatedStudy, Scope, Server, TransferStudy, codec, preset
from tests.depth import deep_after
from tests.pages.driver import lacks

HOSPITALS = preset("hospitals")
HOME = "http://example.org:8501"
WHEN = datetime.datetime(2026, 1, 2, 3, 4, tzinfo=datetime.UTC)
VOID = {"meta", "link", "img", "br", "hr", "input", "wbr"}
HOSTILE = "</td></svg><script>alert(1)</script>\"'&*_"


class Reader(HTMLParser):
    """Reads a document strictly: every element closed in order, ids once."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs), f"{tag} has an attribute twice"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert tag in VOID or self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.words))

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def about(study=HOSPITALS.study, scope: Scope = HOSPITALS.scope, **more) -> Subject:
    given = {"address": HOME, "query": f"study={codec.to_link(study, scope)}", "date": WHEN}
    return report.subject(study, scope, privacy_cost(study)[0], **{**given, **more})


def saved(reader: Reader) -> dict[str, str]:
    """Files offered by the document, by name."""
    return {
        a["download"]: urllib.parse.unquote(a["href"].partition(",")[2])
        for a in reader.of("a")
        if "download" in a
    }


def archived(given: Subject) -> dict[str, bytes]:
    """Files of the archive, by name."""
    with zipfile.ZipFile(io.BytesIO(report.archive(given))) as file:
        return {name: file.read(name) for name in file.namelist()}


def test_nothing_is_fetched_and_nothing_runs_and_figures_are_whole_drawings():
    document = report.build(about())
    reader = Reader(document)
    for tag, attributes in reader.elements:
        assert tag not in ("script", "link", "iframe", "object", "embed", "img", "base", "form")
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name not in ("src", "srcset", "data", "poster", "background", "xlink:href")
            assert name != "href" or tag == "a"
            if name in ("fill", "stroke", "style") and "url(" in (value or ""):
                assert value.startswith("url(#")
    assert "@import" not in document
    assert "url(http" not in document
    policy = next(m for m in reader.of("meta") if "http-equiv" in m)
    assert policy["content"].startswith("default-src 'none'")
    assert len(document) < 8_000_000
    drawn = {k: v for k, v in saved(reader).items() if k.endswith(".svg")}
    assert set(drawn) == {"shares.svg", "budgets.svg", "ranges.svg"}
    for text in drawn.values():
        root = ET.fromstring(text)
        assert root.get("aria-label")
        assert len(list(root.iter())) > 20
        assert "nan" not in text
        assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert len(saved(reader)["shares.csv"].splitlines()) == 5


def test_statements_stand_with_their_stored_verdicts_beside_the_report():
    files = archived(about())
    rows = files["tables/statements.csv"].decode().splitlines()
    mine = [s for s in entries() if s.paper == "ACC" and {"study", "fit", "plan"} & set(s.pages)]
    used = [s for s in mine if not s.withdrawn]
    assert len(rows) == len(used) + 1
    refuted = [s for s in used if verdicts.stored()[s.id].printed in FAILS]
    assert refuted
    text = Reader(files["statements.html"].decode()).text
    assert f"{len(refuted)} of them do not hold as printed" in text
    assert used[0].title not in urllib.parse.unquote(files["report.html"].decode())
    assert sum(any(f",{w}," in row for w in FAILS) for row in rows) >= len(refuted)


@pytest.mark.parametrize("name", [HOSTILE, f"=1+{HOSTILE}"])
def test_hostile_names_stay_words_and_formulas_text(name):
    first, second, *rest = HOSPITALS.study.servers
    given = about(
        study := HOSPITALS.study.with_servers([first, replace(second, name=name), *rest]), Scope()
    )
    document = report.build(given)
    reader = Reader(document)
    files = saved(reader)
    assert "<script" not in document.lower()
    assert name in reader.text
    assert codec.open_json(files["study.json"])[0] == study
    for file, text in files.items():
        assert not file.endswith(".svg") or ET.fromstring(text).tag.endswith("svg")
    if name.startswith("="):
        assert "'=1+" in files["shares.csv"]
        assert b"'=1+" in archived(given)["tables/sites.csv"]


def test_every_cell_title_and_room_to_write_is_escaped():
    table = Table(columns={"a": [HOSTILE], HOSTILE: [HOSTILE]}, alt=HOSTILE, name="t")
    room = report_html.Room(
        options=[words.md(HOSTILE)], blanks=[(HOSTILE, "%")], said="Why?", lines=2
    )
    blocks = (table, Text("At $e^{\\varepsilon}$"), room)
    kept = Chapter(name="s", title=HOSTILE, blocks=blocks, kept=True, page=True)
    document = report_html.document(HOSTILE, (), [kept, Chapter("b", "Two", ())])
    found = Reader(document)
    assert "<script" not in document
    assert found.text.count("alert(1)") == 10
    assert [one.get("class") for one in found.of("section")] == ["kept page", None]
    assert len(found.of("hr")) == 2
    assert "<msup><mi>e</mi><mrow><mi>ε</mi></mrow></msup>" in html.unescape(document)


def test_marks_in_a_line_always_close():
    for given, wanted in (
        *(("**a", "<strong>a</strong>"), ("*a **b* c", "<em>a <strong>b</strong></em> c")),
        *((words.md(HOSTILE), html.escape(HOSTILE)), ("a\\", "a\\")),
    ):
        assert report_html.inline(given) == wanted


@pytest.mark.parametrize("letters", [True, False])
def test_the_archive_holds_everything_and_says_what_it_cannot_draw(monkeypatch, letters):
    monkeypatch.setattr(png, "can_write", lambda: letters)
    files = archived(about())
    csv = {f"tables/{x}.csv" for x in ("sites", "statements", "conditions", "alternatives")}
    assert csv | {"figures/shares.svg", "conditions.html", "protocol.txt"} <= {*files}
    assert codec.open_json(files["study.json"])[0] == HOSPITALS.study
    assert b"rates.TransferStudy(" in files["study.py"]
    pictures = {f"{name[:-4]}.png" for name in files if name.endswith(".svg") and letters}
    painted = {name for name in files if name.endswith(".png")}
    assert painted == pictures
    assert all(files[name].startswith(b"\x89PNG") for name in painted)
    assert letters or b"without fonts" in files["figures/README.txt"]
    assert files["report.html"].decode() == report.build(about())


def test_formulas_are_mathml_or_stand_as_they_are_written():
    bad = (
        *("x^", "{", r"\left(a", r"\begin{cases}a", r"\unknown{<a>}"),
        *(r"\href{javascript:alert(1)}{x}", r"\style{color:red}{x}", r"\class{a}{x}"),
    )
    for latex, drawn in (
        (r"x_{0}^2", "<msubsup><mi>x</mi><mrow><mn>0</mn></mrow><mn>2</mn></msubsup>"),
        (r"\mathrm{P}_t", "<msub><mtext>P</mtext><mi>t</mi></msub>"),
        (r"\tfrac12\mathcal H", "<mi>ℋ</mi>"),
        *((text, f"<code>{html.escape(text)}</code>") for text in bad),
    ):
        assert drawn in formula.mathml(latex)
        Reader(formula.mathml(latex))


def test_every_formula_of_the_ledger_and_of_the_examples_is_drawn():
    forms = (" ".join(shown.form(one, form)) for one in entries() for form in one.forms)
    lines = (latex for text in forms for latex in re.findall(r"\$([^$]+)\$", text))
    for line in (*lines, *(reading.order_of(example).latex for example in EXAMPLES)):
        assert formula.mathml(line).startswith("<math "), line


# The first page -------------------------------------------------------------------------------

MOST_WORDS = 1500
ALIKE = Scope(answers=(("target", "shared"),))
ROWS = [
    Server(name="Saarland, Klinikum am Rand", n=58, epsilon=0.3, delta=6e-7),
    Server(name="St. Mary's", n=240, epsilon=1, delta=1e-6),
    Server(name="University", n=1912, epsilon=2, delta=6e-7),
    Server(name="Regional", n=77, epsilon=float("inf")),
    Server(name="Nord", n=640, epsilon=8, delta=1e-5),
    Server(name="National", n=12400, epsilon=1, delta=6e-7),
    Server(name="Östersund", n=310, epsilon=2, delta=6e-7),
]
SEVEN = TransferStudy(target=ROWS[0], sources=ROWS[1:], smoothness=0.5, dimension=2, margin=1)
STUDIES = {entry.key: (entry.study, entry.scope) for entry in PRESETS}
STUDIES |= {"seven": (SEVEN, Scope()), "seven alike": (SEVEN, ALIKE)}


def plain(document: str) -> str:
    """What a reader of a document reads, with one space between words."""
    shown = re.sub(r"<style>.*?</style>|<title>.*?</title>", " ", document, flags=re.DOTALL)
    shown = re.sub(r"</?(strong|em|code)\b[^>]*>", "", shown)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", shown)).split())


def first(document: str) -> str:
    """The first page, as it is read."""
    return plain(document.partition('<nav aria-label="Contents"')[0])


def tables(given: Subject) -> dict[str, Table]:
    """The tables of the first page, by name."""
    return {block.name: block for block in report.lead(given) if isinstance(block, Table)}


@pytest.mark.parametrize("name", deep_after(len(PRESETS), STUDIES))
def test_a_report_has_its_numbers_and_link_decides_first_and_has_at_most_1500_words(name):
    study, scope = STUDIES[name]
    given, (cost, *_) = about(study, scope), privacy_cost(study)
    document = report.build(given)
    reader = Reader(document)
    told = [words.percent(cost.equation.kept), words.number(cost.equation.answer.effective_n)]
    told += [rates.__version__, "2026-01-02 03:04 UTC", "Open this study in the app"]
    told += [one.provenance.split(".")[0] for one in PRESETS if one.key == name]
    told += [server.name for server in study.servers]
    assert [text for text in told if text not in reader.text] == []
    link = next(x["href"] for x in reader.of("a") if x["href"].startswith(f"{HOME}/study?"))
    query = urllib.parse.parse_qs(urllib.parse.urlparse(link).query)
    assert codec.open_link(query["study"][0]) == (study, scope)
    assert query["made"] == [rates.__version__]
    assert codec.open_json(saved(reader)["study.json"])[0] == study
    promises = r"\b(anonymous|compliant|safe|required sample size)\b"
    assert not re.search(promises, reader.text.lower())
    top = first(document)
    places = [top.index(f"{one.question} {one.text}") for one in sentences(given.decision)]
    places[1:1] = [top.index("For "), top.index("Who gains")]
    places += [top.index(x) for x in ("Against doing nothing", "Assumed", "Promise.", "Open this")]
    assert places == sorted(places)
    assert len(top.split()) <= MOST_WORDS // 3
    plan = plan_report.SUMMARY.chapter(levers.params_of(study, state.View(), scope))
    for whole in (document, report.build(given, [plan])):
        assert len(plain(whole).split()) <= MOST_WORDS


def test_every_site_that_uses_the_result_has_its_gain():
    study = preset("unequal").study
    given = about(study, Scope())
    users = sorted(decide(study, use="each").users, key=lambda user: -user.gain[0])
    rows = tables(given)["gains"].lines
    for row, user in zip(rows, users, strict=True):
        name, gain, _, *worth = row
        assert (name, gain) == (user.name, f"× {between(*user.gain)}")
        assert worth == [between(*user.worth), f"{user.own:,.0f}"]
    assert [row[2] for row in rows[-2:]] == ["yes", "not today"]


def test_the_target_has_one_row_and_doing_nothing_comes_first():
    given = about()
    found = tables(given)
    assert [row[0] for row in found["gains"].lines] == ["Hungary"]
    nothing, study, alone, free = found["alternatives"].lines
    assert (nothing[1:], study[1:]) == (["142", "142"], ["152 to 165", "1,030"])
    assert (alone[0], free[1]) == ("Cleveland alone, as stated", between(*given.decision.free))


def test_the_promise_is_told_for_the_loosest_budget():
    study = preset("unequal").study
    budgets = ((s, 3.0 if k else 1.0) for k, s in enumerate(study.servers))
    study = study.with_servers([replace(s, epsilon=epsilon) for s, epsilon in budgets])
    top = first(report.build(about(study, Scope())))
    assert lacks(top, "ε = 1 to 3", "90.5 points of 100") == []
    silent = study.with_servers([replace(s, delta=None) for s in study.servers])
    pages = [first(report.build(about(one, Scope()))) for one in (silent, study.unprotected())]
    assert "if δ were 0 where it is not stated" in pages[0]
    assert "90.5" not in pages[1]


def test_without_information_delta_or_link_there_are_no_gains_and_it_is_said():
    study = HOSPITALS.study
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


def test_the_app_is_where_the_browser_says_or_nobody_knows():
    for url, base, home in (
        ("https://example.org/rates", "/rates/", "https://example.org/rates"),
        ("http://localhost:8501/", "", "http://localhost:8501"),
        ("https://example.org/mystudy/", "", ""),  # a proxy that nobody told the server of
    ):
        assert opened_at(url, {"", "study", "plan"}, base) == home


def test_a_condition_that_does_not_hold_is_said_and_the_others_are_not():
    sites = [replace(s, delta=1e-7) for s in SEVEN.servers]
    for delta, said in ((1e-7, False), (1e-5, True)):
        study = SEVEN.with_servers([*sites[:5], replace(sites[5], delta=delta), sites[6]])
        text = plain(report.build(about(study, Scope())))
        assert ("must tend to 0; here it is" in text) is said
