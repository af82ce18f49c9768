-- | Documented.
def twice (x: f64) : f64 = 2 * x -- not code
#[inline]
entry main [n] (xs: [n]f64) =
  let ys = map twice xs
  in if n > 0
     then "text -- still"
     else vjp f64.sum ys 1
type t = #some i32 | #none
