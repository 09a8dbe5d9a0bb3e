"""Store what every page and tab shows, or compare with what is stored.

    python tests/golden/make_screens.py                    # write tests/golden/screens/*.json.gz
    python tests/golden/make_screens.py --check            # compare; 1 if something differs
    python tests/golden/make_screens.py --check --only regression/rate phases
    python tests/golden/make_screens.py --only phases      # write the screens of one page again

Each screen is a link (see screen_links.py and screen_runs.py): elements, figures, files and printed
lines, without times, keys and the texts of links (see screen_record.py). A difference is told as
the screen, the element, and old -> new; also when it is written, as what is accepted. What is
stored changes only together with a commit that names the mended defect.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
STORE = HERE / "screens"
sys.path[:0] = [str(ROOT), str(HERE)]
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # before NumPy is loaded
    os.environ.setdefault(name, "1")
os.environ["PRIVATE_RATES_VERSION"] = "0.1.0"  # not the commit, which no two screens share

import screen_record  # noqa: E402
from screen_compare import differences  # noqa: E402
from screen_links import Screen, plain_pages  # noqa: E402
from screen_runs import live_pages  # noqa: E402

SCREENS = (*plain_pages(), *live_pages())
PAGES = tuple(dict.fromkeys(screen.page for screen in SCREENS))

Page = dict[str, Any]  # {"screens": {title: elements}, "texts": {name: lines}}


def groups(chosen: list[Screen]) -> list[list[Screen]]:
    """Share screens out: those of a tab together, as they share what is computed."""
    by_place: dict[tuple[str, str], list[Screen]] = {}
    for screen in chosen:
        by_place.setdefault((screen.page, screen.tab), []).append(screen)
    return list(by_place.values())


def recorded(chosen: list[Screen], processes: int) -> dict[str, Page]:
    """Return by page what the chosen screens show."""
    pages: dict[str, Page] = {}
    shares = groups(chosen)
    if processes == 1:
        screen_record.prepare()
        _collect(pages, shares, map(screen_record.record_all, shares))
    else:
        with ProcessPoolExecutor(processes, initializer=screen_record.prepare) as pool:
            _collect(pages, shares, pool.map(screen_record.record_all, shares))
    return pages


def _collect(
    pages: dict[str, Page], shares: list[list[Screen]], done: Iterable[tuple[Page, float]]
) -> None:
    for share, (page, seconds) in zip(shares, done, strict=True):
        place = f"{share[0].page}/{share[0].tab}".rstrip("/")
        print(f"{seconds:6.1f} s  {place} ({len(share)})", file=sys.stderr, flush=True)
        whole = pages.setdefault(share[0].page, {"screens": {}, "texts": {}})
        whole["screens"] |= page["screens"]
        whole["texts"] |= page["texts"]


def stored(name: str) -> Page:
    """Return what is stored of a page."""
    path = STORE / f"{name}.json.gz"
    if not path.exists():
        return {"screens": {}, "texts": {}}
    return json.loads(gzip.decompress(path.read_bytes()))


def write(name: str, page: Page) -> int:
    """Store a page; what is not used any more goes. Return the bytes."""
    order = [screen.title for screen in SCREENS if screen.page == name]
    screens = {title: page["screens"][title] for title in order if title in page["screens"]}
    used = json.dumps(screens)
    texts = {key: page["texts"][key] for key in sorted(page["texts"]) if f'"{key}"' in used}
    data = json.dumps(
        {"screens": screens, "texts": texts}, ensure_ascii=False, separators=(",", ":")
    )
    STORE.mkdir(exist_ok=True)
    packed = gzip.compress(data.encode(), 9, mtime=0)
    (STORE / f"{name}.json.gz").write_bytes(packed)
    return len(packed)


def select(only: list[str]) -> list[Screen]:
    """Return the screens of some pages, tabs (page/tab) or titles."""
    if not only:
        return list(SCREENS)
    chosen = [
        screen
        for screen in SCREENS
        if screen.page in only or f"{screen.page}/{screen.tab}" in only or screen.title in only
    ]
    if not chosen:
        raise SystemExit(f"No such screen. Pages: {', '.join(PAGES)}; tabs as page/tab.")
    return chosen


def main() -> int:
    """Write, or compare and return 1 if something differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with what is stored")
    parser.add_argument("--only", nargs="+", default=[], help="pages, page/tab, or titles")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--most", type=int, default=12, help="lines of difference per screen")
    asked = parser.parse_args()
    chosen = select(asked.only)
    began = time.perf_counter()
    pages = recorded(chosen, asked.processes)
    spent = f"{len(chosen)} screens in {time.perf_counter() - began:.0f} s"
    if not asked.check:
        size = 0
        for name, page in pages.items():
            before = stored(name)
            print(*differences(before, page, most=asked.most), sep="\n")
            merged = {part: before[part] | page[part] for part in ("screens", "texts")}
            size += write(name, merged)
        print(f"Wrote {spent}, {size:,} bytes.")
        return 0
    told = []
    for name, page in pages.items():
        told += differences(stored(name), page, most=asked.most)
    print("\n".join(told))
    screens = sum(not line.startswith(" ") for line in told)
    print(f"{screens} of {spent} differ." if told else f"All equal: {spent}.")
    return 1 if told else 0


if __name__ == "__main__":
    raise SystemExit(main())
