"""Named studies, each with its story and where its numbers come from."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rates.study.scenario import FederatedStudy, Server, Study, TransferStudy
from rates.study.scope import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A named study.

    Attributes:
        key: Stable name, for links and tests.
        title: What a list shows.
        story: Two sentences: the situation, and what to look at.
        provenance: Which numbers come from where, and which are ours.
        study: The study.
        scope: What is known of it besides its sites.
    """

    key: str
    title: str
    story: str
    provenance: str
    study: Study
    scope: Scope = field(default_factory=Scope)


Row = tuple[Any, ...]  # name, n, epsilon, delta, and where they are not 1 gamma and count
# What a planner says of a classifier with two covariates whose sites protect their own records.
_TOLD = {
    "outcome": "binary",
    "covariates": "few",
    "target": "one",
    "same_side": "yes",
    "prevalence": "same",
    "records": "one",
    "overlap": "no",
    "estimand": "no",
    "protection": "sites",
}


def _servers(rows: Iterable[Row]) -> tuple[Server, ...]:
    fields = ("name", "n", "epsilon", "delta", "signal_exponent", "count")
    return tuple(Server(**dict(zip(fields, row, strict=False))) for row in rows)


def _classifier(target: Row, *sources: Row, smoothness: float) -> TransferStudy:
    first, *others = _servers((target, *sources))
    return TransferStudy(
        target=first, sources=tuple(others), smoothness=smoothness, dimension=2, margin=1
    )


def _curve(*rows: Row, smoothness: float, integrability: float = math.inf) -> FederatedStudy:
    return FederatedStudy(
        servers=_servers(rows), smoothness=smoothness, integrability=integrability
    )


