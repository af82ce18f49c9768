-- Operators and arguments as other languages have them, each with what to write here.
def vectors [n] (xs: [n]f64) (ys: [n]f64) = xs * ys --! "map2 (*) xs ys"
def matrices [n] (a: [n][n]f64) (b: [n][n]f64) = a + b --! "map2 (map2 (+)) a b"
def scaled (xs: []f64) = xs * 2 --! "map (* 2) xs"
def scaled_left (xs: []f64) = 2 * xs --! "map (2 *) xs"
def scaled_rows (a: [][]f64) (x: f64) = a / (x + 1) --! "map (map (/ (x + 1))) a"
def rows (a: [][]f64) (x: []f64) = a * x --! for every row
def joined = "a" + "b" --! joined with "++"
def divided (n: i64) = 1.0 / n --! convert with "f64.i64 n"
def times (n: i64) (x: f64) = n * x --! convert with "f64.i64 n"
def times_half (n: i64) = n * 0.5 --! convert with "f64.i64 n"
def wide (n: i32) (m: i64) = n + m --! convert with "i64.i32 n"
def mixed (x: f32) (y: f64) = x * y --! convert with "f64.f32 x"
def negative (x: f64) = f64.max x -1 --! parentheses: "(-1)"
def sum (xs: []f64) = reduce (+) xs --! the neutral element comes before the array
def product (xs: []f64) = reduce (*) xs 1 --! "reduce (*) 1 xs"
def sums (xs: []f64) = scan (\x y -> x + y) xs --! "scan (\x y -> x + y) ne xs"
def folded (xs: []f64) = foldl (+) xs 0 --! "acc" comes before the array: "foldl (+) 0 xs"
