"""Which screens are stored: an address, and what a visitor does there.

Nothing here knows a module of the app or the key of a widget; what is pressed or chosen is named
by the words that a visitor reads.
"""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass
from typing import Any

from tests.pages import driver

Query = dict[str, str]


@dataclass(frozen=True)
class Step:
    """What a visitor does: `how` names it, `label` says with what, `given` is what is given.

    Words are pressed or chosen; folds and boxes are opened, lines typed, options chosen, files
    given, by the beginning of a label.
    """

    how: str
    label: str
    given: Any = None

    def take(self, app: Any) -> None:
        """Do it."""
        if self.how == "open":
            driver.unfold(app, self.label)
            return
        widget, value = (self._found(app) or self._found(driver.unbox(app)))[0]
        driver.enter(app, widget, value)

    def _found(self, app: Any) -> list[tuple[Any, Any]]:
        """Widgets that may be meant, with the value to set."""

        def called(*kinds: str) -> list[Any]:
            return [x for kind in kinds for x in app.get(kind) if x.label.startswith(self.label)]

        if self.how == "type":
            return [(x, self.given) for x in called("text_input", "text_area")]
        if self.how == "choose":
            lists = called("selectbox", "radio")
            return [(x, one) for x in lists for one in x.options if self.given in one]
        if self.how == "give":
            files = [(name, text.encode(), "text/plain") for name, text in self.given]
            boxes = called("file_uploader")
            return [(x, files if x.accept_multiple_files else files[0]) for x in boxes]
        groups = [(x, self.label) for x in app.button_group if self.label in x.options]
        return [(x, True) for x in app.button if x.label == self.label and not x.disabled] + groups


def opened(title: str) -> Step:
    """Open a fold: what is shut is not drawn."""
    return Step("open", title)


def given(label: str, **files: str) -> Step:
    """Give files, by the names without their end."""
    return Step("give", label, [(f"{name}.csv", text) for name, text in files.items()])


@dataclass(frozen=True)
class Screen:
    """A page, what is particular about its address, the address, and what is done there."""

    page: str
    name: str
    query: Query
    steps: tuple[Step, ...] = ()

    @property
    def title(self) -> str:
        """What names the screen in the stored file and in a difference."""
        return f"{self.page}: {self.name}"


def page(name: str, about: str, *steps: Step | str, **query: str) -> Screen:
    """Return a screen; words among the steps are pressed, a study is named."""
    if "study" in query:
        query["study"] = STUDIES[query["study"]]
    done = tuple(Step("press", one) if isinstance(one, str) else one for one in steps)
    return Screen(name, about, query, done)


def packed(data: object) -> str:
    """Return data as the short form of a link holds them."""
    text = data if isinstance(data, str) else json.dumps(data)
    return "~1" + base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


# Studies ---------------------------------------------------------------------------------------

_SITES: dict[str, Any] = {"version": 1, "kind": "transfer", "dimension": 1}
_CURVE: dict[str, Any] = {"version": 1, "kind": "federated"}
_RATE: dict[str, Any] = {"version": 1, "sizes": ["n", "eps"]}
TRANSFER = _SITES | {
    "smoothness": 0.75,
    "margin": 0.5,
    "servers": [
        {"name": "Home", "role": "target", "n": 800, "epsilon": 0.5, "delta": 1e-6},
        {"name": "North", "n": 4000, "epsilon": 1, "delta": 1e-6, "signal_exponent": 0.8},
        {"name": "South *", "n": 300, "epsilon": "inf", "signal_exponent": 1.5, "count": 3},
        {"name": "Empty", "n": 0, "epsilon": 2, "delta": 1e-7},
    ],
    "scope": {
        "version": 1,
        "answers": {"outcome": "binary", "covariates": "few", "target": "one", "records": "one"},
        "smoothness": [0.5, 1],
        "margin": [0.25, 1],
    },
}
PLAIN = _SITES | {  # no row lacks a delta, none is silent
    "smoothness": 1,
    "margin": 1,
    "servers": [
        {"name": "Home", "role": "target", "n": 500, "epsilon": 1, "delta": 1e-6},
        {"name": "Far", "n": 5000, "epsilon": 0.5, "delta": 1e-6, "count": 2},
    ],
}
CURVE = _CURVE | {
    "smoothness": 1.5,
    "integrability": 4,
    "servers": [
        {"name": "A", "n": 2000, "epsilon": 1, "delta": 1e-6},
        {"name": "B", "n": 500, "epsilon": 0.1, "delta": 1e-6, "count": 4},
        {"name": "C", "n": 100, "epsilon": "inf"},
    ],
}
SILENT = _CURVE | {
    "smoothness": 1,
    "servers": [{"name": "A", "n": 0, "epsilon": 1}, {"name": "B", "n": 10, "epsilon": 0}],
}
STUDIES = {
    "transfer": json.dumps(TRANSFER),
    "curve": json.dumps(CURVE),
    "short": packed(PLAIN),
    "silent": packed(SILENT),
    "broken": json.dumps({**CURVE, "smoothness": -1}),
}
EQUATION = _RATE | {
    "text": "n*h^(2*b+1) + n^2*eps^2*h^(2*b+2) = 1",
    "exponents": ["b"],
    "unknown": "h",
    "rate": "h^(2*b)",
    "at": {"n": 1000, "eps": 0.5, "b": 1},
}
CLAIMS = _RATE | {
    "text": "max(free: 1/n, private: 1/(n*eps)^2)",
    "at": {"n": 1000, "eps": 0.05},
    "claims": [
        {"equals": "1/n", "where": ["n*eps^2 >= 1"], "name": "free"},
        {"equals": "1/n", "where": ["eps <= 1"]},
    ],
}
OFFERS = "name,n,epsilon,price,most\nNew clinic,500,1,100,2\nOld registry,20000,0.1,900,1\n"
ROWS = "name,role,n,epsilon,delta\nOslo,target,400,1,1e-6\nBergen,,900,inf,\n"
BUDGETS, BUDGET = opened("ε = "), "Multiply every ε by, exact value"
PASTE = Step("type", "Rows to paste", ROWS)
OTHER = packed({"version": 1, "goal": "sample", "multiple": 3, "other": PLAIN, "offers": OFFERS})
POINT = "5000,2,10000000,0.5,1,1,0.3,0.02,0.006"
RATE = {key: packed(data) for key, data in {"equation": EQUATION, "claims": CLAIMS}.items()}
MISPRINT = "10000,100,100000,0.5,2,1,1.2,0.4,1"
VIEWS = ("What survives", "Who carries it")

