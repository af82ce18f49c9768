-- Logistic regression: the loss of weights w on points xs with labels ys (1 or -1).
def dot [d] (a: [d]f64) (b: [d]f64) : f64 = f64.sum (map2 (*) a b)

entry loss [n][d] (xs: [n][d]f64) (ys: [n]f64) (w: [d]f64) : f64 =
  f64.sum (map2 (\x y -> f64.log (1 + f64.exp (-y * dot w x))) xs ys) / f64.i64 n

def points : [4][2]f64 = [[1, 2], [2, -1], [-1, 1], [-2, -1]]
def labels : [4]f64 = [1, 1, -1, -1]
