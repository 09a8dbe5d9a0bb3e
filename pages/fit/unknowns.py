"""What is not known: ranges of the parameters, in plain words, and the answers over them."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pages import core
from pages.charts import Figure, number_text, shares, words
from pages.charts import plan as figures
from pages.core import Block, Fold, Note, Text
from pages.current import fields, state
from pages.fit import words as fit_words
from pages.fit.rivals import for_everyone
from rates import study as studies
from rates.fit import SEARCHED, Envelope
from rates.fit import envelope as find
from rates.numbers import SIGNAL_EXPONENT, DomainError, Parameter
from rates.study import Range, Scope, Server, Study, theory_for
from sims import budgets

BETWEEN, STUDY = "between", "study"
_SIGNAL, _SITE = "signal_exponent", "signal_site"


_PLAIN = {  # what is asked, and what some values mean
    ("transfer", "smoothness"): (
        "How smoothly does the risk change? (smoothness β)",
        "β = 1: a tenth of a covariate's range moves the risk by 10 points at most. β = 0.5: by "
        "up to 32 points, so sudden steps are allowed.",
    ),
    ("transfer", "margin"): (
        "How rare are patients near 50% risk? (margin α)",
        "α = 0: patients may crowd at 50% risk. α = 1: half the distance, half the patients. "
        "α = 2: half the distance, a quarter of them.",
    ),
    ("transfer", _SIGNAL): (
        "How sharply does this site show it? (signal γ)",
        "γ = 1: where the target's risk is 60%, the site shows 60% too. γ = 0.5: 82%, a "
        "sharper signal. γ = 2: 51%, a weaker one.",
    ),
    ("federated", "smoothness"): (
        "How smooth is the curve? (smoothness α)",
        "α = 1: like a broken line, with corners. α = 2: bending smoothly, without corners.",
    ),
    ("federated", "integrability"): (
        "Is it equally smooth everywhere? (integrability p)",
        "p infinite: equally smooth. p = 4: rougher spots, which the error at one point feels.",
    ),
}


def settle() -> None:
    """Take over the ranges that the browser holds."""
    study = state.current()
    for name, parameter in studies.PARAMETERS[study.kind].items():
        fields.take(name, functools.partial(_take, name, parameter))
    if site := _site(study):
        fields.take(_SIGNAL, functools.partial(_take, _SIGNAL, SIGNAL_EXPONENT, site))


def _take(name: str, parameter: Parameter, site: str | None = None) -> None:
    study, field = state.current(), _field(name, site)
    mode = fields.held(f"mode_{field}")
    if mode not in (fields.UNKNOWN, STUDY, BETWEEN):
        return  # nothing was chosen, or what is not offered, which is sent by hand
    if mode == fields.UNKNOWN:
        _keep(name, None, site)
        return
    given: Sequence[float | None]
    if mode == STUDY:
        given = (_own(study, name, site),) * 2
    elif fields.held(f"{field}_low") is None:  # just chosen
        given = _given(name, site) or studies.UNKNOWN[study.kind][name]
    else:
        given = [fields.number(f"{field}_{end}", name) for end in ("low", "high")]
    low, high = given
    if low is not None and high is not None:
        _keep(name, studies.checked((low, high), parameter, "Range"), site)


def _keep(name: str, given: Range | None, site: str | None) -> None:
    scope = state.scope()
    own: dict[str, Any] = {name: given}
    state.set_scope(replace(scope, **own) if site is None else scope.with_signal(site, given))


def _given(name: str, site: str | None) -> Range | None:
    """The range that has been given; None if it is not known."""
    scope = state.scope()
    return getattr(scope, name) if site is None else dict(scope.signal).get(site)


def _field(name: str, site: str | None) -> str:
    """Name of the fields of a parameter; of a site, by its place in the table."""
    if site is None:
        return name
    return f"{name}_{[s.name for s in state.current().servers].index(site)}"


def _own(study: Study, name: str, site: str | None) -> float:
    """The value on the Study page."""
    if site is None:
        return float(getattr(study, name))
    return next(s.signal_exponent for s in study.servers if s.name == site)


def _sources(study: Study) -> tuple[Server, ...]:
    """The sites whose signal is not known; none where all are alike."""
    return () if for_everyone(study, state.scope()) else study.servers[1:]


def _site(study: Study) -> str | None:
    """The source that is asked about."""
    names = [s.name for s in _sources(study)]
    held = fields.held(_SITE)
    return held if held in names else next(iter(names), None)


def controls() -> None:
    """Draw the ranges of everything that is not known."""
    study = state.current()
    for name in studies.PARAMETERS[study.kind]:
        _parameter(name)
    if site := _site(study):
        fields.choose(_SITE, "Site asked about", {s.name: s.name for s in _sources(study)}, site)
        _parameter(_SIGNAL, site)


def _parameter(name: str, site: str | None = None) -> None:
    study, given = state.current(), _given(name, site)
    kind, field, own = study.kind, _field(name, site), _own(study, name, site)
    unknown, (title, anchor) = studies.UNKNOWN[kind][name], _PLAIN[kind, name]
    options = {
        fields.UNKNOWN: f"I don't know: {span(unknown)}",
        STUDY: f"As under What it costs: {_text(own)}",
        BETWEEN: "Between two values",
    }
    start = fields.UNKNOWN if given is None else STUDY if given == (own, own) else BETWEEN
    mode = fields.choose(f"mode_{field}", title, options, start)
    st.caption(anchor)
    if mode == BETWEEN:
        low, high = given or unknown
        with st.container(horizontal=True):
            fields.text(f"{field}_low", "Lowest value", _text(low))
            fields.text(f"{field}_high", "Highest value", _text(high))
    fields.problem(name)


def span(given: Range) -> str:
    """A range in words."""
    return words.span(_text(given[0]), _text(given[1]))


def _text(x: float) -> str:
    return "inf" if math.isinf(x) else number_text(float(f"{x:.4g}"))


_found = functools.lru_cache(maxsize=64)(find)


def _ranges(scope: Scope) -> Scope:
    """The ranges alone, and whether all sites are alike: the rest of the answers moves nothing."""
    kept = tuple(pair for pair in scope.answers if pair == ("target", "shared"))
    return replace(scope, answers=kept, prevalence=None, records_per_person=None)


def of(study: Study, scope: Scope, chosen: str) -> tuple[Envelope | None, str]:
    """Return the envelope of a study over its ranges, or why there is none."""
    if len(study.servers) > budgets.RANGE_ROWS:
        return None, (
            f"With more than {budgets.RANGE_ROWS:,} rows answers over ranges take minutes and are "
            "not computed here."
        )
    try:
        return _found(study, _ranges(scope), chosen), ""
    except DomainError as refusal:
        return None, str(refusal)


def ranges_drawn(study: Study, scope: Scope, risk: str) -> Figure:
    """Both answers over the ranges of a scope.

    Raises:
        DomainError: There is no answer over them.
    """
    found, cost = _found(study, _ranges(scope), risk), state.cost(study)
    (own,) = (one for one in cost if one.risk == risk)
    both = [own.equation, *([shares.middle(own)] if own.mechanism else [])]
    here = [(x.kept, x.rate_ratio) for x in both]  # at the parameters of the Study page
    return figures.envelope_figure(found, here, title=fit_words.title(found))


def ranking_drawn(study: Study, scope: Scope, risk: str) -> Figure | None:
    """What moves the rate most over the ranges of a scope; None if nothing does.

    Raises:
        DomainError: There is no answer over them.
    """
    found, transfer = _found(study, _ranges(scope), risk), study.kind == "transfer"
    names = [fit_words.unknown(e, transfer=transfer) for e in found.moving]
    if not names:
        return None
    return figures.ranking_figure(found.moving, names, title=fit_words.most(study, found))


def answer(study: Study, scope: Scope, found: Envelope) -> Iterator[Block]:
    """Show what privacy costs over all that is not known: the tab's sentence and main figure."""
    yield Text(fit_words.answer(study, found))
    if text := state.elsewhere(theory_for(study, scope)):
        yield Note(text)
    if found.box.cut:
        yield Note(found.box.cut, "warning")
    yield core.with_lines(ranges_drawn, study, _ranges(scope), found.risk)


