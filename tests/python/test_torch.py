"""Functions in PyTorch, by PyTorch's own judges."""

import numpy as np
import pytest

import dagaz

pytestmark = pytest.mark.full
torch = pytest.importorskip("torch", reason="torch is not installed", exc_type=ImportError)

import dagaz.torch  # noqa: E402

TEXT = """
entry f [n] (w: [n]f64) (x: [n]f64) (c: f64) : f64 =
  f64.tanh (f64.sum (map2 (*) w x)) * c + f64.sum (map f64.sin w)
entry vector [n] (w: [n]f64) (i: i64) = (map (\\x -> f64.exp x * f64.sin x) w, w[i] * w[0], 3i32)
entry layer [n] [m] (p: {a: [n][m]f64, b: [n]f64}) (x: [m]f64) : [n]f64 =
  map2 (\\r b -> f64.tanh (f64.sum (map2 (*) r x) + b)) p.a p.b
entry at [n] (x: [n]f64) (i: i64) = x[i]
entry kept [n] (x: [n]f64) = filter (> 0) x
"""


def grown(*shape):
    made = torch.linspace(-0.7, 0.8, int(np.prod(shape)), dtype=torch.float64).reshape(shape)
    return made.clone().requires_grad_()


@pytest.fixture(scope="module")
def q():
    return dagaz.source(TEXT, name="intorch")


def test_gradcheck(q):
    f = dagaz.torch.function(q.f)
    args = (grown(3), grown(3), torch.tensor(2.0, dtype=torch.float64, requires_grad=True))
    assert torch.autograd.gradcheck(f, args, check_forward_ad=True)
    assert torch.autograd.gradgradcheck(f, args)
    g = dagaz.torch.function(q.vector)
    assert torch.autograd.gradcheck(lambda w: g(w, 1)[:2], (grown(3),), check_forward_ad=True)
    assert torch.autograd.gradgradcheck(lambda w: g(w, 1)[:2], (grown(3),))


def test_against_dagaz_itself(q):
    f = dagaz.torch.function(q.f)
    w, x, c = grown(4), grown(4), torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    f(w, x, c).backward()
    given = (w.detach().numpy(), x.detach().numpy(), 0.5)
    for t, want in zip((w, x, c), dagaz.grad(q.f)(*given), strict=True):
        assert np.allclose(t.grad.numpy(), want)
    w.grad = None
    f(w, x.detach(), 0.5).backward()  # by one parameter only
    assert np.allclose(w.grad.numpy(), dagaz.grad(q.f, "w")(*given))


def test_torch_func(q):
    f = dagaz.torch.function(q.f)
    w, x, c = (t.detach() for t in (grown(3), grown(3), torch.tensor(2.0, dtype=torch.float64)))
    given = (w.numpy(), x.numpy(), 2.0)
    assert np.allclose(torch.func.grad(f)(w, x, c), dagaz.grad(q.f, "w")(*given))
    d = torch.tensor([0.1, -0.4, 0.3], dtype=torch.float64)
    _, t = torch.func.jvp(lambda w: f(w, x, c), (w,), (d,))
    assert np.isclose(t, dagaz.grad(q.f, "w")(*given) @ d.numpy())
    want = dagaz.hessian(q.f, "w")(*given)
    assert np.allclose(torch.func.hessian(f)(w, x, c), want)
    assert np.allclose(torch.func.jacrev(torch.func.jacrev(f))(w, x, c), want)
    ws = torch.stack([w, 2 * w])
    got = torch.func.vmap(torch.func.grad(f), (0, None, None))(ws, x, c)
    assert np.allclose(got, [dagaz.grad(q.f, "w")(r.numpy(), x.numpy(), 2.0) for r in ws])


def test_expanded_and_transposed(q):
    layer = dagaz.torch.function(q.layer)
    a, b, x = grown(2, 3), grown(2), grown(3)
    y = layer({"a": a, "b": b}, x)
    y.sum().backward()  # an expanded cotangent
    want = torch.tanh(a.detach() @ x.detach() + b.detach())
    assert torch.allclose(y, want) and torch.allclose(b.grad, 1 - want**2)
    at = grown(3, 2)
    y = layer({"a": at.T, "b": b}, x)
    assert torch.allclose(y, torch.tanh(at.T @ x + b))
    assert torch.autograd.gradcheck(lambda t: layer({"a": t.T, "b": b}, x), (at,))


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_compile(q, backend):
    f = dagaz.torch.function(q.f)
    w, x, c = grown(3), grown(3), torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    compiled = torch.compile(lambda w, x, c: f(w * 2, x, c) + 1, fullgraph=True, backend=backend)
    try:
        value = compiled(w, x, c)
    except Exception as error:
        if backend == "inductor" and "compiler" in str(error).lower():
            pytest.skip(f"inductor has no compiler: {error}")
        raise
    value.backward()
    assert np.isclose(value.item(), q.f(2 * w.detach().numpy(), x.detach().numpy(), 2.0) + 1)
    want = 2 * dagaz.grad(q.f, "w")(2 * w.detach().numpy(), x.detach().numpy(), 2.0)
    assert np.allclose(w.grad, want)


