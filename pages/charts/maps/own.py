"""The current study over two of its numbers: labels in words, looks, and the map as a figure."""

from __future__ import annotations

import functools

from pages.charts import Figure, label, theme, words
from pages.charts.maps import plane
from rates.answer import Lens
from rates.landscape import TRIVIAL, Axis, Label, Landscape, Moved, around, landscape
from rates.study import Study, TransferStudy

ANSWERS = {"equation": "Rate equation", "mechanism": "Named mechanism"}
# Privacy and sampling differ by hue and hatch as on every page, sites by depth and hatch.
_DEPTHS = {
    theme.PRIVACY: ("#b5511b", "#e79a68", "#cf7740", "#f1bf9c", "#8a3a10", "#dd8550"),
    theme.SAMPLE: ("#2563a8", "#86b6e3", "#4f8cc9", "#b9d5f0", "#17406f", "#6aa3da"),
}
_HATCHES = {theme.PRIVACY: ("/", "\\", "x"), theme.SAMPLE: ("", "-", "|")}
_LETTERS = 12  # of a site's name on the map
_BINDS = {theme.PRIVACY: "privacy", theme.SAMPLE: "sampling"}
_ALL = {
    "n": "All records",
    "epsilon": "All private budgets",
    "count": "All numbers of sites",
}
_ONE = {
    "n": "Records n of {}",
    "epsilon": "Budget ε of {}",
    "signal_exponent": "Signal exponent γ of {}",
    "count": "Number of sites of {}",
}

made = functools.lru_cache(maxsize=64)(landscape)


def named(study: Study, moved: Moved) -> str:
    """Return what an axis moves, in words; a site's name is the user's."""
    if moved.row is None:
        return f"× {within(study, moved)}"
    return _ONE[moved.quantity].format(study.servers[moved.row].name)


def within(study: Study, moved: Moved) -> str:
    """Return the same within a sentence."""
    return named(study, moved) if moved.row is not None else _ALL[moved.quantity].lower()


def stated(moved: Moved, at: float) -> str:
    """Return a value of an axis in words, with a times sign for a factor."""
    return f"{'× ' if moved.row is None else ''}{words.number(at)}"


def lens_of(answer: str, risk: str) -> Lens:
    """Return one of the two answers for a risk."""
    return Lens(risk=risk, mechanism=None if answer == "equation" else "analytic")


def site(study: Study, found: Label) -> str:
    """Return who carries most; a site's name is the user's."""
    return "another site" if found.row is None else study.servers[found.row].name


def said(study: Study, found: Label) -> str:
    """Return a label in words; a site's name is the user's."""
    if found == TRIVIAL:
        return "nobody: rate 1"
    return f"{site(study, found)}: {theme.LIMITS[found.limit]}"


def map_of(study: Study, x: str, y: str, reach: float, answer: str, risk: str) -> Figure:
    """Draw who carries most over two numbers of a study, and what binds them.

    Args:
        study: The study.
        x: What moves across, as `rates.landscape.Moved` writes it.
        y: What moves upwards.
        reach: Factor below and above the study that a logarithmic axis shows.
        answer: "equation" or "mechanism".
        risk: Which error counts.
    """
    axes = [around(study, Moved.of(text), reach) for text in (x, y)]
    found = made(study, *axes, lens_of(answer, risk))
    looks = _looks(study, found)
    picture = plane.Plane(
        regions={said(study, key): polygons for key, polygons in found.regions.items()},
        looks={said(study, key): look for key, look in looks.items()},
        x=_axis(study, found.x),
        y=_axis(study, found.y),
        here=found.here,
    )
    parts = ", ".join(
        f"{said(study, key)} {words.percent(area)}" for key, area in found.areas.items()
    )
    return plane.draw(
        picture,
        title=_title(study, found.own),
        alt=f"Map of the study, {named(study, found.x.moved)} against "
        f"{named(study, found.y.moved)}, by the {ANSWERS[answer].lower()}. Parts of the map: "
        f"{parts}. The study's point: {said(study, found.own)}.",
        name="own-map",
        caption=_caption(study, found, answer),
    )


def _title(study: Study, own: Label) -> str:
    if own == TRIVIAL:
        return "Here the rate is 1: no site carries anything"
    return f"{label(site(study, own), 20)} carries most, {_BINDS[own.limit]} binds"


def _axis(study: Study, axis: Axis) -> plane.Axis:
    title = label(named(study, axis.moved), 44)
    return plane.Axis(title, axis.moved.log, axis.low, axis.high)


def _looks(study: Study, found: Landscape) -> dict[Label, plane.Look]:
    """Give each label a look: hue and hatch for what binds, depth for the site."""
    rows = sorted({key.row for key in (*found.regions, found.own) if key.row is not None})
    out = {}
    for key in (*found.regions, found.own):
        if key == TRIVIAL:
            out[key] = plane.Look(theme.COLOURS[theme.NONE], ".", said(study, key), "rate 1")
            continue
        place = len(rows) if key.row is None else rows.index(key.row)
        depths, hatches = _DEPTHS[key.limit], _HATCHES[key.limit]
        target = isinstance(study, TransferStudy) and key.row == 0
        mark = theme.TARGET_MARK if target else theme.SOURCE_MARK
        name = site(study, key)
        out[key] = plane.Look(
            depths[place % len(depths)],
            hatches[place // len(depths) % len(hatches)],
            f"{mark} {label(name)}: {theme.LIMITS[key.limit]}",
            f"{mark} {label(name, _LETTERS)}",
        )
    return out


def _caption(study: Study, found: Landscape, answer: str) -> str:
    if answer == "equation":
        how = "On each row of the map the ends of regions are exact, by the rate equation."
    else:
        how = (
            "By the named mechanism ends are located to 1e-6 of the axis; a part of a row "
            "thinner than 1/32 of it can be missed."
        )
    said = [how, "Of equal shares the first in the table is named."]
    if found.grouped:
        said.append(f"The {found.grouped} smallest labels are put together as another site.")
    return " ".join(said)
