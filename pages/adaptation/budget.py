"""Tab "Budget and bounds": nominal against true ε, and what the theorems ask for."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import streamlit as st

from pages.adaptation import common, figures
from pages.charts import Figure, words
from pages.core import Block, Slider, Table, Text, toggle
from pages.core.live import Folded, Plan, plan
from sims.adaptation import BUDGET_SETTINGS, BudgetLook, budget_look, counted

_COUNT = "adaptation_count"

Made = tuple[Plan, BudgetLook]  # what is asked, and its numbers

_look = functools.lru_cache(maxsize=64)(lambda asked: (asked, budget_look(asked.values)))
_counted = functools.lru_cache(maxsize=64)(lambda asked: counted(asked.values))


def answer(made: Made) -> str:
    """Return the finding as sentences."""
    asked, found = made
    alone, whole = found.alone, found.whole
    kept = "keeps" if alone.valid else "**breaks**"
    text = (
        f"Noise meant for ε = {words.number(alone.nominal)} at δ = {words.number(alone.delta)} "
        f"really gives ε = **{words.number(alone.epsilon, 4)}** by Algorithm 1 alone, which {kept} "
        f"its promise (good up to {words.number(found.limit)}), and "
        f"**{words.number(whole.epsilon, 4)}** for the whole procedure at half and half."
    )
    copies = asked.values.number("copies")
    if copies > 1:
        text += (
            f" A person behind {words.number(copies)} records has ε = "
            f"**{words.number(found.person)}** by Algorithm 1."
        )
    return text


def drawn(made: Made) -> Iterable[Block]:
    """The figure, the budgets by closed form and by a library, and the bounds."""
    asked, found = made
    yield Figure(
        figure=figures.budget_figure(
            found.grid,
            {
                "Algorithm 1 alone": found.alone_curve,
                "whole procedure, half and half": found.whole_curve,
            },
            limit=found.limit,
            chosen=found.alone.nominal,
            title="True against nominal budget",
        ),
        caption="Above the dotted diagonal the promise is broken. The dotted upright line is where "
        "Algorithm 1 starts to break it; the larger marks are the budget chosen.",
        alt=f"True budget against nominal budget from {words.number(found.grid[0])} to "
        f"{words.number(found.grid[-1])}. Algorithm 1 crosses the diagonal at "
        f"{words.number(found.limit)}.",
        rows=[
            {"nominal epsilon": x, "Algorithm 1": a, "whole procedure": b}
            for x, a, b in zip(found.grid, found.alone_curve, found.whole_curve, strict=True)
        ],
        name="adaptation_budget",
    )
    yield _toggle
    library = _counted(asked) if st.session_state.get(_COUNT) else ()
    said = (
        ["not asked for"] * 2
        if library == ()
        else ["not installed here"] * 2
        if library is None
        else [words.number(x, 4) for x in library]
    )
    yield Table(
        {
            "Released": ["Algorithm 1 alone", "Whole procedure"],
            "Nominal": [words.number(found.alone.nominal)] * 2,
            "True ε": [words.number(x.epsilon, 4) for x in (found.alone, found.whole)],
            "By dp-accounting": said,
            "True δ": [words.number(x.delta_at_nominal) for x in (found.alone, found.whole)],
        },
        alt="True budgets in closed form and by dp-accounting, and the true delta",
    )
    rows = {
        "Bound of Theorem 4.2 if the weights start at their best values": found.bound.total,
        "The same if every public weight has to halve": found.moved_bound.total,
        "Largest loss B; a bound above it says nothing": found.largest,
        "Optimal error of Theorem 4.3, up to a constant": found.error,
        "Steps T that both theorems ask for": found.steps,
        "Private records that Theorem 4.3 asks for if every public weight has to halve": (
            found.records
        ),
        "Steps until a public weight can have halved, at least": found.movement.doubling,
    }
    lines = [f"- {name}: **{words.number(value)}**" for name, value in rows.items()]
    yield Text("**The theorems in numbers**, Algorithm 1 at half of the budget:")
    yield Text("\n".join(lines))


def _toggle() -> None:
    """Counting with the library takes about a second and is asked for."""
    toggle(_COUNT, "Count with the library dp-accounting as well", help="Takes a second or two.")


TAB = common.tab(
    name="budget",
    title="Budget and bounds",
    alone=False,
    usual=plan(BUDGET_SETTINGS, replicates=2),
    fields=(
        Slider("budget", "Nominal budget ε", [0.5, 1, 2, 5, 7.5, 8.9, 10, 15, 20]),
        common.DELTA,
        Slider("copies", "Records per person", [1, 2, 4, 8, 16]),
        Slider("public", "Public records m", [100, 1000, 5000, 10_000, 100_000]),
        Slider("private", "Private records n", [50, 200, 1000, 10_000, 100_000]),
        Slider("dimension", "Dimension d", [2, 5, 10, 50, 133, 384]),
        Slider("steps", "Steps T", [100, 300, 1000, 3000, 10_000]),
        Folded("Share of the source, bound", (common.SHARE, common.BOUND)),
    ),
    made=_look,
    answer=answer,
    drawn=drawn,
    privacy=(
        "Neighbours differ by replacing one private record. Algorithm 1 alone spends ε; the whole "
        "procedure spends ε/2 on the discrepancy and ε/2 on Algorithm 1."
    ),
    formula=r"\mu = \sqrt{2T}\cdot\frac{s_j}{\sigma_j} = \frac{\varepsilon}{\sqrt{2\log(3/\delta)}}"
    "\n"
    r"\delta(e) = \Phi(\tfrac\mu2 - \tfrac e\mu) - e^e\,\Phi(-\tfrac\mu2 - \tfrac e\mu)",
    why=(
        "All T steps together are one normal release at distance μ, in which T cancels. The exact "
        "profile of such a release gives the true ε at δ. For small ε the printed noise is up to "
        "twice as large as needed, for large ε it is too small. With the Laplace release of the "
        "discrepancy the profile is averaged over its privacy loss, one integral."
    ),
    limits=(
        "- The true budget is the exact one of the noise as printed, for a pair of samples that "
        "attains the sensitivities in every step; no sample is protected less.\n"
        "- Bounds are worst cases. A bound above B, the largest loss, says nothing.\n"
        "- One record per person, unless records per person says otherwise.\n"
        "- Tuning on private data is not counted."
    ),
    statements={
        "BCMM:Thm4.2:privacy": "Privacy of Algorithm 1",
        "BCMM:Sec4:halves": "Privacy of the whole procedure",
        "BCMM:AppE:copies": "Records drawn with replacement",
        "BCMM:Thm4.2:bound": "The bound on the optimisation error",
        "BCMM:Thm4.3:condition": "What Theorem 4.3 asks for",
    },
)
