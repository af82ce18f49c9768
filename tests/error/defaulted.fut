-- Where a type was defaulted for want of a declaration, the declaration is what is missing.
def sq x = x * x --! Defaulting ambiguous type to i32.
def literal = sq 2.5 --! "x" of "sq" has no declared type, and became i32: write "(x: f64)"
def parameter (x: f64) = sq x --! write "(x: f64)" in its definition
def narrower (x: f32) = 1 + sq x --! write "(x: f32)" in its definition
def operand (x: f64) = sq 2 + x --! write "(x: f64)" in its definition
def mapped (xs: []f64) = map sq xs --! write "(x: f64)" in its definition

def axpy a xs ys = map2 (\x y -> a*x + y) xs ys --! Defaulting
def scaled (h: f64) (k: []f64) = axpy (h / 2) k k --! "a" of "axpy" has no declared type
def sumsq xs = reduce (+) 0 (map (\x -> x * x) xs) --! Defaulting
def array (xs: []f64) = sumsq xs --! write "(xs: []f64)" in its definition
def half x = x * 0.5 --! Defaulting
def single (x: f32) = half x --! write "(x: f32)" in its definition
def three = 3 --! Defaulting
def constant (x: f64) = x * three --! write "def three : f64 = .."
def both (a, b) = a + b --! Defaulting
def pair (x: f64) = both (x, x) --! a parameter of "both" has no declared type
def three_of (_n: i64) = 3 --! Defaulting
def result (x: f64) = x * three_of 2 --! the result of "three_of" has no declared type
