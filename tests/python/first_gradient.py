import numpy as np

import dagaz

p = dagaz.source("""
def loss [n] (a: f64) (b: f64) (xs: [n]f64) (ys: [n]f64) : f64 =
  f64.sum (map2 (\\x y -> (a * x + b - y) ** 2) xs ys)
""")
xs, ys = np.loadtxt("data.csv", delimiter=",", skiprows=1, unpack=True)
value, (da, db) = dagaz.value_and_grad(p.loss, wrt=("a", "b"))(1.0, 1.0, xs, ys)
print(value, da, db)
