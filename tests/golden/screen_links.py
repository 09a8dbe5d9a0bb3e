"""Which screens are stored: every page and tab, each by three links or more.

A link is a page and what stands in its address, in the forms of the first links: the old ones
have to open for ever. Nothing here knows a module of the app or the key of a widget; what is
pressed or chosen is named by the words that a visitor reads.
"""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass

Query = dict[str, str]


@dataclass(frozen=True)
class Screen:
    """One link, and what a visitor does there.

    Attributes:
        page: Name of the page.
        tab: Name of its tab; empty where it has none.
        name: What is particular about the link.
        query: What stands in the address besides the tab.
        steps: Words on what is pressed or chosen after the page was opened.
        whole: Whether a run that starts by itself goes on to its end; otherwise the first state
            is stored.
        files: Whether downloads are stored with their content.
    """

    page: str
    tab: str
    name: str
    query: Query
    steps: tuple[str, ...] = ()
    whole: bool = True
    files: bool = True

    @property
    def title(self) -> str:
        """What names the screen in the stored file and in a difference."""
        return f"{self.page}/{self.tab}: {self.name}" if self.tab else f"{self.page}: {self.name}"


def _json(data: object) -> str:
    return json.dumps(data, separators=(",", ":"))


def packed(data: object) -> str:
    """Return data as the short form of a link holds them."""
    body = base64.urlsafe_b64encode(zlib.compress(_json(data).encode(), 9)).decode()
    return "~1" + body.rstrip("=")


# Studies ---------------------------------------------------------------------------------------

