"""A lever is one record in one table, and then wherever levers are: `toy_lever.py` is one."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.house.tree import ROOT

VISIT = """
import json
from dataclasses import replace

from rates import maps, plan, split
from rates.decision import decide, sentences
from rates.plan import LEVERS
from rates.study import codec, preset
from tests.house.toy_lever import TOY

LEVERS[TOY.name] = TOY  # the entry; all pages are loaded with it

from pages.plan.offers import read
from pages.plan.state import PLAN, TAB, View
from tests.pages.driver import choice, everything, grid, open_page

study = preset("hospitals").study
site = study.servers[1].name
link = codec.to_link(study)
(offer,) = read(f"offer,name,price,most\\nvisits,{site},5,9", study).priced
decision = decide(study)
moved = [str(one) for one in maps.choices(study)]
axes = [maps.around(study, maps.Moved.of(x)) for x in ("visits_all", "visits_2")]
areas = [maps.study_map(study, *axes, lens).areas for lens in (plan.lenses(study)[0::2])]

view = View(goal="need", needed=5000.0, lever=TOY.name, site=site, divided=TOY.unit)
lever = open_page("plan", study=link, **PLAN.link(view), **TAB.link("levers"))
curve = open_page("plan", study=link, **PLAN.link(replace(view, site="all")), **TAB.link("levers"))
divided = open_page("plan", study=link, **PLAN.link(view), **TAB.link("split"))
own = open_page("phases", study=link, own="x:visits_all;y:visits_2")
print(json.dumps({
    "levers": sorted({x.site for x in plan.levers(study, 0.9).levers if x.lever == TOY.name}),
    "offers": plan.cheapest(study, [offer], fraction=0.995).purchases[0].what,
    "split": split.split(study, TOY.unit, 8.0).total,
    "sweeps": plan.lever_curve(study, TOY.name, "all", [1.0, 2.0]).equation.round(1).tolist(),
    "ranges": [x for x in decision.ranges if x[0] == TOY.name],
    "turns": sentences(decision)[-1].text,
    "map": [x for x in moved if x.startswith(TOY.name)],
    "areas": [sum(x.values()) for x in areas],
    "page": [choice(lever, "Which lever?").value, everything(lever)],
    "table": [x for x in grid(lever, "Lever", "Where")["Lever"] if x == TOY.title],
    "all": choice(curve, "Where?").value,
    "divided": [choice(divided, "A total of").value, everything(divided)],
    "own": [choice(own, x).value for x in ("From left", "From bottom")],
    "answer": everything(own),
}))
"""


@pytest.mark.deep
def test_a_lever_is_one_record() -> None:
    done = subprocess.run(
        [sys.executable, "-c", VISIT], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found["levers"]) == 4
    assert (found["offers"], found["split"]) == ("visits", 8.0)
    today, twice = found["sweeps"]
    assert twice > today > 0
    assert found["ranges"] == [["visits", 0.1, 10.0]]
    assert "times the visits of every record" in found["turns"]
    assert found["map"] == ["visits_all", "visits_1", "visits_2", "visits_3", "visits_4"]
    assert max(abs(whole - 1.0) for whole in found["areas"]) < 1e-9
    lever, said = found["page"]
    assert (lever, found["all"]) == ("visits", "all")
    assert "with any number of visits" in said
    assert found["table"]
    total, said = found["divided"]
    assert total == "visits"
    assert "A total of v 8" in said
    assert found["own"] == ["visits_all", "visits_2"]
    assert "*the visits of every record*" in found["answer"]
    assert "*Visits per record of Cleveland*" in found["answer"]
