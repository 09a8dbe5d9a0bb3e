"""[ACC] (4) and the thresholds of Corollary 3.2: derivations.

Every function adds its steps to a proof and returns the result as LaTeX. The logs of the four
terms are lines in log ε, so thresholds are found by solving, never typed.
"""

from __future__ import annotations

from rates.statements.symbolic.exponents import forms
from rates.statements.symbolic.expressions import branches, expression, in_logs
from rates.statements.symbolic.letters import (
    exponent_letters,
    label,
    logs,
    power_k,
    show,
    slack,
    with_logs,
)
from rates.statements.symbolic.letters import letters as s
from rates.statements.symbolic.letters import log_letters as ln
from rates.statements.symbolic.record import Proof, tidy
from rates.statements.symbolic.sides import by_exponent


def four_terms(p: Proof) -> str:
    """(4) is Theorem 3.1 at a common budget, up to a constant."""
    for part, names in (("A_t", ("NPt", "Pt")), ("A_s", ("NPs", "Ps"))):
        for name, found in zip(names, branches(part, s.eps, s.eps0), strict=True):
            branch = found.subs(s.eps0, s.eps)
            p.check(
                f"A branch of Theorem 3.1 at ε0 = ε is 1/{name}.",
                rf"\frac{{1}}{{{label(name)}}} = {show(branch)}",
                logs(branch) + in_logs(name),
            )
    x, u = s.x, slack("u")
    p.sign(
        "The sum of x and x + u, with x > 0 and u ≥ 0, is at least the larger one.",
        "x + (x+u) - (x+u)",
        x + (x + u) - (x + u),
        x,
    )
    p.sign(
        "It is at most twice the larger one, so both forms differ by at most the factor 2^B.",
        "2(x+u) - x - (x+u)",
        2 * (x + u) - x - (x + u),
        u,
        ">=",
    )
    return r"A_t \vee A_s \le A_t + A_s \le 2\,(A_t \vee A_s)"


def gamma_star(p: Proof) -> str:
    """γ* of Corollary 3.2."""
    v = slack("v")
    target = p.line("Take logs.", "NPt")
    sources = p.line("Likewise,", "NPs")
    found = p.solve("Both are equal where", target - sources, s.gamma)
    value = expression("gamma_star")
    p.equal("This is the form of the paper.", r"\gamma_*", with_logs(found), value)
    p.sign(
        "The sources' sampling term does not fall as γ grows: above γ* the target's is smaller.",
        r"\frac{\partial \log \mathrm{NP}_s}{\partial \gamma}",
        sources.diff(s.gamma),
        2 * s.beta * (ln.m + ln.n) / power_k() ** 2,
        ">=",
    )
    p.sign(
        "Under n0 ≤ mn, written log mn = log n0 + v with v ≥ 0, it is at least 1.",
        r"\gamma_* - 1",
        found.subs(ln.m, ln.n0 + v - ln.n) - 1,
        (2 * s.beta + s.d) * v / (2 * s.beta * ln.n0),
        ">=",
    )
    return rf"\gamma_* = {show(value)}"


def eps1(p: Proof) -> str:
    """The least budget with a rate below 1."""
    for term, name in (("Pt", "target first"), ("Ps", "sources first")):
        line = p.line("Take logs.", term)
        found = p.solve("The term is 1, its log 0, where", line, ln.eps)
        p.power("Exponentiate.", name, found)
        slope = line.diff(ln.eps)
        p.sign(
            "The log falls in log ε, so the term is below 1 above this budget only.",
            rf"\frac{{\partial}}{{\partial \log \varepsilon}} \log {label(term)}",
            slope,
            tidy(slope),
            "<",
        )
    return rf"\varepsilon_1 = {show(expression('eps1'))}"


def eps2(p: Proof) -> str:
    """Pt = NPt."""
    p.meet("Pt", "NPt", "eps2")
    return _value("eps2")


def eps3(p: Proof) -> str:
    """Ps = NPs, and how the threshold moves with γ."""
    found = p.meet("Ps", "NPs", "eps3")
    p.sign(
        "It does not rise as γ grows.",
        r"\frac{\partial \log \varepsilon_3}{\partial \gamma}",
        found.diff(s.gamma),
        -s.beta * s.d * (ln.m + ln.n) / power_k() ** 2,
        "<=",
    )
    p.equal(
        "It exceeds 1 exactly where this is positive.",
        r"(2 \beta \gamma + d) \log \varepsilon_3",
        power_k() * found,
        s.d * ln.m / 2 - s.beta * s.gamma * ln.n,
    )
    return _value("eps3")


def eps11(p: Proof) -> str:
    """Pt = Ps, for γ other than 1."""
    side = "The factor has the sign of γ - 1: below this value Ps is smaller if γ > 1, Pt if γ < 1."
    p.meet("Pt", "Ps", "eps11", side=side)
    p.gap(
        "At γ = 1 the lines are parallel: nothing crosses.",
        "Pt / Ps",
        (ln.m / 2 + ln.n - ln.n0) / (s.beta + s.d),
        at=lambda x: x.subs(s.gamma, 1),
    )
    return _value("eps11")


