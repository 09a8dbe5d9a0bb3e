"""Live runs: advanced by ticks, stopped by hand or by silence, few at a time, fair."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from rates.numbers.parameters import DomainError
from sims.engine.live import LiveRun, Slots
from sims.engine.runs import Request, run
from tests.sims.toy import BROKEN, TOY


def request(replicates=50, **values):
    return Request(experiment=TOY, values=values, replicates=replicates)


@pytest.fixture
def slots():
    return Slots(places=1, lease=10.0, queue=2, clock=lambda: 0.0)


def test_ticks_bring_the_same_numbers(slots):
    live = LiveRun(request(), visitor="a", slots=slots)
    assert (live.active, live.progress.done) == (True, 0)
    ticks = 0
    while live.active:
        live.advance(0.0)
        ticks += 1
    (*_, whole) = run(request())
    assert live.progress.estimates == whole.estimates
    assert ticks == 30  # one block per tick at least, and no more without time
    assert live.advance().state == "finished"


def test_stop_keeps_what_is_there(slots):
    live = LiveRun(request(), visitor="a", slots=slots)
    live.advance(0.0)
    assert live.stop().state == "stopped"
    assert (live.active, live.progress.done) == (False, 4)
    other = LiveRun(request(), visitor="b", slots=slots)
    assert other.advance(0.0).done == 4  # the place is free


def test_first_come_first_served(slots):
    a, b, c = (LiveRun(request(), visitor=v, slots=slots) for v in "abc")
    a.advance(0.0)
    b.advance(0.0)
    c.advance(0.0)
    assert c.words == "Waiting for a place: 2 before you."
    a.stop()
    c.advance(0.0)
    assert (b.progress.done, c.progress.done) == (0, 0)
    assert c.words == "Waiting for a place: 1 before you."
    b.advance(0.0)
    assert (b.progress.done, b.words) == (4, "")
    assert c.stop().state == "stopped"


def test_a_visitor_has_one_place():
    slots = Slots(places=2)
    a, again, b = (LiveRun(request(), visitor=v, slots=slots) for v in "aab")
    assert a.advance(0.0).done == 4
    assert again.advance(0.0).done == 0
    assert again.words == "Your other run on this server goes first."
    assert b.advance(0.0).done == 4  # a second run of one visitor holds nobody up


def test_a_closed_tab_frees_its_place(slots):
    left, other = (LiveRun(request(), visitor=v, slots=slots) for v in "ab")
    left.advance(0.0)
    done = left.progress.done
    slots._clock = lambda: 9.9
    assert other.advance(0.0).done == 0
    slots._clock = lambda: 10.1
    assert other.advance(0.0).done == 4
    assert left.progress.done == done  # no tick, no work
    assert left.advance(0.0).done == done  # back again: it waits its turn and loses nothing
    other.stop()
    assert left.advance(0.0).done == done + 4


def test_the_queue_is_bounded(slots):
    runs = [LiveRun(request(), visitor=str(i), slots=slots) for i in range(4)]
    for live in runs:
        live.advance(0.0)
    assert not runs[3].active
    assert "Too many runs wait" in runs[3].progress.note


def test_a_run_has_its_own_budget(slots):
    with pytest.raises(DomainError, match="at most 100 here"):
        LiveRun(request(), visitor="a", slots=slots, evaluations=100)
    live = LiveRun(request(pause=0.01), visitor="a", slots=slots, seconds=0.02)
    while live.active:
        live.advance()
    assert live.progress.state == "out of budget"


def test_two_threads_never_advance_the_same_run(slots):
    entered, free = threading.Event(), threading.Event()

    def held(values, point, seed, indices):
        entered.set()
        assert free.wait(30)
        return TOY.sample(values, point, seed, indices)

    asked = Request(experiment=replace(TOY, sample=held), replicates=50)
    live = LiveRun(asked, visitor="a", slots=slots)
    thread = threading.Thread(target=live.advance, args=(60.0,))
    thread.start()
    assert entered.wait(30)
    assert live.advance(60.0).done == 0  # returns at once with what is there
    threading.Timer(0.2, free.set).start()
    # A page that asks while another thread computes must not see a run that still goes on.
    assert (live.stop().state, live.progress.done) == ("stopped", 4)
    thread.join(30)
    assert not thread.is_alive()


def test_a_failed_run_ends_and_frees_its_place(slots):
    live = LiveRun(Request(experiment=BROKEN, replicates=5), visitor="a", slots=slots)
    with pytest.raises(ValueError, match="finite numbers"):
        live.advance()
    assert (live.active, live.progress.note) == (False, "The run failed.")
    assert LiveRun(request(), visitor="b", slots=slots).advance(0.0).done == 4
