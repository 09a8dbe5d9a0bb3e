"""Tab "Adaptive": what it costs not to know smoothness and signal exponents."""

from __future__ import annotations

from collections.abc import Iterable

from pages.charts import simulation, words
from pages.classification import common, privacy
from pages.core import Block, Pills, Slider, Switch, Table
from pages.core.live import Folded, plan, repetition
from pages.paper_acc import panels
from rates.numbers import decades
from sims.engine import Progress, Request
from sims.paper_acc import ADAPTIVE, ORACLE, PRICE, Price, price_spent, prices

_NO_PRIVACY = float("inf")
_WORLDS = {"quadrants": "The paper's design", "cusp": "Cusp"}
_KERNELS = {"gaussian": "Gaussian", "triangular": "Triangular"}


def _kept(request: Request) -> Iterable[Block]:
    spent: dict[str, list] = {"The oracle": [], "The adaptive rule": []}
    who = dict(zip((ORACLE, ADAPTIVE), spent, strict=True))
    for point in request.points:
        if found := price_spent(request.values, point):
            spent[who[point.settings.word("method")]].append(found)
    return privacy.said_each(spent)


def answer(progress: Progress) -> str:
    """Return the finding so far as a sentence."""
    found = prices(progress)
    if not found:
        return (
            "The oracle knows smoothness and signal exponents; the adaptive rule has to find "
            "them in its own releases. **Run** measures the price."
        )
    dearest, cheapest = (f(found, key=lambda price: price.ratio) for f in (max, min))
    return (
        f"Not knowing multiplies the excess risk by **{words.number(cheapest.ratio)}** "
        f"({_interval(cheapest)}) at {_place(cheapest)}, and by "
        f"**{words.number(dearest.ratio)}** ({_interval(dearest)}) at {_place(dearest)}."
    )


def _interval(price: Price) -> str:
    return f"95 %: {words.between(price.low, price.high)}"


def _place(price: Price) -> str:
    budget = "no privacy" if price.epsilon == _NO_PRIVACY else f"ε = {words.number(price.epsilon)}"
    return f"{budget}, m = {price.m}"


def drawn(progress: Progress) -> Iterable[Block]:
    """Both risks, and a list of the prices."""
    broken = privacy.broken(progress.request, price_spent)
    curves = simulation.scores(
        progress.request.points,
        progress.estimates,
        lambda name: name + privacy.NOT * (name in broken),
    )
    yield simulation.budget_drawn(
        {"Excess risk": curves},
        name="price",
        start="Excess risk against the budget.",
        caption="The oracle takes bandwidth (11) and weights (12), which ignore constants; a tuned "
        "classifier may do better still. Not split means the whole budget at every bandwidth, "
        "which is **not** (ε, δ)-private. The natural logarithm's grid stops short of the "
        "bandwidths that the theory needs.",
        title="Excess risk of the oracle and of the adaptive rule",
        per_cent=False,
    )
    if found := prices(progress):
        yield Table(
            {
                "Sources m": [str(price.m) for price in found],
                "Budget ε": [
                    "none" if price.epsilon == _NO_PRIVACY else words.number(price.epsilon)
                    for price in found
                ],
                "Price": [f"× {words.number(price.ratio)}" for price in found],
                "95 % interval": [words.between(price.low, price.high) for price in found],
                "Accuracy lost": [f"{100 * price.gap:.1f} points" for price in found],
                "Replicates": [str(price.replicates) for price in found],
            },
            "Price of not knowing by number of sources and budget",
        )


TAB = common.tab(
    "adaptive",
    "Adaptive",
    usual=plan(PRICE.parameters, replicates=50, defaults={"m": (1.0,)}),
    fields=(
        Switch("world", "World", _WORLDS),
        Slider("n", "Records of each server n", decades(2, 4, whole=True)),
        Pills("m", "Number of sources m", (1.0, 4.0, 9.0, 19.0)),
        common.SIGNAL,
        panels.SPLIT_FIELD,
        panels.GRID,
        *repetition(most=1_000),
        Folded("Kernel, algorithm", (Switch("kernel", "Kernel", _KERNELS), panels.WHICH)),
    ),
    experiment=PRICE,
    privacy="",
    answer=answer,
    drawn=drawn,
    after=_kept,
)
