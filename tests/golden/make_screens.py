"""Store what every page and tab shows, or compare with what is stored.

    python tests/golden/make_screens.py                    # write tests/golden/screens/*.json.gz
    python tests/golden/make_screens.py --check            # compare; 1 if something differs
    python tests/golden/make_screens.py --only phases      # the screens of one page, or by title

Of each of `screens.py` is stored what `record.py` reads there. A difference is told as the screen,
the element, and old -> new; also when it is written, as what is accepted. What is stored changes
only together with a commit that says why.
"""

from __future__ import annotations

import argparse
import difflib
import gzip
import json
import math
import os
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from operator import attrgetter
from pathlib import Path

HERE = Path(__file__).resolve().parent
STORE = HERE / "screens"
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # before NumPy is loaded
    os.environ.setdefault(name, "1")
os.environ["PRIVATE_RATES_VERSION"] = "0.1.0"  # not the commit, which no two screens share

from record import prepare, recorded  # noqa: E402
from screens import SCREENS  # noqa: E402

Page = dict[str, list[str]]  # by title, the lines of a screen
RELATIVE, ABSOLUTE, WIDTH = 2e-7, 1e-11, 160
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
# Their noise paths are made of eigenvectors of nearly equal eigenvalues, which differ between
# processors: of these the elements are compared, not the numbers.
OF_A_MACHINE = {"classification: classifier, other", "classification: own files"}


# How two records differ ---------------------------------------------------------------------------


def differences(before: Page, now: Page, *, most: int) -> list[str]:
    """Return lines that say what differs: a screen's name, then its differences, indented.

    Screens that differ in the same way are named together.
    """
    alike: dict[tuple[str, ...], list[str]] = {}
    for title in now:
        both = [before.get(title, ["not stored"]), now[title]]
        if title in OF_A_MACHINE:
            both = [[line for line in x if line[0] != " "] for x in both]
        if told := tuple(_changes(*both)):
            alike.setdefault(told, []).append(title)
    out: list[str] = []
    for told, titles in alike.items():
        out += [*titles, *(f"  {line}" for line in told[:most])]
        if len(told) > most:
            out.append(f"  … and {len(told) - most} more lines (--most N)")
    return out


def _changes(old: list[str], new: list[str]) -> Iterator[str]:
    """What was taken away and added; lines that differ by numbers alone are told side by side."""
    forms = [[_NUMBER.sub("#", line) for line in x] for x in (old, new)]
    codes = [("equal", 0, len(old), 0, len(new))]
    if forms[0] != forms[1]:
        codes = difflib.SequenceMatcher(None, *forms, autojunk=False).get_opcodes()
    for kind, a, b, c, d in codes:
        if kind == "equal":
            for before, now in zip(old[a:b], new[c:d], strict=True):
                if not all(map(_close, _NUMBER.findall(before), _NUMBER.findall(now))):
                    yield f"~ {before[:WIDTH]} -> {now.strip()[:WIDTH]}"
        else:
            yield from (f"- {line[:WIDTH]}" for line in old[a:b])
            yield from (f"+ {line[:WIDTH]}" for line in new[c:d])


def _close(old: str, new: str) -> bool:
    return old == new or math.isclose(float(old), float(new), rel_tol=RELATIVE, abs_tol=ABSOLUTE)


# The stored ones ----------------------------------------------------------------------------------


def stored(name: str) -> Page:
    """Return what is stored of a page."""
    path = STORE / f"{name}.json.gz"
    return json.loads(gzip.decompress(path.read_bytes())) if path.exists() else {}


def write(name: str, page: Page) -> None:
    """Store a page; a screen that is none any more goes."""
    kept = {one.title: page[one.title] for one in SCREENS if one.title in page}
    data = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
    (STORE / f"{name}.json.gz").write_bytes(gzip.compress(data.encode(), 9, mtime=0))


def main() -> int:
    """Write, or compare and return 1 if something differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with what is stored")
    parser.add_argument("--only", nargs="+", default=[], help="pages, or titles")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--most", type=int, default=12, help="lines of difference per screen")
    asked = parser.parse_args()
    chosen = [x for x in SCREENS if not asked.only or {x.page, x.title} & {*asked.only}]
    by_page = attrgetter("page")
    shares = [list(share) for _, share in groupby(sorted(chosen, key=by_page), by_page)]
    told, began = [], time.perf_counter()
    with ProcessPoolExecutor(asked.processes, initializer=prepare) as pool:
        for share, (page, seconds) in zip(shares, pool.map(recorded, shares), strict=True):
            name = share[0].page
            print(f"{seconds:6.1f} s  {name} ({len(share)})", file=sys.stderr)
            told += differences(stored(name), page, most=asked.most)
            if not asked.check:
                write(name, stored(name) | page)
    print("\n".join(told))
    many = sum(not line.startswith(" ") for line in told)
    print(f"{many} of {len(chosen)} screens in {time.perf_counter() - began:.0f} s differ.")
    return 1 if told and asked.check else 0


if __name__ == "__main__":
    raise SystemExit(main())
