"""Derivatives: gradients, products, matrices, against each other and against differences."""

import pickle

import numpy as np
import pytest

import dagaz

W, XS, YS = np.array([0.3, -0.2]), np.arange(6.0).reshape(3, 2) / 5, np.array([0.1, 0.5, -0.3])


def difference(f, x, h=1e-6):
    g = np.zeros(x.shape)
    for i in np.ndindex(x.shape):
        e = np.zeros(x.shape)
        e[i] = h
        g[i] = (f(x + e) - f(x - e)) / (2 * h)
    return g


def test_grad(p):
    g = dagaz.grad(p.loss, "w")(W, XS, YS)
    assert np.allclose(g, difference(lambda w: p.loss(w, XS, YS), W))
    gw, gx, gy = dagaz.grad(p.loss)(W, XS, YS)
    assert np.array_equal(g, gw) and gx.shape == XS.shape
    assert np.allclose(gy, difference(lambda ys: p.loss(W, XS, ys), YS))
    v, (a, b) = dagaz.value_and_grad(p.loss, ("ys", 0))(W, XS, YS)
    assert v == p.loss(W, XS, YS) and np.allclose(a, gy) and np.allclose(b, gw)


def test_functions_that_are_no_entry_points(p):
    assert p.helper([1.0, 2.0], 3.0) == 9
    assert dagaz.grad(p.helper)(np.ones(2), 3.0)[1] == 2
    with pytest.raises(AttributeError, match="no function nothing"):
        p.nothing  # noqa: B018


MODULES = """
-- | Sums.
module stats = {
  module inner = { def twice (x: f64) = 2 * x }
  def loss [n] (w: [n]f64) (k: f64) : f64 = f64.sum (map (\\x -> k * x * x) w)
  def consumes [n] (w: *[n]f64) : *[n]f64 = w with [0] = 5 * w[1]
  local def hidden (x: f64) = x
}
module scaled (p: { val by : f64 }) = { def up (x: f64) = p.by * x }
module three = scaled { def by = 3f64 }
type pair = {a: f64, b: f64}
def swap (p: pair) : pair = {a = p.b, b = p.a}
def poly 'a (x: a) = x
def apply (f: f64 -> f64) = f 1
def gravity = 9.81f64
entry main (x: f64) = stats.inner.twice x
"""


def test_functions_of_modules():
    p = dagaz.source(MODULES, name="modules")
    assert p.others == ("stats.inner.twice", "stats.loss", "stats.consumes", "three.up", "swap")
    w = np.array([1.0, 2.0])
    assert p.stats.loss(w, 3.0) == 15 and p["stats.loss"](w, 3.0) == 15
    assert p.stats.inner.twice(4.0) == 8 and p.three.up(2.0) == 6
    assert np.array_equal(dagaz.grad(p.stats.loss, "w")(w, 3.0), 6 * w)
    assert np.array_equal(dagaz.hessian(p.stats.loss, "w")(w, 3.0), 6 * np.eye(2))
    assert p.stats.consumes(w).tolist() == [10, 2] and w.tolist() == [1, 2]
    assert dagaz.grad(p.three.up)(1.0) == 3
    assert {"loss", "inner"} <= set(dir(p.stats)) and "swap" in dir(p)
    assert "stats.loss(w: [n]f64, k: f64) -> f64  (no entry point)" in repr(p)
    again = pickle.loads(pickle.dumps(dagaz.grad(p.stats.loss, "w")))
    assert np.array_equal(again(w, 3.0), 6 * w)
    with pytest.raises(AttributeError, match=r"no function stats.hidden .*stats.loss"):
        p.stats.hidden  # noqa: B018


def test_forward_reverse_and_differences_agree(p):
    d = np.array([0.7, -1.1])
    v, t = dagaz.jvp(p.residuals, "w")(W, XS, YS, d)
    h = 1e-6
    want = (p.residuals(W + h * d, XS, YS) - p.residuals(W - h * d, XS, YS)) / (2 * h)
    assert np.allclose(t, want, atol=1e-8) and np.array_equal(v, p.residuals(W, XS, YS))
    seed = np.array([1.0, 2.0, 3.0])
    v, g = dagaz.vjp(p.residuals, "w")(W, XS, YS, seed)
    assert np.isclose(g @ d, seed @ t)
    jac = dagaz.jacobian(p.residuals, "w")(W, XS, YS)
    assert jac.shape == (3, 2) and np.allclose(jac @ d, t)
    for mode in ("forward", "reverse"):
        assert np.allclose(dagaz.jacobian(p.residuals, "w", mode=mode)(W, XS, YS), jac)


