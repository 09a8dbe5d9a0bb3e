"""What is looked at in the ledger: one statement, or those that a search and filters leave."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache

import streamlit as st

from pages.charts import words
from pages.core import Texts, UrlState, address
from pages.statements.figures import LOOKS, Look
from rates import statements as theory
from rates.statements import Statement, StoredVerdict, statements

# By id, the verdicts on the printed form and, where there is one, on our reading.
Verdicts = Mapping[str, tuple[StoredVerdict, ...]]

MOST_TEXT = 80
MOST_SEED = 2**32 - 1
_ERRATUM = re.compile(r"e\d+")
_GREEK = {
    name.casefold(): chr(code)
    for code in range(0x3B1, 0x3CA)
    for name in (unicodedata.name(chr(code)).rsplit(" ", 1)[-1],)
    if code != 0x3C2  # the final sigma
} | {"eps": "ε", "lambda": "λ"}
_NAMES = "|".join(sorted(_GREEK, key=len, reverse=True))
_LATEX_GREEK = re.compile(rf"\\(?:var)?({_NAMES})(?![a-z])")
_WORD_GREEK = re.compile(rf"(?<![a-z])(?:{_NAMES})(?![a-z])")
_COMMAND = re.compile(r"\\(?:[a-z]+|.)")
_MARKS = re.compile(r"[{}_$&]")


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What the address of the page names; an empty text stands for all.

    Attributes:
        id: The one statement that is open.
        q: Words to search for.
        paper: One of the papers.
        verdict: One of the groups of verdicts on the printed form.
        category: The kind of slip, as `slug` writes it.
        kind: One of the kinds of statement.
        page: A page of the app that uses the statement.
        seed: Seed of the next run.
        view: "print" for one statement without anything around it, "letter" for a paper's errata.
    """

    id: str = ""
    q: str = ""
    paper: str = ""
    verdict: str = ""
    category: str = ""
    kind: str = ""
    page: str = ""
    seed: int = 0
    view: str = ""

    def without_filters(self) -> View:
        """The same place with search and filters taken away."""
        return replace(self, q="", paper="", verdict="", category="", kind="", page="")


PARAMETERS = tuple(field.name for field in fields(View))


def group(verdict: StoredVerdict) -> str:
    """Return the group of `LOOKS` that a verdict belongs to."""
    if verdict.words in theory.SUPPORTED:
        return "proved"
    if verdict.words == theory.NOT_REPRODUCED:  # a run of ours contradicts nothing
        return "apart"
    if verdict.words in theory.CONTRADICTED:
        return "refuted"
    if verdict.words == theory.DROPPED:
        return "dropped"
    return "survives" if verdict.words == theory.TESTED else "untestable"


def slug(category: str) -> str:
    """Return the name of a kind of slip in an address.

    >>> slug("needs a condition")
    'needs-a-condition'
    """
    return category.replace(" ", "-")


@cache
def kinds() -> dict[str, str]:
    """Return the kinds of slip that the ledger has, by their names in an address."""
    seen = {item.category for item in statements()}
    return {slug(name): name for name in theory.CATEGORIES if name in seen}


def look(verdict: StoredVerdict) -> Look:
    """Return how a verdict is shown."""
    return LOOKS[group(verdict)]


def badge(verdict: StoredVerdict, form: str = "") -> str:
    """Return a verdict as a badge in Markdown, with a word on which form it is about."""
    style = look(verdict)
    return f":{style.badge}-badge[{style.mark} {form}{verdict.words}]"


def pages(item: Statement) -> tuple[str, ...]:
    """Return the pages of the app that use a statement."""
    return item.pages


@cache
def allowed() -> dict[str, tuple[str, ...]]:
    """Return the values that each filter takes."""
    return {
        "paper": theory.PAPERS,
        "verdict": tuple(name for name in LOOKS if name != "dropped"),
        "category": tuple(kinds()),
        "kind": tuple(kind for kind in theory.KINDS if any(s.kind == kind for s in statements())),
        "page": tuple(sorted({stem for item in statements() for stem in pages(item)})),
        "view": ("print", "letter"),
    }


