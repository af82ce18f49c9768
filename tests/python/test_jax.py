"""Functions in JAX, by JAX's own judges."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import dagaz

pytestmark = pytest.mark.full
jax = pytest.importorskip("jax", reason="jax is not installed", exc_type=ImportError)
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")
import jax.numpy as jnp  # noqa: E402
from jax.test_util import check_grads  # noqa: E402

import dagaz._xla  # noqa: E402
import dagaz.jax  # noqa: E402

TEXT = """
entry f [n] (w: [n]f64) (x: [n]f64) (c: f64) : f64 =
  f64.tanh (f64.sum (map2 (*) w x)) * c + f64.sum (map f64.sin w)
entry vector [n] (w: [n]f64) (i: i64) = (map (\\x -> f64.exp x * f64.sin x) w, w[i] * w[0], 3i32)
entry model [n] (p: {w: [n]f64, b: f64}) (x: [n]f64) = {y = f64.sum (map2 (*) p.w x) + p.b * p.b}
entry at [n] (x: [n]f64) (i: i64) = x[i]
entry kept [n] (x: [n]f64) = filter (> 0) x
entry half [n] (x: [n]f32) = f32.sum (map (\\a -> a * a) x)
"""
W, X = np.array([0.3, -0.2, 0.5]), np.array([1.0, 0.5, -0.7])


@pytest.fixture(scope="module", params=["xla", "python"])
def q(request):
    """Called by XLA itself, and through Python."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "python":
            patch.setattr(dagaz._xla, "handler", lambda: None)
        yield dagaz.source(TEXT, name="injax")


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("mode", ["fwd", "rev"])
def test_check_grads(q, order, mode):
    f = dagaz.jax.function(q.f)
    check_grads(f, (W, X, 2.0), order=order, modes=[mode], atol=1e-4, rtol=1e-4)
    g = dagaz.jax.function(q.vector)
    check_grads(lambda w: g(w, 1)[:2], (W,), order=order, modes=[mode], atol=1e-4, rtol=1e-4)


def test_against_dagaz_itself(q):
    f = dagaz.jax.function(q.f)
    assert f(W, X, 2.0) == q.f(W, X, 2.0)
    got = jax.grad(f, argnums=(0, 1, 2))(W, X, 2.0)
    for a, b in zip(got, dagaz.grad(q.f)(W, X, 2.0), strict=True):
        assert np.allclose(a, b)
    assert np.allclose(jax.hessian(f)(W, X, 2.0), dagaz.hessian(q.f, "w")(W, X, 2.0))
    twice = jax.jacrev(jax.jacfwd(f))(W, X, 2.0)
    assert np.allclose(twice, dagaz.hessian(q.f, "w")(W, X, 2.0))


def test_jit_vmap_scan_checkpoint(q):
    f = dagaz.jax.function(q.f)
    g = jax.jit(jax.grad(f))
    assert np.allclose(g(W, X, 2.0), dagaz.grad(q.f, "w")(W, X, 2.0))
    ws = np.stack([W, 2 * W, W + 1])
    for mapped in (jax.vmap(jax.grad(f), (0, None, None)), jax.jit(jax.vmap(g, (0, None, None)))):
        got = mapped(ws, X, 2.0)
        assert np.allclose(got, [dagaz.grad(q.f, "w")(w, X, 2.0) for w in ws])

    def step(w, _):
        return w - 0.1 * jax.grad(f)(w, X, 2.0), f(w, X, 2.0)

    last, values = jax.jit(lambda w: jax.lax.scan(step, w, None, length=3))(W)
    w = W
    for k in range(3):
        assert np.isclose(values[k], q.f(w, X, 2.0))
        w = w - 0.1 * dagaz.grad(q.f, "w")(w, X, 2.0)
    assert np.allclose(last, w)
    assert np.allclose(jax.grad(jax.checkpoint(f))(W, X, 2.0), g(W, X, 2.0))


def test_records_are_dicts(q):
    f = dagaz.jax.function(q.model)
    p = {"w": W, "b": 2.0}
    assert np.isclose(f(p, X)["y"], W @ X + 4)
    g = jax.grad(lambda p: f(p, X)["y"])(p)
    assert np.allclose(g["w"], X) and g["b"] == 4


def test_integer_results(q):
    out = dagaz.jax.function(q.vector)(W, 1)
    assert out[2] == 3 and out[2].dtype == np.int32


def test_what_is_refused(q):
    f = dagaz.jax.function(q.f)
    with pytest.raises(dagaz.ArgumentError, match="w: expected float64.*got float32"):
        f(W.astype(np.float32), X, 2.0)
    with pytest.raises(dagaz.ArgumentError, match="w: expected float64.*got float32"):
        jax.jit(f)(jnp.asarray(W, jnp.float32), X, 2.0)
    with pytest.raises(dagaz.ArgumentError, match=r"w: expected \[n\]f64"):
        f(2.0 * np.ones((2, 2)), X, 2.0)
    with pytest.raises(dagaz.UsageError, match="sizes of results"):
        jax.jit(dagaz.jax.function(q.kept))(W)
    assert len(dagaz.jax.function(q.kept)(W)) == 2
    with pytest.raises(dagaz.ProgramError, match="out of bounds"):
        dagaz.jax.function(q.at)(W, 7)
    with pytest.raises(Exception, match="out of bounds"):
        jax.block_until_ready(jax.jit(dagaz.jax.function(q.at))(W, 7))
    with pytest.raises(Exception, match="n is 3 for w and 2 for x|x: expected"):
        jax.block_until_ready(jax.jit(f)(W, X[:2], 2.0))


