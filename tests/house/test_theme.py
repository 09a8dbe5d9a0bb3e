"""The app's one configuration file can be read; its colours have contrast and can be told apart."""

from __future__ import annotations

import math
import tomllib
from itertools import combinations

import numpy as np
import pytest

from pages.charts import theme
from tests.house.tree import ROOT

THEMES = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
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


def rgb(text: str) -> np.ndarray:
    return np.array([int(text[k : k + 2], 16) / 255 for k in (1, 3, 5)])


def linear(colour: np.ndarray) -> np.ndarray:
    return np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)


def lab(light: np.ndarray) -> tuple[float, float, float]:
    """Lightness, red against green, yellow against blue of linear light."""
    mixed = np.clip(np.array(XYZ) @ light, 0, 1)
    cubic = mixed > 216 / 24389
    x, y, z = np.where(cubic, np.cbrt(mixed), (24389 / 27 * mixed + 16) / 116)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def contrast(one: np.ndarray, other: np.ndarray) -> float:
    low, high = sorted(np.dot((0.2126, 0.7152, 0.0722), linear(x)) for x in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_links_in_captions_and_words_beside_axes_have_contrast(scheme):
    colours = THEMES[scheme]
    link, paper = rgb(colours["linkColor"]), rgb(colours["backgroundColor"])
    quiet = rgb(theme.QUIET if scheme == "light" else theme.dark(theme.QUIET))
    assert contrast(FAINT * link + (1 - FAINT) * paper, paper) >= 4.6
    assert contrast(quiet, paper) >= 4.6


def test_figures_and_the_app_have_the_same_colours():
    names = dict(orange="privacy", blue="sample", violet="bias", green="unlike", gray="none")
    light, dark = ([THEMES[x][f"{name}Color"] for name in names] for x in ("light", "dark"))
    assert [theme.COLOURS[cause] for cause in names.values()] == light
    assert theme.dark(light) == dark
    assert {scheme: THEMES[scheme]["textColor"] for scheme in ("light", "dark")} == theme.INK


@pytest.mark.parametrize("deficiency", DEFICIENT)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_meanings_are_told_apart_without_one_kind_of_cone(scheme, deficiency):
    drawn = [theme.COLOURS[meaning] for meaning in MEANINGS]
    drawn = drawn if scheme == "light" else theme.dark(drawn)
    mixed = [np.array(DEFICIENT[deficiency]) @ linear(rgb(one)) for one in drawn]
    seen = dict(zip(MEANINGS, (lab(np.clip(one, 0, 1)) for one in mixed), strict=True))
    apart = {pair: math.dist(*map(seen.get, pair)) for pair in combinations(MEANINGS, 2)}
    assert min(apart.values()) >= CLOSEST, min(apart, key=apart.__getitem__)
