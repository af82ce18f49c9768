"""Programs: errors, limits, threads, the cache, pickling, processes."""

import inspect
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import dagaz


def test_compile_errors_have_places(tmp_path):
    file = tmp_path / "bad.fut"
    file.write_text("entry f (x: f64) =\n  x + nothing\n")
    with pytest.raises(dagaz.CompileError, match=r"bad.fut:2:7.*\n.*x \+ nothing") as caught:
        dagaz.load(file)
    (d,) = caught.value.diagnostics
    assert d.line == 2 and d.column == 7 and d.code == "unknown-name" and d.severity == "error"
    with pytest.raises(dagaz.MissingFile, match="nowhere.fut") as missing:
        dagaz.load(tmp_path / "nowhere.fut")
    assert isinstance(missing.value, FileNotFoundError)


def test_no_compiler(monkeypatch, tmp_path):
    from dagaz import _tool

    for name in ("DAGAZ", "PATH"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr(_tool, "__file__", str(tmp_path / "_tool.py"))
    with pytest.raises(dagaz.MissingFile, match="set DAGAZ="):
        _tool.executable()


def test_signatures(p):
    names = [parameter.name for parameter in p.loss.params]
    assert list(inspect.signature(p.loss).parameters) == names
    assert list(inspect.signature(dagaz.grad(p.loss)).parameters) == names
    primed = dagaz.source("entry f (x': f64) = x'", name="primed")
    assert str(inspect.signature(primed.f)) == "(argument_0, /)"


def test_program_errors_have_places(p):
    with pytest.raises(
        dagaz.ProgramError, match=r"Index \[5\] out of bounds.*loss.fut:\d+"
    ) as caught:
        p.at(np.arange(3.0), 5)
    assert caught.value.where[0][0].endswith("loss.fut")
    assert p.at(np.arange(3.0), 1) == 1  # and the program can go on


def test_memory_limit():
    text = "entry f (n: i64) = f64.sum (scan (+) 0 (map f64.i64 (iota n))) + f64.i64 n\n"
    q = dagaz.source(
        text + "entry g (n: i64) = map f64.i64 (iota n)", name="limit", memory_limit="10MB"
    )
    assert q.g(1000).shape == (1000,)
    with pytest.raises(dagaz.MemoryLimitError, match="out of memory"):
        q.g(10_000_000)
    with pytest.raises(MemoryError):
        q.g(10_000_000)
    for bad in (0, -1, "two", "5XB"):
        with pytest.raises(dagaz.UsageError, match="memory_limit"):
            dagaz.source(text, name="limit", memory_limit=bad)


def test_threads_never_mix(p):
    f = dagaz.grad(p.loss, "w")
    rng = np.random.default_rng(1)
    cases = [(rng.normal(size=4), rng.normal(size=(50, 4)), rng.normal(size=50)) for _ in range(4)]
    wanted = [f(*c) for c in cases]
    wrong = []

    def work(k):
        for _ in range(2500):
            if not np.array_equal(f(*cases[k]), wanted[k]):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []


def test_results_freed_in_other_threads(p):
    made = [p.ident(np.full(1000, float(i))) for i in range(50)]
    stop = threading.Event()

    def release():
        while made:
            made.pop()
        stop.set()

    t = threading.Thread(target=release)
    t.start()
    while not stop.is_set():
        assert p.ident(np.ones(1000)).sum() == 1000
    t.join()


def test_cached_load_starts_no_process(tmp_path, monkeypatch):
    file = tmp_path / "cached.fut"
    file.write_text("entry f (x: f64) = x + 1")
    os.utime(file, (1, 1))
    assert dagaz.load(file).f(1.0) == 2
    monkeypatch.setattr(dagaz._tool, "run", lambda *a: pytest.fail("the compiler ran"))
    assert dagaz.load(file).f(1.0) == 2
    monkeypatch.undo()
    file.write_text("entry f (x: f64) = x + 2")
    assert dagaz.load(file).f(1.0) == 3


def test_changed_imports_are_seen(tmp_path):
    (tmp_path / "inner.fut").write_text("def g (x: f64) = x * 2")
    (tmp_path / "outer.fut").write_text('import "inner"\nentry f (x: f64) = g x')
    os.utime(tmp_path / "inner.fut", (1, 1))
    os.utime(tmp_path / "outer.fut", (1, 1))
    q = dagaz.load(tmp_path / "outer.fut")
    assert q.f(1.0) == 2 and dagaz.grad(q.f)(1.0) == 2
    (tmp_path / "inner.fut").write_text("def g (x: f64) = x * 3")
    q = dagaz.load(tmp_path / "outer.fut")
    assert q.f(1.0) == 3 and dagaz.grad(q.f)(1.0) == 3


def test_pickling(p):
    f = dagaz.grad(p.loss, "w")
    g = pickle.loads(pickle.dumps(f))
    args = (np.ones(2), np.ones((3, 2)), np.ones(3))
    assert np.array_equal(f(*args), g(*args))
    assert pickle.loads(pickle.dumps(p)).loss(*args) == p.loss(*args)


def test_fork(p):
    xs = np.ones(3)
    want = p.ident(xs).sum()
    child = os.fork()
    if child == 0:
        os._exit(0 if p.ident(xs).sum() == want and dagaz.grad(p.helper)(xs, 1.0)[1] == 3 else 1)
    assert os.waitpid(child, 0)[1] == 0


def run_python(code, **options):
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **options,
    )


