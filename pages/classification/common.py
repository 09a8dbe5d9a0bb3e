"""What the tabs of the classification page share: fields, the reason, what none of them says."""

from __future__ import annotations

from typing import Any

from pages.classification.privacy import OF_TAB
from pages.core import Formula, Slider, Switch, Text
from pages.core.live import Tab
from pages.core.live import panel as live
from rates.numbers import steps

KERNELS = {"triangular": "Triangular", "gaussian": "Gaussian"}
WORLD = Switch("world", "World", {"cusp": "One covariate", "cusp, d = 2": "Two covariates"})
MECHANISMS = {"analytic": "Exact calibration", "printed": "Constant of the paper"}
NOISE = Switch("mechanism", "Noise", MECHANISMS)
KAPPA = Slider("kappa", "Bandwidth over r, κ", steps(1.0, 6.0, 0.5))
SIGNAL = Slider("gamma", "Signal exponent γ", steps(0.25, 4.0, 0.25))
_WHY = (
    Formula(
        r"T_h(x) = \frac{1}{n h^d} \sum_i \bigl(Y_i - \tfrac12\bigr)\,K\Bigl(\frac{X_i-x}{h}\Bigr)"
        "\n"
        r"\tilde T_h = T_h + \sigma\,\xi, \qquad \operatorname{cov}\,\xi = K"
    ),
    Text(
        "The label is 1 where w times the target's release plus 1 − w times the sources' is "
        "positive. [ACC] equations (7) to (10)."
    ),
    Formula(
        r"\sum_j \frac{r^{2\beta\gamma_j}}{V_j(\kappa r)} = 1"
        "\n"
        r"V_j(h) = \frac{1}{6\,n_j h^d} + \frac{\sigma_j^2}{n_j^2 h^{2d}},"
        r"\qquad h = \kappa r"
    ),
    Text(
        "The calibrated rate is r to the power β(1+α): equation (5) of [ACC] with the sampling "
        "variance and the noise that the simulated classifier really has. (5) itself leaves "
        "constants out; the two kinds of variance have different ones, so that its ratio to the "
        "risk drifts by a factor of about 4 from one regime to the other. One constant C per curve "
        "is fitted; the slope is not."
    ),
    Text(
        "The world is an asymmetric cusp with β = 1 and α = 1 in one covariate: a symmetric one "
        "would let a tuned classifier converge faster than any rate. The dotted curve is the "
        "expected risk itself, an integral over the probability that a weighted sum with "
        "Gaussian noise has the wrong sign; the points have to lie on it."
    ),
)
_LIMITS = (
    "- One classifier on one world. A rate is about the worst world of a class and the "
    "best estimator; that this one follows it here proves neither half.\n"
    "- Rates hold up to constants and logarithms. C is fitted, not predicted, and differs "
    "between curves.\n"
    "- Bandwidth and weights are taken from the theory, which knows β, γ and α. Without "
    "them a rule has to choose, at a price.\n"
    "- A fitted slope is a statement about the range that was simulated. Where the curve "
    "bends, it is compared with the calibrated curve over the same points, not with an "
    "asymptote.\n"
    "- No slope is shown for the paper's own two-dimensional design: it is symmetric and "
    "far from its asymptote at every size that can be simulated.\n"
    "- This is a simulation, not a tool to release data."
)


def tab(name: str, title: str, **fields: Any) -> Tab:
    """Return a tab of the page."""
    return Tab(
        page="classification",
        name=name,
        title=title,
        heading="Why: the classifier, its rate and its risk",
        because=_WHY,
        used=("classification",),
        limits=(live.ERRORS, f"- {OF_TAB[name]}\n{_LIMITS}"),
        **fields,
    )
