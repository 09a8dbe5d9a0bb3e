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

import numpy as np

from rates.language import read_relation
from rates.ledger import texts
from rates.ledger.claim import TOLERANCE, Claim, Outcome, Relation, arguing
from rates.ledger.texts import NOT_REPRODUCED, Entry, Form

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

    Examples:
        >>> from rates.ledger import entry
        >>> [one.words for one in check(entry("ACC:Cor3.2:eps21"))]
        ['contradicted by exact numbers', 'argued in prose']
    """
    found = []
    for form in entry.forms:
        outcome = _tried(entry, form, seed, number)
        found.append(Verdict(form=form, words=_words(entry, form, outcome), outcome=outcome))
    return tuple(found)


def _generator(entry: Entry, seed: int) -> np.random.Generator:
    return np.random.default_rng([seed, zlib.crc32(entry.id.encode())])


def _tried(entry: Entry, form: Form, seed: int, number: int | None) -> Outcome | None:
    """Return what draws say of a form: of its claim, or else of its function."""
    generator, own = _generator(entry, seed), entry.claims.get(form)
    found = None
    if own is not None:
        found = draw(own, generator, number or DRAWS)
        if form == entry.used and (said := steps(entry)):  # a false step is a violation too
            claim = arguing(own, said, texts.text_of(entry.paper), entry.id)
            argued = draw(claim, _generator(entry, seed), number or DRAWS)
            if argued.violations:
                found = replace(
                    found, violations=argued.violations, worst=argued.worst, at=argued.at
                )
    # A claim that fails needs no function to contradict it once more.
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
    # Outside of its conditions a claim says nothing, so that no such draw is its worst.
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


def _words(entry: Entry, form: Form, outcome: Outcome | None) -> str:
    """Return the verdict on a form, in words."""
    if outcome is None:
        return UNTESTABLE
    own = entry.claims.get(form)
    if outcome.fails:
        if entry.category == NOT_REPRODUCED:
            return NOT_SEEN
        if own is None or own.at is None:
            return COMPUTED
        from rates.ledger import certificates  # on demand: it needs mpmath

        return CONTRADICTED if certificates.contradicts(entry, form) else COMPUTED
    # The argument, and what is decided, are of the form that the engine uses.
    if form != entry.used:
        return SURVIVES
    if own is not None and not own.at and not entry.check:
        from rates.ledger.decided import decided  # on demand: it needs sympy

        if decided(own):
            return DECIDED
    return ARGUED if entry.argument else SURVIVES


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
