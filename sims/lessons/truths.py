"""What is true of every question, computed with the engine when it is asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from rates import adaptation, answer, columns, logistic, maps, tally
from rates.maps import phases
from rates.numbers import DomainError, Words
from rates.study import Study, at_two_sites, for_person, preset
from sims.lessons import catalogue, plain, truths_own, typed
from sims.lessons.catalogue import MISPRINTED, printed_threshold
from sims.lessons.records import TYPED, Question, Truth, band, chosen, exactly
from sims.lessons.runs import (
    BUDGET,
    PEOPLE,
    REGISTRY,
    ROUNDS,
    STRICT,
    TOTAL,
    classroom,
    risk_values,
)
from sims.lessons.truths_own import EQUATION, hits

if TYPE_CHECKING:
    from rates.orders import Inquiry
    from sims.real import Factor, Findings

EXACT = "the exact risk of the private estimator of the experiment regression-rate"

# odds, attack, class --------------------------------------------------------------------------


def odds(question: Question) -> Truth:
    """Right guesses of an attacker."""
    said = {"tenth": 0.1, "hits": 1.0, "quarters": math.log(3.0), "two": 2.0, "five": 5.0}
    each = {name: hits(epsilon) for name, epsilon in said.items()}
    source = "the trade-off curve of pure differential privacy (Kairouz, Oh and Viswanath 2015)"
    return exactly([each["hits"]], source, odds=math.exp(1.0), **each)


def three_records(question: Question) -> Truth:
    """What a patient with three records is promised."""
    person, _delta = for_person(1.0, 1e-6, 3)
    # The right option is found by its number, so that no truth is typed.
    options = (1.0, math.sqrt(3.0), 3.0, 9.0)  # of the parts, in their order
    two = at_two_sites(preset("hospitals").study)  # every budget there is 1
    assert two is not None
    return chosen(
        question,
        min(range(len(options)), key=lambda k: abs(options[k] - person)),
        "group privacy and basic composition (Dwork and Roth 2014)",
        person=person,
        three=hits(person),
        both=two[0],
        two_sites=hits(two[0]),
    )


PLAYERS, TENTH = 60, 0.1
RULE = (
    "the binomial law of a guess that is right as often as the best one with Laplace noise at ε = 1"
)


def best_of_sixty(question: Question) -> Truth:
    """The best score among sixty who play by the best rule; in four of five such classes."""
    return _scores(PLAYERS)


def own_score(question: Question) -> Truth:
    """One score by the best rule, in four of five games."""
    return _scores(1)


def _scores(players: int) -> Truth:
    """The best score of some players: the middle four fifths of its law, and one game's moments."""
    p = tally.best_guess(1.0)
    scores = [math.comb(ROUNDS, k) * p**k * (1 - p) ** (ROUNDS - k) for k in range(ROUNDS + 1)]

    def reached(share: float) -> float:
        """The least score that all stay at or below with at least this chance."""
        below = enumerate(accumulate(scores))
        return float(next(k for k, chance in below if chance**players >= share))

    low, best, high = map(reached, (TENTH, 0.5, 1 - TENTH))
    mean = math.fsum(k * chance for k, chance in enumerate(scores))
    square = math.fsum((k - mean) ** 2 * chance for k, chance in enumerate(scores))
    said = {"low": low, "best": best, "high": high, "mean": mean, "swing": math.sqrt(square)}
    return band([low], [high], RULE, rule=p, **said)


SEED = 1  # of the one class that the explanation shows


def coins(question: Question) -> Truth:
    """The coins' error over that of the noise."""

    def ratio(n: int) -> float:
        return tally.coin_error(n, BUDGET) / tally.laplace_error(n, BUDGET)

    # One class by its seed, so that the explanation says the same to all.
    yes, by_coins, by_tally = classroom(SEED)
    return exactly(
        [ratio(PEOPLE)],
        f"randomised response and the geometric mechanism; the class is drawn, seed {SEED}",
        ratio=ratio(PEOPLE),
        coins=tally.coin_error(PEOPLE, BUDGET),
        noise=tally.laplace_error(PEOPLE, BUDGET),
        small=ratio(12),
        large=ratio(200),
        thousand=ratio(1000),
        yes=yes,
        share=yes / PEOPLE,
        by_coins=by_coins,
        by_tally=by_tally,
    )