def test_without_64_bits(q):
    half = dagaz.jax.function(q.half)
    x = jnp.asarray(W, jnp.float32)
    assert np.allclose(jax.grad(half)(x), 2 * W)
    with (
        jax.experimental.enable_x64(False)
        if hasattr(jax.experimental, "enable_x64")
        else (jax.enable_x64(False))
    ):
        f = dagaz.jax.function(q.f)
        with pytest.raises(dagaz.ArgumentError, match="jax_enable_x64"):
            f(jnp.asarray(W), jnp.asarray(X), 2.0)


def test_xla_calls_without_python(q, request):
    if "python" in request.node.name:
        pytest.skip("through Python")
    if dagaz._xla.handler() is None:
        pytest.skip("the handler cannot be built here")
    f = dagaz.jax.function(q.f)
    text = jax.jit(jax.grad(f)).lower(W, X, 2.0).as_text()
    assert "@dagaz_call" in text and "callback" not in text


def test_threads_of_compiled_calls(q):
    g = jax.jit(jax.grad(dagaz.jax.function(q.f)))
    inputs = [W * k for k in range(1, 9)]
    expected = [dagaz.grad(q.f, "w")(w, X, 2.0) for w in inputs]

    def work(w):
        return [np.asarray(g(w, X, 2.0)) for _ in range(200)]

    with ThreadPoolExecutor(8) as pool:
        for got, want in zip(pool.map(work, inputs), expected, strict=True):
            assert all(np.array_equal(got[0], each) for each in got)
            assert np.allclose(got[0], want)


def test_unknown_entry_is_an_error(q, request):
    if "python" in request.node.name:
        pytest.skip("through Python")
    if dagaz._xla.handler() is None:
        pytest.skip("the handler cannot be built here")
    shape = jax.ShapeDtypeStruct((), np.float64)
    with pytest.raises(Exception, match="has not loaded the program"):
        jax.block_until_ready(jax.jit(lambda x: dagaz._xla.call("nothing", shape, [x]))(1.0))


def test_vmap_is_one_call(q):
    """A batch is one call of a word that maps, in any nesting with derivatives."""
    f = dagaz.jax.function(q.f)
    ws, cs = np.stack([W, 2 * W, W + 1, -W]), np.array([2.0, -1.0, 0.5, 3.0])
    mapped = jax.vmap(f, (0, None, 0))
    assert "scan" not in str(jax.make_jaxpr(mapped)(ws, X, cs))
    assert np.allclose(mapped(ws, X, cs), [q.f(w, X, c) for w, c in zip(ws, cs, strict=True)])
    assert np.allclose(jax.vmap(f, (1, None, 0))(ws.T, X, cs), mapped(ws, X, cs))
    grads = jax.jit(jax.vmap(jax.grad(f, (0, 1, 2)), (0, None, 0)))(ws, X, cs)
    for k, (w, c) in enumerate(zip(ws, cs, strict=True)):
        for got, want in zip(grads, dagaz.grad(q.f)(w, X, c), strict=True):
            assert np.allclose(got[k], want)
    assert "while" not in str(jax.make_jaxpr(jax.vmap(jax.hessian(f), (0, None, 0)))(ws, X, cs))
    for mode in ("fwd", "rev"):
        check_grads(lambda w, x: mapped(w, x, cs), (ws, X), order=2, modes=[mode])
    twice = jax.vmap(jax.vmap(f, (0, None, None)), (None, None, 0))(ws, X, cs)
    assert np.allclose(twice, [[q.f(w, X, c) for w in ws] for c in cs])
    outs = jax.vmap(dagaz.jax.function(q.vector), (0, None))(ws, 1)
    for k, w in enumerate(ws):
        for got, want in zip(outs, q.vector(w, 1), strict=True):
            assert np.allclose(got[k], want)
    model = dagaz.jax.function(q.model)
    got = jax.vmap(lambda w: model({"w": w, "b": 2.0}, X)["y"])(ws)
    assert np.allclose(got, ws @ X + 4)


def test_vmap_over_sizes_is_a_loop():
    r = dagaz.source("entry f (n: i64) (x: f64) = f64.sum (map f64.i64 (iota n)) * x", name="sized")
    rows = dagaz.source(
        "entry g (n: i64) (x: [n]f64) : f64 = f64.sum x * f64.i64 n", name="sizedrows"
    )
    assert jax.vmap(dagaz.jax.function(r.f))(np.array([2, 3]), np.ones(2)).tolist() == [1, 3]
    g = dagaz.jax.function(rows.g)
    mapped = jax.vmap(g, (0, None))
    assert "scan" in str(jax.make_jaxpr(mapped)(np.array([3, 3]), X))
    assert np.allclose(mapped(np.array([3, 3]), X), 3 * X.sum())
