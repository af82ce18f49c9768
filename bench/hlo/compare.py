"""Gradients that leave for XLA (`dagaz hlo`) against JAX's own of the same models.

    python bench/hlo/compare.py DAGAZ [--rounds N] [--only NAME..] [--ops]

Both modules give value and gradient of the same function on the same data in double precision; they
are compared first.  Counted are the StableHLO operations of each module, those inside loops and
reductions included, returns not.  XLA compiles both, for one core; they run in turns, and the medians
of processor time are printed.  "text" is the time of the whole command `dagaz hlo`, the least of
several.  --ops lists how often each module has each operation.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import os
import re
import statistics
import subprocess
import time
from pathlib import Path

CPU = max(os.sched_getaffinity(0))
os.sched_setaffinity(0, {CPU})
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import export  # noqa: E402
from jax._src.interpreters import mlir  # noqa: E402
from jaxlib.mlir import ir  # noqa: E402
from jaxlib.mlir.dialects import stablehlo  # noqa: E402

jax.config.update("jax_enable_x64", True)
FILE = Path(__file__).resolve().parent / "models.fut"


# ---- the models as one writes them in JAX -------------------------------------------------------
def matmul(a, b):
    return jnp.mean((a @ b) ** 2)


def softmax_regression(w, b, x, y):
    z = x @ w + b
    picked = jnp.take_along_axis(z, y[:, None], 1)[:, 0]
    return jnp.mean(jax.scipy.special.logsumexp(z, 1) - picked)


def perceptron(w1, b1, w2, b2, w3, b3, x, y):
    hidden = jnp.tanh(jnp.tanh(x @ w1 + b1) @ w2 + b2)
    return jnp.mean((hidden @ w3 + b3 - y) ** 2)


def convolution(filters, images):
    made = jax.lax.conv_general_dilated(images[:, None], filters[:, None], (1, 1), "VALID")
    return jnp.sum(jax.nn.relu(made) ** 2) / len(images)


def attention(wq, wk, wv, x):
    scores = (x @ wq) @ (x @ wk).T / np.sqrt(wq.shape[1])
    return jnp.sum((jax.nn.softmax(scores, 1) @ (x @ wv)) ** 2) / len(x)


def mixture(alpha, mu, q, l, x):  # noqa: E741
    d = q.shape[1]
    rows, columns = np.array([(i, j) for j in range(d) for i in range(j + 1, d)]).T
    factors = jnp.zeros((len(q), d, d)).at[:, rows, columns].set(l)
    factors = factors + jnp.exp(q)[:, :, None] * jnp.eye(d)
    y = jnp.einsum("kij,nkj->nki", factors, x[:, None, :] - mu[None])
    inner = alpha + q.sum(1) - 0.5 * (y * y).sum(2)
    lse = jax.scipy.special.logsumexp
    return lse(inner, 1).sum() - len(x) * lse(alpha) - 0.5 * (factors * factors).sum()


def models():
    """Name: (function, number of arguments to differentiate by, arguments, sizes)."""
    rng = np.random.default_rng(1)

    def normal(*shape, by=1.0):
        return by * rng.normal(size=shape)

    labels = rng.integers(0, 10, 2000)
    return {
        "matmul": (matmul, 2, (normal(256, 256), normal(256, 256)), dict(n=256, k=256, m=256)),
        "softmax_regression": (
            softmax_regression, 2, (normal(100, 10), normal(10), normal(2000, 100), labels),
            dict(n=2000, d=100, k=10)),
        "perceptron": (
            perceptron, 6,
            (normal(64, 128, by=0.1), normal(128), normal(128, 32, by=0.1), normal(32), normal(32),
             np.float64(0.1), normal(512, 64), normal(512)), dict(n=512, d=64, h=128, g=32)),
        "convolution": (convolution, 1, (normal(4, 3, 3), normal(8, 64, 64)),
                        dict(n=8, h=64, w=64, c=4)),
        "attention": (
            attention, 3, (*(normal(32, 32, by=0.3) for _ in range(3)), normal(128, 32)),
            dict(n=128, d=32, k=32)),
        "mixture": (
            mixture, 4, (normal(25), normal(25, 10), normal(25, 10, by=0.1),
                         normal(25, 45, by=0.1), normal(1000, 10)), dict(n=1000, k=25, d=10, t=45)),
    }  # fmt: skip


# ---- modules -------------------------------------------------------------------------------------
def exported(dagaz, name, sizes, rounds):
    """The module's text, and the least milliseconds of the command."""
    words = [dagaz, "hlo", "-e", name, str(FILE), *(f"{n}={v}" for n, v in sizes.items())]
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        times.append(time.perf_counter() - start)
    return text, min(times) * 1e3


