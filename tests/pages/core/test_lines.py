"""The lines of Python under every figure draw what the page shows, in a process of their own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import inf, nan

import pytest

from pages.charts import Chart, Figure, line, spec
from pages.core import lines
from pages.study.balance import drawn as balance
from rates.study import FederatedStudy, Scope, Server, codec, preset
from tests.pages.core.again import cards, run
from tests.pages.driver import open_page


def shown():
    """Every figure of the pages without runs."""
    for page in ("overview", "study", "fit", "statements", "resolution"):
        yield from cards(open_page(page))
    app = open_page("study")
    app.segmented_control(key="view").set_value("budget").run()
    yield from cards(app)
    for view in ("map", "cut", "public"):
        app = open_page("phases") if view == "map" else app
        app.segmented_control(key="phase_view").set_value(view).run()
        yield from cards(app)
    yield from cards(open_page("resolution", detail="view:dominating"))
    folded = lines.drawn(balance, preset("unequal").study, "integrated", "words")
    yield json.loads(spec.figure(folded.figure).to_json()), folded.lines


def test_the_lines_of_every_figure_draw_it_again(tmp_path):
    figures, texts = zip(*shown(), strict=True)
    for figure, again in zip(figures, run(texts, tmp_path), strict=True):
        assert again["data"] == figure["data"]
    assert (tmp_path / "shares.svg").read_text().startswith("<svg")


@pytest.mark.deep
def test_the_lines_of_the_plans_figures_draw_them_again(tmp_path):
    other = codec.to_link(preset("unequal").study)
    app = open_page("plan", study=other, plan=f"goal:rate;other:{other}")
    app.button(key="plan_use_example").click().run()
    pairs = cards(app)
    assert {"lever", "values", "frontier", "designs", "causes"} <= {
        text.split('Path("')[-1].split(".svg")[0] for _, text in pairs
    }
    figures, texts = zip(*pairs, strict=True)
    for figure, again in zip(figures, run(texts, tmp_path), strict=True):
        assert again["data"] == figure["data"]


@dataclass(frozen=True)
class Toy:
    """A record of a test."""

    name: str
    x: float = 1.0
    within: tuple[Toy, ...] = ()


def toy(record: Toy, study: FederatedStudy, pilot: bytes, how: str = "plain") -> Figure:
    """A figure of a test."""
    return Figure(figure=Chart(marks=[line([1], [record.x])], title=how), alt="", rows=[], name="t")


@pytest.mark.parametrize("value", [inf, 1e-300, "it's", '"', "'\"\\\n", (), (1,), (True, None)])
def test_a_value_is_written_as_it_is(value):
    assert eval(lines.source(value, set()), {"inf": inf}) == value


def test_a_record_leaves_out_what_is_usual_and_breaks_where_it_is_long():
    imports = set()
    inner = tuple(Toy(name="y" * 30, x=float(k)) for k in range(3))
    text = lines.source(Toy(name="a", within=inner), imports)
    assert text.splitlines()[:3] == ["Toy(", '    name="a",', "    within=("]
    assert "x=1.0" not in text
    assert eval(text, {"Toy": Toy}) == Toy(name="a", within=inner)
    assert lines.source(Scope(smoothness=None), imports) == "Scope()"
    assert "from rates.study import Scope" in imports
    assert lines.source(nan, imports) == "nan"
    with pytest.raises(TypeError, match="list has no lines"):
        lines.source([], imports)


def test_files_stand_for_what_is_too_long():
    servers = [Server(name=str(k), n=5, epsilon=1) for k in range(lines.MOST_SITES + 1)]
    long = FederatedStudy(servers=servers, smoothness=2)
    text = lines.drawn(toy, Toy(name="a"), long, b"1,2", how="plain").lines
    assert 'study = codec.from_json(Path("study.json").read_bytes())' in text
    assert 'drawn = toy(record=record, study=study, pilot=Path("pilot.csv").read_bytes())' in text
    short = lines.drawn(toy, Toy(name="a"), FederatedStudy(servers=servers[1:], smoothness=2), b"")
    assert "codec" not in short.lines


def test_every_figure_has_words_for_who_does_not_see_it():
    app = open_page("study")
    (figure,) = app.get("plotly_chart")
    assert figure.proto.alt.startswith("Share of each site.")
