-- | The Gaussian mixture objective of ADBench and GradBench, and its gradient.
--
-- k components in d dimensions: weights alpha, means mu, and inverse covariance factors given by
-- the logarithm of their diagonal (q) and their strict lower triangle, column by column (l).
-- The log posterior has a Wishart prior with parameters gamma and m.

def square (x: f64) = x * x

def logsumexp [n] (xs: [n]f64) : f64 =
  let m = f64.maximum xs
  in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

def matvec [n] [m] (a: [n][m]f64) (x: [m]f64) : [n]f64 = map (dot x) a

-- | The lower triangular factor Q of one component.
def factor [d] [t] (q: [d]f64) (l: [t]f64) : [d][d]f64 =
  tabulate_2d d d (\i j ->
    if i < j then 0
    else if i == j then f64.exp q[i]
    else l[d * j + i - j - 1 - j * (j + 1) / 2])

def log_gamma_distrib (a: f64) (p: i64) : f64 =
  0.25 * f64.i64 (p * (p - 1)) * f64.log f64.pi
  + f64.sum (map (\j -> f64.lgamma (a + 0.5 * (1 - f64.i64 j))) (1...p))

def log_wishart_prior [k] [d] (qs: [k][d]f64) (factors: [k][d][d]f64) (gamma: f64) (m: i64) : f64 =
  let n = d + m + 1
  let frobenius = f64.sum (map (\row -> f64.sum (map square (flatten row))) factors)
  let c = f64.i64 (n * d) * (f64.log gamma - 0.5 * f64.log 2)
          - log_gamma_distrib (0.5 * f64.i64 n) d
  in 0.5 * gamma * gamma * frobenius
     - f64.i64 m * f64.sum (flatten qs)
     - f64.i64 k * c

entry objective [n] [k] [d] [t]
    (alpha: [k]f64) (mu: [k][d]f64) (q: [k][d]f64) (l: [k][t]f64)
    (x: [n][d]f64) (gamma: f64) (m: i64) : f64 =
  let factors = map2 factor q l
  let sums = map f64.sum q
  let main_term =
    f64.sum (map (\xi ->
      logsumexp (map4 (\a mu_k factor_k sum_k ->
        let y = matvec factor_k (map2 (-) xi mu_k)
        in a + sum_k - 0.5 * f64.sum (map square y))
        alpha mu factors sums))
      x)
  in main_term
     - f64.i64 (n * d) * 0.5 * f64.log (2 * f64.pi)
     - f64.i64 n * logsumexp alpha
     - log_wishart_prior q factors gamma m

-- | The gradient with respect to alpha, mu, q and l.
entry gradient [n] [k] [d] [t]
    (alpha: [k]f64) (mu: [k][d]f64) (q: [k][d]f64) (l: [k][t]f64)
    (x: [n][d]f64) (gamma: f64) (m: i64) : ([k]f64, [k][d]f64, [k][d]f64, [k][t]f64) =
  vjp (\(alpha, mu, q, l) -> objective alpha mu q l x gamma m) (alpha, mu, q, l) 1