def test_export(q):
    f = dagaz.torch.function(q.f)

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = torch.nn.Parameter(grown(3).detach())

        def forward(self, x):
            return f(self.w, x, torch.tensor(2.0, dtype=torch.float64)) * 3

    x = grown(3).detach()
    exported = torch.export.export(Model(), (x,)).module()
    assert np.isclose(exported(x).item(), 3 * q.f(grown(3).detach().numpy(), x.numpy(), 2.0))


def test_opcheck(q):
    f = dagaz.torch.function(q.f)
    del f
    words = dagaz.torch.Words(q.f)
    args = (grown(3), grown(3), torch.tensor(2.0, dtype=torch.float64, requires_grad=True))
    torch.library.opcheck(dagaz.torch.operator(words, ""), args)


def test_negated_views(q):
    f = dagaz.torch.function(q.f)
    w, x = grown(3).detach(), grown(3).detach()
    assert torch.equal(f(torch._neg_view(w), x, 1.0), f(-w, x, 1.0))


def test_what_is_refused(q):
    f = dagaz.torch.function(q.f)
    w, x = grown(3), grown(3)
    with pytest.raises(dagaz.ArgumentError, match="w: expected torch.float64.*got torch.float32"):
        f(w.float(), x, 1.0)
    with pytest.raises(dagaz.ArgumentError, match=r"w: expected \[n\]f64"):
        f(grown(2, 2), x, 1.0)
    with pytest.raises(dagaz.ArgumentError, match=r"x: expected \[3\]"):
        f(w, grown(2), 1.0)
    with pytest.raises(dagaz.ArgumentError, match="CPU|meta"):
        f(w.detach().to("meta"), x, 1.0)
    with pytest.raises(dagaz.ArgumentError, match="^x: expected a dense tensor"):
        f(w, x.detach().to_sparse(), 1.0)
    with pytest.raises(dagaz.ProgramError, match="out of bounds"):
        dagaz.torch.function(q.at)(w, 9)
    with pytest.raises(dagaz.ArgumentError, match="w: expected a tensor"):
        f(np.ones(3), x, 1.0)


def test_vmap_is_one_call(q, monkeypatch):
    """A batch is one call of a word that maps; where sizes would differ, one after another."""
    f = dagaz.torch.function(q.f)
    calls = []
    run = dagaz.torch.Words.run

    def counted(words, word, args):
        calls.append(word)
        return run(words, word, args)

    monkeypatch.setattr(dagaz.torch.Words, "run", counted)
    ws, x = grown(4, 3).detach(), grown(3).detach()
    cs = torch.linspace(-1, 2, 4, dtype=torch.float64)
    got = torch.func.vmap(f, (0, None, 0))(ws, x, cs)
    assert calls == ["M101"]
    assert np.allclose(got, [q.f(w.numpy(), x.numpy(), c) for w, c in zip(ws, cs, strict=True)])
    got = torch.func.vmap(torch.func.grad(f), (1, None, 0))(ws.T, x, cs)
    for row, w, c in zip(got, ws, cs, strict=True):
        assert np.allclose(row, dagaz.grad(q.f, "w")(w.numpy(), x.numpy(), c))
    whole = torch.func.hessian(lambda w: torch.func.vmap(f, (0, None, 0))(w, x, cs).sum())(ws)
    for k, (w, c) in enumerate(zip(ws, cs, strict=True)):
        want = dagaz.hessian(q.f, "w")(w.numpy(), x.numpy(), c)
        assert np.allclose(whole[k, :, k], want)
    outs = torch.func.vmap(dagaz.torch.function(q.vector), (0, None))(ws, torch.tensor(1))
    for k, w in enumerate(ws):
        for part, want in zip(outs, q.vector(w.numpy(), 1), strict=True):
            assert np.allclose(part[k], want)
    batch = ws.clone().requires_grad_()
    mapped = torch.func.vmap(f, (0, None, 0))
    assert torch.autograd.gradcheck(lambda w: mapped(w, x, cs), (batch,), check_forward_ad=True)
    assert torch.autograd.gradgradcheck(lambda w: mapped(w, x, cs), (batch,))
