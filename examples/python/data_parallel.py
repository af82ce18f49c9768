# %% [markdown]
# Logistic regression whose data lie on a mesh of devices.  XLA compiles the program and its
# gradient as StableHLO (doc/hlo.md) for the rows of one device; the devices add their gradients up.
# Devices of the host stand for real ones here: 8, or as many as the first argument says.

# %%
import os
import sys

DEVICES = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 8
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import Mesh, NamedSharding  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

import dagaz  # noqa: E402
import dagaz.jax  # noqa: E402

jax.config.update("jax_enable_x64", True)
p = dagaz.source(
    """
-- | The negative log-likelihood of labels +1 and -1.
entry loss [n] [d] (w: [d]f64) (xs: [n][d]f64) (ys: [n]f64) : f64 =
  let margin (x: [d]f64) y = y * f64.sum (map2 (*) w x)
  in f64.sum (map2 (\\x y -> f64.log1p (f64.exp (-(margin x y)))) xs ys)
""",
    name="data_parallel",
)

# %% The gradient of each device's rows, then one sum over the mesh.
mesh = Mesh(np.array(jax.devices()[:DEVICES]), ("rows",))
loss = dagaz.jax.function(p.loss, how="hlo")


def on_device(w, xs, ys):
    return jax.lax.psum(jax.value_and_grad(loss)(w, xs, ys), "rows")


specs = {"in_specs": (P(), P("rows"), P("rows")), "out_specs": P(), "check_vma": False}
sharded = jax.jit(jax.shard_map(on_device, mesh=mesh, **specs))

# %%
rng = np.random.default_rng(4)
n, d = 64 * 105, 16
xs = rng.normal(size=(n, d))
ys = np.sign(xs @ rng.normal(size=d) + rng.normal(size=n))
rows = NamedSharding(mesh, P("rows"))
on_mesh = jax.device_put(xs, rows), jax.device_put(ys, rows)
w = jnp.zeros(d)
for _ in range(20):
    value, gradient = sharded(w, *on_mesh)
    w = w - 2.0 / n * gradient
print(f"{DEVICES} devices: loss {float(value):.6f}")

# %% The same to rounding as by one call of the compiled program.
want_value, want = p.loss(np.asarray(w), xs, ys), dagaz.grad(p.loss, "w")(np.asarray(w), xs, ys)
value, gradient = sharded(w, *on_mesh)
worst = float(np.max(np.abs(gradient - want) / np.maximum(1, np.abs(want))))
assert abs(float(value) - want_value) < 1e-9 * want_value
assert worst < 1e-10, worst
print(f"against one device: worst error {worst:.1e}")
