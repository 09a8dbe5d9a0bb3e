"""The decisions in words and figures, both answers, and the exact errors of a made-up world."""

from __future__ import annotations

import functools
import math
import urllib.parse
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.charts import Figure, curves, shares, words
from pages.core import figure_card, with_lines
from pages.current import state
from rates.answer import Cost, Lens, balance
from rates.decision import Decision, Sentence, sentences
from rates.fit import rivals
from rates.numbers import DomainError
from rates.plan import in_house
from rates.study import Study
from sims import budgets
from sims.acc import Cusp
from sims.calibration import Risks, exact_classifier_risks, exact_risks, worlds_for

FREE = 1.005  # below this ratio the rate equation sees no cost at three digits
RISKS = {
    "classification": "misclassification error above the best possible",
    "integrated": "squared error over the whole curve",
    "pointwise": "squared error at one point",
}
NOTHING = (
    "**No site carries information**: every site has no records or a budget of 0 or next to it, "
    "so nothing can be learned. Give one site records and a positive budget."
)
MORE = "Who may stay out? What would it take? Where does it turn?"
_PAYS = {"yes": "yes", "no with this method": "not today", "no": "no", "undecided": "unclear"}


def said(found: Decision, offers: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return a decision's sentences as Markdown, each with what its words mean.

    Args:
        found: The decision.
        offers: What the address of the page Plan says with the sites on offer open.
    """
    link = f" [Sites on offer](plan?{urllib.parse.urlencode(offers)})"
    return [
        (marked(each) + (link if each.key == "take" else ""), each.help)
        for each in sentences(found)
    ]


def marked(each: Sentence) -> str:
    """Return one sentence as Markdown: the question and numbers stand out, names are escaped."""
    looks: dict[str, Any] = {"plain": str, "number": "**{}**".format, "name": words.md}
    return f"**{each.question}** " + "".join(looks[kind](text) for kind, text in each.pieces)


def gains(found: Decision) -> dict[str, list[str]]:
    """Return who gains, as columns of text: the largest gain first."""
    users = sorted(found.users, key=lambda user: (math.isnan(user.gain[0]), -user.gain[0]))
    return {
        "Site": [u.name if u.count == 1 else f"{u.name}, {u.count:,} sites" for u in users],
        "Gain": [f"× {words.between(*u.gain)}" for u in users],
        "Pays": [_PAYS[u.verdict] for u in users],
        "Worth": [words.between(*u.worth) for u in users],
        "Own records": [f"{u.own:,.0f}" for u in users],
    }


def worth_range(cost: Cost) -> str:
    """Effective sample sizes of the mechanism over its range of constants."""
    return words.extremes([setback.answer.effective_n for setback in cost.mechanism])


def kept_range(cost: Cost) -> str:
    """Fractions kept by the mechanism over its range of constants."""
    return words.between(*cost.kept_range, words.percent)


def ratio_range(cost: Cost) -> str:
    """Ratios of rates by the mechanism over its range of constants."""
    return words.between(*cost.ratio_range) if cost.mechanism else "?"


def limits(risk: str) -> str:
    """Return what an answer leaves open, as Markdown."""
    classes = ", margin and signal exponents" if risk == "classification" else ""
    return (
        "- Rates hold up to constants and logarithms: read ratios, shares and limits, not absolute "
        "errors. The named mechanism fixes those of one procedure; another may do better.\n"
        f"- It is a worst case over all problems of the stated smoothness{classes}: a given data "
        "set may be easier. Nothing here can say whether the theory's assumptions "
        "hold for your data.\n"
        "- Privacy is per site: (ε, δ) under replacement of one record in what the site "
        "releases. *Unprotected* means unprotected in this calculation, not published."
    )


# A made-up world, where the errors of the study and its rivals are exact -------------------------

MOST_ROWS = budgets.WORLD_ROWS


def in_a_world(study: Study, risk: str, use: str) -> tuple[str, str]:
    """Return it as Markdown, and which world it is; empty where no world stands for the study.

    A target that uses the result itself has its own records in house: the study is taken so, and
    stands beside doing nothing.
    """
    study = in_house(study, use)
    found = risks(study, risk, use)
    if found is None:
        return "", ""
    transfer = study.target is not None

    # Nobody reads an excess risk of 0.0013; patients in 10,000 are counted.
    def shown(error: float) -> str:
        return words.number(1e4 * error if transfer else error)

    unit = "avoidable errors in 10,000" if transfer else "squared error"
    parts = [f"{unit} **{shown(found.values['study'])}**"]
    if not transfer:
        parts.append(f"guessing 0 gives {shown(found.zero)}")
    if "alone" in found.values and len(study.servers) > 1:
        own = "own records alone" if use == "target" else f"{words.md(_best(study, risk))} alone"
        parts.append(f"{own} {shown(found.values['alone'])}")
    parts.append(f"without privacy {shown(found.values['unprotected'])}")
    return f"In a made-up world, {'; '.join(parts)}.", (
        f"Exact expected errors for {words.md(found.world)}, each design with its own best "
        "tuning and exact Gaussian noise. Avoidable: beyond what is left with the truth known. "
        "Your data are another world; compare the numbers, do not quote them. "
        f"{words.md(' '.join(found.notes))}"
    )


def risks(study: Study, risk: str, use: str = "others") -> Risks | None:
    """Return the exact errors of a study and its rivals; None where no world stands for it.

    The site that stands alone is the target that uses the result itself, or the best one.
    """
    if len(study.servers) > MOST_ROWS or not any(s.informative for s in study.servers):
        return None
    # Who uses the result itself has that instead, however good another site is.
    alone = study.servers[0].name if use == "target" else _best(study, risk)
    found = _found(study, risk, alone)
    # Without these two there is nothing to compare.
    return found if found and {"study", "unprotected"} <= set(found.values) else None


@functools.lru_cache(maxsize=64)
def _best(study: Study, risk: str) -> str:
    """The site that does best alone, by the mechanism where it can be computed."""
    (alone,) = (row for row in rivals(study, lens=Lens(risk=risk)) if row.kind == "alone")
    each = alone.mechanism or alone.equation
    return each[len(each) // 2].site


def _found(study: Study, risk: str, best: str) -> Risks | None:
    try:
        if study.target is None:
            return _exact(exact_risks, study, risk, best)
        worlds = [w for w in worlds_for(study).values() if isinstance(w, Cusp)]
        nearest = min(worlds, key=lambda w: abs(w.smoothness - study.smoothness), default=None)
        if nearest is None:
            return None
        # The world has its own smoothness and margin: those of the study change nothing in it.
        inside = replace(study, smoothness=nearest.smoothness, margin=nearest.margin)
        return _exact(exact_classifier_risks, inside, nearest, best)
    except DomainError:
        return None


@functools.lru_cache(maxsize=64)
def _exact(compute: Callable[..., Risks], study: Study, where: str | Cusp, best: str) -> Risks:
    return compute(study, where, best_site=best)


# The figures -------------------------------------------------------------------------------------

_balance = functools.lru_cache(maxsize=16)(balance)


def show_balance(study: Study, risk: str, *, key: str) -> None:
    """Draw the balance of a study's equation for one error; `key` names the figure's widgets."""
    if not _balance(study, risk).rows:
        st.caption("No site carries information, so there is nothing to balance.")
        return
    figure_card.show(with_lines(balance_of, study, risk), key=key)


def balance_of(study: Study, risk: str) -> Figure:
    """Return the balance of a study's equation, in the letters of its paper: r, or D = 1/r."""
    result, transfer = _balance(study, risk), study.kind == "transfer"
    names = [server.name for server in study.servers]
    low, high = result.log_r[0], result.log_r[-1]
    caption = "Each site adds one line, and the answer is where the thick sum passes 1" + (
        f"; to the {'left' if transfer else 'right'} of its diamond a site is bound by privacy."
        if any(low <= kink <= high for kink in result.kinks)  # false for nan
        else "."
    )
    return curves.balance_figure(result, names, transfer=transfer, caption=caption)


def shares_of(study: Study, risk: str, alike: bool = False) -> Figure:
    """Who carries the answer to one error; where all sites are alike, none is the target."""
    cost = next(cost for cost in state.cost(study) if cost.risk == risk)
    return shares.of_study(study, cost, alike=alike)
