"""The gate: the one place where privacy noise is drawn, and the book that it keeps.

Whatever a mechanism of this project shows of private records passes `release` (a statistic with
noise) or `choose` (a choice by noisy scores), with its sensitivity, its noise and whose records it
read. Inside `account` every passage is written down, so that the guarantee of a whole run is the
sum of what was really drawn, not of what was meant. All else here is drawn from public laws: the
records of simulated worlds, test sets, orders.

The neighbour relation is replacement of one record everywhere. A released function gets one
Gaussian path as a whole, with covariance K((s-t)/h): noise drawn independently at each point is not
private at this scale, because its mean over nearby points is almost noise-free.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from rates import numbers
from rates.answer import multipliers
from sims.engine.experiment import Array

Law = Literal["Gaussian", "Laplace", "exponential", "none"]
Path = Callable[[np.random.Generator], Array] | Array | None
MOST_LOSSES = 100_000  # of pure releases together; above that their epsilons are summed


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """One release, as the gate wrote it down.

    Attributes:
        of: What was released, in words.
        who: Whose records it read; different names stand for different records.
        law: "Gaussian", "Laplace", "exponential" (a choice) or "none".
        sensitivity: Most by which one replaced record moves the value, as declared; inf where
            nothing bounds it.
        multiplier: Standard deviation (Gaussian) or scale (Laplace) over the sensitivity; for
            a choice 1/epsilon; inf for the value of a constant, 0 for no noise.
        servers: How many servers released alike, each on records of its own.
        times: How often in a row, each time with noise of its own.
    """

    of: str
    who: Hashable
    law: Law
    sensitivity: float
    multiplier: float
    servers: int = 1
    times: int = 1


@dataclass(slots=True)
class Account:
    """What the gate wrote down while it was open.

    Attributes:
        releases: One entry per passage.
        change: For an audit: what one replaced record adds to a value; see `sims.audit`.
        factor: For an audit: what all noise is multiplied with.
        noise: For an audit: by entry, what left the gate less the value of the first world.
    """

    releases: list[Release] = field(default_factory=list)
    change: Callable[[Release, Array], Array] | None = None
    factor: float = 1.0
    noise: list[Array] = field(default_factory=list)

    def delta(self, epsilon: float) -> float:
        """Return the delta that all releases together guarantee at this epsilon.

        Releases that read the same records compose, those of different records do not. Gaussian
        ones compose exactly, also with pure ones at their worst (randomised responses of the same
        epsilon), so this is an upper bound, reached by some pure releases and Gaussian ones.

        >>> with account() as book:
        ...     for _ in range(4):
        ...         _ = release(0.0, np.random.default_rng(0), of="mean", sensitivity=1.0,
        ...                     multiplier=8.0)
        >>> book.delta(1.0) == float(numbers.delta_of(4.0, 1.0))
        True

        Source: Dong, Roth and Su (2022), Corollary 3.3; Kairouz, Oh, Viswanath (2017), Theorem 3.3.
        """
        return max((_composed(own, epsilon) for own in self.by_record().values()), default=0.0)

    def by_record(self) -> dict[Hashable, list[Release]]:
        """Return the releases that read the same records, by their name."""
        found: dict[Hashable, list[Release]] = {}
        for one in self.releases:
            found.setdefault(one.who, []).append(one)
        return found


def _composed(releases: Iterable[Release], epsilon: float) -> float:
    signal, pure = 0.0, Counter[float]()
    for one in releases:
        # Something left without noise: no delta below 1 holds.
        if one.law == "none" or one.multiplier == 0:
            return 1.0
        if one.law == "Gaussian":
            # Gaussian releases compose like one whose squared signals are added.
            signal += one.times * one.multiplier**-2.0
        else:
            pure[1.0 / one.multiplier] += one.times
    losses, chances = _responses(pure)
    if signal == 0:  # a budget that is spent to the last digit is not overspent
        return float(chances @ -np.expm1(np.minimum(epsilon * (1.0 + 1e-9) - losses, 0.0)))
    left = epsilon - losses
    there = np.asarray(numbers.delta_of(signal**-0.5, np.abs(left)))
    # The roles of the neighbours exchanged give delta at a negative epsilon.
    return float(chances @ np.where(left >= 0, there, 1.0 - np.exp(left) * (1.0 - there)))


def _responses(pure: Counter[float]) -> tuple[Array, Array]:
    """Return the privacy losses of randomised responses together, and their chances."""
    from scipy.stats import binom

    # All sums of losses are listed; where they are too many, one worst loss bounds them.
    if math.prod(times + 1 for times in pure.values()) > MOST_LOSSES:
        pure = Counter({math.fsum(e * times for e, times in pure.items()): 1})
    losses, chances = np.zeros(1), np.ones(1)
    for each, times in pure.items():
        lies = np.arange(times + 1)
        losses = np.add.outer(losses, (times - 2.0 * lies) * each).ravel()
        # exp overflows beyond 709; at 700 the chance of a lie is 0 to the last digit.
        chance = binom.pmf(lies, times, 1.0 / (1.0 + math.exp(min(each, 700.0))))
        chances = np.outer(chances, chance).ravel()
    return losses, chances


_BOOK: ContextVar[Account | None] = ContextVar("account", default=None)


@contextmanager
def account(book: Account | None = None) -> Iterator[Account]:
    """Write down every release made inside, in a new book unless one is given."""
    # A context variable, not a global: runs of other threads keep books of their own.
    book = book or Account()
    token = _BOOK.set(book)
    try:
        yield book
    finally:
        _BOOK.reset(token)


def release(
    value: ArrayLike,
    rng: np.random.Generator | None,
    *,
    of: str,
    sensitivity: ArrayLike,
    multiplier: ArrayLike,
    law: Law = "Gaussian",
    who: Hashable = "",
    servers: ArrayLike = 1,
    weights: ArrayLike = 1.0,
    times: int = 1,
    path: Path = None,
    rows: Sequence[Hashable] = (),
    bounded: bool = True,
) -> Array:
    r"""Return a statistic with its privacy noise: the one place where such noise is drawn.

    The value is a sum over rows j of servers, each of ``servers[j]`` alike, of ``weights[j]``
    times what the server releases with noise of scale multiplier times sensitivity. Only that
    sum is needed: of Gaussians it is one, of Laplace variables a difference of two Gammas.

    Args:
        value: The statistic, before noise.
        rng: Source of the noise; None where the path is noise that is drawn already.
        of: What it is, in words.
        sensitivity: Δ_j, the most by which one replaced record moves what a server releases, in
            the norm of the law: Euclidean or RKHS for Gaussian, absolute for Laplace.
        multiplier: Scale of the noise over the sensitivity; 0 is no noise.
        law: "Gaussian" or "Laplace".
        who: Whose records it reads; releases of one name compose.
        servers: How many servers are alike in a row.
        weights: What the row's releases are multiplied with in the sum.
        times: How many releases one call stands for, along the value's first axis.
        path: Draws the noise of scale one, of the value's shape, or is it: one joint path for a
            Gaussian function, or what releases at several budgets share; without it every
            coordinate gets noise of its own.
        rows: Where servers alike, each with records of its own, release a row of the value each:
            their names, in place of ``who``. Their path is drawn already.
        bounded: False where nothing bounds what a record moves, and the sensitivity is only what
            the scale of the noise is made of; the book then says that nothing is promised.

    Returns:
        Array of the value's shape.

    >>> rng = np.random.default_rng(0)
    >>> release([3.0, 4.0], rng, of="mean", sensitivity=0.0, multiplier=2.0).tolist()
    [3.0, 4.0]

    Source: Dwork, McSherry, Nissim, Smith (2006), Proposition 1; Balle and Wang (2018); for
    functions Hall, Rinaldo, Wasserman (2013), Corollary 9.
    """
    clean, book = np.asarray(value, dtype=float), _BOOK.get()
    if (
        (book is None and law in ("Gaussian", "Laplace"))
        and (isinstance(sensitivity, float) and isinstance(multiplier, float))
        and (isinstance(servers, int) and isinstance(weights, float))
    ):  # steps of a descent are many, and broadcasting is slow
        if not sensitivity or not multiplier:
            return clean
        each = weights * sensitivity * multiplier
        if law == "Gaussian" and servers != 1:
            each = math.sqrt(servers * each**2)
        return np.asarray(clean + each * _unit(path, rng, clean, law, servers))
    if rows and book is not None:
        assert isinstance(path, np.ndarray)
        own: dict[str, Any] = {"sensitivity": sensitivity, "multiplier": multiplier, "law": law}
        own |= {"servers": servers, "weights": weights, "times": times, "bounded": bounded}
        parts = zip(clean, rows, path, strict=True)
        # Each name is a release of its own: records of different servers do not compose.
        return np.stack([release(v, rng, of=of, who=w, path=u, **own) for v, w, u in parts])
    width, noise, count, weight = np.broadcast_arrays(sensitivity, multiplier, servers, weights)
    if book is not None:
        book.releases += [
            Release(
                of=of,
                who=who if width.ndim == 0 else (who, j),
                law=law if m > 0 else "none",
                sensitivity=float(w) if bounded else math.inf,
                multiplier=float(m) if bounded else 0.0,
                servers=int(c),
                times=times,
            )
            for j, (w, m, c) in enumerate(zip(width.flat, noise.flat, count.flat, strict=True))
        ]
    # Where nothing depends on a record there is nothing to hide, whatever the multiplier.
    scale = weight * width * np.where(width > 0, noise, 0.0)
    if book is None:
        return _noisy(clean, scale, count, law, rng, path)
    # An audit puts the second world's value in; the noise stays that of the first.
    shifted = clean if book.change is None else clean + book.change(book.releases[-1], clean)
    out = _noisy(shifted, book.factor * scale, count, law, rng, path)
    book.noise.append(out - clean)
    return out


def unit_noise(
    rng: np.random.Generator, shape: tuple[int, ...], law: Law, servers: int | Array = 1
) -> Array:
    """Draw noise of scale one: for one release, or as the path of several at other budgets.

    Args:
        rng: Source of the noise.
        shape: Of the statistic.
        law: "Gaussian" or "Laplace".
        servers: Over how many servers Laplace noise is summed; a Gaussian sum is one Gaussian.
    """
    if law != "Laplace":
        return rng.standard_normal(shape)
    if np.ndim(servers) == 0 and servers == 1:
        return rng.laplace(0.0, 1.0, shape)
    # A sum of Laplace variables is a difference of two Gammas, drawn in one go.
    return np.asarray(rng.standard_gamma(servers, shape) - rng.standard_gamma(servers, shape))


def _noisy(
    clean: Array, scale: Array, count: Array, law: Law, rng: np.random.Generator | None, path: Path
) -> Array:
    if not scale.any():
        return clean
    if law == "Laplace":
        shape = (*clean.shape, *scale.shape)
        sums = _unit(path, rng, np.empty(shape), law, count)
        axes = tuple(range(clean.ndim, len(shape)))
        return np.asarray(clean + (scale * sums).sum(axis=axes))
    # A sum of Gaussians is one Gaussian: a million servers cost no more than one.
    sd = math.sqrt(float(np.sum(count * scale**2)))
    return np.asarray(clean + sd * _unit(path, rng, clean))


def _unit(
    path: Path,
    rng: np.random.Generator | None,
    like: Array,
    law: Law = "Gaussian",
    count: int | Array = 1,
) -> Array:
    """Return noise of scale one in the shape of ``like``, as given or drawn."""
    if isinstance(path, np.ndarray):
        return path
    assert rng is not None
    return path(rng) if path else unit_noise(rng, like.shape, law, count)


def noted(*, of: str, who: Hashable = "", epsilon: float) -> None:
    """Write down a release of a mechanism that is private by its own draws, without noise.

    Args:
        of: What is released, in words.
        who: Whose records it reads.
        epsilon: What it guarantees, one record replaced; inf for a release without privacy.

    >>> with account() as book:
    ...     noted(of="answer", epsilon=0.5)
    >>> book.delta(0.5), book.delta(0.4) > 0
    (0.0, True)
    """
    if (book := _BOOK.get()) is not None:
        book.releases.append(
            Release(of=of, who=who, law="exponential", sensitivity=1.0, multiplier=1.0 / epsilon)
        )
        book.noise.append(np.zeros(0))


def ahead(
    rngs: Sequence[np.random.Generator], times: int, size: int
) -> Callable[[np.random.Generator], Array]:
    """Return the noise of many runs of equal loops, a generator each, as a `release`'s path.

    Each call gives one row per run. All is drawn at once, and as it would be one by one.

    Args:
        rngs: One generator per run.
        times: Calls.
        size: Length of a row.

    >>> rngs = [np.random.default_rng(0), np.random.default_rng(1)]
    >>> path = ahead(rngs, 3, 2)
    >>> first = path(rngs[0])
    >>> bool((first[1] == np.random.default_rng(1).standard_normal(2)).all())
    True
    """
    rows = iter(np.stack([rng.standard_normal((times, size)) for rng in rngs], axis=1))
    return lambda _: next(rows)


def choose(
    scores: Array,
    rng: np.random.Generator,
    *,
    of: str,
    sensitivity: float,
    epsilon: float,
    law: Literal["Gumbel", "exponential"] = "Gumbel",
    who: Hashable = "",
    sampled: Callable[[float], float] | None = None,
) -> int:
    """Return the place of a high score, chosen privately.

    Gumbel noise gives the exponential mechanism, exponential noise permute-and-flip; both are
    (epsilon, 0)-differentially private, one record replaced.

    Args:
        scores: One per candidate.
        rng: Source of the noise.
        of: What is chosen, in words.
        sensitivity: Most by which one replaced record moves a score.
        epsilon: Budget, positive.
        law: Of the noise.
        who: Whose records the scores read.
        sampled: Where the scores read a sample only: what a budget for the sample costs one of
            the records that it is drawn from.

    >>> choose(np.array([0.0, 9.0]), np.random.default_rng(0), of="rule", sensitivity=1.0,
    ...        epsilon=50.0)
    1

    Source: McSherry and Talwar (2007); McKenna and Sheldon (2020).
    """
    draw = rng.gumbel if law == "Gumbel" else rng.exponential
    # The 2: a record may raise one score and lower another.
    odds = epsilon / (2.0 * sensitivity)
    if (book := _BOOK.get()) is not None:
        paid = sampled(epsilon) if sampled else epsilon
        entry = Release(
            of=of,
            who=who,
            law="exponential",
            sensitivity=sensitivity,
            multiplier=1.0 / paid if paid else math.inf,
        )
        book.releases.append(entry)
        if book.change is not None:
            scores = scores + book.change(entry, scores)
        odds /= book.factor
    # Gumbel's trick: the largest noisy score is drawn as the mechanism wants it.
    place = int(np.argmax(scores * odds + draw(size=scores.size)))
    if book is not None:
        book.noise.append(np.array([place], dtype=float))
    return place


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What all releases of one server guarantee together, one record replaced.

    Attributes:
        epsilon: Budget asked for, finite.
        delta: Asked for.
        actual: The smallest delta that really holds at this epsilon.
    """

    epsilon: float
    delta: float
    actual: float

    @property
    def valid(self) -> bool:
        """Whether the releases are (epsilon, delta)-differentially private."""
        return self.actual <= self.delta * (1.0 + 1e-6)


