"""A public source and a private target: worlds, real tables, and how errors are read."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rates.adaptation import LOSSES, Loss
from rates.numbers import DomainError
from rates.rows import numeric_cell, numeric_table
from sims.engine import Array, generator

NOISE = 0.2  # standard deviation of a label around its line
STEEPNESS = 6.0  # slope of the log odds of a label
TEST = 40_000  # records on which errors are read, the same in every replicate
MAX_ROWS, MAX_COLUMNS = 20_000, 200
SETS = ("diabetes", "breast cancer")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Sample:
    """Labelled records of one domain.

    Attributes:
        x: Features, one row per record, norm at most 1.
        y: Labels in [-1, 1]; -1 or 1 for the logistic loss.
        clipped: Rows whose features were shortened.
    """

    x: Array
    y: Array
    clipped: int = 0

    @property
    def size(self) -> int:
        """Number of records."""
        return len(self.y)

    def rows(self, chosen: NDArray[np.intp]) -> Sample:
        """Return some of the records."""
        return Sample(x=self.x[chosen], y=self.y[chosen])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Pair:
    """The public and the private sample of one problem."""

    public: Sample
    private: Sample
    loss: Loss = "squared"


def sample(x: Array, y: Array, *, where: str, loss: Loss = "squared") -> Sample:
    """Check one domain's records; rows longer than 1 are shortened and counted.

    Args:
        x: Features, finite, shape (records, d).
        y: Labels in [-1, 1], or -1 and 1 for the logistic loss.
        where: Name of the domain, for refusals.
        loss: "squared" or "logistic".

    Raises:
        DomainError: A label is outside its set.

    >>> kept = sample(np.array([[3.0, 4.0], [0.1, 0.0]]), np.array([1.0, 0.5]), where="Target")
    >>> kept.clipped, kept.x[0].round(3).tolist()
    (1, [0.6, 0.8])
    """
    allowed = np.abs(y) <= 1 if loss == "squared" else np.abs(y) == 1
    if not allowed.all():
        row = int(np.flatnonzero(~allowed)[0])
        rule = f"A label must {'lie in [-1, 1]' if loss == 'squared' else 'be -1 or 1'}."
        raise DomainError(rule, field="label", value=float(y[row]), where=f"{where}, row {row + 1}")
    norm = np.linalg.norm(x, axis=1)
    scale = 1.0 / np.maximum(norm, 1.0)
    return Sample(x=x * scale[:, None], y=y, clipped=int((norm > 1.0).sum()))


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A target of norm-1 slope and a source that differs from it by two dials.

    Attributes:
        dimension: Number of features.
        concept: s, distance between the slopes of source and target.
        covariate: c; the source's features are stretched by factors from exp(-c) to exp(c)
            and moved by c/2.
        loss: "squared": labels are a line plus noise of sd 0.2, cut at ±1. "logistic": labels
            are ±1 with log odds 6 times the line.
    """

    dimension: int = 10
    concept: float = 0.3
    covariate: float = 0.3
    loss: Loss = "squared"

    def slope(self, public: bool) -> Array:
        """The slope of a domain; the source's lies s away from the target's, which has norm 1."""
        d = self.dimension
        along = np.full(d, 1 / math.sqrt(d))
        if not public:
            return along
        away = np.where(np.arange(d) % 2, -1.0, 1.0)
        away -= along * (away @ along)
        return along + self.concept * away / np.linalg.norm(away)

    def draw(self, rng: np.random.Generator, size: int, *, public: bool) -> Sample:
        """Draw records of one domain; features lie in the unit ball."""
        d = self.dimension
        x = rng.standard_normal((size, d)) / math.sqrt(d)
        if public and self.covariate:
            x *= np.exp(self.covariate * np.linspace(-1, 1, d))
            x[:, 0] += self.covariate / 2
        x /= np.maximum(1.0, np.linalg.norm(x, axis=1))[:, None]
        line = x @ self.slope(public)
        noise = rng.standard_normal(size) if self.loss == "squared" else rng.random(size)
        if self.loss == "squared":
            return Sample(x=x, y=np.clip(line + NOISE * noise, -1.0, 1.0))
        return Sample(x=x, y=np.where(noise < 1 / (1 + np.exp(-STEEPNESS * line)), 1.0, -1.0))


