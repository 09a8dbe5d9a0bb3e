"""What a run on real records says, as tables: of a live run, or of a stored one."""

from __future__ import annotations

from collections.abc import Iterable

from pages.charts import between, number, signed, words
from pages.core import Block, Heading, Note, Table
from sims import real

NAMES = {name: text[:1].upper() + text[1:] for name, text in real.SERIES.items()}


def tables(found: real.Findings) -> Iterable[Block]:
    """The slopes beside theory, and what privacy costs where the equation calls it free."""
    yield Table(
        {
            "Slope in": [NAMES[one.series] for one in found.slopes],
            "measured, 95%": [_measured(one) for one in found.slopes],
            "mechanism": [signed(one.mechanism) for one in found.slopes],
            "far out": [signed(one.asymptotic) for one in found.slopes],
            "verdict": [one.verdict for one in found.slopes],
        },
        "Measured slopes with 95% intervals beside those of theory",
    )
    yield Note(
        "*Mechanism*: its own equation over the same points. *Far out*: where one term decides. "
        "A slope agrees where its interval meets what lies between the two."
    )
    for one in found.slopes:
        if one.argument:
            yield Note(f"**{NAMES[one.series]}.** {one.argument.replace(' -', ' −')}")
    yield free_table(
        [(x.name, x.epsilon, x.equation, _times(x)) for x in found.factors], "measured, 95%"
    )


def free_table(rows: Iterable[tuple[str, float, float, str]], last: str) -> Table:
    """What privacy costs where the equation calls it free, by the equation and as found."""
    return Table.of(
        ("Privacy is free for", "from ε", "error there, equation", last),
        [
            (name.capitalize(), number(epsilon), f"× {number(equation)}", found)
            for name, epsilon, equation, found in rows
        ],
        alt="Error over that without privacy, at the budgets from which the equation calls it free",
    )


def _times(one: real.Factor) -> str:
    if not one.value > 0:
        return "not known"
    return f"× {number(one.value)} ({between(one.low, one.high)})"


def _measured(one: real.Slope) -> str:
    if one.used < 2:
        return "-"
    return f"{signed(one.value)} ({signed(one.low)} to {signed(one.high)})"


def stored(key: str) -> Iterable[Block]:
    """What a stored run of a public data set found; nothing where none is stored."""
    if (one := real.stored(key)) is not None:
        yield Heading(f"A stored run: {real.data_set(key).title}")
        yield Note(
            f"{len(one.sizes):,} sites, {one.records:,} records, {one.findings.replicates} "
            f"replicates, seed {one.findings.seed}."
        )
        yield from tables(one.findings)
        yield Note(words.md(one.findings.heterogeneity.words))
