"""The four decisions in words: one sentence each, for pages, reports and the command line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rates.decision.look import MOVES
from rates.decision.questions import Decision, HowMany, RunIt, WhichBudget, Who
from rates.numbers import between, number, percent

Kind = Literal["plain", "number", "name"]
Piece = tuple[Kind, str]
_MOVES = f"{100 * MOVES:.0f} %"


class Name(str):
    """What a user called a site; pages escape it."""


class Plain(str):
    """Words of ours in the place of a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One question with its answer.

    Attributes:
        key: "run", "who", "budget" or "many".
        question: The question, in two or three words.
        settled: Whether both answers agree; False for an answer that begins with "Undecided".
        pieces: The answer: plain words, numbers, and names as users typed them.
        help: What its words mean, and whose numbers they are.
    """

    key: str
    question: str
    settled: bool
    pieces: tuple[Piece, ...]
    help: str

    @property
    def text(self) -> str:
        """The answer as plain text."""
        return "".join(text for _, text in self.pieces)


_KINDS: dict[type, Kind] = {Name: "name", Plain: "plain"}


def _said(template: str, *values: str) -> tuple[Piece, ...]:
    """Fill in numbers and names; ``{}`` stands for the next of them."""
    plain = template.split("{}")
    out: list[Piece] = [("plain", plain[0])]
    for value, rest in zip(values, plain[1:], strict=True):
        out += [(_KINDS.get(type(value), "number"), str(value)), ("plain", rest)]
    return tuple(piece for piece in out if piece[1])


def sentences(found: Decision) -> tuple[Sentence, ...]:
    """Return the four answers of a decision; nothing where no site carries information.

    >>> from rates.decision.questions import decide
    >>> from rates.presets import preset
    >>> for said in sentences(decide(preset("figure1").study))[:2]:
    ...     print(said.question, said.text)  # doctest: +NORMALIZE_WHITESPACE
    Run it? Yes: the 51 sites are worth 153 to 189 effective records, 1.62 to 1.67 times Target
    alone; privacy leaves 0.2 to 0.3 % (equation 10 %).
    Who? Sources (50 sites) carry most, 58 to 60 %. Each of them moves it by 5 %.
    """
    if not (found.run and found.who and found.budget):
        return ()
    out = [_run(found, found.run), _who(found, found.who), _budget(found, found.budget)]
    return (*out, _many(found, found.many))


def _name(found: Decision, row: int) -> Name:
    return Name(found.study.servers[row].name)


def _sites(found: Decision) -> int:
    return sum(s.count for s in found.study.servers)


def _missing(found: Decision, told: str, *values: str) -> tuple[Piece, ...]:
    """Say what the equation alone says, where the mechanism has no answer."""
    rest = _said(
        "Undecided, because no δ is stated for {}; the equation alone says: ", Name(found.missing)
    )
    return (*rest, *_said(told, *values))


def _run(found: Decision, run: RunIt) -> Sentence:
    best = Plain("the best site") if run.best is None else _name(found, run.best)
    settled = run.yes is not None
    if not math.isnan(run.gain_mechanism[0]):
        gain = between(*run.gain)
    else:
        gain = number(run.gain_equation)
    if _sites(found) == 1:
        settled = not found.missing
        pieces = _said("There is one site, so nobody to join;")
    elif found.missing:
        told = "together × {} the best site alone;"
        pieces = _missing(found, told, gain)
    elif run.yes:
        pieces = _said(
            f"Yes: the {_sites(found):,} sites are worth {{}} effective records, {{}} times {{}} "
            "alone;",
            between(*run.worth),
            gain,
            best,
        )
    elif run.yes is False:
        pieces = _said("Not for what the others add to {} alone (× {});", best, gain)
    else:
        low, high = run.gain_mechanism
        pieces = _said(
            "Undecided, because to {} alone the rest adds {} (equation), {} (mechanism);",
            best,
            percent(run.gain_equation - 1.0),
            between(low - 1.0, high - 1.0, percent),
        )
    return Sentence(
        key="run",
        question="Run it?",
        settled=settled,
        pieces=(*pieces, *_kept(found, run)),
        help=_WORTH,
    )


def _kept(found: Decision, run: RunIt) -> tuple[Piece, ...]:
    if not any(s.private and s.informative for s in found.study.servers):
        return _said(" no site is protected.")
    by_equation = percent(run.kept_equation)
    if found.missing:
        return _said(" privacy leaves {}.", by_equation)
    kept = between(*run.kept, percent)
    if kept == by_equation:
        return _said(" privacy leaves {} by both answers.", kept)
    return _said(" privacy leaves {} (equation {}).", kept, by_equation)


def _rows(found: Decision, rows: Sequence[int], most: int = 4) -> tuple[str, list[str]]:
    """A list of rows as a template, and their names."""
    names: list[str] = [_name(found, j) for j in rows[:most]]
    rest = len(rows) - len(names)
    if rest:
        return ", ".join(["{}"] * len(names)) + f" and {rest} more", names
    if len(names) == 1:
        return "{}", names
    return ", ".join(["{}"] * (len(names) - 1)) + " and {}", names


def _who(found: Decision, who: Who) -> Sentence:
    if len(found.study.servers) == 1:
        name = _name(found, 0)
        pieces = _said("{}, the only row, carries all of it.", name)
        return Sentence(key="who", question="Who?", settled=True, pieces=pieces, help=_MOVERS)
    if found.missing:
        pieces = _missing(found, "{} carries most.", _name(found, who.tops[0]))
        return Sentence(key="who", question="Who?", settled=False, pieces=pieces, help=_MOVERS)
    if who.carrier is None:
        pieces = _said(
            "Undecided, because {} (equation) or {} (mechanism) carries most.",
            *(_name(found, j) for j in who.tops),
        )
    else:
        count = found.study.servers[who.carrier].count
        verb = "carries" if count == 1 else f"({count:,} sites) carry"
        part = "most" if who.shares[0] >= 0.5 else "the largest part"
        shares = between(*who.shares, percent)
        pieces = _said(f"{{}} {verb} {part}, {{}}.", _name(found, who.carrier), shares)
    return Sentence(
        key="who",
        question="Who?",
        settled=who.carrier is not None,
        pieces=(*pieces, *_movers(found, who)),
        help=_MOVERS,
    )


def _movers(found: Decision, who: Who) -> tuple[Piece, ...]:
    rows = len(found.study.servers)
    if not who.perhaps:
        return _said(f" Without any one of the rows less than {_MOVES} is lost.")
    if who.perhaps == tuple(range(rows)):
        same = who.surely == who.perhaps
        return _said(
            f" Each of them moves it by {_MOVES}." if same else f" Each may move it by {_MOVES}."
        )
    template, names = _rows(found, who.perhaps)
    only = "Only" if who.perhaps == who.surely else "At most"
    verb = "moves" if len(who.perhaps) == 1 else "move"
    return _said(f" {only} {template} {verb} it by {_MOVES}.", *names)


def _budget(found: Decision, budget: WhichBudget) -> Sentence:
    servers = found.study.servers
    top = budget.tops[0]
    settled = budget.site is not None or budget.nothing
    if top is None:
        settled, pieces = True, _said("No site has a finite budget to raise.")
    elif found.missing and not budget.gain_equation >= MOVES:
        pieces = _missing(found, f"no doubled ε adds {_MOVES}.")
        settled = False
    elif found.missing:
        told = "doubling ε at {} adds {}."
        pieces = _missing(found, told, _name(found, top), percent(budget.gain_equation))
        settled = False
    elif budget.nothing:
        pieces = _said(f"None: by both answers no doubled ε adds {_MOVES}.")
    elif budget.site is not None:
        gains = (budget.gain_equation, *budget.gain_mechanism)
        now = number(servers[budget.site].epsilon)
        pieces = _said(
            "{} first: doubling its ε = {} adds {}; beyond ε = {} nothing (equation).",
            _name(found, budget.site),
            now,
            between(min(gains), max(gains), percent),
            number(budget.enough),
        )
    else:
        theirs = budget.tops[1]
        assert theirs is not None
        by_mechanism = (_name(found, theirs), between(*budget.gain_mechanism, percent))
        if budget.gain_equation >= MOVES:
            pieces = _said(
                "Undecided, because a doubled ε adds most at {} by the equation ({}), at {} by the "
                "mechanism ({}).",
                _name(found, top),
                percent(budget.gain_equation),
                *by_mechanism,
            )
        else:
            pieces = _said(
                f"Undecided, because no doubled ε adds {_MOVES} by the equation, but {{}}'s {{}} "
                "by the mechanism.",
                *by_mechanism,
            )
    return Sentence(
        key="budget", question="Which budget?", settled=settled, pieces=pieces, help=_BUDGET
    )


def _many(found: Decision, many: HowMany | None) -> Sentence:
    if many is None:
        pieces = _said(
            "Undecided, because sizes are planned with the mechanism, and it needs every δ."
        )
        return Sentence(key="many", question="How many?", settled=False, pieces=pieces, help=_MANY)
    if math.isnan(many.goal):
        pieces = _said("Nothing is to be won back: privacy costs less than 0.5 % of the worth.")
        return Sentence(key="many", question="How many?", settled=True, pieces=pieces, help=_MANY)
    template = "Half of what privacy costs returns with {} times every ε"
    values: list[str] = [_factor(many.budgets), _factor(many.records)]
    if many.site is None:
        template += " or {} times all records."
    else:
        template += ", {} times all records, or ε = {} at {}."
        values += [number(many.epsilon), _name(found, many.site)]
    return Sentence(
        key="many",
        question="How many?",
        settled=True,
        pieces=_said(template, *values),
        help=_MANY,
    )


def _factor(x: float) -> str:
    return number(x, 2) if math.isfinite(x) else "no number of"


_WORTH = (
    "Worth is counted in effective records: how many unprotected records at one site alone (the "
    "target's, for a classifier) would do as well. A range covers the rate equation and a named "
    "mechanism with its constants; effective records and the part of them that privacy leaves are "
    "by the mechanism, in brackets by the equation."
)
_MOVERS = (
    "A row's part is its part of the balance equation at its root, by both answers. A row moves "
    "the answer if without it the worth falls by 5 % or more; *at most* means that one answer "
    "says so and the other may not."
)
_BUDGET = (
    "ε is a site's privacy budget; a larger one protects less. The gain is that of the study's "
    "worth. A site is named only if doubling its ε adds most by the rate equation and by the "
    "mechanism."
)
_MANY = (
    "By the mechanism, with which sizes and budgets are planned: what brings the worth half way to "
    "its value without privacy. Every lever, with what it needs, stands on the page Plan."
)
