-- lib/random: the block function against the vectors published with the paper; distributions
-- against their distribution functions and moments; derivatives along the path.
-- ==
-- entry: vectors
-- input { 0u32 0u32 0u32 0u32 } output { 0x6b200159u32 0x99ba4efeu32 }
-- input { 0xffffffffu32 0xffffffffu32 0xffffffffu32 0xffffffffu32 }
-- output { 0x1cb996fcu32 0xbb002be7u32 }
-- input { 0x243f6a88u32 0x85a308d3u32 0x13198a2eu32 0x03707344u32 }
-- output { 0xc4923a9cu32 0x483df7a0u32 }
-- ==
-- entry: keys
-- input { 300i64 } output { true }
-- ==
-- entry: bits_even
-- input { 2000i64 } output { true }
-- ==
-- entry: continuous
-- input { 3000i64 } output { true }
-- ==
-- entry: multivariate
-- input { 3000i64 } output { true }
-- ==
-- entry: counts
-- input { 3000i64 } output { true }
-- ==
-- entry: choices
-- input { 2000i64 } output { true }
-- ==
-- entry: slopes
-- input {} output { true }
-- ==
-- entry: paths
-- input {} output { true }
-- ==
-- entry: gradients_of_means
-- input { 3000i64 } output { true }
-- ==
-- entry: single
-- input { 1000i64 } output { true }
import "lib/random"
import "lib/random/counter"
import "lib/special"
import "second"
module random = mk_random f64
module random32 = mk_random f32
module special = mk_special f64

entry vectors (c0: u32) (c1: u32) (k0: u32) (k1: u32) = threefry2x32 (k0, k1) (c0, c1)

def different [n] (ks: [n]u64) : bool =
  all (\i -> all (\j -> i == j || ks[i] != ks[j]) (iota n)) (iota n)
entry keys (n: i64) : bool =
  let k = random.key 7
  in different (random.split n k ++ tabulate n (bits k) ++ random.split n (random.split2 k).0)

-- Each of the 64 bits is set in half of the numbers.
entry bits_even (n: i64) : bool =
  let b = tabulate n (bits (random.key 1))
  let count i = i64.sum (map (\x -> i64.u64 ((x >> u64.i64 i) & 1)) b)
  in all (\i -> i64.abs (2 * count i - n) < 4 * i64.f64 (f64.sqrt (f64.i64 n))) (iota 64)

-- Whether the values of the distribution function at the numbers have the first four moments of a
-- uniform distribution, to 4.5 standard deviations.
def uniform_moments [n] (u: [n]f64) : bool =
  let near (k: f64) =
    let mean = f64.sum (map (** k) u) / f64.i64 n
    let variance = 1 / (2 * k + 1) - 1 / (k + 1) ** 2
    in f64.abs (mean - 1 / (k + 1)) < 4.5 * f64.sqrt (variance / f64.i64 n)
  in all near [1, 2, 3, 4]

entry continuous (n: i64) : bool =
  let k = random.key 3
  let fits draw cdf = uniform_moments (map cdf (random.several n draw k))
  let t_cdf x = let p = 0.5 * special.beta_inc 1.5 0.5 (3 / (3 + x * x))
                in if x > 0 then 1 - p else p
  in uniform_moments (random.uniforms n k) && uniform_moments (map special.ndtr (random.normals n k))
     && fits (random.uniform_in 2 4) (\x -> (x - 2) / 2)
     && fits (random.normal 1 2) (\x -> special.ndtr ((x - 1) / 2))
     && fits (random.lognormal 1 2) (\x -> special.ndtr ((f64.log x - 1) / 2))
     && fits (random.exponential 2) (\x -> 1 - f64.exp (-2 * x))
     && fits random.gumbel (\x -> f64.exp (- f64.exp (-x)))
     && fits random.logistic special.expit
     && fits random.laplace (\x -> if x < 0 then f64.exp x / 2 else 1 - f64.exp (-x) / 2)
     && fits random.cauchy (\x -> 0.5 + f64.atanpi x)
     && fits (random.weibull 2 3) (\x -> 1 - f64.exp (-((x / 3) ** 2)))
     && fits (random.gamma 0.3) (special.gamma_p 0.3) && fits (random.gamma 1) (special.gamma_p 1)
     && fits (random.gamma 7.5) (special.gamma_p 7.5)
     && fits (random.chi_squared 3) (\x -> special.gamma_p 1.5 (x / 2))
     && fits (random.beta 0.5 2) (special.beta_inc 0.5 2)
     && fits (random.beta 3 1.5) (special.beta_inc 3 1.5) && fits (random.student_t 3) t_cdf
     && all (\x -> x > -1e6 && x < 3) (random.several n (random.log_gamma 1e-3) k)

def mean [n] (x: [n]f64) = f64.sum x / f64.i64 n
def within (t: f64) (x: f64) (y: f64) = f64.abs (x - y) < t
entry multivariate (n: i64) : bool =
  let k = random.key 4
  let x = random.several n (random.multivariate_normal [1, 2] [[1, 0], [0.6, 0.8]]) k
  let d = random.several n (random.dirichlet [1, 2, 0.5]) k
  let g = random.several n (random.gumbel_softmax 0.1 [0, f64.log 3]) k
  in within 0.09 (mean x[:, 0]) 1 && within 0.09 (mean x[:, 1]) 2
     && within 0.1 (mean (map (\x -> (x[0] - 1) * (x[1] - 2)) x)) 0.6
     && within 0.02 (mean d[:, 0]) (2 / 7) && within 0.02 (mean d[:, 1]) (4 / 7)
     && within 0.04 (mean (map (\g -> f64.bool (g[1] > 0.5)) g)) 0.75

