"""Section by section, what of a paper stands in the ledger, and what does not and why.

A file `rates/claims/coverage-<paper>.toml` has one table per section, in the paper's order:

    [[section]]
    section = "3.2"
    title = "Minimax rates in the general setting"
    left_out = "What is not in the ledger, and why; empty where nothing is missing."

What is covered is not written there: it is the statements whose `section` is that section.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from rates.numbers import DomainError
from rates.statements.ledger import PAPERS, statements_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One section of a paper in the table of coverage.

    Attributes:
        paper: Key of the paper, as "ACC".
        section: Its number, as "3.2".
        title: Its title.
        covered: Ids of the statements of that section, in the ledger's order.
        left_out: What is not in the ledger, and why; empty where nothing is missing.
    """

    paper: str
    section: str
    title: str
    covered: tuple[str, ...]
    left_out: str


@cache
def coverage(paper: str | None = None) -> tuple[Section, ...]:
    """Return the table of coverage, of one paper or of all that have one.

    Raises:
        DomainError: A statement belongs to a section that the table does not name.

    Examples:
        >>> row = coverage("ACC")[0]
        >>> row.paper, row.section
        ('ACC', '1')
    """
    if paper is None:
        return tuple(row for name in PAPERS for row in coverage(name))
    file = resources.files("rates") / "claims" / f"coverage-{paper.lower()}.toml"
    if not file.is_file():
        return ()
    rows = tomllib.loads(file.read_text(encoding="utf-8"))["section"]
    known = {row["section"] for row in rows}
    for item in statements_of(paper):
        if item.section not in known:
            rule = "section must be one of the table of coverage."
            raise DomainError(rule, field="section", value=item.section, where=item.id)
    return tuple(
        Section(
            paper=paper,
            section=row["section"],
            title=row["title"],
            covered=tuple(i.id for i in statements_of(paper) if i.section == row["section"]),
            left_out=row["left_out"],
        )
        for row in rows
    )
