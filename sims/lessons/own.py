"""Studies and rates of one's own in the lessons: which fit, and what is asked about them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from rates.answer import offered_delta, with_offered_delta
from rates.numbers import DomainError, Words, number, pack
from rates.study import FederatedStudy, Server, Study, preset
from sims.lessons.records import Facts

if TYPE_CHECKING:
    from rates.orders import Inquiry

MOST_SITES = 8  # among which one can still share 100 points out
MOST_TERMS = 8  # among which one can still choose
MOST_ROWS = 8  # of a study that stand on a sheet or a screen: more would reach its foot
TENFOLD = 10.0  # of a size, in the second question of `rate`


def check(key: str, study: Study | None, rate: Inquiry | None) -> None:
    """Refuse a study or a rate that the lesson's theory does not cover.

    Raises:
        DomainError: It does not.
    """
    if study is not None:
        _check_study(key, study)
    if rate is not None:
        _check_rate(key, rate)


def _check_study(key: str, study: Study) -> None:
    if key not in STUDIES:
        rule = "This lesson has a study of its own; those that take yours are carry and free."
        raise DomainError(rule, "lesson", Words(key))
    rows = [s for s in study.servers if s.informative]
    if key == "carry" and not 2 <= len(rows) <= MOST_SITES:
        rule = f"To share 100 points out, 2 to {MOST_SITES} rows have records and a budget."
        raise DomainError(rule, "servers", Words(f"{len(rows)} rows"))
    if key == "free" and not any(s.private for s in rows):
        rule = "What privacy costs needs a protected site with records and a budget."
        raise DomainError(rule, "servers", Words("none"))


def _check_rate(key: str, rate: Inquiry) -> None:
    if key != "rate":
        rule = "A rate of your own can stand in the lesson rate."
        raise DomainError(rule, "lesson", Words(key))
    labels = terms(rate)
    from rates.orders import draft, reading

    sizes, exponents = draft.completed(rate).split()
    letter = letter_of(rate)
    order = reading.order_of(rate)
    # At both, as the second question asks for their ratio.
    for at in (sizes, {**sizes, letter: TENFOLD * sizes[letter]}):
        value = float(order.value(at, exponents))
        if str(order.deciding(at, exponents)) not in labels or not 0 < value < math.inf:
            rule = "The rate must be positive and finite at its values and at ten times"
            raise DomainError(f"{rule} {letter}.", "at", value)


def terms(rate: Inquiry) -> tuple[str, ...]:
    """Return the labels of a rate's terms.

    Raises:
        DomainError: It cannot be read, sums over sites, or has too few or too many terms.
    """
    from rates.orders import reading

    if rate.sites:
        rule = "A sum over sites has no fixed terms to choose from."
        raise DomainError(rule, "sum_j", Words(rate.text))
    labels = tuple(dict.fromkeys(leaf.label for leaf in reading.order_of(rate).whole().leaves))
    if not 2 <= len(labels) <= MOST_TERMS:
        rule = f"To choose which term decides, a rate has 2 to {MOST_TERMS} terms."
        raise DomainError(rule, "text", Words(f"{len(labels)}"))
    return labels


def formulas(rate: Inquiry) -> tuple[str, ...]:
    """Return each term of a rate as text, in the order of `terms`."""
    from rates.orders import reading, texts

    found = texts.term_texts(reading.order_of(rate))
    return tuple(found[label] for label in terms(rate))


def stated(text: str, rate: Inquiry) -> str:
    """Return a text with a rate and its values in the place of ``{rate}`` and ``{values}``."""
    from rates.orders import draft

    at = ", ".join(f"`{x}` = {number(v)}" for x, v in draft.completed(rate).at)
    typed = " ".join(rate.text.split())
    typed += f"`, of which the rate is `{' '.join(rate.rate.split())}" if rate.rate else ""
    return text.replace("{rate}", f"`{typed}`").replace("{values}", at or "no values")


def packed(rate: Inquiry) -> str:
    """Return a rate as page Orders has it in its address."""
    from rates.orders import inquiry

    return pack(inquiry.to_json(rate, indent=None))


def default_rate() -> Inquiry:
    """Return the rate of the lesson `rate`: the mean of d numbers, under a strict budget."""
    from rates.orders import EXAMPLES

    mean = next(e for e in EXAMPLES if e.name.startswith("The mean of d numbers"))
    return replace(mean, at=(("d", 20.0), ("n", 1e4), ("eps", 0.01)))


def letter_of(rate: Inquiry) -> str:
    """Return the size that the second question lets grow: n, or the first.

    Raises:
        DomainError: There is no size.
    """
    if not rate.sizes:
        raise DomainError("A rate has a size that can grow.", "sizes", Words("none"))
    return "n" if "n" in rate.sizes else rate.sizes[0]


_REGISTRIES = {"North": 2_000, "East": 1_000, "South": 600, "West": 400}
# The study of `free`: none of an example, so that no other page shows what is asked.
REGISTRIES = FederatedStudy(
    servers=tuple(Server(name=x, n=n, epsilon=1.0, delta=1e-6) for x, n in _REGISTRIES.items()),
    smoothness=2.0,
)
STUDIES: Mapping[str, Study] = {"carry": preset("unequal").study, "free": REGISTRIES}


def study_of(key: str, study: Study | None) -> Study:
    """Return the study of `carry` or `free`, one's own if there is one.

    Where a protected site states no delta, the one that the app offers stands in: `facts` says so.
    """
    return STUDIES[key] if study is None else with_offered_delta(study)


def facts(key: str, study: Study | None) -> Facts:
    """Return the sites of `carry` or `free`, the first eight of many."""
    whole = study_of(key, study)
    rows = [s for s in whole.servers if s.informative]
    said = f"Smoothness {number(whole.smoothness)}"
    if whole.target is not None:
        said += f", {number(whole.dimension)} covariates, margin {number(whole.margin)}"
    if study is not None and study.without_delta:
        said += f". δ = {number(offered_delta(study))} is assumed where none was stated"
    if len(rows) > MOST_ROWS:
        said += f". Of {len(rows):,} rows the first {MOST_ROWS} stand here"
    changed = key == "free" and study is None  # the budgets
    sites = tuple((s.name, _held(s, whole, delta=True, bare=changed)) for s in rows[:MOST_ROWS])
    return Facts(sites, f"{said}.")


def counted(study: Study | None) -> str:
    """Return of whom the unprotected records are that a study's worth is counted in."""
    return "of the target" if study and study.target else "in one place"


def largest(study: Study) -> int:
    """Return which site with information has most records, from 0."""
    return max(range(len(study.servers)), key=lambda j: (s := study.servers[j]).informative * s.n)


def most(study: Study) -> str:
    """Return what that site holds, in words."""
    return _held(study.servers[largest(study)], study)


def sites(study: Study) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of a study's informative rows, and what each holds in words."""
    rows = [s for s in study.servers if s.informative]
    return tuple(s.name for s in rows), tuple(_held(s, study) for s in rows)


def _held(s: Server, study: Study, *, delta: bool = False, bare: bool = False) -> str:
    """Return what a site holds in words, with its δ, or bare of its budget."""
    many = f"{s.count:,} sites with " if s.count > 1 else ""
    parts = [f"{many}{s.n:,} records"]
    if not bare:
        parts.append(f"ε = {number(s.epsilon)}" if s.private else "unprotected")
    if delta and s.private and s.delta is not None:
        parts.append(f"δ = {number(s.delta)}")
    if study.target is not None:
        parts.append("the target" if s == study.target else f"γ = {number(s.signal_exponent)}")
    return ", ".join(parts)
