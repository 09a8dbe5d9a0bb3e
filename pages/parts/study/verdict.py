"""The answer in words, from result records."""

from __future__ import annotations

from pages.figures.chart import words
from rates.answer import Cost, Setback, TransferAnswer
from rates.study import Study, TransferStudy

FREE = 1.005  # below this ratio the rate equation sees no cost at three digits
RISKS = {
    "classification": "misclassification error above the best possible",
    "integrated": "squared error over the whole curve",
    "pointwise": "squared error at one point",
}


def sentences(study: Study, cost: Cost) -> str:
    """Return two to four sentences: who carries the answer, what binds, what privacy costs."""
    if not any(cost.equation.answer.shares):
        return (
            "**No site carries information**: every site has no records or a budget of 0, so "
            "nothing can be learned. Give one site records and a positive budget."
        )
    return " ".join([_carrier(study, cost), _binding(study, cost), _setback(cost)])


def _carrier(study: Study, cost: Cost) -> str:
    shares = cost.equation.answer.shares
    row = max(range(len(shares)), key=shares.__getitem__)
    server = study.servers[row]
    who = f"**{words.md(server.name)}**"
    if server.count > 1:
        who = f"The {server.count:,} sites of {who} together"
    verb = "carry" if server.count > 1 else "carries"
    part = "most of" if shares[row] >= 0.5 else "the largest part of"
    if len(study.servers) == 1:
        return f"{who} {verb} the whole answer."
    return (
        f"{who} {verb} {part} the answer (**{words.percent(shares[row])}** by the rate equation)."
    )


def _binding(study: Study, cost: Cost) -> str:
    by_equation = _limited(study, cost.equation.answer.limited_by)
    if not cost.mechanism:
        return f"By the rate equation {by_equation}."
    by_mechanism = _limited(study, middle(cost).answer.limited_by)
    if by_equation == by_mechanism:
        return f"By both answers {by_equation}."
    return f"By the rate equation {by_equation}; by the named mechanism {by_mechanism}."


def _limited(study: Study, limits: tuple[str, ...]) -> str:
    privacy = [s.name for s, limit in zip(study.servers, limits, strict=True) if limit == "privacy"]
    sample = [s.name for s, limit in zip(study.servers, limits, strict=True) if limit == "sample"]
    if not privacy:
        return "sampling binds every site" if len(sample) > 1 else "sampling binds"
    if not sample:
        return "privacy binds every site" if len(privacy) > 1 else "privacy binds"
    return f"privacy binds {words.names(privacy)}, sampling {words.names(sample)}"


def _setback(cost: Cost) -> str:
    ratio, error = cost.equation.rate_ratio, RISKS[cost.risk]
    free = ratio < FREE
    equation = (
        "the rate equation sees no cost, up to constants"
        if free
        else f"the rate equation says a factor of **{words.number(ratio)}**"
    )
    opening = f"What privacy does to the worst-case {error}: {equation}"
    if not cost.mechanism:
        return f"{opening}; a named mechanism cannot be computed without every δ."
    if free and cost.ratio_range[1] < FREE:
        return f"{opening}, and the named mechanism agrees."
    return (
        f"{opening}; the named mechanism says a factor of **{ratio_range(cost)}** and keeps "
        f"**{kept_range(cost)}** of the effective sample."
    )


def middle(cost: Cost) -> Setback:
    """The mechanism's answer in the middle of its range of constants."""
    return cost.mechanism[len(cost.mechanism) // 2]


def root_text(cost: Cost) -> str:
    """The root and rate, for a caption."""
    answer = cost.equation.answer
    if isinstance(answer, TransferAnswer):
        return f"r = {words.number(answer.r, 4)}, rate {words.number(answer.rate, 4)}"
    return (
        f"D = {words.number(answer.D, 4)}, rate {words.number(answer.rate, 4)}, "
        f"resolution level {answer.level}"
    )


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
