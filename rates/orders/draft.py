"""Which letters a typed rate has: those in powers are exponents, all others sizes."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

from rates.language import bound_letter, scan
from rates.orders.inquiry import FREE, MOST_POWER, Inquiry, Span
from rates.orders.language.letters import BOUNDED, FUNCTIONS, WORDS

UNKNOWNS = ("r", "D", "h", "a", "x")  # what an equation is usually solved for
_BUDGETS = ("eps", "epsilon", "e")
_USUAL = {"m": 10.0, "d": 2.0, "beta": 0.5, "alpha": 1.0, "gamma": 1.0, "k": 3.0, "r": 0.1}
_SITE_LETTERS = {"n", "eps", "epsilon", "gamma", "m", "count"}
SPANS = {"eps": (1e-4, 10.0), "count": (1.0, 1e4), "size": (1.0, 1e8)}


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters of a text, in reading order.

    Attributes:
        sizes: Those outside powers.
        exponents: Those in powers.
        inside: Those inside a sum over sites.
    """

    sizes: tuple[str, ...]
    exponents: tuple[str, ...]
    inside: tuple[str, ...]


def letters(text: str) -> Letters:
    """Return the letters of a text, which need not be a whole rate yet.

    >>> letters("min(1, (n*eps)^(-1/(beta+d)))")
    Letters(sizes=('n', 'eps'), exponents=('beta', 'd'), inside=())
    """
    sizes: dict[str, None] = {}
    powers: dict[str, None] = {}
    inside: dict[str, None] = {}
    bound = {bound_letter(token.text) for token in scan(text, strict=False)}
    stack: list[tuple[bool, bool]] = []  # at each open bracket: in a power, in a sum over sites
    power = sites = ahead = False  # in a power, in a sum, after a ^
    before = ""
    for token, after in itertools.pairwise(scan(text, strict=False)):
        if token.text == "(":
            stack.append((power, sites))
            power, sites = power or ahead, sites or before == "sum_j"
        elif token.text == ")" and stack:
            power, sites = stack.pop()
        elif token.kind == "name" and after.text != ":" and not _known(token.text, bound):
            (powers if power or ahead else sizes)[token.text] = None
            inside |= dict.fromkeys([token.text] if sites else [])
        if token.text != "-" and token.text not in FUNCTIONS:  # between a ^ and its power
            ahead = token.text in ("^", "**")
        before = token.text
    return Letters(tuple(x for x in sizes if x not in powers), tuple(powers), tuple(inside))


def _known(name: str, bound: set[str]) -> bool:
    """Whether a name is a function, or a letter that an infimum is taken over."""
    return name in (*FUNCTIONS, *WORDS, BOUNDED) or name in bound or bool(bound_letter(name))


def usual(letter: str) -> float:
    """Return the value at which a letter starts.

    >>> usual("eps"), usual("n"), usual("m")
    (0.5, 10000.0, 10.0)
    """
    if letter.startswith(_BUDGETS):
        return 0.5
    # Letters for records start large, so that no term is trivial.
    return _USUAL.get(letter, 1e4 if letter[:1].islower() and letter[0] in "nN" else 100.0)


def span(letter: str) -> Span:
    """Return the range in which a size is looked at first."""
    if letter.startswith(_BUDGETS):
        return SPANS["eps"]
    return SPANS["count"] if letter in ("m", "d", "s", "k") else SPANS["size"]


def with_text(asked: Inquiry, text: str, rate: str | None = None) -> Inquiry:
    """Return the question about another text: letters that stay keep their ranges and values.

    Args:
        asked: The question before.
        text: The new text.
        rate: The rate in the unknown; as before if None.

    >>> asked = with_text(Inquiry(text="n^(-1/2)", sizes=("n",), at=(("n", 9.0),)), "(n*eps)^(-a)")
    >>> asked.sizes, asked.exponents, asked.at
    (('n', 'eps'), (('a', (0.0, inf)),), (('n', 9.0), ('eps', 0.5), ('a', 1.0)))
    """
    outer = asked.rate if rate is None else rate
    here = letters(text)
    unknown = ""
    if any(token.text in ("=", "==") for token in scan(text, strict=False)):
        # A letter that differs by site is hardly what an equation is solved for.
        choices = [x for x in here.sizes if x not in here.inside] + list(here.sizes)
        held = asked.unknown in choices
        named = (x for x in UNKNOWNS if x in choices)
        unknown = asked.unknown if held else next(named, choices[-1] if choices else "")
    beyond = letters(outer) if unknown else Letters((), (), ())
    powers = dict.fromkeys((*here.exponents, *beyond.exponents))
    sizes = [
        x for x in dict.fromkeys((*here.sizes, *beyond.sizes)) if x != unknown and x not in powers
    ]
    # What was set stays while one types on.
    ranges, values = dict(asked.exponents), asked.values
    all_letters = [*sizes, *powers]
    return replace(
        asked,
        text=text,
        rate=outer if unknown else "",
        unknown=unknown,
        sizes=tuple(sizes),
        exponents=tuple((x, ranges.get(x, FREE)) for x in powers),
        sites=tuple(x for x in here.inside if x in _SITE_LETTERS and x in all_letters),
        at=tuple((x, values.get(x, _start(x, x in powers))) for x in all_letters),
        axes=tuple(x for x in asked.axes if x in all_letters),
        spans=tuple((x, ends) for x, ends in asked.spans if x in all_letters),
    )


def completed(asked: Inquiry) -> Inquiry:
    """Return the question with a value for every letter that is declared.

    >>> completed(Inquiry(text="n^-b", sizes=("n",), exponents=(("b", (0.0, 1.0)),))).at
    (('n', 10000.0), ('b', 1.0))
    """
    ranges, values = dict(asked.exponents), asked.values
    letters_ = [*asked.sizes, *ranges]
    at = {x: values.get(x, _start(x, x in ranges)) for x in letters_}
    for letter, (low, high) in ranges.items():
        inside = at[letter] >= low if low else at[letter] > low
        # A start outside its range would refuse the whole question.
        if letter not in values and not (inside and at[letter] <= high):
            ends = (max(low, -MOST_POWER), min(high, MOST_POWER))
            at[letter] = ends[0] + min(1.0, (ends[1] - ends[0]) / 2.0)
    return replace(asked, at=tuple(at.items()))


def applicable(asked: Inquiry) -> tuple[str, ...]:
    """Return the conditions whose letters all are the rate's; what one types may lack some yet.

    >>> applicable(Inquiry(text="n", sizes=("n",), where=("n >= 1", "m <= n")))
    ('n >= 1',)
    """
    declared = {*asked.sizes, *(x for x, _ in asked.exponents)}
    found = ((text, letters(text)) for text in asked.where)
    return tuple(text for text, its in found if {*its.sizes, *its.exponents} <= declared)


def _start(letter: str, power: bool) -> float:
    return _USUAL.get(letter, 1.0) if power else usual(letter)
