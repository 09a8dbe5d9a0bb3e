"""Bad files by their seed: spreadsheets, tables and JSON, damaged, nested, endless, or disguised.

As a program it reads files by every reader that a page has and prints what went wrong, the longest
time and the largest memory: ``python -m tests.fuzz.files FIRST LAST``.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from rates.numbers import DomainError, decode
from rates.orders import inquiry
from rates.rows import read
from rates.study import codec
from sims import files, real
from sims.acc import read_hospital
from sims.bcmm import read_table
from sims.dplr import read_sites
from tests.fuzz import grammar
from tests.fuzz.test_inputs import RATES, RUNS, SITES, STUDIES, TABLES
from tests.rates.rows import test_floods as floods

BIG = 4_000_000  # bytes, as many as a file may have
READERS: tuple[Callable[[bytes], object], ...] = (
    *(read, lambda data: read(data, kind="federated"), lambda data: read(data, kind="")),
    *(codec.open_json, inquiry.from_json, files.read_request),
    *(read_table, read_sites, real.read_csv),
    lambda data: read_hospital(decode(data), "site"),
)
CELLS = (
    *('<c t="s"><v>{}</v></c>', "<c><v>{}</v></c>", '<c t="str"><v>{}</v></c>', "<c><f>{}</f></c>"),
    *('<c r="{}7"><v>1</v></c>', '<c s="{}"><v>2</v></c>', '<c t="{}"><v>3</v></c>', "<c>{}</c>"),
    *(
        '<c t="inlineStr"><is><t>{}</t></is></c>',
        "<c><f>{}</f><v>4</v></c>",
        "<x:{}/>",
        "<!--{}-->",
    ),
)
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252", "cp037", "utf-7")


def bad(seed: int) -> tuple[str, bytes]:
    """Return the name and the bytes of a file."""
    chance = Random(f"file {seed}")
    end, make = chance.choice(list(KINDS.items()))
    made = make(chance)
    if chance.random() < 0.15:
        made = made[: chance.randrange(len(made) + 1)]
    if chance.random() < 0.15:
        at = chance.randrange(len(made) + 1)
        made = made[:at] + chance.randbytes(9) + made[at + 4 :]
    return f"{chance.choice(('a', 'https://evil.example', '<b>', '$x$'))}.{end}", made


def _book(chance: Random) -> bytes:
    what = chance.random()
    if what < 0.1:
        return floods.FLOODS[chance.choice(sorted(floods.FLOODS))]()
    if what < 0.25:
        return floods.entity(*chance.choice([("utf-8",), ("utf-16",), ("latin-1",)]))
    if what < 0.35:
        return floods.laughs(chance.choice(("styles", "workbook", "sheet1", "sharedStrings")))
    words = ("0", "-1", "99", "1e400", "nan", "=1+1", "XFD", "&amp;", "&#0;", "A1", "&x;", "é" * 90)
    rows = "".join(
        f"<row>{''.join(chance.choice(CELLS).format(chance.choice(words)) for _ in range(4))}</row>"
        for _ in range(chance.choice((1, 3, 40)))
    )
    part = chance.choice(("styles", "workbook", "workbook_parts", "sheet1", "sharedStrings"))
    if part == "sheet1":
        return floods.table(rows)
    change = {part: lambda given: grammar.text(chance, given).encode("utf-8", "surrogatepass")}
    return floods.packed(**change)


def _table(chance: Random) -> bytes:
    if chance.random() < 0.1:
        mark = chance.choice([*",;\t|\n \"'-\x00", "a,b\n", "  \n", "| a |\n", "é", "=1,", '"\n'])
        made = mark * (BIG // len(mark) // chance.choice((1, 1, 50)))
    elif chance.random() < 0.2:
        rows, columns = chance.choice(((1, 5000), (20_000, 1), (10_001, 3), (2, 101), (0, 3)))
        made = "\n".join([",".join(f"c{k}" for k in range(columns))] + ["1," * columns] * rows)
    else:
        made = grammar.text(chance, chance.choice(SITES + TABLES))
    return _encoded(chance, made)


def _json(chance: Random) -> bytes:
    what, deep = chance.random(), chance.choice((50, 1000, 200_000))
    if what < 0.2:
        made = chance.choice(("[", '{"a":', "[{", '[["')) * deep
    elif what < 0.3:
        made = "[" * deep + "]" * deep
    elif what < 0.4:
        texts = ("9" * deep, "1e" + "9" * 9, '"' + "a" * BIG, "0," * deep, "é" * deep)
        given = chance.choice(texts)
        made = f'{{"version": 1, "kind": "transfer", "smoothness": {given}}}'
    else:
        made = grammar.written(chance, chance.choice([*STUDIES, *RATES, *RUNS]))
    return _encoded(chance, made)


def _encoded(chance: Random, made: str) -> bytes:
    if chance.random() < 0.7:
        return grammar.raw(chance, made)
    return made.encode(chance.choice(ENCODINGS), "replace")


KINDS: dict[str, Callable[[Random], bytes]] = {"xlsx": _book, "csv": _table, "json": _json}


def memory(*, anew: bool = False) -> float:
    """Most memory that this process has had, in MB; from now on, if it is counted anew."""
    if anew:
        Path("/proc/self/clear_refs").write_text("5")
    told = Path("/proc/self/status").read_text()
    return int(re.findall(r"VmHWM:\s+(\d+)", told)[0]) / 1024


def main(first: int, last: int) -> None:
    """Read some files by every reader; how much a flood takes that makes it is not counted."""
    wrong, slowest, most = [], (0.0, ""), 0.0
    for seed in range(first, last):
        name, data = bad(seed)
        for place, reader in enumerate(READERS):
            before, began = memory(anew=True), time.process_time()
            try:
                reader(data)
            except DomainError:
                pass
            except Exception as error:
                wrong.append(f"file {seed} {name}, reader {place}: {error!r:.200}")
            slowest = max(slowest, (time.process_time() - began, f"file {seed}, reader {place}"))
            most = max(most, memory() - before)
    print(json.dumps([wrong, slowest, most]))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
