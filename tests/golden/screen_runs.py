"""Which screens are stored of the pages with live runs: of every tab three links or more."""

from __future__ import annotations

from screen_links import STUDY, Given, Screen, Step, Typed

# By tab, a small run with other parameters, a broken one, and more small ones.
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
        "paper": ("figure:3;replicates:2;kernel:both", "figure:9", "figure:5"),
        "adaptive": ("replicates:2;epsilon:1,inf;n:100", "n:0"),
        "attacker": (
            "mechanism:histogram, Laplace;replicates:40;epsilon:1,2;noise:0.5",
            "mechanism:none",
        ),
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
        "constants": ("curves:1;epsilon:10;n:1000000", "moments:-1"),
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
    "columns": {
        "errors": (
            "n:2000;epsilon_1:2;epsilon_2:0.01,0.1,1;replicates:4;rho:0.6;seed:2",
            "rho:1",
        ),
    },
    "real": {
        "sites": (
            "data:invented;epsilon:0.1;seed:2",
            "data:nothing",
            "data:indo_rct",
        ),
        "slopes": ("data:invented;epsilon:0.5,1;share:0.5,1;replicates:4", "share:2"),
        "differ": ("data:invented", "delta:0", "data:lunch"),
    },
}
_NO_RUN = {  # tabs that answer at once, or wait for a file
    *("adaptation/weights", "adaptation/budget", "classification/classifier"),
    *("classification/hospitals", "hybrid/needs", "hybrid/run", "logistic/sources"),
    *("logistic/meaning", "logistic/records", "regression/estimate"),
    *("real/sites", "real/differ"),
}
_OF_STUDY = {"classification/study": "short", "regression/study": "curve"}


# Files that tabs ask for, and what goes wrong with them ------------------------------------------


def _patient(k: int) -> str:
    age, rate = 40 + k % 30, 120 + (7 * k) % 50
    return f"{age},{k % 2},{1 + k % 4},130,200,0,0,{rate},{(k // 2) % 2},{k % 3},1,0,3,{k % 2}"


def _patients(rows: int) -> str:
    return "\n".join(_patient(k) for k in range(rows))


def _sites() -> str:
    rows = ["source,y,a,b"]
    for name, n, sign in (("small", 60, 1), ("like", 200, 1), ("un*like", 200, -1)):
        for k in range(n):
            a, b = (37 * k) % 101 / 25 - 2, (53 * k) % 89 / 22 - 2
            rows.append(f"{name},{int(sign * (a + b) + (k % 7) / 10 - 0.3 > 0)},{a:.3f},{b:.3f}")
    return "\n".join(rows)


def _own() -> str:
    rows = [f"{'ABBC'[k % 4]}*,{k * 37 % 101},{k * 37 % 101 // 20 + k % 3}" for k in range(240)]
    return "\n".join(["site,x,y", *rows])


def _domains() -> str:
    rows = [f"{d},{y / 10},{y},{y * y % 7}" for d in ("public", "private") for y in range(-9, 10)]
    return "\n".join(["domain,label,age,dose", *rows])


_HOSPITALS = (("processed.hungarian.data", _patients(200)), ("other.csv", _patients(90)))
_STEPS: tuple[tuple[str, str, str, str, tuple[Step, ...]], ...] = (
    (
        "classification",
        "hospitals",
        "files",
        "replicates:4",
        (Given("One file", _HOSPITALS), "Run"),
    ),
    (
        "classification",
        "hospitals",
        "a bad file",
        "",
        (Given("One file", (("good.data", _patients(200)), ("bad.data", "1,2,3"))),),
    ),
    (
        "adaptation",
        "table",
        "a table",
        "replicates:2;epsilon:5;steps:20",
        (Given("Your own", (("t.csv", _domains()),)), "Run"),
    ),
    ("adaptation", "table", "a bad table", "", (Given("Your own", (("t.csv", "a,b\n1,2"),)),)),
    ("logistic", "records", "records", "kind:none", (Given("Table with", (("r.csv", _sites()),)),)),
    ("logistic", "records", "bad records", "", (Given("Table with", (("r.csv", "a,b\n1,2"),)),)),
    (
        "classification",
        "rate",
        "earlier parameters",
        "n:10000,30000;replicates:4",
        ("Run", Typed("Seed, exact value", "3")),
    ),
    ("classification", "rate", "a bad seed", "replicates:4", (Typed("Seed, exact value", "1.5"),)),
    ("real", "sites", "an own table", "", (Given("Your own table", (("t.csv", _own()),)),)),
    (
        "real",
        "slopes",
        "an own table",
        "replicates:4",
        (Given("Your own table", (("t.csv", _own()),)), "Run"),
    ),
    (
        "real",
        "sites",
        "a bad table",
        "",
        (Given("Your own table", (("t.csv", "site,x,y\nA,1,2"),)),),
    ),
    ("hybrid", "needs", "a bad number", "", (Typed("Accuracy α, exact value", "2"),)),
    ("hybrid", "parity", "another tab", "replicates:20;extra:0,5", ("Numbers",)),
    (
        "logistic",
        "meaning",
        "a bad number",
        "",
        (Typed("Laplace scale, the paper's Δ/ε, exact value", "0"),),
    ),
)


def live_pages() -> list[Screen]:
    out = []
    for page, tabs in _RUNS.items():
        for number, (tab, (small, broken, *more)) in enumerate(tabs.items()):
            at = {"tab": tab} if number else {}  # the first tab needs no name
            place = f"{page}/{tab}"
            study = STUDY.get(_OF_STUDY.get(place, ""), {})
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
        out.append(Screen(name, tab, "a study of the other kind", {"tab": tab, **STUDY[other]}))
    out += [
        Screen(page, tab, name, {"tab": tab, **({"run": run} if run else {})}, steps)
        for page, tab, name, run, steps in _STEPS
    ]
    return out
