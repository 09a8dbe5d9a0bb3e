"""Which screens are stored of the pages without runs: each by three links or more.

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
class Typed:
    """A text typed into the box of a label."""

    label: str
    text: str


@dataclass(frozen=True)
class Chosen:
    """An option chosen in the list of a label."""

    label: str
    option: str


@dataclass(frozen=True)
class Given:
    """Files, by name and text, given where a label begins like this."""

    label: str
    files: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Opened:
    """A fold opened whose title begins like this: what is shut is not drawn."""

    title: str


Step = str | Typed | Chosen | Given | Opened


@dataclass(frozen=True)
class Screen:
    """One link, and what a visitor does there.

    Attributes:
        page: Name of the page.
        tab: Name of its tab; empty where it has none.
        name: What is particular about the link.
        query: What stands in the address besides the tab.
        steps: What is done after the page was opened, one after another: words are pressed or
            chosen, the others are `Typed`, `Chosen`, `Given` or `Opened`.
        whole: Whether a run that starts by itself goes on to its end; otherwise the first state
            is stored.
        files: Whether downloads are stored with their content.
    """

    page: str
    tab: str
    name: str
    query: Query
    steps: tuple[Step, ...] = ()
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
    return _short(_json(data))


def _short(text: str) -> str:
    body = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode()
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

_DETAIL = "8,100000,0.3,1.5,4,25,total,sites,rate,alike"
STUDY = {
    "transfer": {"study": _json(TRANSFER)},
    "curve": {"study": _json(CURVE)},
    "short": {"study": packed(PLAIN)},
    "smooth": {"study": packed({**PLAIN, "smoothness": 1})},
    "silent": {"study": packed(SILENT)},
    "broken": {"study": _json(BROKEN)},
}

# Pages of a study ------------------------------------------------------------------------------

_OFFERS = "name,n,epsilon,price,most\nNew clinic,500,1,100,2\nOld registry,20000,0.1,900,1\n"


def plain_pages() -> list[Screen]:
    def page(name: str, about: str, query: Query, *steps: Step, **more: bool) -> Screen:
        return Screen(name, "", about, query, steps, **more)

    views = ("What survives", "Who carries it")
    plan_other = {"version": 1, "goal": "sample", "multiple": 3, "other": PLAIN, "offers": _OFFERS}
    plan_lever = {"version": 1, "fraction": 0.25, "lever": "n", "site": "North", "kind_n": 50}
    point = "5000,2,10000000,0.5,1,1,0.3,0.02,0.006"
    rivals = {"tab": "alternatives"}
    misprint = "10000,100,100000,0.5,2,1,1.2,0.4,1"
    return [
        page("overview", "usual", {}),
        page("overview", "a study and another page's number", {**STUDY["curve"], "colour": "red"}),
        page("overview", "a broken study", STUDY["broken"]),
        page("study", "usual", {}),
        page("study", "usual, every budget", {}, views[1]),
        page("study", "a classifier with a scope", STUDY["transfer"]),
        page("study", "a curve", STUDY["curve"], Opened("α = ")),
        page("study", "a curve at a point", STUDY["curve"], "At one point", views[1]),
        page("study", "nothing to learn from", STUDY["silent"]),
        page("study", "why, a classifier with a scope", STUDY["transfer"], Opened("Why")),
        page("study", "why, a curve", STUDY["curve"], Opened("Why")),
        page("study", "lines of Python", STUDY["short"], Opened("Take away")),
        page("study", "a typed budget", {}, BUDGETS, Typed(BUDGET, "0.18"), files=False),
        page(
            "study",
            "the other kind",
            {},
            Opened("yes-or-no outcome"),
            Chosen("What is learned?", "A measured number"),
            files=False,
        ),
        page(
            "study",
            "all alike",
            {},
            Opened("target Regional"),
            Chosen("Whose patients", "All sites alike"),
            files=False,
        ),
        page("study", "an example", {}, "Open: A million phones, local privacy"),
        page(
            "study",
            "pasted rows",
            {},
            Typed("Rows to paste", _ROWS),
            "Read these rows",
            "Use these rows",
        ),
        page(
            "study",
            "rows that are asked about",
            {},
            Typed("Rows to paste", "Klinik;Fälle;Budget;Ort\nNord;2.000;0,3;A\nOst;58;keins;B"),
            "Read these rows",
            files=False,
        ),
        page("fit", "usual", {}),
        page("fit", "usual, site by site", {}, Opened("Site by site")),
        page("fit", "what is not known", {"tab": "unknown"}),
        page("fit", "the alternatives", rivals),
        page("fit", "what is promised", {"tab": "promises"}),
        page("fit", "the paragraph", {"tab": "paragraph"}),
        page("fit", "a curve and a curator", {**STUDY["curve"], **rivals, "curator": "0.5"}),
        page("fit", "a fitted constant", {**STUDY["smooth"], **rivals, **_constant("cusp 1")}),
        page(
            "fit",
            "a constant that is refused",
            {**STUDY["short"], **rivals, **_constant("cusp 0.5")},
        ),
        page("fit", "a scope", STUDY["transfer"]),
        page("fit", "nothing to learn from", {**STUDY["silent"], "tab": "unknown"}),
        page("fit", "broken numbers", {"curator": "-1", "constant": "integrated:cusps"}),
        page("fit", "a survival time", {}, Chosen("Is the answer a", "time")),
        page("plan", "usual", {}),
        page("plan", "a lever", {**STUDY["transfer"], "plan": packed(plan_lever)}),
        page("plan", "another design and offers", {**STUDY["short"], "plan": packed(plan_other)}),
        page("plan", "a curve", STUDY["curve"]),
        page(
            "plan",
            "a risk",
            {
                **STUDY["curve"],
                "constant": "integrated:fourier",
                "plan": packed({"version": 1, "goal": "risk", "wanted": 0.002}),
            },
        ),
        page("plan", "a need in records", {"plan": "goal:need;needed:2000"}),
        *[
            page("plan", f"usual, {tab}", {"tab": tab}, files=tab == "report")
            for tab in ("split", "designs", "causes", "report")
        ],
        page(
            "plan",
            "another design, compared",
            {**STUDY["short"], "plan": packed(plan_other), "tab": "designs"},
        ),
        page(
            "plan",
            "pasted offers",
            {"tab": "offers"},
            Typed("Offers to paste", _OFFERS),
            "Use these offers",
            files=False,
        ),
        page("orders", "usual", {}),
        page("orders", "an equation along one axis", {"rate": packed(_EQUATION)}, "Along one axis"),
        page("orders", "claims along one axis", {"rate": packed(_CLAIMS)}, "Along one axis"),
        page("orders", "usual, cases", {"tab": "cases"}),
        page("orders", "claims decided", {"rate": packed(_CLAIMS), "tab": "claims"}),
        page("orders", "printed rates", {"rate": "hu-2023-pure", "tab": "printed"}),
        page("orders", "taken away", {"rate": packed(_CLAIMS), "tab": "take"}),
        page("orders", "the sites of a study", {**STUDY["curve"], "rate": packed(_BY_SITE)}),
        page("orders", "a text that is no rate", {"rate": packed({**_CLAIMS, "text": "n - eps"})}),
        page("orders", "a broken link", {"rate": "{}"}),
        page("orders", "a typed rate", {}, Typed("A rate, or an equation in one unknown", "n^-b")),
        page("phases", "usual", {}),
        page("phases", "usual, the shape", {}, Opened("Sizes, shape")),
        page("phases", "usual, why", {}, Opened("Why")),
        page("phases", "the study's own map", {"own": "x:n_2;y:signal_exponent_2"}),
        page(
            "phases",
            "the own map of a curve, by the mechanism",
            {**STUDY["curve"], "own": "x:epsilon_all;y:count_1;answer:mechanism"},
        ),
        page("phases", "unequal budgets", {"at": point}),
        page("phases", "a reading of the table", {"at": misprint, "table": "A"}),
        page("phases", "broken", {"at": "1,2,3", "table": "C"}),
        page("phases", "a typed number", {}, Typed("Signal exponent γ, exact value", "0.7")),
        page("resolution", "usual", {}),
        page("resolution", "why", {}, Opened("Why")),
        page("resolution", "the rate over sites", {"detail": _DETAIL}),
        page("resolution", "a study", STUDY["curve"]),
        page("resolution", "broken", {"detail": "1,2"}),
        page("resolution", "a typed number", {}, Typed("Number of sites m, exact value", "7")),
        page("resolution", "all records held", {}, "All records"),
        page("statements", "usual", {}),
        page("statements", "the first slip", {}, Opened("1. ")),
        page("statements", "what is covered", {}, Opened("What is covered"), files=False),
        page("statements", "search and filters", {"q": "eps21", "paper": "ACC", "seed": "11"}),
        page("statements", "one", {"id": "ACC:Cor3.2:eps21"}),
        page("statements", "one among those found", {"id": "CCV:Sec2.1:smaller-p", "paper": "CCV"}),
        page(
            "statements",
            "one, run again",
            {"id": "ACC:Cor3.2:eps21", "seed": "5"},
            "Run again",
        ),
        page("statements", "a sheet", {"paper": "KS", "view": "sheet"}),
        page("statements", "broken", {"id": "nothing", "paper": "XYZ", "seed": "-1", "view": "x"}),
        page("lessons", "usual", {}),
        page("lessons", "after a lock", {"list": "tour", "locked": _short("odds:60")}),
        page("lessons", "points", {"list": "alone", "lesson": "carry"}, files=False),
        page("lessons", "an own study", {**STUDY["curve"], "lesson": "carry.own"}, files=False),
        page(
            "lessons",
            "a choice",
            {"lesson": "back"},
            Chosen("Your answer", "Always the sources"),
            files=False,
        ),
        page(
            "lessons",
            "broken",
            {"list": "a,odds", "lesson": "x", "locked": _short(_FREE)[:-5]},
            files=False,
        ),
        page("about", "usual", {}),
        page("about", "how to cite", {}, Opened("How to cite")),
        page("about", "a term", {"term": "effective-records"}),
        page("about", "nothing found", {"term": "qqq"}),
    ]


BUDGETS = Opened("ε = ")
BUDGET = "Multiply every ε by, exact value"
_ROWS = "name,role,n,epsilon,delta\nOslo,target,400,1,1e-6\nBergen,,900,inf,\n"


_FREE = "free:1,10,30;free_transfer:10;ours:free,free_transfer"


def _constant(world: str) -> Query:
    return {"constant": f"classification:{world}"}


_EQUATION = {
    "version": 1,
    "text": "n*h^(2*b+1) + n^2*eps^2*h^(2*b+2) = 1",
    "sizes": ["n", "eps"],
    "exponents": ["b"],
    "unknown": "h",
    "rate": "h^(2*b)",
    "at": {"n": 1000, "eps": 0.5, "b": 1},
}
_CLAIMS = {
    "version": 1,
    "text": "max(free: 1/n, private: 1/(n*eps)^2)",
    "sizes": ["n", "eps"],
    "at": {"n": 1000, "eps": 0.05},
    "claims": [
        {"equals": "1/n", "where": ["n*eps^2 >= 1"], "name": "free"},
        {"equals": "1/n", "where": ["eps <= 1"]},
    ],
}
_BY_SITE = {
    "version": 1,
    "text": "D^(2*alpha+2) = sum_j(m*min(n^2*eps^2, n*D))",
    "sizes": ["m", "n", "eps"],
    "exponents": ["alpha"],
    "unknown": "D",
    "rate": "min(1, D^(-2*alpha))",
    "sites": ["m", "n", "eps"],
    "at": {"m": 1, "n": 100, "eps": 1, "alpha": 1.5},
}
