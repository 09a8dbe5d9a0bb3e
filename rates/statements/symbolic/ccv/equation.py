"""[CCV] (4) to (9), Corollaries 1 to 4 and Section 2: derivations.

g stands for α (integrated risk) or ν = α - 1/p (risk at a point). One row of (6) is n²ε² where
privacy binds and nD where its sample does.
"""

from __future__ import annotations

import sympy

from rates.statements.symbolic.expressions import branches, expression, in_logs
from rates.statements.symbolic.letters import Expr, label, logs, show, slack
from rates.statements.symbolic.letters import letters as s
from rates.statements.symbolic.letters import log_letters as ln
from rates.statements.symbolic.record import Proof


def unique(p: Proof) -> str:
    """(6) has one root, and which minimum is which."""
    for words, row, power in _rows():
        part = _part(row)
        p.check(
            f"Divide (6) by its left side. Where {words} binds, a row's part becomes",
            rf"V = {show(part)}",
            logs(part) - logs(row) + (2 * s.g + 2) * ln.D,
        )
        p.sign(
            "It falls in log D, from infinity to 0.",
            r"\frac{\partial \log V}{\partial \log D}",
            logs(part).diff(ln.D),
            power,
            "<",
        )
    p.equal(
        "So their sum is 1 once. Privacy binds where this is at most 1.",
        r"\frac{n^2 \varepsilon^2}{n D}",
        s.n**2 * s.eps**2 / (s.n * s.D),
        s.n * s.eps**2 / s.D,
    )
    return r"S = \{j : n_j \varepsilon_j^2 \le D\}"


def transfer(p: Proof) -> str:
    """(6) is (5) of [ACC] with r = 1/D, d = 1, β = g and every γ equal to 1."""
    put = {s.beta: s.g, s.gamma: 1, s.d: 1}
    power = (2 * s.beta * s.gamma + s.d).subs(put)
    for (words, row, _), term in zip(
        _rows(), (s.n**2 * s.eps**2 * s.r ** (power + 1), s.n * s.r**power), strict=True
    ):
        p.check(
            f"A row of (5) where {words} binds is its row of (6) over D^(2g+2).",
            rf"{show(term)} = {show(_part(row))}",
            logs(term).subs(ln.r, -ln.D) - logs(row) + (2 * s.g + 2) * ln.D,
        )
    return r"r = \frac{1}{D}"


def equal_servers(p: Proof) -> str:
    """The exact root for equal servers, with its two branches."""
    for (words, row, power), name in zip(_rows(), ("D private", "D free"), strict=True):
        gap = (2 * s.g + 2) * ln.D - logs(s.m * row)
        p.root(f"Where {words} binds, (6) for m equal servers is solved by", gap, ln.D, label(name))
        p.check(
            "That is a branch of (4). Elsewhere the log of the left side less the right one is",
            rf"\log \frac{{D^{{2g+2}}}}{{{show(s.m * row)}}} = "
            rf"\left({show(-power)}\right) \log \frac{{D}}{{{label(name)}}}",
            gap + power * (ln.D - in_logs(name)),
            holds=(-power).expand().is_positive,
        )
    free, private = branches("D", s.eps)
    p.check(
        "The left side has to equal the smaller of both right sides: D is the smaller branch.",
        rf"D = {show(expression('D'))}",
        logs(free) - in_logs("D free"),
        logs(private) - in_logs("D private"),
    )
    return rf"D = {show(expression('D'))}"


def bracket(p: Proof) -> str:
    """The root lies within K^(1/(2g+1)) above the largest solo root."""
    count = sympy.Symbol("K", positive=True)
    for words, row, power in _rows():
        p.check(
            "Scaling D by c ≥ 1 divides a row's part of (6) by at least c^(2g+1); here "
            f"{words} binds. Parts are 1 at a server's own root, so D is at least the largest.",
            rf"\frac{{V(cD)}}{{V(D)\, c^{{2g+2}}}} = {show(s.c**power)}",
            logs(_part(row).subs(s.D, s.c * s.D)) - logs(_part(row)) - power * ln.c,
            holds=(-power - 2 * s.g - 1).expand().is_nonnegative,
        )
    p.check(
        "At c = K^(1/(2g+1)) times the largest, each of K parts is at most 1/K.",
        r"K\, c^{-(2g+1)} = 1",
        logs(count * (count ** (1 / (2 * s.g + 1))) ** (-(2 * s.g + 1))),
    )
    return r"\max_j D_j \le D \le K^{\frac{1}{2g+1}} \max_j D_j"


