"""Gradient checks, texts, explanations, notebooks, pictures."""

import numpy as np
import pytest

import dagaz

W, XS, YS = np.array([0.3, -0.2]), np.arange(6.0).reshape(3, 2) / 5, np.array([0.1, 0.5, -0.3])


def test_check_grad(p):
    found = dagaz.check_grad(p.loss, W, XS, YS)
    assert found and found.error < 1e-8 and found.modes < 1e-12 and len(found.steps) == 9
    assert "right" in repr(found)
    assert dagaz.check_grad(p.several, W, 2)
    assert dagaz.check_grad(p.model, {"w": W, "b": 1.0}, W)
    assert dagaz.check_grad(p.residuals, W, XS, YS, wrt=("w", "ys"))
    q = dagaz.source(
        "entry f (x: f64) = with_vjp (\\x -> x * x) (\\x s -> 3 * x * s) x\n"
        "entry g (x: f64) = f64.i64 (i64.f64 (x * 1e6)) / 1e6",
        name="wrong",
    )
    assert not dagaz.check_grad(q.f, 1.5) and "WRONG" in repr(dagaz.check_grad(q.f, 1.5))
    with pytest.warns(dagaz.GradientWarning):
        assert not dagaz.check_grad(q.g, 1.5)


def test_check_grad_in_single_precision():
    q = dagaz.source("entry f [n] (x: [n]f32) = f32.sum (map f32.sin x)", name="single")
    assert dagaz.check_grad(q.f, np.linspace(0, 1, 5, dtype=np.float32))


def test_derive(p):
    text = dagaz.derive(p.loss)
    assert "entry" in text and dagaz.source(text, name="derived").functions
    assert "entry" in dagaz.derive(p.loss, mode="jvp")
    written_out = dagaz.derive(dagaz.grad(p.loss, "w"))
    assert "vjp" not in written_out.partition("entry")[2].partition("=")[2]
    with pytest.raises(dagaz.UsageError, match="mode"):
        dagaz.derive(p.loss, mode="backwards")


def test_explain(p):
    found = dagaz.explain(p.loss)
    assert found.rows[0]["mode"] == "vjp" and found.rows[0]["work"]
    assert "operations" in repr(found) and "<table>" in found._repr_html_()
    assert dagaz.grad(p.loss, "w").explain().rows


def test_the_cell_magic(capsys):
    from dagaz.notebook import cell, parse, register

    assert parse("p memory_limit=2GB convert") == ("p", {"memory_limit": "2GB", "convert": True})
    with pytest.raises(dagaz.UsageError, match="%%dagaz"):
        parse("p loud")
    name, made = cell("", "entry f (x: f64) = x * x")
    assert name == "program" and made.f(3.0) == 9

    class Shell:
        def __init__(self):
            self.user_ns = {}

        def register_magic_function(self, function, kind):
            assert kind == "cell"
            self.magic = function

    shell = Shell()
    register(shell)
    shell.magic("q", "entry f (x: f64) = x + 1")
    assert shell.user_ns["q"].f(1.0) == 2
    assert shell.magic("q", "entry f = ") is None and "error" in capsys.readouterr().err


@pytest.mark.full
def test_in_ipython():
    testing = pytest.importorskip("IPython.testing.globalipapp", reason="no IPython")
    shell = testing.start_ipython() or testing.get_ipython()
    shell.run_line_magic("load_ext", "dagaz")
    shell.run_cell_magic("dagaz", "squares", "entry f (x: f64) = x * x")
    assert shell.user_ns["squares"].f(4.0) == 16


BANDED = """
def f [n] (x: [n]f64) : [n]f64 =
  map3 (\\a b c -> a * b + f64.sin c) (rotate (-1) x) x (rotate 1 x)
def energy [n] (x: [n]f64) : f64 = f64.sum (map2 (\\a b -> (a * b) ** 2) x (rotate 1 x))
def searched [n] (x: [n]f64) (is: [n]i64) : [n]f64 =
  loop y = copy x for i < n do y with [i] = y[i] * x[is[i]]
"""


@pytest.mark.full
def test_sparse():
    sparse = pytest.importorskip("scipy.sparse", reason="scipy is not installed")
    q = dagaz.source(BANDED, name="banded")
    x = np.linspace(0.1, 1, 12)
    j = dagaz.jacobian(q.f, sparse=True)(x)
    assert sparse.issparse(j) and j.nnz == 36
    assert np.allclose(j.toarray(), dagaz.jacobian(q.f)(x))
    h = dagaz.hessian(q.energy, sparse=True)(x)
    assert np.allclose(h.toarray(), dagaz.hessian(q.energy)(x)) and h.nnz <= 36
    at = np.arange(12)[::-1].copy()
    s = dagaz.jacobian(q.searched, "x", sparse=True)(x, at)
    assert np.allclose(s.toarray(), dagaz.jacobian(q.searched, "x")(x, at)) and s.nnz <= 24


@pytest.mark.full
def test_pictures(p, tmp_path):
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="matplotlib is not installed")
    pytest.importorskip("scipy", reason="scipy is not installed")
    from dagaz import plot

    q = dagaz.source(BANDED, name="banded")
    x = np.linspace(0.1, 1, 12)
    ax = dagaz.sparsity(q.f, x)
    assert "36 entries, 3 colours" in ax.get_title()
    count, colours = plot.coloured(dagaz.jacobian(q.f, sparse=True)(x))
    assert count == 3 and len(colours) == 12
    assert dagaz.check_grad(p.loss, W, XS, YS).plot().get_xlabel() == "step"
    assert dagaz.explain(p.loss).plot().get_xlabel()
    big = dagaz.source(
        "def f (n: i64) (x: f64) = f64.sum (loop a = replicate n x for _i < 40 do map f64.sin a)",
        name="big",
    )
    g = dagaz.grad(big.f, "x")
    times, sizes = plot.memory_over_run(g, 200_000, 0.5)
    assert len(times) == len(sizes) and sizes.max() >= 8 * 200_000
    plot.memory(g, 200_000, 0.5)
    pyplot.savefig(tmp_path / "all.png")
    pyplot.close("all")
