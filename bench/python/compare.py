"""Gradients in Dagaz against JAX and PyTorch, on one core, in turns.

    python bench/python/compare.py [--rounds N] [--only NAME..] [--compile] [--markdown]

Each row is a gradient (of the bundle adjustment, the blocks of a Jacobian) of the same function on
the same data in double precision; results are compared before anything is timed.  All libraries run
on one processor, JAX under jit, PyTorch eagerly or, with --compile, under torch.compile.  The
libraries take turns.  Medians of processor time (of all threads) are printed, so that a busy
machine matters less, and how much more than Dagaz the others take.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path

CPU = max(os.sched_getaffinity(0))
os.sched_setaffinity(0, {CPU})
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np  # noqa: E402

import dagaz  # noqa: E402

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def data():
    """The arguments of every benchmark."""
    rng = np.random.default_rng(1)
    normal = rng.normal
    n, d, k = 1000, 10, 25
    t = d * (d - 1) // 2
    bundle = normal(size=(2000, 15)) * 0.1
    bundle[:, 13] += 5.0
    bundle[:, 6] += 1.0
    return {
        "gmm": (normal(size=k), normal(size=(k, d)), 0.1 * normal(size=(k, d)),
                0.1 * normal(size=(k, t)), normal(size=(n, d)), 1.0, 0),
        "lstm": (*(0.3 * normal(size=s) for s in ((4, 32, 16), (4, 32, 32), (4, 32), (32,))),
                 normal(size=(60, 16)), normal(size=60)),
        "bundle": (bundle, normal(size=(2000, 2))),
        "logistic": (normal(size=20), normal(size=(20000, 20)), (rng.random(20000) < 0.5) * 1.0),
        "kmeans": (normal(size=(20, 8)), normal(size=(5000, 8))),
        "stencil": (normal(size=(128, 128)), 50),
        "hmm": (normal(size=16), normal(size=(16, 16)), normal(size=(16, 8)),
                rng.integers(0, 8, 400)),
    }  # fmt: skip


WRT = {"gmm": 4, "lstm": 4, "logistic": 1, "kmeans": 1, "stencil": 1, "hmm": 3}


def dagaz_calls(args):
    gmm = dagaz.load(ROOT / "examples" / "gmm.fut")
    p = dagaz.load(HERE / "programs.fut")
    out = {"bundle": p.bundle}
    for name, count in WRT.items():
        f = gmm.objective if name == "gmm" else p[name]
        out[name] = dagaz.value_and_grad(f, tuple(range(count)))
    return {name: (lambda f=f, a=args[name]: f(*a)) for name, f in out.items()}


# ---- the same in JAX and PyTorch: xp is jax.numpy or torch -----------------------------------
def functions(xp, loop, logsumexp, put, softplus, roll, lgamma):
    """The objectives, once for both libraries."""

    def gmm(alpha, mu, q, l, x, gamma, m):  # noqa: E741
        n, d = x.shape
        k = alpha.shape[0]
        factor = put(q, l)
        y = xp.einsum("kij,nkj->nki", factor, x[:, None, :] - mu[None])
        inner = alpha + q.sum(1) - 0.5 * (y * y).sum(2)
        c = d * (d + m + 1) * (np.log(gamma) - 0.5 * np.log(2)) - lgamma(0.5 * (d + m + 1), d)
        prior = 0.5 * gamma**2 * (factor * factor).sum() - m * q.sum() - k * c
        main = logsumexp(inner, 1).sum() - n * d * 0.5 * np.log(2 * np.pi)
        return main - n * logsumexp(alpha, 0) - prior

    def sigmoid(t):
        return 1 / (1 + xp.exp(-t))

    def lstm(w, u, b, readout, xs, ys):
        def step(state, row):
            hidden, cell, total = state
            x, y = row
            g = xp.einsum("khd,d->kh", w, x) + xp.einsum("khj,j->kh", u, hidden) + b
            cell = sigmoid(g[0]) * cell + sigmoid(g[1]) * xp.tanh(g[2])
            hidden = sigmoid(g[3]) * xp.tanh(cell)
            left = (readout * hidden).sum() - y
            return hidden, cell, total + left * left

        zero = readout * 0
        return loop(step, (zero, zero, readout[0] * 0), (xs, ys))[2] / len(ys)

    def reproject(p, feature):
        r, x = p[0:3], p[11:14] - p[3:6]
        theta = xp.sqrt((r * r).sum())
        c, s = xp.cos(theta), xp.sin(theta)
        w = r / theta
        cross = xp.stack([w[1] * x[2] - w[2] * x[1], w[2] * x[0] - w[0] * x[2],
                          w[0] * x[1] - w[1] * x[0]])  # fmt: skip
        y = x * c + cross * s + w * ((w * x).sum() * (1 - c))
        a = y[0:2] / y[2]
        rr = (a * a).sum()
        return p[14] * (p[6] * a * (1 + p[9] * rr + p[10] * rr * rr) + p[7:9] - feature)

    def logistic(w, xs, ys):
        t = xs @ w
        return (softplus(t) - ys * t).sum() / len(ys)

    def kmeans(centres, points):
        d = ((points[:, None, :] - centres[None]) ** 2).sum(2)
        return (d.min(1) if xp.__name__ != "torch" else d.min(1).values).sum()

    def stencil(u, steps):
        def step(state, _):
            (u,) = state
            around = roll(u, 1, 0) + roll(u, -1, 0) + roll(u, 1, 1) + roll(u, -1, 1)
            return (u + 0.2 * (around - 4 * u),)

        (u,) = loop(step, (u,), steps)
        return (u * u).sum()

    def hmm(start, move, emit, seen):
        def step(state, o):
            (a,) = state
            return (logsumexp(a[:, None] + move, 0) + emit[:, o[0]],)

        (a,) = loop(step, (start + emit[:, seen[0]],), (seen[1:],))
        return logsumexp(a, 0)

    return {"gmm": gmm, "lstm": lstm, "bundle": reproject, "logistic": logistic,
            "kmeans": kmeans, "stencil": stencil, "hmm": hmm}  # fmt: skip


def places(d):
    """Where l goes: the strict lower triangle, column by column."""
    return [(i, j) for j in range(d) for i in range(j + 1, d)]


def log_gamma(a, p):
    import math

    half = sum(math.lgamma(a + 0.5 * (1 - j)) for j in range(1, p + 1))
    return 0.25 * p * (p - 1) * math.log(math.pi) + half


def jax_calls(args):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")

    def loop(step, state, rows):
        if isinstance(rows, int):
            return jax.lax.scan(lambda s, _: (step(s, None), None), state, None, length=rows)[0]
        return jax.lax.scan(lambda s, r: (step(s, r), None), state, rows)[0]

    def put(q, l):  # noqa: E741
        d = q.shape[1]
        rows, columns = np.array(places(d)).T
        made = jnp.zeros((q.shape[0], d, d)).at[:, rows, columns].set(l)
        return made + jnp.exp(q)[:, :, None] * jnp.eye(d)

    def softplus(t):
        return jnp.maximum(t, 0) + jnp.log1p(jnp.exp(-jnp.abs(t)))

    fs = functions(jnp, loop, jax.scipy.special.logsumexp, put, softplus, jnp.roll, log_gamma)
    out = {"bundle": jax.jit(jax.vmap(jax.jacrev(fs["bundle"])))}
    for name, count in WRT.items():
        fixed = {"stencil": (1,), "gmm": (5, 6)}.get(name, ())
        f = jax.value_and_grad(fs[name], argnums=tuple(range(count)))
        out[name] = jax.jit(f, static_argnums=fixed)

    def ready(name):
        given = [jnp.asarray(a) if isinstance(a, np.ndarray) else a for a in args[name]]
        return lambda: jax.block_until_ready(out[name](*given))

    return {name: ready(name) for name in out}


def torch_calls(args, compiled):
    import torch

    torch.set_num_threads(1)

    def loop(step, state, rows):
        for i in range(rows if isinstance(rows, int) else len(rows[0])):
            state = step(state, None if isinstance(rows, int) else [r[i] for r in rows])
        return state

    def put(q, l):  # noqa: E741
        d = q.shape[1]
        rows, columns = torch.tensor(places(d)).T
        made = torch.zeros((q.shape[0], d, d), dtype=q.dtype)
        made = made.index_put((torch.arange(q.shape[0])[:, None], rows, columns), l)
        return made + torch.diag_embed(torch.exp(q))

    def logsumexp(a, axis):
        return torch.logsumexp(a, axis)

    fs = functions(torch, loop, logsumexp, put, torch.nn.functional.softplus, torch.roll, log_gamma)
    calls = {}
    for name in (*WRT, "bundle"):
        given = [torch.from_numpy(a) if isinstance(a, np.ndarray) else a for a in args[name]]
        if name == "bundle":
            f = torch.func.vmap(torch.func.jacrev(fs[name]))
            calls[name] = lambda f=f, g=given: f(*g)
            continue
        f = torch.compile(fs[name]) if compiled else fs[name]

        def run(f=f, given=given, count=WRT[name]):
            wrt = [g.clone().requires_grad_() for g in given[:count]]
            value = f(*wrt, *given[count:])
            return value.detach(), torch.autograd.grad(value, wrt)

        calls[name] = run
    return calls


def numbers(result):
    if isinstance(result, (tuple, list)):
        return np.concatenate([numbers(r) for r in result])
    return np.ravel(np.asarray(result, np.float64))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--compile", action="store_true", help="PyTorch under torch.compile")
    options = parser.parse_args()
    args = data()
    libraries = {"dagaz": dagaz_calls(args)}
    for name, make in (("jax", jax_calls), ("torch", lambda a: torch_calls(a, options.compile))):
        try:
            libraries[name] = make(args)
        except ImportError:
            print(f"skipped: {name} is not installed")
    print("| gradient | Dagaz, us |" + "".join(f" {n} / Dagaz |" for n in [*libraries][1:]))
    print("|---|---|" + "---|" * (len(libraries) - 1))
    for name in args:
        if options.only and name not in options.only:
            continue
        calls = {lib: c[name] for lib, c in libraries.items()}
        want = numbers(calls["dagaz"]())
        for lib, call in calls.items():
            got = numbers(call())
            error = np.max(np.abs(got - want)) / np.max(np.abs(want))
            assert error < 1e-8, (name, lib, error)
        times = {lib: [] for lib in calls}
        for _ in range(options.rounds):
            for lib, call in calls.items():
                begun, n = time.process_time(), 0
                while n < 3 or time.process_time() - begun < 0.05:
                    start = time.process_time()
                    call()
                    times[lib].append(time.process_time() - start)
                    n += 1
        middle = {lib: statistics.median(t) for lib, t in times.items()}
        row = "".join(f" {middle[lib] / middle['dagaz']:.2f} |" for lib in [*middle][1:])
        print(f"| {name} | {middle['dagaz'] * 1e6:.0f} |{row}", flush=True)


if __name__ == "__main__":
    main()
