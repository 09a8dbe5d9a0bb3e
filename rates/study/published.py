"""Published studies with the sizes of their sites: examples whose numbers can be looked up.

Sizes are those of the publication; budgets, deltas and exponents are ours. What each is worth is
asked of `rates.decide` like that of any other study.
"""

from __future__ import annotations

from rates.study.presets import Preset
from rates.study.scenario import FederatedStudy, Server, TransferStudy

_TRIAL = (
    ("Indiana University", 413),
    ("University of Michigan", 164),
    ("University of Kentucky", 22),
    ("Case Western Reserve", 3),
)
_HEART = (("Cleveland", 303), ("Long Beach", 200), ("Switzerland", 123))
# Hospitals A to L, operations on each.
_SURGERY = (47, 148, 119, 810, 211, 196, 148, 215, 207, 97, 256, 360)

PUBLISHED = (
    Preset(
        key="indomethacin",
        title="A trial in four hospitals",
        story=(
            "602 patients of four hospitals, two thirds of them in one. How the risk of "
            "pancreatitis after an ERCP grows with a score known before it, without pooling."
        ),
        provenance=(
            "Sizes from Elmunzer et al. (2012), A randomized trial of rectal indomethacin to "
            "prevent post-ERCP pancreatitis, New England Journal of Medicine 366, 1414-1422. "
            "Budgets, deltas and smoothness are ours."
        ),
        study=FederatedStudy(
            servers=tuple(Server(name=name, n=n, epsilon=1, delta=1e-6) for name, n in _TRIAL),
            smoothness=1,
        ),
    ),
    Preset(
        key="heart",
        title="Heart disease in four clinics",
        story=(
            "920 patients sent for angiography in Hungary, Cleveland, Long Beach and Switzerland. "
            "Hungary wants to foresee disease from two measurements and takes the others as "
            "alike, which their shares of the ill do not bear out."
        ),
        provenance=(
            "Sizes of the four files of the UCI heart disease data: Janosi, Steinbrunn, Pfisterer "
            "and Detrano (1989). Budgets, deltas and exponents are ours."
        ),
        study=TransferStudy(
            target=Server(name="Hungary", n=294, epsilon=1, delta=1e-6),
            sources=tuple(Server(name=name, n=n, epsilon=1, delta=1e-6) for name, n in _HEART),
            smoothness=0.5,
            dimension=2,
            margin=1,
        ),
    ),
    Preset(
        key="surgery",
        title="A register of heart surgery on infants",
        story=(
            "2,814 operations in twelve hospitals, from 47 to 810. Each would like to know how "
            "the risk of death depends on one measurement, and the small ones cannot say alone."
        ),
        provenance=(
            "Sizes from the example Surgical: institutional ranking, Examples Volume 1 of BUGS "
            "(Spiegelhalter, Thomas, Best and Gilks, 1996). Budgets, deltas and smoothness are "
            "ours."
        ),
        study=FederatedStudy(
            servers=tuple(
                Server(name=f"Hospital {letter}", n=n, epsilon=1, delta=1e-6)
                for letter, n in zip("ABCDEFGHIJKL", _SURGERY, strict=True)
            ),
            smoothness=1,
        ),
    ),
)
