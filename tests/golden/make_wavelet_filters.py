"""Write sims/curves/wavelet_filters.json: Daubechies filters and edge filters to 40 digits.

Everything is solved from definitions in mpmath, nothing is copied: the scaling filter by
spectral factorisation, inner products of cut-off translates by the refinement equation (a
linear system), edge functions by Gram-Schmidt from the shortest support to the longest, as
Cohen, Daubechies and Vial (1993) do, edge wavelets as what is left of the finer space. Run it
again only to extend the table; the package reads the file and needs no mpmath.

Notation: N vanishing moments, phi on [0, S], S = 2N - 1, phi(x) = sqrt(2) sum_p h_p phi(2x - p).
On the half line x >= 0 the translates m = -(S-1)..-1 are cut off, m >= 0 are whole.
"""

from __future__ import annotations

import json
from pathlib import Path

from mpmath import mp, mpf

DIGITS = 40
MOMENTS = range(1, 7)
COMMAND = "python tests/golden/make_wavelet_filters.py"
TARGET = Path(__file__).resolve().parents[2] / "sims" / "curves" / "wavelet_filters.json"

Vector = list[mpf]
Rows = list[Vector]


def low_pass(N: int) -> Vector:
    """Return the filter of extremal phase, sum sqrt(2): (1 + z)^N times the roots inside."""
    in_y = [mp.binomial(N - 1 + k, k) for k in range(N)]  # P(y), y = (2 - z - 1/z)/4
    poly = [mpf(1)]
    for _ in range(N):
        poly = times(poly, [1, 1])
    for y in mp.polyroots(in_y[::-1], maxsteps=500, extraprec=500) if N > 1 else []:
        half = 1 - 2 * y
        z = half - mp.sqrt(half * half - 1)
        poly = times(poly, [1, -(z if abs(z) < 1 else 1 / z)])
    h = [mp.re(c) for c in poly]
    return [c * mp.sqrt(2) / mp.fsum(h) for c in h]


