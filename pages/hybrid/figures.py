"""Figures of the hybrid page: people asked by each way, the cheapest one, and runs."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pages import charts
from pages.charts import number, simulation
from rates import hybrid
from sims.engine import Progress
from sims.hybrid import Run, halfspaces

Curves = Mapping[str, list[tuple[float, float]]]  # by name, X and people

CLOSENESS = ("chi-square", "worst", "own")
SIZE = 200  # cells of the map in a row
ACROSS = {
    "accuracy": ("Accuracy α", 0.005, 0.1249),
    "epsilon": ("Budget ε", 0.01, 10.0),
    "dimension": ("Dimension d", 1.0, 1e9),
}
UP = (1.0, 1e6)
SHORT = {  # where a line has room for two words
    key: name.replace(" alone, ", ", ").replace(", ", ",<br>").removesuffix(" and density")
    for key, name in hybrid.STRATEGIES.items()
}
_FAR = 3.6
_COLUMN = charts.Legend(entry=0.98)  # on a narrow screen two columns overlap
_ROW = 22  # pixels of one legend row


def people(found: Sequence[hybrid.Strategy]) -> charts.Figure:
    """Return volunteers and users of every way on one logarithmic axis with yardsticks."""
    marks = []
    for name, key, symbol, place, at in (
        ("Volunteers", "volunteers", "circle", 0, "top center"),
        ("Local users", "users", "diamond", 2, "bottom center"),
    ):
        there = [s for s in found if 0 < getattr(s, key) < math.inf]
        xs = [getattr(s, key) for s in there]
        ys = [hybrid.STRATEGIES[s.key] for s in there]
        words = charts.Words(texts=[number(x) for x in xs], at=at)
        more: dict[str, Any] = {"words": words, "hover": "%{y}: %{x:.3g}"}
        marks.append(charts.dots(xs, ys, name, symbol, 12, charts.look(place)[0], **more))
    most = max([x for mark in marks for x in mark.x] + [hybrid.WORLD])
    ways = [(hybrid.STRATEGIES[s.key], s.volunteers, s.users, s.note) for s in found]
    parts = [
        f"{way}: {number(n)} volunteers and {number(users)} users" for way, n, users, _ in ways
    ]
    names, ends = list(hybrid.STRATEGIES.values()), (30.0, 30.0 * most)
    rows = len(names)
    return charts.plot(
        marks,
        charts.log_axis("People", ends),
        charts.Axis(names=names, sorted_so=False, span=(rows - 0.5, -0.5)),
        [dict(zip(("way", "volunteers", "users", "note"), row, strict=True)) for row in ways],
        title="People asked by each way",
        # The names of the ways leave the plot little room on a phone.
        **charts.room(440, 90, legend=charts.Legend(entry=110, full=True)),
        rules=[  # between the rows, so that none strikes through a number
            charts.Rule(
                start=(x, (k - 0.15) / rows),
                end=(x, (k + 0.15) / rows),
                paper="y",
                stroke=charts.Stroke(charts.theme.RULE, 1.5, "dot"),
            )
            for x in hybrid.YARDSTICKS.values()
            for k in range(1, rows + 1)
        ],
        notes=[  # two lines of names: neighbours never touch
            charts.Note(
                text=name, x=math.log10(x), y=1.0, paper="y", above=True, shift=14 * (k % 2)
            )
            for k, (name, x) in enumerate(hybrid.YARDSTICKS.items())
        ],
        alt=f"People asked by each way, logarithmic. {'; '.join(parts)}.",
        name="people-asked",
    )


@functools.lru_cache(maxsize=32)
def curves(design: hybrid.HybridDesign, given: hybrid.Circumstances) -> Curves:
    """Return curves of people against X: volunteers of three ways, and users of the last two."""
    out: dict[str, list[tuple[float, float]]] = {}
    for x in np.geomspace(1.0, 1e6, 61):
        for s in hybrid.strategies(replace(design, divergence=float(x)), given):
            if s.key in CLOSENESS and math.isfinite(s.people):
                # A phone's legend has no room for the whole name.
                name = hybrid.STRATEGIES[s.key].removesuffix(" and density")
                out.setdefault(f"{name}: volunteers", []).append((x, s.volunteers))
                if s.users > 0:
                    out.setdefault(f"{name}: users", []).append((x, s.users))
    return out


def closeness(
    design: hybrid.HybridDesign, given: hybrid.Circumstances, *, volunteers: float
) -> charts.Figure:
    """Return the curves with the volunteers there are, the world, and the chosen X."""
    found = {name: tuple(zip(*row, strict=True)) for name, row in curves(design, given).items()}
    marks = [
        charts.series(list(xs), list(ys), name, k, most=7, hover="X = %{x:.3g}: %{y:.3g}")
        for k, (name, (xs, ys)) in enumerate(found.items())
    ]
    levels = [(hybrid.WORLD, "the world", "dot")]
    if volunteers > 0:
        levels.insert(0, (volunteers, f"your volunteers, {number(volunteers)}", "dash"))
    heights = [y for _, ys in found.values() for y in ys]
    step = charts.step((min(heights), max(heights)))
    parts = [
        f"{name} from {number(ys[0])} at X = 1 to {number(ys[-1])} at X = 1e6"
        for name, (_, ys) in found.items()
    ]
    return charts.plot(
        marks,
        charts.log_axis("X, chi-square plus one", UP, fit=True),
        charts.Axis(kind="log", title="People", powers=True, step=step),
        [
            {"curve": name, "X": float(x), "people": float(y)}
            for name, (xs, ys) in found.items()
            for x, y in zip(xs, ys, strict=True)
        ],
        title="People asked as volunteers get less like the population",
        height=500,
        foot=150,
        legend=charts.Legend(entry=0.9),
        rules=[
            charts.upright(design.divergence),
            *(charts.across(y, dash=dash) for y, _, dash in levels),
        ],
        notes=[
            charts.Note(text=name, x=0, y=math.log10(y), paper="x", left=True, above=True)
            for y, name, _ in levels
        ],
        alt=f"People against X, both logarithmic. {'; '.join(parts)}.",
        name="people-against-closeness",
        caption="The vertical line is your X. Own rounds and density do not grow with X "
        "because they are taken as known.",
    )


@dataclass(frozen=True, slots=True)
class StrategyMap:
    """The cheapest strategy on a grid.

    Attributes:
        across: Name of the number along the axis.
        x: Its values.
        y: Values of X.
        best: Place in `STRATEGIES` of the cheapest, rows along y.
        log_cost: log of its cost.
        here: The chosen point.
    """

    across: str
    x: np.ndarray
    y: np.ndarray
    best: np.ndarray
    log_cost: np.ndarray
    here: tuple[float, float]


@functools.lru_cache(maxsize=32)
def strategy_map(
    design: hybrid.HybridDesign, given: hybrid.Circumstances, across: str, size: int = SIZE
) -> StrategyMap:
    """Compute the map of a design; the other numbers are the design's own."""
    _, low, high = ACROSS[across]
    x, y = np.geomspace(low, high, size), np.geomspace(*UP, size)
    values: dict[str, Any] = {name: float(getattr(design, name)) for name in ACROSS} | {across: x}
    costs = hybrid.log_costs(divergence=y[:, None], design=design, given=given, **values)
    here = float(getattr(design, across)), design.divergence
    return StrategyMap(across, x, y, costs.argmin(axis=0), costs.min(axis=0), here)


