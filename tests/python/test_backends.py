"""Programs for all cores and for devices: the same numbers, forks, interrupts, what is refused."""

import os
import pickle
import signal
import threading

import numpy as np
import pytest

import dagaz

TEXT = """
entry f [n] (xs: [n]f64) : f64 = f64.sum (map (\\x -> f64.sin x * f64.exp (f64.cos x)) xs)
entry overwritten [n] (xs: *[n]f64) = map2 (+) (xs with [0] = 7) (iota n |> map f64.i64)
entry rows [n] [m] (a: [n][m]f64) (b: [n][m]f64) = map2 (map2 (\\x y -> f64.sin x + y)) a b
entry spin [n] (xs: [n]f64) (k: i64) =
  f64.sum (map (\\x -> loop s = x for i < k do f64.sin (s + f64.i64 i)) xs)
"""
X = np.random.default_rng(0).normal(size=200_000)
OTHERS = {
    "multicore": {"backend": "multicore"},
    "three": {"threads": 3},
    "gpu-host": {"backend": "gpu-host"},
}


@pytest.fixture(scope="module")
def one():
    return dagaz.source(TEXT, name="backends")


@pytest.fixture(scope="module", params=OTHERS)
def other(request):
    return dagaz.source(TEXT, name="backends", **OTHERS[request.param])


def test_same_numbers(one, other):
    assert other.f(X) == one.f(X)
    assert np.array_equal(dagaz.grad(other.f)(X), dagaz.grad(one.f)(X))
    a = X.reshape(400, 500)
    assert np.array_equal(other.rows(a, a), one.rows(a, a))  # one array twice
    assert np.array_equal(other.rows(a[::2], a[1::2]), one.rows(a[::2], a[1::2]))
    before = X.copy()
    assert np.array_equal(other.overwritten(X), one.overwritten(X))
    assert np.array_equal(X, before)
    assert len(other.overwritten(np.ones(1))) == 1
    with pytest.raises(dagaz.ProgramError, match="out of bounds"):
        other.overwritten(np.ones(0))
    assert other.f(np.ones(0)) == 0


def test_threads_and_pickles(one, other):
    want = one.f(X)
    got = []
    workers = [threading.Thread(target=lambda: got.append(other.f(X))) for _ in range(4)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert got == [want] * 4
    again = pickle.loads(pickle.dumps(other))
    assert again.f(X) == want and again._options.backend == other._options.backend


def test_fork_after_a_team_was_made(one):
    """A child makes threads afresh: those of its parent are not there."""
    other = dagaz.source(TEXT, name="backends", threads=3)
    want = one.f(X)
    assert other.f(X) == want
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if other.f(X) == want else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_interrupts_end_calls_of_all_cores():
    other = dagaz.source(TEXT, name="backends", threads=3)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            other.spin(X[:1000], 10**7)
    finally:
        signal.signal(signal.SIGINT, before)
    assert other.f(X[:5]) == dagaz.source(TEXT, name="backends").f(X[:5])


def test_what_is_refused():
    for name, options in (
        ("backend", {"backend": "gpu"}),
        ("backend", {"backend": ["c"]}),
        ("threads", {"threads": 0}),
        ("threads", {"threads": -1}),
        ("threads", {"threads": True}),
        ("threads", {"threads": 2.0}),
        ("threads", {"threads": 10**6}),
        ("threads", {"threads": 2, "backend": "c"}),
        ("threads", {"threads": 2, "backend": "opencl"}),
    ):
        with pytest.raises(dagaz.UsageError, match=f"^{name}: "):
            dagaz.source(TEXT, **options)


@pytest.mark.full
@pytest.mark.parametrize("backend", ["opencl", "cuda"])
def test_devices(one, backend):
    """The numbers, or a message that says what is missing."""
    try:
        got = dagaz.source(TEXT, name="backends", backend=backend).f(X)
    except dagaz.ProgramError as error:
        assert "is not installed here" in str(error) or "no device" in str(error)
        pytest.skip(str(error))
    assert np.isclose(got, one.f(X), rtol=1e-13)
