-- What the arguments of derivative operators must be.
def a (x: f64) = vjp (\(a, b) -> a * b) x 1 --! the point has the type of the function's parameter
def b [n] (xs: [n]f64) = vjp (map f64.sin) xs 1 --! a seed has the type of the function's result
def c [n] (xs: [n]f64) = jvp (f64.sum) xs 1 --! a direction has the type of the point
def d [n] (xs: [n]f64) = mjp (map f64.sin) xs xs --! seeds are an array of what the function's result is
def e (x: f64) = jmp f64.sin x 1 --! directions are an array of what the second argument is
def f (x: f64) = vjp (\y z -> y * z) x 1 --! several are a tuple
def put (xs: *[]f64) = xs with [0] = 2
def g [n] (xs: [n]f64) = jvp put xs xs --! differentiated as "\x -> f (copy x)"
def h (x: f64) = vjp(f64.sin, x, 1.0) --! arguments stand one after the other
def i (xs: []f64) = vjp (\xs -> filter (> 0) xs) xs xs --! must be known before: make a number of the result
