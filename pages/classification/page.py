"""The page: does a real private classifier follow the rate?

Here the tab "Attacker": what many runs on two neighbouring data sets prove about a promise.
"""

from __future__ import annotations

from collections.abc import Iterable

from pages.charts import simulation
from pages.classification import classifier, hospitals, paper, rate
from pages.core import Block, Formula, Menu, Note, Pills, Slider, Text
from pages.core.live import Plan, Tab, kept, page, repetition
from pages.core.live import panel as live
from rates.numbers import decades, steps
from sims.audit import AUDIT, BY_NAME, bounds
from sims.engine import Progress

_NAMES = {name: name[0].upper() + name[1:] for name in BY_NAME}
_HOW = (
    Formula(
        r"\Pr(\text{says replaced} \mid \text{replaced}) \le e^{\varepsilon} "
        r"\Pr(\text{says replaced} \mid \text{not}) + \delta"
    ),
    Text(
        "This holds for every attacker, so two measured shares bound ε from below. The attacker "
        "knows all records but one, which in one world is replaced by the one that moves the "
        "release most. His threshold on the likelihood ratio is chosen on the first half of the "
        "runs, the shares come from the second, with exact limits of Clopper and Pearson at 97.5% "
        "each. Where all noise is Gaussian, they bound its size, and ε is that of this size at δ."
    ),
)
_GUESSES = Note(
    "Both worlds have 50 simulated records. A share of right guesses of one half is blind "
    r"guessing; with ε and δ no attacker can exceed $(e^\varepsilon + \delta)/(1 + e^\varepsilon)$."
)
_LIMITS = (
    "- A lower bound proves that a promise is broken, never that it holds.\n"
    "- Two data sets of 50 records and one attacker; another pair may tell more.\n"
    "- Floating-point numbers, timing and the random generator are not attacked."
)


def answer(progress: Progress) -> str:
    """Return what has been proved so far, as a sentence."""
    values, found = progress.request.values, bounds(progress)
    if not found:
        return "An attacker must tell whether one record was replaced. **Run** lets him try."
    broken = [one for one in found if one.broken]
    tight = max(broken or found, key=lambda one: one.proved / one.epsilon)
    start = f"**{_NAMES[values.word('mechanism')]}**, after {found[0].runs:,} runs in each world: "
    end = "is promised. **Nothing speaks against the promise.**"
    if broken:
        less = ", as it should be with less noise" if values.number("noise") < 1 else ""
        end = f"is promised: **the promise is broken**{less}."
    return (
        f"{start}ε is proved to be at least **{tight.proved:.2g}** where **{tight.epsilon:g}** "
        f"{end} Each bound holds with 95% confidence."
    )


def _promise(asked: Plan) -> str:
    audited, factor = BY_NAME[asked.values.word("mechanism")], asked.values.number("noise")
    less = f" Here with {factor:g} of its noise, so that it does not hold." if factor < 1 else ""
    return audited.promise + less


def drawn(progress: Progress) -> Iterable[Block]:
    """The bounds beside the promises."""
    yield simulation.audit_figure(bounds(progress), [p.x for p in progress.request.points[::2]])


TAB = Tab(
    page="classification",
    id="attacker",
    title="Attacker",
    inputs=(
        Menu("mechanism", "Mechanism", _NAMES),
        Pills("epsilon", "Promised ε", (0.5, 1.0, 2.0, 4.0, 8.0)),
        Slider("delta", "Promised δ", decades(-12, -1)),
        Slider("noise", "Share of the noise", steps(0.1, 1.0, 0.1)),
        *repetition(),
    ),
    experiment=kept(AUDIT),
    privacy=_promise,
    answer=answer,
    blocks=drawn,
    after=lambda request: [_GUESSES],
    why=_HOW,
    limits=(live.ERRORS, _LIMITS),
)
TABS = (
    *(classifier.TAB, rate.RATE_TAB, rate.STUDY_TAB),
    *(paper.FIGURES_TAB, paper.PRICE_TAB, hospitals.TAB, TAB),
)


def draw() -> None:
    """Draw the page."""
    page.show("Does a real private classifier follow the rate?", *TABS, unnamed="rate")
