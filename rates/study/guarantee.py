"""What a privacy budget promises: to a record, to a person, and against an attacker."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rates.numbers import safe_exp
from rates.study.scenario import Server, Study

EMPTY = 10.0  # from this budget on an attacker is right more than 99.99% of the time


def advantage(epsilon: float, delta: float = 0.0) -> float:
    r"""Return the most by which an attacker beats guessing, hits minus false alarms.

    .. math:: \frac{e^\varepsilon - 1 + 2\delta}{e^\varepsilon + 1}

    Args:
        epsilon: Budget >= 0; ``inf`` promises nothing.
        delta: In [0, 1).

    Returns:
        A number in [0, 1]: 0 is blind guessing, 1 certainty.

    >>> round(advantage(1.0), 4), advantage(math.inf), advantage(0.0, 0.01)
    (0.4621, 1.0, 0.01)

    Source: the trade-off curve of (epsilon, delta)-privacy, Kairouz, Oh and Viswanath (2015).
    """
    # tanh(x/2) is (e^x - 1)/(e^x + 1) without the overflow.
    return min(1.0, math.tanh(epsilon / 2.0) + 2.0 * delta / (safe_exp(epsilon) + 1.0))


def for_person(epsilon: float, delta: float, records: int) -> tuple[float, float]:
    r"""Return the guarantee for a person with several records in one release.

    .. math:: \varepsilon_k = k\varepsilon, \qquad
        \delta_k = \delta\,\frac{e^{k\varepsilon} - 1}{e^\varepsilon - 1}

    Replacing k records one after the other multiplies the odds k times.

    >>> for_person(1.0, 1e-6, 2)[0], round(for_person(1.0, 1e-6, 2)[1] / 1e-6, 6)
    (2.0, 3.718282)

    Source: group privacy, Dwork and Roth (2014), Theorem 2.2 and its (epsilon, delta) form.
    """
    if math.isinf(epsilon):
        return math.inf, 0.0
    if epsilon == 0:
        return 0.0, min(1.0, records * delta)
    # The exponential overflows from here on.
    if records * epsilon > 700.0:
        return records * epsilon, 1.0 if delta > 0 else 0.0
    grown = delta * math.expm1(records * epsilon) / math.expm1(epsilon)
    return records * epsilon, min(1.0, grown)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantee:
    """What one row of a study promises.

    Attributes:
        server: The row.
        person: (epsilon, delta) for a person; delta None where it is not stated.
        record_advantage: An attacker's advantage against one record; with delta 0 where it is
            not stated, so that it bounds nothing there.
        person_advantage: The same against one person.
    """

    server: Server
    person: tuple[float, float | None]
    record_advantage: float
    person_advantage: float


def guarantees(study: Study, records: int = 1) -> tuple[Guarantee, ...]:
    """Return what every row of a study promises, to a record and to a person.

    Each site makes one joint release, so nothing is composed at a site.

    >>> from rates.presets import preset
    >>> first = guarantees(preset("hospitals").study, 3)[0]
    >>> first.person[0], round(first.person_advantage, 3)
    (3.0, 0.905)
    """
    out = []
    for server in study.servers:
        delta = server.delta if server.private else 0.0
        epsilon, person_delta = for_person(server.epsilon, delta or 0.0, records)
        out.append(
            Guarantee(
                server=server,
                person=(epsilon, None if delta is None else person_delta),
                record_advantage=advantage(server.epsilon, delta or 0.0),
                person_advantage=advantage(epsilon, min(person_delta, 1.0)),
            )
        )
    return tuple(out)


def at_two_sites(study: Study, records: int = 1) -> tuple[float, float | None] | None:
    r"""Return the guarantee for a person with records at any two protected sites.

    .. math:: \varepsilon = \varepsilon_{k,1} + \varepsilon_{k,2}, \qquad
        \delta = \delta_{k,1} + \delta_{k,2}

    The two largest of each over all sites, so that it holds whichever two they are. A row stands
    for ``count`` sites.

    Args:
        study: Its sites.
        records: The most records of the person at each of the two sites.

    Returns:
        (epsilon, delta), delta None where a protected site does not state it; None if fewer
        than two sites are protected.

    >>> from rates.study.scenario import FederatedStudy, Server
    >>> row = Server(name="clinics", n=100, epsilon=2, count=10)
    >>> at_two_sites(FederatedStudy(servers=[row], smoothness=2), 3)
    (12.0, None)

    Source: basic composition, Dwork and Roth (2014), Theorem 3.16, of two releases from
    disjoint records; each by group privacy (`for_person`).
    """
    sites = [s for s in study.servers if s.private for _ in range(min(s.count, 2))]
    if len(sites) < 2:
        return None
    each = [for_person(s.epsilon, s.delta or 0.0, records) for s in sites]
    epsilon, delta = (sum(sorted(x)[-2:]) for x in zip(*each, strict=True))
    return epsilon, None if any(s.delta is None for s in sites) else min(1.0, delta)
