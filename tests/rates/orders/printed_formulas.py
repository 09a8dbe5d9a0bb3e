"""What the printed rates say, in NumPy: written from the papers, apart from the language."""

from __future__ import annotations

import numpy as np
from numpy import exp, maximum, minimum, sqrt

from tests.rates.solved import root


def log(x):
    """As rates are written: a logarithm is 1 at least, so that it is never lost in a product."""
    return maximum(1.0, np.log(x))


def gaussian(d, alpha, eps):
    return d**2 / alpha**2 + d**2 / (alpha * eps)


def mean(d, alpha, eps):
    return d / alpha**2 + d / (alpha * eps)


def acc_side(n, eps, beta, d):
    return minimum(n ** (1 / (2 * beta + d)), (n**2 * eps**2) ** (1 / (2 * beta + 2 * d)))


def acc_target(n0, eps0, beta, d, alpha):
    return minimum(1, acc_side(n0, eps0, beta, d) ** (-beta * (1 + alpha)))


def acc_sources(m, n, eps, beta, gamma, d):
    free = (m * n) ** (1 / (2 * beta * gamma + d))
    return minimum(free, (m * n**2 * eps**2) ** (1 / (2 * beta * gamma + 2 * d)))


def acc_theorem_3_1(n0, eps0, m, n, eps, beta, gamma, d, alpha):
    both = acc_side(n0, eps0, beta, d) + acc_sources(m, n, eps, beta, gamma, d)
    return minimum(1, both ** (-beta * (1 + alpha)))


def acc_equal(n0, m, n, eps, beta, gamma, d, alpha):
    top = beta * (1 + alpha)
    target = maximum(n0 ** (-top / (2 * beta + d)), (n0 * eps) ** (-top / (beta + d)))
    source = maximum(
        (m * n) ** (-top / (2 * beta * gamma + d)),
        (sqrt(m) * n * eps) ** (-top / (beta * gamma + d)),
    )
    return minimum(1, minimum(target, source))


def acc_free(n0, m, n, beta, gamma, d, alpha):
    power = (2 * beta + d) / (2 * beta * gamma + d)
    return (n0 + (m * n) ** power) ** (-beta * (1 + alpha) / (2 * beta + d))


def acc_private_source(m, n, eps, beta, gamma, d, alpha):
    top, under = beta * (1 + alpha), beta * gamma + d
    return m ** (top / (2 * under)) / (m * n * eps) ** (top / under)


def acc_balance(n0, m, n, eps, beta, gamma, d, alpha):
    def excess(u):
        r = exp(u)
        target = minimum(n0 * r ** (2 * beta + d), (n0 * eps) ** 2 * r ** (2 * beta + 2 * d))
        power = 2 * beta * gamma + d
        source = minimum(n * r**power, (n * eps) ** 2 * r ** (power + d))
        return target + m * source - 1

    return min(1.0, exp(root(excess, -138.0, 138.0) * beta * (1 + alpha)))


def ccv(m, n, eps, a):
    private, free = (m * n**2 * eps**2) ** (-a / (a + 1)), (m * n) ** (-2 * a / (2 * a + 1))
    return private + free


def ccv_balance(m, n, eps, alpha):
    def excess(u):
        return exp(u * (2 * alpha + 2)) - m * minimum((n * eps) ** 2, n * exp(u))

    return min(1.0, exp(-2 * alpha * root(excess, -138.0, 138.0)))


def testing_terms(d, alpha, eps):
    return sqrt(d) / alpha**2 + (d / (alpha**4 * eps**2)) ** (1 / 3) + 1 / (alpha * eps)


def price(d, delta, eps, n):
    """What privacy adds to the risk of d numbers."""
    return sqrt(d * log(1 / delta)) / (eps * n)


def local(eps):
    return maximum(1 / eps, eps**-2)


def heavy(d, alpha, eps, k):
    """Of a mean with k moments, the price of privacy."""
    return d / (eps * alpha ** (k / (k - 1)))


def ks_curator(chi2, alpha, beta, d):
    return (chi2 + 1) * log(1 / alpha) / alpha**2 * (d * log(d / alpha) + log(1 / beta))


def ks_curator_private(m1, chi2, alpha, delta, eps):
    return m1 * (chi2 + 1) * sqrt(log((chi2 + 1) / alpha) * log(1 / delta)) / (alpha**2 * eps)


