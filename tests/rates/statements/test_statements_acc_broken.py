"""A deliberately broken engine turns verdicts of [ACC] red."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rates.numbers.implicit import Terms
from rates.pieces import Lines
from rates.statements.checks import find
from rates.statements.ledger import CONTRADICTED, evaluate, statements_of
from tests.depth import deep_after

LEDGER = [item for item in statements_of("ACC") if item.check is not None]
Patch = Callable[[pytest.MonkeyPatch], None]


def module(name: str) -> Any:
    """Return a module of the package."""
    return importlib.import_module(f"rates.{name}")


def red() -> set[str]:
    """The statements whose form that we use is refuted."""
    few = {item.id: min(find(str(item.check)).number, 500) for item in LEDGER}
    with np.errstate(all="ignore"):
        found = [evaluate(item, number=few[item.id]) for item in LEDGER]
    used = [e for e in found if not e.statement.simulated]
    return {e.statement.id for e in used if e.of(e.statement.used).words in CONTRADICTED}


def solver(
    change: Callable[[np.ndarray, np.ndarray], np.ndarray] = np.minimum, power: float = 0.0
) -> Callable[[Terms], np.ndarray]:
    """A slow solver of the balance equation, with another minimum or another exponent."""

    def solve(terms: Terms) -> np.ndarray:
        size, budget, slope, step, sample, private = terms.pieces()
        a, b = size + sample, 2 * (size + budget) + private
        low = np.full(terms.shape[:-1], -80.0)
        high = -low
        with np.errstate(all="ignore"):
            for _ in range(55):
                u = (low + high) / 2
                term = change(a, b + step * u[..., None]) + (slope + power) * u[..., None]
                above = np.logaddexp.reduce(np.broadcast_to(term, terms.shape), axis=-1) > 0
                low, high = np.where(above, low, u), np.where(above, u, high)
        return high

    return solve


def larger(size: np.ndarray, private: np.ndarray) -> np.ndarray:
    """The larger branch; without a budget there is one branch only."""
    return np.where(np.isposinf(private), size, np.maximum(size, private))


def swap(path: str, value: object) -> Patch:
    name, _, attribute = path.rpartition(".")
    return lambda patch: patch.setattr(module(name), attribute, value)


def with_lines(change: Callable[[dict[str, Any], Any], dict[str, Any]]) -> Patch:
    """The four terms with other lines, or joined in another way."""

    def patch_in(patch: pytest.MonkeyPatch) -> None:
        phases = module("maps.phases")
        right = phases.terms

        def wrong(*args: Any, **kw: Any) -> Lines:
            found = right(*args, **kw)
            return replace(found, **change(dict(found.lines), kw["d"]))

        for name in ("maps.phases", "maps.public", "maps.table_one"):
            patch.setattr(module(name), "terms", wrong)

    return patch_in


def greedy_sides(lines: dict[str, Any], d: Any) -> dict[str, Any]:
    """The larger of the two sides in place of the smaller."""
    return {"tree": ("min", (0, ("max", (("max", (1, 2)), ("max", (3, 4))))))}


def terms_off(lines: dict[str, Any], d: Any) -> dict[str, Any]:
    """Remark 3.2's printed exponent of NPs."""
    slope, level = lines["NPs"]
    twice = -2.0 / lines["Ps"][0]  # beta gamma + d
    return {"lines": lines | {"NPs": (slope, level * (twice - d) / twice)}}


def printed_threshold(patch: pytest.MonkeyPatch) -> None:
    """The printed denominator of eps21."""
    phases = module("maps.phases")
    right = phases.log_ends

    def wrong(found: Lines) -> dict[str, Any]:
        return right(found) | {"eps21": phases.log_printed_eps21(found)}

    for name in ("maps.phases", "maps.table_one"):
        patch.setattr(module(name), "log_ends", wrong)


def printed_row_one(patch: pytest.MonkeyPatch) -> None:
    """The corrected table with row 1 as printed, reading B."""
    table = module("maps.table_one")
    right = table.table_codes

    def codes(found: Lines, x: np.ndarray, reading: str, printed_eps21: bool) -> np.ndarray:
        out = right(found, x, reading, printed_eps21)
        weak = found.lines["Ps"][0] > found.lines["Pt"][0]  # gamma above 1
        return np.where(weak, out, right(found, x, "B", printed_eps21))

    patch.setattr(table, "table_codes", codes)


def printed_public(patch: pytest.MonkeyPatch) -> None:
    """Corollary 3.3's thresholds as printed."""
    public = module("maps.public")
    right = public.public_regimes

    class Printed:
        def __init__(self, found: Any) -> None:
            self.printed = self.thresholds = found.printed

    patch.setattr(public, "public_regimes", lambda *args, **kw: Printed(right(*args, **kw)))


def without_public(patch: pytest.MonkeyPatch) -> None:
    """Corollary 3.3's sum without server 1."""
    public = module("maps.public")
    right = public.public_source

    def lost(n0: Any, n1: Any, n2: Any, epsilon: Any, **shape: Any) -> Any:
        return right(n0, 0 * np.asarray(n1), n2, epsilon, **shape)

    patch.setattr(public, "public_source", lost)


