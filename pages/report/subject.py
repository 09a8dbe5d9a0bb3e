"""What a report is about."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from pages.current import state
from pages.fit import rivals, unknowns
from rates.answer import Cost
from rates.decision import Decision
from rates.fit import Envelope
from rates.ledger import Paper, papers
from rates.study import Scope, Study
from sims import budgets


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a report is about.

    Attributes:
        study: The study.
        scope: What is said about it besides its sites.
        cost: Both answers for the error that counts.
        found: Both answers over ranges; None where there are none.
        refusal: Why there are none; empty otherwise.
        address: Where the app runs, without a page; empty where that is not known.
        query: What a link says after the page: the study, and what a page adds; may be empty.
        page: The page that the link opens.
        absolute: What a calibration says of the risk, plain; empty without one.
        date: When it was made.
    """

    study: Study
    scope: Scope
    cost: Cost
    found: Envelope | None
    refusal: str
    address: str = ""
    query: str = ""
    page: str = "study"
    absolute: str = ""
    date: datetime.datetime

    @property
    def decision(self) -> Decision:
        """Whether the study is worth running, for those who use its result."""
        return state.decision(self.study, self.scope, self.cost.risk)

    @property
    def alike(self) -> bool:
        """Whether it is for the patients of all sites alike, so that no site is the target."""
        return rivals.for_everyone(self.study, self.scope)

    @property
    def paper(self) -> Paper:
        """The paper behind the answers."""
        key = self.study.paper
        return next(one for one in papers() if one.key == key)


def subject(study: Study, scope: Scope, cost: Cost, **more: object) -> Subject:
    """Gather what a report is about; `more` goes into the record as it is."""
    found, refusal = ranges_of(study, scope, cost.risk)
    more.setdefault("date", datetime.datetime.now(datetime.UTC))
    return Subject(study=study, scope=scope, cost=cost, found=found, refusal=refusal, **more)  # type: ignore[arg-type]


MOST_ROWS = budgets.REPORT_ROWS


def ranges_of(study: Study, scope: Scope, risk: str) -> tuple[Envelope | None, str]:
    """Return both answers over ranges, or why there are none; only where that takes seconds."""
    if len(study.servers) > MOST_ROWS:
        return None, (
            f"with more than {MOST_ROWS} rows it takes longer, and is left to *Does it apply?*."
        )
    return unknowns.of(study, scope, risk)
