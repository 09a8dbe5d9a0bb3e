"""The app's one configuration file can be read; its colours have contrast and can be told apart."""

from __future__ import annotations

import math
import tomllib
from itertools import combinations
from pathlib import Path

import pytest

from pages.charts import theme

CONFIG = Path(__file__).resolve().parents[2] / ".streamlit" / "config.toml"
FAINT = 0.6  # a caption is drawn at this part of its colour
# What is seen of red, green and blue without one kind of cone: Machado, Oliveira, Fernandes 2009,
# severity 1, on linear light.
DEFICIENT = {
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
XYZ = (  # of linear sRGB, each by the white of D65
    (0.433953, 0.376219, 0.189828),
    (0.212671, 0.715160, 0.072169),
    (0.017758, 0.109477, 0.872765),
)
MEANINGS = (theme.PRIVACY, theme.SAMPLE, theme.BIAS, theme.UNLIKE, theme.NONE)
CLOSEST = 11  # between two meanings, as CIE 1976 measures


def linear(colour: list[float]) -> list[float]:
    return [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in colour]


def luminance(colour: list[float]) -> float:
    weights = (0.2126, 0.7152, 0.0722)
    return sum(w * x for w, x in zip(weights, linear(colour), strict=True))


def times(matrix: tuple[tuple[float, ...], ...], colour: list[float]) -> list[float]:
    mixed = (sum(w * x for w, x in zip(row, colour, strict=True)) for row in matrix)
    return [min(1.0, max(0.0, x)) for x in mixed]


def lab(light: list[float]) -> tuple[float, float, float]:
    """Lightness, red against green, yellow against blue of linear light."""
    x, y, z = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in times(XYZ, light)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def rgb(text: str) -> list[float]:
    return [int(text[k : k + 2], 16) / 255 for k in (1, 3, 5)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_links_in_captions_have_contrast(scheme):
    colours = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"][scheme]
    link, paper = rgb(colours["linkColor"]), rgb(colours["backgroundColor"])
    drawn = [FAINT * a + (1 - FAINT) * b for a, b in zip(link, paper, strict=True)]
    low, high = sorted([luminance(drawn), luminance(paper)])
    assert (high + 0.05) / (low + 0.05) >= 4.6


def test_figures_and_the_app_have_the_same_colours():
    themes = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]
    names = {
        "orange": "privacy",
        "blue": "sample",
        "violet": "bias",
        "green": "unlike",
        "gray": "none",
    }
    light = {cause: themes["light"][f"{name}Color"] for name, cause in names.items()}
    assert {cause: theme.COLOURS[cause] for cause in names.values()} == light
    dark = [themes["dark"][f"{name}Color"] for name in names]
    assert theme.dark([*light.values()]) == dark
    assert {scheme: themes[scheme]["textColor"] for scheme in ("light", "dark")} == theme.INK


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_beside_axes_have_contrast(scheme):
    themes = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]
    drawn = theme.QUIET if scheme == "light" else theme.dark(theme.QUIET)
    low, high = sorted(luminance(rgb(x)) for x in (drawn, themes[scheme]["backgroundColor"]))
    assert (high + 0.05) / (low + 0.05) >= 4.6


@pytest.mark.parametrize("deficiency", DEFICIENT)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_meanings_are_told_apart_without_one_kind_of_cone(scheme, deficiency):
    drawn = [theme.COLOURS[meaning] for meaning in MEANINGS]
    drawn = drawn if scheme == "light" else theme.dark(drawn)
    seen = [lab(times(DEFICIENT[deficiency], linear(rgb(one)))) for one in drawn]
    apart = {
        pair: math.dist(*both)
        for pair, both in zip(combinations(MEANINGS, 2), combinations(seen, 2), strict=True)
    }
    assert min(apart.values()) >= CLOSEST, min(apart, key=apart.__getitem__)
