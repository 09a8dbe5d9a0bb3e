"""Changed and broken questions by link: the page always answers in words."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from rates.orders import EXAMPLES, inquiry
from tests.pages.driver import everything, open_page

PIECES = ["", "^", "*", "(", ")", "n", "r", "-", "1e308", "0", "sum_j(", "min(", ",", "eps", " "]
SIZES = [1e-300, 1e300, 1, 0.5, 7, 1e15]
CLAIMS = ["n", "1", "r", "max(n,1)", "n^", "d/n"]
WHERE = [[], ["n <= 1"], ["n >= 2", "n <= 1"], ["eps"], ["n < eps < 1"]]


def changed(rng: random.Random) -> dict[str, Any]:
    """An example with one to three parts that somebody changed by hand."""
    data = inquiry.to_dict(rng.choice(EXAMPLES))
    for _ in range(rng.randint(1, 3)):
        text = data["text"]
        start = rng.randrange(len(text) + 1)
        parts: dict[str, Any] = {
            "text": text[:start] + rng.choice(PIECES) + text[start + rng.randrange(4) :],
            "at": {x: rng.choice(SIZES) for x in data.get("at", {})},
            "axes": rng.sample(data["sizes"], k=min(2, len(data["sizes"]))),
            "spans": {x: rng.choice([[1e-30, 1e30], [1, 2], [5, 1]]) for x in data["sizes"]},
            "claims": [{"equals": rng.choice(CLAIMS), "where": rng.choice(WHERE)}],
            "points": [[10.0 ** rng.randrange(9), 0.1, rng.choice([0, 0.1])] for _ in range(3)],
            "rival": rng.choice(["n", "n+1", "q", "1/n^", "eps*n"]),
            "exponents": {
                x: rng.choice([[0, 1], [-3, 3], [0.5, 2], [1, "inf"]])
                for x in data.get("exponents", [])
            },
            "where": rng.choice(WHERE),
            "unknown": rng.choice(["", "r", "n", "zz"]),
            "sizes": data["sizes"][1:],
        }
        name = rng.choice([*parts])
        data[name] = parts[name]
    return data


@pytest.mark.parametrize("seed", [0, *(pytest.param(k, marks=pytest.mark.deep) for k in (1, 2))])
def test_the_page_answers_in_words_whatever_the_link_holds(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(15 if seed else 6):
        data = changed(rng)
        app = open_page("orders", rate=json.dumps(data))
        for view in rng.sample(["cut", "two", "map"], k=2):
            if app.segmented_control:
                app.segmented_control[0].set_value(view).run()
        if app.toggle:
            app.toggle[0].set_value(True).run()
        assert not app.exception, data
        assert " nan" not in everything(app), data
