"""What sites are worth: at the margin, as a whole, as a next one, and as a mix with prices."""

from __future__ import annotations

import functools
import math

import streamlit as st

from pages.charts import Figure, words
from pages.charts import plan as figures
from pages.core import button, fields, figure_card, lines, tables
from pages.current import state
from pages.plan import goal as plan_goal
from pages.plan import offers as plan_offers
from pages.plan import state as plan_state
from pages.plan.view import View
from rates import plan, split
from rates.answer import Lens
from rates.numbers import DomainError, budgets
from rates.study import Study

MOST_ROWS = 60
MOST_PROBLEMS = 5
SECONDS = budgets.SEARCH_SECONDS
SAME = 1e-9  # a rate that changes by less than this part does not change
ANSWERS = (("named mechanism", "analytic"), ("rate equation", None))

MOST_VALUED = budgets.VALUED_ROWS


@functools.lru_cache(maxsize=64)
def values_of(study: Study, risk: str) -> tuple[plan.SiteValue, ...]:
    """Return the value of every site; none where computing them takes minutes."""
    if len(study.servers) > MOST_VALUED:
        return ()
    return plan.site_values(study, lens=Lens(risk=risk))


_worth = functools.lru_cache(maxsize=64)(
    lambda study, risk, mechanism: plan.worth(study, lens=Lens(risk=risk, mechanism=mechanism))
)
_next = functools.lru_cache(maxsize=16)(
    lambda study, candidates, risk: plan.best_next(study, candidates, lens=Lens(risk=risk))
)
_cheapest = functools.lru_cache(maxsize=16)(
    lambda study, offers, fraction, risk, mechanism, kappa: plan.cheapest(
        study,
        offers,
        fraction=fraction,
        lens=Lens(risk=risk, mechanism=mechanism, kappa=kappa),
        seconds=SECONDS,
    )
)
_frontier = functools.lru_cache(maxsize=16)(
    lambda study, offers, risk, mechanism, kappa: split.frontier(
        study, offers, lens=Lens(risk=risk, mechanism=mechanism, kappa=kappa)
    )
)
_read = functools.lru_cache(maxsize=16)(plan_offers.read)


def worths(study: Study, risk: str) -> tuple[plan.Worth, plan.Worth | None]:
    """What one more record, unit of budget or site is worth, by both answers."""
    try:
        return _worth(study, risk, None), _worth(study, risk, "analytic")
    except DomainError:
        return _worth(study, risk, None), None


def exchange(study: Study, view: View) -> None:
    """Show what one more record at each site is worth elsewhere."""
    names = {s.name: s.name for s in study.servers}
    reference = fields.choose(
        "plan_reference", "In terms of which site?", names, study.servers[0].name
    )
    tables.show(
        exchange_columns(study, plan_goal.risk(study, view), reference), alt="Exchange rates"
    )
    st.caption(exchange_legend(study, reference))


def exchange_legend(study: Study, reference: str) -> str:
    """Return how exchange rates are to be read."""
    return (
        f"What one more record at a site is worth at {words.md(reference)}: in records there, and "
        f"in the factor on its ε that gains as much. {OUT_OF_REACH.capitalize()}: more than ten "
        f"times what {words.md(reference)} has today. To first order, for small changes; a row "
        f"with a count speaks for one of its sites. {plan_goal.bandwidth(study)}"
    )


def exchange_columns(study: Study, risk: str, reference: str) -> dict[str, list[str]]:
    """Exchange rates as columns of text, by both answers, in units that the site can reach."""
    names = [s.name for s in study.servers][:MOST_ROWS]
    there = next(s for s in study.servers if s.name == reference)
    out = {"One record at": names}
    for (by, _), found in zip(ANSWERS, worths(study, risk)[::-1], strict=True):
        if found is None:
            continue
        rates = [found.exchange(name, "record", reference, "record") for name in names]
        short = by.split()[-1]  # the columns have to stay narrow
        out[f"records, {short}"] = [_rate(x, there.n) for x in rates]
        if there.private:
            rates = [found.exchange(name, "record", reference, "epsilon") for name in names]
            out[f"ε ×, {short}"] = [_times_epsilon(x, there.epsilon) for x in rates]
    return out


