"""Reading a rate: the text, its letters, and what has no order refused at once."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from rates.language import Expression, Token, parts
from rates.numbers import DomainError
from rates.orders.language import nodes, powers, trees, write
from rates.orders.language.letters import Exponents, Letters, declared
from rates.orders.language.meaning import Meaning
from rates.orders.order import Order, single

_HALF = re.compile(r"(?:\^|\*\*)\s*(-\d+|1)\s*/\s*(\d+|\([^()]*\))")


def parse(
    text: str,
    *,
    sizes: Sequence[str],
    exponents: Exponents = (),
    unknown: str | None = None,
    rate: str | Order | None = None,
    sites: Sequence[str] = (),
) -> Order:
    """Read a rate, or a balance left = right in an unknown.

    Powers are products of letters: ``n^(-2*b/(2*b+1))``, with ``^`` or ``**``. Terms are joined by
    ``*  /  +  min(...)  max(...)  sqrt(...)`` and, over sites, ``sum_j(...)``; a term may have a
    label, ``label: term``. ``inf_h(h^b + 1/(n*h))`` and ``sup_h(...)`` are over a letter h > 0 of
    their own, or over a range, ``inf_h(1/n <= h <= 1, ...)``; ``best_k(m, ...)`` is the least over
    whole k from 1 to m: of m equal sites k are used. ``log(x)`` is the larger of 1 and the natural
    logarithm of x; ``exp(x)`` and ``exp(x) - 1`` grow faster than every power. Nothing is run.

    Args:
        text: At most 500 characters, 64 terms, 200 numbers and letters.
        sizes: Letters that are positive numbers, such as n and eps.
        exponents: Letters that stand in powers, positive; or a mapping from letter to its range
            (low, high), None for positive.
        unknown: The letter that a balance is solved for.
        rate: The rate in the unknown, by default the unknown itself.
        sites: Letters that differ by site, used inside ``sum_j(...)``.

    Raises:
        OrderError: The text is no rate; it has a column.
        DomainError: The letters are not declared well.

    Examples:
        >>> order = parse("min(1, max(n^(-1/(2*b+1)), (n*eps)^(-1/(b+1))))",
        ...               sizes=["n", "eps"], exponents=["b"])
        >>> str(order)
        'min(1, max(n^(-1/(2*b+1)), (n*eps)^(-1/(b+1))))'
        >>> parse("n - 1", sizes=["n"])  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        rates.language.TextError: A difference has no order: ... Column 3: got '-'.
    """
    known = declared(sizes, exponents, unknown, sites)
    meaning = Meaning(text, known)
    sides, signs = meaning.chain()
    left = meaning.node(sides[0])
    _no_other_sign(meaning, signs)
    if known.unknown and not signs:
        meaning.refuse(f"An unknown {known.unknown} needs an equation, left = right")
    if rate is not None and not known.unknown:
        raise DomainError("A rate in the unknown needs an unknown.", "rate", str(rate))
    right = meaning.node(sides[1]) if signs else None
    outer = None if rate is None else _outer(Meaning(str(rate), known, "the rate"))
    order = Order(left, right, outer, known)
    # Normal forms are made when asked for; what has none is refused here, where its column is
    # known.
    _try(order, meaning, sides)
    return order


def sides_of(text: str, known: Letters, part: str) -> tuple[tuple[Order, ...], tuple[Token, ...]]:
    """Read rates with signs between them, in letters that are declared.

    Args:
        text: As "n <= n0 <= m*n".
        known: What each letter is; there is no unknown.
        part: What a refusal calls the text.

    Raises:
        OrderError: A side is no rate.
    """
    meaning = Meaning(text, known, part)
    sides, signs = meaning.chain()
    orders = tuple(Order(meaning.node(side), None, None, known) for side in sides)
    for order in orders:
        _try(order, meaning, sides)
    return orders, signs


def rate_of(text: str, known: Letters, part: str) -> Order:
    """Read a rate in letters that are declared, as `sides_of`."""
    orders, signs = sides_of(text, known, part)
    _no_other_sign(Meaning(text, known, part), signs)
    return orders[0]


def asides(*texts: str) -> tuple[str, ...]:
    """Return what one may have meant otherwise than it is read.

    >>> asides("n^-1/2 + n^(-1/2) + d^2/(n*eps)")
    ('^-1/2 is the power -1, divided by 2: for the power -1/2 write ^(-1/2).',)
    """
    text = ", ".join(texts)
    logs = ("log(x) is the larger of 1 and the natural logarithm of x.",) if "log(" in text else ()
    return logs + tuple(
        f"^{power}/{by} is the power {power}, divided by {by}: for the power {power}/{by} write "
        f"^({power}/{by})."
        for power, by in dict.fromkeys(_HALF.findall(text))
    )


def _no_other_sign(meaning: Meaning, signs: tuple[Token, ...]) -> None:
    """Refuse any sign but the = of a balance."""
    for place, sign in enumerate(signs):
        if sign.text not in ("=", "=="):
            meaning.refuse("A rate has no conditions: they belong to a claim", sign)
        if not meaning.letters.unknown:
            rule = "An equation needs an unknown: declare the letter that it is solved for"
            meaning.refuse(rule, sign)
        if place or sign.text == "==":
            meaning.refuse("An equation has one =", sign)


def _outer(meaning: Meaning) -> nodes.Node | None:
    """Read the rate in an unknown, None if it is the unknown itself."""
    sides, signs = meaning.chain()
    for sign in signs:
        meaning.refuse("The rate in the unknown is no equation", sign)
    out = meaning.node(sides[0])
    _unknown(meaning, sides)
    # Orders that mean the same are equal: the unknown itself is no outer rate.
    return None if out == nodes.Letter(meaning.letters.unknown) else out


def _unknown(meaning: Meaning, sides: tuple[Expression, ...]) -> Expression:
    """Return where the unknown occurs first, and refuse a text without it."""
    r = meaning.letters.unknown
    for one in itertools.chain.from_iterable(map(parts, sides)):
        if one.of == r and not one.args:
            return one
    meaning.refuse(f"{r} is the unknown and does not occur")


def _try(order: Order, meaning: Meaning, sides: tuple[Expression, ...]) -> None:
    """Refuse what has no normal form, before anybody asks for it."""
    try:
        if order.unknown is None:
            tree = order._tree
        else:
            unknown = _unknown(meaning, sides)
            tree = order._balance
            _one_sign(order, meaning, unknown)
            # The explicit form may be longer than what was typed.
            if "sites" not in trees.kinds_of(tree):
                tree = order._tree
        if sum(1 for _ in trees.leaves_of(tree)) > trees.MAX_LEAVES:
            raise powers.NoOrderError(trees.MANY)
    except powers.NoOrderError as error:
        meaning.refuse(error.rule.rstrip("."), meaning.whole)


def _one_sign(order: Order, meaning: Meaning, unknown: Expression) -> None:
    """Refuse a balance unless every term has the unknown, with powers of one known sign."""
    r = unknown.of
    # With powers of both signs there might be two roots, or none.
    seen: dict[int, trees.Leaf] = {}

    def written(leaf: trees.Leaf) -> str:
        return _short(str(single(leaf, order.known)))

    for leaf in trees.leaves_of(order._balance):
        if any(r in call.of.letters for call, _ in leaf.calls):
            rule = f"No logarithm or exponential of the unknown {r} has a root in powers: write one"
            meaning.refuse(f"{rule} of sizes, or put it into the rate in {r}", unknown)
        its = leaf.power_of(r)
        if not its:
            rule = f"Every term must have {r}: with all on one side, {written(leaf)} has none"
            meaning.refuse(rule, unknown)
        side = powers.sign(its, order.known.ranges)
        if side is None:
            rule = f"The sign of {_short(write.power_text(its))}, a power of {r}, is not known"
            meaning.refuse(f"{rule}: declare ranges of its letters", unknown)
        seen.setdefault(side, leaf)
    if len(seen) > 1:
        both = f"a positive power in {written(seen[1])} and a negative one in {written(seen[-1])}"
        meaning.refuse(f"With all on one side {r} has {both}: no single root", unknown)


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