def elasticities(p: Proof) -> str:
    """How D moves with a site's records and budget."""
    x, y, z = ln.n, ln.eps, ln.D
    others = sympy.Function("G")(z)
    value, total = sympy.Symbol("V", positive=True), sympy.Symbol("Q", positive=True)
    left = sympy.exp((2 * s.g + 2) * z)
    p.check(
        "Write (6) as D^(2g+2) = V + G with G the sum of the other rows, and let Q be the "
        "derivative of D^(2g+2) - V - G in log D: only rows where the sample binds fall out.",
        r"Q = (2g+2) D^{2g+2} - \sum_{\text{sample}} V_i",
        left.diff(z) - (2 * s.g + 2) * left,
        sympy.exp(x + z).diff(z) - sympy.exp(x + z),
        sympy.exp(2 * x + 2 * y).diff(z),
    )
    for words, power, way, name in (
        ("Where the sample binds, V is nD.", x + z, x, "n"),
        ("Where privacy binds, V is n²ε²: in the records", 2 * x + 2 * y, x, "n"),
        ("and in the budget.", 2 * x + 2 * y, y, r"\varepsilon"),
    ):
        row = sympy.exp(power)
        slope = row.diff(way) / (left - row - others).diff(z)
        times = power.coeff(way)
        put = slope.subs(others.diff(z), left.diff(z) - row.diff(z) - total)
        put = sympy.simplify(put).subs(row, value)
        p.check(
            words,
            rf"\frac{{\partial \log D}}{{\partial \log {name}}} = {show(times * value / total)}",
            put - times * value / total,
        )
    return r"\frac{\partial \log D}{\partial \log n_j} = \frac{s_j V_j}{Q}"


def inverse(p: Proof) -> str:
    """The records or the budget that one site needs for a given D."""
    private = 2 * ln.n + 2 * ln.eps - ln.a
    p.root(
        "The site's row must be at least a = D^(2g+2) less the others. Its sample suffices from",
        ln.n + ln.D - ln.a,
        ln.n,
        "n",
    )
    p.root("Its privacy suffices from", private, ln.n, "n")
    p.root("In its budget that is, if a ≤ nD,", private, ln.eps, r"\varepsilon")
    return (
        r"n = \frac{a}{D} \vee \frac{\sqrt{a}}{\varepsilon},\quad "
        r"\varepsilon = \frac{\sqrt{a}}{n} \text{ if } a \le n D"
    )


def boundary(p: Proof) -> str:
    """Where privacy binds equal servers: n ε² = (mn)^(1/(2g+1))."""
    side = "The factor is positive: below this budget the private branch is the smaller one."
    p.meet("D private", "D free", "elbow", side=side)
    found = in_logs("elbow")
    p.equal(
        "In other words,",
        r"\log (n \varepsilon_g^2)",
        ln.n + 2 * found,
        (ln.m + ln.n) / (2 * s.g + 1),
    )
    return r"n \varepsilon_g^2 = (mn)^{\frac{1}{2g+1}}"


def cost(p: Proof) -> str:
    """The factor by which privacy multiplies the integrated rate."""
    return _cost(p, s.g)


def cost_pointwise(p: Proof) -> str:
    """The same for the risk at a point, with ν."""
    return _cost(p, s.nu)


def _cost(p: Proof, g: Expr) -> str:

    def at(value: Expr) -> Expr:
        return value.subs(s.g, g)

    gap = at(-2 * s.g * (in_logs("D private") - in_logs("D free")))
    p.check(
        "The rate is a power of D. Take its log on the private branch less that on the other, "
        "and exponentiate.",
        rf"\text{{cost}} = {show(at(expression('cost')))}",
        gap - logs(at(expression("cost"))),
    )
    p.check(
        "With all N = mn records fixed:",
        rf"\text{{cost}} = {show(at(expression('cost, total fixed')))}",
        gap.subs(ln.n, ln.N - ln.m) - logs(at(expression("cost, total fixed"))),
    )
    return rf"\text{{cost}} = {show(at(expression('cost')))}"


