"""The app's one configuration file can be read, and links have contrast, in captions too."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from pages.charts import theme

CONFIG = Path(__file__).resolve().parents[2] / ".streamlit" / "config.toml"
FAINT = 0.6  # a caption is drawn at this part of its colour


def luminance(colour: list[float]) -> float:
    parts = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in colour]
    return sum(w * x for w, x in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


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
