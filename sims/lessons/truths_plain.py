"""What is true of the questions whose studies are the lessons' own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, pairwise

from rates import adaptation, answer, logistic, maps, tally
from rates.maps import phases
from rates.study import advantage, at_two_sites, for_person, preset
from sims.engine import Value, Values, check_values
from sims.lessons.catalogue import (
    BUDGET,
    MISPRINTED,
    PEOPLE,
    REGISTRY,
    STRICT,
    TOTAL,
    printed_threshold,
)
from sims.lessons.classmates import classroom
from sims.lessons.guesses import ROUNDS
from sims.lessons.records import Question, Truth

EQUATION = "the rate equation, up to constants and logarithms"
EXACT = "the exact risk of the private estimator of the experiment regression-rate"


# How a truth is written ----------------------------------------------------------------------


def exactly(low: Sequence[float], source: str, **said: Value) -> Truth:
    """Return a truth that is one number for each part."""
    return Truth(tuple(low), tuple(low), source, Values(said))


def chosen(question: Question, place: int, source: str, **said: Value) -> Truth:
    """The option at this place is the right one."""
    return exactly([float(k == place) for k in range(len(question.parts))], source, **said)


def hits(epsilon: float) -> float:
    """Right guesses of 100 of an attacker who tells two equally likely values apart."""
    return 50.0 * (1.0 + advantage(epsilon))


# odds, class ---------------------------------------------------------------------------------


def odds(question: Question) -> Truth:
    """Right guesses of an attacker."""
    said = {"tenth": 0.1, "hits": 1.0, "quarters": math.log(3.0), "two": 2.0, "five": 5.0}
    each = {name: hits(epsilon) for name, epsilon in said.items()}
    source = "the trade-off curve of pure differential privacy (Kairouz, Oh and Viswanath 2015)"
    return exactly([each["hits"]], source, odds=math.exp(1.0), **each)


def three_records(question: Question) -> Truth:
    """What a patient with three records is promised."""
    person, _delta = for_person(1.0, 1e-6, 3)
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
    scores = _scores()
    low, best, high = (_reached(scores, PLAYERS, share) for share in (TENTH, 0.5, 1 - TENTH))
    return Truth((low,), (high,), RULE, Values(best=best, **_game(scores)))


def own_score(question: Question) -> Truth:
    """One score by the best rule, in four of five games."""
    scores = _scores()
    low, high = (_reached(scores, 1, share) for share in (TENTH, 1 - TENTH))
    return Truth((low,), (high,), RULE, Values(low=low, high=high, **_game(scores)))


def _scores() -> list[float]:
    """The chance of each score of one game."""
    p = tally.best_guess(1.0)
    return [math.comb(ROUNDS, k) * p**k * (1 - p) ** (ROUNDS - k) for k in range(ROUNDS + 1)]


def _reached(scores: Sequence[float], players: int, share: float) -> float:
    """The least score that the best of some players stays at or below with at least this chance."""
    below = accumulate(scores)
    return float(next(k for k, chance in enumerate(below) if chance**players >= share))


def _game(scores: Sequence[float]) -> dict[str, float]:
    mean = math.fsum(k * chance for k, chance in enumerate(scores))
    square = math.fsum((k - mean) ** 2 * chance for k, chance in enumerate(scores))
    return {"rule": tally.best_guess(1.0), "mean": mean, "swing": math.sqrt(square)}


SEED = 1  # of the one class that the explanation shows


def coins(question: Question) -> Truth:
    """The coins' error over that of the noise."""

    def ratio(n: int) -> float:
        return tally.coin_error(n, BUDGET) / tally.laplace_error(n, BUDGET)

    one = classroom(SEED, mine=True)
    found = exactly(
        [ratio(PEOPLE)],
        "randomised response and the geometric mechanism, in closed form",
        ratio=ratio(PEOPLE),
        coins=tally.coin_error(PEOPLE, BUDGET),
        noise=tally.laplace_error(PEOPLE, BUDGET),
        small=ratio(12),
        large=ratio(200),
        thousand=ratio(1000),
        yes=one.yes,
        share=one.yes / PEOPLE,
        by_coins=one.coins,
        by_tally=one.tally,
    )
    return replace(found, seed=SEED)


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


# twice, spread -------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _risk(n: int, m: int, epsilon: float) -> float:
    """The exact risk of m equal servers with n records each."""
    from sims.ccv import RATE

    (point,) = RATE.points(_asked(sweep="n", n=(n,), m=(m,), epsilon=(epsilon,), window="all"))
    assert point.exact is not None
    return point.exact


def _asked(**given: Value) -> Values:
    """Return values of the experiment, the others as it starts."""
    from sims.ccv import RATE

    return check_values(RATE.parameters, given)


