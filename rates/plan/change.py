"""What of a study may change: one record for each number, with all that is said and asked of it.

A record holds the forward map alone, from values of the number at each row to the equation with
them. What is needed is found by a search along it (`rates.plan.needs`), and tables, curves, offers,
splits and factors are read off the same map: a further record in `LEVERS` is in all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rates import numbers
from rates.numbers import STEEPEST, DomainError, Parameter, Terms, log0
from rates.plan.base import Array, Basis, row_of
from rates.study import Server, Study, columns

Flags = NDArray[np.bool_]
Columns = dict[str, Array]  # the rows' numbers, as `rates.study.columns` has them

ALL = "all"


def _every(c: Columns) -> Flags:
    return np.ones(c["n"].shape, dtype=bool)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One number of a study's rows that may change.

    Attributes:
        name: Its name in signatures, files and on the command line.
        title: Its name on pages.
        words: What a row needs of it, with ``{site}`` and ``{value}``.
        domain: The parameter whose domain its values have.
        change: The forward map: from rows and values, the last axis over rows, the rows' terms,
            with the values' leading axes also where they do not depend on them.
            Each row's term depends on its own value alone, and rises with it (where `largest`,
            falls while the rate is below 1).
        now: Its value today at one of a row's sites; an attribute of that name where not given.
        takes: Which rows have one that may change.
        alike: Whether one factor for all rows is for those of many sites alone.
        common: Whether all rows may have one value.
        nobody: Why it is no lever where no row takes part.
        everyone: What "all" means for it.
        grown: What a sentence calls it where all rows' values grow by one factor; empty where that
            has no meaning.
        most: The largest factor that anybody has a use for.
        unit: What is bought of it, or split over the sites: "records" of n; empty where neither.
        bought: A purchase in words, with ``{amount}`` and ``{site}``.
        total: What a total of it is called that is split over the sites; empty where none is.
        convex: Where a row's term is convex in it, but for the kink of a minimum: "always", "by
            equation" or, as far as is known, "never".
        whole: Whether only whole numbers make sense.
        largest: Whether the largest value is meant that is good enough.
        log: Whether it has a logarithmic axis.
        unlimited: What an unlimited value is like, where it may fall short of a rate.
        sampled: Whether a row's own sample may be what stops it.
        of_target: Whether the target of a transfer study has it.
        no_curve: Why a federated study does not have it; empty where it has.
        refusal: From rows, one of them and the wanted log r: why it is no lever there; empty where
            it is.
        assumed: Over which range a verdict's turning points are looked for: of its largest value,
            or of one factor for all rows where that has meaning; None where it is no assumption.
        further: Whether its rows are kinds of further sites (`Basis.beside`), of which there are
            none today.
    """

    name: str
    title: str
    words: str
    domain: Parameter
    change: Callable[[Basis, Array], Terms]
    now: Callable[[Server], float] | None = None
    takes: Callable[[Columns], Flags] = _every
    alike: bool = False
    common: bool = False
    nobody: str = ""
    everyone: str = "Every site"
    grown: str = ""
    most: float = math.inf
    unit: str = ""
    bought: str = ""
    total: str = ""
    convex: Literal["always", "by equation", "never"] = "never"
    whole: bool = False
    largest: bool = False
    log: bool = True
    unlimited: str = "with an unlimited value"
    sampled: bool = False
    of_target: bool = True
    no_curve: str = ""
    refusal: Callable[[Basis, Server, float], str] | None = None
    assumed: tuple[float, float] | None = None
    further: bool = False

    @property
    def letter(self) -> str:
        """Its letter on maps."""
        return self.domain.symbol.removesuffix("_j")

    def fits(self, study: Study) -> bool:
        """Whether a study of this kind has it."""
        return study.target is not None or not self.no_curve

    def rows(self, study: Study) -> range:
        """The rows of a study that may have it."""
        fixed = study.target is not None and not self.of_target
        return range(int(fixed), len(study.servers))

    def has(self, study: Study) -> Flags:
        """Which rows of a study have one to change, and carry information."""
        c = columns(study.servers)
        found = self.takes(c) & (c["n"] > 0) & (c["epsilon"] > 0) & self.fits(study)
        found[: self.rows(study).start] = False
        return found

    def today(self, server: Server) -> float:
        """Its value today at one of a row's sites."""
        if self.further:
            return 0.0
        return float(self.now(server) if self.now else getattr(server, self.name))

    def values(self, own: Basis) -> Array:
        """Its values today, row by row."""
        if self.now is None and not self.further:
            return own.columns[self.name]
        return np.array([self.today(server) for server in own.servers])

    def part(self, own: Basis) -> Flags:
        """Which rows take part where all change."""
        found, study = self.takes(own.columns), own.study
        if study.target is not None and not self.of_target and own.servers:
            found[0] &= own.names[0] != study.target.name
        return found

    def grows(self, c: Columns) -> Flags:
        """Which of the rows that have one take part where all grow by one factor."""
        return self.takes(c) & (c["count"] > 1 if self.alike else True)

    def among(self, own: Basis, site: str) -> Flags:
        """Return which rows change: one by its name, or all that one common value is for.

        Raises:
            DomainError: No row has that name, or a common value has no meaning.
        """
        if site != ALL:
            return np.asarray(np.arange(len(own.names)) == row_of(own, site))
        if not self.common:
            rule = f"A common value for all rows is defined for {' and '.join(common())}."
            raise DomainError(rule, "lever", self.name)
        return self.part(own)

    def scaled(self, own: Basis, factors: Array) -> Terms:
        """Return the rows' terms with the values of all that take part multiplied."""
        now = self.values(own)
        with np.errstate(over="ignore"):  # beyond all numbers is inf: no protection
            # A budget of 0 stays 0, a lone site stays one: neither takes part.
            grows = self.part(own) & self.grows(own.columns)
            return self.change(own, np.where(grows, now * factors, now))

    def amount(self, value: float) -> str:
        """A value with the lever's name, as the command line says it."""
        if self.further:
            return f"{value:.6g} further {self.name}"
        return f"{self.name} {'<=' if self.largest else '='} {value:.6g}"


