"""What the ledger finds: first what stands, then how many slips there are of which kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rates.ledger.texts import CATEGORIES, CONCLUSION, PAPERS, Entry
from rates.ledger.verdicts import stored

# What states a minimax rate, by paper, as ids begin.
RATES = {
    "ACC": ("Thm3.1", "Thm3.4", "Cor3.2", "Cor3.3"),
    "CCV": ("Thm2.1", "Cor1", "Cor2", "Cor3", "Cor4"),
}
_KINDS = {"Thm": ("Theorem", "Theorems"), "Cor": ("Corollary", "Corollaries")}
# How a sentence says a number of each kind, for one and for more.
_SAID = {
    CATEGORIES[0]: ("**{}** conclusion changes", "**{}** conclusions change"),
    CATEGORIES[1]: ("**{}** lacks a condition", "**{}** lack a condition"),
    CATEGORIES[2]: (
        "**{}** has another constant or logarithm",
        "**{}** have another constant or logarithm",
    ),
    CATEGORIES[3]: ("**{}** is a misprint", "**{}** are misprints"),
    CATEGORIES[4]: ("**{}** does not hold literally", "**{}** do not hold literally"),
    CATEGORIES[5]: (
        "**{}** simulated result was not reproduced at our settings",
        "**{}** simulated results were not reproduced at our settings",
    ),
}
STANDARD = {
    "of order": "holds up to a constant that no number of records, sites or budgets enters. "
    "Logarithms count where the paper says that there is none.",
    "for all": "is read on the whole set that the paper states, its ends included.",
    "simulated": "results contradict nothing: they were not reproduced at our settings.",
}


def counts(of: Iterable[Entry]) -> dict[str, int]:
    """Return how many slips of each kind are among some entries, each slip once."""
    found = Counter(one.category for one in of if one.counted)
    return {name: found[name] for name in CATEGORIES}


def headline(of: Sequence[Entry]) -> str:
    """Say which minimax rates among some entries stand and which do not, paper by paper.

    >>> from rates.ledger import entries_of
    >>> headline(entries_of("ACC"))
    '[ACC]: Theorems 3.1 and 3.4 stand; Corollaries 3.2 and 3.3 do not, as printed.'
    """
    said = []
    for paper in PAPERS:
        own = [one for one in of if one.paper == paper and not one.withdrawn]
        stands: list[str] = []
        falls: list[str] = []
        for place in RATES.get(paper, ()):
            here = [one for one in own if one.id.split(":")[1] == place]
            broken = any(one.counted and one.category == CONCLUSION for one in here)
            if here:
                (falls if broken else stands).append(place)
        parts = [f"{_places(stands)} stand{'s' * (len(stands) == 1)}"] if stands else []
        if falls:
            parts.append(f"{_places(falls)} do{'es' * (len(falls) == 1)} not, as printed")
        said += [f"[{paper}]: {'; '.join(parts)}."] if parts else []
    return " ".join(said)


def needed(of: Iterable[Entry]) -> tuple[int, int, int]:
    """Return how many claims are decided for all sizes, their conditions, and those that suffice.

    >>> from rates.ledger import entries
    >>> claims, conditions, enough = needed(entries())
    >>> 0 < claims < enough < conditions
    True
    """
    found = {  # a claim that several entries say counts once
        (name, entry.claims[entry.used].latex): one
        for entry in of
        for name, one in stored()[entry.id].needs.items()
    }
    each = found.values()
    return len(each), sum(x["conditions"] for x in each), sum(x["needed"] for x in each)


def _places(names: Sequence[str]) -> str:
    """Say theorems and corollaries, as "Theorems 3.1 and 3.4"."""
    said = []
    for short, words in _KINDS.items():
        numbers = [name.removeprefix(short) for name in names if name.startswith(short)]
        if numbers:
            *first, last = numbers
            listed = f"{', '.join(first)} and {last}" if first else last
            said.append(f"{words[len(numbers) > 1]} {listed}")
    return " and ".join(said)


def slips(of: Sequence[Entry]) -> str:
    """Say how many slips there are of each kind, in Markdown; empty where there is none.

    >>> slips([])
    ''
    """
    found = counts(of).items()
    said = "; ".join(_SAID[name][number > 1].format(number) for name, number in found if number)
    return f"{said}." if said else ""
