"""Speed: of the engine as ratios against tuned scipy, of answers and of the language of rates.

Both sides get the same log form, the same bracket and a tolerance of 1e-13. Inside the
bracket no term exceeds 1, so the comparator needs no log-sum-exp shift and gets none; it
sees an index array, so that it drops problems that have converged. Limits of answers are those of
an ordinary machine; how much slower this one is, is told by a sum of exponentials.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize.elementwise import find_root

from rates import maps, plan, split
from rates.answer import Lens
from rates.decision import decide
from rates.fit import envelope, rivals
from rates.numbers.implicit import make_terms, solve_log
from rates.orders import Claim, Order, compare, crossings, needs, parse, regions
from rates.study import Scope, Server, TransferStudy

Array = NDArray[np.float64]
Equations = tuple[Array, Array, Array, Array]  # log n, log epsilon, slopes; and the steps

pytestmark = pytest.mark.benchmark
TOLERANCE = 1e-13


def seconds(
    *runs: Callable[[], object], repeats: int = 7, before: Callable[[], object] = int
) -> list[float]:
    """Return the best processor time of each run, taken in turns so that load is shared."""
    best = [math.inf] * len(runs)
    for _ in range(repeats):
        for i, run in enumerate(runs):
            before()
            start = time.process_time()
            run()
            best[i] = min(best[i], time.process_time() - start)
    return best


def draw(problems: int, servers: int) -> Equations:
    """Draw problems by rows and servers by columns: beta 1/2, d = 2, gamma up to 2."""
    rng = np.random.default_rng(7)
    size = rng.uniform(math.log(50), math.log(1e6), (problems, servers))
    budget = rng.uniform(math.log(0.01), math.log(10), (problems, servers))
    gamma = np.concatenate([[1.0], rng.uniform(0.3, 2, servers - 1)])
    return size, budget, gamma + 2.0, np.array([2.0])


def by_find_root(equations: Equations) -> Callable[[], Array]:
    """Return scipy's vectorised bracketing solver, servers along the first axis."""
    size, budget, slope, step = equations
    a = np.ascontiguousarray(size.T)
    b = np.ascontiguousarray((2.0 * (size + budget)).T)
    s, d = slope[:, None], step[0]

    def run() -> Array:
        high = -np.minimum(a / s, b / (s + d)).max(axis=0)
        low = high - math.log(len(a)) / float(s.min())
        pad = 1e-9  # rounding at the ends must not hide the change of sign

        def gap(u: Array, index: Array) -> Array:
            pick = index.astype(np.intp).ravel()
            whole = pick.size == a.shape[1]
            a_at, b_at = (a, b) if whole else (a[:, pick], b[:, pick])
            t = d * u.ravel() + b_at
            np.minimum(t, a_at, out=t)
            t += s * u.ravel()
            np.exp(t, out=t)
            return np.log(t.sum(axis=0)).reshape(u.shape)

        found = find_root(
            gap,
            (low - pad, high + pad),
            args=(np.arange(a.shape[1], dtype=float),),
            tolerances={"xatol": TOLERANCE, "xrtol": TOLERANCE, "fatol": 0, "frtol": 0},
        )
        assert np.all(found.success)
        return np.asarray(found.x)

    return run


@pytest.mark.parametrize(
    ("problems", "servers", "least"), [(250_000, 2, 8.0), (10_000, 11, 4.0), (2_000, 201, 1.7)]
)
def test_against_the_vectorised_root_finder(problems: int, servers: int, least: float) -> None:
    equations = draw(problems, servers)
    other = by_find_root(equations)

    def solved() -> Array:
        return solve_log(make_terms(*equations))

    np.testing.assert_allclose(solved(), other(), rtol=1e-12, atol=1e-12)
    engine, comparator = seconds(solved, other)
    print(
        f"\n{problems:,} x {servers}: engine {1e3 * engine:.2f} ms, find_root "
        f"{1e3 * comparator:.1f} ms, {comparator / engine:.1f} times (at least {least:g})"
    )
    assert comparator / engine >= least


ORDINARY = 0.012  # seconds that a million exponentials and logs take on the machine of the limits


def sites(many: int) -> TransferStudy:
    """So many different sites."""
    rng = np.random.default_rng(0)
    rows = [
        Server(
            name=f"s{k}",
            n=int(10 ** rng.uniform(1, 5)),
            epsilon=10 ** rng.uniform(-2, 1),
            delta=1e-6,
            signal_exponent=float(rng.uniform(0.3, 2)) if k else 1.0,
        )
        for k in range(many)
    ]
    return TransferStudy(target=rows[0], sources=rows[1:], smoothness=0.5, dimension=2, margin=1)


