"""One table: every site, and the study, through all theories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rates.numbers import listed
from rates.study import QUESTIONS, Fit, Scope, Study, fits
from rates.theories.says import NOT_COVERED, Said, acc, bcmm, cac, ccv, dplr, ks

BY_THEORY: Mapping[str, Callable[[Study, Scope], list[Said]]] = {
    "ACC": acc,
    "CCV": ccv,
    "KS": ks,
    "BCMM": bcmm,
    "DPLR": dplr,
    "CAC": cac,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell(Said):
    """What one theory says of one site, or of the study.

    Attributes:
        theory: The paper's key.
    """

    theory: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One site, or the study as a whole.

    Attributes:
        site: Its name; empty for the study.
        cells: One a theory, in the order of the theories.
    """

    site: str
    cells: tuple[Cell, ...]


def theories(study: Study, scope: Scope) -> tuple[Row, ...]:
    """Return what every theory says of a study and of each of its sites.

    What has not been told is taken from the study that is open where that states it: the kind of
    outcome, the number of covariates, and whether there is a target. A theory of which an
    assumption is broken says nothing of help or harm.

    Returns:
        A row for the study, then one a site in the study's order.

    >>> from rates.presets import preset
    >>> five = preset("unequal").study
    >>> [(cell.theory, cell.says) for cell in theories(five, Scope())[0].cells][:2]
    [('ACC', 'not covered'), ('CCV', 'helps')]
    """
    # The open study answers what it states by itself; what was told goes first.
    scope = stated(study, scope)
    columns = []
    for fit in fits(study, scope):
        key = fit.theory.key
        if fit.covers:
            said = BY_THEORY[key](study, scope)
        else:
            said = [_broken(fit, scope)] * (len(study.servers) + 1)
        columns.append([Cell(x.says, x.reason, x.source, theory=key) for x in said])
    names = ["", *(site.name for site in study.servers)]
    return tuple(
        Row(site=name, cells=cells)
        for name, cells in zip(names, zip(*columns, strict=True), strict=True)
    )


def stated(study: Study, scope: Scope) -> Scope:
    """Return the scope with what the study itself states, where nothing has been told.

    >>> from rates.presets import preset
    >>> stated(preset("unequal").study, Scope()).answers
    (('outcome', 'continuous'), ('covariates', 'one'), ('target', 'shared'))
    """
    facts = {"outcome": "continuous", "covariates": "one", "target": "shared"}
    if study.target is not None:
        facts = {"outcome": "binary", "covariates": study.covariates, "target": "one"}
    for question, answer in facts.items():
        if scope.answer(question) is None:
            scope = scope.with_answer(question, answer)
    return scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """What breaks a theory, and what would repair that.

    Attributes:
        assumption: What the theory assumes, in a few words.
        told: The answer that breaks it, in words.
        needed: The answers that do not.
    """

    assumption: str
    told: str
    needed: str


def breaks(fit: Fit, scope: Scope) -> tuple[Break, ...]:
    """Return what breaks a theory, each with what would repair it.

    >>> from rates.presets import preset
    >>> five = preset("unequal").study
    >>> told = stated(five, Scope())
    >>> [(one.told, one.needed) for one in breaks(fits(five, told)[0], told)][:1]
    [('A measured number', 'Yes or no')]
    """
    out = []
    for item in fit.broken:
        asked = QUESTIONS[item.question]
        told = asked.options[scope.answer(item.question) or next(iter(asked.options))]
        needed = " or ".join(asked.options[word] for word in fit.theory.needs[item.question])
        # Its answer is a range of shares, for which no option stands.
        if item.question == "prevalence":
            told, needed = "Shares on both sides of 50%", "shares on one side"
        out.append(Break(assumption=item.assumption, told=told, needed=needed))
    return tuple(out)


def _broken(fit: Fit, scope: Scope) -> Said:
    """What breaks, in a sentence; the first source."""
    first = fit.broken[0].source
    source = f"{first} Section 2" if first == f"[{fit.theory.key}]" else first
    parts = [f"“{one.told}” as {one.assumption}" for one in breaks(fit, scope)]
    return Said(NOT_COVERED, f"It does not allow {listed(parts)}.", source)
