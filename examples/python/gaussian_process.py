# %% [markdown]
# Hyperparameters of a Gaussian process by Newton's method: exact gradient and Hessian of the
# marginal likelihood, through a Cholesky factorisation.

# %%
import numpy as np

import dagaz

p = dagaz.source(
    """
def cholesky [n] (a: [n][n]f64) : [n][n]f64 =
  loop l = replicate n (replicate n 0) for j < n do
    let d = f64.sqrt (a[j, j] - f64.sum (map (** 2) l[j]))
    let column = map2 (\\ai li -> (ai - f64.sum (map2 (*) li l[j])) / d) a[:, j] l
    in tabulate_2d n n (\\i k -> if k != j || i < j then l[i, k] else
                                if i == j then d else column[i])

def forward [n] (l: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop x = replicate n 0 for i < n do
    x with [i] = (b[i] - f64.sum (map2 (*) l[i] x)) / l[i, i]

-- | Minus the log marginal likelihood; t: logarithms of scale, variance and noise.
def nll [n] (t: [3]f64) (xs: [n]f64) (ys: [n]f64) : f64 =
  let scale = f64.exp t[0]
  let kernel x y = f64.exp (t[1] - 0.5 * ((x - y) / scale) ** 2)
  let k = map2 (\\i x -> map2 (\\j y -> kernel x y + if i == j then f64.exp t[2] + 1e-9 else 0)
                            (iota n) xs) (iota n) xs
  let l = cholesky k
  let z = forward l ys
  in 0.5 * f64.sum (map (** 2) z) + f64.sum (map (\\i -> f64.log l[i, i]) (iota n))
""",
    name="process",
)

# %%
rng = np.random.default_rng(0)
xs = np.sort(rng.uniform(0, 5, 40))
ys = np.sin(2 * xs) + 0.1 * rng.normal(size=40)

# %%
value_and_grad = dagaz.value_and_grad(p.nll, "t")
hessian = dagaz.hessian(p.nll, "t")
t = np.array([-0.7, 0.0, -3.0])
for step in range(30):  # noqa: B007
    value, g = value_and_grad(t, xs, ys)
    if np.linalg.norm(g) < 1e-8:
        break
    h = hessian(t, xs, ys)
    h += max(0.0, 1e-3 - np.linalg.eigvalsh(h)[0]) * np.eye(3)
    d = -np.linalg.solve(h, g)
    size = 1.0
    while not p.nll(t + size * d, xs, ys) <= value + 1e-4 * size * (g @ d):
        size /= 2
    t = t + size * d
print(f"{step} steps: scale {np.exp(t[0]):.3f}, noise {np.exp(t[2] / 2):.3f}, nll {value:.3f}")

# %%
assert np.linalg.norm(g) < 1e-6 and 0.05 < np.exp(t[2] / 2) < 0.2
assert dagaz.check_grad(p.nll, t + 0.1, xs, ys, wrt="t")
