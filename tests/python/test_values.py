"""Values in and out: types, layouts, sizes, what is copied and what is refused."""

import gc
import pickle

import numpy as np
import pytest

import dagaz

SCALARS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool"]


@pytest.fixture(scope="module")
def every():
    entries = [f"entry s_{t} (x: {t}) = x\nentry a_{t} [n] (x: [n]{t}) = x" for t in SCALARS]
    return dagaz.source("\n".join(entries), name="every")


@pytest.mark.parametrize("t", SCALARS)
def test_every_type_there_and_back(every, t):
    dtype = np.dtype("?" if t == "bool" else f"{t[0]}{int(t[1:]) // 8}")
    xs = np.array([0, 1, 1], dtype) if t == "bool" else np.array([0, 1, 100], dtype)
    ys = every[f"a_{t}"](xs)
    assert ys.dtype == dtype and np.array_equal(xs, ys)
    one = every[f"s_{t}"](xs[1])
    assert type(one) is dtype.type and one == xs[1]


@pytest.mark.parametrize("t", [t for t in SCALARS if t[0] in "iu"])
def test_integers_at_their_limits(every, t):
    limits = np.iinfo(np.dtype(f"{t[0]}{int(t[1:]) // 8}"))
    f = every[f"s_{t}"]
    assert f(int(limits.min)) == limits.min and f(int(limits.max)) == limits.max
    with pytest.raises(dagaz.ArgumentError, match="x: .* does not fit"):
        f(int(limits.max) + 1)
    with pytest.raises(dagaz.ArgumentError, match=f"x: expected {t}"):
        f(1.5)


def test_half_precision(every):
    for x in (0.0, -0.0, 1.5, 65504.0, 6e-8, float("inf"), -2.25):
        y = every.s_f16(x)
        assert y.dtype == np.float16 and y == np.float16(x)
    assert np.isnan(every.s_f16(float("nan")))


def test_results_are_numpy(p):
    sines, ones, total = p.several(np.array([0.0, 1.0]), 3)
    assert np.allclose(sines, np.sin([0.0, 1.0])) and sines.flags.writeable
    assert ones.dtype == np.int32 and ones.tolist() == [1, 1, 1]
    assert isinstance(total, np.float64) and total == 2.0


def test_results_have_memory_of_their_own(p):
    xs = np.arange(4.0)
    ys = p.ident(xs)
    ys[0] = 9
    assert xs[0] == 0
    a, b = p.twice(xs)
    a[0] = 5
    assert b[0] == 0


def test_consumed_arguments_stay_as_they_are(p):
    xs = np.arange(3.0)
    assert p.overwrite(xs)[0] == 7 and xs[0] == 0


def test_results_outlive_everything():
    q = dagaz.source("entry up [n] (xs: [n]f64) = map (+ 1) xs", name="outlive")
    ys = q.up(np.zeros(1000))
    del q
    gc.collect()
    assert ys.sum() == 1000


@pytest.mark.parametrize(
    "xs",
    [
        np.arange(12.0)[::2],
        np.arange(12.0)[::-2],
        np.arange(6.0).astype(">f8"),
        np.frombuffer(b"\0" + np.arange(6.0).tobytes(), np.float64, 6, 1),
        np.zeros(0),
        np.broadcast_to(3.0, 5),
    ],
    ids=["strided", "negative", "big-endian", "misaligned", "empty", "broadcast"],
)
def test_layouts(p, xs):
    assert np.array_equal(p.ident(xs), np.asarray(xs, np.float64))


def test_read_only_and_fortran(p):
    xs = np.arange(6.0)
    xs.flags.writeable = False
    assert np.array_equal(p.ident(xs), xs)
    w, ys = np.ones(3), np.ones(2)
    m = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    assert p.loss(w, m, ys) == p.loss(w, m.copy("C"), ys)


def test_lists_are_literals(p):
    assert p.ident([1, 2, 3]).tolist() == [1, 2, 3]
    assert p.ident([]).shape == (0,)
    assert p.loss([1, 2], [[1, 2]], [3]) == 4.0


