"""What is true of the questions in which a study or a rate of one's own may stand."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rates import answer
from rates.answer import FederatedAnswer, RiskAnswer, TransferAnswer, compare
from rates.numbers import crossing, listed, number
from rates.study import Study, advantage
from sims.engine import Value
from sims.lessons import own
from sims.lessons.catalogue import FACTORS
from sims.lessons.records import POINTS, Question, Truth, band, chosen, exactly

if TYPE_CHECKING:
    from rates.orders import Inquiry, Order

EQUATION = "the rate equation, up to constants and logarithms"
NARROW = 1.25  # one gain over the other, up to which it is called narrow
WIDEST = (1e-6, 1e7)  # factors on every budget among which the half is looked for
TWENTIETH = 0.05


def hits(epsilon: float) -> float:
    """Right guesses of 100 of an attacker who tells two equally likely values apart."""
    return 50.0 * (1.0 + advantage(epsilon))


# carry ---------------------------------------------------------------------------------------


def carry(question: Question, study: Study | None) -> Truth:
    """Each site's part of the information, by the mechanism; at the middle bandwidth."""
    of = own.study_of("carry", study)
    named = answer.calibrated(of)
    rows = [j for j, s in enumerate(of.servers) if s.informative]
    records = [of.servers[j].n * of.servers[j].count for j in rows]
    shares = _points(_part(named).shares, rows)
    more: dict[str, Value] = {}
    if study is None:
        # A twentieth: there the equation without constants feels privacy too.
        strict = [replace(s, epsilon=s.epsilon * TWENTIETH) for s in of.servers]
        felt = _part(answer.solve(of.with_servers(strict)))
        squares = [(s.n * s.epsilon) ** 2 for s in of.servers]
        more = {"strict": _points(felt.shares, rows), "squares": _points(squares, rows)}
    return exactly(
        shares,
        named.scale,
        mechanism=shares,
        equation=_points(_part(answer.solve(of)).shares, rows),
        records=_points(records),
        **more,
    )


def _part(found: TransferAnswer | FederatedAnswer) -> TransferAnswer | RiskAnswer:
    """The first risk of an answer."""
    return found.integrated if isinstance(found, FederatedAnswer) else found


def _points(parts: Sequence[float], rows: Sequence[int] = ()) -> tuple[float, ...]:
    """100 points in proportion to some of the parts."""
    kept = [parts[j] for j in rows] if rows else list(parts)
    return tuple(POINTS * x / math.fsum(kept) for x in kept)


def gain(question: Question, study: Study | None) -> Truth:
    """What gains more at the site with most records; the answers may be even, or point apart."""
    of = own.study_of("carry", study)
    named = answer.calibrated(of)
    at = own.largest(of)
    pairs = [
        (abs(found.elasticity_n[at]), abs(found.elasticity_epsilon[at]))
        for found in (_part(named), _part(answer.solve(of)))
    ]
    # Where the two gains are even by one answer, the other decides.
    ahead = {int(b > a) for a, b in pairs if not math.isclose(a, b, rel_tol=1e-9)}
    place = ahead.pop() if len(ahead) == 1 else 2
    words = question.parts[place]
    low, high = sorted(pairs[0])
    if place < 2 and low > 0 and high / low < NARROW:
        words += ", though narrowly by the mechanism"
    return chosen(
        question,
        place,
        f"{named.scale}; {EQUATION}",
        verdict=f"**{words}.**",
        records=pairs[0][0],
        budget=pairs[0][1],
        records_equation=pairs[1][0],
        budget_equation=pairs[1][1],
    )


# free ----------------------------------------------------------------------------------------


def free(question: Question, study: Study | None) -> Truth:
    """What share of the sample is kept, in per cent, over the mechanism's bandwidths."""
    of = own.study_of("free", study)
    sweep, cost = compare.budget_sweep(of, FACTORS), answer.privacy_cost(of)[0]
    low, high = sweep.mechanism.min(axis=0).tolist(), sweep.mechanism.max(axis=0).tolist()
    return band(
        [100.0 * x for x in low],
        [100.0 * x for x in high],
        cost.scale,
        tenth=(low[0], high[0]),
        one=(low[1], high[1]),
        ten=(low[2], high[2]),
        equation=tuple(sweep.equation.tolist()),
        elbow=sweep.elbow,
        ratio=cost.ratio_range,
        equation_ratio=cost.equation.rate_ratio,
    )


