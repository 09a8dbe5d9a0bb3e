"""Tab "Real tables": every method on diabetes, breast cancer, or a table of one's own."""

from __future__ import annotations

import functools
import math

import streamlit as st

from pages.figures.chart import words
from pages.parts.adaptation import common
from pages.parts.frame import folds, formula, tables
from pages.parts.live import Tabs, of_experiment
from pages.parts.live import panel as live
from pages.parts.session import state
from rates.numbers import DomainError, steps
from sims.adaptation import (
    PLAIN_ROWS,
    PRIVATE_ROWS,
    TABLE,
    Domains,
    apart,
    copies_note,
    have_tables,
    known,
    read_table,
    with_table,
)
from sims.engine import Experiment, Point, Progress, Request
from sims.files import to_dict

TAB = "table"
USUAL = of_experiment(TABLE)
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
STATEMENTS = {
    "BCMM:Sec1:outperform": "What the paper says of its data",
    "BCMM:AppE:copies": "Records drawn with replacement",
    "BCMM:AppE:tuning": "Tuning on private data",
}
_OWN, _PROBLEM, _COUNT = "adaptation_own", "adaptation_own_problem", "adaptation_own_count"


def own() -> Domains | None:
    """The table that was uploaded, if one is in use."""
    return st.session_state.get(_OWN)


@functools.lru_cache(maxsize=8)
def _with(table: Domains) -> Experiment:
    return with_table(table)


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    table = own()
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs, table)
    asked = tabs.plan(TAB)
    with right:
        if table is None and not have_tables():
            place.markdown(
                "The two tables of this tab come with **scikit-learn**, which is not installed "
                "here. Upload a table of your own instead."
            )
            return
        values = dict(asked.values)
        if table is not None:
            del values["data"]
        request = tabs.request(TAB, TABLE if table is None else _with(table), place, values=values)
        if request is None:
            return
        used = table or known(str(values["data"]))
        st.caption(f"**{words.md(used.name)}.** {words.md(used.note)}")
        common.promises(values["epsilon"], values["delta"])  # type: ignore[arg-type]
        note = copies_note(used, values, max(values["epsilon"]))  # type: ignore[type-var]
        if note:
            st.warning(words.md(note), icon=":material/group:")
        count = st.session_state.get(_COUNT, 0)
        job = live.Job(
            key=f"adaptation_table_own_{count}" if table else "adaptation_table",
            request=request,
            answer=answer,
            draw=functools.partial(draw, used),
            repeat=_lines(request) if table else "",
        )
        live.panel(job, place)


def _controls(tabs: Tabs, table: Domains | None) -> None:
    if table is None:
        tabs.select(TAB, "data", "Table", DATA)
    else:
        st.info("**Your own table** is in use.", icon=":material/table:")
        st.button("Back to the tables of the page", key="adaptation_own_drop", on_click=_drop)
    tabs.several(TAB, "epsilon", "Budgets ε", (10.0, 3.0, 1.0, 0.3))
    tabs.number(TAB, "alpha", "Share α of the source", steps(0.05, 0.95, 0.05))
    tabs.number(TAB, "private", "Private records n (0: all)", [0, 50, 100, 300, 1000, 5000])
    tabs.repetition(TAB, most=200)
    with st.expander("Penalty, steps, bound, δ"):
        tabs.number(TAB, "penalty", "Penalty κ₁", [0.001, 0.01, 0.04, 0.1, 0.3, 1.0])
        tabs.number(TAB, "steps", "Steps T of the printed algorithm", [100, 300, 500, 1000])
        tabs.number(TAB, "norm_bound", "Bound Λ of the coefficients", steps(1, 4, 0.5))
        tabs.number(TAB, "delta", "δ", common.DELTAS)
    _upload()
    tabs.refusal()


def _upload() -> None:
    key = f"adaptation_upload_{st.session_state.get(_COUNT, 0)}"
    st.file_uploader(
        "Your own table: columns domain, label and features",
        type=["csv"],
        key=key,
        help='domain is "public" or "private"; labels lie in [-1, 1] or have two values.',
        on_change=_uploaded,
        args=(key,),
    )
    if problem := st.session_state.get(_PROBLEM):
        st.error(words.md(problem))
    st.caption("It stays in this session, is not in the link, and nothing of it is released.")