def phones(question: Question) -> Truth:
    """What a million phones are worth, by both answers."""
    study = preset("phones").study
    curve, point = answer.privacy_cost(study)
    equation = curve.equation.answer.effective_n
    named = curve.mechanism[0].answer.effective_n
    return exactly(
        [equation, named],
        f"{EQUATION}; {curve.scale}",
        equation=equation,
        mechanism=named,
        point=point.mechanism[0].answer.effective_n,
        power=math.log(equation) / math.log(sum(s.n * s.count for s in study.servers)),
        factor=equation / named,
    )


# twice, spread --------------------------------------------------------------------------------

Size = tuple[float, float, float]  # records of a site, sites, budget
DEEP = 1e-3  # a budget at which privacy decides by the equation too


@lru_cache(maxsize=32)
def _risk(n: int, m: int, epsilon: float) -> float:
    """The exact risk of m equal servers with n records each."""
    from sims.ccv import RATE

    (point,) = RATE.points(risk_values(sweep="n", n=(n,), m=(m,), epsilon=(epsilon,)))
    assert point.exact is not None
    return point.exact


def _risk_factor(before: Size, after: Size) -> float:
    """By how much the exact risk is multiplied from one size to another."""
    return _risk(*after) / _risk(*before)


def _rate_factor(before: Size, after: Size, smoothness: float = 1.0) -> float:
    """By how much the rate D^(-2 smoothness) is multiplied from one size to another."""
    D = [float(maps.homogeneous_D(*at, smoothness=smoothness)) for at in (before, after)]
    return float((D[0] / D[1]) ** (2.0 * smoothness))


def twice(question: Question) -> Truth:
    """What twice the records do to the error."""
    from sims.ccv import elbow, recipe_of, world_of

    n, eps = REGISTRY, STRICT
    free = _risk_factor((n, 1, math.inf), (2 * n, 1, math.inf))
    private = _risk_factor((n, 1, eps), (2 * n, 1, eps))
    asked = risk_values()
    delta = asked.number("delta")
    found = elbow(world_of(asked), n=n, m=1, delta=delta, recipe=recipe_of(asked))
    return exactly(
        [free, private],
        f"{EXACT}, delta = {delta:g}",
        free=free,
        private=private,
        halved=_risk_factor((n, 1, eps), (n, 1, eps / 2.0)),
        free_rate=_rate_factor((n, 1, math.inf), (2 * n, 1, math.inf)),
        private_rate=_rate_factor((n, 1, DEEP), (2 * n, 1, DEEP)),
        halved_rate=_rate_factor((n, 1, DEEP), (n, 1, DEEP / 2.0)),
        elbow=float(maps.elbow(n, 1, smoothness=1.0)),
        actual=found.actual,
    )


def twice_which(question: Question) -> Truth:
    """Twice the records against twice the budget."""
    n, eps = REGISTRY, STRICT
    records = _rate_factor((n, 1, DEEP), (2 * n, 1, DEEP))
    budget = _rate_factor((n, 1, DEEP), (n, 1, 2.0 * DEEP))
    return chosen(
        question,
        2 if math.isclose(records, budget, rel_tol=1e-9) else int(budget < records),
        EQUATION,
        rate=records,
        records=_risk_factor((n, 1, eps), (2 * n, 1, eps)),
        budget=_risk_factor((n, 1, eps), (n, 1, 2.0 * eps)),
    )


