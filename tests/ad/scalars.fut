-- Scalars, branches, custom rules, integers, sums.
-- ==
-- entry: quotient
-- input { 2.0 1.0 } output { 1.8414709848078965 -0.9193953882637205 }
-- ==
-- entry: branch
-- input { 2.0 } output { 4.0 }
-- input { -1.0 } output { -3.0 }
-- input { 0.0 } output { -3.0 }
-- ==
-- entry: custom
-- input { 2.3 } output { 1.0 1.0 }
-- ==
-- entry: custom_plain
-- input { 2.3 } output { 2.0 }
-- ==
-- entry: squares_i32
-- input { [1,2,3] } output { [2,4,6] }
-- ==
-- entry: sum_type
-- input { 0 2.0 } output { 4.0 }
-- input { 1 2.0 } output { 3.0 }

def f_quotient (x: f64, y: f64) = x * f64.sin y + x / y
entry quotient (x: f64) (y: f64) = vjp f_quotient (x, y) 1

def f_branch (x: f64) = if x > 0 then x * x else -3 * x
entry branch (x: f64) = vjp f_branch x 1

def f_custom (x: f64) = with_vjp f64.round (\_ g -> g) x
entry custom (x: f64) = (vjp f_custom x 1, jvp f_custom x 1)
entry custom_plain (x: f64) = f_custom x

entry squares_i32 [n] (xs: [n]i32) = vjp (\xs -> i32.sum (map (\x -> x * x) xs)) xs 1

type s = #a f64 | #b f64 f64
def f_sum (t: i32) (x: f64) =
  let v : s = if t == 0 then #a x else #b x 3
  in match v case #a y -> y * y case #b y z -> y * z
entry sum_type (t: i32) (x: f64) = vjp (f_sum t) x 1