def half(question: Question, study: Study | None) -> Truth:
    """From which factor on every budget the mechanism keeps half, over its bandwidths."""
    of = own.study_of("free", study)
    # A curve has no bandwidth that one is free to choose.
    kappas = answer.KAPPAS[: None if of.kind == "transfer" else 1]

    def kept(kappa: float, factor: float) -> float:
        return float(compare.budget_sweep(of, [factor], kappas=(kappa,)).mechanism[0, 0])

    def by_equation(factor: float) -> float:
        return float(compare.budget_sweep(of, [factor]).equation[0])

    found = sorted(_half(partial(kept, k)) for k in kappas)
    ends = (found[0], found[-1])
    middle = math.sqrt(ends[0] * ends[1])
    return band(
        ends[:1],
        ends[1:],
        answer.privacy_cost(of)[0].scale,
        half=_said(ends),
        half_equation=_half(by_equation),
        elbow=compare.budget_sweep(of, [1.0]).elbow,
        middle=middle,
        hits=hits(middle),
    )


def _half(kept: Callable[[float], float]) -> float:
    """Where a rising share passes one half; the end of the range where it does not."""

    def over(log_factor: float) -> float:
        return kept(math.exp(log_factor)) - 0.5

    low, high = map(math.log, WIDEST)
    if over(low) >= 0:
        return WIDEST[0]
    return math.exp(crossing(over, low, high)) if over(high) > 0 else WIDEST[1]


def _said(ends: tuple[float, float]) -> Value:
    """The two ends, or words where the half is not among what is tried."""
    low, high = (math.isclose(end, x) for end, x in zip(ends, WIDEST, strict=True))
    if low:
        return f"below {WIDEST[0]:g}, since the unprotected sites alone keep half"
    return f"above {WIDEST[1]:g}" if high else ends


# rate ----------------------------------------------------------------------------------------


def term(question: Question, rate: Inquiry | None) -> Truth:
    """The term of a rate that decides at its values."""
    order, sizes, exponents = _read(rate)
    label = str(order.deciding(sizes, exponents))
    form = order.at(exponents)
    logs = {x: math.log(v) for x, v in sizes.items()}
    values = []
    for leaf in form.leaves:
        log = leaf.log_constant + math.fsum(float(p) * logs[x] for x, p in leaf.powers)
        values.append(f"{leaf.label} is {number(math.exp(log))}" if log < 700 else leaf.label)
    more: dict[str, Value] = {}
    if rate is None:
        from rates.orders import intervals

        rest = {x: v for x, v in sizes.items() if x != "n"}
        parts = intervals(order, "n", rest, exponents, lo=sizes["n"], hi=math.inf)
        more = {"crossing": parts[0].hi, "after": parts[1].label}
    return chosen(
        question,
        question.parts.index(label),
        "the rate as typed, sums read as maxima",
        term=label,
        values=listed(values, most=own.MOST_TERMS),
        **more,
    )


def tenfold(question: Question, rate: Inquiry | None) -> Truth:
    """What a tenfold size does to a rate."""
    order, sizes, exponents = _read(rate)
    letter = "n" if rate is None else own.letter_of(rate)
    more = {**sizes, letter: own.TENFOLD * sizes[letter]}
    before, after = (float(order.value(x, exponents)) for x in (sizes, more))
    factor = after / before
    least = 1.0 / own.TENFOLD
    place = 3 if factor > 1.0 else int(factor >= least * (1.0 - 1e-9))
    if math.isclose(factor, 1.0, rel_tol=1e-9):
        place = 2
    return chosen(question, place, "the rate as typed, sums as sums", factor=factor)


def _read(rate: Inquiry | None) -> tuple[Order, dict[str, float], dict[str, float]]:
    from rates.orders import draft, reading

    asked = draft.completed(rate or own.default_rate())
    return reading.order_of(asked), *asked.split()
