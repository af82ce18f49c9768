-- Every definition is judged by itself: an error of sizes is seen beside errors of types, and what
-- uses a definition with an error is not blamed for it.
def wrong_type (x: i32) : f32 = x --! Cannot unify types "f32" and "i32"
def wrong_size [n] (xs: [n]i32) = zip xs (iota (n + 1)) --! Cannot apply "zip"
def user [n] (xs: [n]i32) = zip xs (map i64.f32 [wrong_type 1])
def other [n] [m] (xs: [n]i32) (ys: [m]i32) = map2 (+) xs ys --! Cannot apply "map2"
module m = {
  def bad = 1i32 + true --! Cannot apply "+"
  def worse [n] (xs: [n]i32) : [n + 1]i32 = xs --! Function body does not have expected type
}
def uses = m.bad + length (m.worse [1])
