"""What [CAC] says of a study whose sites hold different columns of the same people."""

from __future__ import annotations

from rates import columns
from rates.numbers import number
from rates.study import Scope, Server, Study
from rates.theories.says import HELPS, NOT_COVERED, UNDECIDED, Said, of_all, of_each


def cac(study: Study, scope: Scope) -> list[Said]:
    """Say by [CAC] who speaks first, and how exact a correlation of the two columns can be.

    Source: [CAC] abstract.
    """
    source = "[CAC] abstract"
    if scope.answer("overlap") is None:
        text = "It asks whether sites hold other columns of the same people, which is not told."
        return of_all(study, UNDECIDED, text, source)
    sites = [s for s in study.servers if s.informative for _ in range(min(s.count, 3))]
    if len(sites) != 2:
        return of_all(study, NOT_COVERED, "It is about two sites with a column each.", source)
    one, other = sorted(sites, key=lambda s: -s.epsilon)
    if one.n != other.n:
        text = "Both columns are of the same people; here the numbers of records differ."
        return of_all(study, NOT_COVERED, text, source)
    n = one.n
    error = columns.order_of(columns.LISTENING, n, one.epsilon, other.epsilon)
    alone = columns.order_of(columns.APART, n, one.epsilon, other.epsilon)
    bend = number(columns.bend(n))

    def adds(site: Server) -> Said:
        if site is one:
            return Said(HELPS, "It speaks first: its flipped signs limit both.", source)
        free = "is free" if site.epsilon >= columns.bend(n) else "binds"
        text = f"It listens: by the rate its privacy {free} (bend at ε = {bend})."
        return Said(HELPS, text, source)

    text = (
        f"Both are needed for the correlation: the squared error is of the order of "
        f"{number(error)}, and of {number(alone)} if neither hears the other."
    )
    whole = Said(HELPS, text, source)
    return of_each(study, whole, source, map(adds, study.servers))