TRANSFER = {
    "version": 1,
    "kind": "transfer",
    "smoothness": 0.75,
    "dimension": 1,
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
PLAIN = {  # no row lacks a delta, none is silent
    "version": 1,
    "kind": "transfer",
    "smoothness": 0.5,
    "dimension": 1,
    "margin": 1,
    "servers": [
        {"name": "Home", "role": "target", "n": 500, "epsilon": 1, "delta": 1e-6},
        {"name": "Far", "n": 5000, "epsilon": 0.5, "delta": 1e-6, "count": 2},
    ],
}
CURVE = {
    "version": 1,
    "kind": "federated",
    "smoothness": 1.5,
    "integrability": 4,
    "servers": [
        {"name": "A", "n": 2000, "epsilon": 1, "delta": 1e-6},
        {"name": "B", "n": 500, "epsilon": 0.1, "delta": 1e-6, "count": 4},
        {"name": "C", "n": 100, "epsilon": "inf"},
    ],
}
SILENT = {
    "version": 1,
    "kind": "federated",
    "smoothness": 1,
    "servers": [{"name": "A", "n": 0, "epsilon": 1}, {"name": "B", "n": 10, "epsilon": 0}],
}
BROKEN = {**CURVE, "smoothness": -1}

_STUDY = {
    "transfer": {"study": _json(TRANSFER)},
    "curve": {"study": _json(CURVE)},
    "short": {"study": packed(PLAIN)},
    "silent": {"study": packed(SILENT)},
    "broken": {"study": _json(BROKEN)},
    "cut": {"study": packed(CURVE)[:-9]},
}
# Pages of a study ------------------------------------------------------------------------------

_OFFERS = "name,n,epsilon,price,most\nNew clinic,500,1,100,2\nOld registry,20000,0.1,900,1\n"


def _plain_pages() -> list[Screen]:
    def page(name: str, about: str, query: Query, *steps: str, **more: bool) -> Screen:
        return Screen(name, "", about, query, steps, **more)

    views = ("Who carries it", "All budgets scaled", "Other designs")
    plan_other = {"version": 1, "goal": "sample", "multiple": 3, "other": PLAIN, "offers": _OFFERS}
    plan_lever = {"version": 1, "fraction": 0.25, "lever": "n", "site": "North", "kind_n": 50}
    point = "5000,2,10000000,0.5,1,1,0.3,0.02,0.006"
    misprint = "10000,100,100000,0.5,2,1,1.2,0.4,1"
    return [
        page("overview", "usual", {}),
        page("overview", "a study and another page's number", {**_STUDY["curve"], "colour": "red"}),
        page("overview", "a broken study", _STUDY["broken"]),
        page("study", "usual", {}),
        page("study", "usual, every budget", {}, views[1]),
        page("study", "usual, other designs", {}, views[2], files=False),
        page("study", "a classifier with a scope", _STUDY["transfer"]),
        page("study", "a curve", _STUDY["curve"]),
        page("study", "a curve at a point", _STUDY["curve"], "At one point", views[1]),
        page("study", "a short link", _STUDY["short"], views[2], files=False),
        page("study", "nothing to learn from", _STUDY["silent"]),
        page("study", "a broken study", _STUDY["broken"], files=False),
        page("study", "a link that was cut", _STUDY["cut"], files=False),
        page("fit", "usual", {}),
        page("fit", "a curve and a curator", {**_STUDY["curve"], "curator": "0.5"}),
        page("fit", "a constant that is refused", {**_STUDY["short"], **_constant("cusp 0.5")}),
        page("fit", "a fitted constant", _constant("cusp 1")),
        page("fit", "a curve's constant", {**_STUDY["curve"], "constant": "integrated:fourier"}),
        page("fit", "a scope", _STUDY["transfer"]),
        page("fit", "nothing to learn from", _STUDY["silent"]),
        page("fit", "broken numbers", {"curator": "-1", "constant": "integrated:cusps"}),
        page("plan", "usual", {}),
        page("plan", "a lever", {**_STUDY["transfer"], "plan": packed(plan_lever)}),
        page("plan", "another design and offers", {**_STUDY["short"], "plan": packed(plan_other)}),
        page("plan", "a curve", _STUDY["curve"]),
        page(
            "plan",
            "a risk",
            {
                **_STUDY["curve"],
                "constant": "integrated:fourier",
                "plan": packed({"version": 1, "goal": "risk", "wanted": 0.002}),
            },
        ),
        page("plan", "nothing to learn from", _STUDY["silent"], files=False),
        page("plan", "a broken plan", {"plan": packed({"version": 1, "fraction": 2})}, files=False),
        page("phases", "usual", {}),
        page("phases", "usual, the cut", {}, "Rate along the cut"),
        page("phases", "usual, an unprotected source", {}, "Unprotected source"),
        page("phases", "unequal budgets", {"at": point}),
        page(
            "phases", "unequal budgets, the cut", {"at": point}, "Rate along the cut", "up to 100"
        ),
        page("phases", "a reading of the table", {"at": misprint, "table": "A"}),
        page("phases", "broken", {"at": "1,2,3", "table": "C"}),
        page("phases", "a number outside", {"at": misprint.replace("0.5", "2")}),
        page("resolution", "usual", {}),
        page("resolution", "the rate over sites", {"detail": _detail(view="alike")}),
        page("resolution", "one site dominates", {"detail": _detail(view="dominating")}),
        page("resolution", "a study", _STUDY["curve"]),
        page("resolution", "broken", {"detail": "1,2"}),
        page("resolution", "a number outside", {"detail": _detail(view="alike", p="1.5")}),
        page("statements", "usual", {}),
        page("statements", "search and filters", {"q": "eps21", "paper": "ACC", "seed": "11"}),
        page("statements", "refuted ones of a page", {"verdict": "refuted", "page": "phases"}),
        page("statements", "one", {"id": "ACC:Cor3.2:eps21"}),
        page("statements", "one among those found", {"id": "CCV:Sec2.1:smaller-p", "paper": "CCV"}),
        page(
            "statements",
            "one, tested again",
            {"id": "ACC:Cor3.2:eps21", "seed": "5"},
            "Test this statement again",
        ),
        page("statements", "one to print", {"id": "ACC:Cor3.2:eps21", "view": "print"}),
        page("statements", "broken", {"id": "nothing", "paper": "XYZ", "seed": "-1", "view": "x"}),
    ]


def _constant(world: str) -> Query:
    return {"constant": f"classification:{world}"}


def _detail(*, view: str, p: str = "4") -> str:
    return f"8,100000,0.3,1.5,{p},25,total,sites,rate,{view}"


# Pages with live runs: by tab, a small run with other parameters, and a broken one -------------

_SMALL = "dimension:12;sparsity:3;sources:4;transferable:2"
_CURVES = "replicates:2;curves:1"
_RUNS: dict[str, dict[str, tuple[str, ...]]] = {
    "classification": {
        "rate": (
            "n:10000,30000,100000;epsilon:inf,1;replicates:8;seed:5;servers:sources;gamma:0.5",
            "n:10000,abc",
        ),
        "classifier": ("n:300;epsilon:0.5;kernel:gaussian;seed:3", "kernel:square"),
        "study": ("replicates:4;factor:0.5,1,2", "factor:-1"),
        "paper": ("figure:3;replicates:2;tuning:replicate", "figure:9", "figure:5"),
        "adaptive": ("replicates:2;epsilon:1,inf;n:100", "n:0"),
        "hospitals": ("replicates:3;kernel:gaussian;split:composed", "base:3"),
    },
    "regression": {
        "rate": (
            "replicates:2;epsilon:0.4,0.7,1,1.6;curves:1;n:3000",
            "curve:square",
            f"{_CURVES};sweep:n;epsilon:1;n:1000,3000;risk:pointwise;curve:cusp",
        ),
        "estimate": ("epsilon:0.01;held:free;seed:2", "epsilon:0", "risk:pointwise;curve:blocks"),
        "weights": ("curves:1;factor:1;servers:two camps;replicates:2", "servers:none"),
        "levels": ("curves:1;epsilon:1;n:1000;replicates:3", "m:0.5"),
        "constants": ("curves:1;epsilon:10;n:1000000", "moments:-1"),
        "pointwise": ("curves:2;epsilon:0.01,0.1,1;n:1000", "epsilon:1;epsilon:2"),
        "study": ("factor:1;replicates:2", "factor"),
    },
    "hybrid": {
        "needs": (
            "distance:number;divergence:39.2;accuracy:0.05;volunteers:70000",
            "accuracy:2",
            "picture:closeness;distance:groups",
            "picture:map;across:epsilon;epsilon:0.5",
        ),
        "run": ("records:5000;sample:200;rounds:8;seed:3", "learner:none", "density:0.002"),
        "alike": ("records:2000;share:0.3,0.6;sample:200;replicates:3;rounds:8", "share:1.5"),
        "parity": ("bits:32;rare:0.005;replicates:20;extra:0,5,50", "bits:a"),
        "learner": ("bits:8;rare:0.2;replicates:10;records:50,150;batches:7", "epsilon:0.6"),
    },
    "adaptation": {
        "rate": (
            "replicates:2;private:50,400;epsilon:1;public:200;steps:50",
            "method:best",
            "replicates:2;private:50,400;epsilon:1,40;public:200;steps:50;method:profiled",
        ),
        "mixture": ("replicates:2;private:100;alpha:0,0.5,1;public:200", "alpha:2"),
        "closeness": ("replicates:4;concept:0,2;public:200;private:2000;budget:5", "loss:cubic"),
        "weights": ("public:200;steps:40;seed:3", "steps:0"),
        "budget": ("budget:15;copies:4", "copies:-1"),
        "table": ("replicates:2;epsilon:5;steps:20", "data:iris"),
    },
    "logistic": {
        "sources": (f"epsilon:0.5;{_SMALL};seed:4", "law:cauchy"),
        "accuracy": (
            f"replicates:2;epsilon:8,inf;{_SMALL}",
            "sweep:delta",
            f"replicates:2;sweep:deviation;deviation:1,3;epsilon:inf;metric:kept;{_SMALL}",
        ),
        "table": ("replicates:2;transferable:1;scale:0.1", "transferable:99"),
        "meaning": ("radius:inf;scale:1", "scale:0"),
        "records": ("kind:none", "clip:-1"),
    },
}
_NO_RUN = {  # tabs that answer at once, or wait for a file
    *("adaptation/weights", "adaptation/budget", "classification/classifier"),
    *("classification/hospitals", "hybrid/needs", "hybrid/run", "logistic/sources"),
    *("logistic/meaning", "logistic/records", "regression/estimate", "regression/pointwise"),
}
_OF_STUDY = {"classification/study": "short", "regression/study": "curve"}


def _live_pages() -> list[Screen]:
    out = []
    for page, tabs in _RUNS.items():
        for number, (tab, (small, broken, *more)) in enumerate(tabs.items()):
            at = {"tab": tab} if number else {}  # the first tab needs no name
            place = f"{page}/{tab}"
            study = _STUDY.get(_OF_STUDY.get(place, ""), {})
            steps = () if place in _NO_RUN else ("Run",)
            out += [
                Screen(page, tab, "usual", at),
                Screen(page, tab, "other", {**at, **study, "run": small}, steps),
                Screen(page, tab, "broken", {"tab": tab, "run": broken}, whole=False),
            ]
            out += [
                Screen(page, tab, f"other {k}", {**at, "run": text}, steps)
                for k, text in enumerate(more, start=2)
            ]
        out.append(Screen(page, "", "no such tab", {"tab": "nothing"}, whole=False))
    for page in _OF_STUDY:
        name, tab = page.split("/")
        other = {"classification": "curve", "regression": "transfer"}[name]
        out.append(Screen(name, tab, "a study of the other kind", {"tab": tab, **_STUDY[other]}))
    return out


SCREENS = (*_plain_pages(), *_live_pages())
PAGES = tuple(dict.fromkeys(screen.page for screen in SCREENS))
