-- Statistics of samples.
--
--     import "lib/stats"
--     module stats = mk_stats f64

-- | Means, moments and quantiles, over one type of floats.
module mk_samples (R: float) = {
  local def zero = R.i64 0
  local def one = R.i64 1

  -- | [n] -> scalar: the mean; NaN of no numbers.
  --
  --     stats.mean [1.0, 2.0, 6.0] --> 3.0
  def mean [n] (x: [n]R.t) : R.t = R.(sum x / i64 n)

  -- | [n], [n] -> scalar: the mean with these weights, which need not sum to 1.
  --
  --     stats.weighted_mean [1.0, 3.0] [1.0, 2.0] --> 1.75
  def weighted_mean [n] (w: [n]R.t) (x: [n]R.t) : R.t = R.(sum (map2 (*) w x) / sum w)

  local def squares [n] (x: [n]R.t) : R.t =
    let m = mean x in R.sum (map (\a -> R.((a - m) * (a - m))) x)

  -- | [n] -> scalar: the variance of a sample, a sum over n - 1.
  --
  --     stats.variance [1.0, 2.0, 6.0] --> 7.0
  def variance [n] (x: [n]R.t) : R.t = R.(squares x / (i64 n - one))

  -- | [n] -> scalar: the variance of a population, a sum over n.
  --
  --     stats.population_variance [1.0, 2.0, 6.0] --> 4.666666666666667
  def population_variance [n] (x: [n]R.t) : R.t = R.(squares x / i64 n)

  -- | [n] -> scalar: the standard deviation of a sample.  Where all numbers are equal the
  -- derivative is infinite or NaN.
  --
  --     stats.deviation [1.0, 3.0] --> 1.4142135623730951
  def deviation [n] (x: [n]R.t) : R.t = R.sqrt (variance x)

  -- | [n], [n] -> scalar: the covariance of two samples, a sum over n - 1.
  --
  --     stats.covariance [1.0, 2.0, 3.0] [1.0, 2.0, 6.0] --> 2.5
  def covariance [n] (x: [n]R.t) (y: [n]R.t) : R.t =
    let (mx, my) = (mean x, mean y)
    in R.(sum (map2 (\a b -> (a - mx) * (b - my)) x y) / (i64 n - one))

  -- | [n], [n] -> scalar: Pearson's correlation.
  --
  --     stats.correlation [1.0, 2.0, 3.0] [1.0, 2.0, 6.0] --> 0.944911182523068
  def correlation [n] (x: [n]R.t) (y: [n]R.t) : R.t =
    R.(covariance x y / sqrt (variance x * variance y))

  -- | [n][d] -> [d][d]: the covariances of the columns of a sample of n rows.
  --
  --     stats.covariance_matrix [[1.0, 1.0], [2.0, 2.0], [3.0, 6.0]] --> [[1.0, 2.5], [2.5, 7.0]]
  def covariance_matrix [n] [d] (x: [n][d]R.t) : [d][d]R.t =
    let columns = transpose x in map (\a -> map (covariance a) columns) columns

  -- | [n] -> [n]: the numbers, less their mean, over their standard deviation.
  --
  --     stats.standardise [1.0, 3.0] --> [-0.7071067811865475, 0.7071067811865475]
  def standardise [n] (x: [n]R.t) : [n]R.t =
    let (m, s) = (mean x, deviation x) in map (\a -> R.((a - m) / s)) x

  -- | [n] -> [n]: places of the numbers from the least to the greatest, equal ones in their order,
  -- NaN last.  A merge sort.
  --
  --     stats.order [3.0, 1.0, 2.0] --> [1i64, 2i64, 0i64]
  def order [n] (x: [n]R.t) : [n]i64 =
    let x = intrinsics.stop_gradient x
    let before i j = R.(x[i] < x[j]) || R.isnan x[j] && !(R.isnan x[i])
    let merge w (a: [n]i64) : [n]i64 =
      let (out, _, _, _) =
        loop (out, lo, l, r) = (replicate n 0, 0, 0, i64.min w n) for k < n do
          let (mid, hi) = (i64.min (lo + w) n, i64.min (lo + 2 * w) n)
          let left = l < mid && (r >= hi || !(before a[r] a[l]))
          let out[k] = if left then a[l] else a[r]
          let (l, r) = if left then (l + 1, r) else (l, r + 1)
          in if k + 1 == hi then (out, hi, hi, i64.min (hi + w) n) else (out, lo, l, r)
      in out
    let (a, _) = loop (a, w) = (iota n, 1) while w < n do (merge w a, 2 * w)
    in a

  -- | [n] -> [n]: the numbers from the least to the greatest, NaN last; the derivative goes where
  -- the numbers come from.
  --
  --     stats.sort [3.0, 1.0, 2.0] --> [1.0, 2.0, 3.0]
  def sort [n] (x: [n]R.t) : [n]R.t = map (\i -> x[i]) (order x)

  -- | scalar, [n] -> scalar: the quantile, 0 <= q <= 1, between the two nearest numbers in
  -- proportion (type 7 of Hyndman and Fan 1996).
  --
  --     stats.quantile 0.25 [4.0, 1.0, 2.0, 3.0] --> 1.75
  def quantile [n] (q: R.t) (x: [n]R.t) : R.t =
    let x = sort x
    let at = R.(q * (i64 n - one))
    let i = i64.max 0 (i64.min (n - 2) (R.to_i64 (R.floor (intrinsics.stop_gradient at))))
    let t = R.(at - i64 i)
    in if n == 1 then x[0] else let (a, b) = (x[i], x[i + 1]) in R.(a + t * (b - a))

  -- | [n] -> scalar: the median.
  --
  --     stats.median [4.0, 1.0, 2.0, 3.0] --> 2.5
  def median [n] (x: [n]R.t) : R.t = quantile (R.f64 0.5) x
}
