"""Reading a rate: the text, its letters, and what has no order refused at once."""

from __future__ import annotations

from collections.abc import Sequence

from rates.numbers import DomainError
from rates.orders.language import nodes, powers, write
from rates.orders.language.letters import Exponents, declared
from rates.orders.language.nodes import MAX_LEAVES
from rates.orders.language.parser import Parser
from rates.orders.order import Order


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
    label, ``label: term``. Nothing is evaluated.

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
        rates.orders.OrderError: A difference has no order: ... Column 3: got '-'.
    """
    known = declared(sizes, exponents, unknown, sites)
    reader = Parser(text, known)
    left, right, outer = reader.total(), None, None
    if known.unknown:
        if not reader.sees("="):
            reader.finish()
            reader.refuse(
                f"An unknown {known.unknown} needs an equation, left = right", reader.next
            )
        reader.take()
        right = reader.total()
    reader.finish()
    if rate is not None:
        if not known.unknown:
            raise DomainError("A rate in the unknown needs an unknown.", "rate", str(rate))
        second = Parser(str(rate), known, "the rate")
        outer = second.total()
        second.finish()
        second.wants(known.unknown)
        if outer == nodes.Letter(known.unknown):
            outer = None
    order = Order(left, right, outer, known)
    _try(order, reader)
    return order


def _try(order: Order, reader: Parser) -> None:
    """Refuse what has no normal form, before anybody asks for it."""
    start, end = reader.tokens[0], reader.tokens[-1]
    try:
        if order.unknown is None:
            tree = order._tree
        else:
            reader.wants(order.unknown)
            tree = order._balance
            _one_sign(order, reader)
            if not nodes.has_sites(tree):
                tree = order._tree
        if sum(1 for _ in nodes.leaves_of(tree)) > MAX_LEAVES:
            raise nodes.TooManyLeavesError
    except nodes.TooManyLeavesError:
        rule = f"A rate has at most {MAX_LEAVES} terms when multiplied out"
        reader.refuse(rule, start, end)
    except nodes.NegativeSumError:
        rule = "No order: one side of an equation may be a sum, and no sum has a negative power"
        reader.refuse(rule, start, end)
    except powers.TooLongError:
        reader.refuse("A power has too many terms or digits when multiplied out", start, end)


def _one_sign(order: Order, reader: Parser) -> None:
    """Refuse a balance unless every term has the unknown, with powers of one known sign."""
    r = str(order.unknown)
    token = next(t for t in reader.tokens if t.text == r)
    seen: dict[int, nodes.Leaf] = {}
    for leaf in nodes.leaves_of(order._balance):
        its = leaf.power_of(r)
        if its is None:
            text = _written(leaf, order)
            reader.refuse(f"Every term must have {r}: with all on one side, {text} has none", token)
        side = powers.sign(its, order.known.ranges)
        if side is None:
            rule = f"The sign of {_short(write.power_text(its))}, a power of {r}, is not known"
            reader.refuse(f"{rule}: declare ranges of its letters", token)
        seen.setdefault(side, leaf)
    if len(seen) > 1:
        rise, fall = (_written(seen[side], order) for side in (1, -1))
        both = f"a positive power in {rise} and a negative one in {fall}"
        reader.refuse(f"With all on one side {r} has {both}: no single root", token)


def _written(leaf: nodes.Leaf, order: Order) -> str:
    return _short(write.text_of(nodes.as_node(leaf, order.known.one)))


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
