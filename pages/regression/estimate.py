"""Tab "Estimate": every site's release and what they merge into, as a machine one can touch."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pages import charts, pictures
from pages.charts import Figure, number, percent, span, theme
from pages.core import Block, Menu, Slider, Table, choice
from pages.core.live import Folded, Open, Plan, plan, seed
from pages.pictures import machine
from pages.regression import world
from rates.numbers import decades
from sims import ccv as sim
from sims.engine import Number, Values, midpoints

HELD = {"free": "Best without privacy", "best": "Best for this ε", "printed": "As printed"}
STOPS = (*decades(-2, 1), math.inf)
_SETTINGS = (
    Number(sim.BUDGET, 1.0),
    Number(sim.N, 10_000),
    Number(sim.M, 5),
    choice("held", HELD, "How many; the best without privacy stays as the budget moves."),
    sim.LOSS,
    *(setting for setting in sim.WORLD_SETTINGS if setting.name != "risk"),
    sim.NOISE,
    sim.THRESHOLD,
)
_MOST = 256  # functions that are drawn
_POINTS = 512  # of a curve in the figure
_FRAME = 2.5  # both panels end here, so that noise that exceeds it is seen to do so
_DASHES = ("solid", "dash", "dot", "dashdot")


@dataclass(frozen=True, slots=True)
class _Draw:
    """The releases of one seed.

    Attributes:
        values: What was asked for.
        seed: Where its random numbers come from.
        looks: The releases by budget, increasing.
        best: How far the estimate with the best K for this budget is from the truth.
    """

    values: Values
    seed: int
    looks: Mapping[float, sim.Look]
    best: float

    @property
    def look(self) -> sim.Look:
        """The releases at the budget asked for."""
        return self.looks[self.values.number("epsilon")]


def _sites(values: Values, epsilon: float) -> tuple[Any, ...]:
    n, m, delta = values.whole("n"), values.whole("m"), values.number("delta")
    return sim.groups(n, m, epsilon, delta)


@functools.lru_cache(maxsize=8)
def _looks(values: Values, seed: int, budgets: tuple[float, ...]) -> dict[float, sim.Look]:
    """Return the releases at every budget; that of the values plays no part."""
    level: sim.Level = "printed" if values["held"] == "printed" else "oracle"
    there, recipe = sim.world_of(values), replace(sim.recipe_of(values), level=level)
    # What is best without privacy stays as the budget moves: noise is then all that changes.
    free = sim.plan(there, _sites(values, math.inf), recipe).dimension
    looks = {}
    for epsilon in budgets:
        sites = _sites(values, epsilon)
        wanted = free if values["held"] == "free" else sim.plan(there, sites, recipe).dimension
        used = sim.plan(there, sites, recipe, dimension=min(wanted, _MOST))
        looks[epsilon] = sim.look(used, seed, releases=machine.RELEASES)
    return looks


def _draw(asked: Plan) -> _Draw:
    values, seed = asked.values.changed(risk="integrated"), asked.seed
    epsilon, others = values.number("epsilon"), values.changed(epsilon=1.0)
    looks = _looks(others, seed, STOPS)
    # A budget typed between the stops is one more of them.
    if epsilon not in looks:
        looks = dict(sorted({**looks, **_looks(others, seed, (epsilon,))}.items()))
    return _Draw(values, seed, looks, _best(values))


@functools.lru_cache(maxsize=32)
def _best(values: Values) -> float:
    sites = _sites(values, values.number("epsilon"))
    return sim.plan(sim.world_of(values), sites, sim.recipe_of(values)).miss


def answer(found: _Draw) -> str:
    """Return the finding as sentences."""
    used, m = found.look.plan, found.values.whole("m")
    sizes = span(f"{int(used.n.min()):,}", f"{int(used.n.max()):,}")
    who = "one site" if m == 1 else f"**{m:,}** sites"
    # Said only where it is more than rounding.
    better = f" With the best K for this ε: **{number(found.best)}**."
    return (
        f"At ε = **{number(found.values.number('epsilon'))}**, {who} of **{sizes}** records "
        f"recover this curve to **{number(used.miss)}** (root mean square, exact, on average). "
        f"{'**Worse than a flat line**, which' if used.miss >= used.flat else 'A flat line'} "
        f"misses by **{number(used.flat)}**.{better * (found.best < 0.99 * used.miss)}"
    )


def drawn(found: _Draw) -> Iterable[Block]:
    """The first release; what each site has of it."""
    look, x = found.look, midpoints(_POINTS)
    truth, sites = look.truth(x), look.curves(look.released[0], x)
    merged, before = (look.curves(c, x) for c in (look.merged[0], look.weight @ look.clean))
    upper = charts.axis(anchor="y", span=(0, 1), showticklabels=False)
    released = charts.axis("Released", (-_FRAME, _FRAME), domain=(0.54, 1.0), zeroline=False)
    yield charts.plot(
        _marks(x, truth, sites, (before, merged), look.plan.cause),
        [upper, charts.axis("x", (0, 1), anchor="y2")],
        [released, released | {"title": "Merged", "domain": (0.0, 0.46)}],
        title="One release: sites above, merged below",
        **charts.room(620, 100, 48, charts.COLUMNS),
        uirevision="look",
        alt=f"Two panels over [0, 1]. Above, what {len(sites)} sites release, and the true curve. "
        "Below, the merged curve before and after noise; it misses the truth by "
        f"{number(look.misses[0])} (root mean square).",
        name="one-draw",
    )
    yield Table(
        {
            "Site": list("ABCDE"[: len(sites)]),
            "Records": [
                f"{int(n):,}" if m == 1 else f"{int(m)} × {int(n):,}"
                for n, m in zip(look.plan.n, look.plan.count, strict=True)
            ],
            "Weight": [percent(weight) for weight in look.weight],
            "Noise, root mean square": [number(s) for s in sim.transcript_noise(look.plan)],
        },
        "Sites with their records, weight and noise",
    )


def _marks(
    x: Any, truth: Any, sites: Any, merged: tuple[Any, Any], cause: str
) -> list[charts.Fields]:
    """Releases above, the merged curve below in its cause's hue, the truth in both."""
    below = {"xaxis": "x2", "yaxis": "y2"}
    marks: list[charts.Fields] = []
    # Five curves of 512 points: half the message, and more digits than a screen has.
    x = x.astype("float32")

    def add(y: Any, name: str, colour: str, dash: str, width: float, **more: Any) -> None:
        more |= {"hover": "%{x:.3f}: %{y:.3g}", "extra": "%{fullData.name}"}
        marks.append(charts.line(x, y.astype("float32"), name, colour, dash, width, **more))

    stroke = {"color": theme.COLOURS[theme.PRIVACY], "width": 1.0}
    marks.append(charts.key("Each site's release", line=stroke))
    for i, curve in enumerate(sites):
        name, dash = f"Site {'ABCDE'[i]}", _DASHES[i % 4]
        add(curve, name, theme.COLOURS[theme.PRIVACY], dash, 1.0, showlegend=False, opacity=0.75)
    for panel in ({}, below):
        more = {"legendgroup": "truth", "showlegend": not panel, **panel}
        add(truth, "True curve", theme.COLOURS[theme.MIXED], "solid", 2.5, **more)
    add(merged[0], "Merged, before noise", theme.COLOURS[theme.SAMPLE], "dash", 2.0, **below)
    add(merged[1], "Merged, as released", theme.COLOURS[cause], "solid", 2.0, **below)
    return marks