def test_shutdown_with_live_arrays():
    done = run_python("""
import numpy as np, dagaz, sys
p = dagaz.source("entry up [n] (xs: [n]f64) = map (+ 1) xs", name="shutdown")
sys.kept = [p.up(np.zeros(10)) for _ in range(10)]
kept = p.up(np.zeros(10)), p
""")
    assert done.returncode == 0 and done.stderr == ""


def test_printing(p):
    assert str(p.loss) == "loss(w: [d]f64, xs: [n][d]f64, ys: [n]f64) -> f64"
    assert "model(p: {b: f64, w: [d]f64}, x: [d]f64) -> f64" in repr(p)
    assert p.loss.__doc__ == "Sum of squares."
    assert "loss" in dir(p) and "vjp" in dagaz.grad(p.loss).text


def test_bad_sources():
    for name in ("", "a b", "../x"):
        with pytest.raises(dagaz.UsageError, match="name"):
            dagaz.source("entry f (x: f64) = x", name=name)
    with pytest.raises(dagaz.CompileError, match="polymorphic"):
        dagaz.source("entry f 'a (x: a) = x", name="poly")
    with pytest.raises(ValueError, match="no parameter q"):
        dagaz.source("entry f (x: f64) = x", name="tuned", tuning={"q": 1}).f(1.0)


SLOW = """
entry sequential (n: i64) : f64 = loop x = 1.0 for i < n do f64.sin (x + f64.i64 i)
entry nested (n: i64) : f64 =
  f64.sum (tabulate n (\\i -> loop x = f64.i64 i for _j < n do f64.cos x))
entry endless (x: f64) : f64 = loop x while x >= 0 do f64.sin x + 1
"""


@pytest.mark.parametrize("call", ["sequential(10**12)", "nested(10**6)", "endless(1.0)"])
def test_interrupts_end_calls(call):
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"""
import dagaz, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background job
p = dagaz.source({SLOW!r}, name="slow")
print("begun", flush=True)
try:
    p.{call}
except KeyboardInterrupt:
    print("interrupted", p.sequential(5) != 0, flush=True)
""",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout.readline() == "begun\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    try:
        assert child.communicate(timeout=20)[0] == "interrupted True\n"
    finally:
        child.kill()


def test_progress():
    seen = []
    q = dagaz.source(SLOW, name="slow", progress=lambda done, total: seen.append((done, total)))
    q.sequential(60_000_000)
    assert seen and all(0 <= done < total == 60_000_000 for done, total in seen)
    assert [d for d, _ in seen] == sorted(d for d, _ in seen)
    q = dagaz.source(SLOW, name="slow", progress=lambda done, total: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        q.sequential(60_000_000)


def test_without_the_extension(p, monkeypatch):
    from dagaz import _call_ctypes, _program

    for name in ("Library", "Mismatch", "CallFailed", "Plan"):
        monkeypatch.setattr(_program, name, getattr(_call_ctypes, name))
    q = pickle.loads(pickle.dumps(p))
    xs = np.arange(3.0)
    assert type(q._compiled.library) is _call_ctypes.Library
    assert np.array_equal(q.ident(xs), xs) and q.overwrite(xs)[0] == 7 and xs[0] == 0
    assert np.array_equal(dagaz.grad(q.helper)(xs, 2.0)[0], [2, 2, 2])
    with pytest.raises(dagaz.ProgramError, match="out of bounds"):
        q.at(xs, 5)
    with pytest.raises(dagaz.ArgumentError, match="xs: expected float64"):
        q.ident(xs.astype(np.float32))
    sines, ones, total = q.several(xs, 2)
    assert ones.tolist() == [1, 1] and isinstance(total, np.float64)
    assert q.report()["calls"] == 4
