"""What the tabs of the logistic page share: fields of the design and the noise, texts, series."""

from __future__ import annotations

import functools
import math

from pages.charts import words
from pages.core import Menu, Slider, Switch
from pages.core.live import Item, Tab
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
SCALES = [float(f"{m}e{k}") for k in range(-3, 4) for m in (1, 2, 5)]
BUDGETS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, math.inf)
DELTAS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3]
EPSILON = Slider("epsilon", "Budget ε of every site", BUDGETS)
ALIKE = Slider("transferable", "Sources like the target |A|", steps(0, 20, 1))
DISTANCE = Slider("deviation", "Their distance h", steps(0, 20, 1))
SIZES = (
    Slider("n0", "Records of the target", decades(2, 4, whole=True)),
    Slider("nk", "Records of each source", decades(2, 4, whole=True)),
)
DESIGN = (
    *SIZES,
    Slider("sources", "Sources K", steps(2, 20, 2)),
    Slider("dimension", "Covariates p", [10, 15, 20, 30, 40, 50]),
    Slider("sparsity", "Covariates that matter s", steps(1, 16, 1)),
    Switch("law", "Errors", LAWS),
)
REDUCTION = (
    r"\text{loss}(w) = \log 2 + \tfrac1n\big(b^Tw + \tfrac18 w^TGw\big), \quad"
    r" G = \sum_i x_ix_i^T, \quad b = \sum_i x_i(\tfrac12 - y_i)"
)
ONE_RELEASE = (
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
tab = functools.partial(
    Tab,
    page="logistic",
    formula=REDUCTION,
    why=ONE_RELEASE,
    limits=LIMITS,
    used=("logistic",),
)


def noise(kind: str) -> tuple[Item, ...]:
    """The kind of noise, and its scale where it has one."""
    menu = Menu("kind", "Noise", KINDS)
    if kind in ("printed", "printed once"):
        return menu, Slider("scale", "Laplace scale Δ/ε", SCALES)
    return (menu,)


def more_noise(kind: str) -> tuple[Item, ...]:
    """δ and the clipping radius, where they matter."""
    clip = Slider("clip", "Clipping radius over √p", steps(0.4, 3.0, 0.2))
    if kind == "gaussian":
        return Slider("delta", "δ", DELTAS), clip
    return (clip,) if kind in HONEST else ()


def budget(epsilon: float) -> str:
    """Return a budget for a sentence.

    >>> budget(4.0), budget(math.inf)
    ('ε = **4**', '**no noise**')
    """
    return "**no noise**" if math.isinf(epsilon) else f"ε = **{words.number(epsilon)}**"
