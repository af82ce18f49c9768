-- Programs of `make bench-par`: of each, its data for a size, its value and its gradient.
def number (i: i64) : f64 = f64.i64 (i * 7919 % 10007) / 10007

-- Sum of norms of rows (issue 2299 of the original: 2 million rows of 3).
entry norms_data (n: i64) = (tabulate 3 number, tabulate_2d n 3 (\i j -> number (3 * i + j)))
def norms [n] (c: [3]f64) (ps: [n][3]f64) =
  f64.sum (map (\p -> f64.sqrt (f64.sum (map2 (\x y -> (x - y) * (x - y)) p c))) ps)
entry norms_value [n] (c: [3]f64) (ps: [n][3]f64) = norms c ps
entry norms_gradient [n] (c: [3]f64) (ps: [n][3]f64) = vjp (\c -> norms c ps) c 1

-- Distances to the nearest of 100 centres in 8 dimensions.
entry kmeans_data (n: i64) = (tabulate_2d 100 8 (\i j -> number (8 * i + j)),
                              tabulate_2d n 8 (\i j -> number (8 * i + j + 77)))
def kmeans [n] [k] [d] (cs: [k][d]f64) (ps: [n][d]f64) =
  let dist a b = f64.sum (map2 (\x y -> (x - y) * (x - y)) a b)
  in f64.sum (map (\p -> f64.minimum (map (dist p) cs)) ps)
entry kmeans_value [n] [k] [d] (cs: [k][d]f64) (ps: [n][d]f64) = kmeans cs ps
entry kmeans_gradient [n] [k] [d] (cs: [k][d]f64) (ps: [n][d]f64) = vjp (\cs -> kmeans cs ps) cs 1

-- Sum of squares of a product of square matrices.
entry product_data (n: i64) = (tabulate_2d n n (\i j -> number (n * i + j)),
                               tabulate_2d n n (\i j -> number (n * j + i)))
def product [n] (a: [n][n]f64) (b: [n][n]f64) =
  let c = map (\row -> map (\col -> f64.sum (map2 (*) row col)) (transpose b)) a
  in f64.sum (map (\x -> x * x) (flatten c))
entry product_value [n] (a: [n][n]f64) (b: [n][n]f64) = product a b
entry product_gradient [n] (a: [n][n]f64) (b: [n][n]f64) = vjp (\(a, b) -> product a b) (a, b) 1

-- An LSTM of 32 states over n sequences of 16 inputs of 16 numbers.
entry lstm_data (n: i64) =
  (tabulate_3d 4 32 16 (\i j k -> number (i + 4 * j + 128 * k) - 0.5),
   tabulate_3d 4 32 32 (\i j k -> number (i + 4 * j + 128 * k + 1) - 0.5),
   tabulate_3d n 16 16 (\i j k -> number (16 * (16 * i + j) + k) - 0.5))
def lstm [n] [t] [d] [h] (w: [4][h][d]f64) (u: [4][h][h]f64) (xss: [n][t][d]f64) =
  let dot a b = f64.sum (map2 (*) a b)
  let sigmoid x = 1 / (1 + f64.exp (-x))
  let step (s: [h]f64, c: [h]f64) (x: [d]f64) =
    let gate k = map2 (\v r -> dot v x + dot r s) w[k] u[k]
    let c = map4 (\c f i g -> c * sigmoid f + sigmoid i * f64.tanh g) c (gate 0) (gate 1) (gate 2)
    in (map2 (\o c -> sigmoid o * f64.tanh c) (gate 3) c, c)
  let run xs = (loop s = (replicate h 0, replicate h 0) for x in xs do step s x).0
  in f64.sum (map (\xs -> f64.sum (map (\x -> x * x) (run xs))) xss)
entry lstm_value [n] [t] [d] [h] (w: [4][h][d]f64) (u: [4][h][h]f64) (xss: [n][t][d]f64) =
  lstm w u xss
entry lstm_gradient [n] [t] [d] [h] (w: [4][h][d]f64) (u: [4][h][h]f64) (xss: [n][t][d]f64) =
  vjp (\(w, u) -> lstm w u xss) (w, u) 1

-- Cross sections from poles in the complex plane, at n energies and places that a generator gives.
entry poles_data (n: i64) = (iota n, tabulate_2d 1000 4 (\i j -> number (4 * i + j) + 0.1))
def poles [n] (seeds: [n]i64) (ps: [1000][4]f64) =
  let section (seed: i64) =
    let next = seed * 1103515245 + 12345
    let energy = number (next % 10007) + 0.01
    let first = next % 992
    in loop sum = 0 for k < 8 do
         let p = ps[first + k]
         let (re, im) = (p[0] - f64.sqrt energy, p[1])
         let size = re * re + im * im
         in sum + (p[2] * re + p[3] * im) / size * f64.exp (-im * energy)
  in f64.sum (map section seeds)
entry poles_value [n] (seeds: [n]i64) (ps: [1000][4]f64) = poles seeds ps
entry poles_gradient [n] (seeds: [n]i64) (ps: [1000][4]f64) = vjp (poles seeds) ps 1

-- Logistic regression, and values and gradients in one.
entry logistic_data (n: i64) = (tabulate 32 number,
                                tabulate_2d n 32 (\i j -> number (8 * i + j + 77) - 0.5),
                                tabulate n (\i -> i % 2))
def logistic [n] [d] (w: [d]f64) (xs: [n][d]f64) (ys: [n]i64) =
  let dot a b = f64.sum (map2 (*) a b)
  let one x y = let z = dot w x in f64.log (1 + f64.exp (if y == 1 then -z else z))
  in f64.sum (map2 one xs ys)
entry logistic_value [n] [d] (w: [d]f64) (xs: [n][d]f64) (ys: [n]i64) = logistic w xs ys
entry logistic_gradient [n] [d] (w: [d]f64) (xs: [n][d]f64) (ys: [n]i64) =
  vjp (\w -> logistic w xs ys) w 1
entry logistic_both [n] [d] (w: [d]f64) (xs: [n][d]f64) (ys: [n]i64) =
  vjp2 (\w -> logistic w xs ys) w 1
entry norms_both [n] (c: [3]f64) (ps: [n][3]f64) = vjp2 (\c -> norms c ps) c 1
entry kmeans_both [n] [k] [d] (cs: [k][d]f64) (ps: [n][d]f64) = vjp2 (\cs -> kmeans cs ps) cs 1
entry lstm_both [n] [t] [d] [h] (w: [4][h][d]f64) (u: [4][h][h]f64) (xss: [n][t][d]f64) =
  vjp2 (\(w, u) -> lstm w u xss) (w, u) 1
