-- Discrete distributions, permutations and choices; nothing here is differentiable.
import "counter"
import "continuous"

-- | Discrete distributions, with parameters of one type of floats.
module mk_discrete (R: float) = {
  local module C = mk_continuous R
  local def zero = R.i64 0
  local def one = R.i64 1
  local def half = R.f64 0.5

  -- | A number lo <= i < hi; each is as likely as others up to (hi - lo) / 2^64.
  --
  --     random.integer 3 4 (random.key 1) --> 3i64
  def integer (lo: i64) (hi: i64) (k: key) : i64 =
    lo + i64.u64 (u64.mul_hi (bits k 0) (u64.i64 (hi - lo)))

  -- | True with probability p.
  --
  --     random.bernoulli 1 (random.key 1) --> true
  def bernoulli (p: R.t) (k: key) : bool = R.(C.uniform k < p)

  -- | [n] -> scalar: i with a probability proportional to exp logits[i] (Gumbel's maximum).
  --
  --     random.categorical [0.0, -f64.inf] (random.key 1) --> 0i64
  def categorical [n] (logits: [n]R.t) (k: key) : i64 =
    let x = map2 (\l i -> R.(l + C.gumbel (fold_in k i))) logits (iota n)
    in loop best = 0 for i < n do if R.(x[i] > x[best]) then i else best

  -- | The number of failures before a success of probability p.
  --
  --     random.geometric 1 (random.key 1) --> 0i64
  def geometric (p: R.t) (k: key) : i64 = R.(to_i64 (floor (log (C.uniform k) / log1p (neg p))))

  -- Sums probabilities until they exceed a uniform number; next gives that of i from that of i - 1.
  local def search (u: R.t) (p0: R.t) (most: i64) (next: i64 -> R.t -> R.t) : i64 =
    let (i, _, _) =
      loop (i, p, s) = (0i64, p0, p0) while R.(u > s) && i < most do
        let p = next (i + 1) p
        in (i + 1, p, R.(s + p))
    in i

  -- Transformed rejection (Hoermann 1993): hat parameters a, b, centre c, and the logarithm of the
  -- ratio of v to its bound at k, given b + a / us^2.
  local def transformed (k: key) (a: R.t, b: R.t, c: R.t, squeeze: R.t) (most: R.t)
      (below: R.t -> R.t -> R.t -> bool) : i64 =
    let try i =
      let u = R.(C.uniform_at k i - half)
      let us = R.(half - abs u)
      in (R.(floor ((a / us + a / us + b) * u + c)), us, C.uniform_at k (i + 1))
    let accepted (x: R.t, us: R.t, v: R.t) =
      R.(x >= zero) && R.(x <= most)
      && (R.(us >= f64 0.07) && R.(v <= squeeze)
          || R.(us >= f64 0.013 || v <= us) && below x v R.(a / (us * us) + b))
    let ((x, _, _), _) =
      loop (t, i) = (try 0, 2i64) while !(accepted t) && i < 2000 do (try i, i + 2)
    in R.to_i64 x

  -- | Poisson, of this mean: by search below 10, by transformed rejection (Hoermann 1993, PTRS)
  -- above.
  --
  --     random.poisson 0 (random.key 1) --> 0i64
  def poisson (mean: R.t) (k: key) : i64 =
    if R.(mean < i64 10)
    then search (C.uniform k) (R.exp (R.neg mean)) 200 (\i p -> R.(p * mean / i64 i))
    else let b = R.(f64 0.931 + f64 2.53 * sqrt mean)
         let a = R.(f64 0.02483 * b - f64 0.059)
         let inverse_alpha = R.(f64 1.1239 + f64 1.1328 / (b - f64 3.4))
         let squeeze = R.(f64 0.9277 - f64 3.6224 / (b - i64 2))
         in transformed k (a, b, R.(mean + f64 0.43), squeeze) R.inf (\x v hat ->
              R.(log (v * inverse_alpha / hat) <= x * log mean - mean - lgamma (x + one)))

  -- | The number of successes among n trials of probability p: by search where few are expected, by
  -- transformed rejection (Hoermann 1993, BTRS) elsewhere.
  --
  --     random.binomial 5 1.0 (random.key 1) --> 5i64
  def binomial (n: i64) (p: R.t) (k: key) : i64 =
    let few = R.(p <= half)
    let (p, total) = (if few then p else R.(one - p), R.i64 n)
    let q = R.(one - p)
    let x =
      if R.(total * p < i64 10)
      then search (C.uniform k) R.(exp (total * log1p (neg p))) n
                  (\i s -> R.(s * (total + one - i64 i) * p / (i64 i * q)))
      else let spread = R.(sqrt (total * p * q))
           let b = R.(f64 1.15 + f64 2.53 * spread)
           let a = R.(f64 0.0248 * b + f64 0.01 * p - f64 0.0873)
           let squeeze = R.(f64 0.92 - f64 4.2 / b)
           let alpha = R.((f64 2.83 + f64 5.1 / b) * spread)
           let mode = R.(floor ((total + one) * p))
           let size x = R.(lgamma (x + one) + lgamma (total - x + one))
           in transformed k (a, b, R.(total * p + half), squeeze) total (\x v hat ->
                R.(log (v * alpha / hat) <= size mode - size x + (x - mode) * log (p / q)))
    in if few then x else n - x

  -- | [n]: the first m of a random order of 0 .. n - 1, that is m different ones (Fisher and
  -- Yates).
  --
  --     random.choose 1 1 (random.key 1) --> [0i64]
  def choose (m: i64) (n: i64) (k: key) : [m]i64 =
    let order =
      loop order = iota n for i < i64.min m n do
        let j = integer i n (fold_in k i)
        let (x, y) = (order[i], order[j])
        let order[i] = y
        in order with [j] = x
    in order[0:m]

  -- | [n]: 0 .. n - 1 in a random order, all as likely.
  --
  --     random.permutation 1 (random.key 1) --> [0i64]
  def permutation (n: i64) (k: key) : [n]i64 = choose n n k

  -- | [n] -> [n]: the elements in a random order.
  --
  --     i64.sum (random.shuffle [1, 2, 3] (random.key 1)) --> 6i64
  def shuffle [n] 'a (xs: [n]a) (k: key) : [n]a = map (\i -> xs[i]) (permutation n k)
}
