# %% [markdown]
# Functions in worker processes: they are pickled by name and compiled once, in the cache.

# %%
import numpy as np

import dagaz

p = dagaz.source(
    """
-- | Minimum of a tilted quartic by gradient descent, and where it is.
def height (x: f64) (tilt: f64) : f64 = (x * x - 1) ** 2 + tilt * x
def descend (x: f64) (tilt: f64) : f64 =
  loop x for _i < 2000 do x - 0.01 * vjp (\\x -> height x tilt) x 1
""",
    name="quartic",
)
sensitivity = dagaz.grad(p.descend, "tilt")


def work(tilt):
    x = p.descend(-0.5, tilt)
    return float(x), float(sensitivity(-0.5, tilt))


# %%
tilts = np.linspace(-0.2, 0.2, 8)
if __name__ == "__main__":
    try:
        from joblib import Parallel, delayed

        found = Parallel(n_jobs=2)(delayed(work)(t) for t in tilts)
    except ImportError:
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(2) as pool:
            found = list(pool.map(work, tilts))
    x, dx = np.array(found).T
    print(np.column_stack([tilts, x, dx]))

    # At the minimum 4 x (x^2 - 1) + tilt = 0, so dx/dtilt = -1 / (12 x^2 - 4).
    assert np.allclose(4 * x * (x * x - 1) + tilts, 0, atol=1e-8)
    assert np.allclose(dx, -1 / (12 * x * x - 4), rtol=1e-6)
