-- Algorithms that sort in place: loops of unknown length in others, swaps in branches, a stack of
-- ranges.  A sorted array is a permutation of the argument, so the derivative of sum (i * y_i^2) by the
-- element that comes to place i is 2 i y_i: by the rank of each element.

def ranks [n] (xs: [n]f64) : [n]i64 =
  map (\x -> i64.sum (map (\y -> i64.bool (y < x)) xs)) xs

def weighted [n] (ys: [n]f64) : f64 = f64.sum (map2 (\i y -> f64.i64 i * y * y) (iota n) ys)

def insertion [n] (xs: [n]f64) : [n]f64 =
  loop ys = copy xs for i in 1..<i64.max 1 n do
    let y = copy ys[i]
    let (ys, j) = loop (ys, j) = (ys, i) while j > 0 && ys[j - 1] > y do
      (ys with [j] = copy ys[j - 1], j - 1)
    in ys with [j] = y

def bubble [n] (xs: [n]f64) : [n]f64 =
  (loop (ys, go) = (copy xs, true) while go do
     loop (ys, go) = (ys, false) for i < n - 1 do
       if ys[i] > ys[i + 1] then
         let y = copy ys[i]
         let ys[i] = copy ys[i + 1]
         in (ys with [i + 1] = y, true)
       else (ys, go)).0

def heap [n] (xs: [n]f64) : [n]f64 =
  let h = loop h = replicate (2 * n + 2) f64.inf for i < n do
    let h[i + 1] = xs[i]
    let (h, _) = loop (h, j) = (h, i + 1) while j > 1 && h[j] < h[j / 2] do
      let t = h[j]
      let h[j] = copy h[j / 2]
      in (h with [j / 2] = t, j / 2)
    in h
  in (loop (ys, h) = (replicate n 0, h) for i < n do
        let ys[i] = copy h[1]
        let h[1] = copy h[n - i]
        let h[n - i] = f64.inf
        let (h, _) = loop (h, j) = (h, 1) while j <= n && f64.min h[2 * j] h[2 * j + 1] < h[j] do
          let c = if h[2 * j + 1] < h[2 * j] then 2 * j + 1 else 2 * j
          let t = h[j]
          let h[j] = copy h[c]
          in (h with [c] = t, c)
        in (ys, h)).0

def quick [n] (xs: [n]f64) : [n]f64 =
  let stack = replicate (2 * n + 2) (0, 0) with [0] = (0, n)
  in (loop (ys, stack, top) = (copy xs, stack, 1i64) while top > 0 do
        let (lo, hi) = stack[top - 1]
        in if hi - lo < 2 then (ys, stack, top - 1) else
           let p = ys[hi - 1]
           let (ys, k) = loop (ys, k) = (ys, lo) for i in lo..<hi - 1 do
             if ys[i] < p then
               let y = ys[i]
               let ys[i] = copy ys[k]
               in (ys with [k] = y, k + 1)
             else (ys, k)
           let y = copy ys[k]
           let ys[k] = p
           let ys[hi - 1] = y
           let stack[top - 1] = (lo, k)
           in (ys, stack with [top] = (k + 1, hi), top + 1)).0

-- Gradient, Hessian times ones (2 i) by both orders, and forward mode in a direction.
def right [n] (sort: [n]f64 -> [n]f64) (xs: [n]f64) : bool =
  let f = \xs -> weighted (sort xs)
  let rank = map f64.i64 (ranks xs)
  let gradient = map2 (\r x -> 2 * r * x) rank xs
  let near = \a b -> f64.abs (a - b) <= 1e-12 * (1 + f64.abs a)
  let is = \(a: [n]f64) (b: [n]f64) -> and (map2 near a b)
  in is gradient (vjp f xs 1) && near (f64.sum gradient) (jvp f xs (map (const 1) xs))
    && is (map (* 2) rank) (jvp (\xs -> vjp f xs 1) xs (map (const 1) xs))
    && is (map (* 2) rank) (vjp (\xs -> f64.sum (vjp f xs 1)) xs 1)

def data (n: i64) = map (\i -> f64.sin (f64.i64 (7 * i + 1))) (iota n)

-- ==
-- entry: insertion_right bubble_right heap_right quick_right
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 2i64 } output { true }
-- input { 13i64 } output { true }
entry insertion_right (n: i64) = right insertion (data n)
entry bubble_right (n: i64) = right bubble (data n)
entry heap_right (n: i64) = right heap (data n)
entry quick_right (n: i64) = right quick (data n)
