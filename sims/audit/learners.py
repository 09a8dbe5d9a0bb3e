"""Audited releases of [DPLR], [BCMM] and [KS]: site statistics, descents, choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from rates.adaptation import AdaptationDesign
from sims import bcmm, dplr, ks
from sims.audit.setup import RECORDS, Setup, always
from sims.engine import Account, Array, Release, account

RULES = 20
Made = Callable[[float, float], Setup]


def site(kind: Literal["gaussian", "laplace"]) -> Made:
    """Audit a site's statistics; the pair of records is the worst of some extreme ones."""

    def made(epsilon: float, delta: float) -> Setup:
        how = dplr.Release(kind=kind, epsilon=epsilon, delta=delta)
        radius = how.clip * 2.0**0.5
        x, y = np.zeros((RECORDS, 2)), np.zeros(RECORDS)

        def run(rng: np.random.Generator) -> object:
            return dplr.release.release(x, y, how, rng)

        def value(first: Array, label: float) -> Array:
            rows, labels = x.copy(), y.copy()
            rows[0], labels[0] = first, label
            seen: list[Array] = []

            def keep(entry: Release, clean: Array) -> Array:
                seen.append(clean)
                return np.zeros_like(clean)

            with account(Account(change=keep)):
                dplr.release.release(rows, labels, how, np.random.default_rng(0))
            return seen[0]

        turns = np.linspace(0.0, 2.0 * np.pi, 33)
        ends = [radius * np.array([np.cos(t), np.sin(t)]) for t in turns]
        values = [value(first, label) for first in ends for label in (0.0, 1.0)]
        order = 1 if kind == "laplace" else 2
        changes = [b - a for a in values for b in values]
        change = max(changes, key=lambda c: float(np.linalg.norm(c, order)))
        if kind == "gaussian":
            return Setup(run=run, change=always(change), delta=delta)
        return Setup(
            run=run,
            change=always(change),
            # The logarithm of the likelihood ratio of Laplace noise.
            reading=lambda entry, out: float((np.abs(out) - np.abs(out - change)).sum()),
            delta=0.0,
        )

    return made


def descent(loss: Literal["squared", "logistic"]) -> Made:
    """Audit noisy descent; in every step the replaced record pushes the gradient one way."""

    def made(epsilon: float, delta: float) -> Setup:
        design = AdaptationDesign(
            public=RECORDS, private=RECORDS, dimension=2, epsilon=epsilon, delta=delta, loss=loss
        )
        world = bcmm.data.World(dimension=2, loss=loss)
        pair = bcmm.data.world_pair(world, RECORDS, RECORDS, 0, 0)

        def change(entry: Release, clean: Array) -> Array:
            out = np.zeros_like(clean)
            # Two gradients of the largest length point against each other, in a mean of n.
            out[..., 0] = 2.0 * design.lipschitz / RECORDS
            return out

        return Setup(
            run=lambda rng: bcmm.algorithms.fit("descent", [pair], design, [rng], steps=1),
            change=change,
            delta=delta,
        )

    return made


def rule(learner: str) -> Made:
    """Audit a choice among rules: one record was right for one of them and wrong for the rest."""

    def made(epsilon: float, delta: float) -> Setup:
        errors, change = np.full(RULES, 0.5), np.full(RULES, -1.0 / RECORDS)
        change[0] = 1.0 / RECORDS
        return Setup(
            run=lambda rng: ks.reweighting.learn(learner, errors, RECORDS, epsilon, rng),
            change=always(change),
            reading=lambda entry, out: float(out[0] == 0),
            delta=0.0,
        )

    return made
