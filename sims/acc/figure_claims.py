r"""What the text says of Figures 3 to 5 of [ACC], judged by a run of its own.

A claim is a list of differences that it says are positive: the gain from sources, the fall of that
gain, the gap to the histogram. Each is a mean over paired replicates with a standard error, and
the intervals of a claim hold together at 95% (Bonferroni, Student's law). By one rule a claim

* *holds* if every interval lies above 0,
* *does not hold* if some interval lies below 0,
* is *inside the noise* otherwise: more replicates would tell, or the difference is nil.

Standard errors do not count the choice of bandwidth and weight in the pilot.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rates.numbers import DomainError
from sims.acc.figures import ADAPT, DTK, HIST, TARGET, Cell, cell_of
from sims.acc.kernel import KERNELS
from sims.engine import Array, Progress

Verdict = Literal["holds", "does not hold", "inside the noise"]
Term = tuple[float, Cell]  # factor and cell
Part = tuple[str, list[Term]]  # where, and a sum of cells
Line = tuple[str, str]  # method and variant
Size = tuple[int, int]  # sources and records of each server

COVERAGE = 0.95
SMALL = 0.03  # a cost of adaptation that we call small: three points of accuracy
STRICT = 1.0  # budgets up to this are called strict
TRIANGULAR, GAUSSIAN = "triangular", "gaussian"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One number that a claim says is positive.

    Attributes:
        where: At which settings, in words.
        mean: The estimate, in accuracy.
        stderr: Its standard error over paired replicates.
        low: Lower end of its interval; all intervals of a claim hold together.
        high: Upper end.
    """

    where: str
    mean: float
    stderr: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claim of the text with the verdict of one run.

    Attributes:
        name: Short and unique, as "figure-4:histogram:shifted laplace".
        text: What is claimed, in our words.
        verdict: By the rule above.
        differences: What it rests on, the smallest lower end first.
        replicates: Replicates that every difference has.
        note: What to know before reading the verdict; empty if nothing.
    """

    name: str
    text: str
    verdict: Verdict
    differences: tuple[Difference, ...]
    replicates: int
    note: str = ""


def judge(differences: Iterable[Difference]) -> Verdict:
    """Return the verdict on differences that are said to be positive.

    >>> one = Difference(where="", mean=0.1, stderr=0.01, low=0.08, high=0.12)
    >>> judge([one]), judge([one, Difference(where="", mean=0, stderr=1, low=-2, high=2)])
    ('holds', 'inside the noise')
    """
    listed = list(differences)
    if any(d.high < 0 for d in listed):
        return "does not hold"
    return "holds" if all(d.low > 0 for d in listed) else "inside the noise"


def paired(progress: Progress) -> Array:
    """Return what a run has found, one row per point, cut to the replicates that all points have.

    Raises:
        DomainError: Some point has fewer than two.
    """
    count = min(progress.counts)
    if count < 2:
        rule = "Every point needs two replicates before a claim can be judged."
        raise DomainError(rule, field="replicates", value=count)
    return progress.replicated[:, :count]


class _Table:
    """Accuracies of a run by cell."""

    def __init__(self, progress: Progress) -> None:
        cells = map(cell_of, progress.request.points)
        self.rows: dict[Cell, Array] = dict(zip(cells, paired(progress), strict=True))
        self.epsilons = sorted({cell.epsilon for cell in self.rows})
        self.gammas = sorted({cell.gamma for cell in self.rows})
        self.sizes = sorted({(cell.m, cell.n) for cell in self.rows})
        self.lines = list(dict.fromkeys((cell.method, cell.variant) for cell in self.rows))

    def cell(self, line: Line, size: Size, gamma: float, eps: float) -> Cell:
        m, n = size
        return Cell(method=line[0], variant=line[1], n=n, m=m, gamma=gamma, epsilon=eps)

    @property
    def kernels(self) -> list[str]:
        return [kernel for kernel in KERNELS if (DTK, kernel) in self.lines]

    def gap(self, a: Line, b: Line, size: Size, gamma: float, eps: float) -> list[Term]:
        """Accuracy of line a less that of line b."""
        return [(1.0, self.cell(a, size, gamma, eps)), (-1.0, self.cell(b, size, gamma, eps))]

    def claim(
        self, name: str, text: str, parts: Iterable[Part], note: str = "", *, plus: float = 0.0
    ) -> list[Claim]:
        """Return the claim that every sum of terms, plus a constant, is positive; none if empty."""
        rows = [
            (where, plus + sum((factor * self.rows[cell] for factor, cell in terms), 0.0))
            for where, terms in parts
        ]
        return [make_claim(name, text, rows, note=note)] if rows else []


def make_claim(name: str, text: str, rows: Sequence[tuple[str, Any]], *, note: str = "") -> Claim:
    """Return the claim that the mean of every row of paired differences is positive.

    Args:
        name: Short and unique.
        text: What is claimed.
        rows: Where, and one difference per replicate; at least one row of at least two.
        note: What to know before reading the verdict.

    >>> row = np.array([0.1, 0.2, 0.3])
    >>> make_claim("gain", "It gains.", [("at 1", row)]).verdict
    'inside the noise'
    >>> make_claim("gain", "It gains.", [("at 1", row + 1)]).verdict
    'holds'
    """
    from scipy.special import stdtrit

    tail = 0.5 * (1.0 - COVERAGE) / len(rows)
    found = []
    for where, row in rows:
        count = len(row)
        width = float(stdtrit(count - 1, 1.0 - tail))
        mean, error = float(np.mean(row)), float(np.std(row, ddof=1)) / math.sqrt(count)
        low, high = mean - width * error, mean + width * error
        found.append(Difference(where=where, mean=mean, stderr=error, low=low, high=high))
    found.sort(key=lambda d: d.low)
    return Claim(
        name=name,
        text=text,
        verdict=judge(found),
        differences=tuple(found),
        replicates=len(rows[0][1]),
        note=note,
    )


def claims(progress: Progress) -> tuple[Claim, ...]:
    """Return every claim of the text that a run of a figure can judge.

    A claim needs at least two values of whatever it compares; those that a run does not have
    are left out.

    Args:
        progress: A run of "figure-3", "figure-4" or "figure-5" with two replicates or more.

    Raises:
        DomainError: The run is another experiment's, or has fewer than two replicates.

    Source: [ACC] Sections 6.1.2 and 6.1.3.
    """
    judges = {"figure-3": _figure_3, "figure-4": _figure_4, "figure-5": _figure_5}
    name = progress.request.experiment.name
    if name not in judges:
        rule = f"The experiment must be one of {', '.join(judges)}."
        raise DomainError(rule, field="experiment", value=name)
    return tuple(judges[name](_Table(progress)))


def _at(gamma: float, epsilon: float | None = None, m: int | None = None) -> str:
    words = [f"gamma = {gamma:g}"]
    words += [] if epsilon is None else [f"epsilon = {epsilon:g}"]
    words += [] if m is None else [f"m = {m}"]
    return ", ".join(words)


def _difference(t: _Table, a: Line, b: Line, sizes: Iterable[Size] | None = None) -> Iterator[Part]:
    """Yield accuracy of line a less that of line b at every setting."""
    for size, gamma, eps in itertools.product(sizes or t.sizes, t.gammas, t.epsilons):
        yield f"{a[1]}, {_at(gamma, eps, size[0])}", t.gap(a, b, size, gamma, eps)


def _minus(a: list[Term], b: list[Term]) -> list[Term]:
    return [*a, *((-factor, cell) for factor, cell in b)]


def _rises(t: _Table) -> list[Claim]:
    """Accuracy rises with epsilon, from each budget to the next."""
    steps = itertools.pairwise(t.epsilons)
    parts = [
        (
            f"{line[0]}, {line[1]}, {_at(gamma)}, epsilon {low:g} to {high:g}",
            [(1.0, t.cell(line, size, gamma, high)), (-1.0, t.cell(line, size, gamma, low))],
        )
        for low, high in steps
        for line, size, gamma in itertools.product(t.lines, t.sizes, t.gammas)
        if line[0] != HIST
    ]
    return t.claim("figure-3:budget", "Accuracy rises with the budget for every method.", parts)


def _figure_3(t: _Table) -> list[Claim]:
    gains = [g for k in t.kernels for g in _difference(t, (DTK, k), (TARGET, k))]
    out = t.claim(
        "figure-3:transfer",
        "Transfer beats the target alone for every kernel, budget and signal exponent.",
        gains,
        "The target alone is one of the weights that transfer is tuned over, so it cannot lose "
        "except by the pilot's chance: only the size of the gain is informative.",
    )
    first, last = t.gammas[0], t.gammas[-1]
    falls = [
        (
            f"{kernel}, epsilon = {eps:g}, gamma {first:g} to {last:g}",
            _minus(*(t.gap((DTK, kernel), (TARGET, kernel), size, g, eps) for g in (first, last))),
        )
        for kernel, size, eps in itertools.product(t.kernels, t.sizes, t.epsilons)
        if first < last
    ]
    text = "The gain from sources falls as their signal exponent grows."
    out += t.claim("figure-3:exponent", text, falls)
    loose = [part for part in falls if not _strict(part[1])]
    out += t.claim("figure-3:exponent:loose", text[:-1] + f", at epsilon above {STRICT:g}.", loose)
    return out + _rises(t)


def _strict(terms: list[Term]) -> bool:
    return terms[0][1].epsilon <= STRICT


def _costs(t: _Table, kernel: str) -> list[Part]:
    return list(_difference(t, (DTK, kernel), (ADAPT, kernel)))


def _figure_4(t: _Table) -> list[Claim]:
    out: list[Claim] = []
    for line in (line for line in t.lines if line[0] == HIST):
        gaps = [g for k in t.kernels for g in _difference(t, (DTK, k), line)]
        text = f"Tuned kernel beats tuned histogram ({line[1]}) everywhere."
        out += t.claim(f"figure-4:histogram:{line[1]}", text, gaps)
        own = [g for k in t.kernels for g in _difference(t, (ADAPT, k), line)]
        text = f"The adaptive kernel rule beats the tuned histogram ({line[1]}) everywhere."
        out += t.claim(f"figure-4:adaptive-histogram:{line[1]}", text, own)
        text = f"Tuned kernel beats tuned histogram ({line[1]}) at epsilon up to {STRICT:g}."
        strict = [part for part in gaps if _strict(part[1])]
        out += t.claim(f"figure-4:gap:{line[1]}", text, strict)
    return out + _adaptation(t)


def _adaptation(t: _Table) -> list[Claim]:
    out: list[Claim] = []
    for kernel in t.kernels:
        small = [(where, _minus([], terms)) for where, terms in _costs(t, kernel)]
        text = f"The cost of adaptation is small ({kernel} kernel)."
        note = f"Small is not defined; here it is at most {100 * SMALL:g} points of accuracy."
        out += t.claim(f"figure-4:cost:{kernel}", text, small, note, plus=SMALL)
    if len(t.kernels) == len(KERNELS):
        pairs = zip(_costs(t, TRIANGULAR), _costs(t, GAUSSIAN), strict=True)
        parts = [(where, _minus(other, own)) for (where, own), (_, other) in pairs]
        text = "The triangular kernel loses less by adaptation than the Gaussian one."
        out += t.claim("figure-4:triangular", text, parts)
    return out


def _figure_5(t: _Table) -> list[Claim]:
    first, last = t.sizes[0], t.sizes[-1]
    if first == last:
        return []

    def fall(line: Line, gamma: float, epsilon: float) -> list[Term]:
        return [
            (1.0, t.cell(line, first, gamma, epsilon)),
            (-1.0, t.cell(line, last, gamma, epsilon)),
        ]

    grid = list(itertools.product(t.lines, t.gammas, t.epsilons))
    falls = [
        (f"{line[0]}, {line[1]}, {_at(gamma, eps)}", fall(line, gamma, eps))
        for line, gamma, eps in grid
        if line[0] != HIST
    ]
    span = f"from m = {first[0]} to {last[0]} with {first[1] * (first[0] + 1)} records in all"
    out = t.claim("figure-5:servers", f"Accuracy falls {span}.", falls)
    private = [part for part in falls if math.isfinite(part[1][0][1].epsilon)]
    out += t.claim(
        "figure-5:servers:private", f"Accuracy falls {span}, at finite budgets.", private
    )
    low, high = t.gammas[0], t.gammas[-1]
    steeper = [
        (
            f"{line[0]}, {line[1]}, epsilon = {eps:g}, gamma {high:g} over {low:g}",
            _minus(fall(line, high, eps), fall(line, low, eps)),
        )
        for line, eps in itertools.product(t.lines, t.epsilons)
        if line[0] == DTK and low < high
    ]
    text = "The fall is steeper where the signal exponent of the sources is larger."
    out += t.claim("figure-5:exponent", text, steeper)
    return out + _costs_by_servers(t, first, last) + _kernels(t, first, last)


def _costs_by_servers(t: _Table, first: Size, last: Size) -> list[Claim]:
    parts = []
    for kernel, gamma, eps in itertools.product(t.kernels, t.gammas, t.epsilons):
        lines = (DTK, kernel), (ADAPT, kernel)
        cost = [t.gap(*lines, size, gamma, eps) for size in (last, first)]
        parts.append((f"{kernel}, {_at(gamma, eps)}", _minus(*cost)))
    return t.claim(
        "figure-5:cost", "The cost of adaptation grows with the number of servers.", parts
    )


def _kernels(t: _Table, first: Size, last: Size) -> list[Claim]:
    if len(t.kernels) < len(KERNELS):
        return []
    triangular, gaussian = (ADAPT, TRIANGULAR), (ADAPT, GAUSSIAN)

    def better(
        name: str, text: str, lines: tuple[Line, Line], sizes: Iterable[Size], *, strict: bool
    ) -> list[Claim]:
        parts = [part for part in _difference(t, *lines, sizes) if _strict(part[1]) == strict]
        note = f"A budget up to {STRICT:g} counts as strict."
        return t.claim(f"figure-5:kernel:{name}", text, parts, note)

    few = f"The triangular kernel adapts better at m = {first[0]} and a strict budget."
    many = f"The Gaussian kernel adapts better at m = {last[0]} and a strict budget."
    loose = "The triangular kernel adapts better wherever privacy is loose."
    return [
        *better("few", few, (triangular, gaussian), [first], strict=True),
        *better("many", many, (gaussian, triangular), [last], strict=True),
        *better("loose", loose, (triangular, gaussian), t.sizes, strict=False),
    ]
