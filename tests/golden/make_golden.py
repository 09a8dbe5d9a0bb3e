"""Write rates.json: the rate equations and the named mechanisms solved to 50 digits.

Nothing here comes from the package `rates`: every root is found by plain bisection in
mpmath, every minimum is taken of exact numbers, and the elasticity of the exact Gaussian
noise is a central difference of bisected roots. It is slow and meant to be read.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mpmath import mp, mpf

mp.dps = 60  # 50 digits and a reserve
COMMAND = "python tests/golden/make_golden.py"
TARGET = Path(__file__).with_name("rates.json")
BITS = 190  # halvings: from an interval of length 6000 to below 1e-53
TIE = mpf(10) ** -45
SERIES = {"overlap": 2, "spike": 2, "clip": 4, "variance": 2, "bias": 1}

Row = dict[str, Any]
Case = dict[str, Any]


def text(x: mpf) -> str:
    """Return 20 significant digits."""
    return mp.nstr(mpf(x), 20)


def number(value: str | float) -> mpf:
    """Return the exact value of the double that a reader of the file gets."""
    return mpf(float(value))


def bisect(rising: Callable[[mpf], mpf], low: mpf, high: mpf) -> mpf:
    """Return the zero of an increasing function by halving the interval."""
    for _ in range(BITS):
        middle = (low + high) / 2
        if rising(middle) > 0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def row_values(row: Row) -> tuple[mpf, mpf, mpf, mpf]:
    """Return n, epsilon, gamma and count of a row; absent ones are 1."""
    return tuple(number(row.get(key, 1)) for key in ("n", "epsilon", "gamma", "count"))


def informative(row: Row) -> bool:
    """Say whether a row can contribute."""
    n, epsilon, _, _ = row_values(row)
    return n > 0 and epsilon > 0


def protected(row: Row) -> bool:
    """Say whether a row contributes under a finite budget."""
    return informative(row) and row["epsilon"] != "inf"


# One row of an equation in r: its term at r, the weight of privacy in it, and the slope.
Term = Callable[[Row, mpf], tuple[mpf, mpf, mpf]]


def rate_term(beta: mpf, d: mpf) -> Term:
    """The terms of equation (5), with the exact minimum; weight 1/2 stands for a tie."""

    def term(row: Row, r: mpf) -> tuple[mpf, mpf, mpf]:
        n, epsilon, gamma, count = row_values(row)
        slope = 2 * beta * gamma + d
        if not informative(row):
            return mpf(0), mpf(0), slope
        if row["epsilon"] == "inf":
            return count * n * r**slope, mpf(0), slope
        private = n**2 * epsilon**2 * r**d
        gap = private / n - 1
        weight = mpf(1) / 2 if abs(gap) < TIE else mpf(1 if gap < 0 else 0)
        return count * min(n, private) * r**slope, weight, slope

    return term


def variance_term(beta: mpf, d: mpf, worth: mpf, noise: list[mpf], scale: mpf) -> Term:
    """Squared signal over variance: worth/(n h^d) + (noise/(n h^d))^2 with h^d = scale r^d."""

    def term(row: Row, r: mpf) -> tuple[mpf, mpf, mpf]:
        n, _, gamma, count = row_values(row)
        slope = 2 * beta * gamma + d
        sigma = noise[row["index"]]
        if not informative(row):
            return mpf(0), mpf(0), slope
        size = n * scale * r**d
        sample, private = worth / size, (sigma / size) ** 2
        value = count * r ** (2 * beta * gamma) / (sample + private)
        return value, private / (sample + private), slope

    return term


def solve(rows: list[Row], term: Term, rhs: mpf | int = 1) -> mpf | None:
    """Return log r with sum of terms = rhs, or None where no row is informative."""
    if not any(informative(row) for row in rows):
        return None

    def left(u: mpf) -> mpf:
        r = mp.exp(u)
        return sum(term(row, r)[0] for row in rows) - rhs

    return bisect(left, mpf(-3000), mpf(3000))


def evidence(rows: list[Row], term: Term, u: mpf | None, d: mpf, power: list[mpf]) -> Case:
    """Return shares, limits and elasticities of r on both sides of ties."""
    empty = ["0.0"] * len(rows)
    if u is None:
        names = ("shares", "elasticity_n", "elasticity_epsilon")
        return dict.fromkeys(names, empty) | {"limited_by": ["none"] * len(rows)}
    pieces = [term(row, mp.exp(u)) for row in rows]
    total = sum(value for value, _, _ in pieces)
    out: Case = {"shares": [text(value / total) for value, _, _ in pieces], "limited_by": []}
    for row, (_, weight, _) in zip(rows, pieces, strict=True):
        limit = "privacy" if weight >= mpf(1) / 2 else "sample"
        out["limited_by"].append(limit if informative(row) else "none")

    def elasticities(side: Callable[[mpf], mpf]) -> tuple[list[str], list[str]]:
        slope = sum((k + d * side(w)) * value for value, w, k in pieces)
        by_n = [text(-(1 + side(w)) * value / slope) for value, w, _ in pieces]
        by_epsilon = [
            text(-2 * side(w) * p * value / slope)
            for (value, w, _), p in zip(pieces, power, strict=True)
        ]
        return by_n, by_epsilon

    half = mpf(1) / 2
    tied = any(w == half for _, w, _ in pieces)
    out["elasticity_n"], out["elasticity_epsilon"] = elasticities(lambda w: 1 if w == half else w)
    if tied:
        above = elasticities(lambda w: 0 if w == half else w)
        out["elasticity_n_above"], out["elasticity_epsilon_above"] = above
    return out


def gaussian_noise(epsilon: mpf, delta: mpf) -> mpf:
    """Return the least sigma/Delta of the Gaussian mechanism, from its exact profile."""

    def profile(t: mpf) -> mpf:
        near = mp.ncdf(t / 2 - epsilon / t)
        return near - mp.exp(epsilon) * mp.ncdf(-t / 2 - epsilon / t)

    return mp.exp(-bisect(lambda v: profile(mp.exp(v)) - delta, mpf(-40), mpf(10)))


def noises(rows: list[Row], mechanism: str, constant: int) -> tuple[list[mpf], list[mpf]]:
    """Return sigma/Delta per row and minus its elasticity in epsilon."""
    noise, power = [], []
    for row in rows:
        epsilon = number(row["epsilon"])
        if not protected(row):
            noise.append(mpf(0))
            power.append(mpf(1))
            continue
        delta = number(row["delta"])
        if mechanism == "printed":
            noise.append(mp.sqrt(constant * mp.log(2 / delta)) / epsilon)
            power.append(mpf(1))
            continue
        step = mpf(10) ** -12
        up, down = (gaussian_noise(epsilon * mp.exp(h), delta) for h in (step, -step))
        noise.append(gaussian_noise(epsilon, delta))
        power.append(-(mp.log(up) - mp.log(down)) / (2 * step))
    return noise, power


def indexed(case: Case) -> list[Row]:
    """Return the rows with their positions."""
    return [{**row, "index": i} for i, row in enumerate(case["servers"])]


def transfer_answer(case: Case, mechanism: str = "", kappa: str = "1") -> Case:
    """Answer a transfer study by equation (5), or by the named mechanism."""
    rows = indexed(case)
    beta, d, alpha = (number(case[key]) for key in ("smoothness", "dimension", "margin"))
    if mechanism:
        noise, power = noises(rows, mechanism, 2)
        worth, scale = (mpf(2) / 3) ** d / 4, number(kappa) ** d
        term = variance_term(beta, d, worth, noise, scale)
    else:
        worth, scale, power = mpf(1), mpf(1), [mpf(1)] * len(rows)
        term = rate_term(beta, d)
    u = solve(rows, term)
    out = evidence(rows, term, u, d, power)
    if u is None:
        infinite = {"r": "inf", "rate": "1.0", "rate_uncapped": "inf", "effective_n": "0.0"}
        return out | infinite | {"bandwidth": "1.0", "log_factor": "1.0"}
    rate = mp.exp(beta * (1 + alpha) * u)
    out |= {"r": text(mp.exp(u)), "log_r": text(u)}
    out |= {"rate": text(min(rate, 1)), "rate_uncapped": text(rate)}
    out["effective_n"] = text(worth / scale * mp.exp(-(2 * beta + d) * u))
    if mechanism:
        return out | {"bandwidth": text(min(1, number(kappa) * mp.exp(u)))}
    private = [row for row in rows if protected(row)]
    if any("delta" not in row for row in private):
        return out
    right, factor = mpf(1), mpf(1)
    if private:
        least = min(number(row["delta"]) for row in private)
        right = mp.log(2 / least)
        gamma = min([mpf(1)] + [row_values(row)[2] for row in rows if informative(row)])
        factor = mp.log(1 / least) ** (beta * (1 + alpha) / (2 * beta * gamma + d))
        out["delta_min"] = repr(float(least))
    h = mp.exp(solve(rows, term, right))
    return out | {"r_delta": text(h), "bandwidth": text(min(1, h)), "log_factor": text(factor)}


def risk_answer(rows: list[Row], g: mpf, term: Term, power: list[mpf], worth: mpf) -> Case:
    """Answer one risk: the same equation at D = 1/r, so elasticities change their sign."""
    u = solve(rows, term)
    out = evidence(rows, term, u, mpf(1), power)
    for key in [key for key in out if key.startswith("elasticity")]:
        out[key] = [text(-mpf(x)) for x in out[key]]
    if u is None:
        return out | {"D": "0.0", "rate": "1.0", "level": 0, "effective_n": "0.0"}
    level = max(0, int(mp.ceil(-u / mp.log(2) - TIE)))
    out |= {"D": text(mp.exp(-u)), "log_D": text(-u), "level": level}
    out["rate"] = text(min(1, mp.exp(2 * g * u)))
    return out | {"effective_n": text(worth * mp.exp(-(2 * g + 1) * u))}


def d_term(g: mpf) -> Term:
    """The terms of D^(2g+2) = sum min(n^2 epsilon^2, n D), divided by D^(2g+2)."""

    def term(row: Row, r: mpf) -> tuple[mpf, mpf, mpf]:
        n, epsilon, _, count = row_values(row)
        large = 1 / r
        if not informative(row):
            return mpf(0), mpf(0), 2 * g + 1
        sample = n * large
        if row["epsilon"] == "inf":
            return count * sample / large ** (2 * g + 2), mpf(0), 2 * g + 1
        private = n**2 * epsilon**2
        gap = private / sample - 1
        weight = mpf(1) / 2 if abs(gap) < TIE else mpf(1 if gap < 0 else 0)
        return count * min(private, sample) / large ** (2 * g + 2), weight, 2 * g + 1

    return term


def federated_answer(case: Case, mechanism: str = "") -> Case:
    """Answer a federated study for both risks, by (6) or by the named mechanism."""
    rows = indexed(case)
    alpha = number(case["smoothness"])
    p = case["integrability"]
    nu = alpha if p == "inf" else alpha - 1 / number(p)
    ones = [mpf(1)] * len(rows)
    if not mechanism:
        answers = [risk_answer(rows, g, d_term(g), ones, mpf(1)) for g in (alpha, nu)]
    else:
        c = {key: mpf(value) for key, value in SERIES.items()}
        sigma, power = noises(rows, mechanism, 4)
        gaussian = [2 * c["clip"] * mp.sqrt(c["overlap"]) * x for x in sigma]
        scale = mp.sqrt(8) * c["clip"] * c["spike"]
        laplace = [scale / number(row["epsilon"]) if protected(row) else mpf(0) for row in rows]
        worth, root = c["variance"] / c["bias"], mp.sqrt(c["bias"])
        answers = []
        for g, noise, powers in ((alpha, gaussian, power), (nu, laplace, ones)):
            term = variance_term(g, mpf(1), worth, [x / root for x in noise], mpf(1))
            answers.append(risk_answer(rows, g, term, powers, worth))
    return {"integrated": answers[0], "pointwise": answers[1]}


def draw_row(draw: random.Random, index: int, *, gamma: bool, delta: bool) -> Row:
    """Return one random site; about one in seven is unprotected."""
    row: Row = {"n": round(10 ** draw.uniform(1, 8))}
    row["epsilon"] = "inf" if draw.random() < 0.15 else f"{10 ** draw.uniform(-3, 1.5):.6g}"
    if delta and row["epsilon"] != "inf":
        row["delta"] = f"{10 ** draw.uniform(-14, -3):.4g}"
    if gamma and index > 0:
        row["gamma"] = f"{draw.uniform(0.2, 3):.4g}"
    if index > 0 and draw.random() < 0.4:
        row["count"] = draw.choice([2, 7, 150, 10**6])
    return row


def draw_transfer(draw: random.Random, *, delta: bool = True) -> Case:
    """Return one random transfer study."""
    rows = [draw_row(draw, i, gamma=True, delta=delta) for i in range(draw.randint(1, 5))]
    dimension = draw.randint(1, 6)
    smoothness, margin = draw.uniform(0.1, 1), draw.uniform(0, min(3, dimension))
    return transfer(rows, f"{smoothness:.4g}", dimension, f"{margin:.4g}")


def draw_federated(draw: random.Random) -> Case:
    """Return one random federated study."""
    rows = [draw_row(draw, i, gamma=False, delta=True) for i in range(draw.randint(1, 4))]
    p = draw.choice(["inf", "4", "2.5"])
    return {"smoothness": f"{draw.uniform(1, 3):.4g}", "integrability": p, "servers": rows}


def transfer(servers: list[Row], smoothness: str, dimension: int, margin: str) -> Case:
    """Return a study by hand."""
    study = {"smoothness": smoothness, "dimension": dimension, "margin": margin}
    return study | {"servers": servers}


def site(n: int, epsilon: str | float, **more: Any) -> Row:
    """Return a row by hand; floats are written so that they are read back exactly."""
    return {"n": n, "epsilon": epsilon if isinstance(epsilon, str) else repr(epsilon), **more}


def special_transfer() -> list[Case]:
    """Limit cases of the r equation; the tied ones are exact in binary."""
    tied = site(2**17, 2.0**-4)
    source = site(2**26, "inf", gamma="2")
    steep = site(2**35, 2.0**-13, gamma="3")
    tiny = "1e-300"
    return [
        transfer([site(10**15, tiny, delta="1e-200")], "0.5", 2, "1"),
        transfer([site(10**15, tiny, delta="1e-9"), site(1, "1", delta="0.5", gamma="0.1")],
                 "0.3", 1, "0"),
        transfer([site(10**15, "1e-8", delta="1e-20"), site(10**15, "inf", gamma="0.05")],
                 "1", 1, "1"),
        transfer([site(10**15, "50", delta="1e-15", count=1)], "0.02", 1, "50"),
        transfer([site(2**24, 2.0**-4)], "0.5", 2, "1"),
        transfer([site(2**18, 2.0**-6)], "1.0", 1, "0.5"),
        transfer([tied, source], "0.5", 1, "1"),
        transfer([tied, steep], "0.5", 1, "2"),
        transfer([site(900, "inf"), site(4000, "inf", gamma="1.7")], "0.8", 3, "1.25"),
        transfer([site(500, "0.3", delta="1e-6"), site(70, "inf", gamma="0.6", count=40)],
                 "0.6", 2, "1"),
        transfer([site(0, "1", delta="1e-9"), site(800, "0", gamma="0.1"),
                  site(300, "2", delta="0.001", gamma="0.4", count=10**9)], "0.7", 4, "1"),
        transfer([site(0, "inf"), site(5, "0", count=12)], "0.5", 2, "1"),
        transfer([site(3, "0.01", delta="0.3"), site(2, "0.02", delta="0.9", gamma="5")],
                 "0.9", 2, "0.1"),
    ]  # fmt: skip


def special_federated() -> list[Case]:
    """Limit cases of the D equation."""
    cases = [
        ("1", "inf", [site(2**12, 2.0**-4)]),
        ("1", "inf", [site(2**10, 2.0**-3, count=4)]),
        ("1.5", "2", [site(10**15, "1e-300", delta="1e-12"), site(40, "0.5", delta="1e-5")]),
        ("2", "4", [site(0, "inf"), site(9, "0")]),
        ("0.75", "inf", [site(10**6, "0.01", delta="1e-9"), site(1, "inf", count=10**9)]),
        ("2.25", "2", [site(10**15, "inf"), site(10**9, "1e-4", delta="1e-30", count=300)]),
    ]
    return [
        {"smoothness": smoothness, "integrability": p, "servers": rows}
        for smoothness, p, rows in cases
    ]


def main() -> None:
    """Draw, solve and write."""
    draw = random.Random(20260704)
    plain = special_transfer() + [draw_transfer(draw, delta=i % 3 > 0) for i in range(15)]
    curves = special_federated() + [draw_federated(draw) for _ in range(9)]
    hospitals = transfer(
        [site(180, "0.7", delta="1e-7"), site(260, "1.3", delta="1e-6", gamma="0.75", count=3),
         site(90, "4", delta="1e-5", gamma="1.2"), site(12, "inf", gamma="1.5")],
        "0.45", 3, "1.1",
    )  # fmt: skip
    mechanisms: list[Case] = []
    for i in range(10):
        study = hospitals if i < 6 else draw_transfer(draw)
        mechanism, kappa = ("printed", "analytic")[i % 2], "123"[i % 3]
        answer = transfer_answer(study, mechanism, kappa)
        mechanisms.append(study | {"mechanism": mechanism, "kappa": kappa, "answer": answer})
    series: list[Case] = []
    for i in range(6):
        study, mechanism = draw_federated(draw), ("printed", "analytic")[i % 2]
        answer = federated_answer(study, mechanism)
        series.append(study | {"mechanism": mechanism, "answer": answer})
    groups = {
        "transfer": [case | {"answer": transfer_answer(case)} for case in plain],
        "federated": [case | {"answer": federated_answer(case)} for case in curves],
        "transfer_mechanism": mechanisms,
        "federated_mechanism": series,
    }
    lines = [f'"generated_by": {json.dumps(COMMAND)}']
    for name, cases in groups.items():
        body = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
        lines.append(f'"{name}": [\n{body}\n]')
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    count = sum(len(cases) for cases in groups.values())
    print(f"{count} cases, {math.ceil(TARGET.stat().st_size / 1000)} kB")


if __name__ == "__main__":
    main()
