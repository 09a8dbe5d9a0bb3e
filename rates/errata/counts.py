"""What the ledger finds, in numbers: first what stands, then how many slips of which kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rates.statements import CATEGORIES, NOT_REPRODUCED, PAPERS, Statement, statements

# The statements that hold the minimax rates of [ACC] and [CCV], with paper and theorem.
RATES = {
    "ACC:Thm3.1": ("ACC", "3.1"),
    "ACC:Thm3.4": ("ACC", "3.4"),
    "CCV:Thm2.1:integrated": ("CCV", "2.1"),
    "CCV:Thm2.1:pointwise": ("CCV", "2.1"),
}
# How a sentence says a number of each kind, for one and for more.
WORDS = dict(
    zip(
        CATEGORIES,
        (
            ("In **{}** place a conclusion changes", "In **{}** places a conclusion changes"),
            ("**{}** lacks a condition", "**{}** lack a condition"),
            (
                "**{}** has another constant or logarithm",
                "**{}** have another constant or logarithm",
            ),
            ("**{}** is a misprint", "**{}** are misprints"),
            ("**{}** remark does not hold literally", "**{}** remarks do not hold literally"),
            (
                "**{}** simulated result was not reproduced at our settings",
                "**{}** simulated results were not reproduced at our settings",
            ),
        ),
        strict=True,
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """What the ledger finds.

    Attributes:
        papers: Papers that it covers.
        printed: Printed statements read, without those that were dropped.
        tested: Those of them that numbers can test.
        standing: Theorems with a minimax rate that nothing contradicts, with their paper.
        fallen: Those that something does.
        counts: Slips of each kind, in the order of `CATEGORIES`, each slip once.
        repeats: Entries that repeat another one's slip.
        damaged: Entries whose slip may be damage of our text.
        dropped: Entries that are no statements of a paper.
    """

    papers: int
    printed: int
    tested: int
    standing: tuple[tuple[str, str], ...]
    fallen: tuple[tuple[str, str], ...]
    counts: Mapping[str, int]
    repeats: int
    damaged: int
    dropped: int

    @property
    def total(self) -> int:
        """All slips, each once; what a run of ours did not reproduce is none."""
        return sum(self.counts.values()) - self.counts[NOT_REPRODUCED]


def headline(items: Sequence[Statement] | None = None) -> Headline:
    """Count what the ledger finds, over all statements or over some.

    Examples:
        >>> headline().fallen
        ()
        >>> list(headline().counts) == list(CATEGORIES)
        True
    """
    given = statements() if items is None else items
    printed = [item for item in given if item.kind != "derived" and not item.withdrawn]
    counts = Counter(item.category for item in printed if item.counted)
    rates = [item for item in printed if item.id in RATES]
    fallen = {RATES[item.id] for item in rates if item.category}
    return Headline(
        papers=len({item.paper for item in printed}),
        printed=len(printed),
        tested=sum(item.check is not None for item in printed),
        standing=tuple(dict.fromkeys(RATES[i.id] for i in rates if RATES[i.id] not in fallen)),
        fallen=tuple(sorted(fallen)),
        counts={name: counts[name] for name in CATEGORIES},
        repeats=sum(bool(item.repeats) for item in printed),
        damaged=sum(item.extraction for item in printed),
        dropped=sum(item.withdrawn for item in given),
    )


def sentences(found: Headline) -> str:
    """Say it, in Markdown: what was read, what stands, and what does not."""
    read = f"**{found.printed}** sentences and formulas of {_number(found.papers)} were read"
    text = f"{read}, **{found.tested}** of them tested by numbers."
    return " ".join(filter(None, (text, stands(found), slips_said(found))))


def slips_said(found: Headline) -> str:
    """Say how many slips there are of each kind, in Markdown; empty where there is none.

    >>> slips_said(headline([]))
    ''
    """
    parts = [WORDS[name][count > 1].format(count) for name, count in found.counts.items() if count]
    said = f"{'; '.join(parts)}." if parts else ""
    return said[:1].upper() + said[1:]


def stands(found: Headline) -> str:
    """Say which minimax rates stand, as a sentence; empty where none is among the statements.

    >>> print(stands(headline()))
    No minimax rate of [ACC] (Theorems 3.1 and 3.4) or [CCV] (Theorem 2.1) is contradicted.
    """
    if found.fallen:
        return f"A minimax rate is contradicted: {_theorems(found.fallen, ', ')}."
    if not found.standing:
        return ""
    return f"No minimax rate of {_theorems(found.standing, ' or ')} is contradicted."


def _theorems(rates: Sequence[tuple[str, str]], between: str) -> str:
    """Papers, each with its theorems behind it."""
    parts = []
    for paper in PAPERS:
        numbers = [number for of, number in rates if of == paper]
        if numbers:
            word = "Theorems" if len(numbers) > 1 else "Theorem"
            parts.append(f"[{paper}] ({word} {' and '.join(numbers)})")
    return between.join(parts)


def beside(found: Headline) -> str:
    """Say what is not counted, and why.

    >>> print(beside(headline()).split(":")[0])
    Not counted
    """
    parts = [
        f"{found.repeats} entries that repeat another's slip",
        f"{found.damaged} where our text of the paper may have lost a sign",
        f"{found.dropped} that were dropped, as the paper does not say them",
    ]
    kept = [part for part in parts if not part.startswith("0 ")]
    return f"Not counted: {', '.join(kept)}." if kept else ""


def _number(papers: int) -> str:
    return "one paper" if papers == 1 else f"{papers} papers"
