-- Loops that append to an array: the memory of their gradient is that of the array (appended.t).
def some (n: i64) : [n]f64 = tabulate n (\i -> 0.1 * f64.i64 (i % 11))

def always [n] (x: [n]f64) : f64 =
  f64.sum (loop xs = [1] for i < n do xs ++ [f64.sin (xs[i] * x[i]) + xs[i / 2]])
def sometimes [n] (x: [n]f64) : f64 =
  f64.sum (loop xs = [1] for i < n do
    if x[i] > 0.3 then xs ++ [x[i] * xs[length xs / 2]] else xs)
def rows [n] (x: [n]f64) : f64 =
  f64.sum (flatten (loop xs = [[1, 1]] for i < n do xs ++ [[x[i] * xs[i, 0], x[i] * xs[i / 2, 1]]]))

entry grad_always (n: i64) = vjp always (some n) 1
entry grad_sometimes (n: i64) = vjp sometimes (some n) 1
entry grad_rows (n: i64) = vjp rows (some n) 1
