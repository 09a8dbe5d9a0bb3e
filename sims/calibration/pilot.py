r"""A rough constant from a pilot: how its errors fall when fewer of its records are used.

The kernel classifier of `rates.calibrated` without noise is trained on ever fewer records of the
pilot and tested on others. With e the unknown error of the best rule,

.. math:: \text{error}(n) = e + C\, \text{rate}(n),

so C is the slope of a line. It is not private. It says nothing about noise: that the same C holds
with privacy was seen in the worlds of `sims.calibration.worlds`, within about 20%, and is assumed
here.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from rates.answer import calibrated
from rates.fit import read_pilot
from rates.study import Scope, Server, TransferStudy
from sims.calibration import calibration as fits
from sims.engine import SEED, Array, Fitted, generators, quantile

GROUPS = 10  # disjoint groups of records, from which the interval comes
REPEATS = 6  # random halvings of each group
SIZES = 12  # of the training part, each smaller than the one before by sqrt(2)
LEAST = 4  # sizes in a fit
MOST = 500  # records trained on
WIDEST = 0.5  # bandwidth from which the classifier is saturated
BEND = 1.2  # widens the interval: so few records bend the line, by 14% on the cusp, d = 1
LOOSEST = 4.0  # most quotient of the interval's ends


def calibrate_pilot(
    study: TransferStudy, data: str | bytes, *, scope: Scope | None = None, seed: int = 0
) -> fits.Calibration:
    """Fit the constant to a pilot, for the study's own smoothness and margin, or refuse.

    The interval comes from ten disjoint groups of the pilot's records, fitted each by itself,
    widened by 20% for the bend of the curve at so few records.

    Args:
        study: Its smoothness, margin and number of covariates are those of the rate.
        data: CSV as `rates.fit.elicit.read_pilot` takes it.
        scope: What has been answered; an assumption that fails is a refusal.
        seed: Of the splits.

    Raises:
        DomainError: The text is no such table, has fewer than 50 records, or one class only.

    Source: our own; [ACC] eqs. (13), (14) for the classifier.
    """
    seed = int(SEED.check(seed))
    _, x, y = read_pilot(data)
    yardstick = fits.Yardstick(
        kind="classification",
        smoothness=study.smoothness,
        dimension=study.dimension,
        margin=study.margin,
    )
    base = fits.Calibration(
        yardstick=yardstick,
        world=f"what our pilot of {len(y):,} records shows",
        method="halving disjoint groups",
        seed=seed,
        replicates=GROUPS,
        pilot=True,
        note=(
            "Fitted without noise; that the same constant holds with privacy and for other sites "
            "with signal exponent 1 is assumed, and so are smoothness and margin. Not private. "
            f"{fits.stated(study)[1]}"
        ).strip(),
    )
    if refusal := _outside(study, x.shape[1], scope or Scope()):
        return replace(base, refusal=refusal)
    rates, widths, sizes = _settings(yardstick, len(y))
    rng = next(generators(seed, "pilot", indices=range(1)))
    groups = np.array_split(rng.permutation(len(y)), GROUPS)
    errors = np.array([_errors(x[g], y[g], widths, sizes, rng) for g in groups])
    return _fitted(base, rates, widths, sizes, errors)


def _outside(study: TransferStudy, covariates: int, scope: Scope) -> str:
    if refusal := fits.outside_theory(study, scope):
        return refusal
    if covariates != study.dimension:
        return f"The pilot has {covariates} covariates, the study {study.dimension}."
    return ""


def _settings(yardstick: fits.Yardstick, records: int) -> tuple[Array, Array, list[int]]:
    """Return rate, bandwidth and records of every training size, the largest first."""
    top = min(records // GROUPS // 2, MOST)
    sizes = [max(2, round(top / 2 ** (k / 2))) for k in range(SIZES)]
    alone = [yardstick.study((Server(name="pilot", n=n, epsilon=math.inf),)) for n in sizes]
    answers = [calibrated(study, kappa=fits.KAPPA) for study in alone]
    widths = [a.bandwidth or 1.0 for a in answers]
    return np.array([a.rate_uncapped for a in answers]), np.array(widths), sizes


def _errors(x: Array, y: Array, widths: Array, sizes: list[int], rng: np.random.Generator) -> Array:
    """Return the share of errors at every size, each half of a group trained, the other tested."""
    sign, out = np.where(y > 0.5, 1.0, -1.0), []
    for _ in range(REPEATS):
        order = rng.permutation(len(y))
        first, second = order[: len(y) // 2], order[len(y) // 2 :]
        for train, test in ((first, second), (second, first)):
            gaps = [np.abs(c[test][:, None] - c[train][None, :]) for c in x.T]
            out.append(
                [
                    _share(gaps, sign[train], sign[test], h, n)
                    for h, n in zip(widths.tolist(), sizes, strict=True)
                ]
            )
    return np.asarray(np.mean(out, axis=0))


def _share(gaps: list[Array], train: Array, test: Array, width: float, n: int) -> float:
    """Return the share of errors with n records, over disjoint training sets; ties are half."""
    if width >= WIDEST:
        return math.nan
    parts = len(train) // n
    used = parts * n
    weight = np.broadcast_to(train[None, :used], (len(test), used)).copy()
    for gap in gaps:
        weight *= np.maximum(1.0 - gap[:, :used] / width, 0.0)
    score = test[:, None] * weight.reshape(len(test), parts, n).sum(axis=2)
    return float(np.mean(score < 0) + 0.5 * np.mean(score == 0))


def _fitted(
    base: fits.Calibration, rates: Array, widths: Array, sizes: list[int], errors: Array
) -> fits.Calibration:
    used = widths < WIDEST
    if used.sum() >= 2:
        best, slopes = _lines(rates[used], errors[:, used])
    else:
        best, slopes = (float(errors.mean()), math.nan), np.full(len(errors), math.nan)
    settings = tuple(
        fits.Tried(
            records=float(n),
            budget=math.inf,
            rate=float(rate),
            risk=max(float(column.mean()) - best[0], 1e-9) if kept else math.nan,
            stderr=float(column.std(ddof=1)) / math.sqrt(len(column)) if kept else math.nan,
            left_out="" if kept else "saturated: the bandwidth reaches half of the range",
        )
        for n, rate, column, kept in zip(sizes, rates, errors.T, used, strict=True)
    )
    base = replace(base, settings=settings)
    if used.sum() < LEAST or rates[used].max() < fits.SPREAD * rates[used].min():
        text = f"Too few points: {used.sum()} of {SIZES} training sizes can be used; the pilot is "
        return replace(base, refusal=f"{text}too small, or too many covariates spread it out.")
    error = float(slopes.std(ddof=1)) / math.sqrt(len(slopes))
    half = quantile(len(slopes)) * error
    low, high = (best[1] - half) / BEND, (best[1] + half) * BEND
    constant = Fitted(value=best[1], stderr=error, low=low, high=high, misfit=math.nan)
    base = replace(
        base, constant=constant, rates=(float(rates[used].min()), float(rates[used].max()))
    )
    if not low > 0.0 or high > LOOSEST * low:
        return replace(
            base,
            refusal=f"The pilot does not settle the constant: 95% {low:.3g} to {high:.3g}; the "
            f"upper end may be at most {LOOSEST:g} times the lower.",
        )
    width = max(math.log(high / best[1]), math.log(best[1] / low))
    return replace(base, scatter=0.0, width=width)


def _lines(rates: Array, errors: Array) -> tuple[tuple[float, float], Array]:
    """Return intercept and slope of the mean curve on the rate, and the slope of each split."""
    centred = rates - rates.mean()
    slopes = errors @ centred / float(centred @ centred)
    mean = errors.mean(axis=0)
    slope = float(mean @ centred / (centred @ centred))
    return (float(mean.mean()) - slope * float(rates.mean()), slope), np.asarray(slopes)
