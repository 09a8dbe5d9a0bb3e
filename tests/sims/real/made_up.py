"""Small sites for tests: alike or not, with outcomes on [-1, 1] or labels."""

from __future__ import annotations

import numpy as np

from sims.real.sites import Sites, made

WORDS = {"sites": "sites", "records": "records", "x": "x", "y": "y"}


def small(sizes=(200, 120, 80, 60, 40), *, seed=0, apart=0.0, kind="curve", key="small"):
    """Return sites whose mean outcome is a bent line, moved by ``apart`` times a normal draw."""
    rng = np.random.default_rng(seed)
    site = np.repeat(np.arange(len(sizes)), sizes)
    x = rng.random(len(site))
    mean = 0.6 * np.tanh(3.0 * (x - 0.4)) + apart * rng.standard_normal(len(sizes))[site]
    y = np.clip(mean + 0.3 * rng.standard_normal(len(site)), -1.0, 1.0)
    if kind == "classification":
        y = (rng.random(len(site)) < 0.5 + 0.5 * np.clip(mean, -1.0, 1.0)).astype(float)
    return sites_from(site, x, y, kind=kind, key=key)


def sites_from(site, x, y, *, kind="curve", key="small") -> Sites:
    """Return sites of plain arrays."""
    return made(
        key=key,
        title="Made up",
        kind=kind,
        names=[f"s{j:03d}" for j in site],
        x=np.asarray(x, float),
        y=np.asarray(y, float),
        bounds=(-1.0, 1.0) if kind == "curve" else (0.0, 1.0),
        words=WORDS,
    )
