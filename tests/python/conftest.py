"""What the tests of the Python package share."""

import os
import warnings

import pytest

import dagaz

os.environ.setdefault("MPLBACKEND", "Agg")


def pytest_configure(config):
    config.addinivalue_line("markers", "full: part of make check-full only")


LOSS = """
type params [d] = {w: [d]f64, b: f64}
-- | Sum of squares.
entry loss [n] [d] (w: [d]f64) (xs: [n][d]f64) (ys: [n]f64) : f64 =
  f64.sum (map2 (\\x y -> (f64.sum (map2 (*) w x) - y) ** 2) xs ys)
entry residuals [n] [d] (w: [d]f64) (xs: [n][d]f64) (ys: [n]f64) : [n]f64 =
  map2 (\\x y -> f64.tanh (f64.sum (map2 (*) w x)) - y) xs ys
entry model [d] (p: params [d]) (x: [d]f64) : f64 = p.b + f64.exp (f64.sum (map2 (*) p.w x))
entry several [n] (xs: [n]f64) (k: i64) = (map f64.sin xs, replicate k 1i32, f64.sum xs * 2)
entry ident [n] (xs: [n]f64) = xs
entry overwrite [n] (xs: *[n]f64) = xs with [0] = 7
entry at [n] (xs: [n]f64) (i: i64) = xs[i]
entry twice [n] (xs: [n]f64) = (xs, xs)
entry appended [n] (xs: [n]f64) = xs ++ [1]
entry kept [n] (xs: [n]f64) = filter (> 0) xs
def helper [n] (xs: [n]f64) (c: f64) = f64.sum xs * c
"""


@pytest.fixture(scope="session")
def p():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return dagaz.source(LOSS, name="loss")
