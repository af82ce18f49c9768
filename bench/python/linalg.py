"""Dense linear algebra against LAPACK: values, and gradients by the analytic rules.

python bench/python/linalg.py [SIZE..]

LAPACK's side is SciPy's with the rules written out; one core, least processor time, in turns.
"""

from __future__ import annotations

import os
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy import linalg

import dagaz

TEXT = """
import "lib/linalg"
module L = mk_linalg f64
def dot [n] (a: [n][n]f64) (b: [n][n]f64) : f64 =
  f64.sum (map2 (\\x y -> f64.sum (map2 (*) x y)) a b)
entry product [n] (a: [n][n]f64) (b: [n][n]f64) (w: [n][n]f64) : f64 = dot w (L.matmul a b)
entry cholesky [n] (a: [n][n]f64) (_b: [n][n]f64) (w: [n][n]f64) : f64 = dot w (L.cholesky a)
entry solution [n] (a: [n][n]f64) (b: [n][n]f64) (w: [n][n]f64) : f64 =
  dot w (L.solve_matrix a b)
"""


def product(a, b, w):
    return a @ b, (w @ b.T, a.T @ w)


def cholesky(a, _, w):
    lower = linalg.cholesky(a, lower=True)
    p = np.tril(lower.T @ np.tril(w))
    np.fill_diagonal(p, 0.5 * np.diag(p))
    y = linalg.solve_triangular(lower, p, trans=1, lower=True)
    g = linalg.solve_triangular(lower, y.T, trans=1, lower=True)
    return lower, (0.5 * (g + g.T),)


def solution(a, b, w):
    factors = linalg.lu_factor(a)
    x = linalg.lu_solve(factors, b)
    back = linalg.lu_solve(factors, w, trans=1)
    return x, (-back @ x.T, back)


VALUES = {
    "product": lambda a, b: a @ b,
    "cholesky": lambda a, b: linalg.cholesky(a, lower=True),
    "solution": lambda a, b: linalg.solve(a, b),
}
RULES = {"product": product, "cholesky": cholesky, "solution": solution}


def least(calls, rounds=7):
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.process_time()
            call()
            best[name] = min(best[name], time.process_time() - start)
    return {name: 1e3 * seconds for name, seconds in best.items()}


def row(p, name, args):
    """Milliseconds: our value, LAPACK's, our value and gradient, LAPACK's with the rule."""
    a, b, _ = args
    f = dagaz.value_and_grad(p[name], ("a",) if name == "cholesky" else ("a", "b"))
    for x, y in zip(f(*args)[1], RULES[name](*args)[1], strict=True):
        assert np.allclose(x, y, rtol=1e-8, atol=1e-10), name
    return least(
        {
            "value": lambda: p[name](*args),
            "LAPACK": lambda: VALUES[name](a, b),
            "value and gradient": lambda: f(*args),
            "LAPACK with the rule": lambda: RULES[name](*args),
        }
    )


def main(sizes):
    p = dagaz.source(TEXT, name="linalg")
    print("| n, ms | value | LAPACK | value and gradient | LAPACK with the rule |")
    print("|---|---|---|---|---|")
    for n in sizes:
        a, b, w = np.random.default_rng(0).normal(size=(3, n, n))
        a = a @ a.T + n * np.eye(n)
        for name in RULES:
            times = " | ".join(f"{t:.2f}" for t in row(p, name, (a, b, w)).values())
            print(f"| {name}, {n} | {times} |", flush=True)


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [20, 50, 200, 400])
