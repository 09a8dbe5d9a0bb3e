"""Tables of the hospitals: accuracies on both grids, the files, what the budget amounts to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from pages.charts import words
from pages.core import Block, Heading, Note, Table, Text
from sims import paper_acc as sim
from sims.engine import Estimate, Progress

BASES = {"2": "Base 2", "e": "Natural logarithm"}
SHORT = {
    **{name: text.split(":")[0] for name, text in sim.RULES.items()},
    sim.BASELINE: "Always “no disease”",
}


def grids(progress: Progress) -> Iterable[Block]:
    """Accuracies on both grids of bandwidths, side by side."""
    found: dict[tuple[str, str], dict[float, Estimate]] = {}
    for point, estimate in progress.seen(0):
        rule, variant = point.settings.word("rule"), point.settings.word("variant")
        if point.settings["metric"] == sim.METRICS[0] and rule in sim.RULES:
            found.setdefault((rule, variant), {})[point.x] = estimate
    other = next(variant for _, variant in found if variant)
    names = {"": next(name for name in BASES.values() if name != other), other: other}
    yield Heading("Both grids of bandwidths", anchor=True)
    columns: dict[str, list[str]] = {
        "Rule": [SHORT[rule] for rule, _ in found],
        "Grid": [names[variant] for _, variant in found],
    }
    for x in next(iter(found.values())):
        head = "No privacy" if math.isinf(x) else f"ε = {words.number(x)}"
        columns[head] = [words.around(row[x], words.tenths) for row in found.values()]
    yield Table(columns, "Accuracy by rule, grid of bandwidths and budget")


def sites(found: Sequence[sim.Hospital], wards: sim.Wards, setting: sim.Setting) -> Iterable[Block]:
    """What was read, what re-centring does, and what the budget amounts to."""
    by_name: Mapping[str, sim.Hospital] = {site.name: site for site in found}
    ordered = [by_name[name] for name in wards.names]
    factors = [sim.hospitals.centred_sensitivity(site.prevalence) for site in ordered]
    yield Heading("The hospitals", anchor=True)
    yield Table(
        {
            "Hospital": [f"{s.name}{' (target)' * (k == 0)}" for k, s in enumerate(ordered)],
            "Rows in the file": [f"{site.rows:,}" for site in ordered],
            "Used for training": [f"{n:,}" for n in wards.sizes],
            "Prevalence": [words.tenths(site.prevalence) for site in ordered],
            "Sensitivity after re-centring": [f"× {words.number(x)}" for x in factors],
        },
        "Records and prevalence by hospital",
    )
    for note in wards.notes:
        yield Note(words.md(note))
    yield Text(
        "**Re-centring** takes the hospital's own prevalence off its labels. Without it a "
        "hospital with 93 % disease pulls every answer towards disease. It costs privacy: one "
        "record then moves the statistic by up to √2 max(p, 1 − p), and its mean label p is "
        "itself computed from the records, which is not paid for at all."
    )
    yield from _effective(wards, factors, setting)


def _effective(wards: sim.Wards, factors: Sequence[float], setting: sim.Setting) -> Iterable[Block]:
    """The budget that the added noise really gives, by site."""
    yield Heading("What the budget amounts to", anchor=True)
    centred = factors if setting.centred else [1.0] * len(factors)
    columns = {"Hospital": [*wards.names, "Scaling, all hospitals"]}
    grids = {}
    for epsilon in (e for e in sim.hospitals.EPSILONS if math.isfinite(e)):
        rows = sim.hospitals.servers(wards, epsilon)
        found = grids[epsilon] = sim.grid(rows, len(sim.COVARIATES), base=setting.base)
        reached = [
            sim.hospitals.effective_epsilon(
                epsilon, row.delta or 0.5, factor, bandwidths=found.size, split=setting.split
            )
            for row, factor in zip(rows, centred, strict=True)
        ]
        columns[f"ε = {words.number(epsilon)}"] = [words.number(x) for x in [*reached, math.inf]]
    yield Table(columns, "Effective epsilon by hospital and nominal epsilon")
    sizes = sorted(found.size for found in grids.values())
    many = f"{words.span(str(sizes[0]), str(sizes[-1]))} bandwidth{'s' * (sizes[-1] > 1)}"
    known = "The larger sensitivity after re-centring is included, p taken as public. "
    yield Note(
        "The ε that all of a hospital's releases give together at δ = 1/n², one per bandwidth, "
        "composed as Gaussian mechanisms; budget over bandwidths: "
        f"{sim.SPLITS[setting.split]}. {known * setting.centred}The grid has {many}: "
        f"{', '.join(words.number(h) for h in grids[1.0].bandwidths)}"
        f"{' at ε = 1' * (sizes[0] < sizes[-1])}. "
        "A value above the nominal ε means too little noise, one below it more than needed."
    )
    yield Text(
        "**Scaling has no finite ε.** The exact smallest and largest values are used without "
        "noise, and whoever classifies a new record has to know them. Replacing one record by an "
        "extreme one changes them and with them every scaled value, so the two data sets are told "
        "apart with certainty: no finite ε with δ < 1 covers that."
    )
