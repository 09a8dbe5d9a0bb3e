"""Every number a study is made of: one record feeds validation, sliders, help and tests."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

MAX_N = 10**15
MAX_COUNT = 10**9
MAX_DIMENSION = MAX_SMOOTHNESS = 10**6
MAX_ROWS = 10_000
MAX_NAME = 80


class Words(str):
    """A description given in place of a value; shown without quotes."""


class DomainError(ValueError):
    """A value lies outside the set on which it is defined.

    The message states the allowed set, then the row and field, then the value.

    Attributes:
        rule: The allowed set, as a sentence.
        field: The field's name in studies and files; empty for a whole row or study.
        value: What was given.
        where: The row or study, such as ``Server 'Boston'``; empty if unknown.
    """

    __module__ = "rates"  # where it is caught, and what a traceback names

    def __init__(self, rule: str, field: str = "", value: object = None, where: str = "") -> None:
        self.rule, self.field, self.value, self.where = rule, field, value, where
        place = ", field ".join(part for part in (where, field) if part)
        got = f"got {shown(value)}"
        super().__init__(f"{rule} {place}: {got}." if place else f"{rule} ({got})")

    def at(self, where: str) -> DomainError:
        """The same error, placed at ``where``."""
        return DomainError(self.rule, field=self.field, value=self.value, where=where)

    def kept(self) -> Self:
        """The same error to be kept, or raised again: without what its callers held then."""
        same = type(self).__new__(type(self), *self.args)
        same.__dict__.update(self.__dict__)
        return same


def shown(value: object) -> str:
    """Return a short, one-line form of any value for an error message.

    >>> shown("x" * 100)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'"
    """
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        size = abs(int(value))
        return str(int(value)) if size < 10**20 else "a whole number of more than 20 digits"
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        try:
            return f"{float(value):.12g}"
        except OverflowError:
            return "a number too large to hold"
    if isinstance(value, Words):
        return str(value)
    text = repr(value)
    return text if len(text) <= 42 else f"{text[:38]}...{text[-1]}"


_BARE = {"noun": "", "rule": "", "limit_rule": ""}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number: its name, symbol, domain, the sentence that refuses it, and its help.

    Attributes:
        name: Name in signatures and files.
        symbol: The papers' letter, for formulas and labels.
        domain: The allowed set as one writes it: ``(0, 1/8]``, ``[0, inf)``, ``1, ..., 1e6``.
        noun: What a refusal calls it; the name where not given.
        rule: The sentence that names the allowed set, where its ends alone do not say it.
        help: What the number means, in plain words.
        limit_rule: The sentence for the upper end where that end is ours, not the theory's.
        stops: Where its slider stops; other values are typed.
        low: Lower end of the domain.
        high: Upper end of the domain.
        low_open: Whether the lower end is excluded.
        high_open: Whether the upper end is excluded.
        whole: Whether only whole numbers are allowed.
    """

    name: str
    symbol: str
    domain: str
    _: KW_ONLY
    noun: str = ""
    rule: str = ""
    help: str
    limit_rule: str = ""
    stops: tuple[float, ...] = ()
    low: float = field(init=False)
    high: float = field(init=False)
    low_open: bool = field(init=False)
    high_open: bool = field(init=False)
    whole: bool = field(init=False)

    def __post_init__(self) -> None:
        for name, value in _read(self.domain).items():
            object.__setattr__(self, name, value)

    def within(self, domain: str, **changed: Any) -> Parameter:
        """Return the parameter on another domain, of which its ends say all.

        >>> SAMPLE_SIZE.within("1, ..., 1e9").allowed, EPSILON.within("(0, 0.5]").allowed
        ('n must be a whole number from 1 to 1e9.', 'epsilon must be above 0 and at most 0.5.')
        """
        return replace(self, domain=domain, **{**_BARE, **changed})

    @property
    def allowed(self) -> str:
        """The sentence that names the allowed set."""
        return self.rule or f"{self.noun or self.name.replace('_', ' ')} must {self._ends()}."

    def allows(self, value: object) -> bool:
        """Whether a value lies in the domain."""
        try:
            self.check(value)
        except DomainError:
            return False
        return True

    def _ends(self) -> str:
        low, high = _written(self.low), _written(self.high)
        endless = math.isinf(self.high)
        if self.whole:
            return f"be a whole number from {low} to {high}"
        if endless:
            least = "positive" if (self.low, self.low_open) == (0, True) else f"at least {low}"
            return f"be {least} and finite" if self.high_open else f"be {least} (or inf)"
        if self.low_open == self.high_open:
            return (
                f"lie strictly between {low} and {high}"
                if self.low_open
                else f"lie in [{low}, {high}]"
            )
        least = f"above {low}" if self.low_open else f"at least {low}"
        return f"be {least} and {'below' if self.high_open else 'at most'} {high}"

    def check(self, value: object, where: str = "") -> float:
        """Return ``value`` as a plain number of this domain, or raise `DomainError`.

        >>> SAMPLE_SIZE.check(3.0)
        3
        >>> MARGIN.check(-1, "Study")
        Traceback (most recent call last):
            ...
        rates.DomainError: Margin alpha must be >= 0. Study, field margin: got -1.
        """
        number = as_number(value)
        if number is None or (isinstance(number, float) and math.isnan(number)):
            raise self._refusal(self.allowed, value, where)
        # Whole numbers may be too large for any float, and comparing them must not overflow.
        if isinstance(number, int) and abs(number) >= 10**300:
            raise self._refusal((number > 0 and self.limit_rule) or self.allowed, value, where)
        if self.whole and not float(number).is_integer():
            raise self._refusal(self.allowed, value, where)
        below = number <= self.low if self.low_open else number < self.low
        above = number >= self.high if self.high_open else number > self.high
        if below or above:
            rule = self.limit_rule if above and self.limit_rule else self.allowed
            raise self._refusal(rule, value, where)
        return int(number) if self.whole else float(number)

    def _refusal(self, rule: str, value: object, where: str) -> DomainError:
        return DomainError(rule, field=self.name, value=value, where=where)