def test_results_without_derivatives(p):
    xs = np.array([0.1, 0.2])
    (s, ones, total), (ds, none, dtotal) = dagaz.jvp(p.several, "xs")(xs, 2, np.ones(2))
    assert none is None and np.allclose(ds, np.cos(xs)) and dtotal == 4 and len(ones) == 2
    (s, ones, total), g = dagaz.vjp(p.several, "xs")(xs, 2, (np.ones(2), None, 1.0))
    assert np.allclose(g, np.cos(xs) + 2) and ones.tolist() == [1, 1]


def test_second_derivatives(p):
    h = dagaz.hessian(p.loss, "w")(W, XS, YS)
    assert np.allclose(h, 2 * XS.T @ XS)
    d = np.array([1.0, -2.0])
    assert np.allclose(dagaz.hvp(p.loss, "w")(W, XS, YS, d), h @ d)
    (ww, wy), (yw, yy) = dagaz.hessian(p.loss, ("w", "ys"))(W, XS, YS)
    assert np.allclose(ww, h) and np.allclose(wy, yw.T) and np.allclose(yy, 2 * np.eye(3))
    assert dagaz.hessian(p.loss, "xs")(W, XS, YS).shape == (3, 2, 3, 2)


def test_nesting(p):
    inner = dagaz.grad(p.loss, "w")
    v, t = dagaz.jvp(inner, "w")(W, XS, YS, np.array([1.0, 0.0]))
    assert np.allclose(t, 2 * XS.T @ XS[:, 0])
    third = dagaz.vjp(dagaz.jvp(dagaz.grad(p.model, "x"), "x"), "x")
    given, x, d = {"w": W, "b": 0.0}, np.array([1.0, 2.0]), np.array([0.3, 0.4])
    _, g = third(given, x, d, (np.zeros(2), np.ones(2)))
    assert np.allclose(g, W * (W @ d) * W.sum() * np.exp(W @ x))


def test_fields(p):
    given, x = {"w": W, "b": 0.5}, np.array([1.0, 2.0])
    assert np.allclose(dagaz.grad(p.model, "p.w")(given, x), x * np.exp(W @ x))
    b, gx = dagaz.grad(p.model, ("p.b", "x"))(given, x)
    assert b == 1 and np.allclose(gx, W * np.exp(W @ x))


def test_jacobians_of_matrices():
    q = dagaz.source(
        """
entry f [n] [m] (a: [n][m]f64) (b: [m]f64) (c: f64) =
  {ab = map (\\r -> c * f64.sum (map2 (*) r b)) a, s = f64.sum b, k = 3i32}
""",
        name="matrices",
    )
    a, b, c = np.arange(6.0).reshape(2, 3), np.arange(3.0), 2.0
    ab, s = dagaz.jacobian(q.f, ("a", "c"))(a, b, c)
    assert ab[0].shape == (2, 2, 3) and ab[1].shape == (2,) and s[0].shape == (2, 3)
    assert np.allclose(ab[1], a @ b) and np.allclose(ab[0][0, 0], c * b)
    assert np.all(ab[0][0, 1] == 0) and s[1] == 0


def test_unknown_sizes(p):
    jac = dagaz.jacobian(p.appended)(np.ones(2))
    assert np.array_equal(jac, [[1, 0], [0, 1], [0, 0]])
    with pytest.raises(dagaz.UsageError, match="known size"):
        dagaz.jacobian(p.kept)(np.ones(2))


def test_jacobians_are_not_differentiated_again(p):
    for made in (dagaz.jacobian(p.appended), dagaz.hessian(p.helper, "xs")):
        for make in (dagaz.jvp, dagaz.vjp, dagaz.jacobian):
            with pytest.raises(dagaz.UsageError, match="is not differentiated again"):
                make(made)