def shares(found: StrategyMap) -> dict[str, float]:
    """Return the share of the map that each strategy wins, those that win anything."""
    parts = {name: float((found.best == k).mean()) for k, name in enumerate(hybrid.STRATEGIES)}
    return {name: part for name, part in parts.items() if part > 0}


def cheapest(found: StrategyMap) -> charts.Figure:
    """Return the map: a colour and a label for each region, and the chosen point."""
    names, title = list(hybrid.STRATEGIES), ACROSS[found.across][0]
    xs, ys, texts = [], [], []
    for place, name in enumerate(names):
        rows, columns = np.nonzero(found.best == place)
        if rows.size < 0.01 * found.best.size:
            continue
        # The cell of the region that is nearest to its centre.
        off = (rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2
        k = int(off.argmin())
        xs.append(float(found.x[columns[k]]))
        ys.append(float(found.y[rows[k]]))
        texts.append(SHORT[name])
    cells = charts.Cells(
        x=found.x,
        y=found.y,
        kinds=found.best.astype(np.int8),
        ends=(-0.5, len(names) - 0.5),
        colours=[charts.look(place)[0] for place in range(len(names))],
        data=np.round(found.log_cost / np.log(10), 1),
        hover="%{x:.3g}, X = %{y:.3g}: cost 10^%{customdata}",
        extra="",
    )
    words = charts.Words(texts=texts, font=charts.Font(colour="white", size=15, weight=700))
    told: dict[str, Any] = {"hover": "your numbers", "extra": "", "listed": False}
    edge, (x, y) = charts.Stroke("white", 3), found.here
    won = [f"{hybrid.STRATEGIES[k]} on {100 * v:.0f}% of it" for k, v in shares(found).items()]
    step = max(1, len(found.x) // 20)  # every twentieth cell is in the file
    return charts.plot(
        [
            cells,
            charts.Curve(x=xs, y=ys, words=words, listed=False),
            charts.dots([x], [y], None, "cross-thin-open", 16, "white", edge, **told),
        ],
        charts.log_axis(title, (float(found.x[0]), float(found.x[-1])), fit=True),
        charts.log_axis("X, chi-square plus one", UP, fit=True),
        [
            {
                found.across: float(found.x[j]),
                "X": float(found.y[i]),
                "cheapest": names[int(found.best[i, j])],
                "log10 cost": float(found.log_cost[i, j] / np.log(10)),
            }
            for i in range(0, len(found.y), step)
            for j in range(0, len(found.x), step)
        ],
        title="The way with the least cost",
        head=64,
        height=480,
        legend=None,
        alt=f"Map of the cheapest way over {title} and X, both logarithmic: "
        f"{', '.join(won)}. Your numbers lie at {number(x)} and {number(y)}.",
        name="cheapest-way",
        caption="Cost is the price of a volunteer times the volunteers, plus the users. "
        "Worst-case numbers decide, except for own rounds. The cross marks your numbers.",
    )


def sweep(
    progress: Progress,
    title: str,
    x_title: str,
    y_title: str,
    *,
    setting: str = "records",
    letter: str = "",
    level: float | None = None,
    **more: Any,
) -> charts.Figure:
    """Return shares or errors against one setting: intervals of 95%, and exact lines.

    Args:
        progress: What has been simulated so far.
        title: The finding.
        x_title: Name of the axis.
        y_title: Name of the other.
        setting: Which of the points' settings lies along the axis.
        letter: Its symbol.
        level: Where a grey line is drawn across; nowhere if None.
        **more: Name of its files, and what stands below.
    """
    points, estimates = progress.request.points, progress.estimates
    marks: list[charts.Curve] = []
    exact = {(p.series, p.settings.number(setting)): p.exact for p in points}
    scores = simulation.scores(points, estimates, setting=setting)
    for place, (series, (xs, found)) in enumerate(scores.items()):
        colour, symbol, dash = charts.look(place)
        ys = [exact[series, x] for x in xs]
        if any(y is not None for y in ys):
            told: dict[str, Any] = {"hover": "%{x:.4g}: %{y:.3g}, exact", "extra": ""}
            marks.append(charts.line(xs, ys, f"{series}, exact", colour, dash, 1.5, **told))
        dots, hover = charts.Dots(symbol=symbol, size=9, colour=colour), "%{x:.4g}: %{y:.3g}"
        marks.append(charts.measured(xs, found, series, colour, ends=3, dots=dots, hover=hover))
    return charts.plot(
        marks,
        charts.log_axis(f"{x_title} {letter}".strip(), charts.around([x for _, x in exact], 1.1)),
        charts.Axis(title=y_title, span=(-0.05, 1.05)),
        simulation.rows(points, estimates),
        title=title,
        height=450,
        foot=110,
        rules=[] if level is None else [charts.across(level)],
        kept="run",
        **more,
    )


def volunteers(run: Run, place: int) -> charts.Figure:
    """Return volunteers sized by their weight in one round, and the rule that was learned.

    Args:
        run: The run.
        place: Index of the round.
    """
    weights, one = run.weights[place], run.rounds[place]
    marks = []
    for good, who, symbol, colour in (
        (True, "like the population", "circle", 2),
        (False, "others", "square", 3),
    ):
        for label, name, mark in ((True, "+1", symbol), (False, "−1", f"{symbol}-open")):
            at = (run.good == good) & (run.labels == label)
            heavy = weights[at].tolist()
            dots = charts.Dots(
                symbol=mark,
                size=[2.0 + 6.0 * min(weight, 5.0) for weight in heavy],
                colour=charts.look(colour)[0],
                opacity=0.75,
            )
            marks.append(
                charts.Curve(
                    x=run.points[at, 0].tolist(),
                    y=run.points[at, 1].tolist(),
                    name=f"{who}, label {name}",
                    dots=dots,
                    data=heavy,
                    hover="weight %{customdata:.2f} times the mean",
                    extra="",
                )
            )
    a, b, c = (float(v) for v in halfspaces()[one.rule])
    # The line a x + b y + c = 0, from its nearest point to the origin.
    xs, ys = [-a * c + s * b for s in (9.0, -9.0)], [-b * c - s * a for s in (9.0, -9.0)]
    marks.append(charts.line(xs, ys, "rule of this round", dash="dash", width=3))
    return charts.plot(
        marks,
        charts.Axis(title="x₁", span=(-_FAR, _FAR)),
        charts.Axis(title="x₂", span=(-_FAR, _FAR)),
        {
            "x1": run.points[:, 0],
            "x2": run.points[:, 1],
            "label": np.where(run.labels, 1, -1),
            "like the population": run.good,
            "weight": weights,
        },
        title=f"Volunteers by weight, round {place + 1} of {len(run.rounds)}",
        **charts.room(460, 60, 48, _COLUMN, more=_ROW * len(marks)),
        alt=f"{len(run.points)} volunteers in two clusters, sized by weight in round {place + 1}: "
        f"the cluster like the population holds {number(one.good)} of the weight. The dashed "
        f"line is the rule of this round, which errs by {number(one.error)} on the population.",
        name="volunteers-by-weight",
        caption="The first of the runs. Where a shown rule is right a volunteer loses weight; "
        "the population's cluster is the upper one. No real curator would show this picture.",
    )


def rounds(runs: Sequence[Run]) -> charts.Figure:
    """Return error, noisy test and weight of the good cluster by round; first run strong."""
    first, stop = runs[0], runs[0].setup.threshold
    test = "noisy test" if first.setup.private else "test, without noise"
    marks: list[charts.Curve] = []
    other: dict[str, Any] = {"group": "others", "dash": "dot", "width": 1}
    along = [list(range(1, len(run.rounds) + 1)) for run in runs]
    for run, xs in zip(runs[1:], along[1:], strict=True):
        ys, listed = [r.error for r in run.rounds], run is runs[1]
        marks.append(charts.line(xs, ys, "error, other runs", listed=listed, **other))
    shown = {"error": "error", test: "test", "weight of the good cluster": "good"}
    for place, (name, field) in enumerate(shown.items()):
        ys = [getattr(r, field) for r in first.rounds]
        title = "error on the population" if name == "error" else name
        marks.append(charts.series(along[0], ys, title, place, hover="round %{x}: %{y:.3f}"))
    # Only a key: the line itself is a rule, which spans the plot however few rounds there are.
    dashed = charts.Stroke(charts.GREY, 1.5, "dash")
    marks.append(charts.key(f"the test is passed below {number(stop)}", stroke=dashed, hover=None))
    start, end = first.rounds[0], first.rounds[-1]
    ends = (
        f"{name} from {number(getattr(start, field))} to {number(getattr(end, field))}"
        for name, field in shown.items()
    )
    columns = {"error": "error", "test": "test", "weight of the good cluster": "good"}
    columns |= {"error under the weights": "weighted", "effective share of records": "effective"}
    return charts.plot(
        marks,
        charts.Axis(title="Round"),
        charts.Axis(title="Share", span=(0, 1.02)),
        [
            {"run": k, "round": t, **{name: getattr(r, field) for name, field in columns.items()}}
            for k, run in enumerate(runs, 1)
            for t, r in enumerate(run.rounds, 1)
        ],
        title="Error, noisy test and weight along the rounds",
        **charts.room(370, 60, 48, _COLUMN, more=_ROW * charts.entries(marks)),
        rules=[charts.across(stop, colour=charts.GREY)],
        alt=f"By round, the first of {len(runs)} runs: {', '.join(ends)}, over "
        f"{len(first.rounds)} rounds. The test is passed below {number(stop)}.",
        name="rounds",
        caption="The curator sees the noisy test only. The error is exact, by integration."
        if first.setup.private
        else "The test is the error itself: both are exact, by integration.",
    )