def _rate_factor(before: tuple[float, float, float], after: tuple[float, float, float]) -> float:
    """By how much the rate D^-2 is multiplied from one (n, m, epsilon) to another."""
    D = [float(maps.homogeneous_D(*at, smoothness=1.0)) for at in (before, after)]
    return float((D[0] / D[1]) ** 2.0)


DEEP = 1e-3  # a budget at which privacy decides by the equation too


def twice(question: Question) -> Truth:
    """What twice the records do to the error."""
    from sims.ccv import elbow, recipe_of, world_of

    n, eps = REGISTRY, STRICT
    free = _risk(2 * n, 1, math.inf) / _risk(n, 1, math.inf)
    private = _risk(2 * n, 1, eps) / _risk(n, 1, eps)
    asked = _asked()
    delta = asked.number("delta")
    found = elbow(world_of(asked), n=n, m=1, delta=delta, recipe=recipe_of(asked))
    return exactly(
        [free, private],
        f"{EXACT}, delta = {delta:g}",
        free=free,
        private=private,
        halved=_risk(n, 1, eps / 2.0) / _risk(n, 1, eps),
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
        lower(records, budget),
        EQUATION,
        rate=records,
        records=_risk(2 * n, 1, eps) / _risk(n, 1, eps),
        budget=_risk(n, 1, 2.0 * eps) / _risk(n, 1, eps),
    )


def lower(first: float, second: float) -> int:
    """0 if the first is lower, 1 if the second is, 2 if they are the same number."""
    return 2 if math.isclose(first, second, rel_tol=1e-9) else int(second < first)


def spread(question: Question) -> Truth:
    """What ten times the sites do to the error."""

    def factor(first: int, last: int, epsilon: float) -> float:
        return _risk(TOTAL // last, last, epsilon) / _risk(TOTAL // first, first, epsilon)

    free, private = (factor(10, 100, epsilon) for epsilon in (math.inf, STRICT))
    return exactly(
        [free, private],
        f"{EXACT}, delta = {_asked().number('delta'):g}",
        free=free,
        private=private,
        whole=factor(1, 100, STRICT),
        asymptotic=_rate_factor((TOTAL / 10, 10, DEEP), (TOTAL / 100, 100, DEEP)),
        equation=_rate_factor((TOTAL / 10, 10, STRICT), (TOTAL / 100, 100, STRICT)),
    )


def spread_point(question: Question) -> Truth:
    """The same for the whole curve against one point."""
    total, eps, alpha, p = 1e8, 1e-3, 2.0, 2.0

    def factor(g: float) -> float:
        D = [float(maps.homogeneous_D(total / m, m, eps, smoothness=g)) for m in (10, 100)]
        return float((D[0] / D[1]) ** (2.0 * g))

    curve, point = factor(alpha), factor(alpha - 1.0 / p)
    return chosen(
        question,
        lower(1.0 / point, 1.0 / curve),
        EQUATION,
        curve=curve,
        point=point,
        power_curve=math.log10(curve),
        power_point=math.log10(point),
    )


# back, noise ---------------------------------------------------------------------------------

SIDES = ("TS", "ST", "STS", "S")  # of the parts of `back`, in their order


def back(question: Question) -> Truth:
    """Who decides as the budget grows."""
    case = {**MISPRINTED, "n0": 8e4}
    order = phases.sequence(**case)
    rates = [r for r in phases.regimes(**case) if r.rate != "1"]
    turns = [a.hi for a, b in pairwise(rates) if a.rate[-1] != b.rate[-1]]
    first, second = turns
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
    return exactly(
        [found.once],
        "sensitivity over scale, [DPLR] eqs. (8) to (10) with records of norm at most 1",
        once=found.once,
        sensitivity=found.once * scale,
        norm=NORM,
        typical=2.0 * logistic.record_sum(NORM) / scale,
        asked=logistic.scale_for(1.0, dimension=dimension, radius=1.0),
    )


def nominal(question: Question) -> Truth:
    """The budget that a printed formula really gives."""
    from sims.acc import KERNELS, sensitivity_inflation

    asked, delta = 15.0, 0.01
    found = adaptation.true_budget(asked, delta)
    return chosen(
        question,
        0
        if found.epsilon < asked * (1.0 - 1e-3)
        else 1 + int(found.epsilon > asked * (1.0 + 1e-3)),
        "the exact trade-off of the Gaussian mechanism (Balle and Wang 2018)",
        true=found.epsilon,
        valid=adaptation.validity_limit(delta),
        triangular=sensitivity_inflation(KERNELS["triangular"], 0.5),
        gaussian=sensitivity_inflation(KERNELS["gaussian"], 0.5),
    )