def read(parameters: Mapping[str, str]) -> tuple[View, list[str]]:
    """Read the view from an address; return it with a sentence on each part that was refused."""
    values: dict[str, object] = {}
    problems = []
    for name, choices in allowed().items():
        if given := parameters.get(name, ""):
            if given in choices:
                values[name] = given
            else:
                listed = ", ".join(choices)
                problems.append(f"{name} must be one of {listed}; got {given[:40]!r}.")
    if given := parameters.get("id", ""):
        if any(item.id == given for item in statements()):
            values["id"] = given
        else:
            problems.append(f"There is no statement with the id {given[:60]!r}.")
    text = parameters.get("q", "")
    values["q"] = text[:MOST_TEXT]
    if len(text) > MOST_TEXT:
        problems.append(f"A search has at most {MOST_TEXT} characters; the rest was left out.")
    if given := parameters.get("seed", ""):
        if given.isascii() and given.isdigit() and len(given) <= 10 and int(given) <= MOST_SEED:
            values["seed"] = int(given)
        else:
            problems.append(f"seed must be an integer from 0 to {MOST_SEED:,}; got {given[:40]!r}.")
    found = View(**values)  # type: ignore[arg-type]
    return _whole(found, problems), problems


def _whole(found: View, problems: list[str]) -> View:
    """The same without a view of something that is not named; says so."""
    needs = {
        "print": (found.id, "The print view needs the id of a statement."),
        "letter": (found.paper, f"A sheet for authors needs a paper: {', '.join(theory.PAPERS)}."),
    }
    named, problem = needs.get(found.view, ("", ""))
    if not problem or named:
        return found
    problems.append(problem)
    return replace(found, view="")


def written(view: View) -> dict[str, str]:
    """Return what an address says of a view: all that differs from the plain page."""
    plain = View()
    return {
        name: str(getattr(view, name))
        for name in PARAMETERS
        if getattr(view, name) != getattr(plain, name)
    }


def folded(text: str) -> str:
    r"""Return a text as it is searched: small letters, Greek by letter, without LaTeX marks.

    >>> {folded(x) for x in ("ε_21", "eps21", "epsilon_21", "ε₂₁", r"\varepsilon_{21}", "Ε21")}
    {'ε21'}
    """
    text = unicodedata.normalize("NFKC", text).casefold()
    text = _LATEX_GREEK.sub(lambda found: _GREEK[found[1]], text)
    text = _COMMAND.sub(" ", text.replace("}{", " "))
    text = _WORD_GREEK.sub(lambda found: _GREEK[found[0]], text)
    return _MARKS.sub("", text)


@cache
def _searched(name: str) -> str:
    """What a search looks at of one statement."""
    item = next(item for item in statements() if item.id == name)
    place = f"{item.id} {item.title} {item.claim} section {item.section} {item.kind}"
    state = "corrected" if item.reading is not None else ""
    reasons = f"{item.why} {item.untestable} {' '.join(item.hypotheses)}"
    return folded(f"{place} {state} {reasons} {item.printed} {item.reading or ''}")


def fits(item: Statement, printed: str, view: View) -> bool:
    """Whether search and filters leave a statement whose printed form is in a group."""
    if view.paper not in ("", item.paper) or view.kind not in ("", item.kind):
        return False
    if view.verdict not in ("", printed) or (view.page and view.page not in item.pages):
        return False
    if view.category not in ("", slug(item.category)):
        return False
    text = _searched(item.id)
    numbers = {number.casefold() for number in item.errata}
    return all(
        word in numbers if _ERRATUM.fullmatch(word) else word in text
        for word in folded(view.q).split()
    )


@cache
def ordered() -> tuple[Statement, ...]:
    """Return all statements but the dropped ones, section after section as in the papers."""
    places = [(row.paper, row.section) for row in theory.coverage()]
    kept = [item for item in statements() if not item.withdrawn]
    return tuple(sorted(kept, key=lambda item: places.index((item.paper, item.section))))


def chosen(verdicts: Verdicts, view: View) -> tuple[Statement, ...]:
    """Return the statements that search and filters leave, in the order of the papers."""
    return tuple(item for item in ordered() if fits(item, group(verdicts[item.id][0]), view))


class _Url(UrlState[View]):
    """Each part stands in the address under its own name; a link without any asks for the list."""

    @property
    def names(self) -> tuple[str, ...]:
        return PARAMETERS

    def open(self, texts: Texts) -> tuple[View, list[str]]:
        return read(texts)

    def write(self, value: View) -> Texts:
        return written(value)

    def arrived(self, texts: Texts) -> bool:
        return address.untouched() and texts != address.seen(self.parameter)


VIEW = _Url(parameter="ledger", start=View())


def notes() -> None:
    """Say what in the address could not be used."""
    for problem in VIEW.problems:
        st.warning(words.md(problem))
