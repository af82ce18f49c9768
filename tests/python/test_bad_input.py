"""Bad input: a Python exception that names the parameter, never a crash or a wrong number."""

import pickle

import numpy as np
import pytest

import dagaz

TEXT = """
entry f [n] (xs: [n]f64) : f64 = f64.sum xs
entry g [n] (ks: [n]i32) (_on: bool) (_k: u8) (_h: f32) = map (+ 1) ks
entry kept [n] (xs: [n]f64) = filter (> 0) xs
entry hs [n] (hs: [n]f32) : f32 = f32.sum hs
entry r [d] (p: {w: [d]f64, b: f64}) : f64 = f64.sum p.w + p.b
entry made (x: f64) : [2](#a f64 | #b) = [#a x, #b]
entry used (c: [2](#a f64 | #b)) : f64 = match c[0] case #a x -> x case #b -> 0
"""
X, K = np.ones(3), np.ones(2, np.int32)


@pytest.fixture(scope="module")
def q():
    return dagaz.source(TEXT, name="bad_input")


class OnDevice:
    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, **_):
        raise BufferError("on a device")


class Raising:
    def __array__(self, *_, **__):
        raise RuntimeError("raised")


IN_ITSELF = []
IN_ITSELF.append(IN_ITSELF)
NO_ARRAYS = {
    "device": OnDevice(),
    "raising": Raising(),
    "complex": X * 1j,
    "object": np.array([1, None], object),
    "string": np.array(["a"]),
    "date": np.array(["2020-01-01"], "M8[D]"),
    "masked": np.ma.array(X, mask=[0, 1, 0]),
    "jagged": [[1.0], [1.0, 2.0]],
    "none": None,
    "dict": {"a": 1},
    "generator": (x for x in X),
    "in itself": IN_ITSELF,
    "text": "abc",
    "bytes": b"abc",
    "row": np.ones((1, 2)),
    "structured": np.zeros(3, "f8,f8"),
    "long double": np.ones(3, np.longdouble),
    "bool": np.ones(3, bool),
    "large": [10**400],
    "number": 1.0,
    "rank": np.ones((2, 2)),
    "opaque": lambda q: q.made(1.0),
}


@pytest.mark.parametrize("what", NO_ARRAYS)
def test_no_arrays(q, what):
    value = NO_ARRAYS[what]
    with pytest.raises(dagaz.ArgumentError, match="^xs: "):
        q.f(value(q) if what == "opaque" else value)


def test_subclasses_and_buffers(q):
    assert q.f(np.ma.array(X, mask=[0, 0, 0])) == 3
    assert q.f(memoryview(X)) == 3 and q.f(memoryview(np.ones(0))) == 0
    assert q.f(X.view(type("Own", (np.ndarray,), {}))) == 3


@pytest.mark.parametrize(
    ("args", "name"),
    [
        ((K, 1, 1, 1.0), "_on"),
        ((K, np.ones(2, bool), 1, 1.0), "_on"),
        ((K, True, -1, 1.0), "_k"),
        ((K, True, 300, 1.0), "_k"),
        ((K, True, 1.5, 1.0), "_k"),
        ((K, True, 10**400, 1.0), "_k"),
        ((K, True, 1, 1e300), "_h"),
        ((K, True, 1, 10**400), "_h"),
        ((K, True, 1, "x"), "_h"),
        ((K.astype(np.int64), True, 1, 1.0), "ks"),
        (([1.5], True, 1, 1.0), "ks"),
        (([2**40], True, 1, 1.0), "ks"),
    ],
)
def test_scalars_and_ranges(q, args, name):
    with pytest.raises(dagaz.ArgumentError, match=f"^{name}: "):
        q.g(*args)


def test_endless_integers(q):
    far = 10**5000  # Python does not write integers of so many digits
    with pytest.raises(dagaz.ArgumentError, match="_k: an integer of about 5001 digits"):
        q.g(K, True, far, 1.0)
    with pytest.raises(dagaz.ArgumentError, match="_h: an integer of about 5001 digits"):
        q.g(K, True, 1, far)


def test_nothing_named(q):
    for wrt in ((), []):
        with pytest.raises(dagaz.UsageError, match=r"wrt: .* names no parameter; f has \['xs'\]"):
            dagaz.grad(q.f, wrt=wrt)


def test_fields_too_many(q):
    with pytest.raises(dagaz.ArgumentError, match="p: no field 'c'; it has "):
        q.r({"w": X, "b": 1.0, "c": 2.0})


def test_infinities_stay(q):
    for h in (float("inf"), float("nan"), -float("inf"), 3e38):
        assert q.g(K, True, 1, h).tolist() == [2, 2]
    assert q.hs([float("inf"), 1.0]) == np.inf
    with pytest.raises(dagaz.ArgumentError, match="^hs: "):
        q.hs([1e300])