OUT_OF_REACH = "out of reach"
_REACH = 10.0  # what a site can get at most, over what it has


def _rate(x: float, now: float) -> str:
    if math.isnan(x):
        return "-"
    return words.number(x) if x <= _REACH * max(now, 1.0) else OUT_OF_REACH


def _times_epsilon(x: float, now: float) -> str:
    """The factor on a budget that goes with more units of it."""
    if math.isnan(x):
        return "-"
    factor = plan.factor_of(x, now)
    if factor > _REACH:
        return OUT_OF_REACH
    return f"× {words.number(factor, 4)}" if factor >= 1.0001 else "× 1, less than 0.01 % more"


def values(study: Study, view: View) -> None:
    """Show what the study loses without each site, and gains by one more like it."""
    found = values_of(study, plan_goal.risk(study, view))
    if not found:
        st.caption(
            f"With more than {MOST_VALUED:,} rows this takes minutes and is not computed; the "
            "shares on the page Study say nearly the same."
        )
        return
    st.markdown(value_sentence(found))
    drawn = lines.drawn(values_drawn, study, plan_goal.risk(study, view))
    figure_card.show(drawn, key="figure_values")
    tables.show(value_columns(found), alt="Value of each site")
    rest = len(found) - MOST_ROWS
    left = f"The {rest:,} rows that matter least are left out. " if rest > 0 else ""
    st.caption(f"{left}{plan_goal.bandwidth(study)}")


def value_sentence(found: tuple[plan.SiteValue, ...]) -> str:
    """Without whom most is lost, Markdown; the mechanism decides."""
    least = min(found, key=lambda x: x.kept)
    first = figures.ranked(found)[0]
    who = f"{words.md(least.name)}, {words.percent(1.0 - least.kept)}"
    if math.isnan(first.kept_mechanism):
        return f"**Undecided**: without a δ there is the rate equation alone, which names {who}."
    beside = words.percent(1.0 - first.kept)
    if first.kept > least.kept * (1.0 + SAME):
        beside = f"{beside}, and most without {who}"
    return (
        f"Without **{words.md(first.name)}** most is lost: "
        f"**{words.percent(1.0 - first.kept_mechanism)}** of the effective sample "
        f"(equation: {beside})."
    )


def values_drawn(study: Study, risk: str) -> Figure:
    """The value of each site of a study."""
    return figures.of_values(values_of(study, risk))


def value_columns(found: tuple[plan.SiteValue, ...]) -> dict[str, list[str]]:
    """The value of each site as columns of text, the most valuable first."""
    rows = figures.ranked(found)[:MOST_ROWS]
    out = {"Site": [x.name for x in rows]}
    if not any(math.isnan(x.kept_mechanism) for x in rows):
        out["Without, mechanism"] = [words.percent(x.kept_mechanism) for x in rows]
        out["One more, mechanism"] = [f"× {words.number(x.joined_mechanism)}" for x in rows]
    out["Without, equation"] = [words.percent(x.kept) for x in rows]
    out["One more, equation"] = [f"× {words.number(x.joined)}" for x in rows]
    return out