def test_what_is_refused(p):
    for call, said in [
        (lambda: dagaz.grad(p.residuals), "one floating-point number"),
        (lambda: dagaz.grad(p.at, "i"), "no derivative"),
        (lambda: dagaz.grad(p.loss, "z"), "no parameter z"),
        (lambda: dagaz.grad(p.loss, 7), "no number 7"),
        (lambda: dagaz.grad(p.loss, ("w", 0)), "twice"),
        (lambda: dagaz.grad(p.model, "p.q"), "no field q"),
        (lambda: dagaz.jacobian(p.residuals, mode="sideways"), "mode"),
    ]:
        with pytest.raises(dagaz.UsageError, match=said):
            call()
    with pytest.raises(dagaz.ArgumentError, match="direction"):
        dagaz.jvp(p.loss, "w")(W, XS, YS, np.ones(3, np.float32))
    with pytest.raises(dagaz.ArgumentError, match=r"direction: expected \[2\]"):
        dagaz.jvp(p.loss, "w")(W, XS, YS, np.ones(3))


def test_severed_gradients_warn():
    q = dagaz.source("entry f (x: f64) = f64.i64 (i64.f64 x) * 2", name="severed")
    for _ in range(2):  # compiled, and out of the cache
        with pytest.warns(dagaz.GradientWarning, match="severed.fut:1"):
            dagaz.grad(q.f)(1.5)


def test_other_precisions():
    q = dagaz.source(
        "entry f [n] (x: [n]f32) (y: f32) = y * f32.sum (map f32.exp x)", name="single"
    )
    gx, gy = dagaz.grad(q.f)(np.zeros(2, np.float32), 2.0)
    assert gx.dtype == np.float32 and gx.tolist() == [2, 2] and type(gy) is np.float32 and gy == 2


def test_flat(p):
    f = dagaz.value_and_grad(p.loss, ("w", "ys"), flat=True)
    x = f.flatten(W, YS)
    v, g = f(x, XS)
    assert x.shape == (5,) and v == p.loss(W, XS, YS) and g.shape == (5,)
    w, ys = f.unflatten(g)
    assert np.allclose(w, dagaz.grad(p.loss, "w")(W, XS, YS)) and ys.shape == (3,)
    with pytest.raises(dagaz.ArgumentError, match="x: expected a vector of 5"):
        f(x[:4], XS)


RECORDS = """
type layer [n] = {w: [n]f64, b: f64, steps: i64, act: (f64, f64)}
def predict [n] (l: layer [n]) (x: [n]f64) =
  l.act.0 * f64.tanh (f64.sum (map2 (*) l.w x) + l.b) + l.act.1 * f64.i64 l.steps
def loss [n][k] (l: layer [n]) (xs: [k][n]f64) (ys: [k]f64) =
  f64.sum (map2 (\\x y -> (predict l x - y) ** 2) xs ys)
def springs [n] (ps: [n]{x: f64, y: f64}) (m: f64) =
  m * f64.sum (map2 (\\p q -> (p.x - q.x) ** 2 * q.y) ps (rotate 1 ps))
def tagged [n] (ps: [n]{x: f64, k: i64}) = f64.sum (map (\\p -> p.x * f64.i64 p.k) ps)
"""


def test_flat_records():
    p = dagaz.source(RECORDS, name="records")
    layer = {"w": W, "b": 0.4, "steps": 2, "act": (1.5, 0.25)}
    whole = dagaz.value_and_grad(p.loss, ("l", "ys"), flat=True)
    x = whole.flatten(layer, YS)
    v, g = whole(x, layer, XS)  # the steps are taken from the record
    assert x.tolist() == [1.5, 0.25, 0.4, *W, *YS] and np.isclose(v, p.loss(layer, XS, YS))
    assert np.allclose(g, difference(lambda x: whole(x, layer, XS)[0], x))
    made, ys = whole.unflatten(x)
    assert made.b == 0.4 and made.act == (1.5, 0.25) and made.steps is None
    assert np.array_equal(ys, YS)
    fields = dagaz.value_and_grad(p.loss, ("l.act.1", "l.w"), flat=True)
    x = fields.flatten(0.25, W)
    assert np.allclose(fields(x, layer, XS, YS)[1], g[[1, 3, 4]])
    with pytest.raises(dagaz.ArgumentError, match="expected l, xs, ys after the vector"):
        fields(x, XS, YS)


def test_flat_arrays_of_records():
    p = dagaz.source(RECORDS, name="records")
    f = dagaz.value_and_grad(p.springs, flat=True)
    rows = {"x": np.array([0.1, 0.5, -0.2]), "y": np.array([1.0, 2.0, 3.0])}
    x = f.flatten(rows, 2.0)
    assert x.shape == (7,) and f(x)[0] == p.springs(rows, 2.0)
    assert np.allclose(f(x)[1], difference(lambda x: f(x)[0], x))
    with pytest.raises(dagaz.ArgumentError, match="ps has others, too"):
        dagaz.value_and_grad(p.tagged, flat=True)


