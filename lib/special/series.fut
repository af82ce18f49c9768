-- Sums and derivative rules that the special functions share.
--
--     import "lib/special/series"
--     module series = mk_series f64

-- | Sums and rules, over one type of floats.
module mk_series (R: float) = {
  local def zero = R.i64 0
  local def one = R.i64 1

  -- | sum of c_k T_k t, T_k the Chebyshev polynomials, by Clenshaw's recurrence,
  -- n a constant.
  --
  --     series.clenshaw [1.0, 2.0, 3.0] 0.5 --> 0.5
  #[inline]
  def clenshaw [n] (c: [n]R.t) (t: R.t) : R.t =
    let twice = R.(t + t)
    let (a, b) =
      #[unroll] loop (a, b) = (zero, zero) for i < n - 1 do
        let k = c[n - 1 - i] in (R.(k + twice * a - b), a)
    in R.(c[0] + t * a - b)

  -- | f x, whose derivative is computed in forward mode: nothing of the way is stored.
  --
  --     series.forward (\x -> x * x) 3.0 --> 9.0
  #[inline]
  def forward (f: R.t -> R.t) (x: R.t) : R.t =
    with_vjp_tape (\x -> (x, f x)) (\(x, g) -> R.(g * jvp f x one)) x

  -- | f x, with the derivative f' x.
  --
  --     series.known (\x -> x * x) (\x -> 2 * x) 3.0 --> 9.0
  #[inline]
  def known (f: R.t -> R.t) (f': R.t -> R.t) (x: R.t) : R.t =
    with_vjp_tape (\x -> (x, f x)) (\(x, g) -> R.(g * f' x)) x
}