def times(a: Vector, b: Vector) -> Vector:
    """Return the product of two polynomials."""
    out = [mpf(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return out


def at_integers(h: Vector) -> Vector:
    """Return phi(0), ..., phi(S - 1): the fixed vector of the refinement equation, sum 1."""
    S = len(h) - 1
    A = mp.matrix(S, S)
    for i in range(S):
        for j in range(S):
            if 0 <= 2 * i - j <= S:
                A[i, j] = mp.sqrt(2) * h[2 * i - j]
        A[i, i] -= 1
    for j in range(S):
        A[S - 1, j] = 1  # the rows are dependent: one makes room for the sum
    return list(mp.lu_solve(A, mp.matrix([0] * (S - 1) + [1])))


def unit_integrals(h: Vector) -> Vector:
    """Return int_s^(s+1) phi for s = 0..S - 1: fixed under one refinement, sum 1."""
    S = len(h) - 1
    A = mp.matrix(S, S)
    for s in range(S):
        for j in range(S):
            for bit in (0, 1):
                if 0 <= 2 * s + bit - j <= S:
                    A[s, j] += h[2 * s + bit - j] / mp.sqrt(2)
        A[s, s] -= 1
    for j in range(S):
        A[S - 1, j] = 1
    return list(mp.lu_solve(A, mp.matrix([0] * (S - 1) + [1])))


def half_line_gram(h: Vector) -> Rows:
    """Return int_0^oo phi(x - m) phi(x - m') for m, m' = -(S-1)..0."""
    S = len(h) - 1
    low, size = 1 - S, S - 1
    gram = [[mpf(i == j) for j in range(S)] for i in range(S)]
    if not size:
        return gram
    A, b = mp.eye(size * size), mp.zeros(size * size, 1)
    for i in range(size):
        for j in range(size):
            row = i * size + j
            for p in range(S + 1):
                for q in range(S + 1):
                    one, two = 2 * (low + i) + p, 2 * (low + j) + q
                    if one < low or two < low:
                        continue  # supported left of 0
                    if one >= 0 or two >= 0:
                        b[row] += h[p] * h[q] * (one == two)  # one of them is whole
                    else:
                        A[row, (one - low) * size + two - low] -= h[p] * h[q]
    found = mp.lu_solve(A, b)
    for i in range(size):
        for j in range(size):
            gram[i][j] = (found[i * size + j] + found[j * size + i]) / 2
    return gram


def inner(a: Vector, gram: Rows, b: Vector) -> mpf:
    """Return a' gram b."""
    images = (mp.fsum(g * y for g, y in zip(row, b, strict=True)) for row in gram)
    return mp.fsum(x * y for x, y in zip(a, images, strict=True))


def edge_functions(h: Vector, gram: Rows) -> Rows:
    """Return edge functions k = 0..N-1, support [0, N+k], as sums of translates m = -(S-1)..0."""
    S = len(h) - 1
    N = (S + 1) // 2
    done: Rows = []
    for power in range(N - 1, -1, -1):
        row = [mp.binomial(-m, power) for m in range(1 - S, 1)]  # -m >= power: support S - power
        for _ in range(2):  # twice is enough
            for other in done:
                shadow = inner(row, gram, other)
                row = [x - shadow * y for x, y in zip(row, other, strict=True)]
        size = mp.sqrt(inner(row, gram, row))
        done.append([x / size for x in row])
    return done


def edge_low_pass(h: Vector, gram: Rows, edge: Rows) -> Rows:
    """Return row k of length N + 2k + 1: weights of the N finer edges, then m = 1, 2, ..."""
    S = len(h) - 1
    N = len(edge)
    out = []
    for k, row in enumerate(edge):
        fine = {j: mpf(0) for j in range(1 - S, S + 1)}
        for m, x in zip(range(1 - S, 1), row, strict=True):
            for p in range(S + 1):
                if 2 * m + p >= 1 - S:
                    fine[2 * m + p] += x * h[p]
        cut = [fine[j] for j in range(1 - S, 1)]
        taps = [inner(cut, gram, e) for e in edge] + [fine[j] for j in range(1, S + 1)]
        assert all(abs(t) < mpf(10) ** -(DIGITS + 5) for t in taps[N + 2 * k + 1 :])
        out.append(taps[: N + 2 * k + 1])
    return out


def edge_high_pass(h: Vector, low: Rows) -> Rows:
    """Return the edge wavelets: finer functions orthogonal to all else, shortest first.

    In the first 3N-1 finer coordinates they are orthogonal to the edge rows and to every whole
    scaling function and wavelet. The sign makes the last tap of row k that of (-1)^(k+1).
    """
    S = len(h) - 1
    N = len(low)
    width = 3 * N - 1
    others = [row + [mpf(0)] * (width - len(row)) for row in low]
    high = [(-1) ** p * h[S - p] for p in range(S + 1)]
    for m in range(1, N):
        for taps in (h, high):
            row = [mpf(0)] * width
            for p in range(S + 1):
                if N + 2 * m + p - 1 < width:
                    row[N + 2 * m + p - 1] = taps[p]
            others.append(row)
    done: Rows = []
    for k in range(N):
        length = N + 2 * k + 1
        bound = [row[:length] for row in others] + [
            row + [mpf(0)] * 2 * (k - i) for i, row in enumerate(done)
        ]
        (row,) = null_space(bound, length)
        if (row[-1] > 0) == (k % 2 == 0):
            row = [-x for x in row]
        done.append(row)
    return done


def null_space(rows: Rows, length: int) -> Rows:
    """Return an orthonormal basis of the vectors orthogonal to all rows, by pivoting."""
    tiny = mpf(10) ** -(DIGITS + 5)
    A = [list(row) for row in rows]
    pivots: list[int] = []
    for _ in range(min(len(A), length)):
        step = len(pivots)
        best = max(
            ((i, j) for i in range(step, len(A)) for j in range(length) if j not in pivots),
            key=lambda at: abs(A[at[0]][at[1]]),
        )
        if abs(A[best[0]][best[1]]) < tiny:
            break
        A[step], A[best[0]] = A[best[0]], A[step]
        j = best[1]
        A[step] = [x / A[step][j] for x in A[step]]
        for i in range(len(A)):
            if i != step and A[i][j]:
                factor = A[i][j]
                A[i] = [x - factor * y for x, y in zip(A[i], A[step], strict=True)]
        pivots.append(j)
    out: Rows = []
    for free in (j for j in range(length) if j not in pivots):
        row = [mpf(0)] * length
        row[free] = mpf(1)
        for i, j in enumerate(pivots):
            row[j] = -A[i][free]
        for other in out:
            shadow = mp.fsum(x * y for x, y in zip(row, other, strict=True))
            row = [x - shadow * y for x, y in zip(row, other, strict=True)]
        size = mp.sqrt(mp.fsum(x * x for x in row))
        out.append([x / size for x in row])
    return out


def side(h: Vector) -> dict[str, Rows]:
    """Return the edge functions and filters of the half line x >= 0."""
    gram = half_line_gram(h)
    edge = edge_functions(h, gram)
    low = edge_low_pass(h, gram, edge)
    return {"functions": edge, "low": low, "high": edge_high_pass(h, low)}


def table(N: int) -> dict[str, object]:
    """Return one entry of the file; the right side is the left one of the reversed filter."""
    with mp.workdps(2 * DIGITS + 30):
        h = low_pass(N)
        entry = {"low": h, "integers": at_integers(h), "unit_integrals": unit_integrals(h)}
        entry |= {"left": side(h), "right": side(h[::-1])}
        return digits(entry)


def digits(x: object) -> object:
    """Return the same structure with every number as text of 40 digits."""
    if isinstance(x, dict):
        return {k: digits(v) for k, v in x.items()}
    if isinstance(x, list):
        return [digits(v) for v in x]
    return mp.nstr(x, DIGITS)


def main() -> None:
    """Write the file."""
    data = {"command": COMMAND, "digits": DIGITS, "moments": {str(N): table(N) for N in MOMENTS}}
    TARGET.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