def own_map(study: TransferStudy) -> object:
    x, y = (maps.around(study, moved) for moved in maps.usual(study))
    return maps.study_map(study, x, y, Lens())


def divided(study: TransferStudy) -> object:
    return split.split(study, "epsilon", 2 * split.today(study, "epsilon"), lens=Lens())


@pytest.mark.parametrize(
    ("ask", "many", "most"),
    [
        (lambda study: decide(study, use="target", needed=1e4), 7, 0.03),
        (lambda study: decide(study, use="others"), 200, 0.15),
        (lambda study: plan.levers(study, 0.5, kind=study.servers[3]), 100, 0.1),
        (divided, 50, 0.2),
        (own_map, 7, 0.15),
        (lambda study: envelope(study, Scope(), "classification"), 20, 0.2),
        (lambda study: rivals(study, lens=Lens(risk="classification")), 20, 0.1),
    ],
)
def test_an_answer_is_soon_there(
    ask: Callable[[TransferStudy], object], many: int, most: float
) -> None:
    study, x = sites(many), np.linspace(0.0, 1.0, 10**6)
    took, usual = seconds(lambda: ask(study), lambda: np.log1p(np.exp(x)), repeats=5)
    slow = max(1.0, usual / ORDINARY)
    print(f"\n{many} sites: {1e3 * took:.0f} ms, machine {slow:.1f} times as slow")
    assert took < most * slow


EXPONENTS = ("beta", "gamma", "d", "alpha")
SIZES = ("n", "m", "n0", "eps")
SHAPE = {"beta": 0.5, "gamma": 1.2, "d": 2, "alpha": 1}
STUDY = {"n": 1e4, "m": 100, "n0": 8e4, "eps": 0.1}


def five() -> Order:
    """Equation (5) of [ACC] with equal sources."""
    return parse(
        "min(n0*r^(2*beta+d), n0^2*eps^2*r^(2*beta+2*d))"
        " + m*min(n*r^(2*beta*gamma+d), n^2*eps^2*r^(2*beta*gamma+2*d)) = 1",
        sizes=SIZES,
        exponents=EXPONENTS,
        unknown="r",
        rate="min(1, r^(beta*(1+alpha)))",
    )


def many() -> Order:
    """A rate of 64 terms."""
    one = ",".join(f"n^({k}-1/(gamma+{k}))*m^-{k}" for k in range(1, 9))
    other = ",".join(f"eps^-{k}*m^(gamma*{k}/(d+{k}))/{k}" for k in range(1, 9))
    return parse(f"max({one})*max({other})", sizes=SIZES, exponents=EXPONENTS)


def forget() -> None:
    """Empty what the room keeps of earlier texts."""
    for name in [name for name in sys.modules if name.startswith("rates.orders")]:
        for kept in list(vars(sys.modules[name]).values()):
            if hasattr(kept, "cache_clear") and getattr(kept, "__name__", "") != "field_of":
                kept.cache_clear()


def mapped(order: Order) -> object:
    """A map of the study over budget and records."""
    sizes = {k: v for k, v in STUDY.items() if k not in ("eps", "n")}
    return regions(order, "eps", "n", sizes, SHAPE, box=((1e-6, 1), (10, 1e6)))


def six_conditions() -> object:
    """What a claim with six conditions needs."""
    order = parse("max(1/n, m/(n*eps)^2)", sizes=("n", "m", "eps"))
    where = ("n >= 2", "m >= 1", "eps <= 1", "m <= n", "m >= 2 or n >= 3", "n*eps^2 >= m")
    return needs(Claim(order, "1/n", where), {})


def one_letter() -> Order:
    """A rate in which one letter is taken out of eight terms."""
    powers = [(x, sign) for x in ("n", "m") for sign in (-2, -1, 1, 2)]
    terms = [f"{x}^{k}*h^{sign * k}" for k, (x, sign) in enumerate(powers, 1)]
    return parse(f"inf_h({' + '.join(terms)})", sizes=("n", "m")).explicit()


@pytest.mark.parametrize(
    ("run", "most"),
    [
        (six_conditions, 0.15),
        (one_letter, 0.1),
        (lambda: mapped(five()), 0.06),
        (lambda: mapped(many()), 1.0),
        (lambda: crossings(five(), "eps"), 0.5),
        (lambda: [*compare.pairs()], 5.0),
    ],
)
def test_what_is_asked_of_rates_is_soon_there(run, most):
    (took,) = seconds(run, repeats=2, before=forget)
    print(f"\n{1e3 * took:.1f} ms")
    assert took < most
