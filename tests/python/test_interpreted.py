"""Programs without a C compiler are interpreted: the same values, derivatives and errors."""

import pickle
import warnings

import numpy as np
import pytest
from conftest import LOSS

import dagaz

W, X, Y = np.array([0.5, -0.25]), np.array([[1.0, 2.0], [3.0, 4.0], [0.5, 0.0]]), np.ones(3)
SUMS = "entry pick (c: #a f64 | #b) : f64 = match c case #a x -> x case #b -> 0"


@pytest.fixture(scope="module")
def i():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dagaz.CompilerWarning)
        return dagaz.source(LOSS, name="loss", interpret=True)


def test_values(p, i):
    assert np.isclose(i.loss(W, X, Y), p.loss(W, X, Y), rtol=1e-14)
    assert np.allclose(i.model({"w": W, "b": 0.5}, W), p.model({"w": W, "b": 0.5}, W), rtol=1e-14)
    assert i.helper(W, 2.0) == p.helper(W, 2.0)
    got, want = i.several(W, 3), p.several(W, 3)
    for a, b in zip(got, want, strict=True):
        assert np.allclose(a, b, rtol=1e-14) and np.asarray(a).dtype == np.asarray(b).dtype
    assert i.kept(np.array([1.0, -1.0, 2.0])).tolist() == [1, 2]
    assert i.ident(np.empty(0)).shape == (0,)
    assert i.overwrite(W)[0] == 7 and W[0] == 0.5
    assert i.report()["calls"] > 0


def test_derivatives(p, i):
    for of in (dagaz.grad, dagaz.hessian):
        assert np.allclose(of(i.loss, "w")(W, X, Y), of(p.loss, "w")(W, X, Y), rtol=1e-12)
    for got, want in zip(
        dagaz.jvp(i.residuals, "w")(W, X, Y, W),
        dagaz.jvp(p.residuals, "w")(W, X, Y, W),
        strict=True,
    ):
        assert np.allclose(got, want, rtol=1e-12)
    assert dagaz.check_grad(i.loss, W, X, Y)


def test_errors(i):
    with pytest.raises(dagaz.ProgramError, match="out of bounds") as found:
        i.at(W, 7)
    assert found.value.where
    with pytest.raises(dagaz.ArgumentError, match=r"ys: expected \[3\].*got \[2\]"):
        i.loss(W, X, Y[:2])
    with pytest.raises(dagaz.ArgumentError, match="w: expected"):
        i.loss(W.astype(np.float32), X, Y)
    with pytest.raises(dagaz.CompileError, match="nothing"):
        dagaz.source("entry f (x: f64) = x + nothing", interpret=True)
    with pytest.raises(dagaz.UsageError, match="C compiler"):
        dagaz.source(SUMS, interpret=True).pick(("a", 1.0))


def test_pickled_functions_are_interpreted(i):
    again = pickle.loads(pickle.dumps(i.loss))
    assert again.program._options.interpret
    assert again(W, X, Y) == i.loss(W, X, Y)


@pytest.mark.parametrize("missing", ["/nonexistent/cc", ""])
def test_without_a_compiler(p, missing, monkeypatch, tmp_path):
    """$CC names none; there is none at all."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if missing:
        monkeypatch.setenv("CC", missing)
    else:
        monkeypatch.delenv("CC", raising=False)
        monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.warns(dagaz.InterpretedWarning, match="C compiler.*interpreted") as said:
        q = dagaz.source("entry square (x: f64) = x * x")
        assert q.square(3.0) == 9 and dagaz.grad(q.square)(3.0) == 6
    assert len(said) == 1
