"""What the draws and the numbers of an entry say of it: its verdict, form by form.

The verdict on a form is the first of these that fits:

* *not testable by numbers*: it has neither a claim nor a function that tests it;
* *contradicted by exact numbers*: its claim fails at its example, shown in interval arithmetic;
* *not reproduced in our runs*: a simulated result that runs of ours do not show;
* *contradicted by computed numbers*: a draw, or the example of its function, fails;
* *decided for all sizes*: a claim of powers, their minima and maxima, that linear programs in
  exact arithmetic decide exactly, with no constant left open, at each of 18 exponents;
* *argued in prose*: nothing contradicts it, and an argument in words stands beside it;
* *survives draws*: nothing contradicts it.
"""

from __future__ import annotations

import math
import re
import zlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rates.language import read_relation
from rates.ledger.claim import TOLERANCE, Claim, Relation, arguing
from rates.ledger.outcome import Outcome
from rates.ledger.powers import read_powers
from rates.ledger.texts import NOT_REPRODUCED, Entry, Form, shared_by
from rates.numbers import DomainError

UNTESTABLE = "not testable by numbers"
CONTRADICTED = "contradicted by exact numbers"
NOT_SEEN = "not reproduced in our runs"
COMPUTED = "contradicted by computed numbers"
DECIDED = "decided for all sizes"
ARGUED = "argued in prose"
SURVIVES = "survives draws"
FAILS = (CONTRADICTED, COMPUTED, NOT_SEEN)
DRAWS = 400
_FEW = 10
FORMULA = re.compile(r"`([^`]+)`")  # of an argument


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The verdict on one form of an entry.

    Attributes:
        form: As printed, or in our reading.
        words: As listed above.
        outcome: What was found; None without a test.
    """

    form: Form
    words: str
    outcome: Outcome | None = None


def check(entry: Entry, *, seed: int = 0, number: int | None = None) -> tuple[Verdict, ...]:
    """Test every form of an entry and return its verdicts.

    The draws depend on the seed and the id alone, and are the same for both forms.

    Args:
        entry: The entry.
        seed: An integer of at least 0.
        number: Draws; `DRAWS` for a claim and a function's own number by default.

    Raises:
        DomainError: The seed or the number is outside its set.

    Examples:
        >>> from rates.ledger import entry
        >>> [one.words for one in check(entry("ACC:Cor3.2:eps21"))]
        ['contradicted by exact numbers', 'argued in prose']
    """
    for name, value, least in (("seed", seed, 0), ("draws", number, 1)):
        whole = isinstance(value, int) and not isinstance(value, bool) and value >= least
        if not whole and (name == "seed" or value is not None):
            rule = f"{name} must be an integer of at least {least}."
            raise DomainError(rule, field=name, value=value)
    return tuple(_judged(entry, form, _tried(entry, form, seed, number)) for form in entry.forms)


def _tried(entry: Entry, form: Form, seed: int, number: int | None) -> Outcome | None:
    """Return what draws say of a form: of its claim, or else of its function."""
    generator = np.random.default_rng([seed, zlib.crc32(entry.id.encode())])
    own = entry.claims.get(form)
    found = None if own is None else draw(own, generator, number or DRAWS)
    if found is not None and form == entry.used:
        found = _with_steps(entry, own, found, seed, number or DRAWS)
    if not entry.check or (found is not None and found.fails):
        return found
    from rates.ledger import functions  # on demand: they load the engines

    function = functions.find(entry.check)
    return functions.measure(function, form, generator, number=number, example=entry.example)


def draw(claim: Claim, generator: np.random.Generator, number: int) -> Outcome:
    """Try a claim at draws of its letters inside its conditions, and at its example."""
    at = claim.draw(generator, number)
    inside = claim.inside(at)
    if inside.sum() < number // _FEW:  # narrow conditions: draw on until some meet them
        at = claim.draw(generator, _FEW * number)
        inside = claim.inside(at)
    gaps = np.where(inside, claim.gaps(at), -np.inf)
    worst = int(np.argmax(gaps))
    example = None
    if claim.at is not None:
        numbers = claim.example()
        example = float(claim.gaps(numbers)[0]) if claim.inside(numbers)[0] else -math.inf
    return Outcome(
        number=int(inside.sum()),
        violations=int(np.count_nonzero(gaps > TOLERANCE)),
        worst=float(gaps[worst]),
        at={name: float(x[worst]) for name, x in at.items()},
        example=example,
    )


def relation(text: str, of: str = "") -> Relation | None:
    """Return the relation that a formula of an argument says; None where it is one side alone.

    A formula without a sign between two sides is shown and says nothing.

    >>> relation("n >= 2") is None, relation("2*n") is None
    (False, True)
    """
    sides = any(sign in text for sign in "<>=")
    return Relation(*read_relation(text, f"the argument of {of}")) if sides else None


def steps(entry: Entry) -> tuple[Relation, ...]:
    """Return the relations between backticks in an argument, in order."""
    texts = (text for step in entry.argument for text in FORMULA.findall(step))
    return tuple(one for text in texts if (one := relation(text, entry.id)))


def _with_steps(
    entry: Entry, claim: Claim | None, found: Outcome, seed: int, number: int
) -> Outcome:
    """Count the draws at which a formula of the argument fails as violations too."""
    said = steps(entry)
    if claim is None or not said:
        return found
    generator = np.random.default_rng([seed, zlib.crc32(entry.id.encode())])
    argued = draw(arguing(claim, said, shared_by(entry.paper), entry.id), generator, number)
    if not argued.violations:
        return found
    return replace(found, violations=argued.violations, worst=argued.worst, at=argued.at)


def _judged(entry: Entry, form: Form, outcome: Outcome | None) -> Verdict:
    if outcome is None:
        return Verdict(form=form, words=UNTESTABLE)
    if outcome.fails:
        return Verdict(form=form, words=_contradicted(entry, form), outcome=outcome)
    words = SURVIVES
    if form == entry.used:
        words = ARGUED if entry.argument else SURVIVES
        words = DECIDED if _decided(entry, form) else words
    return Verdict(form=form, words=words, outcome=outcome)


def _contradicted(entry: Entry, form: Form) -> str:
    if entry.category == NOT_REPRODUCED:
        return NOT_SEEN
    own = entry.claims.get(form)
    if own is None or own.at is None:
        return COMPUTED
    from rates.ledger import certificate  # on demand: it needs mpmath

    return CONTRADICTED if certificate.holds(entry, form) else COMPUTED


def _decided(entry: Entry, form: Form) -> bool:
    own = entry.claims.get(form)
    if own is None or own.at or entry.check or read_powers(own) is None:
        return False
    from rates.ledger.decided import decided  # on demand: it needs sympy

    return decided(own)


def complaints(entry: Entry, verdicts: tuple[Verdict, ...]) -> list[str]:
    """Say in what an entry and its verdicts do not fit together; nothing where they do."""
    out = []
    words: dict[str, str] = {one.form: one.words for one in verdicts}
    fails = words["printed"] in FAILS
    if entry.category and words["printed"] in (SURVIVES, DECIDED, ARGUED):
        out.append(f"it is filed under {entry.category!r}, and nothing contradicts it")
    if fails and not (entry.category or entry.withdrawn):
        out.append("it is contradicted, and filed under no category")
    if words.get("reading") in FAILS:
        out.append("our reading is contradicted")
    for one in verdicts:
        if one.outcome is not None and not one.outcome.number:
            out.append(f"no draw meets the conditions of the {one.form} form")
        own = entry.claims.get(one.form)
        if own is not None and own.at is not None and one.words != CONTRADICTED:
            out.append(f"its numbers do not contradict the {one.form} form")
    return out


def as_row(verdicts: tuple[Verdict, ...]) -> dict[str, Any]:
    """Return what is stored of verdicts: words, how many draws were made, and how many failed."""
    row: dict[str, Any] = {}
    for one in verdicts:
        found = one.outcome
        row[one.form] = one.words
        if found is not None:
            row[f"{one.form}_draws"] = [found.number, found.violations]
    return row