def printed_noise(patch: pytest.MonkeyPatch) -> None:
    noise = module("numbers.gaussian")
    patch.setattr(
        noise, "analytic_multiplier", lambda e, delta: noise.printed_multiplier(e, delta, 2.0)
    )


def half_noise(patch: pytest.MonkeyPatch) -> None:
    noise = module("numbers.gaussian")
    right = noise.printed_multiplier
    patch.setattr(noise, "printed_multiplier", lambda *args: right(*args) / 2)


def flipped_breakdown(patch: pytest.MonkeyPatch) -> None:
    records = module("answer.records")
    right = records.breakdown
    patch.setattr(records, "breakdown", lambda terms, u, sign, *rest: right(terms, u, -sign, *rest))


def late_root(patch: pytest.MonkeyPatch) -> None:
    transfer = module("answer.transfer")
    right = transfer.solve_log
    patch.setattr(transfer, "solve_log", lambda terms: right(terms) + 1e-6)


def double(patch: pytest.MonkeyPatch) -> None:
    needs = module("plan.needs")
    right = needs.smallest
    patch.setattr(needs, "smallest", lambda *args, **kw: 2 * right(*args, **kw))


def always_private(patch: pytest.MonkeyPatch) -> None:
    answers = module("answer.records")
    right = answers.at_root

    def tied(terms: Terms, u: float) -> tuple[np.ndarray, np.ndarray]:
        level, gap = right(terms, u)
        return level, np.zeros_like(gap)

    patch.setattr(answers, "at_root", tied)


BROKEN: dict[str, tuple[Patch, set[str]]] = {
    "the larger of size and privacy in (5)": (
        swap("answer.transfer.solve_log", solver(larger)),
        {"ACC:Eq5", "ACC:Thm3.1:algebra", "ACC:Rem3.1", "ACC:Eq5:bracket", "ACC:Cor3.3:case-1"},
    ),
    "2 beta gamma + d + 1/2 in (5)": (
        swap("answer.transfer.solve_log", solver(power=0.5)),
        {"ACC:Eq5", "ACC:Eq5:solo", "ACC:Eq11", "ACC:Eq6", "ACC:Eq12:snr", "ACC:Thm4.3:balance"},
    ),
    "a root off by 1e-6": (late_root, {"ACC:Eq5", "ACC:Rem3.1", "ACC:Eq11"}),
    "the larger of the two sides in (4)": (
        with_lines(greedy_sides),
        {"ACC:Eq4:governing", "ACC:Sec1:not-contiguous", "ACC:Cor3.2:two-budgets"},
    ),
    "Remark 3.2's exponent in (4)": (
        with_lines(terms_off),
        {"ACC:Eq4:terms", "ACC:Eq4", "ACC:Rem3.2:source-rate", "ACC:Eq4:governing"},
    ),
    "the printed eps21": (
        printed_threshold,
        {
            "ACC:Cor3.2:eps21",
            "ACC:Cor3.2:eps21-before-eps3",
            "ACC:Cor3.2:eps11-and-eps21",
            "ACC:Table1:row-2:column-3",
            "ACC:Table1:corrected",
        },
    ),
    "Table 1's printed first row": (
        printed_row_one,
        {"ACC:Table1:row-1:column-3:B", "ACC:Table1:gamma-one", "ACC:Table1:corrected"},
    ),
    "Corollary 3.3's printed thresholds": (
        printed_public,
        {"ACC:Cor3.3:case-2:free", "ACC:Cor3.3:case-3:threshold"},
    ),
    "no public source in Corollary 3.3": (without_public, {"ACC:Cor3.3:all-cases"}),
    "the printed noise for the exact one": (printed_noise, {"ACC:Prop4.1"}),
    "half of the printed noise": (half_noise, {"ACC:Prop4.1:small-budgets", "ACC:Eq16"}),
    "elasticities of the wrong sign": (
        flipped_breakdown,
        {"ACC:Eq5:elasticity-n", "ACC:Eq5:elasticity-epsilon"},
    ),
    "twice the size that is needed": (
        double,
        {"ACC:Eq5:smallest-n", "ACC:Eq5:smallest-epsilon", "ACC:Eq5:smallest-common-epsilon"},
    ),
    "a fixed status": (
        always_private,
        {"ACC:Eq5:status"},
    ),
}


@pytest.mark.deep  # in the quick run its verdicts are the stored ones
def test_the_engine_as_it_is_turns_none_red():
    assert red() == set()


@pytest.mark.parametrize("name", deep_after(1, list(BROKEN)))
def test_a_broken_engine_turns_verdicts_red(name: str, monkeypatch: pytest.MonkeyPatch):
    breaks, named = BROKEN[name]
    breaks(monkeypatch)
    found = red()
    assert named <= found, named - found
    assert len(found) < len(LEDGER) / 2  # the other checks do not rest on what is broken
