"""The attacker's game: what is sent equals the engine, and junk changes nothing."""

from __future__ import annotations

import json
import math

import pytest
from scipy.stats import binom, laplace

from pages.lessons import PROGRESS
from pages.pictures import attacker
from pages.pictures.attacker import GAME, Game
from rates.study import advantage
from sims.lessons import Progress
from tests.pages.core.links import linked
from tests.pages.driver import open_page


def test_what_is_sent_equals_the_engine_and_scipy():
    sent = json.loads(json.dumps(attacker.data(Game(epsilon=0.7), known=True), allow_nan=False))
    assert sent["epsilons"][sent["at"]] == 0.7
    for k, epsilon in enumerate(sent["epsilons"]):
        assert sent["ceilings"][k] == pytest.approx(math.exp(epsilon) / (1 + math.exp(epsilon)))
        assert sent["ceilings"][k] == pytest.approx((1 + advantage(epsilon)) / 2)
        assert sent["bests"][k] == pytest.approx(laplace(scale=1 / epsilon).cdf(0.5))
        assert sent["bests"][k] < sent["ceilings"][k]
    for right, chance in enumerate(sent["chances"]):
        assert chance == pytest.approx(binom.sf(right - 1, attacker.ROUNDS, 0.5))


def test_the_best_attacker_is_as_good_as_said():
    """Over 40 seeds of 200 rounds, within four standard errors."""
    epsilon, hits = 1.0, 0
    for seed in range(40):
        rounds = attacker.rounds(seed, attacker.MANY, "best")
        pairs = zip(rounds.records, rounds.noise, strict=True)
        hits += sum((record + noise / epsilon > 0.5) == record for record, noise in pairs)
    many, share = 40 * attacker.MANY, attacker.best_guess(epsilon)
    assert abs(hits / many - share) < 4 * attacker.guess_error(share, many)


def test_what_a_lesson_asks_for_is_not_sent_before_it_is_locked():
    hidden = attacker.data(Game(), known=False)
    assert not any(hidden[name] for name in ("best", "ceilings", "bests"))
    assert "73" not in attacker.still(1.0, known=False).alt


def test_the_game_stands_in_its_lesson_and_tells_what_is_asked_only_when_all_is_locked(monkeypatch):
    sent, real = [], attacker.data
    kept = lambda game, *, known: sent.append((game.seed, known)) or real(game, known=known)  # noqa: E731
    monkeypatch.setattr(attacker, "data", kept)
    answers = (("odds", (60.0,)), ("attack", (17.0,)), ("attack_transfer", (14.0,)))
    for many in range(4):
        locked = PROGRESS.link(Progress(answers[:many]))
        open_page("lessons", lesson="attack", play=linked(GAME, Game(2.0, 3)), **locked)
        assert {*sent} == {(3, many == 3)}
        sent.clear()
