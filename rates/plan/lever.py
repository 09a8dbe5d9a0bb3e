"""What a lever is, and what is found for one: the records; the levers stand in `catalogue`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rates.answer import Limit
from rates.numbers import Terms
from rates.plan.base import Basis, Rows
from rates.study import Server, Study, TransferStudy

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

Best = Array | Callable[[Sequence[int], Array], Array]
Solved = tuple[Array, Array, Array, Best]  # values, log terms with them, gaps, best fractions

ALL = "all"
CLOSED, ITERATED = "closed form", "iteration"
_SAME = 1e-9  # a rate that changes by less than this part does not change


class Unreachable(ValueError):  # noqa: N818 (a public name)
    """No value of the quantity reaches the rate; the message says what remains out of reach.

    Attributes:
        best: The rate that an infinite value would give.
    """

    def __init__(self, message: str, best: float) -> None:
        self.best = best
        super().__init__(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lever:
    """One thing that can be changed at the rows of a study, with all that is said of it.

    Attributes:
        name: Its name in signatures, files and on the command line.
        title: Its name on pages.
        words: What a row needs of it, with ``{site}`` and ``{value}``.
        change: From a basis, the rows that change, values, and the kind of further sites: the
            equation at each value, along the first axis.
        solve: From a basis, u = log r, its rows there and the log of what each row's own term has
            to be: the least values, in closed form. None: it is found by search along ``change``.
        now: Its value today at one of a row's sites; an attribute of that name where not given.
        common: From the lever, a basis and a fraction: the least value common to all rows; None
            where that has no meaning.
        common_words: What it is then said to need, with ``{value}``.
        everyone: What "all" means for it, for pages.
        who: The same for the command line.
        whole: Whether only whole numbers make sense.
        largest: Whether the largest value is meant that is good enough.
        unlimited: What an unlimited value is like, where it may fall short of a rate.
        sampled: Whether a row's own sample may be what stops it.
        supplies: Which of "n" and "epsilon" it is, so that a row without any is no obstacle.
        of_target: Whether the target of a transfer study has it.
        no_curve: Why a federated study does not have it; empty where it has.
        refusal: From a basis, a row and a fraction: why it is no lever there; empty where it is.
        stops: How it stops mattering: "nearly" near its best rate, "exactly" by the rate
            equation's minimum and else nearly, or "never".
        further: For further sites of one kind in place of rows, what `common` is for all rows:
            from the lever, a basis, the kind and a fraction; None for a lever at rows.
    """

    name: str
    title: str
    words: str
    change: Callable[[Basis, Flags, Array, Server | None], Terms]
    solve: Callable[[Basis, float, Rows, Array], Solved] | None = None
    now: Callable[[Server], float] | None = None
    common: Callable[[Lever, Basis, float], Needed] | None = None
    common_words: str = ""
    everyone: str = "Every site"
    who: str = "every row"
    whole: bool = False
    largest: bool = False
    unlimited: str = "with an unlimited value"
    sampled: bool = False
    supplies: str = ""
    of_target: bool = True
    no_curve: str = ""
    refusal: Callable[[Basis, int, float], str] | None = None
    stops: Literal["nearly", "exactly", "never"] = "nearly"
    further: Callable[[Lever, Basis, Server, float], Needed] | None = None

    def fits(self, study: Study) -> bool:
        """Whether a study of this kind has it."""
        return isinstance(study, TransferStudy) or not self.no_curve

    def rows(self, study: Study) -> range:
        """The rows of a study that may have it."""
        fixed = isinstance(study, TransferStudy) and not self.of_target
        return range(int(fixed), len(study.servers))

    def today(self, server: Server) -> float:
        """Its value today at one of a row's sites."""
        return float(self.now(server) if self.now else getattr(server, self.name))

    def amount(self, value: float) -> str:
        """A value with the lever's name, as the command line says it."""
        if self.further:
            return f"{value:.6g} further {self.name}"
        return f"{self.name} {'<=' if self.largest else '='} {value:.6g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """The least value of one lever at which the rate falls to a fraction of today's.

    Attributes:
        lever: The name of one of `LEVERS`.
        site: The row, "all" for one common value, or the kind's name for further sites.
        fraction: The rate wanted, over today's.
        now: The lever's value today; nan for a common value of rows that differ.
        value: The value needed, a real number (for a signal exponent the largest that is good
            enough; for sites the number of further ones); nan where it is out of reach.
        whole: The value rounded up, for n, count and sites; None otherwise or above 1e15.
        reached: Whether some value reaches the rate.
        best: The rate at an unlimited lever over today's; 0 where nothing stops it.
        binds_now: Which branch of the row's term is smaller today.
        binds_after: The same at the value needed, or at an unlimited lever.
        share_after: The row's part of the equation there; nan where it is out of reach.
        method: "closed form" or "iteration".
        residual: Log of the left side at the wanted root with the value put in; 0 if exact.
        reason: Why it is out of reach, without a capital or full stop; empty where reached.
        unstated: The row whose missing delta is the reason; empty otherwise.
    """

    lever: str
    site: str
    fraction: float
    now: float
    value: float
    whole: int | None
    reached: bool
    best: float
    binds_now: Limit
    binds_after: Limit
    share_after: float
    method: str = CLOSED
    residual: float
    reason: str
    unstated: str = ""


def record(
    lever: Lever,
    site: str,
    fraction: float,
    *,
    value: float,
    reason: str = "",
    unstated: str = "",
    **found: Any,
) -> Needed:
    """Put one record together; a reason means that the rate is out of reach."""
    if unstated:
        reason = f"the noise at {unstated} needs a delta, which is not stated"
    if not reason and not math.isfinite(value):
        reason = "what would be needed is too large for a number"
    reached = not reason
    whole = None
    if reached and lever.whole and value < 1e15:
        whole = math.ceil(value * (1.0 - 1e-12))
    return Needed(
        lever=lever.name,
        site=site,
        fraction=fraction,
        value=value if reached else math.nan,
        whole=whole,
        reached=reached,
        reason=reason,
        unstated=unstated,
        **found,
    )


def short_of(best: float, fraction: float, what: str, because: str) -> str:
    """Say how far an unlimited lever gets, where that is not far enough."""
    if best >= 1.0 - _SAME:
        return f"nothing changes even {what}{because}"
    if best > 0.99:
        return f"even {what} the rate would fall by less than 1 %, not to {fraction:.2g} of today's"
    digits = next((d for d in range(2, 12) if f"{best:.{d}g}" != f"{fraction:.{d}g}"), 12)
    return (
        f"even {what} the rate would fall only to about {best:.{digits}g} of today's, "
        f"not {fraction:.{digits}g}"
    )
