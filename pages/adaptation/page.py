"""The page: is my public data close enough to help?

Here the tab with real tables: every method on diabetes, breast cancer, or a table of one's own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import streamlit as st

from pages import core
from pages.adaptation import looks, runs
from pages.charts import number, simulation, words
from pages.core import Block, Note, Slider, live
from sims import bcmm
from sims.engine import Progress, Request, Values

DATA = {
    "diabetes": "Diabetes: high body mass index",
    "breast cancer": "Breast cancer: large radius",
}
SHORT = {
    "descent": "descent on the target",
    "printed": "printed algorithm",
    "profiled": "our minimiser",
    "mixed descent": "descent on the mixture",
    "target": "target alone",
    "source": "source alone",
    "mixture": "mixture",
    "exact": "exact minimiser",
    "matching": "kernel mean matching",
}
OWN = core.Upload(
    "adaptation_own",
    "Your own table: columns domain, label and features",
    bcmm.read_table,
    'domain is "public" or "private"; labels lie in [-1, 1] or have two values. It stays in this '
    "session, is not in the link, and nothing of it is released.",
    ("csv",),
)
_with = core.of_visitor(8)(bcmm.with_table)


def _choose(source: live.Open) -> None:
    """One of the tables, or the way back to them."""
    if OWN.now() is None:
        core.Menu("data", "Table", DATA).draw(source)
    else:
        st.info("**Your own table** is in use.", icon=":material/table:")
        core.button("Back to the tables of the page", "adaptation_own_drop", OWN.drop)


def made(asked: live.Plan) -> Request:
    """Return the run on the table in use."""
    table = OWN.now()
    if table is not None:
        values = Values({name: v for name, v in asked.values.items() if name != "data"})
        return asked.request(_with(table), values)
    if not bcmm.have_tables():
        raise live.Missing(
            "These tables need **scikit-learn**, which is not installed here. Upload your own."
        )
    return asked.request(bcmm.TABLE)


def _used(request: Request) -> bcmm.Domains:
    name = request.values.get("data")
    table = OWN.now() if name is None else bcmm.known(str(name))
    assert table is not None
    return table


def before(request: Request) -> Iterable[Block]:
    """What is known of the table, and what its privacy does not give."""
    used, values = _used(request), request.values
    yield Note(f"**{words.md(used.name)}.** {words.md(used.note)}")
    yield from runs.promises(values)
    if note := bcmm.copies_note(used, values, max(values.numbers("epsilon"))):
        yield Note(words.md(note), "warning")


def job(request: Request) -> dict[str, Any]:
    """A run on one's own table is told from others and repeated by lines of Python."""
    if "data" in request.values:
        return {}
    imports = ["from sims.bcmm import read_table, with_table"]
    lines = live.repeat_lines(
        request,
        imports,
        "with_table(table)",
        'table = read_table(Path("table.csv").read_bytes())',
    )
    return {"key": f"adaptation_table_own_{OWN.count()}", "repeat": lines}


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    seen = [(p.series, p.x, e) for p, e in progress.seen()]
    private = [row for row in seen if row[0] in bcmm.PRIVATE_ROWS]
    source = next((e for name, _, e in seen if name == "source"), None)
    if not private or source is None:
        return "**Run** fits every method and tests on held-out people."
    largest = max(x for _, x, _ in private)
    fits = {name: e for name, x, e in private if x == largest}
    name = min(fits, key=lambda fit: fits[fit].mean)
    best = fits.pop(name)
    near = [SHORT[other] for other, e in fits.items() if not bcmm.apart(e, best)]
    unclear = f", not told apart from {words.names(near)}" if near else ""
    return (
        f"At ε = {number(largest)} the private fit with the smallest mean error is {SHORT[name]}, "
        f"with {runs.told(best)}{unclear}. The source alone, which costs no budget, has "
        f"{runs.told(source)}."
    )


def drawn(progress: Progress) -> Iterable[Block]:
    """The figure of the private fits and the table of all."""
    yield simulation.error_figure(
        progress,
        "figure_adaptation_table",
        "Error on held-out people of the target",
        "Budget ε",
        runs.ERRORS[_used(progress.request).loss],
        names={name: SHORT[name] for name in bcmm.PRIVATE_ROWS},
    )
    fits = {}
    for point, found in progress.seen():
        budget = point.settings.number("budget")
        of = "" if math.isinf(budget) else f", ε = {number(budget)}"
        fits[f"{SHORT[point.series]}{of}"] = words.around(found)
    yield core.Table(
        {"Fit": list(fits), "Error (95%)": list(fits.values())},
        alt="Errors of every method with their intervals",
    )
    yield Note("Rows without a budget are not private; the source alone uses no private record.")


TAB = runs.tab(
    id="table",
    title="Real tables",
    alone=lambda: OWN.now() is None,
    usual=live.of_experiment(bcmm.TABLE),
    inputs=(
        _choose,
        core.Pills("epsilon", "Budgets ε", (10.0, 3.0, 1.0, 0.3)),
        runs.SHARE,
        Slider("private", "Private records n (0: all)", [0, 50, 100, 300, 1000, 5000]),
        *live.repetition(most=200),
        live.Folded("Penalty, steps, bound, δ", runs.TUNING),
        lambda source: OWN.draw(),
    ),
    compute=made,
    before=before,
    job=job,
    answer=answer,
    blocks=drawn,
    privacy=bcmm.TABLE.privacy,
    formula=r"x \mapsto \frac{x - \bar x_{pub}}{s_{pub}\sqrt{2p}}, \qquad \|x\| \le 1",
    why="Features are scaled by the public records, so nothing private is used before the noise; "
    "rows longer than 1 are shortened. A third of the target is the test, drawn anew each time.",
    statements=("BCMM:Sec1:outperform", "BCMM:AppE:copies", "BCMM:AppE:tuning"),
)
TABS = (runs.RATE, runs.MIXTURE, runs.CLOSENESS, looks.WEIGHTS, looks.BUDGET, TAB)


def draw() -> None:
    """Draw the page."""
    live.page.show("Is my public data close enough to help?", *TABS)
