-- lib/stats: values against those of SciPy, distribution functions against densities, derivatives
-- of all to second order.
-- ==
-- entry: densities
-- input { [-1.6920857137646181, -1.8815088210823687, -1.2666749439387324, -1.7918845471278118,
--   -1.4377564009709272, -0.0969266465828045, -0.2287905546235891, -1.8509193365709309,
--   -1.986297071527619, -1.7862943611198907, -2.1191776853598507, -1.7634672265955849,
--   -0.9448539597231708, -1.321151277766889, -2.2739976361421332, -2.9978827838987456,
--   -1.9418320730656171, -2.7475460150951356] }
-- output { true }
-- ==
-- entry: distributions
-- input { [0.6554217416103242, 0.45270982626725337, 0.597475775966364, 0.8226867232483639,
--   0.2708669237287519, 0.7968893362799453, 0.871901956027983, 0.006382244732812025,
--   0.6211189415908434, 0.6648399769821803, 0.598687660112452, 0.6496107184000002,
--   0.8394767335194707] }
-- output { true }
-- ==
-- entry: slopes derivatives losses supports
-- input {} output { true }
-- ==
-- entry: samples
-- input { [4.0, 1.5, 3.0, 2.0, 7.0] } output { true }
-- ==
-- entry: sorted
-- input { 1000i64 } output { true }
-- input { 1i64 } output { true }
-- input { 0i64 } output { true }
-- ==
-- entry: quantiles
-- input { [4.0, 1.0, 2.0, 3.0] }
-- output { [1.0, 1.75, 2.5, 4.0] [0.0, 0.25, 0.75, 0.0] 3.0 }
import "lib/stats"
import "second"
module stats = mk_stats f64

def l = [[1, 0], [0.6, 0.8]]
entry densities [n] (want: [n]f64) : bool =
  near 1e-13 want
    ([stats.normal_logpdf 0.5 2 1.3, stats.lognormal_logpdf 0.5 2 1.3, stats.exponential_logpdf 0.7 1.3,
      stats.gamma_logpdf 0.5 0.7 1.3, stats.chi_squared_logpdf 3 1.3, stats.beta_logpdf 0.5 2.5 0.3,
      stats.dirichlet_logpdf [1, 2, 0.5] [0.2, 0.3, 0.5], stats.student_t_logpdf 4.5 1.3,
      stats.cauchy_logpdf 0.5 2 1.3, stats.laplace_logpdf 0.5 2 1.3, stats.logistic_logpdf 0.5 2 1.3,
      stats.gumbel_logpdf 0.5 2 1.3, stats.weibull_logpdf 1.7 2 1.3, stats.binomial_logpmf 10 0.3 3,
      stats.geometric_logpmf 0.3 3, stats.poisson_logpmf 25.5 30,
      stats.negative_binomial_logpmf 2.5 0.4 3,
      stats.multivariate_normal_logpdf [0, 0.5] l [1, 2]] :> [n]f64)
entry distributions [n] (want: [n]f64) : bool =
  near 1e-13 want
    ([stats.normal_cdf 0.5 2 1.3, stats.lognormal_cdf 0.5 2 1.3, stats.exponential_cdf 0.7 1.3,
      stats.gamma_cdf 0.5 0.7 1.3, stats.chi_squared_cdf 3 1.3, stats.beta_cdf 0.5 2.5 0.3,
      stats.student_t_cdf 4.5 1.3, stats.student_t_cdf 4.5 (-4), stats.cauchy_cdf 0.5 2 1.3,
      stats.laplace_cdf 0.5 2 1.3, stats.logistic_cdf 0.5 2 1.3, stats.binomial_cdf 10 0.3 3,
      stats.poisson_cdf 25.5 30] :> [n]f64)

-- The derivative of the distribution function is the density.
entry slopes : bool =
  let fits cdf logpdf x = near 1e-12 [vjp cdf x 1] [f64.exp (logpdf x)]
  in fits (stats.normal_cdf 0.5 2) (stats.normal_logpdf 0.5 2) 1.3
     && fits (stats.lognormal_cdf 0.5 2) (stats.lognormal_logpdf 0.5 2) 1.3
     && fits (stats.exponential_cdf 0.7) (stats.exponential_logpdf 0.7) 1.3
     && fits (stats.gamma_cdf 0.5 0.7) (stats.gamma_logpdf 0.5 0.7) 1.3
     && fits (stats.beta_cdf 0.5 2.5) (stats.beta_logpdf 0.5 2.5) 0.3
     && all (fits (stats.student_t_cdf 4.5) (stats.student_t_logpdf 4.5)) [-5, -1.3, 0.3, 1.3, 7]
     && fits (stats.cauchy_cdf 0.5 2) (stats.cauchy_logpdf 0.5 2) 1.3
     && fits (stats.laplace_cdf 0.5 2) (stats.laplace_logpdf 0.5 2) 1.3
     && fits (stats.logistic_cdf 0.5 2) (stats.logistic_logpdf 0.5 2) 1.3
     && near 1e-12 [stats.normal_quantile 0.5 2 (stats.normal_cdf 0.5 2 1.3)] [1.3]

