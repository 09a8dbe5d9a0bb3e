"""[ACC] Table 1, the text below it, Remarks 3.2 and 3.3, and Corollary 3.3: derivations."""

from __future__ import annotations

from rates.statements.symbolic.expressions import branches, expression, in_logs
from rates.statements.symbolic.letters import Expr, label, logs, power_k, show, slack
from rates.statements.symbolic.letters import letters as s
from rates.statements.symbolic.letters import log_letters as ln
from rates.statements.symbolic.record import Proof
from rates.statements.symbolic.sides import by_exponent


def row_1(p: Proof) -> str:
    """Table 1 needs NPt for γ ≤ 1."""
    power = (s.beta * s.gamma + s.beta + s.d) / (2 * s.beta + s.d)
    p.check(
        "ε21 exceeds ε2 exactly where the log of this is positive.",
        r"\frac{\varepsilon_{21}}{\varepsilon_2} = "
        rf"\frac{{n_0^{{{show(power)}}}}}{{\sqrt{{m}}\, n}}",
        in_logs("eps21") - in_logs("eps2") - power * ln.n0 + ln.m / 2 + ln.n,
    )
    v = slack("v", strict=True)
    p.gap(
        "Below ε21, at log ε = log ε21 - v with v > 0, Ps is larger than NPt.",
        "Ps > NPt",
        v / (s.beta * s.gamma + s.d),
        at=lambda x: x.subs(ln.eps, in_logs("eps21") - v),
    )
    p.gap(
        "Above ε2 the target is at NPt: there Pt is smaller. So NPt decides on (ε2, ε21].",
        "NPt > Pt",
        v / (s.beta + s.d),
        at=lambda x: x.subs(ln.eps, in_logs("eps2") + v),
    )
    at = by_exponent(p, below=True)
    form = (s.beta * s.gamma + s.d) * slack("s")
    p.gap("As ε21 ≤ ε3, Ps decides from ε21 to ε3.", "eps3 >= eps21", form, at=at)
    return (
        r"\varepsilon_{21} > \varepsilon_2 \iff "
        rf"n_0^{{{show(power)}}} > \sqrt{{m}}\, n"
    )


def row_3(p: Proof) -> str:
    """For γ > γ* the row of Table 1 holds even where ε3 < ε2."""
    at = by_exponent(p, below=False)
    gap, u = slack("s", strict=True), slack("u")
    p.gap("ε3 may lie below ε2 here.", "eps3 / eps2", (u - s.d * gap) / 2, at=at)
    p.gap(
        "At ε3, where Ps = NPs, the target's private term is already smaller.",
        "NPs > Pt",
        ((2 * s.beta + s.d) * gap + u) / (2 * (s.beta + s.d)),
        at=at,
        budget="eps3",
    )
    p.sign(
        "It falls further as ε grows, so NPs does not decide at any budget.",
        r"\frac{\partial}{\partial \log \varepsilon} \log \mathrm{P}_t",
        in_logs("Pt").diff(ln.eps),
        -1 / (s.beta + s.d),
        "<",
    )
    return r"\mathrm{P}_t < \mathrm{NP}_s \text{ for } \varepsilon \ge \varepsilon_3"


