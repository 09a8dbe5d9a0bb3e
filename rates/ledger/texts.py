"""The entries of the ledger: what a paper prints, as a claim that can be checked, and our reading.

One text per paper, `rates/ledger/<paper>.toml`: the ranges of its letters, definitions that its
claims share, its sections, each with what is left out, and in them its entries in the paper's
order. Pages that stand on top are those of all entries that name none. Formulas that are shown are
always rendered from the claims.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from importlib import resources
from typing import Any, Literal, NoReturn

from rates.ledger.claim import Claim, read_claim
from rates.numbers import DomainError

Form = Literal["printed", "reading"]
FORMS: tuple[Form, ...] = ("printed", "reading")
PAPERS = ("ACC", "CCV", "KS", "BCMM", "DPLR", "CAC")
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
MAX_WHY = 3  # sentences
_DATED = re.compile(r"\d{4}-\d\d-\d\d: \S")
_SENTENCE = re.compile(r"[.!?](?=\s+[^a-z\s]|$)")


@dataclass(frozen=True, kw_only=True, eq=False)
class Entry:
    """One printed statement, or a formula of ours that follows from one.

    Attributes:
        id: Unique, ``PAPER:Place`` or ``PAPER:Place:part``, as ``ACC:Cor3.2:eps21``.
        section: Section of the paper, as "3.2".
        place: Where it stands, as a reader finds it: "Corollary 3.2, item 3".
        title: A few words.
        quote: The paper's own words, formulas between ``$``; empty for a formula of ours.
        copy: What our copy of the paper garbles or has lost in it; empty where nothing.
        says: What is claimed, in our words, one or two sentences.
        given: Conditions in words that the claim cannot express.
        claim: The claim as text (`rates.ledger.claim`); empty where it has none.
        reading: Our reading likewise: parts that it leaves out are the claim's.
        means: Our reading in words; required where a reading differs and has no claim.
        case: Which case of the statement or the reading the claim expresses, in words.
        why: Why we read it otherwise, or what a test does, at most three sentences.
        argument: Numbered steps in prose; formulas between backticks are checked as the claim is.
        category: One of `CATEGORIES` where the printed form does not hold; else empty.
        repeats: Id of the entry whose slip this one repeats; such a one is not counted.
        damaged: Whether our copy may have lost what is missing; not counted either.
        withdrawn: Whether it is no statement of the paper after all; its link still opens.
        history: Why it was reworded, put elsewhere or dropped, each with its date.
        check: A function of `rates.ledger.functions` that tests what a claim cannot express.
        example: Parameters of that function at which the printed form fails.
        untestable: Why numbers cannot decide it; required without claim and function.
        study: The study that shows the example, as the JSON of a link.
        map: The point of the phase map that shows it, as `rates.maps.design.to_text` writes it.
        table: The reading of Table 1, "A" or "B", that is wrong there and that the map shows.
        errata: Numbers of our list of corrections, as "E1".
        pages: Pages of the app that use it; those of its section or its text where it names none.
    """

    id: str
    section: str
    place: str
    title: str
    says: str
    quote: str = ""
    copy: str = ""
    given: tuple[str, ...] = ()
    claim: str = ""
    reading: str = ""
    means: str = ""
    case: str = ""
    why: str = ""
    argument: tuple[str, ...] = ()
    category: str = ""
    repeats: str = ""
    damaged: bool = False
    withdrawn: bool = False
    history: tuple[str, ...] = ()
    check: str = ""
    example: Mapping[str, float] = field(default_factory=dict)
    untestable: str = ""
    study: str = ""
    map: str = ""
    table: str = ""
    errata: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self._must(self.paper in PAPERS, "id", self.id, "PAPER:Place")
        known = not self.category or self.category in CATEGORIES
        self._must(known, "category", self.category, f"one of {CATEGORIES}")
        tested = bool(self.claim or self.check)
        self._must(tested != bool(self.untestable), "claim", self.claim, "there, or a word why not")
        for name, needs in (("reading", "claim"), ("example", "check"), ("table", "map")):
            alone = bool(getattr(self, name)) and not getattr(self, needs)
            self._must(not alone, name, "one alone", f"beside a {needs}")
        of_ours = not self.category or bool(self.quote or self.copy)
        self._must(of_ours, "quote", self.quote, "there, or a word why it is not")
        self._must(not (self.withdrawn and self.category), "category", self.category, "empty")
        explained = bool(self.history) or not (self.category or self.withdrawn)
        explained = explained and all(map(_DATED.match, self.history))
        self._must(explained, "history", self.history, "reasons, each with its date")
        long = len(_SENTENCE.findall(self.why))
        self._must(long <= MAX_WHY, "why", f"{long} sentences", f"at most {MAX_WHY}")
        # A claim that cannot be read has to be refused where its text stands.
        _ = self.claims

    def _must(self, holds: bool, name: str, value: object, domain: str) -> None:
        if not holds:
            _refuse(self.id, name, value, domain)

    @property
    def paper(self) -> str:
        """Key of the paper."""
        return self.id.partition(":")[0]

    @cached_property
    def claims(self) -> Mapping[Form, Claim]:
        """The claims of its forms, as far as it has them."""
        found: dict[Form, Claim] = {}
        shared = text_of(self.paper)
        if self.claim:
            found["printed"] = read_claim(self.claim, self.id, shared=shared)
        if self.reading:
            of = f"the reading of {self.id}"
            found["reading"] = read_claim(self.reading, of, found["printed"], shared)
        return found

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms that can be judged: the printed one, and our reading where there is one."""
        return FORMS if self.reading or self.means else FORMS[:1]

    @property
    def used(self) -> Form:
        """The form that the engine uses."""
        return self.forms[-1]

    @property
    def ours(self) -> bool:
        """Whether it is a formula of ours, which the paper does not print."""
        return not (self.quote or self.copy)

    @property
    def counted(self) -> bool:
        """Whether it counts as a slip: once each, and not where our copy may be to blame."""
        return bool(self.category) and not self.repeats and not self.damaged

    @property
    def simulated(self) -> bool:
        """Whether it is about simulated results: tried on runs, and used by no formula."""
        return self.category == NOT_REPRODUCED or self.check.startswith("simulations.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One section of a paper.

    Attributes:
        paper: Key of the paper.
        section: Its number, as "3.2".
        title: Its title.
        left_out: What of it is not in the ledger, and why; empty where nothing is missing.
        pages: Pages of the app that use its entries, where an entry names no others.
    """

    paper: str
    section: str
    title: str
    left_out: str = ""
    pages: tuple[str, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What stands in the ledger of it."""
        return tuple(one for one in entries_of(self.paper) if one.section == self.section)


def _refuse(where: str, name: str, value: object, domain: str) -> NoReturn:
    raise DomainError(f"{name} must be {domain}.", field=name, value=value, where=where)


def toml(name: str) -> dict[str, Any]:
    """Return a text of the ledger as TOML gives it; nothing where there is none.

    Raises:
        DomainError: It is no TOML.
    """
    file = resources.files("rates") / "ledger" / f"{name}.toml"
    try:
        return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except ValueError as error:
        _refuse(name, "text", str(error), "TOML")


def stored_json(name: str) -> dict[str, Any]:
    """Return a file that was made of the ledger; nothing where there is none."""
    file = resources.files("rates") / "ledger" / name
    return json.loads(file.read_text("utf-8")) if file.is_file() else {}


@cache
def text_of(paper: str) -> Mapping[str, Any]:
    """Return a paper's text, as `toml` does."""
    return toml(paper.lower())


def rows_of(text: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Return the entries of a text, each with what stands once for all: its section and pages."""
    everywhere = text.get("pages", [])
    return tuple(
        {"section": one["section"], "pages": one.get("pages", everywhere), **row}
        for one in text.get("section", ())
        for row in one.get("entry", ())
    )


@cache
def _rows(paper: str) -> tuple[Mapping[str, Any], ...]:
    return rows_of(text_of(paper))


@cache
def _read(paper: str, place: int) -> Entry:
    """Return an entry by its place; alone, since a whole paper takes longer."""
    return make(_rows(paper)[place])


def plain(value: Any) -> Any:
    """Return lists as tuples, and texts without the spaces around them, through all of a table."""
    if isinstance(value, Mapping):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return tuple(map(plain, value))
    return value.strip() if isinstance(value, str) else value


def _kind(value: Any) -> str:
    """Return what a value is, as a field's annotation says it."""
    if isinstance(value, tuple) and all(isinstance(one, str) for one in value):
        return "tuple[str, ...]"
    number = isinstance(value, dict) and not any(
        isinstance(one, bool) or not isinstance(one, int | float) for one in value.values()
    )
    return "Mapping[str, float]" if number else type(value).__name__


def make(row: Mapping[str, Any]) -> Entry:
    """Return the entry that a table of a paper's text says.

    Raises:
        DomainError: A field is unknown, missing or outside of its set.
    """
    known = {one.name: one.type for one in fields(Entry)}
    of = str(row.get("id", "an entry without id"))
    if unknown := sorted(set(row) - set(known)):
        _refuse(of, "fields", ", ".join(unknown), f"of {', '.join(sorted(known))}")
    if missing := sorted({"id", "section", "place", "title", "says"} - set(row)):
        _refuse(of, ", ".join(missing), "nothing", "there")
    said = plain(row)
    for name, value in said.items():
        if _kind(value) != known[name]:
            _refuse(of, name, str(value), f"of the kind {known[name]}")
    return Entry(**said)


@cache
def entries_of(paper: str) -> tuple[Entry, ...]:
    """Return the entries of one paper, in its order.

    Raises:
        DomainError: As `make` and `fitting`.
    """
    return fitting(paper, tuple(_read(paper, place) for place in range(len(_rows(paper)))))


def fitting(paper: str, found: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return the entries of a paper if they fit together.

    Raises:
        DomainError: An id is there twice; a section or a repeated entry is not there.
    """
    names = [one.id for one in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        _refuse(paper, "id", ", ".join(twice), "unique")
    slips = {one.id for one in found if one.category and not one.repeats}
    known = {one.section for one in sections(paper)}
    for one in found:
        if one.repeats and one.repeats not in slips:
            _refuse(one.id, "repeats", one.repeats, "an entry of this paper that is counted")
        if one.section not in known:
            _refuse(one.id, "section", one.section, "one of the paper's text")
    return found


@cache
def entries() -> tuple[Entry, ...]:
    """Return every entry of the ledger, paper by paper.

    >>> entry("ACC:Cor3.2:eps21").errata
    ('E1',)
    """
    return tuple(one for paper in PAPERS for one in entries_of(paper))


def entry(of: str) -> Entry:
    """Return one entry by its id.

    Raises:
        DomainError: There is none of that id.
    """
    paper = of.partition(":")[0]
    for place, row in enumerate(_rows(paper) if paper in PAPERS else ()):
        if row.get("id") == of:
            return _read(paper, place)
    raise DomainError("There is no statement of this id.", field="id", value=of, where="Ledger")


@cache
def sections(paper: str) -> tuple[Section, ...]:
    """Return the sections of one paper.

    >>> sections("ACC")[0].title
    'Introduction'
    """
    return tuple(
        Section(paper=paper, **plain({key: x for key, x in row.items() if key != "entry"}))
        for row in text_of(paper).get("section", ())
    )