def reasons(study: Study, scope: Scope, found: Envelope) -> Iterator[Block]:
    """Show the ranking, and what it and the intervals rest on."""
    if found.missing:
        yield Note(f"No named mechanism: {words.md(str(found.missing))}")
    picture = core.with_lines(ranking_drawn, study, _ranges(scope), found.risk)
    yield picture or Note("Nothing is left open, or the rate is 1 over all ranges.")
    rate, falls = found.equation.rate, "the smoothness"
    if found.risk == "classification":
        rises = "" if for_everyone(study, scope) else " and rises with every γ"
        falls = f"β and α{rises}, so its ends lie at two corners of the ranges"
    ends = Text(
        f"- **Rate**: {words.between(rate.low, rate.high)}, up to constants and logarithms; "
        f"{found.evidence}. It falls with {falls}.\n"
        f"- **Sample kept and error against no privacy**: {SEARCHED}, from corners of the "
        "ranges on. The ends are attained; that none lies beyond is not proved.\n"
        "- The named mechanism is taken with its bandwidth 1, 2 and 3 times r, and exact "
        "Gaussian noise. Covariates, sites, records and budgets are taken as given.\n"
        "- All this is for a method that is told the parameters. One that has to find them in its "
        "own releases pays for it, which runs of *Try it* measure.\n"
    )
    yield Fold("How the ends were found", [ends])
