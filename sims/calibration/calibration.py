r"""From a rate to a risk: the constant C of risk = C x calibrated rate, and what rests on it.

A rate leaves out its constant, so it is no risk. Where risk is known at several settings and
proportional to the rate there, their quotient is C, and C times the rate is a risk: on that world,
within those settings, for the named mechanism of `rates.calibrated`. The fit is refused where the
slope is not one, where too few settings can be used, or where they scatter; a study is refused
where it has other parameters or lies beyond the settings.

Nothing is random: the interval says how far the quotient moves between settings, which is how far
C times the rate misses the risk.

Where sites have several signal exponents, C moves with their shares of the rate equation. Uneven
settings, in which every exponent's sites change by factors of their own, show how: log C is a plane
in the mean exponent, weighted by shares, and in log rate. An edited study takes C from it.
`sims.calibration.worlds` finds the risks, on worlds that are known.

The plane is fitted by least squares; half of its 95% interval at a further setting x is

.. math:: w = t\, s \sqrt{x^\top (X^\top X)^+ x + 1}

with t Student's quantile and s the residual standard deviation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rates import answer
from rates.numbers import safe_exp
from rates.study import Scope, Server, Study, theory_for
from sims.engine import Array, Estimate, Fit, Fitted, Point, fit, quantile

KAPPA = 3.0
LEAST = 6  # settings in a fit
SPREAD = 3.0  # least quotient of the largest and the smallest rate
TOLERANCE = 0.1  # of the slope of log risk in log rate around 1
SCATTER = 0.2  # most of the standard deviation of log(risk/rate)
BEYOND = 4.0  # factor below the smallest fitted rate that is still reached
ABOVE = 1.05  # factor above the largest
# The rate ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardstick:
    """The calibrated rate of any servers, at fixed parameters.

    Attributes:
        study: A study of these parameters, such as the one that was fitted.
        lens: Which risk, and the constants of the named mechanism.
    """

    study: Study
    lens: answer.Lens

    @property
    def kind(self) -> str:
        """Which risk."""
        return self.lens.risk_of(self.study)

    def reading(self, servers: Sequence[Server]) -> tuple[float, float]:
        """Return the uncapped rate of the named mechanism, and the mean signal exponent.

        The first server is the target; the mean is weighted by the servers' shares.

        Raises:
            DomainError: A private server lacks delta.

        Source: [ACC] eqs. (5), (6), [CCV] eq. (6), with the mechanism's constants.
        """
        found = answer.solve_risk(self.study.with_servers(servers), self.lens)
        parts = sum(found.shares) or math.nan
        pairs = zip(found.shares, servers, strict=True)
        return safe_exp(found.log_rate), sum(a * s.signal_exponent for a, s in pairs) / parts

    def mismatch(self, study: Study) -> str:
        """Return why a study is not one of these parameters; empty if it is."""
        if self.kind not in study.risks:
            return "It was made for the other kind of study."
        mine, other = (
            {
                "the smoothness": one.smoothness_of(self.kind),
                "the margin": one.margin,
                "the number of covariates": one.dimension,
            }
            for one in (self.study, study)
        )
        own = [name for name in mine if not math.isclose(mine[name], other[name])]
        found = "; ".join(f"{name} is {other[name]:g}, not {mine[name]:g}" for name in own)
        return f"The parameters differ: {found}." if own else ""


def stated(study: Study) -> tuple[tuple[Server, ...], str]:
    """Return the servers with every delta stated, and what was filled in."""
    note = f"Where no delta is stated it is {answer.offered_delta(study):.3g}."
    return answer.with_offered_delta(study).servers, note if study.without_delta else ""


def outside_theory(study: Study, scope: Scope) -> str:
    """Return why no constant turns a study's rate into a risk; empty if the answers allow one.

    The rate is that of the theory the study is stated in, so that another one which covers the
    answers does not help.

    >>> from rates.presets import preset
    >>> outside_theory(preset("phones").study, Scope(answers=(("overlap", "yes"),))).split(": ")[1]
    'not given is no person at two sites.'
    """
    found = theory_for(study, scope)
    if found.elsewhere:
        return (
            f"By the answers given the study belongs to the theory [{found.theory.key}], and its "
            f"rate is that of [{found.own}], so that no constant turns it into a risk."
        )
    if found.broken:
        return (
            "The study lies outside the theory, so that no constant turns its rate into a risk: "
            f"not given is {found.broken[0].assumption}."
        )
    return ""


def signals(servers: Sequence[Server]) -> tuple[float, ...]:
    """Return the different signal exponents of the servers that release, the smallest first."""
    return tuple(sorted({s.signal_exponent for s in servers if s.informative}))


def scaled(server: Server, records: float, budget: float = 1.0) -> Server:
    """Return a server with its records and its finite budget multiplied."""
    n = max(1, round(server.n * records)) if server.n else 0
    return replace(server, n=n, epsilon=server.epsilon * budget if server.epsilon else 0.0)


# Records ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One setting of a fit.

    Attributes:
        records: Factor on the study's records.
        budget: Factor on its finite budgets; inf without privacy.
        rate: The calibrated rate there.
        risk: The risk there; nan if it could not be found.
        left_out: Why it takes no part, decided before the fit; empty if it does.
        signal: Signal exponent of its servers on average, weighted by their shares.
    """

    records: float
    budget: float
    rate: float
    risk: float = math.nan
    left_out: str = ""
    signal: float = 1.0

    @property
    def ratio(self) -> float:
        """Risk over rate."""
        return self.risk / self.rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The constant of a rate on one world, or why there is none.

    Attributes:
        yardstick: The rate that it belongs to.
        world: The world, in words.
        settings: Every setting that was tried.
        constant: C with its 95% interval; None where it is refused outright.
        slope: Slope of log risk in log rate, 1 if the theory is right.
        width: Half the 95% interval of log(risk/rate) at one further setting.
        rates: Smallest and largest rate fitted.
        signals: The different signal exponents of its servers.
        uneven: Settings in which each signal exponent's servers were changed by themselves.
        refusal: Why the fit deserves no trust; empty if it is accepted.
        note: What was filled in or scaled to compute it.
    """

    yardstick: Yardstick
    world: str
    settings: tuple[Tried, ...] = field(default=(), repr=False)
    constant: Fitted | None = None
    slope: Fitted | None = None
    width: float = math.nan
    rates: tuple[float, float] = (math.nan, math.nan)
    signals: tuple[float, ...] = (1.0,)
    uneven: tuple[Tried, ...] = field(default=(), repr=False)
    refusal: str = ""
    note: str = ""

    @property
    def accepted(self) -> bool:
        """Whether an absolute risk may rest on it."""
        return not self.refusal and self.constant is not None

    @property
    def tried(self) -> tuple[Tried, ...]:
        """Every setting with a part, even or uneven."""
        return tuple(t for t in (*self.settings, *self.uneven) if not t.left_out)


@dataclass(frozen=True, slots=True, kw_only=True)
class Absolute:
    """A risk with its 95% interval, or why there is none.

    Attributes:
        value: The risk, C times the rate; nan if refused.
        low: Lower end of the 95% interval.
        high: Upper end.
        refusal: Why there is none; empty if there is one.
    """

    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    refusal: str = ""


# The fit ---------------------------------------------------------------------------------------


Height = Callable[..., tuple[float, float]]


def plane(settings: Array, heights: Array) -> Height:
    """Return the plane through heights over settings: at a further one, height and half interval.

    It is taken in as many directions as the settings differ in.

    Args:
        settings: One row of coordinates per setting.
        heights: One per setting.

    >>> at = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> height, width = plane(at, 2.0 + 3.0 * at[:, 0])(4.0)
    >>> round(height, 9), round(width, 9)
    (14.0, 0.0)
    """
    middle = np.array([0.0, *settings.mean(axis=0)])
    x = np.column_stack([np.ones(len(heights)), settings]) - middle
    inverse = np.linalg.pinv(x, rcond=1e-9)
    slopes, spread = inverse @ heights, inverse @ inverse.T
    freedom = len(heights) - round(float(np.trace(x @ inverse)))
    variance = float(np.sum((heights - x @ slopes) ** 2)) / freedom
    bound = quantile(freedom + 1)

    def height(*setting: float) -> tuple[float, float]:
        at = np.array([1.0, *setting]) - middle
        return float(slopes @ at), bound * math.sqrt(variance * (float(at @ spread @ at) + 1.0))

    return height


def fitted(
    base: Calibration, settings: Sequence[Tried], uneven: Sequence[Tried] = ()
) -> Calibration:
    """Return the calibration with its constant fitted to settings, or with the refusal.

    Args:
        base: World and yardstick.
        settings: Rates with risks; those with a reason in ``left_out`` take no part.
        uneven: Further ones, for how C moves with the mix of several signal exponents.

    >>> from rates.presets import preset
    >>> yard = Yardstick(study=preset("phones").study, lens=answer.Lens())
    >>> base = Calibration(yardstick=yard, world="")
    >>> at = [Tried(records=1, budget=1, rate=2.0**-k, risk=3 * 2.0**-k) for k in range(9)]
    >>> round(fitted(base, at).constant.value, 9), fitted(base, at[:3]).accepted
    (3.0, False)
    """
    settings = [_with_logarithm(t) for t in settings]
    points = [
        Point(series="", x=t.rate, theory=t.rate, left_out=t.left_out, key=str(k))
        for k, t in enumerate(settings)
    ]
    # Every setting counts alike, as C differs between them: intervals come from the scatter.
    found = fit(points, [Estimate(t.risk, 0.0, 2) for t in settings])
    used = [t for t in settings if not t.left_out]
    mixed = tuple(t for t in map(_with_logarithm, uneven) if not t.left_out)
    base = replace(base, settings=tuple(settings), uneven=mixed)
    rates = [t.rate for t in used]
    if len(used) < LEAST:
        return replace(base, refusal=_too_few(used, settings))
    if max(rates) < SPREAD * min(rates):
        text = f"Too few points: their rates differ by less than a factor of {SPREAD:g}."
        return replace(base, refusal=text)
    if uneven and len(mixed) < LEAST:
        text = "Too few points: hardly an uneven change of these sites can be computed."
        return replace(base, refusal=text)
    return _judged(replace(base, rates=(min(rates), max(rates))), found, used)


def _with_logarithm(tried: Tried) -> Tried:
    """Leave out what has no logarithm; nothing is judged by where it lies."""
    if tried.left_out or (tried.risk > 0 and tried.rate > 0):
        return tried
    return replace(tried, left_out="the risk or the rate has no logarithm")


def _judged(base: Calibration, found: Fit, used: Sequence[Tried]) -> Calibration:
    """Accept the fit, or say why it does not deserve it."""
    constant, slope = found.constant, found.slope
    assert constant is not None  # there are points with a theory
    assert slope is not None
    scatter = float(np.log([t.ratio for t in used]).std(ddof=1))
    wide = quantile(len(used)) * scatter
    base = replace(
        base,
        constant=constant,
        slope=slope,
        width=math.hypot(math.log(constant.high / constant.value), wide),
    )
    low, high = 1.0 - TOLERANCE, 1.0 + TOLERANCE
    refusal = ""
    if slope.high - slope.low > 4.0 * TOLERANCE:
        refusal = (
            f"The slope cannot be told: 95% {slope.low:.2f} to {slope.high:.2f}. Wider "
            "settings would settle it."
        )
    elif not low <= slope.value <= high:
        refusal = (
            "The slope differs from theory: where the rate halves, the risk falls by a factor of "
            f"{2**slope.value:.3g} (slope {slope.value:.2f}, 95% {slope.low:.2f} to "
            f"{slope.high:.2f}); {low:g} to {high:g} would be accepted."
        )
    elif scatter > SCATTER:
        refusal = (
            f"The quotient of risk and rate scatters by {100 * scatter:.0f}% between settings; "
            f"at most {100 * SCATTER:.0f}% is accepted."
        )
    return replace(base, refusal=refusal)


def _too_few(used: Sequence[Tried], settings: Sequence[Tried]) -> str:
    reasons = [t.left_out for t in settings if t.left_out]
    most = max(set(reasons), key=reasons.count) if reasons else ""
    text = f"Too few points: {len(used)} of {len(settings)} settings can be used, {LEAST} needed."
    return f"{text} Most of the others: {most}." if most else text


# What rests on it ------------------------------------------------------------------------------


def risk_of(calibration: Calibration | None, study: Study) -> Absolute:
    r"""Return C times the calibrated rate of a study, with its interval, or why there is none.

    .. math:: \text{risk} = C \cdot \text{rate}, \qquad
        \log\text{risk} \pm \sqrt{w_C^2 + (t\,s)^2}

    with w_C half the interval of log C, s the scatter between settings and t Student's quantile.
    With several signal exponents C is that of the study's own mix, by `plane`.

    Args:
        calibration: What was fitted; None if nothing was.
        study: The same kind and parameters; its servers may be others than those fitted.

    Examples:
        >>> from rates import TransferStudy
        >>> lone = TransferStudy(
        ...     target=Server(name="A", n=100, epsilon=1), smoothness=1, dimension=1, margin=1
        ... )
        >>> risk_of(None, lone).refusal
        'Nothing has been calibrated.'

    Source: our own; the rate is that of [ACC] eqs. (5), (6), [CCV] eq. (6) with constants.
    """
    if refusal := _refused(calibration, study):
        return Absolute(refusal=refusal)
    assert calibration is not None
    assert calibration.constant is not None
    servers, used = stated(study)[0], calibration.tried
    rate, signal = calibration.yardstick.reading(servers)
    value, width = calibration.constant.value * rate, calibration.width
    if calibration.uneven:
        height, width = plane(
            np.array([[t.signal, math.log(t.rate)] for t in used]),
            np.log([t.ratio for t in used]),
        )(signal, math.log(rate))
        value = math.exp(height) * rate
    if refusal := _reach(calibration, rate) or _beyond(calibration, signal):
        return Absolute(refusal=refusal)
    factor = math.exp(width)
    return Absolute(value=value, low=value / factor, high=value * factor)


def _refused(calibration: Calibration | None, study: Study) -> str:
    if calibration is None:
        return "Nothing has been calibrated."
    if calibration.refusal or calibration.constant is None:
        return calibration.refusal or "There is no constant."
    if refusal := calibration.yardstick.mismatch(study):
        return refusal
    if signals(study.servers) != calibration.signals:
        own, fitted_for = (
            ", ".join(f"{g:g}" for g in given)
            for given in (signals(study.servers), calibration.signals)
        )
        return (
            f"The signal exponents of these sites are {own or 'none'}, and the constant was fitted "
            f"for {fitted_for} together: another mix has another constant."
        )
    return ""


def _reach(calibration: Calibration, rate: float) -> str:
    """Return why a rate lies too far from those fitted; empty if it does not."""
    low, high = calibration.rates
    if rate > ABOVE * high:
        return (
            f"Extrapolation too far: the rate is {rate / high:.3g} times the largest that was "
            "fitted, and beyond that the risk need not follow it."
        )
    if rate < low / BEYOND:
        return (
            f"Extrapolation too far: the rate is {low / rate:.3g} times below the smallest that "
            f"was fitted; {BEYOND:g} times is the limit."
        )
    return ""


def _beyond(calibration: Calibration, own: float) -> str:
    """Return why the mix of signal exponents lies beyond those tried; empty if it does not."""
    if not calibration.uneven:
        return ""
    used = [t.signal for t in calibration.tried]
    low, high = min(used), max(used)
    if low - 1e-9 <= own <= high + 1e-9:
        return ""
    return (
        f"These sites are changed too unevenly: weighted by its parts of the rate, the signal "
        f"exponent is {own:.3g} on average, and {low:.3g} to {high:.3g} were tried in the fit."
    )