def alternations(p: Proof) -> str:
    """Under one budget the sides change at most as S, T, S for γ > 1 and T, S for γ < 1."""
    u, v = slack("u", strict=True), slack("v", strict=True)
    below = s.beta * s.gamma + s.d
    p.equal(
        "The log of the target's side over the sources' changes its sign where the side changes. "
        "Where both pay for the budget it falls in log ε for γ > 1 and rises for γ < 1,",
        _slope("Pt", "Ps"),
        (in_logs("Pt") - in_logs("Ps")).diff(ln.eps),
        s.beta * (1 - s.gamma) / ((s.beta + s.d) * below),
    )
    p.sign(
        "from ε2 to ε3 it rises,",
        _slope("NPt", "Ps"),
        (in_logs("NPt") - in_logs("Ps")).diff(ln.eps),
        1 / below,
    )
    p.sign(
        "from ε3 to ε2 it falls, and above both it stays. So T, S, T needs γ < 1 and ε3 < ε2,",
        _slope("Pt", "NPs"),
        (in_logs("Pt") - in_logs("NPs")).diff(ln.eps),
        -1 / (s.beta + s.d),
        "<",
    )
    p.gap(
        "and a first change above ε1: with γ = 1 - v, log(√m n) = log n0 - u, that asks for u > 0.",
        "eps11 > target first",
        (s.beta + s.d) * u / (s.beta * v),
        at=lambda x: x.subs({s.gamma: 1 - v, ln.n: ln.n0 - u - ln.m / 2}),
    )
    k, size = power_k(), 2 * s.beta + s.d
    more = s.beta * s.d * (1 - s.gamma) / (k * size)
    p.check(
        "But then ε3 > ε2, as y = (βγ+d)/(2(2βγ+d)) is positive, and for γ < 1 so is "
        "x = βd(1-γ)/((2βγ+d)(2β+d)).",
        r"\log \frac{\varepsilon_3}{\varepsilon_2} = \frac{\beta u}{2\beta+d} "
        r"+ y \log m + x \log (\sqrt{m} n)",
        in_logs("eps3")
        - in_logs("eps2")
        - s.beta * (ln.n0 - ln.m / 2 - ln.n) / size
        - below * ln.m / (2 * k)
        - more * (ln.m / 2 + ln.n),
        holds=more.subs(s.gamma, 1 / (1 + v)).factor().is_positive,
    )
    return r"\text{S, T, S for } \gamma > 1,\ \text{T, S for } \gamma < 1"


def _slope(one: str, two: str) -> str:
    ratio = rf"\log \frac{{{label(one)}}}{{{label(two)}}}"
    return rf"\frac{{\partial}}{{\partial \log \varepsilon}} {ratio}"


def text_sources(p: Proof) -> str:
    """Below ε3 the sources' sampling rate is out of reach."""
    v = slack("v", strict=True)
    p.gap(
        "Write log ε = log ε3 - v with v > 0.",
        "Ps > NPs",
        v / (s.beta * s.gamma + s.d),
        at=lambda x: x.subs(ln.eps, in_logs("eps3") - v),
    )
    return r"\mathrm{P}_s > \mathrm{NP}_s \text{ for } \varepsilon < \varepsilon_3"


def remark_sources(p: Proof) -> str:
    """Remark 3.2 prints the private denominator for the sources without privacy."""
    p.line("Theorem 3.1 with large budgets leaves the sources this.", "NPs")
    p.gap(
        "The printed denominator is 2βγ + 2d. For mn > 1 the printed rate is larger.",
        "sources 3.2 printed >= NPs",
        s.d * (ln.m + ln.n) / (power_k() * (power_k() + s.d)),
    )
    return rf"\mathrm{{NP}}_s = {show(expression('NPs'))}"


def remark_spreading(p: Proof) -> str:
    """What spreading a fixed total over m sources costs where privacy binds."""
    fixed = p.line("Take logs.", "Ps").subs(ln.n, ln.N - ln.m)
    below = s.beta * s.gamma + s.d
    p.equal(
        "Hold N = mn fixed: what is left of m is a power of its own.",
        r"\log \mathrm{P}_s",
        fixed,
        ln.m / (2 * below) - (ln.N + ln.eps) / below,
    )
    p.sign(
        "It is positive: spreading makes the rate worse.",
        r"\frac{\partial}{\partial \log m} \log \mathrm{P}_s",
        fixed.diff(ln.m),
        1 / (2 * below),
    )
    return (
        r"\mathrm{P}_s^B = m^{\frac{B}{2\beta\gamma+2d}}\,(N\varepsilon)^{-\frac{B}{\beta\gamma+d}}"
    )