def _sizes(own: Basis, n: Array) -> Terms:
    return own.terms.changed(log_size=log0(n))


def _budgets(own: Basis, epsilon: Array) -> Terms:
    return own.terms.changed(log_budget=own.log_budgets(epsilon))


def _counts(own: Basis, count: Array) -> Terms:
    # A row of m alike sites stands for m equal terms, so that counts multiply.
    return own.terms.times(log0(count) - np.log(own.columns["count"]))


def _signals(own: Basis, gamma: Array) -> Terms:
    if own.study.target is None:
        rule = "Sites of a federated study share one curve: there is no signal exponent."
        raise DomainError(rule, "lever", "signal_exponent")
    slope = 2.0 * own.study.smoothness * gamma + own.study.dimension  # a signal r^(β γ), squared
    return own.terms.changed(slope=np.minimum(slope, STEEPEST))


def _unprotected(own: Basis, server: Server, u: float) -> str:
    unprotected = f"{server.name} is unprotected already, so its budget is no lever"
    return unprotected if math.isinf(server.epsilon) else ""


def _trivial(own: Basis, server: Server, u: float) -> str:
    trivial = "the rate stays trivial at this target, and a signal exponent has no meaning there"
    return "" if u < 0 else trivial


_RECORDS = Change(
    name="n",
    title="Records n",
    words="{site} needs {value} records",
    domain=numbers.SAMPLE_SIZE,
    change=_sizes,
    common=True,
    grown="the records at every site",
    unit="records",
    bought="{amount} records at {site}",
    total="Records",
    convex="always",
    whole=True,
)
_BUDGET = Change(
    name="epsilon",
    title="Budget ε",
    words="{site} needs epsilon {value}",
    domain=numbers.EPSILON,
    change=_budgets,
    takes=lambda c: np.isfinite(c["epsilon"]),
    common=True,
    nobody="every site is unprotected already, so budgets are no lever",
    everyone="Every protected site",
    grown="every ε",
    most=1e3,
    unit="epsilon",
    bought="a budget larger by {amount} at {site}",
    total="Paid budgets ε",
    convex="by equation",
    unlimited="without privacy",
    sampled=True,
    refusal=_unprotected,
    assumed=(0.1, 10.0),
)
_ALIKE = Change(
    name="count",
    title="Number of sites",
    words="{value} sites like {site} are needed",
    domain=numbers.COUNT,
    change=_counts,
    alike=True,
    everyone="Every row of sites alike",
    grown="the number of sites alike",
    whole=True,
    of_target=False,
)
_SIGNAL = Change(
    name="signal_exponent",
    title="Signal γ",
    words="{site} needs a signal exponent of at most {value}",
    domain=numbers.SIGNAL_EXPONENT,
    change=_signals,
    largest=True,
    log=False,
    unlimited="with a signal exponent near 0",
    of_target=False,
    no_curve="the sites of a federated study share one curve, so there is no signal exponent",
    refusal=_trivial,
    assumed=(0.5, 4.0),
)
_SITES = Change(
    name="sites",
    title="Further sites",
    words="{value} further sites like {site} are needed",
    domain=numbers.COUNT,
    change=_counts,
    unit="sites",
    bought="{amount} like {site}",
    whole=True,
    further=True,
)

# In the order of lists; where all rows grow together, the last that can is named first.
LEVERS: dict[str, Change] = {
    lever.name: lever
    for lever in (
        _RECORDS,
        _BUDGET,
        _ALIKE,
        _SIGNAL,
        _SITES,
    )
}


def check_lever(name: object) -> Change:
    """Return the lever of a name, or raise `DomainError`."""
    if not isinstance(name, str) or name not in LEVERS:
        raise DomainError(f"The lever must be one of {', '.join(LEVERS)}.", "lever", name)
    return LEVERS[name]


def common() -> Iterator[str]:
    """The names of the levers that may have one common value for all rows."""
    return (name for name, lever in LEVERS.items() if lever.common)


def on_offer() -> dict[str, Change]:
    """What can be bought, by its unit; whole sites first."""
    units = {lever.unit: lever for lever in LEVERS.values() if lever.unit}
    return dict(sorted(units.items(), key=lambda x: not x[1].further))


def divided() -> dict[str, Change]:
    """What has a total that can be split over the sites, by its unit."""
    return {lever.unit: lever for lever in LEVERS.values() if lever.total}
