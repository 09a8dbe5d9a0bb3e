"""Run Figures 3 to 5 of [ACC] and store what the ledger's claims rest on.

`python tests/golden/make_simulations.py [name ...]` rewrites the runs named, all by default, and
leaves the others as they stand. About 10 minutes of one processor for all.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from sims.engine.experiment import Request
from sims.engine.runs import run
from sims.experiments import find
from sims.paper_acc.figure_claims import Claim, claims

FILE = Path(__file__).resolve().parents[2] / "rates" / "claims" / "simulations.json"
ONE = {"bins": "shifted", "noise": "laplace"}
# Name, experiment, values and replicates; the seed is 0 everywhere.
RUNS: dict[str, tuple[str, dict[str, Any], int]] = {
    "figure-3": ("figure-3", {}, 200),
    "figure-4": ("figure-4", {}, 100),
    "figure-4-unsplit": ("figure-4", {"split": "unsplit", **ONE}, 100),
    "figure-5": ("figure-5", {"bins": "shifted", "noise": "laplace"}, 60),
}


def made(name: str, replicates: int | None = None) -> tuple[dict[str, Any], tuple[Claim, ...]]:
    """Run one of `RUNS` and return what its entry has to hold, and the claims themselves."""
    experiment, values, count = RUNS[name]
    request = Request(
        experiment=find(experiment), values=values, replicates=replicates or count, seed=0
    )
    *_, last = run(request)
    found = claims(last)
    entry = {
        "experiment": experiment,
        "values": values,
        "replicates": request.replicates,
        "seed": 0,
        "claims": {
            claim.name: [
                {
                    "where": d.where,
                    "mean": float(f"{d.mean:.5g}"),
                    "stderr": float(f"{d.stderr:.5g}"),
                }
                for d in claim.differences
            ]
            for claim in found
        },
    }
    return entry, found


def main(names: list[str]) -> None:
    """Rewrite the runs named."""
    for name in names or list(RUNS):
        entry, found = made(name)
        stored = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
        kept = {**stored, name: entry}
        ordered = {key: kept[key] for key in RUNS if key in kept}
        FILE.write_text(json.dumps(ordered, indent=1, allow_nan=False) + "\n", "utf-8")
        for claim in found:
            print(f"{name}  {claim.name}: {claim.verdict}")


if __name__ == "__main__":
    main(sys.argv[1:])
