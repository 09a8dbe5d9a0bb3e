"""The ledger: printed statements as data, and verdicts that are computed from them.

A claim file (`rates/claims/*.toml`) holds what a statement says, under which hypotheses, as
printed and in our reading, with a proof where we correct it. Its check (`rates/statements/checks`)
draws parameter sets inside the hypotheses and measures by how much each form fails. The verdict on
a form follows from both, by one rule, the first line that fits:

* *not checked as shown*: what is shown is not what was read against the check (`reviewed`);
* *not testable by numbers*: no check;
* *its test tells nothing apart*: it would say the same of every mutant of the claim;
* *dropped from the ledger*: it fails, and the paper does not say it after all;
* its category, as *needs a condition*, or else *contradicted by an example*: a draw, or the stored
  counterexample, violates it, or its formal claim (`rates.formal`) fails;
* *its derivation fails*: a step of the derivation of the form that we use does not come out;
* *algebra checked step by step*: no violation, and every step of its derivation comes out;
* *decided for all sizes at these exponents*: no violation, and a claim of orders that exact
  arithmetic decides at the exponents of `rates.statements.decided`;
* *short argument and tests*: no violation, and the claim carries an argument for this form;
* *tests only*: no violation.
"""

from __future__ import annotations

import re
import tomllib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from rates.formal import claims
from rates.numbers import DomainError
from rates.statements.formless import FORMLESS
from rates.statements.outcome import FORMS, Form, Outcome
from rates.statements.reviewed import as_reviewed, decisions, derived, told