def operations(text):
    """How often the module has each operation; terminators are none."""
    counts = collections.Counter()

    def visit(op):
        name = op.name.removeprefix("stablehlo.")
        if name != op.name and name != "return":
            counts[name] += 1
        return ir.WalkResult.ADVANCE

    with mlir.make_ir_context():
        ir.Module.parse(text).operation.walk(visit)
    return counts


def callable_of(text, args):
    """A function that XLA compiles as the module (doc/hlo.md)."""
    with mlir.make_ir_context():
        artifact = stablehlo.serialize_portable_artifact(ir.Module.parse(text), "1.8.0")
    found = re.search(r"-> \((.*)\) \{", text).group(1)
    types = re.findall(r"tensor<((?:\d+x)*)(\w+)>", found)
    outs = [([int(d) for d in dims.split("x") if d], {"f64": "float64", "i32": "int32"}[prim])
            for dims, prim in types]  # fmt: skip
    stub = export.export(
        jax.jit(lambda *a: tuple(jnp.zeros(s, d) for s, d in outs), keep_unused=True)
    )(*[jax.ShapeDtypeStruct(np.shape(a), np.asarray(a).dtype) for a in args])
    return jax.jit(dataclasses.replace(stub, mlir_module_serialized=artifact).call)


def numbers(results):
    return np.concatenate([np.ravel(np.asarray(r, np.float64)) for r in jax.tree.leaves(results)])


def taken(calls, rounds):
    """Median microseconds of processor time of each call, in turns."""
    times = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            begun, n = time.process_time(), 0
            while n < 3 or time.process_time() - begun < 0.1:
                start = time.process_time()
                jax.block_until_ready(call())
                times[name].append(time.process_time() - start)
                n += 1
    return {name: statistics.median(t) * 1e6 for name, t in times.items()}


def row(options, name, model):
    function, count, args, sizes = model
    text, ms = exported(options.dagaz, name, sizes, options.rounds)
    given = [jnp.asarray(a) for a in args]
    reference = jax.jit(jax.value_and_grad(function, argnums=tuple(range(count))))
    ours = callable_of(text, args)
    *got, failed = ours(*given)
    want = numbers(reference(*given))
    assert int(failed) == 2147483647, (name, int(failed))
    assert np.max(np.abs(numbers(got) - want)) <= 1e-10 * np.max(np.abs(want)), name
    mine, theirs = operations(text), operations(reference.lower(*given).as_text())
    if options.ops:
        for op in sorted(mine | theirs):
            print(f"    {op:24} {mine[op]:4} {theirs[op]:4}")
    times = taken({"ours": lambda: ours(*given), "jax": lambda: reference(*given)}, options.rounds)
    a, b = mine.total(), theirs.total()
    print(f"| {name.replace('_', ' ')} | {a} | {b} | {a / b:.2f} | {times['ours']:.0f} | "
          f"{times['jax']:.0f} | {times['ours'] / times['jax']:.2f} | {ms:.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dagaz")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--ops", action="store_true", help="list the operations")
    options = parser.parse_args()
    print("| gradient | operations | JAX | ratio | us | JAX | ratio | text, ms |")
    print("|---|---|---|---|---|---|---|---|")
    for name, model in models().items():
        if not options.only or name in options.only:
            row(options, name, model)


if __name__ == "__main__":
    main()