def remark_condition(p: Proof) -> str:
    """When no budget matters: ε ≥ ε3 alone does not suffice."""
    v = slack("v")
    p.gap(
        "From ε3 on, at log ε = log ε3 + v with v ≥ 0, the sources are at their sampling term.",
        "NPs >= Ps",
        v / (s.beta * s.gamma + s.d),
        at=lambda x: x.subs(ln.eps, in_logs("eps3") + v),
    )
    p.gap(
        "The target is from ε2 on.",
        "NPt >= Pt",
        v / (s.beta + s.d),
        at=lambda x: x.subs(ln.eps, in_logs("eps2") + v),
    )
    at = by_exponent(p, below=False)
    gap, u = slack("s", strict=True), slack("u")
    p.gap("For γ > γ* ε3 lies below ε2 if d s > u.", "eps2 / eps3", (s.d * gap - u) / 2, at=at)
    middle = (in_logs("eps2") + in_logs("eps3")) / 2
    p.gap(
        "Between them, at √(ε2 ε3), the target still pays; the printed rate is at most NPt.",
        "Pt / NPt",
        (s.d * gap - u) / (4 * (s.beta + s.d)),
        at=lambda x: at(x.subs(ln.eps, middle)),
    )
    p.gap(
        "The sources do not help: from ε3 on NPs is larger than Pt.",
        "NPs > Pt",
        ((2 * s.beta + s.d) * gap + u) / (2 * (s.beta + s.d)),
        at=at,
        budget="eps3",
    )
    p.equal(
        "At n0 = n and fixed m, where u = 0, s grows like a multiple of log n for γ > 1: the "
        "gap is a power of n.",
        r"\frac{\partial s}{\partial \log n}",
        (in_logs("NPs") - in_logs("NPt")).subs(ln.n0, ln.n).diff(ln.n),
        2 * s.beta * (s.gamma - 1) / ((2 * s.beta + s.d) * power_k()),
    )
    return r"\varepsilon \ge \varepsilon_3 \text{ and } \varepsilon_0 \ge \varepsilon_2"


def remark_public(p: Proof) -> str:
    """Remark 3.3 needs the target unprotected too."""
    p.meet("Pt", "public", "leave 1 for 0")
    p.gap(
        "Below it r is that of the public source up to a constant, while the printed r is at "
        "most NPt. Write log n1 with an s > 0, as large as one likes:",
        "public > NPt",
        slack("s", strict=True),
        at=_small_public,
    )
    return r"\varepsilon_j = \infty \text{ for } j = 0, \ldots, m"


def public_case_1(p: Proof) -> str:
    """Corollary 3.3, case 1: the unprotected source is the largest."""
    v = slack("v")
    gap = slack("s", strict=True)

    def at(value: Expr) -> Expr:
        more = power_k() * (ln.n0 / (2 * s.beta + s.d) + gap)
        return value.subs(ln.n1, ln.n2 + v).subs(ln.n2, more)

    p.gap("Write n1 > n2 as log n1 = log n2 + v.", "NP2 >= public", v / power_k(), at=at)
    p.gap(
        "And n2 > n0^(k/(2β+d)) with an s > 0. So server 1 alone has the smallest r at any ε.",
        "NPt > public",
        gap + v / power_k(),
        at=at,
    )
    return rf"r \asymp {show(expression('public'))}"


def public_case_2(p: Proof) -> str:
    """Corollary 3.3, case 2: where server 2 takes over, and where its budget stops to matter."""
    v = slack("v")
    p.meet("P2", "public", "leave 1 for 2")
    p.meet("P2", "NP2", "free 2")
    p.gap(
        "The printed lower end of the third line is smaller, so that the lines overlap.",
        "free 2 >= free 2 printed",
        s.d * ln.n2 / power_k(),
    )
    p.gap(
        "At the printed end server 2 still pays for its budget.",
        "P2 >= NP2",
        s.d * ln.n2 / (power_k() * (s.beta * s.gamma + s.d)),
        budget="free 2 printed",
    )
    p.gap(
        "With n1 ≤ n2, log n2 = log n1 + v, the corrected ends are in order.",
        "free 2 >= leave 1 for 2",
        (s.beta * s.gamma + s.d) * v / power_k(),
        at=lambda x: x.subs(ln.n2, ln.n1 + v),
    )
    ends = f"{show(expression('leave 1 for 2'))} \\le {show(expression('free 2'))}"
    return ends


