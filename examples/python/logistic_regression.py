# %% [markdown]
# Logistic regression with SciPy's L-BFGS: the objective and its gradient are one call.

# %%
import numpy as np
from scipy.optimize import minimize

import dagaz

p = dagaz.source(
    """
-- | Mean logistic loss with a ridge; labels are 0 and 1.
def loss [n] [d] (w: [d]f64) (b: f64) (xs: [n][d]f64) (ys: [n]f64) (ridge: f64) : f64 =
  let softplus (t: f64) = f64.max t 0 + f64.log1p (f64.exp (-f64.abs t))
  let one (x: [d]f64) y =
    let t = f64.sum (map2 (*) w x) + b
    in softplus t - y * t
  in f64.sum (map2 one xs ys) / f64.i64 n + ridge * f64.sum (map (** 2) w)
""",
    name="logistic",
)

# %%
rng = np.random.default_rng(3)
xs = rng.normal(size=(500, 6))
truth = np.array([1.5, -2.0, 0.0, 0.7, 0.0, 1.0])
ys = (rng.random(500) < 1 / (1 + np.exp(-(xs @ truth + 0.5)))).astype(float)

# %%
f = dagaz.value_and_grad(p.loss, wrt=("w", "b"), flat=True)
start = f.flatten(np.zeros(6), 0.0)
fit = minimize(f, start, args=(xs, ys, 1e-3), jac=True, method="L-BFGS-B")
w, b = f.unflatten(fit.x)
print(f"{fit.nit} steps, loss {fit.fun:.4f}, w {np.round(w, 2)}, b {b:.2f}")

# %%
assert fit.success and np.max(np.abs(fit.jac)) < 1e-4
assert np.mean((xs @ w + b > 0) == ys) > 0.8