def offers(study: Study, view: View, goal: plan_goal.Goal, *, first: bool = False) -> None:
    """Take a list of sites on offer; rank them, and find the cheapest mix.

    Args:
        study: The study that is planned for.
        view: What is asked.
        goal: What is aimed at.
        first: Whether this is what was asked for, so that the box for a table is open.
    """
    st.header("Sites on offer", anchor=False)
    _paste(view, first=first and not view.offers)
    found, refusal = read(study, view)
    if refusal:
        st.error(words.plain(refusal))
    if found is None:
        return
    for problem in found.problems[:MOST_PROBLEMS]:
        st.warning(words.plain(problem))
    if (rest := len(found.problems) - MOST_PROBLEMS) > 0:
        st.warning(f"{rest:,} more rows were refused.")
    if found.candidates:
        st.subheader("The next site", anchor=False)
        try:
            ranked = ranking(study, view, found)
        except DomainError as error:
            st.error(words.plain(error))
        else:
            st.markdown(next_sentence(ranked))
            tables.show(next_columns(ranked), alt="Sites on offer, best first")
            if len(ranked) > MOST_ROWS:
                st.caption(f"The best {MOST_ROWS} of {len(ranked):,}.")
    st.subheader("The cheapest mix", anchor=False)
    if not found.priced:
        st.caption(
            "No row with a price can be used."
            if found.problems
            else "Nothing on the list has a price."
        )
        return
    if goal.aim is None:
        st.caption("A mix needs a goal that can be said.")
        return
    with st.spinner("Looking for the cheapest mix"):
        texts = mix_sentences(study, view, goal, found)
        asked = View(risk=view.risk, offers=view.offers)
        drawn = lines.drawn(frontier_picture, study, asked, goal.bare)
    for text in texts:
        st.markdown(text)
    if drawn is not None:
        figure_card.show(drawn, key="figure_frontier")
    st.caption(
        "Prices are per further site, per record or per unit of ε; nothing else costs anything."
    )


def _paste(view: View, *, first: bool) -> None:
    title, icon = "Paste offers", ":material/content_paste:"
    with st.container(border=True) if first else st.popover(title, icon=icon):
        st.markdown(
            "One line per offer, with a header line. `offer` is `sites` (further sites, the "
            "default), `records` (more records at a site of the study) or `epsilon` (a larger "
            "budget there). `price` is per site, per record or per unit of ε; `most` is how many "
            "there are, and is required for `records` and `epsilon` (for sites it is `count` where "
            "it is left out). A mix holds records or a budget of a row, not both. Sites are ranked "
            "with all of `count` at once. Without prices the "
            "sites are ranked only."
        )
        st.text_area(
            "Offers to paste", key="plan_pasted", height=180, placeholder=plan_offers.EXAMPLE
        )
        button("Use these offers", "plan_use_offers", _use)
        button("Use the example", "plan_use_example", _take, plan_offers.example(state.current()))
        fields.problem("plan_offers")
    if view.offers:
        forget = functools.partial(plan_state.PLAN.change, offers="")
        button("Forget the offers", "plan_forget", forget)


def _use() -> None:
    _take(st.session_state.get("plan_pasted", ""))


def _take(text: str) -> None:
    def use() -> None:
        plan_offers.read(text, state.current())
        plan_state.PLAN.change(offers=text)

    fields.take("plan_offers", use)


def read(study: Study, view: View) -> tuple[plan_offers.Offers | None, str]:
    """Return what is on offer, or why it cannot be read; neither where nothing was pasted."""
    if not view.offers:
        return None, ""
    try:
        return _read(view.offers, study), ""
    except DomainError as refusal:
        return None, str(refusal)


def ranking(study: Study, view: View, found: plan_offers.Offers) -> tuple[plan.NextSite, ...]:
    """Rank the candidates."""
    return _next(study, found.candidates, plan_goal.risk(study, view))


