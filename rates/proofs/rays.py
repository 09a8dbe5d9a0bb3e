r"""Paths of sizes along which two forms with logarithms drift apart, found and checked exactly.

Along log2 x = d s + e log2 s + o a product of powers is, up to a constant, 2^{as} s^k: a from
the d of its letters, k from their e and from the logarithms that grow. So two forms drift apart
if these pairs differ, compared first by a and then by k, and a condition holds in the end if its
pair is below 0. For each set of logarithms that grow, with log x read as s, a linear program in d
and e looks for such a path; what is found is then checked in fractions.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from rates.pieces import Call, Form, Leaf, choose
from rates.proofs import exact
from rates.proofs.search import Problem

Array = NDArray[np.float64]
Calls = Mapping[str, tuple[Call, Leaf]]
Rate = tuple[Fraction, Fraction, Fraction]  # powers of an exponential, of 2^s and of s

_FAR = Fraction(10**6)  # a power of s beyond those that matter: it grows with 2^s
_STILL = (Fraction(0), Fraction(0), Fraction(0))
_STEPS = (6, 7, 8, 9, 12, 16, 20, 24)  # s is 2 to these, at which the ratio is told
_MOST = 2**13  # largest log to base 2 of a size that is told
_SURE = 1e-9
_PARTS = 720  # largest denominator in a path


@dataclass(frozen=True, slots=True)
class Ray:
    """A path of sizes: x = 2^(d s + o) s^e.

    Attributes:
        powers: Of each letter its d, e and o.
        growth: Some s, and the log of the ratio of both sides there.
        sizes: The sizes at one such s, at which the conditions hold and the sides differ.
    """

    powers: dict[str, tuple[Fraction, Fraction, Fraction]]
    growth: tuple[tuple[int, float], ...]
    sizes: dict[str, Fraction]

    def __str__(self) -> str:
        return ", ".join(f"{x} = {_path(*powers)}" for x, powers in self.powers.items())


def _path(d: Fraction, e: Fraction, o: Fraction) -> str:
    if not d and not e:
        return str(Fraction(2) ** o) if o.denominator == 1 else f"2^({o})"
    front = "" if not d else "s" if d == 1 else "-s" if d == -1 else f"{d}*s"
    power = front + (("+" if o > 0 and front else "") + str(o) if o else "")
    parts = [f"2^{power}" if power.isalnum() else f"2^({power})"] if power else []
    if e:
        parts.append("s" if e == 1 else f"s^{e}" if e.denominator == 1 and e > 0 else f"s^({e})")
    return "*".join(parts)


def ray(first: Form, second: Form, where: Sequence[Leaf], calls: Calls) -> Ray | None:
    """Return a path along which two forms drift apart where conditions hold; None if none is found.

    Args:
        first: One form, in letters and in those that stand for functions.
        second: The other.
        where: Lines that are at most 1.
        calls: Of each letter that stands for a function that function and its line.
    """
    logs = [name for name, (call, _) in calls.items() if call.name == "log"]
    exps = [name for name, (call, _) in calls.items() if call.name != "log"]
    for large in ("", *exps):
        for count in range(len(logs) + 1):
            for grown in itertools.combinations(logs, count):
                found = _Pattern((first, second), where, calls, set(grown), large).ray()
                if found is not None:
                    return found
    return None


@dataclass
class _Pattern:
    """Paths along which some logarithms grow, and at most one exponential, the others do not."""

    forms: tuple[Form, Form]
    where: Sequence[Leaf]
    calls: Calls
    grown: set[str]
    large: str

    def __post_init__(self) -> None:
        self.letters = [x for x in self.forms[0].letters if x not in self.calls]
        self.lines = {name: self.read(inner) for name, (_, inner) in self.calls.items()}

    def read(self, leaf: Leaf) -> Leaf:
        """Return a line without numbers, s for each logarithm that grows, as powers of 2."""
        out, s = Leaf(leaf.label), Fraction(0)
        for letter, power in leaf.powers:
            if letter in self.grown:
                s += power
            elif letter == self.large or letter not in self.calls:
                out = out.times(Leaf("", ((letter, power),)))
            elif self.calls[letter][0].name != "log":  # a small one is as its argument
                out = out.times(self.lines[letter].each(power.__mul__))
        return out.times(Leaf("", (), ((Fraction(2), s),))) if s else out

    def held(self) -> list[Leaf]:
        """Return all conditions: those given, and which arguments grow."""
        out = [self.read(leaf) for leaf in self.where]
        for name, line in self.lines.items():
            if name in self.grown or name == self.large:
                out.append(line.each(lambda p: -p).times(Leaf("", (), ((Fraction(2), _FAR),))))
            else:
                out.append(line)
        if self.large:  # it grows faster than every power of its argument
            line = self.lines[self.large].each(lambda p: p * _FAR)
            out.append(line.over(Leaf("", ((self.large, Fraction(1)),))))
        return out

    def ray(self) -> Ray | None:
        """Return a path, None if none is found."""
        first, second = (
            Form(f.letters, tuple(map(self.read, f.leaves)), f.tree) for f in self.forms
        )
        problem = Problem(first, second, self.held())
        if problem.contradiction() is not None:
            return None
        for above, below in ((problem.first, problem.second), (problem.second, problem.first)):
            gap = problem.gap(above, below)
            if gap.case is not None:
                size = (
                    None if gap.size is None else exact.log(gap.size, problem.basis) / math.log(2.0)
                )
                for d, e in self.paths(problem, gap.case, size):
                    if (found := self.checked(d, e)) is not None:
                        return found
        return None

    def paths(
        self, problem: Problem, case: Any, size: float | None
    ) -> Iterator[tuple[dict[str, Fraction], dict[str, Fraction]]]:
        """Yield directions and places that solve a case, as fractions near those of a program."""
        letters = problem.letters
        form = Form(letters, tuple(problem.lines), 0)
        slopes, levels = form.powers, form.constants / math.log(2.0)
        pairs = list(itertools.product(*map(sorted, case[:2])))
        rise = np.array([slopes[a] - slopes[b] for a, b in pairs]).reshape(-1, len(letters))
        gain = np.array([levels[a] - levels[b] for a, b in pairs])
        kept = list(problem.where)
        growing = [self.lines[x] for x in (*self.grown, *filter(None, [self.large]))]
        active = Form(letters, tuple(growing), 0).powers.reshape(-1, len(letters))
        for apart in (1.0, 0.0):  # by 2^s, or by a power of s alone
            rows = np.vstack([-rise, slopes[kept], -active])
            ends = np.concatenate(
                [np.full(len(pairs), -apart), np.zeros(len(kept)), -np.ones(len(active))]
            )
            way = _shortest(rows, ends)
            if way is None:
                continue
            place: Array | None = np.zeros(len(letters))
            if not apart:
                # Conditions that the direction leaves in the inside hold in the end.
                tight = [k for k in kept if slopes[k] @ way > -_SURE]
                close = rise @ way < _SURE
                margin = 1.0 if size is None else min(1.0, size / 2.0)
                place = _shortest(
                    np.vstack([-rise[close], slopes[tight]]),
                    np.concatenate([gain[close] - margin, -levels[tight]]),
                )
            if place is not None:
                yield _fractions(letters, way), _fractions(letters, place)

    # -- exactly ----------------------------------------------------------------------------
    def checked(self, d: Mapping[str, Fraction], e: Mapping[str, Fraction]) -> Ray | None:
        """Return the path if it is one, with numbers in front that meet conditions."""
        whole = math.lcm(*(x.denominator for x in d.values()))
        d = {letter: x * whole for letter, x in d.items()}
        for name, line in self.lines.items():
            rate = self.rate(line, d, e)
            if rate[1] <= 0 if name in self.grown or name == self.large else rate > _STILL:
                return None
        first, second = (self.decides(form, d, e) for form in self.forms)
        if first == second:
            return None
        rates = [self.rate(self.read(leaf), d, e) for leaf in self.where]
        if any(rate > _STILL for rate in rates):
            return None
        tied = [leaf for leaf, rate in zip(self.where, rates, strict=True) if rate == _STILL]
        offsets = self.offsets(tied, d)
        if offsets is None:
            return None
        powers = {
            x: (d.get(x, Fraction(0)), e.get(x, Fraction(0)), offsets.get(x, Fraction(0)))
            for x in self.letters
        }
        return self.told(powers)

    def rate(self, line: Leaf, d: Mapping[str, Fraction], e: Mapping[str, Fraction]) -> Rate:
        """Return how a line that was read grows."""
        zero = Fraction(0)
        up = sum((p * d.get(x, zero) for x, p in line.powers if x != self.large), zero)
        s = sum((p * e.get(x, zero) for x, p in line.powers if x != self.large), zero)
        return line.power_of(self.large) + zero, up, s + sum((p for _, p in line.factors), zero)

    def decides(self, form: Form, d: Mapping[str, Fraction], e: Mapping[str, Fraction]) -> Rate:
        """Return how a form grows."""
        rates = [self.rate(self.read(leaf), d, e) for leaf in form.leaves]

        def of(tree: Any) -> Rate:
            if isinstance(tree, int):
                return rates[tree]
            return (min if tree[0] == "min" else max)(map(of, tree[1]))

        return of(form.tree)

    def offsets(
        self, tied: Sequence[Leaf], d: Mapping[str, Fraction]
    ) -> dict[str, Fraction] | None:
        """Return whole powers of two in front of the letters under which ties hold."""
        if not tied:
            return {}
        table = [[float(dict(leaf.powers).get(x, 0)) for x in self.letters] for leaf in tied]
        right = [-sum(float(p) * math.log2(b) for b, p in leaf.factors) for leaf in tied]
        for k, leaf in enumerate(tied):
            for name, power in leaf.powers:
                if name in self.grown:  # log x is near log 2 times d s
                    near = math.log(2.0) * self.rate(self.lines[name], d, {})[1]
                    right[k] -= float(power) * math.log2(near)
        count = len(self.letters)
        signed = np.hstack([np.array(table), -np.array(table)])
        found = milp(
            np.ones(2 * count),
            constraints=[LinearConstraint(signed, -np.inf, np.array(right) + 1e-12)],
            bounds=Bounds(0.0, 64.0),
            integrality=np.ones(2 * count),
            options={"node_limit": 200},
        )
        if found.x is None:
            return None
        whole = np.rint(found.x[:count] - found.x[count:]).astype(int).tolist()
        return dict(zip(self.letters, map(Fraction, whole), strict=True))

    # -- sizes ------------------------------------------------------------------------------
    def told(self, powers: dict[str, tuple[Fraction, Fraction, Fraction]]) -> Ray | None:
        """Return the path with sizes and ratios, if the conditions hold at all that are told."""
        parts = math.lcm(*(e.denominator for _, e, _ in powers.values()))
        growth: list[tuple[int, float]] = []
        sizes: dict[str, Fraction] = {}
        for step in _STEPS:
            k = -(-step // parts) * parts  # s is 2^k, so that each size is a power of 2
            twos = {x: d * 2**k + e * k + o for x, (d, e, o) in powers.items()}
            logs = {x: float(two) * math.log(2.0) for x, two in twos.items()}
            at = _with_calls(self.calls, logs)
            if not all(self.met(leaf, twos, at) for leaf in self.where):
                growth, sizes = [], {}
                continue
            one, two = (_value(form, at) for form in self.forms)
            if math.isfinite(one - two):
                growth.append((2**k, one - two))
            small = all(x.denominator == 1 and abs(x) <= _MOST for x in twos.values())
            if small and (k <= 9 if sizes else one != two):
                sizes = {x: Fraction(2) ** int(two) for x, two in twos.items()}
        growth = list(dict(growth).items())
        if not sizes or len(growth) < 2 or abs(growth[-1][1]) <= abs(growth[0][1]):
            return None
        return Ray(powers, tuple(growth), sizes)

    def met(self, leaf: Leaf, twos: Mapping[str, Fraction], at: Mapping[str, Any]) -> bool:
        """Say whether a condition holds at powers of two; without functions exactly."""
        if leaf.letters & self.calls.keys():
            slack = _SURE + 1e-12 * max(map(abs, at.values()), default=0.0)
            return float(leaf.log(at)) <= slack
        power = sum((p * twos[x] for x, p in leaf.powers), Fraction(0))
        return exact.sign_of([*leaf.factors, (Fraction(2), power)]) <= 0


def _with_calls(calls: Calls, logs: Mapping[str, float]) -> dict[str, Any]:
    """Return logs of letters, and of what stands for functions."""
    return {**logs, **{name: call.log(logs) for name, (call, _) in calls.items()}}


def _value(form: Form, at: Mapping[str, Any]) -> float:
    logs = np.array([float(leaf.log(at)) for leaf in form.leaves])
    return float(choose(form.tree, logs)[0])


def _shortest(rows: Array, ends: Array) -> Array | None:
    """Return a point under rows with the least sum of sizes, None if there is none."""
    count = rows.shape[1]
    found = linprog(
        np.ones(2 * count),
        A_ub=np.hstack([rows, -rows]),
        b_ub=ends,
        bounds=(0.0, None),
        method="highs",
    )
    return None if found.x is None else found.x[:count] - found.x[count:]


def _fractions(letters: Sequence[str], point: Array) -> dict[str, Fraction]:
    near = (Fraction(float(x)).limit_denominator(_PARTS) for x in point)
    return dict(zip(letters, near, strict=True))
