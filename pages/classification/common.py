"""What the tabs of the classification page share: fields, the reason, what releases guarantee."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pages.charts import simulation, span
from pages.core import Block, Formula, Note, Slider, Switch, Text
from pages.core.live import Tab
from pages.core.live import panel as live
from rates.numbers import steps
from sims.engine import Point, Progress, Request, Spent, Values

KERNELS = {"triangular": "Triangular", "gaussian": "Gaussian"}
KERNEL = Switch("kernel", "Kernel", KERNELS)
SPLITS = {"printed": "As printed", "composed": "Composed", "unsplit": "Not split"}
BASES = {"2": "Base 2", "e": "Natural logarithm"}
GRID = Switch("base", "Grid of bandwidths", BASES)
MECHANISMS = {"analytic": "Exact calibration", "printed": "Constant of the paper"}
SIGNAL = Slider("gamma", "Signal exponent γ", steps(0.25, 4.0, 0.25))
WORLD = (  # of the tabs that compare a risk with its rate
    Switch("world", "World", {"cusp": "One covariate", "cusp, d = 2": "Two covariates"}),
    Switch("mechanism", "Noise", MECHANISMS),
    Slider("kappa", "Bandwidth over r, κ", steps(1.0, 6.0, 0.5)),
)
NOT = ", not private"  # after the name of a series
_WHY = (
    Formula(
        r"T_h(x) = \frac{1}{n h^d} \sum_i \bigl(Y_i - \tfrac12\bigr)\,K\Bigl(\frac{X_i-x}{h}\Bigr)"
        "\n"
        r"\tilde T_h = T_h + \sigma\,\xi, \qquad \operatorname{cov}\,\xi = K"
    ),
    Text(
        "The label is 1 where w times the target's release plus 1 − w times the sources' is "
        "positive. [ACC] equations (7) to (10)."
    ),
    Formula(
        r"\sum_j \frac{r^{2\beta\gamma_j}}{V_j(\kappa r)} = 1"
        "\n"
        r"V_j(h) = \frac{1}{6\,n_j h^d} + \frac{\sigma_j^2}{n_j^2 h^{2d}},"
        r"\qquad h = \kappa r"
    ),
    Text(
        "The calibrated rate is r to the power β(1+α): equation (5) of [ACC] with the sampling "
        "variance and the noise that the simulated classifier really has. One constant C per "
        "curve is fitted; the slope is not."
    ),
    Text(
        "The world is an asymmetric cusp with β = 1 and α = 1. The dotted curve is the expected "
        "risk itself, an integral; the points have to lie on it."
    ),
)
_LIMITS = (
    "- A rate is about the worst world of a class and the best estimator; here is one of each.\n"
    "- Rates hold up to constants and logarithms. C is fitted, not predicted.\n"
    "- Bandwidth and weights are taken from the theory, which knows β, γ and α.\n"
    "- A fitted slope is about the range that was simulated, not about an asymptote.\n"
    "- This is a simulation, not a tool to release data."
)


def tab(id: str, title: str, **fields: Any) -> Tab:
    """Return a tab of the page."""
    return Tab(
        page="classification",
        id=id,
        title=title,
        why=_WHY,
        used=("classification",),
        limits=(live.ERRORS, _LIMITS),
        **fields,
    )


def replicates(progress: Progress) -> str:
    """Return how many replicates the points have."""
    return span(f"{min(progress.counts):,}", f"{max(progress.counts):,}")


def said(found: Sequence[Spent], *, who: str = "Each server's release") -> Iterable[Block]:
    """Say what the chosen parameters guarantee; a budget that is exceeded is a warning."""
    kept, text = simulation.guaranteed(found, who=who)
    yield Note(text, "caption" if kept else "warning")


def said_each(
    request: Request,
    spent: Callable[[Values, Point], Spent | None],
    names: Mapping[str, str] | None = None,
) -> Iterable[Block]:
    """Say the same of several methods: one sentence for those that keep their budgets."""
    found: dict[str, list[Spent]] = {}
    for point in request.points:
        if one := spent(request.values, point):
            method = point.settings.word("method")
            found.setdefault((names or {}).get(method, method), []).append(one)
    good = []
    for name, many in found.items():
        kept, text = simulation.guaranteed(many, who=name)
        if kept:
            good.append(name)
        else:
            yield Note(text, "warning")
    # What all keep is said once; what one breaks is said by its name.
    if good:
        who = good[0] if len(good) == 1 else f"Each of {', '.join(good)}"
        every = [one for name in good for one in found[name]]
        yield Note(simulation.guaranteed(every, who=who)[1])


def broken(request: Request, spent: Callable[[Values, Point], Spent | None]) -> set[str]:
    """Return the series in which some point's releases exceed their budget."""
    found = ((point.series, spent(request.values, point)) for point in request.points)
    return {series for series, one in found if one is not None and not one.valid}
