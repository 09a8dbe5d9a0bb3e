"""The report: whole without a network, hostile names harmless, its link opens the same study."""

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
from pages import report as report_subject
from pages.charts import png, words
from pages.core import Chapter as Section
from pages.core import Table, Text, formula
from pages.core import html as report_html
from rates.answer.cost import privacy_cost
from rates.ledger import FAILS, entries, shown, verdicts
from rates.orders import EXAMPLES, reading
from rates.study import PRESETS, Scope, codec, preset

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

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.words))

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def about(study=HOSPITALS.study, scope: Scope = HOSPITALS.scope, **more) -> report_subject.Subject:
    given = {"address": HOME, "query": f"study={codec.to_link(study, scope)}", "date": WHEN}
    return report_subject.subject(study, scope, privacy_cost(study)[0], **{**given, **more})


def renamed(name: str):
    """The hospitals, with another name for the first source."""
    first, second, *rest = HOSPITALS.study.servers
    return HOSPITALS.study.with_servers([first, replace(second, name=name), *rest])


def saved(reader: Reader) -> dict[str, str]:
    """Files offered by the document, by name."""
    return {
        a["download"]: urllib.parse.unquote(a["href"].partition(",")[2])
        for a in reader.of("a")
        if "download" in a
    }


def archived(given: report_subject.Subject) -> dict[str, str]:
    """Texts of the archive, by name."""
    with zipfile.ZipFile(io.BytesIO(report.archive(given))) as file:
        names = [name for name in file.namelist() if not name.endswith(".png")]
        return {name: file.read(name).decode() for name in names}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(report.build(about()))


def test_nothing_is_fetched_and_nothing_runs(reader):
    for tag, attributes in reader.elements:
        assert tag not in ("script", "link", "iframe", "object", "embed", "img", "base", "form")
        for name, value in attributes.items():
            assert not name.startswith("on")
            if name in ("src", "srcset", "data", "poster", "background", "xlink:href"):
                pytest.fail(f"{tag} fetches {value}")
            if name == "href":
                assert tag == "a"
            if name in ("fill", "stroke", "style") and "url(" in (value or ""):
                assert value.startswith("url(#")
    document = report.build(about())
    assert "@import" not in document
    assert "url(http" not in document
    policy = next(m for m in reader.of("meta") if "http-equiv" in m)
    assert policy["content"].startswith("default-src 'none'")
    assert len(document) < 8_000_000


def test_anchors_and_drawings_have_names_of_their_own(reader):
    ids = [a["id"] for _, a in reader.elements if "id" in a]
    assert len(ids) == len(set(ids))
    for link in reader.of("a"):
        if (link.get("href") or "").startswith("#"):
            assert link["href"][1:] in ids
    paints = {v for _, a in reader.elements for k, v in a.items() if k == "fill" and "url(" in v}
    assert {p[5:-1] for p in paints} <= set(ids)
    assert paints


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_every_example_has_its_numbers_and_its_link(entry):
    given = about(entry.study, entry.scope)
    reader = Reader(report.build(given))
    (cost, *_) = privacy_cost(entry.study)
    assert words.percent(cost.equation.kept) in reader.text
    assert words.number(cost.equation.answer.effective_n) in reader.text
    for server in entry.study.servers:
        assert server.name in reader.text
    links = [href for a in reader.of("a") if (href := a["href"]).startswith(f"{HOME}/study?")]
    assert "Open this study in the app" in reader.text
    query = urllib.parse.parse_qs(urllib.parse.urlparse(links[0]).query)
    assert codec.open_link(query["study"][0]) == (entry.study, entry.scope)
    assert query["made"] == [rates.__version__]
    files = saved(reader)
    assert codec.open_json(files["study.json"])[0] == entry.study
    assert "2026-01-02 03:04 UTC" in reader.text
    assert rates.__version__ in reader.text
    assert entry.provenance.split(".")[0] in reader.text
    promises = r"\b(anonymous|compliant|safe|required sample size)\b"
    assert not re.search(promises, reader.text.lower())


def test_statements_stand_with_their_stored_verdicts_beside_the_report(reader):
    files = archived(about())
    rows = files["tables/statements.csv"].splitlines()
    mine = [s for s in entries() if s.paper == "ACC" and {"study", "fit", "plan"} & set(s.pages)]
    used = [s for s in mine if not s.withdrawn]
    assert len(rows) == len(used) + 1
    refuted = [s for s in used if verdicts.stored()[s.id].printed in FAILS]
    assert refuted
    text = Reader(files["statements.html"]).text
    assert f"{len(refuted)} of them do not hold as printed" in text
    assert all(used[0].title not in part for part in (reader.text, *saved(reader).values()))
    assert sum(any(f",{w}," in row for w in FAILS) for row in rows) >= len(refuted)


