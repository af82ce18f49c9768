# %% [markdown]
# Fitting an ODE of 200 unknowns through 2000 steps within a memory limit: the derivative computes
# states again that it cannot keep.

# %%
import numpy as np

import dagaz

text = """
-- | A front of u' = r[0] (second difference of u) + r[1] u (1 - u) after `steps` steps.
def front [n] (t: [2]f64) (u: [n]f64) (steps: i64) : [n]f64 =
  let r = map f64.exp t
  let step (u: [n]f64) =
    map3 (\\l c m -> c + 0.01 * (r[0] * (l + m - 2 * c) + r[1] * c * (1 - c)))
         (rotate (-1) u) u (rotate 1 u)
  in loop u for _i < steps do step u

-- | Squares of what is left; t: logarithms of the two rates.
def misfit [n] (t: [2]f64) (u: [n]f64) (steps: i64) (data: [n]f64) : f64 =
  f64.sum (map2 (\\a b -> (a - b) ** 2) (front t u steps) data)
"""
plain = dagaz.source(text, name="front")
limited = dagaz.source(text, name="front", memory_limit="500KB")

# %%
start = np.exp(-(((np.arange(200) - 100) / 8.0) ** 2))
steps = 2000
data = plain.front(np.log([6.0, 0.5]), start, steps)
t = np.log([3.0, 0.8])

# %%
f, g = (dagaz.value_and_grad(p.misfit, "t") for p in (plain, limited))
value, want = f(t, start, steps, data)
same, got = g(t, start, steps, data)
print(f"gradient {want}, within the limit {got}")
assert value == same and np.allclose(want, got, rtol=1e-10)

# %%
jacobian = dagaz.jacobian(limited.front, "t", mode="forward")
for _ in range(20):  # Gauss-Newton
    r = limited.front(t, start, steps) - data
    if r @ r < 1e-20:
        break
    t = t - np.linalg.lstsq(jacobian(t, start, steps), r, rcond=None)[0]
print(f"misfit {value:.3f} -> {r @ r:.1e}, rates {np.exp(t)}")
assert np.allclose(np.exp(t), [6.0, 0.5], rtol=1e-6)
