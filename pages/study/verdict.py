"""The decisions in words, and both answers' numbers, from result records."""

from __future__ import annotations

import math
import urllib.parse
from collections.abc import Callable, Mapping

from pages.charts import words
from rates.answer import Cost
from rates.decision import Decision, Sentence, sentences

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
_PAYS = {
    "yes": "yes",
    "no with this method": "not today",
    "no": "no",
    "undecided": "unclear",
}


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
    looks: dict[str, Callable[[str], str]] = {
        "plain": str,
        "number": "**{}**".format,
        "name": words.md,
    }
    return f"**{each.question}** " + "".join(looks[kind](text) for kind, text in each.pieces)


def gains(found: Decision) -> dict[str, list[str]]:
    """Return who gains, as columns of text: the largest gain first."""
    users = sorted(found.users, key=lambda user: -_or_less(user.gain[0]))
    return {
        "Site": [u.name if u.count == 1 else f"{u.name}, {u.count:,} sites" for u in users],
        "Gain": [f"× {words.between(*u.gain)}" for u in users],
        "Pays": [_PAYS[u.verdict] for u in users],
        "Worth": [words.between(*u.worth) for u in users],
        "Own records": [f"{u.own:,.0f}" for u in users],
    }


def _or_less(x: float) -> float:
    return -math.inf if math.isnan(x) else x


def worth_range(cost: Cost) -> str:
    """Effective sample sizes of the mechanism over its range of constants."""
    return words.extremes([setback.answer.effective_n for setback in cost.mechanism])


def kept_range(cost: Cost) -> str:
    """Fractions kept by the mechanism over its range of constants."""
    return words.between(*cost.kept_range, words.percent)


def ratio_range(cost: Cost) -> str:
    """Ratios of rates by the mechanism over its range of constants."""
    if not cost.mechanism:
        return "?"
    return words.between(*cost.ratio_range)
