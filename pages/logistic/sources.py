"""Tabs that are computed at once: which sources to drop, what ε is promised, one's own records."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from pages import charts, core
from pages.charts import label, number, words
from pages.core import Block, Note, Slider, live
from rates.logistic import RADIUS, SCALE, meaning, refined_sensitivity
from rates.logistic import RECORDS as SITE
from rates.numbers import DELTA, DIMENSION, decades, steps
from sims import dplr
from sims.engine import Number, Values

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
    core.Switch("law", "Errors", LAWS),
)
REDUCTION = (
    r"\text{loss}(w) = \log 2 + \tfrac1n\big(b^Tw + \tfrac18 w^TGw\big), \quad"
    r" G = \sum_i x_ix_i^T, \quad b = \sum_i x_i(\tfrac12 - y_i)"
)
ONE_RELEASE = (
    "Around 0 the logistic loss is a quadratic function of the coefficients w. Only G, b and the "
    "number n of a site's records enter it. The target releases a noisy G and b for each of three "
    "folds, each source once; fits, penalties and the choice of sources cost nothing more."
)
LIMITS = (
    "- The design is the paper's: normal covariates, a linear rule with a threshold, here 0.\n"
    "- Algorithm 2, the detection, was missing from our text. Ours is a reconstruction from its "
    "prose: a source is kept if the target's held-out loss rises by at most twice the standard "
    "deviation of its three losses, at least 0.02.\n"
    "- A noisy G can be indefinite. Its low eigenvalues are lifted; the paper does not say how.\n"
    "- This is a simulation, not a tool to release data."
)
tab = functools.partial(
    live.Tab, page="logistic", formula=REDUCTION, why=ONE_RELEASE, limits=LIMITS, used=("logistic",)
)
_look = functools.lru_cache(maxsize=64)(lambda asked: dplr.look(asked.values, asked.seed))


def noise(kind: str) -> tuple[live.Item, ...]:
    """The kind of noise, and its scale where it has one."""
    menu, scale = core.Menu("kind", "Noise", KINDS), Slider("scale", "Laplace scale Δ/ε", SCALES)
    return (menu, scale) if kind.startswith("printed") else (menu,)


def more_noise(kind: str) -> tuple[live.Item, ...]:
    """δ and the clipping radius, where they matter."""
    clip = Slider("clip", "Clipping radius over √p", steps(0.4, 3.0, 0.2))
    if kind == "gaussian":
        return Slider("delta", "δ", DELTAS), clip
    return (clip,) if kind in HONEST else ()


def sources_fields(asked: live.Plan) -> Sequence[live.Item]:
    """What is asked of a draw; the noise has its own."""
    kind = asked.values.word("kind")
    return (
        *((EPSILON,) if kind in HONEST else ()),
        *noise(kind),
        Slider("size", "Factor on all records", [0.1, 0.2, 0.5, 1, 2, 5, 10, 20]),
        ALIKE,
        DISTANCE,
        live.seed("Seed of the draw"),
        live.Folded("Design and clipping", (*DESIGN, *more_noise(kind))),
    )


def sources_answer(found: dplr.Look) -> str:
    """Return the finding as sentences."""
    pairs = [*zip(found.detection.kept.tolist(), found.alike, strict=True)]
    kept, every = sum(k for k, _ in pairs), len(pairs)
    wrong = f"**{pairs.count((True, False))}** kept wrongly, **{pairs.count((False, True))}**"
    scores = {name: f"**{words.tenths(x)}**" for name, x in found.accuracy.items()}
    how = found.how
    noise = f"ε = **{number(how.epsilon)}**" if how.kind in HONEST else f"noise *{KINDS[how.kind]}*"
    return (
        f"With {noise}, detection keeps **{kept}** of {every} sources and drops "
        f"**{every - kept}**: {wrong} dropped wrongly. A new record of the target is "
        f"labelled rightly with probability {scores['Target alone']} by the target alone, "
        f"{scores['All sources']} with all sources, {scores['Detected sources']} with the detected "
        f"and {scores['True sources']} with the true; best possible **{words.tenths(found.best)}**."
    )


def sources_figure(found: dplr.Look) -> Iterable[Block]:
    """What spoils this draw, and what was decided of every source."""
    # Above 1 the noise is larger than what it hides, and detection reads it.
    if found.noise > 1:
        yield Note(
            "**All noise.** In each fold of the target the noise has an eigenvalue about "
            f"**{number(found.noise)}** times a covariate's variance.",
            "warning",
        )
    how = {"name": "sources", "caption": "Means over three folds, after pooling with one source."}
    names = [f"Source {k}" for k in range(1, len(found.alike) + 1)]
    yield detection(found.detection, names, found.alike, **how)


_RADII = [0.5, 1.0, 2.0, 3.0, 5.0, 7.07, 10.0, math.inf]
_SCALES = tuple(float(f"{m}e{k}") for k in range(-3, 4) for m in (1, 3))
_CURVES = {
    "Noise once, bound (8)": "once",
    "Noise per record, sums seen": "central",
    "The same, two releases": "central_twice",
}
_MEANT = (SCALE, 0.1), (DIMENSION, 50), (RADIUS, 1.0), (SITE, 300), (DELTA, 1e-5)
_meaning = functools.lru_cache(maxsize=512)(meaning)


def meaning_answer(asked: Values) -> str:
    """Return the finding as sentences."""
    scale, found = number(asked.number("scale")), _meaning(**asked)
    radius, dimension = asked.number("radius"), asked.whole("dimension")
    # A record of any size moves the coefficients by any amount.
    if math.isinf(radius):
        return (
            f"Without clipping, as in the paper, a Laplace scale of **{scale}** promises "
            "**nothing**: ε is infinite."
        )
    return (
        f"With records of norm at most **{number(radius)}** and **{dimension}** covariates, a "
        f"Laplace scale of **{scale}** on the coefficients means ε = **{number(found.once)}**, "
        f"and **{number(found.once_twice)}** with the second release of the debiasing step; inside "
        f"a sum of which nobody sees the records, ε = **{number(found.central)}** at δ = "
        f"{number(asked.number('delta'))}. ε = 1 needs a scale of "
        f"**{number(refined_sensitivity(dimension, radius))}**."
    )


def meaning_figure(asked: Values) -> Iterable[Block]:
    """The readings along the scale, where any is finite."""
    along = [_meaning(**asked.changed(scale=scale)) for scale in _SCALES]
    curves = {name: [getattr(found, field) for found in along] for name, field in _CURVES.items()}
    finite = {name: ys for name, ys in curves.items() if any(0 < y < math.inf for y in ys)}
    if finite:
        yield scales_figure(_SCALES, finite, asked.number("scale"))


_WANTED = ("epsilon", "kind", "delta", "clip", "scale")
SITES = core.Upload(
    "logistic_sites",
    "Table with columns source, y and covariates",
    dplr.read_sites,
    "One row per record: source is the site, y is 0 or 1, all other columns are numbers. Rows with "
    "an empty cell, ? or NA are dropped and counted. It stays in this session.",
    behind="Bring the table",
)
MISSING = live.Missing(
    "Bring a **table of records** from two sources or more to see which are kept for one of them.",
    [core.Code("source,y,age,pressure\nA,1,63,145\nA,0,41,130\nB,1,67,160\nB,0,37,120", None)],
)


def records_fields(asked: live.Plan) -> Sequence[live.Item]:
    """The table, its target, and the noise."""
    kind = asked.values.word("kind")
    honest = (EPSILON, *more_noise(kind)) if kind in HONEST else ()
    return lambda source: SITES.draw(), _choose, *noise(kind), *honest, live.seed()


def _choose(source: live.Open) -> None:
    """Which source is the target: at first the smallest."""
    if (sites := SITES.now()) is None:
        return
    sizes = {name: len(y) for name, y in zip(sites.names, sites.y, strict=True)}
    # The smallest needs help most, so it is the target at first.
    labels = {name: f"{name}, {size:,} records" for name, size in sizes.items()}
    core.menu(_target(sites), "Target", labels, start=min(sizes, key=sizes.__getitem__))


def _target(sites: dplr.Sites) -> str:
    return f"logistic_target_{'_'.join(sites.names)}"


def own_records(asked: live.Plan) -> dplr.OwnStudy:
    """Return what the table in use gives."""
    if (sites := SITES.now()) is None:
        raise MISSING
    with st.spinner("Splitting, releasing, fitting"):
        return _study(sites, st.session_state[_target(sites)], asked)


@core.of_visitor(8)
def _study(sites: dplr.Sites, target: str, asked: live.Plan) -> dplr.OwnStudy:
    return dplr.own_study(sites, target, dplr.Release(**asked.values), seed=asked.seed)  # type: ignore[arg-type]


def records_answer(found: dplr.OwnStudy) -> str:
    """Return the finding as sentences."""
    kept = list(itertools.compress(found.sources, found.detection.kept))
    which = f"keeps **{words.names(kept)}**" if kept else "keeps **none**"
    scores = "; ".join(
        f"{name.lower()} **{100 * e.mean:.1f} ± {100 * e.stderr:.1f}%**"
        for name, e in found.accuracy.items()
    )
    return (
        f"For **{words.md(found.target)}** the detection {which} of {len(found.sources)} sources "
        "in the first split. Right labels on records set aside, mean ± standard error over the "
        f"splits: {scores}; always saying the more frequent class "
        f"**{words.tenths(found.baseline.mean)}**."
    )


def records_blocks(found: dplr.OwnStudy) -> Iterable[Block]:
    """What was decided of every source, and how sure that is."""
    for note in found.notes:
        yield Note(words.md(note), "warning")
    how = {"name": "my-sources", "caption": "Of the first split, after pooling with one source."}
    yield detection(found.detection, found.sources, [None] * len(found.sources), **how)
    shares = zip(found.sources, found.kept, strict=True)
    yield Note(
        "Over 5 random splits of the target, 30% set aside. They overlap, so the errors are "
        "somewhat too small. Kept in so many of them: "
        f"{', '.join(f'{words.md(name)} {share:.0%}' for name, share in shares)}."
    )
    yield Note(
        "**Not private end to end.** Columns are scaled by all records, every split is a release "
        "of its own, and accuracies are computed on real records.",
        "warning",
    )


DETECTION = (
    "**Detection breaks first.** Noise in the folds makes the target's three losses differ, the "
    "threshold moves to the right, and nearly every source passes, harmful ones included."
)
SOURCES = tab(
    id="sources",
    title="Which to drop",
    usual=live.plan(dplr.SETTINGS, replicates=2, defaults={"epsilon": 16.0}),
    inputs=sources_fields,
    compute=_look,
    cannot="These parameters cannot be drawn.",
    answer=sources_answer,
    blocks=sources_figure,
    privacy=dplr.PRIVACY,
    why=f"{ONE_RELEASE}\n\n{DETECTION}",
    statements=("DPLR:Eq13:reduction", "DPLR:Alg1:penalty", "DPLR:Eq11:bias"),
)
MEANING = tab(
    id="meaning",
    title="What ε is that?",
    usual=live.plan(tuple(Number(one, start) for one, start in _MEANT), replicates=2),
    inputs=(
        Slider("scale", "Laplace scale, the paper's Δ/ε", SCALES),
        Slider("dimension", "Covariates p", [5, 10, 20, 50, 100]),
        Slider("radius", "Clipping radius R", _RADII),
        Slider("n", "Records of the site n", decades(2, 5, whole=True)),
        Slider("delta", "δ of the sums", DELTAS),
    ),
    compute=lambda asked: asked.values,
    answer=meaning_answer,
    blocks=meaning_figure,
    privacy="One record replaced. The pure readings hold even against whoever collects; the others "
    "only if the sums alone are seen.",
    formula=r"\Delta = 2\max_{\|x\|\le R}\Big(\tfrac12\|x\|_1 + \tfrac18\|x\|_1^2\Big)"
    r" = R\sqrt p + \tfrac14R^2p, \qquad \varepsilon = \Delta/b"
    "\n"
    r"\Delta_2 = \sqrt2\,\big(R^2+\tfrac18\big), \qquad \sigma = b\sqrt{2n}",
    why="First the sensitivity (8) of the surrogate's coefficients, and what a scale b then "
    "promises. Then noise inside the sum over n "
    "records, of which nobody sees one: nearly normal of standard deviation σ, against the "
    "Euclidean sensitivity Δ₂ of G and b.",
    limits="- An upper bound: a sharper analysis can give a smaller ε, by at most a factor of 2.\n"
    "- Cross-validation and the choice of sources, on unprotected records as printed, are not "
    "counted.\n"
    "- The normal approximation is poor for few records.",
    statements=(
        "DPLR:Eq9:epsilon-of-scale",
        "DPLR:Alg1:unclipped",
        "DPLR:Alg1:second-release",
        "DPLR:Alg1:placement",
    ),
)
RECORDS = tab(
    id="records",
    title="My records",
    alone=False,
    usual=live.plan(tuple(s for s in dplr.SETTINGS if s.name in _WANTED), replicates=5),
    inputs=records_fields,
    compute=own_records,
    cannot="These records cannot be used as they are.",
    answer=records_answer,
    blocks=records_blocks,
    privacy="Gaussian and Laplace noise: per split every record is clipped, and (G, b) of each "
    "fold of the target and of each source released once. Printed noise and none: no finite ε.",
    statements=("DPLR:Sec2.3:algorithm-free",),
)


# Figures --------------------------------------------------------------------------------------

KEPT, DROPPED = charts.theme.COLOURS[charts.theme.UNLIKE], charts.MECHANISM
_TRUTH = {True: ", like the target", False: ", unlike it", None: ""}
_MARKS = {True: "circle", False: "x", None: "diamond"}
LEAST = 1e-3  # budgets below it are not drawn


def detection(
    found: dplr.Detection, sources: Sequence[str], alike: Sequence[bool | None], **more: Any
) -> charts.Figure:
    """Return every source's held-out loss, the threshold, and what was decided."""
    named = zip(found.losses.tolist(), map(label, sources), found.kept.tolist(), alike, strict=True)
    ordered = sorted(named, key=lambda row: -row[0])
    names = [name for _, name, _, _ in ordered]
    marks: list[charts.Fields] = []
    # One mark per kind, in one order, so that the legend stays as it is from draw to draw.
    for kind in sorted({row[2:] for row in ordered}, key=str, reverse=True):
        xs, ys = zip(*(row[:2] for row in ordered if row[2:] == kind), strict=True)
        kept, like = kind
        symbol, colour = _MARKS[like], KEPT if kept else DROPPED
        name, edge = f"{'Kept' if kept else 'Dropped'}{_TRUTH[like]}", {"color": colour, "width": 2}
        shape = symbol if kept else f"{symbol}-open"
        marks.append(charts.dots(xs, ys, name, shape, 11, colour, edge, hover="%{y}: %{x:.4f}"))
    ends = (found.alone, "Target alone", "dot"), (found.threshold, "Threshold", "dash")
    for x, text, dash in ends:
        marks.append(charts.line([x, x], [names[0], names[-1]], f"{text}: {x:.3f}", dash=dash))
    return charts.plot(
        marks,
        charts.axis("Mean held-out surrogate loss of the target"),
        charts.axis(names=names, automargin=True),
        title="Left of the threshold a source is kept",
        **charts.room(146 + 24 * len(ordered), 76, 48, charts.SINGLE, more=22 * len(marks)),
        **more,
    )


def scales_figure(
    scales: Sequence[float], curves: Mapping[str, Sequence[float]], chosen: float
) -> charts.Figure:
    """Return epsilon against the noise scale, both in logarithms, and the chosen scale."""
    finite = [y for ys in curves.values() for y in ys if LEAST < y < math.inf]
    ends = (min(finite), max(finite)) if finite else (0.1, 10.0)
    marks: list[charts.Fields] = []
    for place, (name, ys) in enumerate(curves.items()):
        # What is below is as good as none, and would stretch the axis by decades.
        shown = [y if LEAST < y < math.inf else None for y in ys]
        hover = "scale %{x:.3g}: ε %{y:.4g}"
        marks.append(charts.series(scales, shown, name, place, size=6, hover=hover))
    marks.append(charts.line([chosen, chosen], ends, f"Scale {number(chosen)}", dash="dot"))
    return charts.plot(
        marks,
        charts.log_axis("Laplace scale, the paper's Δ/ε", (min(scales), max(scales)), fit=True),
        charts.log_axis("ε", ends, fit=True),
        title="The ε that a noise scale means",
        **charts.room(404, 64, 48, charts.SINGLE, more=22 * len(marks)),
        name="epsilon-of-scale",
        caption="One record replaced.",
    )