@functools.lru_cache(maxsize=16)
def held_out(world: World) -> Sample:
    """Return the target's records on which errors are read."""
    return world.draw(generator(0, "adaptation-test", world.dimension), TEST, public=False)


@functools.lru_cache(maxsize=64)
def public_draw(world: World, size: int, seed: int, k: int) -> Sample:
    """Return the public sample of replicate k."""
    return world.draw(generator(seed, "public", k), size, public=True)


@functools.lru_cache(maxsize=128)
def world_pair(world: World, public: int, private: int, seed: int, k: int) -> Pair:
    """Return both samples of replicate k; those of fewer private records begin alike."""
    return Pair(
        public=public_draw(world, public, seed, k),
        private=world.draw(generator(seed, "private", private, k), private, public=False),
        loss=world.loss,
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Moments:
    """Second moments of a sample: A = mean xx', b = mean xy, c = mean y²."""

    A: Array
    b: Array
    c: float

    @classmethod
    def of(cls, records: Sample) -> Moments:
        """Return those of a sample."""
        size = records.size
        return cls(
            A=records.x.T @ records.x / size,
            b=records.x.T @ records.y / size,
            c=float(records.y @ records.y) / size,
        )

    def loss(self, w: Array) -> float:
        """Mean squared loss of coefficients."""
        return float(w @ self.A @ w - 2 * (self.b @ w) + self.c)


def error(w: Array, test: Sample, loss: Loss) -> float:
    """Return the mean squared error on a test sample, or the share of wrong signs."""
    line = test.x @ w
    if loss == "squared":
        return float(np.mean((line - test.y) ** 2))
    return float(np.mean(np.sign(line) != test.y))


# Tables ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Domains:
    """A table split into a public and a private domain, scaled by public data alone.

    Attributes:
        name: Where it is from.
        public: All records of the source.
        private: All records of the target; some are kept for the test.
        loss: The loss that its labels call for.
        note: What was scaled and clipped, as sentences.
    """

    name: str
    public: Sample
    private: Sample
    loss: Loss
    note: str

    @property
    def tested(self) -> int:
        """Records of the target that are kept for the test, a third."""
        return max(1, self.private.size // 3)

    def split(self, rng: np.random.Generator, private: int | None = None) -> tuple[Pair, Sample]:
        """Return a pair and a test sample.

        Args:
            rng: Chooses who is in the test.
            private: Most private records; all by default.
        """
        order = rng.permutation(self.private.size)
        test, people = order[: self.tested], order[self.tested :][:private]
        pair = Pair(public=self.public, private=self.private.rows(people), loss=self.loss)
        return pair, self.private.rows(test)


def domains(x: Array, y: Array, private: NDArray[np.bool_], *, name: str) -> Domains:
    """Scale and split a table; labels of two values become ±1 and call for the logistic loss.

    Features are centred and scaled by the public records, so that nothing private is used, and
    an intercept is added. Other labels must lie in [-1, 1].

    Args:
        x: Features, shape (records, d).
        y: Labels.
        private: Which records are private.
        name: Where the table is from.

    Raises:
        DomainError: A domain is missing, or its labels are constant or outside their set.
    """
    for word, chosen in (("private", private), ("public", ~private)):
        if int(chosen.sum()) < 3:
            rule = f"The {word} domain must have at least 3 records."
            raise DomainError(rule, field="domain", value=int(chosen.sum()), where=name)
        if np.ptp(y[chosen]) == 0:
            rule = f"The labels of the {word} domain must not all be the same."
            raise DomainError(rule, field="label", value=float(y[chosen][0]), where=name)
    values = np.unique(y)
    loss: Loss = LOSSES[1] if len(values) == 2 else LOSSES[0]
    if loss == "logistic":
        y = np.where(y == values[1], 1.0, -1.0)
    # Private records must not leak through the scale of the features.
    centre, spread = x[~private].mean(axis=0), x[~private].std(axis=0)
    scaled = (x - centre) / np.where(spread > 0, spread, 1.0) / math.sqrt(2.0 * x.shape[1])
    # The intercept is small, so that most rows keep a norm below 1.
    wide = np.column_stack([scaled, np.full(len(x), 0.5)])
    made = {
        word: sample(wide[chosen], y[chosen], where=f"{name}, {word}", loss=loss)
        for word, chosen in (("public", ~private), ("private", private))
    }
    note = (
        f"{made['public'].size:,} public and {made['private'].size:,} private records, "
        f"{x.shape[1]} features and an intercept, scaled by the public records. Shortened to "
        f"norm 1: {made['public'].clipped:,} public and {made['private'].clipped:,} "
        "private rows."
    )
    return Domains(name=name, loss=loss, note=note, **made)


@functools.cache
def known(name: str) -> Domains:
    """Return one of scikit-learn's tables as two domains.

    Diabetes: the target has a body mass index in the upper 30%; labels are scaled to [-1, 1].
    Breast cancer: the target has a mean radius in the upper half.

    Raises:
        DomainError: The name is unknown, or scikit-learn is not installed.
    """
    if name not in SETS:
        raise DomainError(f"The table must be {' or '.join(SETS)}.", field="data", value=name)
    try:
        from sklearn import datasets  # type: ignore[import-untyped]
    except ImportError:
        rule = "This table comes with scikit-learn, which is not installed here."
        raise DomainError(rule, field="data", value=name) from None
    if name == "diabetes":
        x, y = datasets.load_diabetes(return_X_y=True)
        low, high = float(y.min()), float(y.max())
        y = 2 * (y - low) / (high - low) - 1
        private = x[:, 2] > np.quantile(x[:, 2], 0.7)
    else:
        x, y = datasets.load_breast_cancer(return_X_y=True)
        private = x[:, 0] > np.median(x[:, 0])
    return domains(np.asarray(x, float), np.asarray(y, float), private, name=name)


def have_tables() -> bool:
    """Say whether scikit-learn's tables are at hand."""
    from importlib.util import find_spec

    return find_spec("sklearn") is not None


def read_table(text: str | bytes) -> Domains:
    r"""Read a table with columns ``domain``, ``label`` and features.

    The domain is "public" or "private"; labels lie in [-1, 1] or have two values.

    Raises:
        DomainError: The table is refused; the message names row and field.

    >>> rows = "".join(f"{d},{y},{y}\n" for d in ("public", "private") for y in (0.1, 0.5, 0.9))
    >>> read_table("domain,label,age\n" + rows).public.size
    3
    """
    header, rows = numeric_table(
        text, "A table", ("domain", "label"), others=(1, MAX_COLUMNS - 2), records=(1, MAX_ROWS)
    )
    which, numbers = [], []
    for row, cells in enumerate(rows, start=1):
        where = f"Row {row}"
        named = dict(zip(header, cells, strict=True))
        domain = named.pop("domain")
        if domain not in ("public", "private"):
            rule = 'The domain must be "public" or "private".'
            raise DomainError(rule, field="domain", value=domain, where=where)
        which.append(domain == "private")
        numbers.append([numeric_cell(named[name], name, where) for name in sorted(named)])
    names = sorted(set(header) - {"domain"})
    whole = np.array(numbers)
    at = names.index("label")
    return domains(np.delete(whole, at, axis=1), whole[:, at], np.array(which), name="your table")