def test_zero_dimensional(p, every):
    assert p.at(np.arange(3.0), np.array(2)) == 2.0
    assert every.s_f64(np.array(1.5)) == 1.5
    with pytest.raises(dagaz.ArgumentError, match=r"xs: expected \[n\]f64"):
        p.ident(np.array(1.0))


def test_wrong_types_name_the_parameter(p):
    xs = np.arange(4.0)
    with pytest.raises(dagaz.ArgumentError, match="xs: expected float64.*got float32"):
        p.ident(xs.astype(np.float32))
    with pytest.raises(dagaz.ArgumentError, match="xs: expected float64.*got int64"):
        p.ident(np.arange(3))
    for bad in ("text", None, {"a": 1}, object(), [[1], [1, 2]], np.array(["a"])):
        with pytest.raises(dagaz.ArgumentError, match="xs: "):
            p.ident(bad)
    with pytest.raises(dagaz.ArgumentError, match="i: expected i64"):
        p.at(xs, 1.0)
    with pytest.raises(dagaz.ArgumentError, match="i: "):
        p.at(xs, 1 << 70)


def test_convert():
    q = dagaz.source("entry total [n] (xs: [n]f64) = f64.sum xs", name="convert", convert=True)
    assert q.total(np.arange(3, dtype=np.float32)) == 3.0
    assert q.total(np.arange(3)) == 3.0
    with pytest.raises(dagaz.ArgumentError, match="xs: "):
        q.total(np.arange(3) + 1j)


def test_sizes(p):
    w, xs, ys = np.ones(2), np.ones((3, 2)), np.ones(3)
    with pytest.raises(
        dagaz.ArgumentError, match=r"ys: expected \[3\] \(n = 3 from xs\), got \[4\]"
    ):
        p.loss(w, xs, np.ones(4))
    with pytest.raises(
        dagaz.ArgumentError, match=r"xs: expected \[3\]\[5\]|xs: expected \[\w*\]\[5\]"
    ):
        p.loss(np.ones(5), xs, ys)
    with pytest.raises(dagaz.ArgumentError, match="xs: expected .*2 dimensions"):
        p.loss(w, ys, ys)
    q = dagaz.source(
        "entry three (x: [3]f64) (k: i64) (ys: [k]f64) = x[0] + f64.sum ys", name="fixed"
    )
    assert q.three(np.ones(3), 2, np.ones(2)) == 3
    with pytest.raises(dagaz.ArgumentError, match=r"x: expected \[3\], got \[4\]"):
        q.three(np.ones(4), 2, np.ones(2))
    with pytest.raises(
        dagaz.ArgumentError, match=r"ys: expected \[3\] \(k = 3 from k\), got \[2\]"
    ):
        q.three(np.ones(3), 3, np.ones(2))


def test_arguments_by_name(p):
    w, xs, ys = np.ones(2), np.ones((3, 2)), np.ones(3)
    assert p.loss(w, ys=ys, xs=xs) == p.loss(w, xs, ys)
    for args, kwargs, said in [
        ((w, xs), {}, "missing ys"),
        ((w, xs, ys, ys), {}, "takes 3 arguments"),
        ((w, xs), {"zs": ys}, "no parameter zs"),
        ((w, xs, ys), {"w": w}, "w: given twice"),
    ]:
        with pytest.raises(dagaz.ArgumentError, match=said):
            p.loss(*args, **kwargs)


def test_records(p):
    class Params:
        w = np.array([0.5, 1.0])
        b = 2.0

    x = np.array([1.0, 2.0])
    want = 2 + np.exp(2.5)
    given = {"w": Params.w, "b": 2.0}
    assert np.isclose(p.model(given, x), want) and np.isclose(p.model(Params(), x), want)
    g = dagaz.grad(p.model, "p")(given, x)
    assert g.b == 1 and np.allclose(g.w, x * np.exp(2.5))
    assert np.isfinite(p.model(g, x))  # a gradient is a value of the parameter's type
    again = pickle.loads(pickle.dumps(g))
    assert again.b == g.b and np.array_equal(again.w, g.w)
    for bad, said in [
        ({"w": x}, "field b is missing"),
        (3, "p: expected a dict or object"),
        ({"w": x, "b": x}, r"p\.b: expected f64"),
    ]:
        with pytest.raises(dagaz.ArgumentError, match=said):
            p.model(bad, x)