@lru_cache(maxsize=4096)
def spent(multiplier: float, epsilon: float, delta: float, releases: int = 1) -> Spent | None:
    """Return what Gaussian releases of equal noise guarantee together; None without privacy.

    The same holds for a function in a reproducing kernel Hilbert space, whose norm takes the
    place of the Euclidean one, if the noise is a path with the space's kernel as covariance.

    Args:
        multiplier: Sigma over sensitivity of each release, positive.
        epsilon: Budget asked for, positive; inf is no privacy.
        delta: Asked for.
        releases: How many there are, each with noise of its own.

    >>> noise = float(numbers.analytic_multiplier(1.0, 1e-5))
    >>> spent(noise, 1.0, 1e-5).valid, spent(noise, 1.0, 1e-5, 4).valid
    (True, False)

    Source: Dong, Roth and Su (2022), Corollary 3.3; Balle and Wang (2018), Theorem 8; for
    functions Hall, Rinaldo, Wasserman (2013), Corollary 9.
    """
    if math.isinf(epsilon):
        return None
    actual = float(numbers.delta_of(multiplier / math.sqrt(releases), epsilon))
    return Spent(epsilon=epsilon, delta=delta, actual=actual)


def each_spent(
    budgets: Iterable[tuple[float, float]], mechanism: numbers.Mechanism
) -> tuple[Spent, ...]:
    """Return what single releases guarantee; those without privacy or release are left out.

    Args:
        budgets: Pairs of epsilon and delta.
        mechanism: "analytic" or "printed", the constant of [ACC] (9).

    >>> [one.valid for one in each_spent([(8.0, 1e-6), (16.0, 1e-6)], "printed")]
    [True, False]
    """
    # Rows alike are said once.
    pairs = sorted({pair for pair in budgets if pair[0] > 0})
    found = (spent(multiplier(*pair, mechanism), *pair) for pair in pairs)
    return tuple(one for one in found if one)


@lru_cache(maxsize=4096)
def multiplier(epsilon: float, delta: float, mechanism: numbers.Mechanism) -> float:
    """Return sigma over sensitivity of a release; 0 without privacy.

    Args:
        epsilon: Positive; inf is no privacy.
        delta: In (0, 1).
        mechanism: "analytic" or "printed", the constant of [ACC] (9).

    >>> round(multiplier(1.0, 500.0**-2, "printed"), 3), multiplier(math.inf, 0.5, "analytic")
    (5.123, 0.0)
    """
    if math.isinf(epsilon):
        return 0.0
    one = multipliers(np.array([epsilon]), np.array([delta]), mechanism, numbers.ACC_PRINTED)
    return float(one[0])