def bcmm_convex_whole(G, Lambda, d, delta, n, eps, B, U):
    return price(1, delta, eps, n) * (G * Lambda * sqrt(d) + B * maximum(1, U) / sqrt(n))


def klsu_2019_gaussian(d, alpha, eps, kappa, R):
    return gaussian(d, alpha, eps) + (d**1.5 * sqrt(log(kappa)) + sqrt(d * log(R))) / eps


def aak_2021_gaussian(d, alpha, eps, delta):
    return gaussian(d, alpha, eps) + log(1 / delta) / eps


def aak_2021_known_covariance(d, alpha, eps, delta):
    return mean(d, alpha, eps) + log(1 / delta) / eps


def lko_2022_pca_heavy(d, xi, eps, k):
    return d / xi ** (2 * (k - 1) / (k - 2)) + d / (eps * xi ** (k / (k - 2)))


def bhs_2023_mean(d, alpha, eps, delta):
    return d / alpha**2 + d * sqrt(log(1 / delta)) / (alpha * eps) + d * log(1 / delta) / eps


def agarwal_2024_person(d, alpha, m, eps, k):
    return mean(d, alpha * sqrt(m), eps) + heavy(d, alpha, m * eps, k) + d / eps


def asz_2021_l2(k, alpha, eps):
    return 1 / alpha**2 + minimum(sqrt(k) / (alpha * eps), log(k) / (alpha**2 * eps))


def chhor_2023_both(alpha, d, k, n, eps):
    return alpha * sqrt(d / k) / eps + d / (eps * sqrt(k * n))


def narayanan_2022_test_before(d, alpha, eps):
    return testing_terms(d, alpha, eps) + sqrt(d / eps) / alpha


def ajm_2020_pan(k, alpha, eps):
    return (k / (alpha**2 * eps)) ** (2 / 3) + sqrt(k) / alpha**2 + sqrt(k) / (alpha * eps)


def paa_2024_before(k, alpha, eps):
    return k * log(k) * log(log(k)) / alpha**2 * maximum(eps**-2, 1)


def bgn_2021_large_p(n, d, eps, p):
    return d ** (0.5 - 1 / p) / sqrt(n) + d ** (1 - 1 / p) / (eps * n)


def shw_2022_pure(n, d, eps, theta):
    return (1 / sqrt(n) + d / (n * eps)) ** (theta / (theta - 1))


def shw_2022_approximate(n, d, eps, theta, delta):
    return (1 / sqrt(n) + price(d, delta, eps, n)) ** (theta / (theta - 1))


def menart_2024_kl_adaptive(n, d, rho, kappa):
    return sqrt(d / (n**2 * rho)) ** (2 * kappa / (4 - kappa))


def lr_2023_convex(r, D, n, d, eps, k):
    return r * D / sqrt(n) + r * D * (sqrt(d) / (eps * n)) ** (1 - 1 / k)


def lr_2023_strong(r, mu, n, d, eps, k):
    return r**2 / mu * (1 / n + (d / (eps * n) ** 2) ** (1 - 1 / k))


def vtj_2022_linear_shuffled(sigma, d, N, eps):
    return sigma**2 * d / N + (1 + sigma**2) * (d / (eps * N)) ** 2


def lowy_2023_silo(L, mu, kappa, d, delta, eps, n, N):
    return L**2 / mu * (kappa**2 * d * log(1 / delta) / ((eps * n) ** 2 * N) + kappa / (N * n))


def lowy_2023_shuffled(L, mu, kappa, d, delta, eps, n, N):
    return L**2 / mu * (kappa**2 * d * log(d / delta) ** 2 / (eps * n * N) ** 2 + kappa / (N * n))


def dr_2019_gaussian(d, n, eps, sigma):
    return minimum(d, sigma**2 * d / n * maximum(d * local(eps), 1))


def dr_2019_sparse(d, k, n, eps, sigma):
    return minimum(k, k * sigma**2 / n * maximum(d * local(eps), log(d / k)))


def qw_2023_local(S, A, H, T, eps):
    return H * sqrt(S * A * T) + S**2 * A * H**2.5 * sqrt(T) / eps


def ab_2024_joint_upper(d, T, delta, eps):
    return d * sqrt(T) * log(T) + d**0.75 * sqrt(T * log(1 / delta) / eps)