def test_records_and_opaque_values(q):
    for value in (None, [X, 1.0], {"w": X}, {"w": X, "b": "1"}, {"w": 1.0, "b": 1.0}):
        with pytest.raises(dagaz.ArgumentError, match=r"^p(\.\w)?: "):
            q.r(value)
    other = dagaz.source("entry made (x: f64) : [3](#a f64 | #b) = [#a x, #b, #b]", name="other")
    for value in (X, other.made(1.0), None):
        with pytest.raises(dagaz.ArgumentError, match=r"^c(\.\d)?: "):
            q.used(value)
    assert q.used(pickle.loads(pickle.dumps(q.made(4.0)))) == 4


class Raises:
    """Whatever is asked of it raises."""

    def __getattr__(self, name):
        raise RuntimeError(f"no {name}")

    def __repr__(self):
        raise RuntimeError("no repr")


class RaisingIndex:
    def __index__(self):
        raise RuntimeError("no index")


class RaisingItems(dict):
    def __getitem__(self, name):
        raise RuntimeError(f"no {name}")


def test_values_whose_methods_raise(q):
    with pytest.raises(dagaz.ArgumentError, match="^_k: cannot read Raises: no __dlpack__"):
        q.g(K, True, Raises(), 1.0)
    with pytest.raises(dagaz.ArgumentError, match="^_k: .*no index"):
        q.g(K, True, RaisingIndex(), 1.0)
    for value in (Raises(), RaisingItems(w=X, b=1.0)):
        with pytest.raises(dagaz.ArgumentError, match=r"^p\.b: cannot read") as caught:
            q.r(value)
        assert isinstance(caught.value.__cause__, RuntimeError)


def test_examples_of_flat_functions(q):
    f = dagaz.value_and_grad(q.r, wrt="p", flat=True)
    with pytest.raises(dagaz.ArgumentError, match="^like: expected 1 example.*got 2"):
        f.flatten({"w": X, "b": 1.0}, X)


def test_what_is_asked_for(q):
    for wrt in ("zz", 7, ("xs", "xs"), (), "xs.w", 1.5, object()):
        with pytest.raises(dagaz.UsageError):
            dagaz.grad(q.f, wrt)(X)
    for make in (
        *(dagaz.grad, dagaz.jvp, dagaz.hessian, dagaz.jacobian),
        *(
            dagaz.derive,
            dagaz.explain,
            dagaz.check_grad,
            dagaz.sparsity,
            dagaz.plot.memory_over_run,
        ),
    ):
        with pytest.raises(dagaz.UsageError, match="^f: expected a function of a program"):
            make(len)
    with pytest.raises(dagaz.ArgumentError, match="^path: "):
        dagaz.load(None)
    for text in (b"entry f (x: f64) = x", "-- \udcff", None):
        with pytest.raises(dagaz.UsageError, match="^text: "):
            dagaz.source(text)
    one = "entry f (x: f64) = x"
    for name, value in (("progress", 3), ("tuning", 3), ("memory_limit", "2XB")):
        with pytest.raises(dagaz.UsageError, match=f"^{name}: "):
            dagaz.source(one, **{name: value})
    with pytest.raises(dagaz.UsageError, match="^tuning: the program has no parameter nope"):
        dagaz.source(one, tuning={"nope": 1}).f(1.0)


def test_what_messages_say(q):
    def said(f, *args):
        with pytest.raises(dagaz.DagazError) as caught:
            f(*args)
        return str(caught.value)

    assert said(q.f, None) == "xs: expected [n]f64 (1 dimension), got NoneType None"
    assert said(q.f, {1.0}) == "xs: expected [n]f64 (1 dimension), got set {1.0}"
    assert said(q.f, X * 1j) == "xs: expected float64 ([n]f64), got complex128"
    assert said(q.f, X, X) == "f takes 1 argument, got 2"
    g = (True, 1, 1.0)
    assert said(q.g, [1, 2**40], *g).endswith(f"got int64; {2**40} is no i32")
    assert said(q.g, [1, 2.5], *g).endswith("got float64; 2.5 is no i32")
    assert said(q.g, [1.0, 2.0], *g).endswith("write whole numbers without a point, 1")
    assert q.g(range(2), *g).tolist() == [1, 2]
    for make in (dagaz.jvp, dagaz.vjp, dagaz.jacobian):
        message = said(make, q.kept)
        assert message.startswith(f"{make.__name__} wants a function with a result of known size;")
    message = said(dagaz.load, "/")
    assert message.startswith("error: ")
