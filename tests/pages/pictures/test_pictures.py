"""Pictures to touch: what a script is sent equals the engine, and its junk changes nothing."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.stats import binom, laplace

from pages import overview
from pages.charts import number
from pages.core import UrlState
from pages.core.live import from_text
from pages.lessons import PROGRESS
from pages.pictures import attacker, machine, sites
from pages.pictures import map as picture_map
from pages.pictures.attacker import GAME, Game
from pages.plan import page as plan_page
from pages.plan.state import View
from pages.regression import estimate
from rates.answer import mean_noise, privacy_cost
from rates.plan import in_house
from rates.study import PRESETS, FederatedStudy, Server, advantage, codec, preset
from tests.pages.core.links import linked
from tests.pages.driver import details, everything, open_page, picture_data
from tests.pages.pictures.test_map import PLANE
from tests.pages.plan.test_plan import STUDY as PLANNED
from tests.pages.plan.test_plan_sections import STUDY, asking
from tests.rates.split.test_pipes import doubled

# Each row by itself: of many the small ones stand together.
FEW = [one for one in PRESETS if len(one.study.servers) <= 10]
EACH = pytest.mark.parametrize("one", FEW, ids=lambda one: one.key)

# The attacker's game ---


def test_what_is_sent_equals_the_engine_and_scipy():
    sent = json.loads(json.dumps(attacker.data(Game(epsilon=0.7), known=True), allow_nan=False))
    epsilons = np.array(sent["epsilons"])
    assert epsilons[sent["at"]] == 0.7
    np.testing.assert_allclose(sent["ceilings"], 1 / (1 + np.exp(-epsilons)))
    np.testing.assert_allclose(sent["ceilings"], [(1 + advantage(x)) / 2 for x in epsilons])
    np.testing.assert_allclose(sent["bests"], laplace(scale=1 / epsilons).cdf(0.5))
    rounds = np.arange(len(sent["chances"]))
    np.testing.assert_allclose(sent["chances"], binom.sf(rounds - 1, attacker.ROUNDS, 0.5))


def test_the_game_tells_what_its_lesson_asks_only_when_all_is_locked():
    hidden = attacker.data(Game(), known=False)
    assert not any(hidden[name] for name in ("best", "ceilings", "bests"))
    assert "73" not in attacker.still(1.0, known=False).alt
    answers = (("odds", (60.0,)), ("attack", (17.0,)), ("attack_transfer", (14.0,)))
    for many in range(4):
        locked = PROGRESS.link(dict(answers[:many]))
        app = open_page("lessons", lesson="attack", play=linked(GAME, Game(2.0, 3)), **locked)
        sent = picture_data(app, "attacker")
        assert (sent["seed"], bool(sent["bests"])) == (3, many == 3)


# The shrinking sites --------------------------------------------------------------------------

HOSPITALS = preset("hospitals").study


@EACH
def test_what_the_sites_are_sent_equals_the_engine(one):
    risk = privacy_cost(one.study)[0].risk
    sent = json.loads(json.dumps(sites.data(one.study, risk), allow_nan=False))
    for stop in (0, 17, 40, 66, 80):
        scaled = [replace(s, epsilon=s.epsilon * sites.STOPS[stop]) for s in one.study.servers]
        study = one.study.with_servers(scaled)
        cost = privacy_cost(study)[0]
        whole, middle = sent["whole"], cost.mechanism[len(cost.mechanism) // 2]
        assert whole["equation"]["part"][stop] == pytest.approx(cost.equation.kept, rel=1e-5)
        ends = (whole["low"][stop], whole["high"][stop])
        assert ends == pytest.approx(cost.kept_range, rel=1e-5)
        noise = mean_noise(study, np.array([[s.epsilon for s in study.servers]]))[0]
        for k, site in enumerate(sent["sites"]):
            for name, back in (("equation", cost.equation), ("mechanism", middle)):
                part = back.kept * back.answer.shares[k] / back.free.shares[k]
                assert site[name]["part"][stop] == pytest.approx(min(1, part), rel=1e-5)
            if study.servers[k].private:
                assert site["noise"][stop] == pytest.approx(noise[k], rel=1e-5)


def test_a_delta_next_to_1_is_said_and_sent_as_numbers():
    deltas = ((s, math.nextafter(1.0, 0.0) if s.private else s.delta) for s in HOSPITALS.servers)
    study = HOSPITALS.with_servers([replace(s, delta=delta) for s, delta in deltas])
    sent = sites.data(study, privacy_cost(study)[0].risk)
    json.dumps(sent, allow_nan=False)
    assert "noise beyond numbers" in {site["silent"] for site in sent["sites"]}
    assert not open_page("study", study=codec.to_link(study)).error


ROWS = [Server(name=f"s{k}", n=k + 1, epsilon=1 + k, delta=1e-6) for k in range(40)]


def test_a_missing_delta_and_many_rows_are_said():
    unsaid = HOSPITALS.with_servers([replace(HOSPITALS.target, delta=None), *HOSPITALS.sources])
    sent = sites.data(unsaid, "classification")
    assert (sent["whole"]["mechanism"], sent["sites"][0]["silent"]) == (None, "noise needs δ")
    sent = sites.data(HOSPITALS.with_servers([*HOSPITALS.servers, *ROWS]), "classification")
    assert (len(sent["sites"]), sent["sites"][-1]["name"]) == (12, "33 others")
    assert sites.picture(HOSPITALS.unprotected(), "classification") is None


def test_a_budget_in_the_address_opens():
    assert "factor=0.501" not in everything(details(open_page("overview")))
    assert "factor=0.501" in everything(details(open_page("overview", epsilon="0.5")))


# The budget tap -------------------------------------------------------------------------------

RISK = "classification"


@EACH
def test_what_the_tap_is_sent_equals_the_engine(one):
    study = in_house(one.study)
    risk = privacy_cost(study)[0].risk
    found = sites.taps_of(study, risk)
    sent = json.loads(json.dumps(sites.tap_data(study, risk), allow_nan=False))
    assert [site["name"] for site in sent["sites"]] == [s.name for s in study.servers]
    ends = [*map(number, sent["low"]), *map(number, sent["high"])]  # as they will be said
    assert ends == [*map(number, [*found.worth.min(axis=0), *found.worth.max(axis=0)])]
    for choice in {0, len(found.adds) // 3, len(found.adds) - 1}:
        cost = privacy_cost(doubled(study, found, choice))[0]
        answer = cost.mechanism[len(cost.mechanism) // 2].answer
        wanted = [answer.effective_n * share for share in answer.shares]
        assert sent["adds"][choice] == pytest.approx(wanted, rel=1e-5)
        ends = [each.answer.effective_n for each in cost.mechanism]
        worth = [sent[name][choice] for name in ("worth", "low", "high")]
        assert worth == pytest.approx([answer.effective_n, min(ends), max(ends)], rel=1e-5)
        bits = [bool(sent["private"][choice] >> k & 1) for k in range(len(study.servers))]
        assert bits == [limit == "privacy" for limit in answer.limited_by]


def test_what_cannot_be_doubled_says_why_and_many_rows_stand_together():
    silent = Server(name="silent", n=5, epsilon=0)
    listed = sites.tap_data(STUDY.with_servers([*STUDY.servers, silent]), RISK)["sites"]
    assert [site["silent"] for site in listed] == ["no noise", "", "", "", "sends nothing"]
    assert [bool(site["step"]) for site in listed] == [False, True, True, True, False]
    study = FederatedStudy(servers=ROWS, smoothness=1)
    last = sites.tap_data(study, "integrated")["sites"][-1]
    assert (last["name"], last["budgets"]) == ("34 others", ["ε as stated", "ε × 2"])
    budgets = sites.chosen(study, "integrated", {"choice": last["step"]})
    assert budgets == {f"s{k}": 2.0 * (1 + k) for k in range(1, 35)}


def test_what_is_pressed_goes_into_the_rows_that_it_is_of(monkeypatch):
    taken = []
    monkeypatch.setattr(plan_page.sites, "change", taken.append)
    found = sites.taps_of(STUDY, RISK)
    choice = 2 * found.steps[1] + found.steps[3]
    plan_page._pressed(asking(STUDY, View()), {"choice": choice})
    cells = [taken[0]({"name": s.name}).get("epsilon") for s in STUDY.servers]
    _, first, _, last = STUDY.servers
    assert cells == [None, f"{4 * first.epsilon:g}", None, f"{2 * last.epsilon:g}"]


def test_the_page_draws_it_for_the_study_as_its_user_sees_it():
    own = picture_data(open_page("plan"), "tap")["sites"][0]
    assert (own["silent"], own["step"]) == ("no noise", 0)  # the target's own, in house


# The noise machine ----------------------------------------------------------------------------


def machine_of(run: str = ""):  # type: ignore[no-untyped-def]
    """What the page sends for a link, and the releases behind it."""
    data = picture_data(open_page("regression", tab="estimate", run=run), "machine")
    return data, estimate.TAB.make(from_text(run, estimate.TAB.usual))


@pytest.mark.parametrize(
    "run",
    ["", "held:best;epsilon:0.1", "m:12;epsilon:0.37", "epsilon:inf;curve:doppler;n:1000000;m:2"],
)
def test_what_the_script_gets_is_the_engine_s(run):
    data, found = machine_of(run)
    stop, look = data["stops"][data["at"]], found.look
    kind, K = data["kinds"][stop["kind"]], look.plan.dimension
    clean, path = np.array(kind["clean"]), np.array(data["path"])[..., :K]
    released = clean + np.array(stop["scale"])[:, None] * path
    size = np.abs(look.released).max()
    np.testing.assert_allclose(released, look.released, atol=1e-4 * (1 + size))
    points = len(data["truth"])
    x = (np.arange(points) + 0.5) / points
    theta = np.array(stop["weight"]) @ released[3]
    drawn = [theta[np.array(row[::2], dtype=int)] @ row[1::2] for row in kind["touched"]]
    np.testing.assert_allclose(drawn, look.curves(look.merged[3], x), atol=2e-3 * (1 + size))
    np.testing.assert_allclose(stop["miss"], np.sqrt(look.losses))
    assert sum(stop["weight"]) == pytest.approx(1.0)
    assert len(data["sites"]) == len(look.plan.n) <= 5
    assert stop["cause"] == look.plan.cause
    assert len(json.dumps(data, allow_nan=False)) < 1_000_000


def test_the_seed_stays_while_the_budget_moves():
    looks = machine_of()[1].looks
    one, other = looks[1.0], looks[0.1]
    np.testing.assert_allclose(one.clean, other.clean)
    np.testing.assert_allclose(one.path, other.path)
    assert other.scale == pytest.approx(10 * one.scale)
    changed = estimate.TAB.make(replace(estimate.TAB.usual, seed=1)).looks[1.0]
    assert np.abs(changed.path - one.path).min() > 0


def test_what_is_promised_is_said_at_every_budget():
    notes = [stop["note"] for stop in machine_of()[0]["stops"]]
    assert all("(ε, δ = 1e-5)-differentially private, one record" in note for note in notes[:-1])
    assert notes[-1] == "Simulation, seed 0. Nothing is protected."
    data, _ = machine_of("epsilon:100;noise:tight")
    assert "Less private than asked" in data["stops"][data["at"]]["note"]


# Junk -----------------------------------------------------------------------------------------

TAKES = {  # what takes a record, one that is right, and more that is none
    "attacker": (attacker.take, {"epsilon": 2.0, "seed": 3}, {"seed": 1.5}, {"study": "x"}),
    "sites": (overview.take, {"epsilon": 0.5}, {}),
    "tap": (
        partial(sites.chosen, PLANNED, "classification"),
        *({"choice": 1}, {"choice": 1.5}, {"choice": 0}, {"epsilon": 2}),
    ),
    "machine": (
        lambda sent: machine.released(sent, estimate.STOPS),
        *({"epsilon": estimate.STOPS[3]}, {"epsilon": 0.33}),
    ),
    "map": (partial(picture_map.moved, PLANE), {"x": 0.1, "y": 1.0}, {"m": 3}, {"y": 99.0}),
    "nine": (lambda sent: picture_map.chosen(sent, 9), {"nine": 8}, {"nine": 9}, {"nine": 0.5}),
}
WRONG = ("1", math.inf, math.nan, True, None, [1], 1e17, -1)


@pytest.mark.parametrize("name", TAKES)
def test_junk_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[object] = []
    for method in ("change", "set"):
        monkeypatch.setattr(UrlState, method, lambda *_, **given: changed.append(given))
    take, right, *more = TAKES[name]
    wrong = [{key: value} for key in right for value in WRONG] + [one for one in more if one]
    junk = [{}, {"n": 3}, *({k: v for k, v in right.items() if k != key} for key in right)]
    for sent in (*junk, *({**right, **one} for one in wrong)):
        assert not take(sent), sent
        assert not changed, sent
    assert take(right) or changed