def test_hostile_names_stay_words():
    document = report.build(about(study := renamed(HOSTILE), Scope()))
    reader = Reader(document)
    assert "<script" not in document.lower()
    assert HOSTILE in reader.text
    assert codec.open_json(saved(reader)["study.json"])[0] == study
    for name, text in saved(reader).items():
        if name.endswith(".svg"):
            assert ET.fromstring(text).tag.endswith("svg")


def test_every_cell_title_and_room_to_write_is_escaped():
    table = Table(columns={"a": [HOSTILE], HOSTILE: [HOSTILE]}, alt=HOSTILE, name="t")
    room = report_html.Room(
        options=[words.md(HOSTILE)], blanks=[(HOSTILE, "%")], said="Why?", lines=2
    )
    blocks = (table, Text("At $e^{\\varepsilon}$"), room)
    kept = Section(name="s", title=HOSTILE, blocks=blocks, kept=True, page=True)
    document = report_html.document(HOSTILE, (), [kept, Section("b", "Two", ())])
    found = Reader(document)
    assert "<script" not in document
    assert found.text.count("alert(1)") == 10
    assert [one.get("class") for one in found.of("section")] == ["kept page", None]
    assert len(found.of("hr")) == 2
    assert "<msup><mi>e</mi><mrow><mi>ε</mi></mrow></msup>" in html.unescape(document)


def test_a_formula_in_a_table_stays_text():
    given = about(renamed("=1+1"), Scope())
    assert "'=1+1" in saved(Reader(report.build(given)))["shares.csv"]
    assert "'=1+1" in archived(given)["tables/sites.csv"]


def test_figures_are_whole_drawings(reader):
    drawn = {k: v for k, v in saved(reader).items() if k.endswith(".svg")}
    assert set(drawn) == {"shares.svg", "budgets.svg", "ranges.svg"}
    for text in drawn.values():
        root = ET.fromstring(text)
        assert root.get("aria-label")
        assert len(list(root.iter())) > 20
        assert "nan" not in text
        assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert len(saved(reader)["shares.csv"].splitlines()) == 5


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("**a", "<strong>a</strong>"),
        ("*a **b* c", "<em>a <strong>b</strong></em> c"),
        ("`x<y`", "<code>x&lt;y</code>"),
        (words.md(HOSTILE), html.escape(HOSTILE)),
        ("a\\", "a\\"),
    ],
)
def test_marks_in_a_line_always_close(given, wanted):
    assert report_html.inline(given) == wanted


@pytest.mark.parametrize("letters", [True, False])
def test_the_archive_holds_everything_and_says_what_it_cannot_draw(monkeypatch, letters):
    monkeypatch.setattr(png, "can_write", lambda: letters)
    with zipfile.ZipFile(io.BytesIO(report.archive(about()))) as file:
        names = set(file.namelist())
        assert {"report.html", "figures/shares.svg", "tables/sites.csv"} <= names
        assert {"statements.html", "conditions.html", "protocol.txt", "paragraph.txt"} <= names
        csv = {f"tables/{x}.csv" for x in ("statements", "conditions", "alternatives")}
        assert csv <= names
        assert codec.open_json(file.read("study.json"))[0] == HOSPITALS.study
        assert "rates.TransferStudy(" in file.read("study.py").decode()
        pictures = {name for name in names if name.endswith(".svg")}
        painted = {name for name in names if name.endswith(".png")}
        assert painted == (
            {name.replace(".svg", ".png") for name in pictures} if letters else set()
        )
        assert all(file.read(name).startswith(b"\x89PNG") for name in painted)
        if not letters:
            assert "without fonts" in file.read("figures/README.txt").decode()
        assert file.read("report.html").decode() == report.build(about())


@pytest.mark.parametrize(
    ("latex", "drawn"),
    [
        (r"x_{0}^2", "<msubsup><mi>x</mi><mrow><mn>0</mn></mrow><mn>2</mn></msubsup>"),
        (r"\mathrm{P}_t", "<msub><mtext>P</mtext><mi>t</mi></msub>"),
        (r"\tfrac12\mathcal H", "<mi>ℋ</mi>"),
        *(
            (bad, f"<code>{html.escape(bad)}</code>")
            for bad in (
                *("x^", "{", r"\left(a", r"\begin{cases}a", r"\unknown{<a>}"),
                *(r"\href{javascript:alert(1)}{x}", r"\style{color:red}{x}", r"\class{a}{x}"),
            )
        ),
    ],
)
def test_formulas_are_mathml_or_stand_as_they_are_written(latex, drawn):
    assert drawn in formula.mathml(latex)
    Reader(formula.mathml(latex))


def test_every_formula_of_the_ledger_and_of_the_examples_is_drawn():
    lines = [
        latex
        for one in entries()
        for form in one.forms
        for latex in re.findall(r"\$([^$]+)\$", " ".join(shown.form(one, form)))
    ]
    for line in (*lines, *(reading.order_of(example).latex for example in EXAMPLES)):
        assert formula.mathml(line).startswith("<math "), line