def distributing(p: Proof) -> str:
    """Spreading a fixed total costs the risk at a point less, not more."""
    g = s.g
    rate = -2 * g * in_logs("D private").subs(ln.n, ln.N - ln.m)
    power = p.equal(
        "Where privacy binds, with N = mn fixed, the rate is a power of m:",
        r"\frac{\partial}{\partial \log m} \log D_{\mathrm{P}}^{-2g}",
        sympy.expand(rate).coeff(ln.m),
        g / (g + 1),
    )
    p.sign(
        "The power rises with the smoothness,",
        r"\frac{\partial}{\partial g} \frac{g}{g+1}",
        power.diff(g),
        1 / (g + 1) ** 2,
    )
    p.sign(
        "and ν = α - 1/p falls as p falls: a point suffers less than the whole curve, and less "
        "the smaller p is.",
        r"\frac{\partial}{\partial p} \left(\alpha - \frac{1}{p}\right)",
        (s.alpha - 1 / s.p).diff(s.p),
        1 / s.p**2,
    )
    fixed = p.equal(
        "With the n of each server fixed the privacy cost has another power of m,",
        r"\frac{\partial}{\partial \log m} \log \text{cost}",
        sympy.expand(in_logs("cost")).coeff(ln.m),
        g / ((g + 1) * (2 * g + 1)),
    )
    p.equal(
        "x, whose derivative changes its sign once:",
        r"\frac{\partial x}{\partial g}",
        fixed.diff(g),
        (1 - 2 * g**2) / ((g + 1) ** 2 * (2 * g + 1) ** 2),
    )
    p.solve("It falls in the smoothness only above", 1 - 2 * g**2, g)
    budget = p.equal(
        "The power of the budget:",
        r"\frac{\partial}{\partial \log \varepsilon} \log \text{cost}",
        sympy.expand(in_logs("cost")).coeff(ln.eps),
        -2 * g / (g + 1),
    )
    p.sign(
        "It grows in size with the smoothness, so a smaller budget costs a point less too.",
        r"\frac{\partial}{\partial g} \frac{2g}{g+1}",
        -budget.diff(g),
        2 / (g + 1) ** 2,
    )
    return (
        r"m^{\frac{g}{g+1}} \text{ at fixed } N,\quad \frac{\nu}{\nu+1} < \frac{\alpha}{\alpha+1}"
    )


def window(p: Proof) -> str:
    """The budgets at which a point suffers and the whole curve does not."""
    at_point, whole = (in_logs("elbow").subs(s.g, g) for g in (s.nu, s.nu + 1 / s.p))
    size = s.p * (2 * s.nu + 1)
    p.sign(
        "With α = ν + 1/p, p finite, privacy stops to bind the whole curve first; mn > 1.",
        r"\log \frac{\varepsilon_\nu}{\varepsilon_\alpha}",
        at_point - whole,
        (ln.m + ln.n) / ((2 * s.nu + 1) * (size + 2)),
        ">=",
    )
    p.equal(
        "Between the two elbows n ε² lies between these.",
        r"\log (n \varepsilon_\nu^2)",
        ln.n + 2 * at_point,
        (ln.m + ln.n) / (2 * s.nu + 1),
    )
    return r"(mn)^{\frac{1}{2\alpha+1}} < n \varepsilon^2 \le (mn)^{\frac{1}{2\nu+1}}"


def consistency(p: Proof) -> str:
    """The rate tends to 0 as soon as √m n ε grows."""
    v = slack("v", strict=True)
    p.root(
        "The private branch of D is 1, where the rate becomes trivial, at",
        in_logs("D private"),
        ln.eps,
        r"\varepsilon",
    )
    printed = -(ln.m + ln.n) / 2
    p.equal(
        "The printed border, 1/√(mn), is larger by √n.",
        r"\log \frac{1}{\sqrt{mn}} - \log \frac{1}{\sqrt{m}\, n}",
        printed + ln.m / 2 + ln.n,
        ln.n / 2,
    )
    p.equal(
        "Between them, at log ε = -log(√m n) + v with v as large as one likes, the rate is",
        r"\log D_{\mathrm{P}}^{-2g}",
        -2 * s.g * in_logs("D private").subs(ln.eps, -ln.m / 2 - ln.n + v),
        -2 * s.g * v / (s.g + 1),
    )
    return r"\varepsilon \gg \frac{1}{\sqrt{m}\, n}"


def _rows() -> tuple[tuple[str, Expr, Expr], ...]:
    """A row of (6): what binds, the row, and the power of D in the row over D^(2g+2)."""
    return (
        ("privacy", s.n**2 * s.eps**2, -2 * s.g - 2),
        ("the sample", s.n * s.D, -2 * s.g - 1),
    )


def _part(row: Expr) -> Expr:
    """A row over the left side of (6)."""
    return sympy.powsimp(row / s.D ** (2 * s.g + 2))


DERIVATIONS = {
    "CCV:Eq6:unique": ("The rate equation has one root", unique),
    "CCV:Eq6:transfer": ("It is the equation of ACC with d = 1 and equal signals", transfer),
    "CCV:Eq6:bracket": ("Between which bounds the root lies", bracket),
    "CCV:Eq6:elasticities": ("How D moves with a site's records and budget", elasticities),
    "CCV:Eq6:inverse": ("What one site needs for a given D", inverse),
    "CCV:Eq4": ("Exact root for equal servers", equal_servers),
    "CCV:Eq4:boundary": ("Budget from which privacy does not bind", boundary),
    "CCV:Cor1:cost": ("Privacy cost of the integrated risk", cost),
    "CCV:Cor2:cost": ("Privacy cost of the risk at a point", cost_pointwise),
    "CCV:Sec2.1:distributing": ("What spreading a fixed total costs", distributing),
    "CCV:Sec2.1:window": ("Budgets that cost the risk at a point only", window),
    "CCV:Sec2.1:consistency": ("Budgets at which the rate tends to 0", consistency),
}
