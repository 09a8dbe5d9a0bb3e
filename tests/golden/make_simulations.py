"""Run Figures 3 to 5 and 7 and Theorems 5.1 and 5.3 of [ACC]: what the ledger's claims rest on.

`python tests/golden/make_simulations.py [name ...]` rewrites the runs named, all by default, and
leaves the others as they stand. About 15 minutes of one processor for all. The hospitals of
Figure 7 are read from ../shared/data/heart; none of their records is stored.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sims.acc import hospitals
from sims.acc.heart import read_hospital
from sims.acc.verdicts import Claim, claims, judged, paired
from sims.engine.experiment import Experiment, Request
from sims.engine.runs import Progress, run
from sims.experiments import find

FILE = Path(__file__).resolve().parents[2] / "rates" / "ledger" / "simulations.json"
HEART = Path(__file__).resolve().parents[3] / "shared" / "data" / "heart"
SITES = {
    **{"Hungary": "hungarian", "Cleveland": "cleveland", "Long Beach": "va"},
    "Switzerland": "switzerland",
}
ONE = {"bins": "shifted", "noise": "laplace"}
# Name, experiment, values and replicates; the seed is 0 everywhere.
RUNS: dict[str, tuple[str, dict[str, Any], int]] = {
    "figure-3": ("figure-3", {}, 200),
    "figure-4": ("figure-4", {}, 100),
    "figure-4-unsplit": ("figure-4", {"split": "unsplit", **ONE}, 100),
    "figure-5": ("figure-5", {"bins": "shifted", "noise": "laplace"}, 60),
    **{
        f"hospitals-{kernel}-{base}": ("hospitals", {"kernel": kernel, "base": base}, 200)
        for kernel in ("triangular", "gaussian")
        for base in "2e"
    },
}
for theorem, last in (("5.1", 16), ("5.3", 15)):
    sizes = {"theorem": theorem, "n": [2**k for k in range(8, last + 1)]}
    RUNS[f"growth-{theorem}"] = "adaptive-growth", sizes, 40


def wards() -> hospitals.Wards:
    """Read the hospitals of Figure 7."""
    found = [
        read_hospital((HEART / f"processed.{file}.data").read_text("utf-8"), site)
        for site, file in SITES.items()
    ]
    return hospitals.prepare(found[0], found[1:])


def asked(
    experiment: str, values: dict[str, Any]
) -> tuple[Experiment, dict[str, Any], Callable[[Progress], tuple[Claim, ...]]]:
    """Return an experiment, the values that it is asked with, and what judges its run."""
    if experiment == "hospitals":
        return hospitals.experiment(wards()), values, claims
    if experiment == "adaptive-growth":
        return find(experiment), values, kept_to
    return find(experiment), values, claims


def kept_to(progress: Progress) -> tuple[Claim, ...]:
    """Return the claim that a risk is at most its bound, at every size and budget of a run."""
    points = progress.request.points
    rows = [
        (f"n = {point.x:.0f}, {point.series}", 1.0 - ratios)
        for point, ratios in zip(points, paired(progress), strict=True)
    ]
    return tuple(judged("bound", "The excess risk is at most the bound.", rows))


def made(name: str, replicates: int | None = None) -> tuple[dict[str, Any], tuple[Claim, ...]]:
    """Run one of `RUNS` and return what its entry has to hold, and the claims themselves."""
    experiment, values, count = RUNS[name]
    one, given, judged = asked(experiment, values)
    request = Request(experiment=one, values=given, replicates=replicates or count, seed=0)
    *_, last = run(request)
    found = judged(last)
    entry = {
        "experiment": experiment,
        "values": values,
        "replicates": request.replicates,
        "seed": 0,
        "claims": {
            claim.name: [
                [d.where, float(f"{d.mean:.5g}"), float(f"{d.stderr:.5g}")]
                for d in claim.differences
            ]
            for claim in found
        },
    }
    return entry, found


def as_text(runs: dict[str, Any]) -> str:
    """Return the file of some runs, a claim a line."""
    parts = []
    for name, entry in runs.items():
        head = json.dumps({key: x for key, x in entry.items() if key != "claims"})
        claims = ",\n".join(
            f"  {json.dumps(key)}: {json.dumps(x, allow_nan=False)}"
            for key, x in entry["claims"].items()
        )
        parts.append(f'{json.dumps(name)}: {head[:-1]}, "claims": {{\n{claims}\n}}}}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(names: list[str]) -> None:
    """Rewrite the runs named."""
    for name in names or list(RUNS):
        entry, found = made(name)
        stored = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
        kept = {**stored, name: entry}
        ordered = {key: kept[key] for key in RUNS if key in kept}
        FILE.write_text(as_text(ordered), "utf-8")
        for claim in found:
            print(f"{name}  {claim.name}: {claim.verdict}")


if __name__ == "__main__":
    main(sys.argv[1:])