PLAIN_PAGES = (
    page("overview", "usual"),
    page("overview", "a study and another page's number", study="curve", colour="red"),
    page("overview", "a broken study", study="broken"),
    page("study", "usual, every budget", VIEWS[1]),
    page("study", "a classifier with a scope", study="transfer"),
    page("study", "a curve", opened("α = "), study="curve"),
    page("study", "a curve at a point", "At one point", VIEWS[1], study="curve"),
    page("study", "nothing to learn from", study="silent"),
    page("study", "why, a classifier with a scope", opened("Why"), study="transfer"),
    page("study", "why, a curve", opened("Why"), study="curve"),
    page("study", "lines of Python", opened("Take away"), study="short"),
    page("study", "a typed budget", BUDGETS, Step("type", BUDGET, "0.18")),
    page("study", "an example", "Open: A million phones, local privacy"),
    page("study", "pasted rows", PASTE, "Read these rows", "Use these rows"),
    page("fit", "usual, site by site", opened("Site by site")),
    page("fit", "what is not known", tab="unknown"),
    page("fit", "a curve and a curator", study="curve", tab="alternatives", curator="0.5"),
    page("fit", "a constant", study="short", tab="alternatives", constant="classification:cusp 1"),
    page("fit", "what is promised", tab="promises"),
    page("fit", "the paragraph", tab="paragraph"),
    page("fit", "a scope", study="transfer"),
    page("plan", "usual"),
    page("plan", "another design and offers", study="short", plan=OTHER),
    page("plan", "a curve", study="curve"),
    *(page("plan", tab, tab=tab) for tab in ("split", "causes", "report")),
    page("plan", "another design, compared", study="short", plan=OTHER, tab="designs"),
    page("orders", "usual"),
    page("orders", "an equation along one axis", "Along one axis", rate=RATE["equation"]),
    page("orders", "claims along one axis", "Along one axis", rate=RATE["claims"]),
    page("orders", "cases", tab="cases"),
    page("orders", "claims decided", rate=RATE["claims"], tab="claims"),
    page("orders", "printed rates", rate="hu-2023-pure", tab="printed"),
    page("orders", "taken away", rate=RATE["claims"], tab="take"),
    page("phases", "usual, the shape", opened("Sizes, shape")),
    page("phases", "why", opened("Why")),
    page("phases", "the study's own map", own="x:n_2;y:signal_exponent_2"),
    page("phases", "of a curve", study="curve", own="x:epsilon_all;y:count_1;answer:mechanism"),
    page("phases", "unequal budgets", at=POINT),
    page("phases", "a reading of the table", at=MISPRINT, table="A"),
    page("resolution", "why", opened("Why")),
    page("resolution", "all records held", "All records"),
    page("statements", "usual"),
    page("statements", "the first slip", opened("1. ")),
    page("statements", "what is covered", opened("What is covered")),
    page("statements", "search and filters", q="eps21", paper="ACC", seed="11"),
    page("statements", "one, run again", "Run again", id="ACC:Cor3.2:eps21", seed="5"),
    page("statements", "a sheet", paper="KS", view="sheet"),
    page("lessons", "usual"),
    page("lessons", "after a lock", list="tour", locked=packed("odds:60")),
    page("lessons", "points", list="alone", lesson="carry"),
    page("lessons", "a choice", Step("choose", "Your answer", "Always"), lesson="back"),
    page("about", "usual"),
    page("about", "how to cite", opened("How to cite")),
    page("about", "a term", term="effective-records"),
)

