"""What was told on the page Study of who uses the result, and what that makes of a plan."""

from __future__ import annotations

from dataclasses import replace

from pages.parts.plan import view as plan_view
from pages.parts.plan.view import View
from rates.plan import in_house
from rates.study import Scope, Study, TransferStudy


def use(scope: Scope) -> str | None:
    """Who uses the result; None where nobody said."""
    return scope.answer("use")


def needed(scope: Scope) -> float | None:
    """How many records would do; None where nobody said."""
    given: float | None = getattr(scope, "needed", None)
    return given


def planned(study: Study, scope: Scope) -> Study:
    """The study that is planned for: for a target in house its own row without noise."""
    return in_house(study, use(scope))


def asked(view: View, study: Study, scope: Scope) -> View:
    """What is asked, as far as a study has it; what is usual by name, and designs as planned for.

    Args:
        view: What is asked, as the address has it.
        study: The study as stated.
        scope: What has been said about it.
    """
    need, kind = needed(scope), plan_view.further(view, study)
    found = plan_view.fitted(view, planned(study, scope))
    return replace(
        found,
        goal=found.goal or ("part" if need is None else "need"),
        needed=found.needed or need or 0.0,
        kind_n=float(kind.n),
        kind_epsilon=kind.epsilon,
        kind_gamma=kind.signal_exponent,
        **found.beside([planned(other, scope) for other in found.others]),  # type: ignore[arg-type]
    )


def sentence(study: Study, scope: Scope) -> str:
    """For whom is planned, Markdown; empty where the study is taken as it is stated."""
    if not isinstance(study, TransferStudy) or use(scope) not in (None, "target"):
        return ""
    text = "Planned for the target in house: its own records need no noise for itself"
    return f"{text}." if use(scope) else f"{text} (assumed)."