SUMS = """
type shape = #circle f64 | #box f64 f64 | #none | #poly i32 f64
entry area (s: shape) : f64 =
  match s case #circle r -> r * r * 3 case #box a b -> a * b case #none -> 0
          case #poly k x -> f64.i32 k * x
entry grown (s: shape) : shape =
  match s case #circle r -> #circle (r + 1) case #box a b -> #box (a + 1) (b + 1)
          case other -> other
entry pairs [n] (xs: [n](f64, i32)) = map (\\(x, i) -> {x = x * 2, i = i}) xs
entry total [n] (xs: [n]{x: f64, i: i32}) = f64.sum (map (.x) xs)
entry shapes (n: i64) : [n]shape =
  tabulate n (\\i -> if i % 2 == 0 then #circle (f64.i64 i) else #none)
entry areas [n] (ss: [n]shape) : [n]f64 = map area ss
entry unit (x: f64) = (x, ())
entry nested (x: (f64, (i32, f64))) = (x.1.1, (x.0, x.1.0))
"""


@pytest.fixture(scope="module")
def sums():
    return dagaz.source(SUMS, name="sums")


def test_sums(sums):
    assert sums.area(("box", 2.0, 3.0)) == 6 and sums.area("none") == 0
    assert sums.area(("poly", 2, 3.5)) == 7
    assert sums.grown(("box", 1.0, 2.0)) == ("box", 2.0, 3.0)
    for bad in (("cube", 1.0), ("box", 1.0), 3, ()):
        with pytest.raises(dagaz.ArgumentError, match=r"s: |box has"):
            sums.area(bad)


def test_arrays_of_records(sums):
    made = sums.pairs((np.array([1.0, 2.0]), np.array([3, 4], np.int32)))
    assert made["x"].tolist() == [2, 4] and made["i"].tolist() == [3, 4]
    assert sums.total(made) == 6
    table = np.zeros(2, [("x", "f8"), ("i", "i4")])
    table["x"] = 3
    assert sums.total(table) == 6


def test_opaque_values(sums):
    shapes = sums.shapes(3)
    assert np.array_equal(sums.areas(shapes), [0, 0, 12])
    assert np.array_equal(sums.areas(pickle.loads(pickle.dumps(shapes))), [0, 0, 12])
    with pytest.raises(dagaz.ArgumentError, match="ss: "):
        sums.areas(np.zeros(3))


def test_tuples(sums):
    assert sums.nested((1.0, (2, 3.0))) == (3.0, (1.0, 2))
    assert sums.unit(1.0) == (1.0, ())
    for bad in ((1.0,), 1.0, (1.0, 2.0)):
        with pytest.raises(dagaz.ArgumentError, match="x"):
            sums.nested(bad)


def test_many_leaves():
    n = 60
    names = " ".join(f"(x{i}: f64)" for i in range(n))
    total = " + ".join(f"x{i}" for i in range(n))
    tuple_ = ", ".join(f"x{i}" for i in range(n))
    q = dagaz.source(f"entry f {names} = {total}\nentry g {names} = ({tuple_})", name="many")
    xs = [float(i) for i in range(n)]
    assert q.f(*xs) == sum(xs) and q.g(*xs) == tuple(xs)
    assert dagaz.grad(q.f)(*xs) == (1.0,) * n


def test_memory_stays_constant(p):
    xs = np.zeros(1000)
    for _ in range(10):
        p.ident(xs)
    before = p.report()
    for _ in range(20000):
        p.ident(xs)
    after = p.report()
    assert after["peak_bytes"] == before["peak_bytes"] and after["calls"] == before["calls"] + 20000
    held = [p.ident(xs) for _ in range(100)]
    assert p.report()["bytes"] - after["bytes"] >= 100 * 8000
    del held
    p.ident(xs)
    p.clear_caches()
    assert p.report()["held_bytes"] == 0