_SURGERY = dict(  # operations in each hospital
    zip("ABCDEFGHIJKL", (47, 148, 119, 810, 211, 196, 148, 215, 207, 97, 256, 360), strict=True)
)
PRESETS = (
    Preset(
        key="regional",
        title="A hospital, four neighbours",
        story=(
            "A regional hospital wants to foresee one complication from two measurements, and "
            "four neighbours help under strict budgets. Everything asked is answered, and a "
            "theory covers the study."
        ),
        provenance="All numbers are ours.",
        study=_classifier(
            ("Regional", 800, 0.3, 1e-7),
            ("University", 9_000, 0.1, 1e-7, 0.9),
            ("Nord", 3_000, 0.1, 1e-7, 0.9),
            ("South", 1_200, 0.1, 1e-7, 0.9),
            ("Coast", 500, 0.2, 1e-7, 0.9),
            smoothness=0.75,
        ),
        scope=Scope(answers=tuple(_TOLD.items())),
    ),
    Preset(
        key="hospitals",
        title="Four heart-disease hospitals",
        story=(
            "Hungary wants a risk classifier and can learn from three other hospitals. But in "
            "Hungary 36% of the patients are ill and in Switzerland 93%, so that patients who "
            "look alike cannot be on the same side of 50% everywhere: no theory here covers "
            "that. Taken as if it did, the rate equation and the named mechanism disagree by a "
            "factor above three on what privacy costs."
        ),
        provenance=(
            "Sample sizes from the heart-disease experiment of [ACC] Section 6. Budgets, "
            "deltas, smoothness, margin and signal exponents are ours, for illustration. In the "
            "four files the share with heart disease runs from 36% (Hungary) to 93% "
            "(Switzerland)."
        ),
        study=_classifier(
            ("Hungary", 142, 1, 1e-6),
            ("Cleveland", 303, 1, 1e-6, 0.8),
            ("Long Beach", 141, 1, 1e-6, 0.8),
            ("Switzerland", 116, 1, 1e-6, 0.8),
            smoothness=0.5,
        ),
        scope=Scope(
            answers=tuple({**_TOLD, "prevalence": "differs"}.items()), prevalence=(0.36, 0.93)
        ).with_answer("same_side", None),
    ),
    Preset(
        key="figure1",
        title="Figure 1 of ACC",
        story=(
            "A target and 50 identical sources under one common budget. Change epsilon and "
            "watch the decisive term pass from the sources to the target and back."
        ),
        provenance=(
            "Smoothness 0.25 and dimension 2 as in [ACC] Section 6. The paper does not state "
            "n, m and n0 for its Figure 1: 2,000, 50 and 10,000 are ours, as is gamma 1.2."
        ),
        study=_classifier(
            ("Target", 10_000, 0.2, 1e-8), ("Sources", 2_000, 0.2, 1e-8, 1.2, 50), smoothness=0.25
        ),
    ),
    Preset(
        key="unequal",
        title="Five unequal hospitals",
        story=(
            "One dose-response curve, seen by all. Large sites insist on strict budgets, small "
            "ones are generous. See who carries the curve and what binds each site."
        ),
        provenance="All numbers are ours.",
        study=_curve(
            ("University clinic", 20_000, 0.2, 1e-7),
            ("City hospital", 8_000, 0.5, 1e-7),
            ("County hospital", 2_500, 1.0, 1e-6),
            ("Day clinic", 900, 2.0, 1e-6),
            ("Practice network", 300, 4.0, 1e-6),
            smoothness=1.5,
            integrability=4,
        ),
    ),
    Preset(
        key="dominating",
        title="One dominating server",
        story=(
            "One registry and a hundred small practices. By condition (9) the registry alone "
            "sets the rate; the practices do not change it beyond a constant."
        ),
        provenance="Situation of [CCV] Corollary 4; the numbers are ours.",
        study=_curve(
            ("Registry", 200_000, 1, 1e-8), ("Practices", 100, 1, 1e-7, 1, 100), smoothness=2
        ),
    ),
    Preset(
        key="phones",
        title="A million phones, local privacy",
        story=(
            "Every phone holds one record and protects it itself. Nobody has to be trusted, "
            "and the rate is that of a far smaller central study."
        ),
        provenance="n_j = 1 is local privacy in [CCV]; the numbers are ours.",
        study=_curve(("Phones", 1, 1, 1e-9, 1, 10**6), smoothness=1),
    ),
    Preset(
        key="unprotected",
        title="One unprotected source",
        story=(
            "A small unprotected source stands beside a protected target and a large protected "
            "source. Lower the common budget and see when the unprotected records take over."
        ),
        provenance="Situation of [ACC] Corollary 3.3; the numbers are ours.",
        study=_classifier(
            ("Target", 1_000, 0.05, 1e-7),
            ("Unprotected source", 500, math.inf),
            ("Protected source", 20_000, 0.05, 1e-7),
            smoothness=0.5,
        ),
    ),
    Preset(
        key="indomethacin",
        title="A published trial in four hospitals",
        story=(
            "602 patients of four hospitals, two thirds of them in one. How the risk of "
            "pancreatitis after an ERCP grows with a score known before it, without pooling."
        ),
        provenance=(
            "Sizes from Elmunzer et al. (2012), A randomized trial of rectal indomethacin to "
            "prevent post-ERCP pancreatitis, New England Journal of Medicine 366, 1414-1422. "
            "Budgets, deltas and smoothness are ours."
        ),
        study=_curve(
            ("Indiana University", 413, 1, 1e-6),
            ("University of Michigan", 164, 1, 1e-6),
            ("University of Kentucky", 22, 1, 1e-6),
            ("Case Western Reserve", 3, 1, 1e-6),
            smoothness=1,
        ),
    ),
    Preset(
        key="surgery",
        title="A published register of heart surgery",
        story=(
            "2,814 operations on infants in twelve hospitals, from 47 to 810. Each would like to "
            "know how the risk of death depends on one measurement; the small ones cannot alone."
        ),
        provenance=(
            "Sizes from the example Surgical: institutional ranking, Examples Volume 1 of BUGS "
            "(Spiegelhalter, Thomas, Best and Gilks, 1996). Budgets, deltas and smoothness are "
            "ours."
        ),
        study=_curve(
            *((f"Hospital {letter}", n, 1, 1e-6) for letter, n in _SURGERY.items()), smoothness=1
        ),
    ),
)


def matching(study: Study) -> Preset | None:
    """Return the preset that is exactly this study, if there is one."""
    return next((p for p in PRESETS if p.study == study), None)


def scope_of(study: Study) -> Scope:
    """Return what is known of a study that comes without a scope: a preset's own, or nothing.

    >>> scope_of(preset("hospitals").study).prevalence, scope_of(preset("phones").study).answers
    ((0.36, 0.93), ())
    """
    known = matching(study)
    return known.scope if known else Scope()


def preset(key: str) -> Preset:
    """Return the preset of that name.

    >>> preset("hospitals").study.target.n
    142

    Raises:
        KeyError: There is no such preset.
    """
    return {p.key: p for p in PRESETS}[key]