def spread(question: Question) -> Truth:
    """What ten times the sites do to the error."""

    def shared(epsilon: float, first: int = 10) -> tuple[Size, Size]:
        return (TOTAL // first, first, epsilon), (TOTAL // 100, 100, epsilon)

    free, private = _risk_factor(*shared(math.inf)), _risk_factor(*shared(STRICT))
    return exactly(
        [free, private],
        f"{EXACT}, delta = {risk_values().number('delta'):g}",
        free=free,
        private=private,
        whole=_risk_factor(*shared(STRICT, first=1)),
        asymptotic=_rate_factor(*shared(DEEP)),
        equation=_rate_factor(*shared(STRICT)),
    )


def spread_point(question: Question) -> Truth:
    """The same for the whole curve against one point."""
    total, alpha, p = 1e8, 2.0, 2.0
    sizes = [(total / m, m, DEEP) for m in (10, 100)]
    # The error at one point feels the smoothness alpha - 1/p.
    curve, point = (_rate_factor(sizes[0], sizes[1], g) for g in (alpha, alpha - 1.0 / p))
    return chosen(
        question,
        int(point < curve),
        EQUATION,
        curve=curve,
        point=point,
        power_curve=math.log10(curve),
        power_point=math.log10(point),
    )


# back, noise ----------------------------------------------------------------------------------

SIDES = ("TS", "ST", "STS", "S")  # of the parts of `back`, in their order


def back(question: Question) -> Truth:
    """Who decides as the budget grows."""
    case = {**MISPRINTED, "n0": 8e4}
    order = phases.sequence(**case)
    rates = [r for r in phases.regimes(**case) if r.rate != "1"]
    first, second = [a.hi for a, b in pairwise(rates) if a.rate[-1] != b.rate[-1]]
    source = "the four terms of [ACC] eq. (4), exact intervals"
    return chosen(question, SIDES.index(order.sides), source, first=first, second=second)


def misprint(question: Question) -> Truth:
    """Who decides at a budget between the corrected and the printed threshold."""
    case = {key: value for key, value in MISPRINTED.items() if key not in ("n", "m", "n0")}
    n, m, n0 = (MISPRINTED[key] for key in ("n", "m", "n0"))
    decides = str(phases.governing(n, m, n0, 0.4, **case))
    return chosen(
        question,
        ("t", "s").index(decides[-1]),
        "the four terms of [ACC] eq. (4)",
        printed=printed_threshold(),
        corrected=phases.endpoints(n, m, n0, **case).eps21,
    )


NORM = 39.6  # |x|_1 of a typical record of [DPLR]'s design, as the ledger's DPLR:Alg1:unclipped


def noise(question: Question) -> Truth:
    """The budget that a noise scale means."""
    scale, dimension = 0.1, 50
    found = logistic.meaning(scale, dimension=dimension, radius=1.0, n=300, delta=1e-5)
    sensitivity = logistic.refined_sensitivity(dimension)
    return exactly(
        [found.once],
        "sensitivity over scale, [DPLR] eqs. (8) to (10) with records of norm at most 1",
        once=found.once,
        sensitivity=sensitivity,
        norm=NORM,
        typical=2.0 * logistic.record_sum(NORM) / scale,
        asked=sensitivity,  # over ε = 1
    )


def nominal(question: Question) -> Truth:
    """The budget that a printed formula really gives."""
    from sims.acc import KERNELS, sensitivity_inflation

    asked, delta, close = 15.0, 0.01, 1e-3
    true = adaptation.true_budget(asked, delta).epsilon
    return chosen(
        question,
        (true >= asked * (1.0 - close)) + (true > asked * (1.0 + close)),
        "the exact trade-off of the Gaussian mechanism (Balle and Wang 2018)",
        true=true,
        valid=adaptation.validity_limit(delta),
        triangular=sensitivity_inflation(KERNELS["triangular"], 0.5),
        gaussian=sensitivity_inflation(KERNELS["gaussian"], 0.5),
    )


# columns --------------------------------------------------------------------------------------

_OFFICES, _LOOSE, _SHY = 100_000, 1.0, 0.1  # people and budgets, as the text of the lesson has them


def _listening(strict: float) -> tuple[float, float]:
    """The error apart over that with listening: by the exact laws, and by the rate."""
    sizes = (_OFFICES, _LOOSE, strict)
    ratio = columns.apart_error(*sizes, 0.0) / columns.listening_error(*sizes, 0.0)
    apart, listening = (columns.order_of(x, *sizes) for x in (columns.APART, columns.LISTENING))
    return ratio, apart / listening


def apart(question: Question) -> Truth:
    """The error apart over that with listening."""
    ratio, order = _listening(_SHY)
    return exactly(
        [ratio],
        "the mechanisms' exact laws at correlation 0; of the two apart by a normal mean over many "
        "batches",
        ratio=ratio,
        order=order,
        bend=columns.bend(_OFFICES),
        actual=columns.actual_bend(_OFFICES, _LOOSE, 0.0),
    )


def equal(question: Question) -> Truth:
    """What listening changes between equal budgets."""
    ratio, order = _listening(_LOOSE)
    place = 2 if order > 3.0 else int(ratio > 3.0)
    return chosen(question, place, "the exact laws of both at equal budgets", equal=ratio)


# pupils: the stored run on their records --------------------------------------------------------


def _measured() -> tuple[Findings, Factor, Factor, str]:
    """The stored run, its factors for half of the pupils and for all, and what it is."""
    from sims.real import EVERY, HALF, stored

    found = stored("chem97")
    assert found is not None  # it is there without the records
    run = found.findings
    factors = {one.name: one for one in run.factors}
    source = (
        f"measured on real records: experiment real-sites, {run.replicates} replicates, seed "
        f"{run.seed}, 95% intervals"
    )
    return run, factors[HALF], factors[EVERY], source


def pupils(question: Question) -> Truth:
    """What privacy costs where the equation takes half of the pupils for unprotected."""
    run, cost, _, source = _measured()
    slopes = {one.series: one.value for one in run.slopes}
    return band(
        [cost.low],
        [cost.high],
        source,
        factor=cost.value,
        span=(cost.low, cost.high),
        equation=cost.equation,
        budget=slopes["epsilon"],
        records_slope=slopes["n"],
        sites_slope=slopes["m"],
    )


def doubled(question: Question) -> Truth:
    """From which budget the error is at most twice that without privacy."""
    _, half, every, source = _measured()
    place = 0 if half.high <= 2.0 else 1 if every.high <= 2.0 else 2
    return chosen(
        question,
        place,
        source,
        verdict=f"{question.parts[place]}.",
        factor=every.value,
        span=(every.low, every.high),
    )


# Which question has which ----------------------------------------------------------------------

PLAIN: Mapping[str, Callable[[Question], Truth]] = {
    "odds": odds,
    "odds-transfer": three_records,
    "attack": best_of_sixty,
    "attack-transfer": own_score,
    "class": coins,
    "class-transfer": phones,
    "twice": twice,
    "twice-transfer": twice_which,
    "spread": spread,
    "spread-transfer": spread_point,
    "back": back,
    "back-transfer": misprint,
    "pupils": pupils,
    "pupils-transfer": doubled,
    "noise": noise,
    "noise-transfer": nominal,
    "columns": apart,
    "columns-transfer": equal,
}
OWN: Mapping[str, Callable[[Question, Any], Truth]] = {  # by a study or a rate, None for ours
    "carry": truths_own.carry,
    "carry-transfer": truths_own.gain,
    "free": truths_own.free,
    "free-transfer": truths_own.half,
    "rate": truths_own.term,
    "rate-transfer": truths_own.tenfold,
}


def truth(question: Question, study: Study | None = None, rate: Inquiry | None = None) -> Truth:
    """Return what is true of a question.

    Args:
        question: One of a lesson's two.
        study: The study of one's own in the lesson, if there is one.
        rate: The rate of one's own in it, if there is one.

    Raises:
        DomainError: The question is not one of the lesson with this study or rate, or the lesson
            does not cover it.

    >>> round(truth(catalogue.question("odds")).low[0], 1)
    73.1
    """
    if question.key.startswith(f"{plain.KEY}-"):
        raise DomainError("The lecturer has not said what is true.")
    if question != catalogue.question(question.key, study, rate):
        rule = "The question must be one of the lesson, with the same study or rate in it."
        raise DomainError(rule, "question", Words(question.key))
    return _truth(question, study, rate)


@lru_cache(maxsize=512)
def _truth(asked: Question, study: Study | None, rate: Inquiry | None) -> Truth:
    if asked.kind == TYPED:
        return typed.truth(asked)
    if asked.key in PLAIN:
        return PLAIN[asked.key](asked)
    return OWN[asked.key](asked, rate if study is None else study)
