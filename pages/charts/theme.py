"""One look for one meaning on every page; never colour alone.

A colour means a cause. Figures are made with the light colours; `dark` gives those for dark paper.
"""

from __future__ import annotations

from typing import Any

PRIVACY, SAMPLE, NONE, MIXED = "privacy", "sample", "none", "mixed"
BIAS, UNLIKE = "bias", "unlike"
COLOURS = {
    PRIVACY: "#C44E00",
    SAMPLE: "#0072B2",
    NONE: "#8A857B",
    MIXED: "#6D6A62",
    BIAS: "#A8457F",
    UNLIKE: "#007656",
}
QUIET = "#55514A"  # words beside the axes
# Hue and meaning stay; lightness turns, or words of a colour could not be read.
_DARK = {
    COLOURS[PRIVACY]: "#F0894A",
    COLOURS[SAMPLE]: "#5AAAE0",
    COLOURS[NONE]: "#908C84",
    COLOURS[MIXED]: "#BDB8AE",
    COLOURS[BIAS]: "#D67FB3",
    COLOURS[UNLIKE]: "#43CAA1",
    QUIET: "#BDB8AE",
    "#F0A070": "#8A4F2A",
    "#E06C2B": "#BF6A33",
    "#A23F00": "#F0A56F",
    "#592300": "#FBD9C2",
}
HATCHES = {PRIVACY: "/", SAMPLE: "", NONE: ".", MIXED: "x", BIAS: "\\", UNLIKE: "-"}
LIMITS = {
    PRIVACY: "privacy binds",
    SAMPLE: "sampling binds",
    NONE: "nothing to contribute",
    MIXED: "several rows together",
}
CAUSES = (  # of an error, in the order of `rates.answer.CAUSES`: look and words
    (BIAS, "bias"),
    (SAMPLE, "sampling"),
    (PRIVACY, "privacy noise"),
    (UNLIKE, "sites that differ"),
)
TARGET_MARK, SOURCE_MARK = "◆", "○"
GREY = COLOURS[NONE]
# No two of the first four share hue, mark or dash: none is told by colour alone.
LOOKS = (  # colour, marker, dash of the theory
    (COLOURS[BIAS], "circle", "solid"),
    (COLOURS[UNLIKE], "diamond", "dash"),
    (COLOURS[PRIVACY], "square", "dashdot"),
    (COLOURS[SAMPLE], "triangle-up", "longdash"),
    ("#B07C00", "cross", "longdashdot"),
    ("#8a7a1f", "star", "dash"),
    (COLOURS[MIXED], "triangle-down", "dot"),
    ("#4a6fe3", "pentagon", "solid"),
    ("#c0392b", "x", "dashdot"),
)
# By budget, from loose to strict: darker is stricter, on dark paper brighter.
RAMP = ("#F0A070", "#E06C2B", "#A23F00", "#592300")
EQUATION, MECHANISM = COLOURS[SAMPLE], COLOURS[PRIVACY]
ANSWERS = (  # name, colour, marker and dash
    ("Rate equation", EQUATION, "circle", "solid"),
    ("Named mechanism", MECHANISM, "diamond", "dash"),
)
INK = {"light": "#191714", "dark": "#ECE9E2"}  # as the app's themes have it: .streamlit/config.toml
PREDICTION = ("#b8476f", "star", "dash")  # a reader's own, in the lessons
TRUTH = ("#4b8a2a", "triangle-up")
RULE = "rgba(128,128,128,0.9)"


def look(place: int) -> tuple[str, str, str]:
    """Return colour, marker and dash of a series."""
    return LOOKS[place % len(LOOKS)]


def strict(place: int, count: int) -> str:
    """Return the colour of a budget among others, the strictest last.

    >>> strict(0, 2), strict(1, 2)
    ('#F0A070', '#592300')
    """
    return RAMP[-1] if count < 2 else RAMP[round(place * (len(RAMP) - 1) / (count - 1))]


def dark(value: Any) -> Any:
    """Return what a figure is told, with the colours for dark paper.

    >>> dark({"line": {"color": "#0072B2"}, "x": [1, 2]})
    {'line': {'color': '#5AAAE0'}, 'x': [1, 2]}
    """
    if isinstance(value, dict):
        return {key: dark(one) for key, one in value.items()}
    if isinstance(value, list):
        return [dark(one) for one in value]
    return _DARK.get(value, value) if isinstance(value, str) else value
