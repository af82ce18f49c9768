"""The gradients of the models by JAX, compiled for one core: a column of table.py.

   jax_models.py DAGAZ FOLDER NAME..

Reads FOLDER/NAME.data, which table.py wrote, and prints a line for each model: its name and the median
in microseconds.  The results are compared with the gradient of the model by DAGAZ.
"""
import os
import statistics
import struct
import subprocess
import sys
import time

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
TYPES = {b" f64": np.float64, b" i64": np.int64}
SECONDS = 1.0


def values(data):
    """All values in the binary format."""
    out, at = [], 0
    while at < len(data):
        rank = data[at + 2]
        dtype = np.dtype(TYPES[data[at + 3:at + 7]])
        shape = struct.unpack_from("<%dq" % rank, data, at + 7)
        at += 7 + 8 * rank
        n = int(np.prod(shape, dtype=np.int64))
        out.append(np.frombuffer(data, dtype, n, at).reshape(shape))
        at += n * dtype.itemsize
    return out


def rotated(r, x):
    theta2 = r @ r
    theta = jnp.sqrt(jnp.where(theta2 != 0, theta2, 1.0))
    w = r / theta
    turned = x * jnp.cos(theta) + jnp.cross(w, x) * jnp.sin(theta) + w * (w @ x) * (1 - jnp.cos(theta))
    return jnp.where(theta2 != 0, turned, x + jnp.cross(r, x))


def projected(cam, x):
    p = rotated(cam[0:3], x - cam[3:6])
    uv = p[:2] / p[2]
    r2 = uv @ uv
    return uv * (1 + cam[9] * r2 + cam[10] * r2 * r2) * cam[6] + cam[7:9]


def bundle(cams, points, weights, cs, qs, feats):
    def one(w, c, q, feat):
        r = w * (projected(cams[c], points[q]) - feat)
        return r @ r + (1 - w * w) ** 2
    return jax.vmap(one)(weights, cs, qs, feats).sum()


def lstm(w, b, xs):
    sigmoid = lambda x: 1 / (1 + jnp.exp(-x))
    def step(state, x):
        h, c = state
        gates = w @ jnp.concatenate([x, h]) + b
        c = sigmoid(gates[0]) * jnp.tanh(gates[2]) + sigmoid(gates[1]) * c
        return (sigmoid(gates[3]) * jnp.tanh(c), c), None
    (h, _), _ = jax.lax.scan(step, (jnp.zeros(16), jnp.zeros(16)), xs)
    return h @ h


def mlp(w, b, v, xs, ys):
    e = jnp.tanh(xs @ w.T + b) @ v - ys
    return e @ e


def clusters(centres, points):
    d = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(2)
    return d.min(1).sum()


def logistic(w, xs, ys):
    z = xs @ w
    return (jnp.log(1 + jnp.exp(z)) - ys * z).sum()


def layers(w, x):
    for k in range(3):
        x = jnp.tanh(w[k] @ x / x.shape[0])
    return x @ x


def factorisation(a, u, v):
    p = u[:, None] * v[None, :]
    return (jnp.log(p) + a / p).sum()


# The function, and the arguments that the gradient is by.
MODELS = {
    "dot": (lambda x, y: x @ y, (0,)), "maximum": (jnp.max, (0,)),
    "trace": (lambda a, b: jnp.trace(a @ b), (0,)),
    "bilinear": (lambda u, a, v: u @ (a @ v), (1,)), "factorisation": (factorisation, (1,)),
    "bundle": (bundle, (0, 1, 2)), "lstm": (lstm, (0, 1)), "mlp": (mlp, (0, 1, 2)),
    "clusters": (clusters, (0,)), "logistic": (logistic, (0,)), "layers": (layers, (1,)),
}


def microseconds(f, args):
    times, end = [], time.perf_counter() + SECONDS
    while len(times) < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        jax.block_until_ready(f(*args))
        times.append(time.perf_counter() - start)
    return 1e6 * statistics.median(times)


def differ(dagaz, folder, name, made):
    """Whether a gradient is another than the compiler's."""
    with open(os.path.join(folder, name + ".data"), "rb") as data:
        said = subprocess.run([dagaz, "run", "-b", "-e", "gradient",
                               os.path.join(folder, name + ".fut")],
                              stdin=data, capture_output=True, check=True).stdout
    return any(np.max(np.abs(a - b)) > 1e-8 * (1 + np.max(np.abs(b)))
               for a, b in zip(made, values(said), strict=True))


def main():
    dagaz, folder, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for name in names:
        f, by = MODELS[name]
        args = values(open(os.path.join(folder, name + ".data"), "rb").read())
        gradient = jax.jit(jax.grad(f, by))
        if differ(dagaz, folder, name, gradient(*args)):
            sys.exit("%s: the gradients differ" % name)
        print(name, "%.3f" % microseconds(gradient, args), flush=True)


main()
