"""Tab "Which to drop": one draw, every source's held-out loss, and what was decided."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

from pages.charts import words
from pages.core import Block, Heading, Note, Slider, Table, Text
from pages.core.live import Folded, Item, Plan, plan, seed
from pages.logistic import common, figures
from sims.logistic import PRIVACY, SETTINGS, Look, look

_look = functools.lru_cache(maxsize=64)(lambda asked: look(asked.values, asked.seed))


def fields(asked: Plan) -> Sequence[Item]:
    """What is asked of a draw; the noise has its own."""
    kind = asked.values.word("kind")
    return (
        *common.noise(kind),
        *((common.EPSILON,) if kind in common.HONEST else ()),
        Slider("size", "Factor on all records", [0.1, 0.2, 0.5, 1, 2, 5, 10, 20]),
        common.ALIKE,
        common.DISTANCE,
        seed("Seed of the draw"),
        Folded("Design and clipping", (*common.DESIGN, *common.more_noise(kind))),
    )


def answer(found: Look) -> str:
    """Return the finding as sentences."""
    kept = [s for s in found.sources if s.kept]
    false = sum(not s.alike for s in kept)
    missed = sum(bool(s.alike) and not s.kept for s in found.sources)
    wrong = (
        "every one of them rightly"
        if not found.wrong
        else f"**{false}** kept although unlike the target, **{missed}** dropped although like it"
    )
    scores = {name: f"**{100 * x:.1f} %**" for name, x in found.accuracy.items()}
    noise = (
        common.budget(found.how.epsilon)
        if found.how.kind in common.HONEST
        else "the printed noise"
        if found.how.kind != "none"
        else "**no noise**"
    )
    return (
        f"With {noise}, detection keeps **{len(kept)}** of {len(found.sources)} sources and drops "
        f"**{len(found.sources) - len(kept)}**: {wrong}. A new record of the target is labelled "
        f"rightly with probability {scores['Target alone']} by the target alone, "
        f"{scores['All sources']} with all sources, {scores['Detected sources']} with the detected "
        f"and {scores['True sources']} with the true ones; the best possible is "
        f"**{100 * found.best:.1f} %**."
    )


def before(found: Look) -> Iterable[Block]:
    """What spoils this draw."""
    if found.noise > 1:
        yield Note(
            f"**All noise.** In each fold of the target the noise alone has an eigenvalue about "
            f"**{words.number(found.noise)}** times a covariate's variance. Raise ε, take more "
            "records or fewer covariates.",
            "warning",
            ":material/grain:",
        )
    empty = [name for name, values in found.coefficients.items() if not any(values)]
    if empty:
        yield Note(
            f"**Nothing selected.** With {words.names([e.lower() for e in empty])} the chosen "
            "penalty sets every coefficient to 0; such a rule always says 0.",
            "warning",
            ":material/filter_alt_off:",
        )


def drawn(found: Look) -> Iterable[Block]:
    """What was decided of every source."""
    kept = ", ".join(s.name for s in found.sources if s.kept) or "none"
    yield figures.detection(
        found.sources,
        found.alone,
        found.threshold,
        caption="Held-out loss of the target after pooling with one source at a time, over three "
        "folds. Circles are sources like the target, crosses are not. A filled green mark "
        "is kept, a hollow orange one dropped.",
        alt=f"Held-out losses of {len(found.sources)} sources; target alone "
        f"{words.number(found.alone)}, threshold {words.number(found.threshold)}. Kept: {kept}.",
        rows=[
            {"source": s.name, "loss": s.loss, "kept": s.kept, "like_target": s.alike}
            for s in found.sources
        ],
        name="sources",
    )


def below(found: Look) -> Iterable[Block]:
    """Coefficients and scores of the four fits."""
    yield Heading("The coefficients")
    yield figures.strip(found)
    yield Table(
        {
            "Fit": list(found.accuracy),
            "Right labels": [f"{100 * x:.1f} %" for x in found.accuracy.values()],
            "Angle to the truth": [f"{x:.1f}°" for x in found.angle.values()],
            "Selected": [
                f"{sum(v != 0 for v in row)} of {len(row)}" for row in found.coefficients.values()
            ],
        },
        alt="Accuracy, angle and selected covariates of the four fits",
    )
    yield Note(
        "One draw; the next tab averages over many. Probabilities are exact for the drawn fit: "
        "the angle to the truth decides them. 90° is no information."
    )


WHY = (
    "**Detection breaks first.** The threshold is the target's own loss plus twice the "
    "standard deviation of its three losses. Noise in the folds makes these three differ, "
    "the threshold moves to the right, and nearly every source passes, harmful ones included. "
    "The penalty of the second step is chosen on noisy losses too; where it ends near 0, the "
    "fit falls back on the target alone, and all four coincide."
)
TAB = common.tab(
    name="sources",
    title="Which to drop",
    usual=plan(SETTINGS, replicates=2),
    fields=fields,
    made=_look,
    cannot="These parameters cannot be drawn.",
    answer=answer,
    before=before,
    drawn=drawn,
    below=below,
    privacy=PRIVACY,
    because=(Text(WHY),),
    statements={
        "DPLR:Eq13:reduction": "Three numbers per site are enough",
        "DPLR:Alg1:penalty": "Choices by held-out losses",
        "DPLR:Eq11:bias": "What the surrogate estimates",
    },
)
