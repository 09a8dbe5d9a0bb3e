"""PARITY over the field of two elements: rank with packed bits, and the private learner.

A record of d bits is one whole number, so that a step of elimination is one exclusive or.

The experiment "hybrid-parity-private": volunteers learn PARITY, users test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rates.hybrid import BITS, RARE, USERS_PER_TEST, checked_budget, learner_chance, run_chance
from rates.numbers import COUNT, DELTA, EPSILON, analytic_multiplier
from sims import engine
from sims.engine import Array, Values, noted, release


def draw(bits: int, number: int, rare: float, generator: np.random.Generator) -> list[int]:
    """Draw records of uniform bits whose first bit is 1 with probability ``rare``.

    >>> len(draw(5, 3, 0.5, np.random.default_rng(0)))
    3
    """
    size = (bits + 7) // 8
    block = generator.bytes(size * number)
    mask, first = (1 << bits) - 1, 1 << (bits - 1)
    rows = [int.from_bytes(block[i : i + size], "big") & mask for i in range(0, len(block), size)]
    # Uniform records need no second draw.
    if rare == 0.5:
        return rows
    ones = generator.random(number) < rare
    return [row | first if one else row & ~first for row, one in zip(rows, ones, strict=True)]


def rank(rows: Sequence[int]) -> int:
    """Return the rank of records over the field of two elements.

    >>> rank([0b11, 0b01, 0b10])
    2

    Source: Gaussian elimination.
    """
    basis: dict[int, int] = {}  # leading bit -> record
    for row in rows:
        _insert(basis, row)
    return len(basis)


def _insert(basis: dict[int, int], row: int, least: int = 1) -> int:
    """Reduce a record by the basis; keep what is left under its leading bit, if large enough."""
    while row >= least and (known := basis.get(row.bit_length())):
        row ^= known
    if row >= least:
        basis[row.bit_length()] = row
    return row


def spans(bits: int, number: int, rare: float, generator: np.random.Generator) -> bool:
    """Return whether drawn records span all bits."""
    return rank(draw(bits, number, rare, generator)) == bits


@dataclass(frozen=True, slots=True)
class Solutions:
    """All solutions of a linear system: one of them, and a basis of the differences.

    Attributes:
        one: A solution; bit j of it belongs to bit j of the records.
        basis: Vectors that may be added.
    """

    one: int
    basis: tuple[int, ...]

    def pick(self, generator: np.random.Generator) -> int:
        """Return one of them, each with the same probability."""
        found = self.one
        for vector, take in zip(self.basis, generator.random(len(self.basis)) < 0.5, strict=True):
            if take:
                found ^= vector
        return found


def solve(rows: Sequence[int], labels: Sequence[int], bits: int) -> Solutions | None:
    """Solve for the subset of bits whose parity is the label, or return None if there is none.

    >>> found = solve([0b10, 0b11], [1, 0], 2)
    >>> found.one, found.basis
    (3, ())

    Source: Gaussian elimination, the label being one more bit.
    """
    basis: dict[int, int] = {}  # leading bit -> record with its label in bit 0
    for row, label in zip(rows, labels, strict=True):
        if _insert(basis, row << 1 | label, least=2) == 1:
            return None
    # From the lowest on, so that no cleared bit comes back.
    for lead in sorted(basis):  # clear the other leading bits, from the lowest on
        row = basis[lead]
        for other, cleared in basis.items():
            if other < lead and row >> (other - 1) & 1:
                row ^= cleared
        basis[lead] = row
    one = sum(1 << (lead - 2) for lead, row in basis.items() if row & 1)
    free = [j for j in range(bits) if j + 2 not in basis]
    vectors = []
    for j in free:
        vector = 1 << j
        for lead, row in basis.items():
            if row >> (j + 1) & 1:
                vector |= 1 << (lead - 2)
        vectors.append(vector)
    return Solutions(one, tuple(vectors))


def ask_users(
    wrong: float,
    users: int,
    multiplier: float,
    generator: np.random.Generator,
    *,
    of: str,
    who: int,
) -> float:
    """Return the noisy mean of users, each of whom says whether a rule is wrong for them.

    Args:
        wrong: The rule's error on the population.
        users: How many are asked, each once.
        multiplier: Noise of one answer, which moves by at most 1.
        generator: Source of the users and of their noise.
        of: What is tested, in words.
        who: Which users these are.
    """
    said = generator.binomial(users, wrong) / users
    noisy = release(
        said,
        generator,
        of=of,
        sensitivity=1.0,
        multiplier=multiplier,
        who=("users", who),
        servers=users,
        weights=1.0 / users,
    )
    return float(noisy)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParityRun:
    """One hybrid run on PARITY.

    Attributes:
        truth: The subset of bits behind the labels.
        answers: What the learner said for each batch; None where it gave up.
        tests: The users' noisy mean error of each answer; nan where there was none.
        chosen: The answer of least test, or None.
    """

    truth: int
    answers: tuple[int | None, ...]
    tests: tuple[float, ...]
    chosen: int | None

    @property
    def right(self) -> bool:
        """Whether the truth was found."""
        return self.chosen == self.truth


def run(
    *,
    bits: int,
    records: int,
    batches: int,
    rare: float,
    epsilon: float,
    delta: float,
    users_per_test: int,
    generator: np.random.Generator,
) -> ParityRun:
    """Run the private learner on disjoint batches and let users test its answers.

    A volunteer is in one batch, so the volunteers' guarantee is (ε, 0); a user tests one answer,
    with exact Gaussian noise for (ε, δ). A wrong subset errs for half of the uniform population.
    Records are independent, so only those that the learner keeps are drawn.

    Args:
        bits: d.
        records: Volunteers in each batch.
        batches: k.
        rare: q of the volunteers' first bit.
        epsilon: ε, at most 1/2.
        delta: δ of the users.
        users_per_test: Users for each answer.
        generator: Source of all randomness.

    >>> found = run(bits=8, records=2000, batches=9, rare=0.2, epsilon=0.5, delta=1e-6,
    ...             users_per_test=20_000, generator=np.random.default_rng(0))
    >>> found.right
    True

    Source: [KS] Corollary B.3 and the text after it.
    """
    # Of the proof: subsampling at ε/4 and giving up half the time are (ε, 0)-private.
    keep = checked_budget(epsilon) / 4.0
    truth = draw(bits, 1, 0.5, generator)[0]
    noise = float(analytic_multiplier(epsilon, delta))
    answers, tests = list[int | None](), list[float]()
    for batch in range(batches):
        noted(of="subset of bits", who=("volunteers", batch), epsilon=4.0 * keep)
        rows = draw(bits, int(generator.binomial(records, keep)), rare, generator)
        labels = [(row & truth).bit_count() & 1 for row in rows]
        # Else the answer None would tell that a record contradicts the others.
        gives_up, found = generator.random() < 0.5, solve(rows, labels, bits)
        answer = None if gives_up or found is None else found.pick(generator)
        # Two different parities disagree on half of all uniform records.
        error = 0.0 if answer == truth else 0.5
        of = f"user test of batch {batch + 1}"
        noisy = ask_users(error, users_per_test, noise, generator, of=of, who=batch)
        answers.append(answer)
        tests.append(float("nan") if answer is None else noisy)
    there = [i for i, answer in enumerate(answers) if answer is not None]
    best = min(there, key=tests.__getitem__) if there else None
    return ParityRun(
        truth=truth,
        answers=tuple(answers),
        tests=tuple(tests),
        chosen=None if best is None else answers[best],
    )


ONE, ALL = "one batch", "all batches"
MOST_BITS = BITS.within("1, ..., 128")
RECORDS = COUNT.within("0, ..., 1e5", name="records", symbol="n", help="Volunteers in each batch.")
BATCHES = COUNT.within(
    "1, ..., 100",
    name="batches",
    symbol="B",
    help="Disjoint groups of volunteers, each with one run of the learner and one test by users.",
)
BUDGET = replace(
    EPSILON,
    domain="(0, 1/2]",
    rule="The budget epsilon must be above 0 and at most 1/2: beyond it the learner is not "
    "private as stated.",
    limit_rule="The private PARITY learner is private for epsilon of at most 1/2.",
    help="Budget of each volunteer, and of each user's one answer.",
)
USERS = USERS_PER_TEST.within(
    "1, ..., 1e7", help="Users who say whether one answer is right for them."
)


def design(values: Values) -> dict[str, Any]:
    """Return the numbers of a run that all points share, by the words of `run`."""
    return {
        **{name: values.whole(name) for name in ("bits", "batches", "users_per_test")},
        **{name: values.number(name) for name in ("rare", "epsilon", "delta")},
    }


def points(values: Values) -> tuple[engine.Point, ...]:
    """Return the points of "hybrid-parity-private": the chance to find the bits, exactly."""
    whole = design(values)
    out = []
    for records in values.numbers("records"):
        n = int(records)
        one = learner_chance(whole["bits"], n, whole["rare"], whole["epsilon"])
        found = run_chance(records=n, **whole)
        for series, exact, count in ((ONE, one, 1), (ALL, found, whole["batches"])):
            settings = Values(records=records, batches=float(count))
            out.append(engine.Point(series=series, x=records, exact=exact, settings=settings))
    return tuple(sorted(out, key=lambda point: point.series != ONE))


def sample(values: Values, point: engine.Point, seed: int, indices: range) -> Array:
    """Return 1 where the answer is the truth."""
    whole = design(values)
    if point.series == ONE:
        whole["batches"] = 1
    drawn = engine.generators(seed, point.key, indices=indices)
    return np.array([float(run(records=int(point.x), generator=g, **whole).right) for g in drawn])


PRIVATE_PARITY = engine.Experiment(
    name="hybrid-parity-private",
    question="How many volunteers does a private PARITY learner need?",
    help="Each batch of volunteers gives one answer of the private learner, and fresh users test "
    "it; the answer of least noisy test is kept. Lines are exact, by counting.",
    x_label="records in a batch",
    y_label="share of runs that find the bits",
    privacy="Each volunteer is (epsilon, 0)-private under replacement of one record, being in one "
    "batch; each user's one answer is (epsilon, delta)-private by Gaussian noise of the exact "
    "size. epsilon is at most 1/2.",
    parameters=(
        engine.Number(MOST_BITS, 16.0),
        engine.Number(RARE, 0.2),
        engine.Numbers(RECORDS, (25.0, 50.0, 75.0, 100.0, 150.0, 200.0, 300.0, 500.0, 1000.0)),
        engine.Number(BATCHES, 19.0),
        engine.Number(BUDGET, 0.5),
        engine.Number(DELTA, 1e-6),
        engine.Number(USERS, 20_000.0),
    ),
    points=points,
    sample=sample,
    replicates=100,
    block=10,
    span=(0.0, 1.0),
)