entry counts (n: i64) : bool =
  let k = random.key 5
  let fits (draw: key -> i64) (m: f64) (v: f64) =
    let x = map f64.i64 (random.several n draw k)
    in within (4 * f64.sqrt (v / f64.i64 n)) (mean x) m
       && within (0.12 * v) (mean (map (\x -> (x - m) ** 2) x)) v
  in fits (random.poisson 0.5) 0.5 0.5 && fits (random.poisson 9.5) 9.5 9.5
     && fits (random.poisson 10.5) 10.5 10.5 && fits (random.poisson 3000) 3000 3000
     && fits (random.binomial 5 0.3) 1.5 1.05 && fits (random.binomial 40 0.5) 20 10
     && fits (random.binomial 1000 0.9) 900 90 && fits (random.geometric 0.25) 3 12
     && fits (random.integer 2 8) 4.5 (35 / 12) && fits (\k -> i64.bool (random.bernoulli 0.3 k)) 0.3 0.21
     && fits (random.categorical [0, f64.log 2, 0]) 1 0.5

entry choices (n: i64) : bool =
  let k = random.key 6
  let p = random.permutation n k
  let first = random.several n (\k -> (random.permutation 4 k)[2]) k
  let count i = i64.sum (map (\x -> i64.bool (x == i)) first)
  let some = random.choose 5 20 k
  in and (map2 (==) (scatter (replicate n 0) p (replicate n 1)) (replicate n 1))
     && all (\i -> i64.abs (count i - n / 4) < 80) (iota 4)
     && all (\x -> x >= 0 && x < 20) some && different (map u64.i64 some)
     && i64.sum (random.shuffle (iota n) k) == n * (n - 1) / 2 && length (random.choose 0 3 k) == 0

entry slopes : bool =
  let a = [1, 1, 1.5, 2, 5, 5, 20, 100]
  let z = [0.6931471805599453, 5, 0.1, 3, 1, 12, 25, 80]
  let want = [0.96804483044204447, 2.3570757536203654, 0.20975276844086393, 1.3217985181779629,
              0.41468824768962706, 1.5508363766251058, 1.1250501465778571, 0.89406066835618287]
  in near 1e-11 (map2 random.gamma_slope a z) want

-- The quantile by Newton's method: its derivatives are those of a number with fixed probability.
def quantile (p: f64) (start: f64) (a: f64) : f64 =
  loop z = start for _i < 6 do z - (special.gamma_p a z - p) / special.gamma_density a z
entry paths : bool =
  let along a k =
    let z = random.gamma a k
    let q = quantile (special.gamma_p a z) z
    let d = (q (a + 1e-4) - q (a - 1e-4)) / 2e-4
    let d2 = (q (a + 1e-3) - 2 * q a + q (a - 1e-3)) / 1e-6
    let g a = vjp (\a -> random.gamma a k) a 1
    in f64.abs (g a - d) < 1e-6 * (1 + f64.abs d) && f64.abs (jvp g a 1 - d2) < 1e-4 * (1 + f64.abs d2)
       && f64.abs (jvp (\a -> random.gamma a k) a 1 - g a) < 1e-12
       && f64.abs (vjp g a 1 - jvp g a 1) < 1e-9
  in all (\i -> along 1.5 (random.key i) && along 8 (random.key i)) (iota 5)
     && second (\x -> random.normal x[0] x[1] (random.key 1)) [1, 2] == 0
     && second (\x -> random.weibull x[0] x[1] (random.key 1)) [1, 2] == 0
     && second (\x -> (random.gumbel_softmax x[0] x[1:3] (random.key 1))[1]) [0.7, 1, 2] == 0

-- E z = a, E z^2 = a^2 + a, so the means of dz/da and of 2 z dz/da are 1 and 2 a + 1; below 1, too.
-- The mean of beta is a / (a + b).
entry gradients_of_means (n: i64) : bool =
  let ks = random.split n (random.key 9)
  let slope a k = vjp (\a -> random.gamma a k) a 1
  let mean_slope a = mean (map (slope a) ks)
  let square a = mean (map (\k -> 2 * random.gamma a k * slope a k) ks)
  let b = mean (map (\k -> vjp (\a -> random.beta a 2 k) 3 1) ks)
  in within 0.1 (mean_slope 0.5) 1 && within 0.05 (mean_slope 3) 1 && within 0.6 (square 3) 7
     && within 0.004 b (2 / 25)

entry single (n: i64) : bool =
  let u = random32.uniforms n (random32.key 1)
  let g = random32.several n (random32.gamma 2) (random32.key 2)
  in all (\x -> x > 0 && x < 1) u && uniform_moments (map f64.f32 u)
     && uniform_moments (map (\x -> special.gamma_p 2 (f64.f32 x)) g)
