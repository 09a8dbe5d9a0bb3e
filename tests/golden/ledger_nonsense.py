"""Edit a copy of the ledger at random and ask whether what checks it notices.

An edit changes one thing of the texts, as they are read, of the certificates or of the stored
verdicts. What notices it is counted by the first that does: the reader; draws and certificates,
which say that something else is true; what every entry keeps to, with its quote in the paper's
text; or nothing but the digest of the text that was checked. All is judged in this process, and
what an edit leaves as it is once.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from rates.ledger import PAPERS, Entry, certificates, check, entries, review, texts, verdicts
from rates.ledger.decided import carried
from rates.ledger.verify import sides
from rates.numbers import DomainError
from tests.rates.ledger.rules import oddities

Rows = dict[str, dict[str, Any]]
BY = ("the reader", "draws", "certificates", "rules and quotes", "the digest alone", "nothing")
DIGESTS = (  # of a text, and of the list of them
    *("not the one that was checked", "not those that were checked"),
    *("nothing is stored of it", "no longer there"),
)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]|\s*\.\.)")


@dataclass
class Copy:
    """A copy of the ledger that may be edited.

    Attributes:
        texts: What stands once for all in a paper's text, by paper.
        rows: The entries as their texts say them, by id.
        certificates: The file of certificates.
        verdicts: The file of verdicts.
    """

    texts: dict[str, dict[str, Any]]
    rows: Rows
    certificates: dict[str, Any]
    verdicts: dict[str, Any]

    @property
    def state(self) -> str:
        """All of it as one text."""
        return json.dumps([self.texts, self.rows, self.certificates, self.verdicts], default=list)


def original() -> Copy:
    """Return the ledger as it stands."""
    found = {paper: copy.deepcopy(dict(texts.text_of(paper))) for paper in PAPERS}
    rows = {row["id"]: dict(row) for paper in PAPERS for row in texts.rows_of(found[paper])}
    for text in found.values():
        for section in text["section"]:
            section.pop("entry", None)
    return Copy(
        found,
        copy.deepcopy(rows),
        texts.stored_json(certificates.FILE),
        copy.deepcopy(dict(verdicts.load())),
    )


class Draw:
    """Random choices of an edit."""

    def __init__(self, seed: int) -> None:
        self.generator = np.random.default_rng(seed)

    def one(self, of: Any) -> Any:
        """Return one of several things."""
        found = list(of)
        return found[int(self.generator.integers(len(found)))]

    def row(self, rows: Rows, *names: str) -> dict[str, Any]:
        """Return an entry that has one of these fields."""
        return rows[self.one(of for of, row in rows.items() if any(map(row.get, names)))]

    def within(self, text: str, pattern: str, by: Callable[[str], str]) -> str:
        """Return a text with one match of a pattern changed; itself where there is none."""
        found = list(re.finditer(pattern, text))
        if not found:
            return text
        at = self.one(found)
        return text[: at.start()] + by(at.group()) + text[at.end() :]


def _formula(draw: Draw, the: Copy) -> tuple[dict[str, Any], str]:
    row = draw.row(the.rows, "claim")
    return row, draw.one(name for name in ("claim", "reading") if row.get(name))


def sign(draw: Draw, the: Copy) -> None:
    """A + becomes -, <= becomes >=, or the like."""
    row, name = _formula(draw, the)
    turned = {"+": "-", "-": "+", "<=": ">=", ">=": "<=", "<": ">", ">": "<", "=": "<="}
    row[name] = draw.within(row[name], r"<=|>=|[<>=]|(?<=[\w)] )[+-](?= )", turned.__getitem__)


def exponent(draw: Draw, the: Copy) -> None:
    """A tenth more in one exponent."""
    row, name = _formula(draw, the)
    row[name] = draw.within(row[name], r"\^(\w+|\()", lambda x: f"^(1/10 + {x[1:]}")
    place = row[name].find("^(1/10 + ")
    if place >= 0:  # close the bracket behind the exponent
        depth, end = 0, place + 1
        opened = row[name][place + 9] == "("
        for end in range(place + 1, len(row[name])):
            depth += {"(": 1, ")": -1}.get(row[name][end], 0)
            inside = depth > 1 or (not opened and row[name][end].isalnum())
            if end > place + 9 and not inside:
                break
        cut = end + 1 if opened else end
        row[name] = f"{row[name][:cut]}){row[name][cut:]}"


def constant(draw: Draw, the: Copy) -> None:
    """One number in a claim becomes another."""
    row, name = _formula(draw, the)
    row[name] = draw.within(row[name], _NUMBER.pattern, lambda x: f"{float(x) * 2 + 1:g}")


def condition(draw: Draw, the: Copy) -> None:
    """A condition is dropped."""
    row = draw.one(row for row in the.rows.values() if "\nif " in row.get("claim", ""))
    head, mark, tail = row["claim"].partition("\nif ")
    said, then, rest = tail.partition("\nthen ")
    kept = said.split(";")
    del kept[draw.one(range(len(kept)))]
    row["claim"] = head + (mark + ";".join(kept) if kept else "") + then + rest


def widened(draw: Draw, the: Copy) -> None:
    """A range grows tenfold at one end, in a claim or in what a paper's claims share."""
    if draw.one([True, False]):
        ranges = the.texts[draw.one(PAPERS)]["ranges"]
        letter = draw.one(ranges)
        ranges[letter] = draw.within(ranges[letter], r"[\d.e+-]+(?=[\]}])", lambda x: f"{x}0")
        return
    row, name = _formula(draw, the)
    row[name] = draw.within(row[name], r"(?<=[ .])[\d.]+(?=[\]}])", lambda x: f"{x}0")