def check_fields(record: object, fields: Iterable[Parameter], where: str = "") -> None:
    """Check fields of a frozen record that is being made, each by the parameter of its name."""
    for parameter in fields:
        value = parameter.check(getattr(record, parameter.name), where)
        object.__setattr__(record, parameter.name, value)


def _read(domain: str) -> dict[str, float]:
    """Read an interval, or whole numbers between two ends.

    >>> _read("(0, 1/8]")
    {'low': 0, 'high': 0.125, 'low_open': True, 'high_open': False, 'whole': False}
    >>> _read("1, ..., 1e6")
    {'low': 1, 'high': 1000000, 'low_open': False, 'high_open': False, 'whole': True}
    >>> _read("[1, 0]")
    Traceback (most recent call last):
        ...
    ValueError: not a domain: '[1, 0]'
    """
    whole = re.fullmatch(r"()(\S+), \.\.\., (\S+)()", domain)
    found = whole or re.fullmatch(r"([\[(])(\S+), (\S+)([\])])", domain)
    if found:
        left, *ends, right = found.groups()
        low, high = (int(_end(end)) if whole else _end(end) for end in ends)
        if low <= high:
            opened = {"low_open": left == "(", "high_open": right == ")"}
            return {"low": low, "high": high, **opened, "whole": bool(whole)}
    raise ValueError(f"not a domain: {domain!r}")


def _end(text: str) -> float:
    """Read an end of a domain: 20, 0.5, 1e9, 1/8 or inf."""
    top, _, under = text.partition("/")
    return int(text) if text.isdecimal() else float(top) / float(under or 1)


def _written(end: float) -> str:
    """Write an end of a domain as people do: 0.25, 2,000 or 1e9."""
    text = f"{end:.12g}" if abs(end) < 10**4 else f"{end:,.0f}"
    power = round(math.log10(end)) if 0 < end < math.inf else 0
    return f"1e{power}" if power > 4 and end == 10**power else text


def as_number(value: object) -> float | int | None:
    """Return a real number as int or float, None for anything else (booleans included)."""
    if type(value) in (int, float):  # nearly always, and asking what is a number takes its time
        return value  # type: ignore[return-value]
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return None
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        try:
            return float(value)
        except OverflowError:
            return None
    return None


def check_array(
    name: str, value: ArrayLike, *, zero: bool = False, infinite: bool = False, single: bool = False
) -> NDArray[np.float64]:
    """Return an array of positive numbers with at least one axis, or raise `DomainError`.

    Args:
        name: The argument's name, for the message.
        value: What was given.
        zero: Whether 0 is allowed.
        infinite: Whether ``inf`` is allowed.
        single: Whether the last axis, that of the servers, must have length 1.
    """
    rule = f"{name} must be {'>= 0' if zero else 'positive'}{'' if infinite else ' and finite'}."
    try:
        array = np.atleast_1d(np.asarray(value, dtype=float))
    except (TypeError, ValueError, OverflowError):
        raise DomainError(rule, name, value) from None
    # Comparisons with NaN are false, so NaN is refused too.
    ok = array >= 0 if zero else array > 0
    ok = ok if infinite else ok & (array < np.inf)
    if not ok.all():
        raise DomainError(rule, name, float(array[~ok].flat[0]))
    if single and array.shape[-1] != 1:
        rule = f"{name} does not vary over servers: its last axis must have length 1."
        raise DomainError(rule, f"{name}.shape", array.shape)
    return array


def steps(low: float, high: float, step: float) -> tuple[float, ...]:
    """Return evenly spaced slider stops.

    >>> steps(0.05, 0.2, 0.05)
    (0.05, 0.1, 0.15, 0.2)
    """
    return tuple(round(low + k * step, 10) for k in range(round((high - low) / step) + 1))


def decades(low: int, high: int, *, whole: bool = False) -> tuple[float, ...]:
    """Return slider stops on a log scale, ten per decade, to two digits.

    >>> decades(0, 1)[:4], decades(0, 1, whole=True)[:4]
    ((1.0, 1.3, 1.6, 2.0), (1.0, 2.0, 3.0, 4.0))
    """
    stops = tuple(float(f"{10 ** (k / 10):.1e}") for k in range(10 * low, 10 * high + 1))
    return tuple(sorted({float(round(s)) for s in stops})) if whole else stops


