"""What the releases of each tab of the classification page guarantee, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pages.charts import words
from pages.core import Block, Note
from sims.engine import Point, Request, Spent, Values

NOT = ", not private"  # after the name of a series
_NEIGHBOURS = "under replacement of one record"
_KERNEL = (
    f"Each server releases one statistic with noise for the budget (ε, δ), {_NEIGHBOURS}. With "
    "exact calibration and joint noise it is (ε, δ)-differentially private at every finite ε; "
    "with the constant of the paper it is **not** once ε is large, from somewhere between 8 and "
    "10 on. The line below the figure says what holds at the parameters chosen."
)
_ADAPTIVE = (
    "AdaptDTK releases once per bandwidth: with the budget split as printed or composed all of "
    "it together is meant to be (ε, δ)-differentially private; not split it is **not**."
)
OF_TAB = {  # what no setting of the tab changes
    "rate": _KERNEL,
    "classifier": f"{_KERNEL} Noise drawn by point is made for one point, not for all of them, "
    "and is **not** private at its ε.",
    "study": _KERNEL,
    "paper": f"Budgets are (ε, δ) with δ = 1/n² for each server, {_NEIGHBOURS}. DTK, targetDTK "
    "and DT-HIST spend theirs on one release; that their bandwidth and weight are tuned on the "
    f"truth is not part of it. {_ADAPTIVE} The line below the figure says what holds.",
    "adaptive": f"Budgets are (ε, δ) with δ = 1/n² for each server, {_NEIGHBOURS}. The oracle "
    f"spends it on one release. {_ADAPTIVE} The line below the figure says what holds.",
    "hospitals": "The experiment is **not** private end to end: scaling, re-centring and the "
    "choice of the kernel use the records without noise. The added noise is set by the budget "
    f"((ε, δ) per hospital, {_NEIGHBOURS}); what all releases of a hospital amount to is in the "
    "table that stands above once files are there.",
}


def told(found: Sequence[Spent], *, who: str = "Each server's release") -> tuple[bool, str]:
    """Return whether all budgets are kept, and a sentence with the worst one that is not.

    >>> told([Spent(epsilon=16.0, delta=4e-6, actual=8.2e-5)])[1][:35]
    '**Not private as asked for.** Each '
    """
    if not found:
        return True, "Without noise (no finite ε) nothing is protected."
    broken = [one for one in found if not one.valid]
    if not broken:
        return True, (
            f"{who} is (ε, δ)-differentially private {_NEIGHBOURS}, at every finite ε shown, "
            f"with δ {_deltas(found)}."
        )
    worst = max(broken, key=lambda one: one.actual / one.delta)
    some = f", and not at {len(broken)} of the {len(found)} shown" if len(found) > 1 else ""
    return False, (
        f"**Not private as asked for.** {who} is not (ε, δ)-differentially private at ε = "
        f"{words.number(worst.epsilon)}, δ = {words.number(worst.delta)}{some}: the δ that "
        f"really holds at this ε is **{words.number(worst.actual)}**."
    )


def _deltas(found: Sequence[Spent]) -> str:
    ends = [words.number(pick(one.delta for one in found)) for pick in (min, max)]
    return f"= {ends[0]}" if ends[0] == ends[1] else f"from {ends[0]} to {ends[1]}"


def said(found: Sequence[Spent], *, who: str = "Each server's release") -> Iterable[Block]:
    """Say what the chosen parameters guarantee; a budget that is exceeded is a warning."""
    kept, text = told(found, who=who)
    yield Note(text, "caption" if kept else "warning")


def said_each(found: Mapping[str, Sequence[Spent]]) -> Iterable[Block]:
    """Say the same of several methods: one sentence for those that keep their budgets."""
    verdicts = {name: told(many, who=name) for name, many in found.items() if many}
    for kept, text in verdicts.values():
        if not kept:
            yield Note(text, "warning")
    if good := [name for name, (kept, _) in verdicts.items() if kept]:
        who = good[0] if len(good) == 1 else f"Each of {', '.join(good)}"
        yield Note(told([one for name in good for one in found[name]], who=who)[1])


def broken(request: Request, spent: Callable[[Values, Point], Spent | None]) -> set[str]:
    """Return the series in which some point's releases exceed their budget."""
    found = ((point.series, spent(request.values, point)) for point in request.points)
    return {series for series, one in found if one is not None and not one.valid}
