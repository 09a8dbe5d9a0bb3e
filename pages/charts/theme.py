"""One look for one meaning on every page; never colour alone."""

from __future__ import annotations

PRIVACY, SAMPLE, NONE, MIXED = "privacy", "sample", "none", "mixed"
BIAS, UNLIKE = "bias", "unlike"
COLOURS = {
    PRIVACY: "#d1682b",
    SAMPLE: "#3b82c4",
    NONE: "#8a94a3",
    MIXED: "#6d7683",
    BIAS: "#7b4fb5",
    UNLIKE: "#1b8a7a",
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
LOOKS = (  # colour, marker, dash of the theory
    (COLOURS[BIAS], "circle", "solid"),
    (COLOURS[UNLIKE], "diamond", "dash"),
    (COLOURS[PRIVACY], "square", "dashdot"),
    (COLOURS[SAMPLE], "triangle-up", "longdash"),
    ("#b8476f", "cross", "longdashdot"),
    ("#8a7a1f", "star", "dash"),
    (COLOURS[MIXED], "triangle-down", "dot"),
    ("#4a6fe3", "pentagon", "solid"),
    ("#5d9c3b", "hexagram", "dash"),
    ("#c0392b", "x", "dashdot"),
    ("#9b6bcc", "bowtie", "longdash"),
    ("#2f6f6a", "hourglass", "longdashdot"),
)
EQUATION, MECHANISM = COLOURS[SAMPLE], COLOURS[PRIVACY]
INK = {"light": "#0b1016", "dark": "#e8edf4"}  # as the app's themes have it: .streamlit/config.toml
PREDICTION = ("#b8476f", "star", "dash")  # a reader's own, in the lessons
TRUTH = ("#4b8a2a", "triangle-up")
RULE = "rgba(128,128,128,0.9)"


def look(place: int) -> tuple[str, str, str]:
    """Return colour, marker and dash of a series."""
    return LOOKS[place % len(LOOKS)]