def _uploaded(key: str) -> None:
    state.touch()
    file = st.session_state.get(key)
    if file is not None:
        take(file.getvalue())


def take(text: bytes) -> None:
    """Read an uploaded table; what is refused is kept to be shown."""
    memory = st.session_state
    memory[_PROBLEM] = ""
    try:
        memory[_OWN] = read_table(text)
    except DomainError as error:
        memory[_PROBLEM] = str(error)
    else:
        memory[_COUNT] = memory.get(_COUNT, 0) + 1


def _drop() -> None:
    state.touch()
    memory = st.session_state
    memory[_OWN], memory[_PROBLEM] = None, ""
    memory[_COUNT] = memory.get(_COUNT, 0) + 1


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    found = common.by_place(progress.request.points, progress.estimates)
    private = {place: e for place, e in found.items() if place[0] in PRIVATE_ROWS}
    plain = {place[0]: e for place, e in found.items() if place[0] in PLAIN_ROWS}
    if not private or "source" not in plain:
        return (
            "**Run** splits the target at random, fits every method, and tests on held-out people."
        )
    largest = max(x for _, x in private)
    fits = {name: e for (name, x), e in private.items() if x == largest}
    name = min(fits, key=lambda fit: fits[fit].mean)
    best = fits.pop(name)
    near = [SHORT[other] for other, e in fits.items() if not apart(e, best)]
    unclear = f", not told apart from {words.names(near)}" if near else ""
    return (
        f"At ε = {words.number(largest)} the private fit with the smallest mean error is "
        f"{SHORT[name]}, with {common.told(best)}{unclear}. The source alone, which costs no "
        f"budget, has {common.told(plain['source'])}."
    )


def draw(used: Domains, progress: Progress) -> None:
    """Draw the figure of the private fits and the table of all."""
    points, estimates = progress.request.points, progress.estimates
    rows = [(p, e) for p, e in zip(points, estimates, strict=True) if p.series in PRIVATE_ROWS]
    common.draw(
        [_named(p) for p, _ in rows],
        [e for _, e in rows],
        key="figure_adaptation_table",
        plain=(),
        x_title="Budget ε",
        y_title=common.ERRORS[used.loss],
        title="Error on held-out people of the target",
    )
    seen = [(p, e) for p, e in zip(points, estimates, strict=True) if e.replicates >= 2]
    tables.wide(
        {
            "Fit": [f"{SHORT[p.series]}{_budget(p)}" for p, _ in seen],
            "Error (± 95 %)": [
                f"{words.number(e.mean)} ± {words.number(e.margin, 2)}" for _, e in seen
            ],
        },
        alt="Errors of every method with their intervals",
    )
    st.caption("Rows without a budget are not private; the source alone uses no private record.")


def _budget(point: Point) -> str:
    budget = float(point.settings["budget"])
    return "" if math.isinf(budget) else f", ε = {words.number(budget)}"


def _named(point: Point) -> Point:
    return Point(series=SHORT[point.series], x=point.x, key=point.key)


def _lines(request: Request) -> str:
    """Return the lines of Python that repeat a run on one's own table."""
    plain = to_dict(request)
    return (
        "from pathlib import Path\n\n"
        "from sims.adaptation import read_table, with_table\n"
        "from sims.experiment import Request\n"
        "from sims.files import to_csv\n"
        "from sims.run import run\n\n"
        'table = read_table(Path("table.csv").read_bytes())  # the file that was uploaded\n'
        "request = Request(\n"
        "    experiment=with_table(table),\n"
        f"    values={plain['parameters']!r},\n"
        f"    replicates={plain['replicates']},\n"
        f"    seed={plain['seed']},\n"
        ")\n"
        "for progress in run(request):\n"
        "    pass\n"
        "print(to_csv(progress))\n"
    )


def below() -> None:
    """What stands below the tab."""
    folds.show(_why, common.LIMITS, STATEMENTS, privacy=TABLE.privacy)


def _why() -> None:
    formula.show(r"x \mapsto \frac{x - \bar x_{pub}}{s_{pub}\sqrt{2p}}, \qquad \|x\| \le 1")
    st.markdown(
        "Features are centred and scaled by the public records, so that nothing private is used "
        "before the noise; rows longer than 1 are shortened, and their number stands above the "
        "figure. A third of the target is the test, drawn anew in every replicate."
    )