def test_matrices_of_arrays_of_records():
    p = dagaz.source(
        RECORDS
        + """
def pulls [n] (ps: [n]{x: f64, y: f64}) : [n]f64 = map (\\p -> p.x * p.x * p.y) ps
type row = {u: [2]f64, t: (f64, f64)}
def nested [n][m] (rs: [n][m]row) : f64 =
  f64.sum (map (\\r -> r.u[0] * r.u[1] * r.t.0 + r.t.1 ** 3) (flatten rs))
""",
        name="rows",
    )
    rows = {"x": np.array([0.1, 0.5, -0.2]), "y": np.array([1.0, 2.0, 3.0])}
    h = dagaz.hessian(p.springs)(rows, 2.0)
    v = dagaz.hvp(p.springs)(rows, 2.0, ({"x": np.ones(3), "y": np.zeros(3)}, 0.0))
    assert np.allclose(h[0][0].sum(1), v[0]["x"]) and np.allclose(h[1][0].sum(1), v[0]["y"])
    assert h[2][1].shape == (3,) and np.allclose(h[2][0].sum(), v[1])
    jx, jy = dagaz.jacobian(p.pulls)(rows)
    assert np.allclose(jx, np.diag(2 * rows["x"] * rows["y"])) and jy[1, 1] == 0.25
    u, t = np.arange(12.0).reshape(2, 3, 2), (np.ones((2, 3)), 2 * np.ones((2, 3)))
    h = dagaz.hessian(p.nested)({"u": u, "t": t})
    assert h[1][1][0, 1, 0, 1] == 12 and h[2][0][0, 1, 0, 0, 1] == u[0, 1, 1]
    with pytest.raises(dagaz.UsageError, match="ps must be arrays or numbers of one"):
        dagaz.hessian(p.tagged)
    pytest.importorskip("scipy", reason="scipy is not installed")
    dense = dagaz.hessian(p.springs, "ps")(rows, 2.0)
    sparse = dagaz.hessian(p.springs, "ps", sparse=True)(rows, 2.0)
    assert np.allclose(sparse.toarray(), np.block([list(row) for row in dense]))


def test_of_functions_that_consume(p):
    """Parameters with a * are copied in the text of a derivative."""
    x = np.array([1.0, 2.0, 3.0])
    value, tangent = dagaz.jvp(p.overwrite, "xs")(x, np.ones(3))
    assert value.tolist() == [7, 2, 3] and tangent.tolist() == [0, 1, 1]
    value, back = dagaz.vjp(p.overwrite, "xs")(x, np.ones(3))
    assert value.tolist() == [7, 2, 3] and back.tolist() == [0, 1, 1] and x[0] == 1


def test_results_in_parts_are_fast(p):
    """Exact arguments go straight to the program, whatever the structure of the result is."""
    f = dagaz.value_and_grad(p.helper, ("xs", "c"))
    x = np.ones(3)
    value, (dx, dc) = f(x, 2.0)
    assert (value, dc) == (6, 3) and dx.tolist() == [2, 2, 2]
    assert f._fast and not f._direct
    f._call_slowly = None  # not callable: a call that takes this way fails
    assert f(x, 2.0)[1][1] == 3
    flat = dagaz.value_and_grad(p.loss, "w", flat=True)
    w, xs, ys = np.ones(2), np.ones((3, 2)), np.zeros(3)
    flat(w, xs, ys)
    flat._f._call_slowly = None
    assert flat(w, xs, ys)[0] == 12


def test_short_and_mixed_types():
    q = dagaz.source(
        """
def half (x: f16) : f16 = x * x
def mixed (x: f32) (y: f64) : f64 = f64.f32 x * y * y
""",
        name="short",
    )
    assert dagaz.check_grad(q.half, 2.0) and dagaz.check_grad(q.mixed, 2.0, 0.1)
    f = dagaz.value_and_grad(q.mixed, flat=True)
    x0 = f.flatten(2.0, 0.1)
    assert x0.dtype == np.float64 and x0[1] == 0.1
    assert f(x0)[1][1] == 2 * 2 * 0.1