SAMPLE_SIZE = Parameter(
    "n",
    "n_j",
    f"0, ..., {MAX_N}",
    rule="Sample size must be a non-negative integer.",
    limit_rule="Sample size must be at most 1e15.",
    help="Number of records the site holds, one per person. 0 means that it takes no part.",
)
EPSILON = Parameter(
    "epsilon",
    "ε_j",
    "[0, inf]",
    rule="epsilon must be >= 0 (use inf for a public server).",
    help="Privacy budget of the site's released transcript under replacement of one record: "
    "no event about the output changes its odds by more than a factor e^epsilon. "
    "An attacker who must tell whether one record was replaced beats guessing by at most "
    "5% with 0.1, 46% with 1 and more than 99% with 10. "
    "inf means unprotected for this calculation, not published.",
)
DELTA = Parameter(
    "delta",
    "δ_j",
    "(0, 1)",
    help="Probability scale on which the epsilon guarantee may fail. It should be far below "
    "one over the number of records. It enters the mechanism's noise as a factor that "
    "grows only like the square root of log(1/delta).",
)
SIGNAL_EXPONENT = Parameter(
    "signal_exponent",
    "γ_j",
    "(0, inf)",
    noun="Relative signal exponent gamma",
    help="How sharply this site's data separate the classes, relative to the target: where "
    "the target's risk differs from 50% by t, the site's differs by at least about "
    "t^gamma on the same side. Where the target's risk is 60%, a site with gamma 1 also "
    "shows 60%, with 0.5 about 82%, with 2 only 51%. 1 is as informative as the target, "
    "below 1 sharper, above 1 weaker.",
)
COUNT = Parameter(
    "count",
    "count_j",
    f"1, ..., {MAX_COUNT}",
    rule="count must be a whole number of at least 1.",
    limit_rule="count must be at most 1e9.",
    help="How many identical sites this row stands for.",
)
SMOOTHNESS_CLASSIFICATION = Parameter(
    "smoothness",
    "β",
    "(0, 1]",
    rule="Smoothness beta must satisfy 0 < beta <= 1.",
    stops=steps(0.05, 1.0, 0.05),
    help="Hölder smoothness of the target's risk as a function of the covariates, each scaled "
    "to the range 0 to 1. 1: a step of 0.1 moves the risk by at most about 10 points "
    "(times a constant), without jumps or kinks that sharpen. 0.5: by up to about 32 points, "
    "so sharp cusps are allowed. If unsure, compare 0.5 with 1.",
)
DIMENSION = Parameter(
    "dimension",
    "d",
    f"1, ..., {MAX_DIMENSION}",
    rule="Dimension d must be a positive integer.",
    limit_rule="Dimension d must be at most 1e6.",
    stops=steps(1, 10, 1),
    help="Number of covariates the classifier uses.",
)
MARGIN = Parameter(
    "margin",
    "α",
    "[0, inf)",
    rule="Margin alpha must be >= 0.",
    stops=steps(0.0, 4.0, 0.25),
    help="How rare patients near 50% risk are: the share within t of 50% is at most a "
    "multiple of t^alpha. Read it from two shares: if 20% of patients lie between 40 and "
    "60% risk and 10% between 45 and 55%, halving the distance halves the share, so "
    "alpha is 1. A quarter instead of a half: 2. No change: 0, which promises nothing.",
)
SMOOTHNESS_REGRESSION = Parameter(
    "smoothness",
    "α",
    f"(0.5, {MAX_SMOOTHNESS}]",
    rule="Smoothness alpha must exceed 1/2.",
    limit_rule="Smoothness alpha must be at most 1e6.",
    stops=steps(0.6, 4.0, 0.1),
    help="Besov smoothness of the regression curve: about how many derivatives it has, in an "
    "average sense set by p. 1: continuous with corners, such as a broken line; 2: smoothly "
    "bending; above 3: very smooth. If unsure, compare 1 with 2.",
)
INTEGRABILITY = Parameter(
    "integrability",
    "p",
    "[2, inf]",
    rule="p must be >= 2 (p=inf allowed).",
    stops=(2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 20.0, math.inf),
    help="The p of the Besov class. inf: the curve is equally smooth everywhere; 2: rough "
    "spots are allowed, which only the error at a single point feels.",
)

SERVER_FIELDS = {p.name: p for p in (SAMPLE_SIZE, EPSILON, DELTA, SIGNAL_EXPONENT, COUNT)}
TRANSFER_FIELDS = {p.name: p for p in (SMOOTHNESS_CLASSIFICATION, DIMENSION, MARGIN)}
FEDERATED_FIELDS = {p.name: p for p in (SMOOTHNESS_REGRESSION, INTEGRABILITY)}

KAPPA = replace(
    SIGNAL_EXPONENT,
    name="kappa",
    symbol="κ",
    noun="",
    help="Bandwidth of the named mechanism over r. A free constant; 1 to 3 is reasonable.",
)