# Pages with live runs: of every tab what it starts with, and a small run or another draw ----------

_SMALL = "dimension:12;sparsity:3;sources:4;transferable:2"
RUNS = {
    "classification": {
        "paper": "figure:3;replicates:2;kernel:both",
        "rate": "n:10000,30000,100000;epsilon:inf,1;replicates:8;seed:5;servers:sources;gamma:0.5",
        "classifier": "n:300;epsilon:0.5;kernel:gaussian;seed:3",
        "study": "replicates:4;factor:0.5,1,2",
        "adaptive": "replicates:2;epsilon:1,inf;n:100",
        "attacker": "mechanism:histogram, Laplace;replicates:40;epsilon:1,2;noise:0.5",
        "hospitals": "replicates:3;kernel:gaussian;split:composed",
    },
    "regression": {
        "rate": "replicates:2;curves:1;sweep:n;epsilon:1;n:1000,3000;risk:pointwise;curve:cusp",
        "estimate": "epsilon:0.01;held:free;seed:2",
        "weights": "curves:1;factor:1;servers:two camps;replicates:2",
        "constants": "curves:1;epsilon:10;n:1000000",
        "study": "factor:1;replicates:2",
    },
    "hybrid": {
        "needs": "distance:number;divergence:39.2;accuracy:0.05;volunteers:70000",
        "run": "records:5000;sample:200;rounds:8;seed:3",
        "alike": "records:2000;share:0.3,0.6;sample:200;replicates:3;rounds:8",
        "parity": "bits:32;rare:0.005;replicates:20;extra:0,5,50",
    },
    "adaptation": {
        "rate": "replicates:2;private:50,400;epsilon:1;public:200;steps:50",
        "mixture": "replicates:2;private:100;alpha:0,0.5,1;public:200",
        "closeness": "replicates:4;concept:0,2;public:200;private:2000;budget:5",
        "weights": "public:200;steps:40;seed:3",
        "budget": "budget:15;copies:4",
        "table": "replicates:2;epsilon:5;steps:20",
    },
    "logistic": {
        "sources": f"epsilon:0.5;{_SMALL};seed:4",
        "accuracy": f"replicates:2;epsilon:8,inf;{_SMALL}",
        "table": "replicates:2;transferable:1;scale:0.1",
        "meaning": "radius:inf;scale:1",
        "records": "kind:none",
    },
    "columns": {"errors": "n:2000;epsilon_1:2;epsilon_2:0.01,0.1,1;replicates:4;rho:0.6;seed:2"},
    "real": {
        "sites": "data:invented;epsilon:0.1;seed:2",
        "slopes": "data:invented;epsilon:0.5,1;share:0.5,1;replicates:4",
        "differ": "data:invented",
    },
}
FEW, SEED = "n:10000,30000;replicates:4", Step("type", "Seed, exact value", "3")
OF_STUDY = {"classification/study": "short", "regression/study": "curve"}
_HEART = "\n".join(
    f"{40 + k % 30},{k % 2},{1 + k % 4},130,200,0,0,{120 + 7 * k % 50},{k // 2 % 2},1,1,0,3,{k % 2}"
    for k in range(200)
)
_OWN = "site,x,y\n" + "\n".join(
    f"{'ABBC'[k % 4]}*,{k * 37 % 101},{k * 37 % 101 // 20 + k % 3}" for k in range(240)
)


def _of_tab(name: str, tab: str, run: str) -> tuple[Screen, Screen]:
    study = OF_STUDY.get(f"{name}/{tab}")
    at = {"tab": tab, "run": run} | ({"study": study} if study else {})
    runs = tab != "hospitals" and ("replicates" in run or tab == "constants")
    return page(name, tab, tab=tab), page(name, f"{tab}, other", *["Run"] * runs, **at)


RUN_PAGES = (
    *(one for name, tabs in RUNS.items() for tab in tabs for one in _of_tab(name, tab, tabs[tab])),
    page("classification", "own files", given("One file", a=_HEART, b=_HEART), tab="hospitals"),
    page("real", "an own table", given("Your own table", t=_OWN), tab="sites"),
    page("classification", "earlier parameters", "Run", SEED, tab="rate", run=FEW),
)
SCREENS = (*PLAIN_PAGES, *RUN_PAGES)
