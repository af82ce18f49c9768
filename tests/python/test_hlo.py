"""Functions in JAX that XLA compiles as StableHLO."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

import dagaz

pytestmark = pytest.mark.full
jax = pytest.importorskip("jax", reason="jax is not installed", exc_type=ImportError)
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")
import jax.numpy as jnp  # noqa: E402

import dagaz.jax  # noqa: E402

TEXT = """
entry f [n] (w: [n]f64) (x: [n]f64) (c: f64) : f64 =
  f64.tanh (f64.sum (map2 (*) w x)) * c + f64.sum (map f64.sin w)
entry model [n] (p: {w: [n]f64, b: f64}) (x: [n]f64) = {y = f64.sum (map2 (*) p.w x) + p.b * p.b}
entry at [n] (x: [n]f64) (i: i64) = x[i] * x[i]
entry first (n: i64) (x: [n]f64) = x[0]
entry drawn [n] (x: [n]f64) = map f64.lgamma x
"""
W, X = np.array([0.3, -0.2, 0.5]), np.array([1.0, 0.5, -0.7])


@pytest.fixture(scope="module")
def q():
    return dagaz.source(TEXT, name="inhlo")


def test_values_and_derivatives(q):
    f, g = dagaz.jax.function(q.f, how="hlo"), dagaz.jax.function(q.f)
    assert np.allclose(f(W, X, 2.0), g(W, X, 2.0))
    for of in (jax.grad, jax.hessian, lambda f: jax.jacrev(jax.jacfwd(f))):
        assert np.allclose(jax.jit(of(f))(W, X, 2.0), of(g)(W, X, 2.0))
    m = dagaz.jax.function(q.model, how="hlo")
    got = jax.grad(lambda p: m(p, X)["y"])({"w": W, "b": 0.5})
    assert np.allclose(got["w"], X) and np.allclose(got["b"], 1.0)


def test_no_calls_are_left(q):
    text = jax.jit(jax.grad(dagaz.jax.function(q.f, how="hlo"))).lower(W, X, 2.0).as_text()
    assert "custom_call" not in text
    assert "custom_call" in jax.jit(dagaz.jax.function(q.f)).lower(W, X, 2.0).as_text()


def test_vmap(q):
    g = jax.vmap(jax.grad(dagaz.jax.function(q.f, how="hlo")), (0, None, None))
    want = [dagaz.grad(q.f, "w")(w, X, 2.0) for w in (W, 2 * W)]
    assert np.allclose(g(jnp.stack([W, 2 * W]), X, 2.0), want)


def test_a_check_that_fails_is_nan(q):
    at = dagaz.jax.function(q.at, how="hlo")
    assert at(X, 1) == 0.25
    assert np.isnan(at(X, 7))


def test_what_is_refused(q):
    with pytest.raises(dagaz.UsageError, match=r"write \[n\] instead"):
        dagaz.jax.function(q.first, how="hlo")(3, X)
    with pytest.raises(dagaz.UsageError, match="how is"):
        dagaz.jax.function(q.f, how="other")
    with pytest.raises(dagaz.CompileError, match="lgamma"):
        dagaz.jax.function(q.drawn, how="hlo")(X)


@pytest.mark.parametrize("devices", [1, 2, 4])  # 8: test_examples.py
def test_rows_on_a_mesh(devices):
    example = pathlib.Path(__file__).resolve().parents[2] / "examples/python/data_parallel.py"
    words = [sys.executable, str(example), str(devices)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert f"{devices} devices" in done.stdout and "against one device" in done.stdout
