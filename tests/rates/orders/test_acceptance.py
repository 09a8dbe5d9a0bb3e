"""Forty printed rates, typed as they are printed: those of the papers at hand, and of others.

Taken from the texts, not from what the language can do; what is refused stands with the reason.
"""

from __future__ import annotations

import pytest

from rates.orders import OrderError, parse

ACC = {"alpha": None, "beta": (0, 1), "gamma": None, "d": None}
PRINTED = {  # by place: the text, sizes, and what else is declared
    # At hand: classification
    "ACC (3)": (
        "min(1, min(max(nQ^(-beta*(1+alpha)/(2*beta+d)),"
        " (nQ^2*eps^2)^(-beta*(1+alpha)/(2*beta+2*d))),"
        " max((m*nP)^(-beta*(1+alpha)/(2*beta*gamma+d)),"
        " (m*nP^2*eps^2)^(-beta*(1+alpha)/(2*beta*gamma+2*d)))))",
        "nQ nP m eps",
        {"exponents": ACC},
    ),
    "ACC Theorem 3.1": (
        "min((min(n0^(1/(2*beta+d)), (n0^2*eps0^2)^(1/(2*beta+2*d)))"
        " + min((m*n)^(1/(2*beta*gamma+d)), (m*n^2*eps^2)^(1/(2*beta*gamma+2*d))))"
        "^(-beta*(1+alpha)), 1)",
        "n0 eps0 m n eps",
        {"exponents": ACC},
    ),
    "ACC Remark 3.2": (
        "(n0 + (m*n)^((2*beta+d)/(2*beta*gamma+d)))^(-beta*(1+alpha)/(2*beta+d))",
        "n0 m n",
        {"exponents": ACC},
    ),
    "ACC Remark 3.2, the private source rate": (
        "m^(beta*(1+alpha)/(2*beta*gamma+2*d))*(m*n*eps)^(-beta*(1+alpha)/(beta*gamma+d))",
        "m n eps",
        {"exponents": ACC},
    ),
    "ACC Corollary 3.2, ε1": ("min((sqrt(m)*n)^-1, n0^-1)", "m n n0", {}),
    "ACC Corollary 3.2, ε3": (
        "(m^(d/2)*n^(-beta*gamma))^(1/(2*beta*gamma+d))",
        "m n",
        {"exponents": ACC},
    ),
    "ACC Corollary 3.2, ε11": (
        "((sqrt(m)*n)^(beta+d)*n0^(-(beta*gamma+d)))^(1/(beta*(gamma-1)))",
        "m n n0",
        {"exponents": ACC},
    ),
    "ACC Corollary 3.2, γ*": (
        "1/(2*beta)*((2*beta+d)*log(m*n)/log(n0) - d)",
        "m n n0",
        {"exponents": ACC},
    ),
    "ACC after Theorem 3.4": (
        "(n0 + sum_j(n^((2*beta+d)/(2*beta*gamma+d))))^(-beta*(1+alpha)/(2*beta+d))",
        "n0 n",
        {"exponents": ACC, "sites": ["n", "gamma"]},
    ),
    "ACC (5) with (6)": (
        "sum_j(min(n*r^(2*beta*gamma+d), n^2*eps^2*r^(2*beta*gamma+2*d))) = 1",
        "n eps",
        {"exponents": ACC, "sites": ["n", "eps", "gamma"], "unknown": "r"},
    ),
    # At hand: regression
    "CCV (4)": (
        "min(M*((m*n^2*eps^2)^(-2*alpha/(2*alpha+2)) + (m*n)^(-2*alpha/(2*alpha+1))), 1)",
        "M m n eps",
        {"exponents": ["alpha"]},
    ),
    "CCV (6)": (
        "D^(2*gamma+2) = sum_j(min(n^2*eps^2, n*D))",
        "n eps",
        {"exponents": ["gamma"], "sites": ["n", "eps"], "unknown": "D"},
    ),
    "CCV (7)": ("(m*n)^(-2*nu/(2*nu+1))", "m n", {"exponents": ["nu"]}),
    "CCV after Corollary 1": (
        "M*(m*n)^(-2*alpha/(2*alpha+1))"
        "*(m^(1/(2*alpha+1))*n^(-2*alpha/(2*alpha+1))*eps^-2)^(2*alpha/(2*alpha+2))",
        "M m n eps",
        {"exponents": ["alpha"]},
    ),
    "CCV Corollary 3": (
        "M*(sum_j(n^2*eps^2))^(-2*alpha/(2*alpha+2))",
        "M n eps",
        {"exponents": ["alpha"], "sites": ["n", "eps"]},
    ),
    "CCV Corollary 4": (
        "M*((n^2*eps^2)^(-2*nu/(2*nu+2)) + n^(-2*nu/(2*nu+1)))",
        "M n eps",
        {"exponents": ["nu"]},
    ),
    "CCV Theorem 2.1, the factor": ("log(N)*log(1/delta)", "N delta", {}),
    # At hand: the hybrid model, domain adaptation
    "KS Theorem 4.3, curator-agents": (
        "(chi2+1)*log(1/alpha)/alpha^2*(d*log(d/alpha) + log(1/beta))",
        "chi2 alpha beta d",
        {},
    ),
    "KS Theorem 4.3, local agents": (
        "log((chi2+1)/alpha)*log(log(chi2+1)/(alpha*beta))/(eps^2*alpha^4)",
        "chi2 alpha beta eps",
        {},
    ),
    "KS Theorem 4.2": (
        "m1*(chi2+1)*sqrt(log((chi2+1)/alpha)*log(1/delta))/(alpha^2*eps)",
        "m1 chi2 alpha delta eps",
        {},
    ),
    "KS Theorem A.1": (
        "L*D*(chi2+1)/alpha^2*(L*sqrt(d*log(1/delta))/(eps*sqrt(alpha*lam))"
        " + D*L*sqrt(log(1/beta))/(sqrt(eps)*alpha))",
        "L D chi2 alpha beta d delta eps lam",
        {},
    ),
    "BCMM Theorem 4.2": (
        "G*Lambda*sqrt(d*log(1/delta))/(n*eps) + B*max(1, U)*sqrt(log(1/delta))/(n^(3/2)*eps)",
        "G Lambda B U d n eps delta",
        {},
    ),
    "BCMM Theorem 5.2": ("sqrt(b*d*log(1/delta))/(eps*n)", "b d delta eps n", {}),
    # Others, of the file and beside it
    "Kamath, Singhal, Ullman 2020, Theorem 1": (
        "1/alpha^2 + 1/(eps*alpha^(k/(k-1))) + log(R)/eps",
        "alpha eps R",
        {"exponents": {"k": (2, None)}},
    ),
    "Kamath et al. 2019, Theorem 1": (
        "d^2/alpha^2 + d^2/(alpha*eps) + (d^(3/2)*log(K)^(1/2) + d^(1/2)*log(R)^(1/2))/eps",
        "d alpha eps K R",
        {},
    ),
    "Acharya, Sun, Zhang 2021, Theorem 9": (
        "1/alpha^2 + min(sqrt(k)/(alpha*eps), log(k)/(alpha^2*eps))",
        "k alpha eps",
        {},
    ),
    "Acharya, Sun, Zhang 2021, Theorem 13": (
        "k/alpha^2 + k/(alpha*(eps+delta))",
        "k alpha eps delta",
        {},
    ),
    "Acharya et al. 2021, Theorem 1": (
        "s^2*max(log(k/s), 1)/(alpha^2*eps^2)",
        "s k alpha eps",
        {},
    ),
    "Acharya et al. 2021, Theorem 2": (
        "s^2*max(log(k/s), 1)/(alpha^2*min(2^l, s))",
        "s k alpha l",
        {},
    ),
    "Acharya, Liu, Sun 2023, (3)": (
        "max(sqrt(k/n), sqrt(k^2/(n*min((exp(eps)-1)^2, exp(eps)))))",
        "k n eps",
        {},
    ),
    "Pour, Ashtiani, Asoodeh 2024, Theorem 5": (
        "k*log(1/beta)^2/(alpha^2*min(eps^2, 1))",
        "k beta alpha eps",
        {},
    ),
    "Duchi, Rogers 2019, Corollary 3": (
        "max(d^2/(n*min(eps, eps^2)), d/n)",
        "d n eps",
        {},
    ),
    "Duchi, Rogers 2019, Corollary 6": (
        "min(k, max(d/e*k*s^2/n, k*s^2*log(d/k)/n))",
        "d e k s n",
        {},
    ),
    "Lowy, Razaviyayn 2023, Theorem 4": (
        "r^2/mu*(1/n + (sqrt(d)/(eps*n))^((2*k-2)/k))",
        "r mu n d eps",
        {"exponents": {"k": (2, None)}},
    ),
    "Bassily, Guzmán, Nandi 2021, Theorem 15": (
        "max(1/sqrt(n), (p-1)*sqrt(d)/(eps*n))",
        "n d eps p",
        {},
    ),
    "Su, Hu, Wang 2022": (
        "(1/sqrt(n) + sqrt(d*log(1/delta))/(n*eps))^(theta/(theta-1))",
        "n d delta eps",
        {"exponents": {"theta": (1, None)}},
    ),
    "Azize, Basu 2024": ("sqrt(d*T*log(K)) + d/(eps+delta)", "d T K eps delta", {}),
    "Hu et al. 2023": (
        "s*log(d)/n + s^2*log(d)^2/(n^2*eps^2)",
        "s d n eps",
        {},
    ),
    "He, Vershynin, Zhu 2023, d = 1": ("log(eps*n)^2*(eps*n)^-1", "eps n", {}),
    "Gopi et al. 2020, as in Pour et al. 2024": (
        "k*log(k)*log(log(k))/(alpha^2*min(eps^2, 1))",
        "k alpha eps",
        {},
    ),
}
REFUSED = {  # by place: part of the reason
    "ACC Corollary 3.2, γ*": "beta",  # an exponent as a size, and a difference
    "Acharya et al. 2021, Theorem 2": "l is a size",  # 2 to the power of a size
    "Bassily, Guzmán, Nandi 2021, Theorem 15": "difference",  # p - 1
}


@pytest.mark.parametrize("place", PRINTED)
def test_a_printed_rate_is_typed_as_it_is_printed_or_refused_with_the_reason(place):
    text, sizes, more = PRINTED[place]
    if place in REFUSED:
        with pytest.raises(OrderError, match=REFUSED[place]):
            parse(text, sizes=sizes.split(), **more)
    else:
        order = parse(text, sizes=sizes.split(), **more)
        assert parse(str(order), **order.letters) == order


def test_at_least_36_of_40_are_typed_as_printed():
    assert len(PRINTED) == 40
    assert set(REFUSED) <= set(PRINTED)
    assert len(PRINTED) - len(REFUSED) >= 36
