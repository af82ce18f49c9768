-- Dense linear systems whose derivatives are linear systems.
-- | Solvers of linear systems that need only products with the matrix.
module mk_linear (R: float) = {
  local def zero = R.i64 0
  local def dot [n] (a: [n]R.t) (b: [n]R.t) : R.t = R.sum (map2 (R.*) a b)

  -- | x with a x = b, by elimination with row exchanges.  A singular matrix gives infinities or NaN.
  def solve_plain [n] (a: [n][n]R.t) (b: [n]R.t) : [n]R.t =
    let (u, c) =
      loop (u, c) = (copy a, copy b) for k < n do
        let best = loop p = k for i in k..<n do
          if R.(abs u[i, k] > abs u[p, k]) then i else p
        let top = copy u[best]
        let c_top = copy c[best]
        let u[best] = copy u[k]
        let c[best] = copy c[k]
        let factor = tabulate n (\i -> if i <= k then zero else R.(u[i, k] / top[k]))
        let rest i j = if i == k then top[j] else R.(u[i, j] - factor[i] * top[j])
        in (tabulate_2d n n rest,
            tabulate n (\i -> if i == k then c_top else R.(c[i] - factor[i] * c_top)))
    in loop x = replicate n zero for i in n-1..>-1 do
         let known = R.sum (tabulate n (\j -> if j > i then R.(u[i, j] * x[j]) else zero))
         let x[i] = R.((c[i] - known) / u[i, i])
         in x

  -- x = a^-1 b:   w = a^-T xB,   bB += w,   aB += -w x^T.  a is a result too, so that the rule
  -- has it, and adds to what comes back for it.
  local def solve_with [n]
      (inner: [n][n]R.t -> [n]R.t -> [n]R.t) (a: [n][n]R.t) (b: [n]R.t) : [n]R.t =
    let rule (x: [n]R.t, a: [n][n]R.t) (gx: [n]R.t, ga: [n][n]R.t) =
      let w = inner (transpose a) gx
      in (map2 (\row wi -> map2 (\g xj -> R.(g - wi * xj)) row x) ga w, w)
    in (with_vjp (\(a, b) -> (solve_plain a b, a)) rule (a, b)).0

  -- | x with a x = b.  Its derivatives solve systems with a or its transpose; nothing of the
  -- elimination is stored.
  def solve [n] (a: [n][n]R.t) (b: [n]R.t) : [n]R.t = solve_with (solve_with solve_plain) a b
}