def eps21(p: Proof) -> str:
    """Ps = NPt, and the printed form."""
    p.meet("Ps", "NPt", "eps21")
    below = (s.beta + s.d) * (2 * s.beta + s.d)
    p.gap(
        "The printed denominator is β + d: for n0 > 1 the printed budget is larger.",
        "eps21 printed > eps21",
        s.beta * (s.beta * s.gamma + s.d) * ln.n0 / below,
    )
    p.gap(
        "At the printed budget Ps is already below NPt, so they are not equal there.",
        "NPt > Ps",
        s.beta * ln.n0 / below,
        budget="eps21 printed",
    )
    return _value("eps21")


def eps_x(p: Proof) -> str:
    """Pt = NPs, which decides outside n ≤ n0 ≤ mn only."""
    p.meet("Pt", "NPs", "epsX")
    return _value("epsX")


def order(p: Proof) -> str:
    """ε1 ≤ ε2 ≤ ε3 and ε21 ≤ ε3 under the corollary's hypotheses."""
    p.gap(
        "As ε1 is at most 1/n0, it is at most ε2.",
        "eps2 >= target first",
        (s.beta + s.d) / (2 * s.beta + s.d) * ln.n0,
    )
    at = by_exponent(p, below=True)
    p.gap("So ε2 ≤ ε3.", "eps3 >= eps2", (s.d * slack("s") + slack("u")) / 2, at=at)
    form = (s.beta * s.gamma + s.d) * slack("s")
    p.gap("And ε21 ≤ ε3.", "eps3 >= eps21", form, at=at)
    return r"\varepsilon_1 \le \varepsilon_2 \le \varepsilon_3 \ge \varepsilon_{21}"


def eps11_place(p: Proof) -> str:
    """On which side of ε1 and ε2 the crossing ε11 lies."""
    size = ln.m / 2 + ln.n - ln.n0
    for name, power in (("target first", s.beta + s.d), ("sources first", s.beta * s.gamma + s.d)):
        p.gap(
            "The sign is that of (√m n - n0)(γ - 1).",
            f"eps11 / {name}",
            power / (s.beta * (s.gamma - 1)) * size,
        )
    factor = (s.beta + s.d) / (s.beta * (s.gamma - 1))
    p.check(
        "ε11 lies above ε2 exactly if ε21 lies below it (γ > 1) or above it (γ < 1).",
        r"\log \frac{\varepsilon_{11}}{\varepsilon_2} = "
        rf"{show(factor)} \log \frac{{\varepsilon_2}}{{\varepsilon_{{21}}}}",
        in_logs("eps11") - in_logs("eps2") - factor * (in_logs("eps2") - in_logs("eps21")),
    )
    return (
        r"\varepsilon_{11} \le \varepsilon_1 \iff "
        r"(\gamma - 1)(n_0 - \sqrt{m}\, n) \ge 0"
    )


def exponents(p: Proof) -> str:
    """The four terms under n = N^a, m = N^b, n0 = N^(a0), ε = N^-e."""
    x = exponent_letters
    size = {ln.n: x.a * ln.N, ln.m: x.b * ln.N, ln.n0: x.a0 * ln.N, ln.eps: -x.e * ln.N}
    for name in ("NPt", "Pt", "NPs", "Ps"):
        p.check(
            f"Put the powers into {name}.",
            rf"-\frac{{\log {label(name)}}}{{\log N}} = {show(forms()[name])}",
            in_logs(name).subs(size) + forms()[name] * ln.N,
        )
    for one, two, name in (("Pt", "NPt", "eps2"), ("Ps", "NPs", "eps3"), ("Ps", "NPt", "eps21")):
        at = p.solve(
            f"{one} and {two} are equal at",
            forms()[one] - forms()[two],
            x.e,
            write=lambda found: tidy(found, x.a, x.b, x.a0),
        )
        p.check(
            "This is the threshold's own power.",
            rf"-\frac{{\log {label(name)}}}{{\log N}} = {show(at)}",
            in_logs(name).subs(size) + at * ln.N,
        )
    return (
        r"x = 0 \vee (x_{\mathrm{NP}_t} \wedge x_{\mathrm{P}_t}) "
        r"\vee (x_{\mathrm{NP}_s} \wedge x_{\mathrm{P}_s})"
    )


def _value(name: str) -> str:
    return f"{label(name)} = {show(expression(name))}"


DERIVATIONS = {
    "ACC:Eq4": ("(4) is Theorem 3.1 at a common budget, up to a constant", four_terms),
    "ACC:Eq4:exponents": ("Exponents when everything is a power of N", exponents),
    "ACC:Cor3.2:gamma_star": ("Exponent at which both sampling terms agree", gamma_star),
    "ACC:Cor3.2:eps1": ("Least budget with a rate below 1", eps1),
    "ACC:Cor3.2:eps2": ("Budget at which the target's two terms agree", eps2),
    "ACC:Cor3.2:eps3": ("Budget at which the sources' two terms agree", eps3),
    "ACC:Cor3.2:eps11": ("Budget at which both private terms agree", eps11),
    "ACC:Cor3.2:eps21": ("Budget at which Ps and NPt agree, and the printed one", eps21),
    "ACC:Cor3.2:epsX": ("Budget at which Pt and NPs agree", eps_x),
    "ACC:Cor3.2:order": ("Order of the thresholds", order),
    "ACC:Cor3.2:eps11:place": ("Where the crossing of both private terms lies", eps11_place),
}
