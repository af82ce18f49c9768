# %% [markdown]
# A network in PyTorch with a layer written in Dagaz: a damped pendulum, integrated by RK4, whose
# parameters are learned with the rest.

# %%
import torch

import dagaz

p = dagaz.source(
    """
-- | Angles of pendulums after `steps` steps of RK4; theta: frequency squared, damping.
def pendulum [n] (theta: [2]f64) (angle: [n]f64) (steps: i64) : [n]f64 =
  let slope (a: f64, v: f64) = (v, -theta[0] * f64.sin a - theta[1] * v)
  let plus (a, v) h (b, w) = (a + h * b, v + h * w)
  let h = 0.05
  let step s =
    let k1 = slope s
    let k2 = slope (plus s (h / 2) k1)
    let k3 = slope (plus s (h / 2) k2)
    let k4 = slope (plus s h k3)
    in plus (plus (plus (plus s (h / 6) k1) (h / 3) k2) (h / 3) k3) (h / 6) k4
  in map (\\a -> (loop s = (a, 0) for _i < steps do step s).0) angle
""",
    name="pendulums",
)
pendulum = dagaz.torch.function(p.pendulum)

# %%
torch.manual_seed(0)
angle = torch.linspace(-1, 1, 32, dtype=torch.float64)
target = 2 * pendulum(torch.tensor([4.0, 0.3], dtype=torch.float64), angle, 30) + 1


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.theta = torch.nn.Parameter(torch.tensor([3.0, 0.1], dtype=torch.float64))
        self.readout = torch.nn.Linear(1, 1, dtype=torch.float64)

    def forward(self, angle):
        return self.readout(pendulum(self.theta, angle, 30)[:, None])[:, 0]


# %%
model = Model()
optimiser = torch.optim.Adam(model.parameters(), lr=0.05)
for _ in range(300):
    optimiser.zero_grad()
    loss = torch.mean((model(angle) - target) ** 2)
    loss.backward()
    optimiser.step()
print(f"loss {loss.item():.1e}, theta {model.theta.detach().numpy()}")

# %%
assert loss.item() < 1e-3
