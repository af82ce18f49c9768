# %% [markdown]
# Bundle adjustment in the plane by Levenberg-Marquardt, with a sparse Jacobian: each observation
# depends on one camera and one point.

# %%
import numpy as np
from scipy import sparse
from scipy.sparse.linalg import spsolve

import dagaz

p = dagaz.source(
    """
-- | Cameras are (angle, x, y, focal length), points (x, y); a camera sees the ratio of coordinates.
def residuals [c] [m] [k] (cams: [c][4]f64) (points: [m][2]f64)
              (seen: [k](i64, i64)) (measured: [k]f64) : [k]f64 =
  let one (camera: i64, point: i64) y =
    let cam = cams[camera]
    let dx = points[point, 0] - cam[1]
    let dy = points[point, 1] - cam[2]
    let u = f64.cos cam[0] * dx + f64.sin cam[0] * dy
    let v = f64.cos cam[0] * dy - f64.sin cam[0] * dx
    in cam[3] * u / v - y
  in map2 one seen measured
""",
    name="bundle",
)

# %%
rng = np.random.default_rng(2)
c, m = 6, 40
cams = np.column_stack([rng.normal(0, 0.05, c), np.linspace(-2, 2, c), np.zeros(c), np.ones(c)])
points = np.column_stack([rng.uniform(-3, 3, m), rng.uniform(4, 8, m)])
seen = tuple(map(np.ravel, np.meshgrid(np.arange(c), np.arange(m))))
measured = p.residuals(cams, points, seen, np.zeros(c * m))

# %%
jacobian = dagaz.jacobian(p.residuals, wrt=("cams", "points"), sparse=True)
x = cams + rng.normal(0, 0.01, cams.shape), points + rng.normal(0, 0.05, points.shape)
r = p.residuals(*x, seen, measured)
first = r @ r
damping = 1e-3
for _ in range(40):
    j = jacobian(*x, seen, measured)
    a = (j.T @ j + damping * sparse.eye(j.shape[1])).tocsc()
    d = spsolve(a, -j.T @ r)
    tried = x[0] + d[: 4 * c].reshape(c, 4), x[1] + d[4 * c :].reshape(m, 2)
    new = p.residuals(*tried, seen, measured)
    if new @ new < r @ r:
        x, r, damping = tried, new, damping / 4
    else:
        damping *= 4
    if r @ r < 1e-16:
        break
print(f"{j.nnz} of {j.shape[0] * j.shape[1]} entries; residual {first:.1e} -> {r @ r:.1e}")

# %%
assert j.shape == (c * m, 4 * c + 2 * m) and j.nnz <= 6 * c * m
assert r @ r < 1e-6 * first
