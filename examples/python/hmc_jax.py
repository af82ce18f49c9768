# %% [markdown]
# Hamiltonian Monte Carlo in JAX with a likelihood in Dagaz: the sampler is jitted, `scan` and all.

# %%
import jax
import jax.numpy as jnp
import numpy as np

import dagaz
import dagaz.jax

jax.config.update("jax_enable_x64", True)
p = dagaz.source(
    """
-- | Log posterior of a linear model with Student-t noise (4 degrees) and normal priors.
def log_posterior [n] (theta: [3]f64) (xs: [n]f64) (ys: [n]f64) : f64 =
  let scale = f64.exp theta[2]
  let one x y =
    let z = (y - theta[0] - theta[1] * x) / scale
    in -2.5 * f64.log1p (z * z / 4) - theta[2]
  in f64.sum (map2 one xs ys) - f64.sum (map (** 2) theta) / 200
""",
    name="student",
)
log_posterior = dagaz.jax.function(p.log_posterior)

# %%
rng = np.random.default_rng(0)
xs = rng.normal(size=100)
ys = 0.5 + 2.0 * xs + 0.3 * rng.standard_t(4, size=100)


def leapfrog(theta, momentum, step):
    gradient = jax.grad(log_posterior)

    def one(state, _):
        theta, momentum = state
        momentum = momentum + step / 2 * gradient(theta, xs, ys)
        theta = theta + step * momentum
        return (theta, momentum + step / 2 * gradient(theta, xs, ys)), None

    return jax.lax.scan(one, (theta, momentum), None, length=10)[0]


def transition(theta, key):
    at, accept = jax.random.split(key)
    momentum = jax.random.normal(at, theta.shape, dtype=theta.dtype)
    new, moved = leapfrog(theta, momentum, 0.02)
    energy = log_posterior(theta, xs, ys) - momentum @ momentum / 2
    other = log_posterior(new, xs, ys) - moved @ moved / 2
    taken = jnp.log(jax.random.uniform(accept)) < other - energy
    theta = jnp.where(taken, new, theta)
    return theta, (theta, taken)


# %%
keys = jax.random.split(jax.random.PRNGKey(0), 400)
_, (draws, taken) = jax.jit(lambda t, k: jax.lax.scan(transition, t, k))(jnp.zeros(3), keys)
mean = np.mean(draws[200:], axis=0)
print(f"accepted {np.mean(taken):.2f}, intercept {mean[0]:.2f}, slope {mean[1]:.2f}")

# %%
assert np.mean(taken) > 0.6 and abs(mean[0] - 0.5) < 0.15 and abs(mean[1] - 2.0) < 0.15