def shared(draw: Draw, the: Copy) -> None:
    """A definition that claims share becomes another."""
    paper = draw.one(paper for paper in PAPERS if the.texts[paper].get("lets"))
    lets = the.texts[paper]["lets"]
    letter = draw.one(lets)
    lets[letter] = draw.within(lets[letter], r"[\d]+|[+/]", lambda x: "*" if x in "+/" else f"{x}1")


def other_text(draw: Draw, the: Copy) -> None:
    """A field is that of another entry."""
    name = draw.one(["says", "why", "claim", "reading", "quote", "argument", "given", "means"])
    row, other = draw.row(the.rows, name), draw.row(the.rows, name)
    row[name] = other[name]


def quote(draw: Draw, the: Copy) -> None:
    """A word of a quote is altered."""
    row = draw.row(the.rows, "quote")
    words = ("not", "always", "at most", r"\beta", "n", "2")
    row["quote"] = draw.within(row["quote"], r"[^\s$]+", lambda _: draw.one(words))


def prose(draw: Draw, the: Copy) -> None:
    """A word is altered in what we say."""
    row = draw.row(the.rows, name := draw.one(["says", "why", "means", "case", "copy"]))
    row[name] = draw.within(row[name], r"\w+", lambda _: draw.one(["not", "never", "Riemann", "7"]))


def flag(draw: Draw, the: Copy) -> None:
    """An entry is withdrawn, or damaged, or no more."""
    row, name = draw.row(the.rows, "title"), draw.one(["withdrawn", "damaged"])
    row[name] = not row.get(name, False)


def gone(draw: Draw, the: Copy) -> None:
    """An entry is gone, or has another id."""
    row = draw.row(the.rows, "title")
    if draw.one([True, False]):
        del the.rows[row["id"]]
    else:
        row["id"] += ":new"


def spoiled(draw: Draw, the: Copy) -> None:
    """A certificate says something else, with its manifest as it was or written anew."""
    one = draw.one(the.certificates["certificates"])
    name = draw.one(["id", "form", "for", "let", "if", "then", "at", "roots", "sides", "iff"])
    if name == "iff":
        one[name] = not one[name]
    else:
        text = draw.within(json.dumps(one[name]), r"\d|[<=]", lambda x: str((ord(x) + 1) % 10))
        one[name] = json.loads(text)
    if draw.one([True, False]):
        rows = the.certificates["certificates"]
        the.certificates = json.loads(certificates.as_file(rows))


def deleted(draw: Draw, the: Copy) -> None:
    """A certificate is gone, with its line in the manifest or without."""
    rows = the.certificates["certificates"]
    rows.remove(draw.one(rows))
    if draw.one([True, False]):
        the.certificates = json.loads(certificates.as_file(rows))


def verdict(draw: Draw, the: Copy) -> None:
    """A stored verdict is another one."""
    row = the.verdicts["entries"][draw.one(the.rows)]
    row["printed"] = draw.one({"survives draws", "argued in prose"} - {row["printed"]})