def next_sentence(ranked: tuple[plan.NextSite, ...]) -> str:
    """Which site comes next, Markdown; the mechanism decides."""
    exact = min(ranked, key=lambda x: x.rank)
    beside = "nothing on the list changes anything"
    if exact.fraction < 1.0 - SAME:
        beside = f"{_who(exact)}, with {_times(exact.fraction)}"
    stated = [x for x in ranked if x.rank_mechanism]
    if not stated:
        return (
            f"By the rate equation alone: {beside}. The named mechanism needs every δ, of the "
            "study and of an offer."
        )
    by = min(stated, key=lambda x: x.rank_mechanism)
    out = len(ranked) - len(stated)
    if by.fraction_mechanism < 1.0 - SAME:
        if by.name == exact.name and exact.fraction < 1.0 - SAME:
            beside = f"the same, with {_times(exact.fraction)}"
        text = f"Next: {_who(by)}, with {_times(by.fraction_mechanism)} (equation: {beside})."
    else:
        of = " with a δ" if out else ""
        text = f"Nothing on the list{of} changes anything with today's method"
        text += (
            f" (equation: {beside})." if exact.fraction < 1.0 - SAME else ", nor by the equation."
        )
    if out:
        text += (
            f" The mechanism's ranking leaves out {out:,} of {len(ranked):,} offers, which state "
            "no δ."
        )
    if any(x.count > 1 for x in ranked):
        text += " An offer with a count is ranked as all its sites at once; prices are per site."
    return text


def _who(site: plan.NextSite) -> str:
    many = f" (all {site.count:,} sites)" if site.count > 1 else ""
    return f"**{words.md(site.name)}**{many}"


def _times(fraction: float) -> str:
    shown = words.number(fraction)
    if shown == "1":
        return "a rate that is lower by less than 0.1 %"
    return f"a rate of × {shown} of today's"


def next_columns(ranked: tuple[plan.NextSite, ...]) -> dict[str, list[str]]:
    """The candidates as columns of text, best first."""
    best = sorted(ranked, key=lambda x: (not x.rank_mechanism, x.rank_mechanism, x.rank))
    rows = best[:MOST_ROWS]
    counts = {"Sites at once": [f"{x.count:,}" for x in rows]}
    return {
        "Site on offer": [x.name for x in rows],
        **(counts if any(x.count > 1 for x in ranked) else {}),
        "Rate, mechanism": [
            f"× {words.number(x.fraction_mechanism, 4)}" if x.rank_mechanism else "needs δ"
            for x in rows
        ],
        "Rank, mechanism": [str(x.rank_mechanism or "-") for x in rows],
        "Rate, equation": [f"× {words.number(x.fraction, 4)}" for x in rows],
        "Rank, equation": [str(x.rank) for x in rows],
    }


def mix_sentences(
    study: Study, view: View, goal: plan_goal.Goal, found: plan_offers.Offers
) -> list[str]:
    """The cheapest mix by both answers, or why there is none, Markdown; the mechanism first."""
    out = []
    for (by, mechanism), fraction in zip(ANSWERS, (goal.fraction, goal.by_equation), strict=True):
        if fraction is None or fraction >= 1:
            out.append(f"**By the {by}** nothing has to be bought: the goal is reached.")
            continue
        try:
            mix = _cheapest(
                study, found.priced, fraction, plan_goal.risk(study, view), mechanism, goal.kappa
            )
        except (DomainError, plan.Unreachable) as refusal:
            out.append(f"**By the {by}** there is none: {words.md(str(refusal))}")
        else:
            out.append(f"**By the {by}** {plan_offers.mix_text(mix, found)}")
    return out


def frontier_picture(study: Study, view: View, goal: plan_goal.Goal) -> Figure | None:
    """Cost against effective records, by both answers; none where nothing on offer helps."""
    offered, risk, seen = _read(view.offers, study).priced, plan_goal.risk(study, view), []
    for by, mechanism in ANSWERS:
        try:
            line = _frontier(study, offered, risk, mechanism, goal.kappa)
        except (DomainError, plan.Unreachable):
            continue
        if line.points:
            seen.append((by, line))
    if not seen:
        return None
    last, stopped = seen[0][1].points[-1], any(line.stopped for _, line in seen)
    bought = words.number(last.effective_n)
    return figures.frontier(
        seen,
        title=f"{words.number(last.mix.cost)} buys {bought} by the {seen[0][0]}",
        caption="Each point is the cheapest mix found for its effective sample, by the same search "
        "as above; a cost between two points buys at least what the lower one does. "
        + ("The time was over before the last points. " if stopped else ""),
    )