def _touch(found: _Draw, still: Figure, source: Open) -> None:
    """The machine; where a hand leaves it the budget is asked for."""

    def take(sent: Mapping[str, object]) -> None:
        if (epsilon := machine.released(sent, tuple(found.looks))) is not None:
            source.change(epsilon=epsilon)

    made = machine.picture(
        found.looks,
        epsilon=found.values.number("epsilon"),
        seed=found.seed,
        delta=found.values.number("delta"),
        kept=[
            all(g.valid for g in sim.guarantees(look.plan, _sites(found.values, epsilon)) if g)
            for epsilon, look in found.looks.items()
        ],
        still=still,
    )
    pictures.show(made, key="regression_machine", take=take)


TAB = world.tab(
    id="estimate",
    title="Estimate",
    usual=plan(_SETTINGS, replicates=2, defaults={"curves": 1.0}, gone=("risk", "sizes")),
    inputs=(
        Slider("n", "Records of a site n", decades(2, 6, whole=True)),
        Slider("m", "Sites m", decades(0, 2, whole=True)),
        functools.partial(world.ask_curve, several=False),
        seed(),
        Folded(
            "K, ε, noise, threshold, δ",
            (
                Menu("held", "Basis functions K", HELD),
                Slider("epsilon", "Budget ε of every site", STOPS),
                *world.RECIPE,
            ),
        ),
    ),
    compute=_draw,
    cannot="These parameters cannot be drawn.",
    answer=answer,
    before=lambda found: world.warning(
        sim.guarantees(found.look.plan, _sites(found.values, found.values.number("epsilon")))
    ),
    touch=_touch,
    blocks=drawn,
    formula=r"\hat\theta_k^{(j)} = \frac{1}{n_j}\sum_i [Y_i]_\tau\,\phi_k(X_i) + s_j Z_k, \qquad"
    r"\hat f = \sum_j u_j \sum_{k \le K} \hat\theta_k^{(j)}\phi_k",
    why="Every server clips its responses, averages them against K wavelets and adds noise of one "
    "size to every coefficient, (12) of [CCV]. Its norm grows like K; averaging m releases divides "
    "it by √m.",
    limits="- The average in the answer is exact; the release shown is one.\n"
    "- The machine scales the same noise as ε moves; a real site draws anew and pays each time.\n"
    "- What is private is the release; a curve before noise never leaves its site.\n"
    f"- At most {_MOST} basis functions are drawn. The best K knows the true curve.",
    statements=("CCV:Eq12:index", "CCV:Lem3.1:constant", "CCV:Sec3.2:noise"),
)