PAPERS = ("ACC", "CCV", "KS", "BCMM", "DPLR")
KINDS = (
    "theorem",
    "corollary",
    "lemma",
    "proposition",
    "remark",
    "definition",
    "table",
    "formula",
    "text",
    "derived",
)
READINGS = ("A", "B")
CONCLUSION = "changes a conclusion"
NOT_REPRODUCED = "not reproduced at our settings"
CATEGORIES = (
    CONCLUSION,
    "needs a condition",
    "constant or logarithm",
    "misprint",
    "literal reading",
    NOT_REPRODUCED,
)
QUOTED = ("verbatim", "paraphrase", "implied")
FORMAL = "formal"
_DATED = re.compile(r"\d{4}-\d\d-\d\d: \S")
REFUTED = "contradicted by an example"
ALGEBRA = "algebra checked step by step"
DECIDED = "decided for all sizes at these exponents"
ARGUED = "short argument and tests"
TESTED = "tests only"
UNTESTABLE = "not testable by numbers"
UNSHOWN = "not checked as shown"
DROPPED = "dropped from the ledger"
BROKEN = "its derivation fails"
BLIND = "its test tells nothing apart"
SUPPORTED = (ALGEBRA, DECIDED, ARGUED)
CONTRADICTED = (REFUTED, *CATEGORIES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One printed statement.

    Attributes:
        id: Unique, ``PAPER:Place`` or ``PAPER:Place:part``, as ``ACC:Cor3.2:eps21``.
        paper: One of `PAPERS`.
        section: Section of the paper, as "3.2".
        kind: One of `KINDS`; "derived" is a formula of ours, which stands in `printed`.
        title: A few words.
        category: One of `CATEGORIES` where numbers contradict the printed form; empty elsewhere, so
            also for a slip in a name or a list, which stands in `reading` alone.
        repeats: Id of the entry whose slip this one repeats; such a one is not counted.
        quoted: How `printed` stands in the paper, one of `QUOTED`; empty where nobody looked.
        extraction: Whether our text of the paper may have lost what is missing; not counted either.
        withdrawn: Whether it is no statement of the paper after all; its link still opens.
        history: Why it was reworded, put elsewhere or dropped, each with its date.
        claim: What is claimed, in our words, one or two sentences.
        printed: The claim as printed, LaTeX (one formula a line).
        hypotheses: Conditions, in words with plain symbols.
        reading: The corrected form, LaTeX; None where the printed one stands. A file has "formal"
            where it is the formal claim, from which the LaTeX is then made.
        checked_as: Which case of a typed reading its formal claim states, in words.
        why: Why we read it otherwise, or what the test does, one to three sentences.
        proof: Numbered steps that prove the form that we use.
        derivation: Key of a derivation in `rates.statements.symbolic`; None without one.
        check: Name of its test, ``"module.name"``; None where numbers cannot decide.
        untestable: Why numbers cannot decide it; required where there is no check.
        formless: Which of `FORMLESS` it is, where no formula is formed of what a test tries.
        counterexample: Parameters of the check at which the printed form fails.
        smallest: In which sense the counterexample is the smallest, one sentence.
        holds_at: The next smaller parameter set, at which the printed form still holds.
        study: The study that the counterexample opens, as the JSON of a link.
        map: The point of the phase map that it opens, as `rates.maps.design.to_text` writes it.
        table: The reading of Table 1, "A" or "B", that is wrong there and that the map shows.
        errata: Numbers of our list of corrections, as "E1".
        pages: Pages of the app that use the statement.
    """

    id: str
    paper: str
    section: str
    kind: str
    title: str
    claim: str
    printed: str
    category: str = ""
    repeats: str = ""
    quoted: str = ""
    extraction: bool = False
    withdrawn: bool = False
    history: tuple[str, ...] = ()
    hypotheses: tuple[str, ...] = ()
    reading: str | None = None
    checked_as: str = ""
    why: str = ""
    proof: tuple[str, ...] = ()
    derivation: str | None = None
    check: str | None = None
    untestable: str = ""
    formless: str = ""
    counterexample: Mapping[str, float] | None = None
    smallest: str = ""
    holds_at: Mapping[str, float] | None = None
    study: str | None = None
    map: str | None = None
    table: str = ""
    errata: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _require(self.paper in PAPERS, self.id, "paper", self.paper, f"one of {PAPERS}")
        _require(self.kind in KINDS, self.id, "kind", self.kind, f"one of {KINDS}")
        _require(self.id.startswith(f"{self.paper}:"), self.id, "id", self.id, "PAPER:Place")
        decided = (self.check is None) == bool(self.untestable)
        _require(decided, self.id, "check", self.check, "a check, or else a word why there is none")
        if self.check is not None:
            file = self.check.partition(".")[0].replace("_", "/", 1)
            known = (resources.files("rates.statements") / "checks" / f"{file}.py").is_file()
            _require(known, self.id, "check", self.check, "in a module of the checks")
        # Numbers decide whatever a number contradicts: such a claim must have a check.
        tried = self.counterexample is None or self.check is not None
        _require(tried, self.id, "counterexample", "one without a check", "tried by a check")
        argued = self.reading is None or self.check is not None or bool(self.proof)
        _require(argued, self.id, "reading", "neither", "supported by a check or a proof")
        shown = not self.table or (self.table in READINGS and self.map is not None)
        _require(shown, self.id, "table", self.table, f"one of {READINGS}, with a map")
        known_category = not self.category or self.category in CATEGORIES
        _require(known_category, self.id, "category", self.category, f"one of {CATEGORIES}")
        known_quote = self.quoted in QUOTED if self.category else self.quoted in ("", *QUOTED)
        _require(known_quote, self.id, "quoted", self.quoted, f"one of {QUOTED}")
        alike = not self.withdrawn or not self.category
        _require(alike, self.id, "category", self.category, "empty of one that is withdrawn")
        explained = bool(self.history) or not (self.category or self.withdrawn)
        explained = explained and all(map(_DATED.match, self.history))
        _require(explained, self.id, "history", self.history, "reasons, each with its date")
        kind = not self.formless or self.formless in FORMLESS
        _require(kind, self.id, "formless", self.formless, f"one of {tuple(FORMLESS)}")
        for name in ("smallest", "holds_at"):
            alone = bool(getattr(self, name)) and self.counterexample is None
            _require(not alone, self.id, name, "none", "given beside a counterexample")

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms that can be judged: the printed one, and our reading where there is one."""
        return FORMS if self.reading is not None else FORMS[:1]

    @property
    def counted(self) -> bool:
        """Whether it counts as a slip: once each, and not where our text may be to blame."""
        return bool(self.category) and not self.repeats and not self.extraction

    @property
    def simulated(self) -> bool:
        """Whether it is about simulated accuracies: tried on runs, and used by no formula."""
        return (self.check or "").startswith("acc_simulations.")

    @property
    def used(self) -> Form:
        """The form that the engine uses."""
        return self.forms[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The verdict on one form of a statement, with what it rests on.

    Attributes:
        form: As printed, or in our reading.
        words: The verdict in words, for a page.
        outcome: What the test found; None where there is no test.
    """

    form: Form
    words: str
    outcome: Outcome | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The verdicts on all forms of one statement."""

    statement: Statement
    verdicts: tuple[Verdict, ...]

    def of(self, form: Form) -> Verdict:
        """Return the verdict on one form."""
        return next(verdict for verdict in self.verdicts if verdict.form == form)


def _require(holds: bool, where: str, field: str, value: object, domain: str) -> None:
    if not holds:
        raise DomainError(f"{field} must be {domain}.", field=field, value=value, where=where)


def _record(entry: dict[str, Any]) -> Statement:
    known = {field.name for field in fields(Statement)}
    unknown = sorted(set(entry) - known)
    subject = str(entry.get("id", "a claim without id"))
    _require(not unknown, subject, "fields", ", ".join(unknown), ", ".join(sorted(known)))
    made = {key: _plain(value) for key, value in entry.items()}
    if made.get("reading") == FORMAL:
        formal = claims().get((subject, "reading"))
        _require(formal is not None, subject, "reading", FORMAL, "typed where there is no claim")
        made["reading"] = "\n".join(formal.latex) if formal else None
    return Statement(**made)


def _plain(value: Any) -> Any:
    """Return a list as a tuple and a text without the line ends around it."""
    if isinstance(value, list):
        return tuple(value)
    return value.strip() if isinstance(value, str) else value


@cache
def statements() -> tuple[Statement, ...]:
    """Return every statement of the ledger, in the order of the claim files.

    Raises:
        DomainError: If a claim file holds an unknown field, a value outside its set or an id
            twice.

    Examples:
        >>> statement("ACC:Cor3.2:eps21").errata
        ('E1',)
    """
    return tuple(item for paper in PAPERS for item in statements_of(paper))


@cache
def statements_of(paper: str) -> tuple[Statement, ...]:
    """Return the statements of one paper, as `statements` does.

    >>> {item.paper for item in statements_of("ACC")}
    {'ACC'}
    """
    folder = resources.files("rates") / "claims"
    files = sorted(
        (
            file
            for file in folder.iterdir()
            if file.name.startswith(paper.lower()) and file.name.endswith(".toml")
        ),
        key=lambda file: file.name,
    )
    entries = [
        entry
        for file in files
        for entry in tomllib.loads(file.read_text(encoding="utf-8"))["statement"]
    ]
    found = tuple(_record(entry) for entry in entries)
    names = [item.id for item in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    _require(not twice, "claims", "id", ", ".join(twice), "unique ids")
    first = {item.id for item in found if item.category and not item.repeats}
    for item in found:
        known = not item.repeats or item.repeats in first
        _require(known, item.id, "repeats", item.repeats, "an entry of this paper that is counted")
    return found


def statement(name: str) -> Statement:
    """Return one statement by its id.

    Raises:
        DomainError: If there is none of that name.
    """
    for item in statements():
        if item.id == name:
            return item
    raise DomainError("There is no statement of this id.", field="id", value=name, where="Ledger")


def judge(
    item: Statement,
    form: Form,
    outcome: Outcome | None,
    *,
    derivations: Mapping[str, bool] | None = None,
    contradicted: bool = False,
) -> str:
    """Return the verdict that a test's outcome means for one form of a statement.

    Args:
        item: The statement.
        form: As printed, or in our reading.
        outcome: What its test found; None where there is none.
        derivations: By name, whether every step comes out; as stored by default.
        contradicted: Whether its formal claim fails.
    """
    if not as_reviewed(item):
        return UNSHOWN
    if outcome is None:
        return UNTESTABLE
    tally = told().get(item.id)
    # Changes of a check's code touch more than its claim: they are shown, and decide nothing.
    formal = tally is not None and "of" not in tally
    if tally is not None and formal and tally["changed"] and not tally["told"]:
        return BLIND
    if outcome.fails or contradicted:
        if form == "printed" and item.withdrawn:
            return DROPPED
        return (item.category if form == "printed" else "") or REFUTED
    if form != item.used:
        return TESTED
    if item.derivation is not None:
        known = derived() if derivations is None else derivations
        return ALGEBRA if known.get(item.derivation) else BROKEN
    if item.id in decisions():
        return DECIDED if decisions()[item.id]["holds"] else BROKEN
    return ARGUED if item.proof else TESTED


def evaluate(
    item: Statement,
    *,
    seed: int = 0,
    number: int | None = None,
    derivations: Mapping[str, bool] | None = None,
) -> Evaluation:
    """Test every form of a statement and return its verdicts.

    The draws depend on the seed and the statement's id alone, and are the same for both forms.

    Args:
        item: The statement.
        seed: An integer of at least 0.
        number: Draws; the check's own number by default.
        derivations: As for `judge`.

    Raises:
        DomainError: If the seed or the number is outside its set.
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise DomainError("seed must be an integer of at least 0.", field="seed", value=seed)
    verdicts = []
    for form in item.forms:
        outcome = None
        if item.check is not None:
            from rates.statements.checks import find, measure  # on demand: 40 modules

            outcome = measure(
                find(item.check),
                form,
                generator=np.random.default_rng([seed, zlib.crc32(item.id.encode())]),
                seed=seed,
                number=number,
                counterexample=item.counterexample,
            )
        claim = claims().get((item.id, form))
        fails = claim is not None and claim.contradicted(np.random.default_rng([seed, 1]))
        words = judge(item, form, outcome, derivations=derivations, contradicted=fails)
        verdicts.append(Verdict(form=form, words=words, outcome=outcome))
    return Evaluation(statement=item, verdicts=tuple(verdicts))
