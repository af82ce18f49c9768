-- What bench/python/compare.py times against JAX and PyTorch; the mixture model is examples/gmm.fut.
import "lib/ad"
module ad = mk_ad f64

def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)
def sigmoid (t: f64) : f64 = 1 / (1 + f64.exp (-t))
def logsumexp [n] (xs: [n]f64) : f64 =
  let m = f64.maximum xs
  in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))

-- | Mean logistic loss.
def logistic [n] [d] (w: [d]f64) (xs: [n][d]f64) (ys: [n]f64) : f64 =
  let ts = map (dot w) xs
  let one t y = f64.max t 0 + f64.log1p (f64.exp (-f64.abs t)) - y * t
  in f64.sum (map2 one ts ys) / f64.i64 n

-- | Sum of the squared distances to the nearest centre.
def kmeans [k] [n] [d] (centres: [k][d]f64) (points: [n][d]f64) : f64 =
  let distance (p: [d]f64) (c: [d]f64) = f64.sum (map2 (\a b -> (a - b) * (a - b)) p c)
  in f64.sum (map (\p -> f64.minimum (map (distance p) centres)) points)

-- | Heat on a torus, and the sum of squares at the end.
def stencil [n] [m] (u: [n][m]f64) (steps: i64) : f64 =
  let step (u: [n][m]f64) =
    map3 (\up row down ->
            map5 (\a b c l r -> b + 0.2 * (a + c + l + r - 4 * b))
                 up row down (rotate (-1) row) (rotate 1 row))
         (rotate (-1) u) u (rotate 1 u)
  let last = loop u for _i < steps do step u
  in f64.sum (map (\r -> dot r r) last)

-- | Log likelihood of a hidden Markov model from logarithms of its probabilities, not normalised.
def hmm [s] [o] [t] (start: [s]f64) (move: [s][s]f64) (emit: [s][o]f64) (seen: [t]i64) : f64 =
  let to = transpose move
  let last =
    loop a = map2 (\p e -> p + e[seen[0]]) start emit for i < t - 1 do
      map2 (\row e -> logsumexp (map2 (+) a row) + e[seen[i + 1]]) to emit
  in logsumexp last

-- | Mean square of what an LSTM layer predicts; w: input, hidden and bias for the four gates.
def lstm [h] [d] [t] (w: [4][h][d]f64) (u: [4][h][h]f64) (b: [4][h]f64) (readout: [h]f64)
                     (xs: [t][d]f64) (ys: [t]f64) : f64 =
  let zero = replicate h 0f64
  let (_, _, total) =
    loop (hidden, cell, total) = (zero, zero, 0) for i < t do
      let gate k = map3 (\wr ur c -> dot wr xs[i] + dot ur hidden + c) w[k] u[k] b[k]
      let cell = map4 (\f c i g -> sigmoid f * c + sigmoid i * f64.tanh g)
                      (gate 0) cell (gate 1) (gate 2)
      let hidden = map2 (\o c -> sigmoid o * f64.tanh c) (gate 3) cell
      let left = dot readout hidden - ys[i]
      in (hidden, cell, total + left * left)
  in total / f64.i64 t

-- | One reprojection of ADBench: p holds rotation, centre, focal length, principal point, two
-- distortions, the point and a weight.
def reproject (p: [15]f64) (feature: [2]f64) : [2]f64 =
  let (r0, r1, r2) = (p[0], p[1], p[2])
  let (x0, x1, x2) = (p[11] - p[3], p[12] - p[4], p[13] - p[5])
  let theta = f64.sqrt (r0 * r0 + r1 * r1 + r2 * r2)
  let (c, s) = (f64.cos theta, f64.sin theta)
  let (w0, w1, w2) = (r0 / theta, r1 / theta, r2 / theta)
  let k = (w0 * x0 + w1 * x1 + w2 * x2) * (1 - c)
  let y0 = x0 * c + (w1 * x2 - w2 * x1) * s + w0 * k
  let y1 = x1 * c + (w2 * x0 - w0 * x2) * s + w1 * k
  let y2 = x2 * c + (w0 * x1 - w1 * x0) * s + w2 * k
  let (a, b) = (y0 / y2, y1 / y2)
  let rr = a * a + b * b
  let l = 1 + p[9] * rr + p[10] * rr * rr
  in [p[14] * (p[6] * a * l + p[7] - feature[0]), p[14] * (p[6] * b * l + p[8] - feature[1])]

entry bundle [n] (ps: [n][15]f64) (features: [n][2]f64) : [n][2][15]f64 =
  map2 (\p f -> ad.jacobian_reverse (\p -> reproject p f) p) ps features
