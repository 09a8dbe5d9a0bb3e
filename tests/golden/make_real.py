"""Make sims/real/stored.json anew: what the default run of every public data set says.

    python tests/golden/make_real.py

It needs the extra [real]; `tests/sims/real` holds the file equal to a run.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sims.engine import Request, run
from sims.real import REAL, SETS, Findings, Sites, Stored, findings, heterogeneity, load

FILE = Path(__file__).resolve().parents[2] / "sims/real/stored.json"


def to_dict(sites: Sites, found: Findings) -> dict[str, Any]:
    """Return what is stored of a run as plain data, numbers to twelve digits."""
    row = Stored(
        key=sites.key,
        sites=sites.m,
        records=sites.records,
        differ=heterogeneity(sites).told(sites),
        findings=found,
    )
    plain: dict[str, Any] = _plain(asdict(row))
    return plain


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    if isinstance(value, float):
        return float(f"{value:.12g}") if math.isfinite(value) else None
    return value


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