def public_case_3(p: Proof) -> str:
    """Corollary 3.3, case 3: where the unprotected source stops to decide."""
    v = slack("v")
    p.meet("Pt", "public", "leave 1 for 0")
    p.meet("P2", "public", "leave 1 for 2")
    for branch, name in zip(branches("leave 1 printed", s.n2), ("eps2", "free 2"), strict=True):
        p.check(
            "The printed budget is the larger of two; this one is where privacy stops to matter "
            "on one of the servers, and does not involve n1.",
            rf"{show(branch)} = {label(name)}",
            in_logs(name) - logs(branch),
        )
    gap = slack("s", strict=True)
    p.gap(
        "In case 3, written with an s > 0, the target overtakes server 1 before that.",
        "eps2 > leave 1 for 0",
        (s.beta + s.d) * gap,
        at=_small_public,
    )
    p.gap(
        "With n1 ≤ n2, log n2 = log n1 + v, so does server 2.",
        "free 2 >= leave 1 for 2",
        (s.beta * s.gamma + s.d) * v / power_k(),
        at=lambda x: x.subs(ln.n2, ln.n1 + v),
    )
    p.gap(
        "At ε2 the target alone has NPt. The printed rate is too large by a power of e^s, "
        "without bound.",
        "public > NPt",
        gap,
        at=_small_public,
    )
    return rf"\varepsilon_* = {show(expression('leave 1'))}"


def public_delta(p: Proof) -> str:
    """Corollary 3.3: a δ below 1/n2 may be too large for the target."""
    t = slack("t", strict=True)
    needed = power_k() / (2 * s.beta + s.d) * ln.n0
    p.check(
        "Take n2 as small as the corollary allows, log n2 = k log n0/(2β+d) with k = 2βγ+d, and "
        "δ = n2^-(1+t), t > 0: n2 δ tends to 0, and",
        r"\log (n_0 \delta) = \left(1 - \frac{(1+t) k}{2 \beta + d}\right) \log n_0",
        ln.n0 - (1 + t) * needed - (1 - (1 + t) * power_k() / (2 * s.beta + s.d)) * ln.n0,
    )
    most = p.solve("It does not fall up to", 1 - (1 + t) * power_k() / (2 * s.beta + s.d), t)
    v = slack("v", strict=True)
    p.sign(
        "For γ < 1, γ = 1 - v with v > 0, there are such t: k times this border is",
        "k t",
        (power_k() * most).subs(s.gamma, 1 - v),
        2 * s.beta * v,
    )
    return r"n_0 \delta_0 \to 0 \text{ is needed too}"


def _small_public(value: Expr) -> Expr:
    """Put log n1 = k (log n0/(2β+d) - s) in: n1 is below n0^(k/(2β+d))."""
    return value.subs(ln.n1, power_k() * (ln.n0 / (2 * s.beta + s.d) - slack("s", strict=True)))


DERIVATIONS = {
    "ACC:Cor3.2:text": ("Below eps3 the sources do not reach their sampling term", text_sources),
    "ACC:Table1:row1": ("Table 1 needs NPt for gamma at most 1", row_1),
    "ACC:Table1:row3": ("Table 1 holds for gamma above gamma*", row_3),
    "ACC:Table1:alternations": ("How often target and sources take turns", alternations),
    "ACC:Rem3.2:sources": ("The sources' rate without privacy", remark_sources),
    "ACC:Rem3.2:spreading": ("What spreading a fixed total costs", remark_spreading),
    "ACC:Rem3.2:condition": ("When no budget matters", remark_condition),
    "ACC:Rem3.3": ("An unprotected source does not free the target", remark_public),
    "ACC:Cor3.3:case1": ("An unprotected source that is the largest", public_case_1),
    "ACC:Cor3.3:case2": ("Two budgets of case 2, and the printed end", public_case_2),
    "ACC:Cor3.3:case3": ("The budget of case 3, and the printed one", public_case_3),
    "ACC:Cor3.3:delta": ("The target needs a smaller delta", public_delta),
}
