"""Derivations: every step comes out, a wrong one does not, and KaTeX can show them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rates.numbers.parameters import DomainError
from rates.statements.ledger import BROKEN, PAPERS, evaluate, statement
from rates.statements.reviewed import derived as stored_outcomes
from rates.statements.symbolic import (
    DERIVATIONS,
    STATEMENTS,
    Derivation,
    derive,
    expression,
    expressions,
)
from rates.statements.symbolic.exponents import forms
from rates.statements.symbolic.letters import (
    exponent_letters,
    letters,
    log_letters,
    logs,
    powers,
    show,
    slack,
)
from rates.statements.symbolic.record import Proof, is_zero, tidy
from tests.depth import deep_after

ROOT = Path(__file__).resolve().parents[3]
COMMANDS = set(
    re.findall(
        r"\w+",
        "alpha approx asymp bar beta cdot chi cos cosh delta Delta eta frac gamma ge gg hat iff "
        "infty int kappa lambda Lambda lceil ldots le left lfloor lim ln log mathcal mathrm max "
        "min mu nu omega partial phi pi prime propto psi quad rceil rfloor rho right sigma sin "
        "sqrt sum tanh tau text to varepsilon varphi vee wedge",
    )
)
# Our list of corrections: the derivation that proves each, where algebra can.
CORRECTIONS = {
    "E1": ("ACC:Cor3.2:eps21",),
    "E2": ("ACC:Rem3.2:sources",),
    "E3": ("ACC:Cor3.2:text",),
    "E4": ("ACC:Table1:row1",),
    "E5": ("ACC:Cor3.3:case2",),
    "E6": ("ACC:Cor3.3:case3",),
    "E7": ("ACC:Table1:row3",),
    "E8": ("ACC:Cor3.2:order", "ACC:Cor3.2:eps11:place", "ACC:Table1:alternations"),
    "E9": ("ACC:Rem3.2:condition",),
    "E10": ("ACC:Rem3.3",),
    "E11": ("ACC:Cor3.3:delta",),
    "E12": ("ACC:Sec5:grid",),
    "E13": ("ACC:Eq9:noise",),
    "E14": ("ACC:Alg2:threshold",),
    "E16": ("ACC:Eq11:log_factor",),
    "E17": ("ACC:Rem2.2", "ACC:Sec6:margin"),
    "E20": ("CCV:Sec3.3:laplace",),
    "E21": ("CCV:Lem3.3:constant",),
    "E22": ("CCV:Sec3.1:level",),
    "E23": ("CCV:Sec2.1:distributing",),
    "E24": ("CCV:Thm3.2:floor",),
    "E25": ("CCV:Cor3:delta", "CCV:Cor4:delta"),
    "E27": ("CCV:Lem4.3:radius",),
    "E28": ("CCV:Thm4.4:constants",),
    "E29": ("CCV:Sec3.2:indices",),
    "E30": ("CCV:Sec2.1:consistency",),
    "E31": ("CCV:Eq8", "CCV:Eq8:share", "CCV:Eq9:middle", "CCV:Eq9:sufficient"),
    "E32": ("CCV:Sec3.2:noise",),
}


@cache
def derived(key: str) -> Derivation:
    return derive(key)


def formulas(key: str) -> list[str]:
    return [*(step.latex for step in derived(key).steps), derived(key).result]


def test_every_derivation_has_a_title() -> None:
    assert len(DERIVATIONS) >= 130
    assert all(title for title, _ in DERIVATIONS.values())


@pytest.mark.parametrize("key", deep_after(20, DERIVATIONS))
def test_every_step_comes_out(key: str) -> None:
    found = derived(key)
    assert found.key == key
    assert found.title == DERIVATIONS[key][0]
    assert len(found.steps) >= 2 or key in {
        "ACC:Cor3.2:text",
        "CCV:Cor4:delta",
        "ACC:Eq5:effective_n",
    }
    wrong = [(step.words, step.latex) for step in found.steps if not step.residual_is_zero]
    assert not wrong
    assert found.proved


def test_keys_are_statement_ids() -> None:
    assert len(set(DERIVATIONS)) == len(DERIVATIONS)
    place = r"(Eq|Thm|Cor|Rem|Lem|Sec|Table|Alg|App|Prop|Claim)[A-D]?[\d.]*"
    papers = "|".join(PAPERS)
    assert all(re.fullmatch(rf"({papers}):{place}(:[\w-]+)*", key) for key in DERIVATIONS)
    listed = {key for keys in CORRECTIONS.values() for key in keys}
    assert listed <= set(DERIVATIONS)
    with pytest.raises(DomainError, match="no derivation of this name"):
        derive("ACC:Cor3.2:eps4")
    with pytest.raises(DomainError, match="A statement is one of: NPt"):
        expression("eps4")


@pytest.mark.parametrize("key", deep_after(20, DERIVATIONS))
def test_formulas_are_plain_latex_on_one_line(key: str) -> None:
    for text in formulas(key):
        check_latex(text)
    for step in derived(key).steps:
        assert step.words[0].isupper() or step.words[0].isalpha()
        assert step.words[-1] in ".,:)" or step.words[-1].isalnum()
        assert "\\" not in step.words


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements_can_be_shown(name: str) -> None:
    check_latex(show(expression(name)))


def check_latex(text: str) -> None:
    bare = re.sub(r"\\text\{[^{}]*\}", "", text)
    assert bare.isascii()
    assert bare.isprintable()
    assert set(re.findall(r"\\([A-Za-z]+)", bare)) <= COMMANDS
    assert set(re.findall(r"\\([^A-Za-z])", bare)) <= set(",|{} ")
    depth = 0
    for sign in re.sub(r"\\[{}]", "", bare):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    assert len(re.findall(r"\\left\b", bare)) == len(re.findall(r"\\right\b", bare))
    # A log before a bracket would read as the log of a product, and sympy's own letters are long.
    assert not re.search(r"\\log \S+ \\left\(", bare)
    assert not re.search(r"veps|(?<!\\)log_|beta\b(?<!\\beta)|gamma\b(?<!\\gamma)|symbol", bare)


@pytest.mark.parametrize("text", [r"\frac{a}{b", r"a \\ b", r"\foo{a}", "β", r"\left( a", "veps"])
def test_bad_latex_would_be_seen(text: str) -> None:
    with pytest.raises(AssertionError):
        check_latex(text)


def outcome(add: Callable[[Proof], object]) -> bool:
    proof = Proof()
    add(proof)
    return all(step.residual_is_zero for step in proof.steps)


def test_a_wrong_step_is_marked() -> None:
    s, u = letters, slack("u")
    assert outcome(lambda p: p.equal("", "x", s.n**2, s.n * s.n))
    assert not outcome(lambda p: p.equal("", "x", s.n**2, s.n**3))
    assert outcome(lambda p: p.sign("", "x", s.n + u, u + s.n))
    assert not outcome(lambda p: p.sign("", "x", s.n - s.m, s.n - s.m))  # the sign is open
    assert not outcome(lambda p: p.sign("", "x", u, u))  # at least 0, not above
    assert outcome(lambda p: p.sign("", "x", u, u, ">="))
    assert not outcome(lambda p: p.sign("", "x", s.n, s.m))  # the sign is right, the form is not
    ln = log_letters
    assert outcome(lambda p: p.solve("", 2 * ln.eps - ln.n, ln.eps))
    assert not outcome(lambda p: p.solve("", 2 * ln.eps - ln.n, ln.eps, write=lambda x: 2 * x))
    assert not outcome(lambda p: p.meet("Pt", "NPt", "eps3"))
    assert not outcome(lambda p: p.meet("D private", "D free", "elbow"))  # the other way round
    assert outcome(lambda p: p.meet("D private", "D free", "elbow", side="Smaller below."))
    assert not outcome(lambda p: p.gap("", "Pt > NPt", ln.n))
    assert not outcome(lambda p: p.power("", "eps2", ln.n0))
    assert outcome(lambda p: p.check("", "x", s.n - s.n, s.m - s.m))
    assert not outcome(lambda p: p.check("", "x", s.n - s.n, s.m - s.n))
    assert not outcome(lambda p: p.check("", "x", s.n - s.n, holds=None))
    assert not Derivation(key="", title="", steps=(), result="").proved


def test_zero_needs_more_than_a_glance() -> None:
    s = letters
    assert is_zero((s.n**s.d) ** 2 - s.n ** (2 * s.d))
    assert is_zero((s.n**2 - s.m**2) / (s.n - s.m) - s.n - s.m)
    assert not is_zero(s.n**s.d - s.n**2)


def altered(name: str) -> Callable[[Any], Any]:
    """A statement with one exponent off, or a term too much."""
    true = expressions._STATEMENTS[name]
    if name == "gamma_star":
        return lambda s: true(s) + 1
    return lambda s: true(s) ** ((2 * s.beta + s.d) / (s.beta + s.d))


@pytest.mark.deep
@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("NPt", "ACC:Cor3.2:eps2"),
        ("NPt", "ACC:Eq4"),
        ("Pt", "ACC:Cor3.2:eps2"),
        ("NPs", "ACC:Cor3.2:eps3"),
        ("NPs", "ACC:Table1:row3"),
        ("Ps", "ACC:Cor3.2:eps21"),
        ("Ps", "ACC:Rem3.2:spreading"),
        ("gamma_star", "ACC:Cor3.2:gamma_star"),
        ("target first", "ACC:Cor3.2:eps1"),
        ("eps2", "ACC:Cor3.2:eps2"),
        ("eps3", "ACC:Cor3.2:order"),
        ("eps11", "ACC:Cor3.2:eps11"),
        ("eps21", "ACC:Cor3.2:eps21"),
        ("eps21", "ACC:Table1:row1"),
        ("epsX", "ACC:Cor3.2:epsX"),
        ("sources 3.2 printed", "ACC:Rem3.2:sources"),
        ("leave 1 for 0", "ACC:Cor3.3:case3"),
        ("leave 1 printed", "ACC:Cor3.3:case3"),
        ("leave 1 for 2", "ACC:Cor3.3:case2"),
        ("free 2", "ACC:Cor3.3:case2"),
        ("free 2 printed", "ACC:Cor3.3:case2"),
        ("D private", "CCV:Eq4"),
        ("D free", "CCV:Eq4:boundary"),
        ("elbow", "CCV:Eq4:boundary"),
        ("elbow", "CCV:Sec2.1:window"),
        ("cost", "CCV:Cor1:cost"),
        ("cost, total fixed", "CCV:Cor2:cost"),
        ("cost", "CCV:Sec2.1:distributing"),
        ("first 9", "CCV:Eq9:sufficient"),
        ("middle 9", "CCV:Eq9:middle"),
    ],
)
def test_an_altered_statement_fails(name: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(expressions._STATEMENTS, name, altered(name))
    assert not derive(key).proved


@pytest.mark.parametrize(
    ("true", "printed", "key"),
    [
        ("eps21", "eps21 printed", "ACC:Cor3.2:eps21"),
        ("free 2", "free 2 printed", "ACC:Cor3.3:case2"),
        ("NPs", "sources 3.2 printed", "ACC:Rem3.2:sources"),
    ],
)
def test_printed_and_corrected_cannot_be_exchanged(
    true: str, printed: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = expressions._STATEMENTS
    one, two = table[true], table[printed]
    monkeypatch.setitem(table, true, two)
    monkeypatch.setitem(table, printed, one)
    assert not derive(key).proved


def test_results_that_matter_read_as_they_should() -> None:
    assert derived("ACC:Cor3.2:eps2").result == (
        r"\varepsilon_2 = n_0^{- \frac{\beta}{2 \beta + d}}"
    )
    assert derived("ACC:Table1:row1").result == (
        r"\varepsilon_{21} > \varepsilon_2 \iff "
        r"n_0^{\frac{\beta \gamma + \beta + d}{2 \beta + d}} > \sqrt{m}\, n"
    )
    steps = [step.latex for step in derived("ACC:Cor3.2:eps21").steps]
    assert steps[2] == (
        r"\log \varepsilon = \frac{\left(\beta \gamma + d\right) \log n_0}{2 \beta + d} "
        r"- \log \left(\sqrt{m} n\right)"
    )


def test_lines_in_logs_and_back() -> None:
    s, ln = letters, log_letters
    line = (ln.m / 2 + ln.n) / s.d - ln.n0 / 3
    assert is_zero(logs(powers(line)) - line)
    assert is_zero(tidy(line) - line)
    assert show(ln.n) == r"\log n"
    assert show(-ln.n0 / (s.beta + s.d)) == r"- \frac{\log n_0}{\beta + d}"
    assert show(ln.n + slack("u") - 1) == r"\log n + u - 1"
    assert show((2 * s.beta + s.d) * ln.eps) == (r"\left(2 \beta + d\right) \log \varepsilon")
    eleven = ((s.beta + s.d) * (ln.m / 2 + ln.n) - (s.beta * s.gamma + s.d) * ln.n0) / s.beta
    assert show(eleven) == (
        r"\frac{\log \left(n_0^{- \beta \gamma - d} \left(\sqrt{m} n\right)^{\beta + d}\right)}"
        r"{\beta}"
    )
    assert show(ln.n / 2 - 3 * ln.m) == r"\frac{\log n}{2} - 3 \log m"
    assert show(ln.L - ln.t) == r"\log \left(\frac{L}{t}\right)"


def test_the_exponents_when_sizes_are_powers() -> None:
    import sympy

    x, s = exponent_letters, letters
    values = {x.a: 1, x.b: sympy.Rational(1, 2), x.a0: 1, x.e: sympy.Rational(1, 4)}
    values |= {s.beta: sympy.Rational(1, 2), s.d: 2, s.gamma: 1, s.g: 1}
    assert forms()["r"].subs(values) == sympy.Rational(2, 5)
    assert forms()["D"].subs(values) == sympy.Rational(1, 2)


def test_a_derivation_that_fails_changes_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(derived(key).proved is holds for key, holds in stored_outcomes().items())
    monkeypatch.setitem(expressions._STATEMENTS, "eps2", altered("eps2"))
    item = statement("ACC:Cor3.2:eps2")
    found = evaluate(item, derivations={item.derivation: derive(str(item.derivation)).proved})
    assert found.of("printed").words == BROKEN
