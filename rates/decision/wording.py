"""A decision in words: one sentence each, for pages, reports and the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rates.decision.records import FLOOR, LOSS, Decision, User
from rates.numbers import between, number, percent, span
from rates.plan import LEVERS

Kind = Literal["plain", "number", "name"]
Piece = tuple[Kind, str]
_MOST_NAMES = 6


class Name(str):
    """What a user called a site; pages escape it."""


class Plain(str):
    """Words of ours in the place of a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One question with its answer.

    Attributes:
        key: "run", "out", "take" or "turns".
        question: The question, in a few words.
        pieces: The answer: plain words, numbers, and names as users typed them.
        help: What its words mean, and whose numbers they are.
    """

    key: str
    question: str
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
    """Return a decision's answers: run it, who may stay out, what it would take, where it turns.

    Nothing is returned where no site carries information.

    >>> from rates.decision.case import decide
    >>> from rates.presets import preset
    >>> for said in sentences(decide(preset("unprotected").study)):
    ...     print(said.question, said.text)  # doctest: +NORMALIZE_WHITESPACE
    Run it? Yes for Target: worth 1,510 to 1,530 unprotected records, against its own 1,000
    [4,950].
    Who may stay out? Needed: Unprotected source. Protected source can stay out: it adds 1.7%. A
    better method might use it (70%).
    What would it take? To halve the loss, every ε would have to be 71 to 110 times as large, or
    the records at every site 7.4 to 7.6 times. Doubling ε at Protected source adds 2.2 to 4.3%.
    Where does it turn? It holds for every β and α and with a tenth to ten times every ε.
    Undecided above γ = 1.2.
    """
    if not any(s.informative for s in found.study.servers):
        return ()
    out = [Sentence(key="run", question="Run it?", pieces=_run(found), help=_WORTH)]
    if found.missing:
        return tuple(out)
    if pieces := _out(found):
        out.append(Sentence(key="out", question="Who may stay out?", pieces=pieces, help=_STAY_OUT))
    if pieces := _take(found):
        out.append(Sentence(key="take", question="What would it take?", pieces=pieces, help=_TAKE))
    if found.ranges:
        out.append(
            Sentence(key="turns", question="Where does it turn?", pieces=_turns(found), help=_TIPS)
        )
    return tuple(out)


# Run it? -----------------------------------------------------------------------------------------


def _run(found: Decision) -> tuple[Piece, ...]:
    if found.missing:
        template = "Undecided: no δ is stated for {}, and the mechanism's noise needs it."
        return _said(template, Name(found.missing))
    if found.use == "others":
        return _others(found)
    if len(found.users) == 1:
        return _one(found, found.users[0])
    return _each(found)


def _asked(found: Decision, own: float) -> float:
    return max(found.factor * own, FLOOR if found.needed is None else found.needed)


def _one(found: Decision, user: User) -> tuple[Piece, ...]:
    many = Plain(f"each of {user.count:,} sites like " if user.count > 1 else "")
    pieces = _said(
        f"{_TURNED[user.verdict]} for {{}}{{}}{_WHY.get(user.verdict, '')}: "
        "worth {} unprotected records, against its own {}",
        many,
        Name(user.name),
        between(*user.worth),
        f"{user.own:,.0f}",
    )
    return (*pieces, *_wanted(found, user), *_said(" [{}].", number(user.equation)))


def _wanted(found: Decision, user: User) -> tuple[Piece, ...]:
    """What was asked for, where that is why it does not pay, or where a need was told."""
    asked = _asked(found, user.own)
    # A need that was told is repeated beside the worth, so that nobody has to look for it.
    if found.needed is not None and asked == found.needed:
        return _said("; {} are needed", number(found.needed))
    if user.verdict == "yes":
        return ()
    if asked == FLOOR:
        return _said("; fewer than {} are too few where no need is stated", number(FLOOR))
    return _said("; {} would pay", number(asked))


def _each(found: Decision) -> tuple[Piece, ...]:
    out: tuple[Piece, ...] = ()
    if found.gainers:
        all_ = found.gainers == found.sites
        many = f"all {found.sites:,}" if all_ else f"{found.gainers:,} of {found.sites:,}"
        out = _said("Yes, it pays for {} sites: ", many)
        out = (*out, *_names([u.name for u in _by_gain(found, "yes")]))
    for verdict, opening in _TURNED.items():
        if verdict != "yes" and (users := _by_gain(found, verdict)):
            first = f"{'; ' if out else ''}{_HANGS.get(verdict, opening)} for "
            first = first.lower() if out else first
            out = (*out, *_said(first), *_names([user.name for user in users]))
    return (*out, ("plain", "."))


def _by_gain(found: Decision, verdict: str) -> list[User]:
    # Of many the first few are named: those who gain most.
    users = [user for user in found.users if user.verdict == verdict]
    return sorted(users, key=lambda user: -user.gain[0])


def _others(found: Decision) -> tuple[Piece, ...]:
    worth, best = between(*found.worth), number(found.equation)
    if found.needed is None:
        pieces = _said("Worth what {} unprotected records would tell [{}]", worth, best)
    else:
        opening = "No" if found.verdict == "no" else _TURNED[found.verdict]
        pieces = _said(
            f"{opening}{_WHY.get(found.verdict, '')}: "
            "worth {} unprotected records [{}]; {} are needed",
            worth,
            best,
            number(found.needed),
        )
    for one in found.against:
        if len(found.study.servers) > 1 or found.study.servers[0].count > 1:
            told = "; one site alone, {}, {}"
            pieces = (*pieces, *_said(told, Name(one.name), between(*one.worth)))
    return (*pieces, ("plain", "."))


# Who may stay out? -------------------------------------------------------------------------------


def _out(found: Decision) -> tuple[Piece, ...]:
    rows = [s.name for s in found.study.servers]
    if found.use == "target":
        rows = rows[1:]  # who asks cannot stay out
    if len(rows) < 2 and not found.stay_out:
        return ()
    gone, needed = set(found.stay_out), [x for x in rows if x in set(found.essential)]
    perhaps = [x for x in rows if x not in gone and x not in needed]
    out: list[Piece] = []
    for title, names in (("Needed", needed), ("Perhaps", perhaps)):
        if names:
            out += [*_said(f"{title}: "), *_names(names), *_said(". ")]
    if not gone:
        return (*out, *_said("Nobody can stay out without a loss."))
    # A row may stand for many sites.
    one = sum(s.count for s in found.study.servers if s.name in gone) == 1
    # What is left of a root is no loss.
    loss = percent(found.stay_out_loss) if found.stay_out_loss > 1e-9 else "nothing"
    out += [
        *_names(list(found.stay_out)),
        *_said(f" can stay out: {'it adds' if one else 'together they add'} {{}}.", loss),
    ]
    if found.stay_out_equation_loss > LOSS:
        which = "it" if one else "them"
        better = percent(found.stay_out_equation_loss)
        out += _said(f" A better method might use {which} ({{}}).", better)
    return tuple(out)


def _names(names: Sequence[str]) -> tuple[Piece, ...]:
    shown = [Name(x) for x in names[:_MOST_NAMES]]
    rest = len(names) - len(shown)
    if rest:
        return _said(", ".join(["{}"] * len(shown)) + f" and {rest:,} more", *shown)
    last = " and " if len(shown) > 1 else ""
    return _said(", ".join(["{}"] * (len(shown) - 1)) + last + "{}", *shown)


# What would it take? -----------------------------------------------------------------------------


def _take(found: Decision) -> tuple[Piece, ...]:
    if not found.levers:
        return ()
    out: tuple[Piece, ...]
    # A lever that is at its aim already asks nothing of anybody.
    wanted = [lever for lever in found.levers if lever.high > 1.0]
    if not wanted:
        told = "What is needed is there." if found.aim else "Privacy costs next to nothing."
        return _said(told)
    # A factor at the end of the search says that none is enough.
    said = [
        (LEVERS[lever.quantity].grown, span(number(max(1.0, lever.low), 2), number(lever.high, 2)))
        for lever in wanted
        if lever.high < LEVERS[lever.quantity].most
    ]
    goal = "To halve the loss" if found.aim is None else "To be worth {}"
    aim = () if found.aim is None else (number(found.aim),)
    if said:
        first, *others = (what for what, _ in said)
        form = f"{goal}, {first} would have to be {{}} times as large"
        form += "".join(f", or {what} {{}} times" for what in others)
        out = _said(f"{form}.", *aim, *(factor for _, factor in said))
    else:
        out = _said(f"{goal} no factor is enough.", *aim)
    best = found.doubling
    if best is None or best.gain[0] < LOSS:
        return out
    gain = _said(" adds {}", between(*best.gain, percent))
    pieces = (*_said(" Doubling ε at "), *_names(best.names), *gain)
    if best.equation < LOSS:
        return (*out, *pieces, *_said("; a better method might not need it."))
    return (*out, *pieces, *_said("."))


# Where it turns ----------------------------------------------------------------------------------

_FACTORS = {0.1: "a tenth", 10.0: "ten"}
_TURNED = {
    "yes": "Yes",
    "undecided": "Undecided",
    "no with this method": "Not with today's method",
    "no": "Not",
}
_WHY = {"undecided": ", as it hangs on constants of the method"}
_HANGS = {"undecided": "Hangs on constants of the method"}


def _turns(found: Decision) -> tuple[Piece, ...]:
    """Where assumed numbers turn the verdict, each alone."""
    transfer = found.study.kind == "transfer"
    letters = {name: lever.letter for name, lever in LEVERS.items() if not lever.grown}
    letters |= {"smoothness": "β" if transfer else "α"}
    tips = {name: [x for x in found.tips if x.parameter == name] for name, _, _ in found.ranges}
    firm = [letters[name] for name, there in tips.items() if not there and name in letters]
    # α is a power of the risk alone: effective records do not depend on it.
    firm += ["α"] if transfer else []
    held = [f"for every {_listed(firm)}"] if firm else []
    for name, low, high in found.ranges:
        if name not in letters and not tips[name]:
            ends = (_FACTORS.get(end, number(end)) for end in (low, high))
            held.append(f"with {' to '.join(ends)} times {LEVERS[name].grown}")
    out = list(_said(f"It holds {_listed(held)}." if held else ""))
    for verdict in (x for x in _TURNED if any(tip.verdict == x for tip in found.tips)):
        places, values = [], []
        for name, there in tips.items():
            for tip in sorted((x for x in there if x.verdict == verdict), key=lambda x: x.value):
                side = "above" if tip.value > tip.now else "below"
                where = (
                    f"{letters[name]} = {{}}"
                    if name in letters
                    else f"{{}} times {LEVERS[name].grown}"
                )
                places.append(f"{side} {where}")
                values.append(number(tip.value))
        out += _said(f"{' ' if out else ''}{_TURNED[verdict]} {_listed(places)}.", *values)
    return tuple(out)


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


_WORTH = (
    "Worth is counted in effective records: so many unprotected records at one site would do as "
    "well. The range is that of a method of today, with its constants; in brackets stands the best "
    "that any method could do, up to a constant (the rate equation). A site that uses the "
    "result needs no noise on its own records."
)
_STAY_OUT = (
    "Needed: without it alone the worth falls by 5% or more. Can stay out: all of them together "
    "add less than 2% for everybody who uses the result, by every constant of the method."
)
_TIPS = (
    "Each assumed number is moved alone over its range, the others as they stand: β from 0.25 to "
    "1, γ from 0.5 to 4, every ε by a factor from 0.1 to 10. Worth does not depend on the margin α."
)
_TAKE = (
    "By the method of today: one factor on what every site has, over the method's constants. Half "
    "of the loss: half way from the worth to what it would be without privacy. Every lever stands "
    "under What would help."
)