entry derivatives : bool =
  let p = [0.5, 2, 1.3]
  let check (f: f64 -> f64 -> f64 -> f64) = second (\(x: [3]f64) -> f x[0] x[1] x[2]) p == 0
  let pair f = check (\_ a x -> f a x)
  in check stats.normal_logpdf && check stats.lognormal_logpdf && pair stats.exponential_logpdf
     && check stats.gamma_logpdf && check (\a b x -> stats.beta_logpdf a b (0.3 * x))
     && pair stats.student_t_logpdf && check stats.cauchy_logpdf && check stats.laplace_logpdf
     && check stats.logistic_logpdf && check stats.gumbel_logpdf && check stats.weibull_logpdf
     && check (\a b x -> stats.dirichlet_logpdf [a, b] [0.2 * x, 0.5])
     && check (\a _ _ -> stats.binomial_logpmf 5 a 3 + stats.geometric_logpmf a 2)
     && check (\a b _ -> stats.poisson_logpmf b 12 + stats.negative_binomial_logpmf b a 3)
     && check (\a b x -> stats.multivariate_normal_logpdf [a, b] [[x, 0], [a, b]] [1, x])
     && check (\a b x -> stats.categorical_logpmf [a, b, x] 1)

entry losses : bool =
  let p = [0.5, 2, 1.3]
  let check (f: f64 -> f64 -> f64 -> f64) = second (\(x: [3]f64) -> f x[0] x[1] x[2]) p == 0
  in check (\a b _ -> stats.logistic_loss b a) && check (\a b x -> stats.softmax_loss [a, b, x] 1)
     && check (\a b x -> stats.soft_softmax_loss [a, b] [a, x])
     && check (\a b x -> stats.squared_loss [a, b] [x, a])
     && check (\a b _ -> stats.huber_loss 1 a + stats.huber_loss 1 b)
     && check (\a b x -> stats.kl_divergence [a, b] [x, a]) && check (\a b x -> stats.kl_normal a b x a)
     && vjp (stats.logistic_loss 1000) 1 1 == -1000 && vjp (\z -> stats.logistic_loss z 1) 1000 1 == 0

entry supports : bool =
  all (== -f64.inf)
      [stats.lognormal_logpdf 0 1 (-1), stats.exponential_logpdf 1 (-1), stats.gamma_logpdf 2 1 (-1),
       stats.beta_logpdf 2 2 1.5, stats.weibull_logpdf 1 1 (-1), stats.uniform_logpdf 0 1 2,
       stats.binomial_logpmf 3 0.5 4, stats.poisson_logpmf 1 (-1), stats.gamma_logpdf 2 1 0]
  && all (== 0) [vjp (stats.gamma_logpdf 2 1) (-1) 1, vjp (stats.beta_logpdf 2 2) 1.5 1]
  && stats.gamma_logpdf 1 1 0 == 0 && stats.beta_logpdf 1 1 0 == 0 && f64.abs (stats.binomial_logpmf 3 0 0) < 1e-15
  && stats.poisson_logpmf 0 0 == 0 && f64.isnan (stats.normal_logpdf 0 (-1) 0)

entry samples (x: [5]f64) : bool =
  let w = [0.3, 1, 0.5, 0.2, 2]
  let check f = second f x == 0
  in check (\x -> stats.mean x * stats.weighted_mean x w) && check stats.variance
     && check stats.population_variance && check stats.deviation && check (\x -> stats.covariance x w)
     && check (\x -> stats.correlation w x) && check (\x -> (stats.standardise x)[1])
     && check (\x -> stats.quantile 0.3 x * stats.median x)
     && check (\x -> (stats.covariance_matrix (transpose [x, w]))[0, 1] ** 2)
     && near 1e-14 [stats.variance x] [stats.covariance x x]

entry sorted (n: i64) : bool =
  let x = tabulate n (\i -> f64.sin (f64.i64 (i * i)) |> (\v -> if i % 7 == 3 then f64.nan else f64.round (5 * v)))
  let o = stats.order x
  let y = stats.sort x
  let right i = i + 1 >= n || f64.isnan y[i + 1] || y[i] < y[i + 1] || y[i] == y[i + 1] && o[i] < o[i + 1]
  in all right (iota n) && all (== 1) (scatter (replicate n 0) o (replicate n 1))

entry quantiles (x: [4]f64) : ([4]f64, [4]f64, f64) =
  (map (\q -> stats.quantile q x) [0, 0.25, 0.5, 1],
   vjp (stats.quantile 0.25) x 1, vjp (\q -> stats.quantile q x) 0.25 1)