EDITS = (
    *(sign, exponent, constant, condition, widened, shared, other_text, quote),
    *(prose, flag, gone, spoiled, deleted, verdict),
)


@cache
def _made(said: str, _: str) -> Entry:
    """Return an entry, the same one for the same text."""
    return texts.make(json.loads(said))


class Judged:
    """What judges a copy, each thing once."""

    def __init__(self) -> None:
        self.check = cache(check)
        self.oddities = cache(lambda one: tuple(oddities(one)))
        self.sides = cache(lambda said: sides(json.loads(said)))
        # What claims need that no edit has altered: the ledger's own tests say that it is so.
        rows = ((one, verdicts.load()["entries"][one.id]) for one in entries())
        needs = {one.claims[one.used]: row["needs"] for one, row in rows if "needs" in row}
        self.carried = lambda claim: needs[claim] if claim in needs else carried(claim)

    def noticed(self, the: Copy, monkeypatch: Any) -> tuple[str, list[str]]:
        """Return what notices the edit of a copy, and what it says."""
        with monkeypatch.context() as patch:
            patch.setattr(texts, "text_of", lambda paper: the.texts[paper])
            patch.setattr(review, "check", self.check)
            patch.setattr("rates.ledger.decided.carried", self.carried)
            patch.setattr("rates.ledger.verify.sides", lambda one: self.sides(json.dumps(one)))
            return self._noticed(the)

    def _noticed(self, the: Copy) -> tuple[str, list[str]]:
        texts.sections.cache_clear()
        try:
            fitting = [texts.fitting(paper, tuple(self.entries(the, paper))) for paper in PAPERS]
            given = [one for every in fitting for one in every]
            if said := next(self.draws(given, the.verdicts["entries"]), ""):
                return BY[1], [said]
            found = review.findings(given, the.verdicts, the.certificates)
        except DomainError as error:
            return BY[0], [str(error)]
        finally:
            texts.sections.cache_clear()
        odd = [f"{one.id}: {text}" for one in given for text in self.oddities(one)]
        told = [line for line in found if not line.endswith(DIGESTS)]
        proofs = [line for line in told if "certificate" in line]
        draws = [line for line in told if line not in proofs]
        by = {BY[1]: draws, BY[3]: odd, BY[2]: proofs, BY[4]: found, BY[5]: ["nothing"]}
        return next((name, lines) for name, lines in by.items() if lines)

    def draws(self, given: list[Entry], stored: dict[str, Any]) -> Iterator[str]:
        """Yield what is found of an entry, but for what it needs, which takes longest to find."""
        for one in given:
            try:
                judged = self.check(one)
            except DomainError as error:
                lines = [str(error)]
            else:
                row: dict[str, Any] = {"text": "", **{x.form: x.words for x in judged}}
                for x in judged:
                    if x.outcome is not None:
                        row[f"{x.form}_draws"] = [x.outcome.number, x.outcome.violations]
                kept = {**stored.get(one.id, row), "text": ""}
                kept.pop("needs", None)
                lines = [*review.complaints(one, judged), *review.differences(row, kept)]
            own = (line for line in lines if "certificate" not in line)
            yield from (f"{one.id}: {line}" for line in own if not line.endswith(DIGESTS))

    def entries(self, the: Copy, paper: str) -> list[Entry]:
        """Return the entries of a paper."""
        own = json.dumps([the.texts[paper].get(name) for name in ("ranges", "lets")])
        rows = [row for of, row in the.rows.items() if of.startswith(f"{paper}:")]
        return [_made(json.dumps(row, default=list), own) for row in rows]


def run(seed: int, count: int, monkeypatch: Any) -> list[tuple[str, str, str]]:
    """Return of each edit its kind, what notices it, and what was edited."""
    base, judged, draw, out = original(), Judged(), Draw(seed), []
    by, said = judged.noticed(copy.deepcopy(base), monkeypatch)
    assert by == BY[5], said
    state = base.state
    while len(out) < count:
        edit = EDITS[len(out) % len(EDITS)]
        the = copy.deepcopy(base)
        try:
            edit(draw, the)
        except ValueError:
            continue  # a text that is none any more
        if the.state != state:
            by, said = judged.noticed(the, monkeypatch)
            pairs = ((base.texts, the.texts), (base.rows, the.rows))
            keys = [key for old, new in pairs for key in old if old[key] != new.get(key)]
            out.append((edit.__name__, by, f"{keys}: {said[0]}"))
    return out
