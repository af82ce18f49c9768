-- | A lattice-Boltzmann-like flow in two dimensions: nine populations per cell stream to the
-- neighbours and relax to an equilibrium; the derivative of the kinetic energy after `steps` steps
-- in the initial state.

def weights : [9]f64 = [4/9, 1/9, 1/9, 1/9, 1/9, 1/36, 1/36, 1/36, 1/36]
def cx : [9]i64 = [0, 1, 0, -1, 0, 1, -1, -1, 1]
def cy : [9]i64 = [0, 0, 1, 0, -1, 1, 1, -1, -1]

def collide (f: [9]f64) : [9]f64 =
  let rho = f64.sum f
  let u = (f[1] - f[3] + f[5] - f[6] - f[7] + f[8]) / rho
  let v = (f[2] - f[4] + f[5] + f[6] - f[7] - f[8]) / rho
  let square = 1.5 * (u * u + v * v)
  in map4 (\w x y p ->
    let c = 3 * (f64.i64 x * u + f64.i64 y * v)
    in p + 0.6 * (w * rho * (1 + c + 0.5 * c * c - square) - p)) weights cx cy f

def step [h] [w] (state: [h][w][9]f64) : [h][w][9]f64 =
  tabulate_2d h w (\y x ->
    collide (map3 (\i dx dy ->
      let sx = (x - dx + w) %% w
      let sy = (y - dy + h) %% h
      in #[unsafe] state[sy, sx, i]) (iota 9) cx cy))

def energy [h] [w] (state: [h][w][9]f64) : f64 =
  f64.sum (map (\row -> f64.sum (map (\f ->
    let u = f[1] - f[3] + f[5] - f[6] - f[7] + f[8]
    let v = f[2] - f[4] + f[5] + f[6] - f[7] - f[8]
    in u * u + v * v) row)) state)

def run [h] [w] (steps: i64) (state: [h][w][9]f64) : f64 =
  energy (loop state for _i < steps do step state)

entry state (h: i64) (w: i64) : [h][w][9]f64 =
  tabulate_2d h w (\y x ->
    map (\p -> p * (1 + 0.1 * f64.sin (0.3 * f64.i64 x) * f64.cos (0.2 * f64.i64 y))) weights)

entry lattice [h] [w] (steps: i64) (s: [h][w][9]f64) : f64 = run steps s
entry lattice_grad [h] [w] (steps: i64) (s: [h][w][9]f64) : [h][w][9]f64 = vjp (run steps) s 1
