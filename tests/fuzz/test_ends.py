"""Every number at the ends of its domain and past them, on every view: an answer or a sentence.

Views are found by the navigation, their tabs by the bar that each draws, and the numbers by the
fields of a study and by the boxes of a view.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app import DOORS
from pages.core.live import panel
from rates.numbers import FEDERATED_FIELDS, SERVER_FIELDS, TRANSFER_FIELDS, DomainError, Parameter
from rates.study import codec, preset
from tests.fuzz.seen import breaches
from tests.pages import driver
from tests.pages.driver import ROOT

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")  # inf is as true there
Change = tuple[str, float, bool]  # field, value, and whether it is of the first site alone
VIEWS = [name for views in DOORS.values() for name in views]
STUDIES = {
    "transfer": (codec.to_dict(preset("hospitals").study), TRANSFER_FIELDS),
    "federated": (codec.to_dict(preset("phones").study), FEDERATED_FIELDS),
}
TAB = "_tab_choice"


def ends(parameter: Parameter) -> list[float]:
    """The least and the largest numbers of a domain, and the next ones past them."""
    low, high = parameter.low, parameter.high
    step = 1.0 if parameter.whole else 0.0
    found = [low - 1.0, low, low + (step or max(1e-300, math.ulp(low))), high, math.nan]
    last = [1e15, 1.7e308] if math.isinf(high) else [high - (step or math.ulp(high)), high + 1.0]
    return [*found, *last]


def changed(kind: str, *changes: Change) -> str:
    """A study with numbers changed, of every site or of the first one alone."""
    given = json.loads(json.dumps(STUDIES[kind][0]))
    for name, value, first in changes:
        whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e300
        plain: Any = "inf" if value == math.inf else int(value) if whole else value
        for one in [given] if name in given else given["servers"][: 1 if first else None]:
            one[name] = plain
    return json.dumps(given)


def studies(many: int) -> list[tuple[str, str]]:
    """Changed studies by what was changed: each end alone, and drawn pairs of ends."""
    found = []
    for kind, (_, fields) in STUDIES.items():
        singles = [
            (name, value, first)
            for name, parameter in {**fields, **SERVER_FIELDS}.items()
            for value in ends(parameter)
            for first in (False, True)[: 1 + (name in SERVER_FIELDS)]
        ]
        pairs = [x for x in itertools.combinations(singles, 2) if x[0][0] != x[1][0]]
        for case in [*((one,) for one in singles), *Random(kind).sample(pairs, 500)]:
            found.append((f"{kind} {case}", changed(kind, *case)))
    sound = [case for case in found if _opens(case[1])]  # one refusal is like another
    refused = [case for case in found if not _opens(case[1])]
    chance = Random(0)
    return chance.sample(sound, min(many, len(sound))) + chance.sample(refused, 1 + many // 10)


def _opens(text: str) -> bool:
    try:
        codec.from_json(text)
    except DomainError:
        return False
    return True


def opened(view: str, **query: str) -> AppTest:
    """A view opened by an address."""
    made = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    made.query_params.update(query)
    return driver.at(made, view).run()


def tabs(app: AppTest) -> Iterator[str]:
    """Turn to every tab of a view."""
    yield ""
    bars = [one for one in app.get("button_group") if one.key and one.key.endswith(TAB)]
    for option in bars[0].options[1:] if bars else ():
        bar = next(one for one in app.get("button_group") if one.key == bars[0].key)
        bar.set_value(option).run()
        yield option


def wrong(view: str, study: str) -> list[str]:
    """What is wrong on a view or on one of its tabs."""
    app = opened(view, study=study)
    return [f"{view} {tab}: {said}" for tab in tabs(app) for said in breaches(app)]


def by_file(study: str) -> list[str]:
    """What is wrong on a page that is given a study as a file."""
    app = driver.unbox(opened("study"))
    app.file_uploader[0].set_value(("study.json", study.encode(), "application/json")).run()
    return [f"by file: {said}" for said in breaches(app)]


@pytest.fixture(autouse=True)
def stepwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step of a live run at a time."""
    monkeypatch.setattr(panel, "_draw_again", lambda: None)


def about_a_study() -> list[str]:
    """Views that say something else of another study."""

    def said(view: str, kind: str) -> list[str]:
        app = opened(view, study=changed(kind))
        return [driver.everything(app) for _ in tabs(app)]

    return [view for view in VIEWS if said(view, "transfer") != said(view, "federated")]


@pytest.mark.parametrize(
    "study",
    [
        changed("federated", ("smoothness", 1e6, False)),
        changed("federated", ("epsilon", 1e-300, False)),
        changed("transfer", ("epsilon", 1.7e308, False)),
        changed("transfer", ("epsilon", 1.7e308, True)),
    ],
    ids=["smooth", "no budget to speak of", "a budget without end", "one without end"],
)
def test_ends_that_raised(study: str) -> None:
    assert [*wrong("study", study), *wrong("plan", study), *by_file(study)] == []


@pytest.mark.parametrize(
    "many", [pytest.param(3, marks=pytest.mark.deep), pytest.param(1000, marks=pytest.mark.slow)]
)
def test_a_study_at_the_ends_of_its_domains(many: int) -> None:
    views = about_a_study()
    assert {"study", "fit", "plan"} <= {*views}
    found = {
        name: [*by_file(text), *(said for view in views for said in wrong(view, text))]
        for name, text in studies(many)
    }
    assert {name: said for name, said in found.items() if said} == {}