# What fits in a line; the others are functions above, with _ for -.
FORMULAS = {
    "ccv-global": lambda m, n, eps, alpha: minimum(ccv(m, n, eps, alpha), 1),
    "ccv-point": lambda m, n, eps, nu: minimum(ccv(m, n, eps, nu), 1),
    "ccv-point-free": lambda m, n, nu: (m * n) ** (-2 * nu / (2 * nu + 1)),
    "ccv-one-large": lambda n, eps, alpha: ccv(1, n, eps, alpha),
    "ccv-balance": ccv_balance,
    "ks-local": lambda chi2, alpha, eps: log((chi2 + 1) / alpha) / (eps**2 * alpha**4),
    "ks-finite": lambda chi2, H, beta, alpha, eps: (chi2 + 1) * log(H / beta) / (alpha**3 * eps),
    "bcmm-convex": lambda G, Lambda, d, delta, n, eps: G * Lambda * price(d, delta, eps, n),
    "bcmm-smooth": lambda b, d, delta, eps, n: sqrt(b) * price(d, delta, eps, n),
    "ksu-2020-line": lambda alpha, eps, k, R: alpha**-2 + heavy(1, alpha, eps, k) + log(R) / eps,
    "ksu-2020-abstract": lambda alpha, eps, k: 1 / alpha**2 + heavy(1, alpha, eps, k),
    "klsu-2019-product": mean,
    "klsu-2019-gaussian-lower": gaussian,
    "aak-2021-selection": lambda m, alpha, eps: mean(log(m), alpha, eps),
    "kmssu-2022-gaussian": lambda d, alpha, eps: gaussian(d, alpha, eps) + d**2.5 / eps,
    "kmssu-2022-naive": lambda d, alpha, eps, K: d**2 / alpha**2 + K * d**2 / (alpha * eps),
    "kmssu-2022-kothari": lambda d, alpha, eps: (d**2 / (alpha * eps**2)) ** 4,
    "lko-2022-mean": lambda d, xi, eps, k: d / xi**2 + heavy(d, xi, eps, k),
    "lko-2022-regression": lambda d, xi, eps: d / xi**2 + d / (eps * xi),
    "lko-2022-regression-worst": lambda d, xi, eps: d**1.5 / (xi * eps),
    "lko-2022-pca": lambda d, xi, eps: d / xi * (1 / xi + 1 / eps),
    "lko-2022-pca-worst": lambda d, xi, eps: d / xi**2 + d**1.5 / (xi * eps),
    "asz-2021-tv": lambda k, alpha, eps: k / alpha**2 + k / (alpha * eps),
    "asz-2021-approximate-lower": lambda k, alpha, eps, delta: mean(k, alpha, eps + delta),
    "asz-2021-product-lower": lambda k, d, alpha, eps: mean(k * d, alpha, eps),
    "akls-2021-sparse": lambda s, k, alpha, eps: s**2 * maximum(log(k / s), 1) / (alpha * eps) ** 2,
    "akls-2021-whole": lambda k, alpha, eps: (k / (alpha * eps)) ** 2,
    "als-2023-local": lambda k, m, n, eps: k / (sqrt(m * n) * eps),
    "als-2023-shuffle": lambda k, m, n, eps, delta: k * log(1 / delta) / (n * sqrt(m) * eps),
    "als-2023-central": lambda k, m, n, eps: sqrt(k / (n * m)) + k / (n * sqrt(m) * eps),
    "chhor-2023-private": lambda d, k, n, eps: d / (eps * sqrt(k * n)),
    "chhor-2023-hostile": lambda alpha, d, k, n: alpha / sqrt(k) + sqrt(d / (k * n)),
    "narayanan-2022-test": testing_terms,
    "narayanan-2022-test-fast": lambda d, alpha, eps: sqrt(d) / alpha**2 + d**0.25 / (alpha * eps),
    "ajm-2020-central": lambda k, alpha, eps: testing_terms(k, alpha, eps) + sqrt(k / eps) / alpha,
    "ajm-2020-local": lambda k, alpha, eps: k / (alpha * eps) ** 2,
    "paa-2024-interactive": lambda k, alpha, eps: k / alpha**2 * maximum(eps**-2, 1),
    "paa-2024-one-round": lambda k, alpha, eps: k * log(k) / (alpha * eps) ** 2,
    "dr-2019-bits": lambda d, n, eps: maximum(d**2 / n * local(eps), d / n),
    "dr-2019-logistic": lambda d, n, eps: d**2 / n * local(eps),
    "kroll-2021-local": lambda n, s: n ** ((1 - 2 * s) / (2 * s + 1)),
    "kroll-2021-free": lambda n, s: n ** ((1 - 2 * s) / (2 * s)),
    "wzgx-2021-private": lambda p, alpha, eps: (p / (alpha * eps)) ** 2,
    "bftt-2019-sco": lambda n, d, eps: maximum(1 / sqrt(n), sqrt(d) / (n * eps)),
    "gll-2022-erm": lambda G, D, d, delta, eps, n: 2 * G * D * price(d, delta, eps, n),
    "gll-2022-sco": lambda G, D, d, delta, eps, n: 2 * G * D * (n**-0.5 + price(d, delta, eps, n)),
    "bgm-2023-saddle": lambda n, d, eps: 1 / sqrt(n) + sqrt(d) / (n * eps),
    "bgn-2021-small-p": lambda n, d: minimum(d**0.25 / sqrt(n), n**-0.5 + sqrt(d) * n**-0.75),
    "shw-2022-low-noise": lambda n, d, eps, tau: (d / (n * eps)) ** 2 + n**-tau,
    "menart-2024-kl": lambda n, d, rho, kappa: sqrt(d / rho) ** kappa / n**kappa,
    "vtj-2022-linear": lambda sigma, d, N, eps: sigma**2 * d / N * (1 + d / (eps**2 * N)),
    "lowy-2023-gradient": lambda d, eps, n, N: (d / (N * (eps * n) ** 2)) ** (2 / 3),
    "lowy-2023-gradient-shuffled": lambda d, eps, n, N: (d / (eps * n * N) ** 2) ** (2 / 3),
    "zb-2024-groups": lambda p, d, K, eps: p * sqrt(d) / (K * eps) + sqrt(p / K),
    "df-2018-realizable": lambda d, alpha, eps: d / (alpha * eps),
    "dagan-2020-simple": lambda d, alpha, eps: d / (alpha**2 * eps),
    "dagan-2020-small-d": lambda d, alpha, eps: d**2 / (alpha * eps) + d / alpha**2,
    "dagan-2020-stable": lambda d, alpha, gamma: d / (alpha * gamma) + d / alpha**2,
    "nb-2020-queries": lambda d, alpha, m: d / alpha**2 * maximum(1, sqrt(m * alpha**3)),
    "nb-2020-any": lambda d, alpha: d / alpha**2 * maximum(1, sqrt(d) * alpha),
    "nuz-2020-margin": lambda alpha, eps, gamma: 1 / (alpha * eps * gamma**2),
    "bu-2017-top-k": lambda k, d, n: sqrt(k) * log(d) / n,
    "gkm-2021-queries": lambda k, delta, eps: price(k, delta, eps, 1),
    "gkm-2021-laplace": lambda k, eps: k * log(k) / eps,
    "cohen-2024-counter-upper": lambda T, n: log(T) + log(n) ** 2,
    "cohen-2024-counter-lower": lambda T, n: minimum(n, log(T)),
    "hvz-2023-cube": lambda eps, n, d: (eps * n) ** (-1 / d),
    "hvz-2023-line": lambda eps, n: log(eps * n) ** 2 / (eps * n),
    "hu-2023-concentrated": lambda d, n, rho: d / n + d / (n**2 * rho),
    "hu-2023-sparse": lambda s, d, n, rho: s * log(d) * (1 / n + 1 / (n**2 * rho)),
    "hu-2023-pure": lambda d, n, eps: d / n + (d / (n * eps)) ** 2,
    "hu-2023-pure-sparse": lambda s, d, n, eps: s * log(d) / n + (s * log(d) / (n * eps)) ** 2,
    "qw-2023-joint": lambda S, A, H, T, eps: H * sqrt(S * A * T) + S**2 * A * H**3 / eps,
    "ab-2024-joint-lower": lambda d, T, K, eps, delta: sqrt(d * T * log(K)) + d / (eps + delta),
    "ab-2024-arms": lambda K, T, rho: maximum(sqrt(K * T), sqrt(K / rho)),
    "ab-2024-linear": lambda d, T, rho: d * maximum(sqrt(T), 1 / sqrt(rho)),
    "garcelon-2022-shuffle": lambda d, T, eps: d * (T**2 / eps) ** (1 / 3),
    "garcelon-2022-local": lambda T, eps: T**0.75 / sqrt(eps),
}
