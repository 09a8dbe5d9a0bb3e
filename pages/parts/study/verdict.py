"""The decisions in words, and both answers' numbers, from result records."""

from __future__ import annotations

from collections.abc import Callable

from pages.figures.chart import words
from rates.answer import Cost
from rates.decision import Decision, Sentence, sentences
from rates.study import Study, TransferStudy

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
WHY_TWO = (
    "Every sentence holds by two answers: a *rate equation*, which no constant can change, and a "
    "*named mechanism* (one private procedure with the constants of its noise). Sizes and budgets "
    "are planned with the mechanism; what the equation does not see, a better procedure may save."
)


def said(found: Decision) -> list[tuple[str, str]]:
    """Return the four sentences as Markdown, each with what its words mean."""
    return [(marked(each), each.help) for each in sentences(found)]


def marked(each: Sentence) -> str:
    """Return one sentence as Markdown: the question and numbers stand out, names are escaped."""
    looks: dict[str, Callable[[str], str]] = {
        "plain": str,
        "number": "**{}**".format,
        "name": words.md,
    }
    return f"**{each.question}** " + "".join(looks[kind](text) for kind, text in each.pieces)


def paragraph(found: Decision) -> str:
    """Return the four sentences as one text, for a report."""
    return "\n\n".join(text for text, _ in said(found)) or NOTHING


def worth_help(study: Study) -> str:
    """What an effective sample size means."""
    who = "of the target" if isinstance(study, TransferStudy) else "on one site"
    return (
        f"Statistically the study is worth about this many unprotected records {who} alone, up "
        "to a constant. Below: as a fraction of what it would be worth without privacy."
    )


def worth_range(cost: Cost) -> str:
    """Effective sample sizes of the mechanism over its range of constants."""
    worth = [setback.answer.effective_n for setback in cost.mechanism]
    return words.between(min(worth), max(worth))


def kept_range(cost: Cost) -> str:
    """Fractions kept by the mechanism over its range of constants."""
    return words.between(*cost.kept_range, words.percent)


def ratio_range(cost: Cost) -> str:
    """Ratios of rates by the mechanism over its range of constants."""
    if not cost.mechanism:
        return "?"
    return words.between(*cost.ratio_range)
