"""What the tabs of the logistic page share: controls of the design and the noise, and folds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import streamlit as st

from pages.figures.chart import words
from pages.parts.frame import folds as shared
from pages.parts.frame import ledger_links
from pages.parts.live import Tabs
from rates.numbers import decades, steps

KINDS = {
    "gaussian": "Gaussian, clipped (ε, δ)",
    "laplace": "Laplace, clipped (ε)",
    "printed": "Printed, inside the sum (no ε)",
    "printed once": "Printed, on the sum (no ε)",
    "none": "None",
}
HONEST = ("gaussian", "laplace")
LAWS = {"normal": "Normal", "mixture": "Mixture", "t3": "t(3)"}
BUDGETS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, math.inf)
DELTAS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3]
SCALES = [float(f"{m}e{k}") for k in range(-3, 4) for m in (1, 2, 5)]


def noise(tabs: Tabs, tab: str) -> str:
    """Widgets for the kind of noise and what it needs; return the kind."""
    tabs.select(tab, "kind", "Noise", KINDS)
    kind = str(tabs.plan(tab).values["kind"])
    if kind in ("printed", "printed once"):
        tabs.number(tab, "scale", "Laplace scale Δ/ε", SCALES)
    return kind


def more_noise(tabs: Tabs, tab: str, kind: str) -> None:
    """Widgets for δ and the clipping radius, where they matter."""
    if kind == "gaussian":
        tabs.number(tab, "delta", "δ", DELTAS)
    if kind in HONEST:
        tabs.number(tab, "clip", "Clipping radius over √p", steps(0.4, 3.0, 0.2))


def design(tabs: Tabs, tab: str) -> None:
    """Widgets for sizes, dimension and the error law."""
    tabs.number(tab, "n0", "Records of the target", decades(2, 4, whole=True))
    tabs.number(tab, "nk", "Records of each source", decades(2, 4, whole=True))
    tabs.number(tab, "sources", "Sources K", steps(2, 20, 2))
    tabs.number(tab, "dimension", "Covariates p", [10, 15, 20, 30, 40, 50])
    tabs.number(tab, "sparsity", "Covariates that matter s", steps(1, 16, 1))
    tabs.choice(tab, "law", "Errors", LAWS)


def budget(epsilon: float) -> str:
    """Return a budget for a sentence.

    >>> budget(4.0), budget(math.inf)
    ('ε = **4**', '**no noise**')
    """
    return "**no noise**" if math.isinf(epsilon) else f"ε = **{words.number(epsilon)}**"


def folds(
    why: Callable[[], None], limits: str, statements: Mapping[str, str], *, privacy: str
) -> None:
    """What stands below every tab of the page."""
    shared.show(
        why, limits, statements, privacy=privacy, more=lambda: ledger_links.used("logistic")
    )


def reduction() -> None:
    """Why one release is enough."""
    st.latex(
        r"\text{loss}(w) = \log 2 + \tfrac1n\big(b^Tw + \tfrac18 w^TGw\big), \quad"
        r" G = \sum_i x_ix_i^T, \quad b = \sum_i x_i(\tfrac12 - y_i)"
    )
    st.markdown(
        "Around 0 the logistic loss is a quadratic function of the coefficients w. Of a site's "
        "records only G, b and their number n enter it. The target releases a noisy G and b for "
        "each of three folds, each source once. Fits, penalties and the choice of sources are "
        "computed from these and cost nothing more."
    )


LIMITS = (
    "- The design is the paper's: normal covariates, a linear rule with a threshold. Its "
    "threshold is not stated; here it is 0.\n"
    "- The paper's listing of its detection (Algorithm 2) was missing from the text at hand. This "
    "is a reconstruction from its prose and from the authors it cites: keep a source if the "
    "target's held-out loss rises by at most twice the standard deviation of its three losses, "
    "at least 0.02.\n"
    "- A noisy G can be indefinite. Its low eigenvalues are lifted, which the paper does not say "
    "how to do.\n"
    "- This is a simulation, not a tool to release data."
)
