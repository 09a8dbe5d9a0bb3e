r"""What the text of [ACC] says of Figures 3 to 5 and 7, judged by a run of ours.

A claim has a name, a text and a contrast: a list of differences that it says are positive, such as
the gain from sources, the fall of that gain, the gap to the histogram. Each is a mean over paired
replicates with a standard error, and the intervals of a claim hold together at 95% (Bonferroni,
Student's law). By one rule a claim

* *holds* if every interval lies above 0,
* *does not hold* if some interval lies below 0,
* is *inside the noise* otherwise: more replicates would tell, or the difference is nil.

Standard errors do not count the choice of bandwidth and weight in the pilot. A claim needs at
least two values of whatever it compares; where a run does not have them, it is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Literal

import numpy as np

from rates.numbers import DomainError
from sims.acc.adaptive import ADAPTIVE_RULES
from sims.acc.figures import ADAPT, DTK, HIST, TARGET, cell_of
from sims.acc.kernel import KERNELS
from sims.engine import Array, Progress

Verdict = Literal["holds", "does not hold", "inside the noise"]
Contrast = Iterable[tuple[str, Array]]  # where, and one difference per replicate
Line = tuple[str, str]  # method and variant
_Place = tuple[Line, int, float, float]  # with sources, signal exponent and budget

COVERAGE = 0.95
SMALL = 0.03  # a cost of adaptation that we call small: three points of accuracy
STRICT = 1.0  # budgets up to this are called strict
LARGE = 4.0  # budgets from here on are called large
MARGIN = 0.01  # "the same" and "81%" are read as within one point
LEVELS = {"accuracy": 0.81, "F1": 0.73}
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
    """A claim of the text with what one run says of it.

    Attributes:
        name: Short and unique, as "figure-4:histogram:shifted laplace".
        text: What is claimed, in our words.
        differences: What it rests on, the smallest lower end first.
        note: What to know before reading the verdict; empty if nothing.

    >>> one = Difference(where="", mean=0.1, stderr=0.01, low=0.08, high=0.12)
    >>> wide = Difference(where="", mean=0, stderr=1, low=-2, high=2)
    >>> [Claim(name="", text="", differences=d).verdict for d in ((one,), (one, wide))]
    ['holds', 'inside the noise']
    """

    name: str
    text: str
    differences: tuple[Difference, ...]
    note: str = ""

    @property
    def verdict(self) -> Verdict:
        """The verdict on differences that are said to be positive."""
        if any(d.high < 0 for d in self.differences):
            return "does not hold"
        return "holds" if all(d.low > 0 for d in self.differences) else "inside the noise"


def judged(name: str, text: str, contrast: Contrast, note: str = "") -> Iterator[Claim]:
    """Yield the claim that the mean of every row of paired differences is positive.

    Args:
        name: Short and unique.
        text: What is claimed.
        contrast: The rows, of at least two replicates; without any there is no claim.
        note: What to know before reading the verdict.

    >>> row = np.array([0.1, 0.2, 0.3])
    >>> [next(judged("gain", "It gains.", [("at 1", row + x)])).verdict for x in (0, 1)]
    ['inside the noise', 'holds']
    """
    from scipy.special import stdtrit

    found, rows = [], list(contrast)
    for where, row in rows:
        # Bonferroni: a share of the 5% for every row, half on either side.
        width = float(stdtrit(len(row) - 1, 1.0 - 0.5 * (1.0 - COVERAGE) / len(rows)))
        mean, error = float(np.mean(row)), float(np.std(row, ddof=1)) / math.sqrt(len(row))
        low, high = mean - width * error, mean + width * error
        found.append(Difference(where=where, mean=mean, stderr=error, low=low, high=high))
    if found:
        found.sort(key=lambda d: d.low)
        yield Claim(name=name, text=text, differences=tuple(found), note=note)


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


def claims(progress: Progress) -> tuple[Claim, ...]:
    """Return every claim of the text that a run of a figure or of the hospitals can judge.

    Args:
        progress: A run of "figure-3", "figure-4", "figure-5" or "hospitals" with two replicates
            or more.

    Raises:
        DomainError: The run is another experiment's, or has fewer than two replicates.

    Source: [ACC] Sections 6.1.2, 6.1.3 and 6.2.1.
    """
    name = progress.request.experiment.name
    if name not in _JUDGES:
        rule = f"The experiment must be one of {', '.join(_JUDGES)}."
        raise DomainError(rule, field="experiment", value=name)
    return tuple(_JUDGES[name](progress))


# Figures 3 to 5 -------------------------------------------------------------------------------


class _Table:
    """Accuracies of a run of a figure; calling it gives those of one line of the figure."""

    def __init__(self, progress: Progress) -> None:
        cells = [cell_of(point) for point in progress.request.points]
        keys = [((c.method, c.variant), c.m, c.gamma, c.epsilon) for c in cells]
        self.rows: dict[_Place, Array] = dict(zip(keys, paired(progress), strict=True))
        lines, m, gammas, epsilons = zip(*self.rows, strict=True)
        self.lines, self.m = list(dict.fromkeys(lines)), sorted(set(m))
        self.gammas, self.epsilons = sorted(set(gammas)), sorted(set(epsilons))
        self.kernels = [kernel for kernel in KERNELS if (DTK, kernel) in self.lines]
        self.kernel_lines = [line for line in self.lines if line[0] != HIST]
        self.records = max(cell.n * (cell.m + 1) for cell in cells)

    def __call__(self, line: Line, m: int, gamma: float, epsilon: float) -> Array:
        return self.rows[line, m, gamma, epsilon]

    def cost(self, kernel: str, m: int, gamma: float, epsilon: float) -> Array:
        """Accuracy that adaptation costs with a kernel."""
        at = m, gamma, epsilon
        return self((DTK, kernel), *at) - self((ADAPT, kernel), *at)

    def gaps(
        self,
        pairs: Iterable[tuple[Line, Line]],
        m: Iterable[int] = (),
        keep: Callable[[float], bool] = lambda epsilon: True,
    ) -> list[tuple[str, Array]]:
        """Accuracy of a line less that of another, at every setting with such a budget."""
        settings = list(product(m or self.m, self.gammas, filter(keep, self.epsilons)))
        return [
            (f"{a[1]}, {_at(at[1], at[2], at[0])}", self(a, *at) - self(b, *at))
            for a, b in pairs
            for at in settings
        ]


def _at(gamma: float, epsilon: float | None = None, m: int | None = None) -> str:
    words = [f"gamma = {gamma:g}"]
    words += [] if epsilon is None else [f"epsilon = {epsilon:g}"]
    words += [] if m is None else [f"m = {m}"]
    return ", ".join(words)


def _strict(epsilon: float) -> bool:
    return epsilon <= STRICT


def _loose(epsilon: float) -> bool:
    return epsilon > STRICT


def _figure_3(progress: Progress) -> Iterator[Claim]:
    t = _Table(progress)
    yield from judged(
        "figure-3:transfer",
        "Transfer beats the target alone for every kernel, budget and signal exponent.",
        t.gaps(((DTK, k), (TARGET, k)) for k in t.kernels),
        "The target alone is one of the weights that transfer is tuned over, so it cannot lose "
        "except by the pilot's chance: only the size of the gain is informative.",
    )
    first, last = t.gammas[0], t.gammas[-1]

    def fall(kernel: str, m: int, eps: float) -> Array:
        own, other = (DTK, kernel), (TARGET, kernel)
        gain = t(own, m, first, eps) - t(other, m, first, eps)
        return gain - t(own, m, last, eps) + t(other, m, last, eps)

    falls = [
        (f"{kernel}, epsilon = {eps:g}, gamma {first:g} to {last:g}", fall(kernel, m, eps))
        for kernel, m, eps in product(t.kernels, t.m, t.epsilons)
        if first < last
    ]
    text = "The gain from sources falls as their signal exponent grows."
    yield from judged("figure-3:exponent", text, falls)
    rises = (
        (
            f"{line[0]}, {line[1]}, {_at(gamma)}, epsilon {low:g} to {high:g}",
            t(line, m, gamma, high) - t(line, m, gamma, low),
        )
        for low, high in pairwise(t.epsilons)
        for line, m, gamma in product(t.kernel_lines, t.m, t.gammas)
    )
    text = "Accuracy rises with the budget for every method."
    yield from judged("figure-3:budget", text, rises)


def _figure_4(progress: Progress) -> Iterator[Claim]:
    t = _Table(progress)
    for line in (line for line in t.lines if line[0] == HIST):
        tuned = [((DTK, k), line) for k in t.kernels]
        text = f"Tuned kernel beats tuned histogram ({line[1]}) everywhere."
        yield from judged(f"figure-4:histogram:{line[1]}", text, t.gaps(tuned))
        own = t.gaps(((ADAPT, k), line) for k in t.kernels)
        text = f"The adaptive kernel rule beats the tuned histogram ({line[1]}) everywhere."
        yield from judged(f"figure-4:adaptive-histogram:{line[1]}", text, own)
        text = f"Tuned kernel beats tuned histogram ({line[1]}) at epsilon up to {STRICT:g}."
        yield from judged(f"figure-4:gap:{line[1]}", text, t.gaps(tuned, keep=_strict))
    for kernel in t.kernels:
        costs = t.gaps([((DTK, kernel), (ADAPT, kernel))])
        text = f"The cost of adaptation is small ({kernel} kernel)."
        note = f"Small is not defined; here it is at most {100 * SMALL:g} points of accuracy."
        small = ((where, SMALL - cost) for where, cost in costs)
        yield from judged(f"figure-4:cost:{kernel}", text, small, note)
    if len(t.kernels) == len(KERNELS):
        parts = (
            (
                f"{TRIANGULAR}, {_at(*at[1:], at[0])}",
                t.cost(GAUSSIAN, *at) - t.cost(TRIANGULAR, *at),
            )
            for at in product(t.m, t.gammas, t.epsilons)
        )
        text = "The triangular kernel loses less by adaptation than the Gaussian one."
        yield from judged("figure-4:triangular", text, parts)


def _figure_5(progress: Progress) -> Iterator[Claim]:
    t = _Table(progress)
    first, last = t.m[0], t.m[-1]
    if first == last:
        return

    def fall(line: Line, gamma: float, eps: float) -> Array:
        return t(line, first, gamma, eps) - t(line, last, gamma, eps)

    text = (
        f"Accuracy falls from m = {first} to {last} with {t.records} records in all, at finite "
        "budgets."
    )
    falls = (
        (f"{line[0]}, {line[1]}, {_at(gamma, eps)}", fall(line, gamma, eps))
        for line, gamma, eps in product(t.kernel_lines, t.gammas, filter(math.isfinite, t.epsilons))
    )
    yield from judged("figure-5:servers:private", text, falls)
    low, high = t.gammas[0], t.gammas[-1]
    steeper = (
        (
            f"{DTK}, {kernel}, epsilon = {eps:g}, gamma {high:g} over {low:g}",
            fall((DTK, kernel), high, eps) - fall((DTK, kernel), low, eps),
        )
        for kernel, eps in product(t.kernels, t.epsilons)
        if low < high
    )
    text = "The fall is steeper where the signal exponent of the sources is larger."
    yield from judged("figure-5:exponent", text, steeper)
    costs = (
        (f"{kernel}, {_at(*at)}", t.cost(kernel, last, *at) - t.cost(kernel, first, *at))
        for kernel, *at in product(t.kernels, t.gammas, t.epsilons)
    )
    text = "The cost of adaptation grows with the number of servers."
    yield from judged("figure-5:cost", text, costs)
    if len(t.kernels) == len(KERNELS):
        own, other = (ADAPT, TRIANGULAR), (ADAPT, GAUSSIAN)
        few = f"The triangular kernel adapts better at m = {first} and a strict budget."
        many = f"The Gaussian kernel adapts better at m = {last} and a strict budget."
        loose = "The triangular kernel adapts better wherever privacy is loose."
        for name, text, rows in (
            ("few", few, t.gaps([(own, other)], [first], _strict)),
            ("many", many, t.gaps([(other, own)], [last], _strict)),
            ("loose", loose, t.gaps([(own, other)], keep=_loose)),
        ):
            note = f"A budget up to {STRICT:g} counts as strict."
            yield from judged(f"figure-5:kernel:{name}", text, rows, note)


# Figure 7 -------------------------------------------------------------------------------------


def _hospitals(progress: Progress) -> Iterator[Claim]:
    table = {
        (p.settings.word("rule"), p.settings.word("metric"), p.x): row
        for p, row in zip(progress.request.points, paired(progress), strict=True)
    }
    budgets = sorted({x for _, _, x in table})

    def gaps(pairs: Iterable[tuple[str, str]], where: str, least: float = 0.0) -> Contrast:
        return [
            (where.format(a, b, x), table[a, "accuracy", x] - table[b, "accuracy", x])
            for a, b in pairs
            for x in budgets
            if x >= least
        ]

    rises = (
        (f"{rule}, epsilon {a:g} to {b:g}", table[rule, "accuracy", b] - table[rule, "accuracy", a])
        for rule in ADAPTIVE_RULES
        for a, b in pairwise(budgets)
    )
    yield from judged("rises", "Accuracy rises with epsilon for every rule.", rises)
    yield from judged(
        "target-worst",
        "AdaptTar, which uses the target alone, is the worst at every budget.",
        gaps(((r, "target") for r in ADAPTIVE_RULES if r != "target"), "{0}, epsilon {2:g}"),
    )
    yield from judged(
        "samples-best",
        "AdaptSamp is the best at every budget.",
        gaps(
            ((("samples", r)) for r in ADAPTIVE_RULES if r != "samples"), "over {1}, epsilon {2:g}"
        ),
    )
    yield from judged(
        "homogeneous-worse",
        "AdaptHomog is worse than AdaptAll at every budget.",
        gaps([("all", "homogeneous")], "epsilon {2:g}"),
    )
    near = gaps([("all", "samples")], "epsilon {2:g}", LARGE)
    text = "For large epsilon AdaptAll is as accurate as AdaptSamp."
    note = "Read as: at most one point below, from epsilon 4 on."
    yield from judged("all-catches-up", text, [(at, row + MARGIN) for at, row in near], note)
    if math.inf in budgets:
        found = [(name, value, table["all", name, math.inf]) for name, value in LEVELS.items()]
        rows = [(f"{name} above {v - MARGIN:.0%}", row - v + MARGIN) for name, v, row in found]
        rows += [(f"{name} below {v + MARGIN:.0%}", v + MARGIN - row) for name, v, row in found]
        note = "Read as: within one point, for AdaptAll without privacy."
        yield from judged("level", "Accuracy is 81% and the F1 score 73%.", rows, note)


_JUDGES: dict[str, Callable[[Progress], Iterator[Claim]]] = {
    "figure-3": _figure_3,
    "figure-4": _figure_4,
    "figure-5": _figure_5,
    "hospitals": _hospitals,
}
