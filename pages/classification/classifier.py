"""Tab "Classifier": one draw of the data, its decision regions before and after the noise."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable

from pages import charts
from pages.charts import number, theme, words
from pages.classification import common
from pages.core import Block, Fold, Note, Slider, Switch, Text, choice
from pages.core.live import Folded, Plan, plan, seed
from rates.numbers import MECHANISMS, DomainError, decades, steps
from sims import acc as sim
from sims.engine import Spent, Values, multiplier, spent

NOISES = {"joint": "Joint", "independent": "By point (wrong)"}
_SETTINGS = (
    *sim.PICTURED,
    choice("noise", NOISES, "One Gaussian path over the square, or noise at each point."),
)
_MOST = 10**7  # records of one picture
# Told apart by lightness too: light, middle, dark.
KINDS = {"Label 0, right": "#e4e9f0", "Label 1, right": "#7fb0e0", "Wrong": "#9c3d14"}
_PARTS = ((0, 0.46), (0.54, 1))

_draw = functools.lru_cache(maxsize=32)(sim.draw_once)


# What was asked for, what a server's joint noise guarantees, the picture.
_Look = tuple[Values, Spent | None, sim.Picture]


def _look(asked: Plan) -> _Look:
    """Return the decision regions that are asked for.

    Raises:
        DomainError: There are too many records for one picture.
    """
    values, n, m = asked.values, asked.values.whole("n"), asked.values.whole("m")
    # A picture draws every record; a run needs only their sums.
    if n * m > _MOST:
        rule = f"One picture takes at most {_MOST:,} source records."
        raise DomainError(rule, field="n", value=n * m)
    kernel, h, epsilon = values.word("kernel"), values.number("bandwidth"), values.number("epsilon")
    sources = sim.Group(n=n, m=m, gamma=values.number("gamma"))
    # The records are drawn once, so that budget and weight change the noise and nothing else.
    once = _draw(sim.WORLD, kernel, h, sim.Group(n=n), sources, asked.seed)
    delta = float(n) ** -2
    noise = multiplier(epsilon, delta, values.among("mechanism", MECHANISMS))
    picture = sim.look_at(
        once,
        weight=values.number("weight"),
        multiplier=noise,
        epsilon=epsilon,
        noise=values.among("noise", ("joint", "independent")),
    )
    return values, spent(noise, epsilon, delta), picture


def _guarantee(look: _Look) -> Iterable[Block]:
    """What joint noise of the size drawn guarantees; `_independent` says it of the other."""
    values, kept, _ = look
    joint = values["noise"] == "joint"
    if joint or (kept and not kept.valid):
        who = "Each server's release" + ", even with joint noise," * (not joint)
        yield from common.said([kept] if kept else [], who=who)


def answer(picture: sim.Picture) -> str:
    """Return the finding as a sentence."""
    shares = picture.accuracy_before, picture.accuracy_after
    # As they are shown, so that their difference is the one a reader finds.
    before, after = (round(100.0 * share, 1) for share in shares)
    lost = round(before - after, 1)
    change = "the noise has no visible cost"
    if math.isnan(picture.actual_delta):
        change = "no noise is added"
    elif lost > 0:
        change = f"the noise costs **{lost:.1f} percentage points**"
    elif lost < 0:
        change = f"the noise happens to help this one draw by **{-lost:.1f} percentage points**"
    return (
        f"In this draw the classifier is right for **{words.tenths(picture.accuracy_before)}** "
        f"of new records before noise and for **{words.tenths(picture.accuracy_after)}** as "
        f"released: {change}. No classifier exceeds **{words.tenths(picture.accuracy_right)}**."
    )


def drawn(look: _Look) -> Iterable[Block]:
    """Both pictures."""
    *_, picture = look
    size = len(picture.right)
    centres = [(i + 0.5) / size for i in range(size)]
    square = charts.axis(span=(0, 1), tickvals=(0, 0.5, 1), showgrid=False, zeroline=False)
    across = square | {"title": "x₁"}
    boundary = {"color": charts.theme.INK["light"], "width": 1.5, "dash": "dash"}
    before, after = map(words.tenths, (picture.accuracy_before, picture.accuracy_after))
    yield charts.plot(
        _squares(picture, centres),
        [across | {"domain": _PARTS[0]}, across | {"domain": _PARTS[1], "anchor": "y2"}],
        [square | {"title": "x₂"}, square | {"anchor": "x2", "showticklabels": False}],
        {
            "x1": [x for x in centres for _ in centres],
            "x2": centres * size,
            "best label": picture.right.astype(int).ravel(),
            "statistic": picture.signal.ravel(),
            "released": picture.released.ravel(),
        },
        title="Decision regions of one draw and their accuracy",
        **charts.room(470, 80, 74, charts.LOOSE),
        shapes=[
            charts.rule(start, end, boundary, **axes)
            for axes in ({"xref": "x", "yref": "y"}, {"xref": "x2", "yref": "y2"})
            for start, end in (((0.5, 0), (0.5, 1)), ((0, 0.5), (1, 0.5)))
        ],
        annotations=[
            charts.heading(f"Before noise: {before}", _PARTS[0][0]),
            charts.heading(f"Released: {after}", _PARTS[1][0]),
        ],
        caption="One draw, not an average. Dashed: the boundary of the best rule.",
        alt=f"Two squares of decided labels. Before noise {before} of new records are decided "
        f"rightly, as released {after}. The best rule gives label 1 where both covariates lie on "
        "the same side of one half.",
        name="decision-regions",
    )


def _squares(picture: sim.Picture, centres: list[float]) -> Iterable[charts.Fields]:
    """The labels before and after noise; wrong cells are dark."""
    panels = (("", "before noise", picture.before), ("2", "as released", picture.after))
    colours = [(k / 3, colour) for k, colour in enumerate(KINDS.values())]
    for panel, name, labels in panels:
        kinds = picture.right.astype("float32")
        # Both wrong labels look alike: what matters is where, and the boundary says which.
        kinds[labels != picture.right] = 2
        yield charts.trace(
            centres,
            centres,
            name,
            type="heatmap",
            z=kinds.T,
            zmin=0,
            zmax=2,
            colorscale=[[at + x, colour] for at, colour in colours for x in (0, 1 / 3)],
            showscale=False,
            hover="x₁ %{x:.2f}, x₂ %{y:.2f}",
            xaxis=f"x{panel}",
            yaxis=f"y{panel}",
        )
    edge = {"color": theme.COLOURS[theme.NONE], "width": 1}
    for name, colour in KINDS.items():
        marker = {"symbol": "square", "size": 13, "line": edge, "color": colour}
        yield charts.key(name, marker=marker, hover=None)


def _independent(look: _Look) -> Iterable[Block]:
    values, _, picture = look
    actual = picture.actual_delta
    kernel, h = sim.KERNELS[values.word("kernel")], values.number("bandwidth")
    title = "Why noise must be drawn jointly"
    text = (
        "One record moves all 4,096 values of the release at once: with these settings **"
        f"{number(sim.sensitivity_inflation(kernel, h))} times** as far as noise of this size at "
        "each point by itself pays for. Averaging over a neighbourhood removes independent noise."
    )
    if values["noise"] == "independent" and not math.isnan(actual):
        yield Note(
            f"**{title}.** {text} What is drawn now is **not** (ε, δ)-private at "
            f"ε = {number(values.number('epsilon'))}, δ = {number(values.number('n') ** -2.0)}: "
            f"the δ that holds at this ε is **{number(actual)}**.",
            "warning",
        )
    else:
        yield Fold(title, [Text(text)])


TAB = common.tab(
    "classifier",
    "Classifier",
    usual=plan(_SETTINGS, replicates=20),
    inputs=(
        Slider("epsilon", "Budget ε of every server", decades(-1, 1)),
        Slider("bandwidth", "Bandwidth h", steps(0.05, 1.0, 0.05)),
        Slider("weight", "Weight of the target w", steps(0.0, 1.0, 0.05)),
        common.KERNEL,
        Switch("noise", "Noise", NOISES),
        seed("Seed of the draw"),
        Folded(
            "Sizes, signal exponent, calibration",
            (
                Slider("n", "Records of each server n", decades(2, 5, whole=True)),
                Slider("m", "Number of sources m", decades(0, 2, whole=True)),
                common.SIGNAL,
                Switch("mechanism", "Calibration", common.MECHANISMS),
            ),
        ),
    ),
    compute=_look,
    cannot="These parameters cannot be drawn.",
    answer=lambda look: answer(look[-1]),
    blocks=drawn,
    privacy=f"{sim.PRIVACY} Noise drawn by point is **not** private at its ε. Moving the budget "
    "rescales the same noise path; real releases draw a new one.",
    after=_guarantee,
    below=_independent,
)
