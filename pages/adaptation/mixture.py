"""Tab "Share of the source": error against α, and where its minimum lies."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from pages.adaptation import common, figures
from pages.charts import words
from pages.core import Block, Listing, Note, Pills, Slider, Switch, Table
from pages.core.live import Folded, of_experiment, repetition
from rates.numbers import decades
from sims import adaptation
from sims.engine import Estimate, Progress

_MOVES = {
    adaptation.TO_SOURCE: "moves towards the source",
    adaptation.TO_TARGET: "moves away from the source",
    adaptation.SAME: "stays where it was",
    adaptation.UNCLEAR: "is not told apart from where it was",
}

Curve = dict[float, Estimate]


def curves(progress: Progress) -> dict[str, Curve]:
    """Return errors by series and share of the source, as far as there are replicates."""
    out: dict[str, Curve] = {}
    for point, estimate in progress.seen():
        out.setdefault(point.series, {})[point.x] = estimate
    return out


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    found = curves(progress)
    if not found:
        return "**Run** fits mixtures of source and target, with and without privacy."
    parts = [
        f"{name}: α = **{words.number(adaptation.lowest(row))}**" for name, row in found.items()
    ]
    values = progress.request.values
    moves = moved(found, sorted(values.numbers("private")), values.number("budget"))
    return " ".join([f"Smallest error at {'; '.join(parts)}.", *moves])


def moved(found: Mapping[str, Curve], sizes: Sequence[float], budget: float) -> list[str]:
    """Say where the best share goes with privacy, and with more private records.

    Args:
        found: Errors by series and share.
        sizes: Private records, increasing.
        budget: ε of the private curves.
    """
    rows = {
        (n, e): found[name]
        for n in sizes
        for e in (math.inf, budget)
        if (name := adaptation.mixture_name(n, e)) in found
    }
    by_move: dict[str, list[str]] = {}
    for n in sizes:
        if (n, math.inf) in rows and (n, budget) in rows and not math.isinf(budget):
            where = adaptation.move(rows[n, math.inf], rows[n, budget])
            by_move.setdefault(where, []).append(f"{n:,.0f}")
    out = []
    if by_move:
        told = "; ".join(f"{_MOVES[k]} at n = {', '.join(at)}" for k, at in by_move.items())
        out.append(f"With privacy the best share {told}.")
    ends = (sizes[0], sizes[-1])
    if len(sizes) > 1 and all((n, budget) in rows for n in ends):
        where = _MOVES[adaptation.move(rows[ends[0], budget], rows[ends[1], budget])]
        how = "without privacy" if math.isinf(budget) else f"at {adaptation.budget_name(budget)}"
        out.append(f"From n = {ends[0]:,.0f} to n = {ends[1]:,.0f} the best share {how} {where}.")
    return out


def drawn(progress: Progress) -> Iterable[Block]:
    """The figure and the table of minima."""
    request = progress.request
    series = dict.fromkeys(point.series for point in request.points)
    yield figures.errors(
        progress,
        "figure_adaptation_mixture",
        "Error on the target against the share of the source",
        "Share α of the source",
        common.ERRORS[request.values.word("loss")],
        plain=[name for name in series if name.endswith(adaptation.PLAIN)],
        log_x=False,
    )
    found = {
        name: (adaptation.lowest(row), row[adaptation.lowest(row)])
        for name, row in curves(progress).items()
    }
    yield Table(
        {
            "Curve": list(found),
            "Best α": [words.number(share) for share, _ in found.values()],
            "Error there": [words.number(e.mean) for _, e in found.values()],
            "95 %": [words.between(*e.interval()) for _, e in found.values()],
        },
        alt="The share with the smallest error, by curve",
    )
    yield Note(
        "A move of the best share counts where both curves tell the two shares apart, beyond the "
        "95 % intervals of their errors."
    )


TAB = common.tab(
    name="mixture",
    title="Share of the source",
    usual=of_experiment(adaptation.MIXTURE_CURVE),
    fields=(
        Pills("private", "Private records n", (10_000.0, 1000.0, 100.0)),
        Slider("budget", "Budget ε", decades(-1, 1)),
        common.CONCEPT,
        common.COVARIATE,
        Switch("loss", "Labels", common.LOSSES),
        *repetition(most=200),
        Folded(
            "Public records, dimension, bounds, δ, exact list",
            (
                common.PUBLIC,
                common.DIMENSION,
                common.BOUND,
                common.DELTA,
                Listing("alpha", "α, exact list"),
            ),
        ),
    ),
    experiment=adaptation.MIXTURE_CURVE,
    auto=True,
    answer=answer,
    drawn=drawn,
    formula=r"\sigma \;\propto\; \frac{(1-\alpha)\,G}{n\,\varepsilon}",
    why=(
        "α is the knob between two errors. A larger share of the source brings its bias, which "
        "no sample size removes; a smaller one brings privacy noise, which falls like 1/(nε). "
        "At α = 1 nothing private is used. There is no rule here that finds the best α "
        "privately: the curve is read with the truth at hand."
    ),
    statements={"BCMM:Lem4.1:sensitivity-w": "How α enters the noise"},
)
