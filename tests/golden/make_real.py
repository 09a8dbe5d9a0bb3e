"""Make sims/real/stored.json anew: what the default run of every public data set says.

    python tests/golden/make_real.py

It needs the extra [real]; `tests/sims/real` holds the file equal to a run.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sims.engine import Request, run
from sims.real import REAL, SETS, findings, load
from sims.real.results import to_dict

FILE = Path(__file__).resolve().parents[2] / "sims/real/stored.json"


def row(key: str) -> dict[str, Any]:
    """Return what is stored of one data set."""
    sites = load(key)
    request = Request(experiment=REAL, values={"data": key}, replicates=REAL.replicates)
    *_, last = run(request)
    return to_dict(sites, findings(last, sites))


def main() -> None:
    """Write the file."""
    rows = ",\n".join(json.dumps(row(one.key), allow_nan=False) for one in SETS)
    FILE.write_text(f"[\n{rows}\n]\n", "utf-8")


if __name__ == "__main__":
    main()
